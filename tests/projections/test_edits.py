"""List of the edits that a reader would still make in first drafts, and its count."""

from __future__ import annotations

import pytest

from benchmarks.edits import CATEGORIES, FIRST, READERS, WHOSE, Edit, Read, edits, figures, lists, read
from benchmarks.labels import EXAMPLES

CUT = Edit("So.", "", "repeated", "record", "first")
KEPT = Edit("I run. ¶ I fall.", "I run, and fall.", "paragraphing", "retold", "second")


def test_every_edit_is_of_an_example_and_has_a_known_kind_and_owner() -> None:
    listed = edits()

    assert {script.stem for script in EXAMPLES.glob("*/*.session")} >= listed.keys() >= set(FIRST)
    assert all(
        edit.category in CATEGORIES and edit.whose in WHOSE for each in listed.values() for edit in each
    )
    assert all(edit.reader in READERS for each in listed.values() for edit in each)
    assert all(edit.words and edit.words != edit.instead for each in listed.values() for edit in each)


def test_an_edit_whose_words_are_no_longer_printed_is_mended_and_listed() -> None:
    evening = Read("Zel: I run. ¶ I fall.", "Zel: I run. ¶ I fall.", 4, (CUT, KEPT))

    assert (evening.exported, evening.mended) == ((KEPT,), (CUT,))
    evenings = dict.fromkeys(FIRST, evening)
    lines = list(figures(evenings))
    assert "First reader: 0 edits in 20 words of prose: 0.0 for each 1,000; goal 10: met." in lines
    assert "Second reader: 5 edits in 20 words of prose: 250.0 for each 1,000; goal 10: missed." in lines
    assert (
        "Both lists together: 5 edits in 20 words of a new draft: 250.0 for each 1,000; goal 10: missed."
        in lines
    )
    assert "Mended: 5 of the 10 listed." in lines
    assert list(lists(evenings))[-1] == "* causeway: repeated, record, first: `So.` cut"


def test_an_edit_may_stand_in_an_export_or_in_a_draft_alone() -> None:
    evening = Read("So.", "I run. ¶ I fall.", 4, (CUT, KEPT))

    assert (evening.only_exported, evening.only_drafted, evening.mended) == ((CUT,), (KEPT,), ())


def test_an_evening_is_read_as_it_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", "")  # is set while it plays
    evening = read("lesson", (Edit("I hear it before I see it.", "", "other", "record", "both"),))

    assert evening.exported
    assert "Corin: I wait for the breath" in evening.draft
    assert evening.words > len(evening.text.split()) / 2
