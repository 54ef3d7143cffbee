"""Where somebody and something is named: the index and every text say the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from retold.journal.store.caches.index import Index
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.writing.rewording import reword
from retold.journal.vocabulary.base import Words
from retold.projections.dossiers import Dossiers, find_one
from retold.projections.reading import LineView
from retold.projections.views import mentions as named
from tests.wandering.evening import Evening, evening

CAST = ("session A night", "cast Zel by=Jon", "cast Rats by=Omar", 'place "Zel house": It leans.')


@pytest.fixture(params=["the index", "every text"])
def night(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Evening]:
    """An evening with some names, at which either is asked."""
    monkeypatch.setattr(named, "FAR", 1)
    with evening(CAST) as night:
        if request.param == "the index":
            night.scribe.campaign.snapshots = Snapshots(tmp_path / "a.cache")
            monkeypatch.setattr(LineView, "recorded", _a_row_or_a_kind(LineView.recorded))
        yield night


def _a_row_or_a_kind(recorded: object) -> object:
    """Refuses to read every text."""

    def reading_little(
        reading: LineView, after: int = 0, upto: int | None = None, kinds: object = ()
    ) -> object:
        assert kinds or upto == after + 1
        return recorded(reading, after, upto, kinds)  # type: ignore[operator]

    return reading_little


def typed(night: Evening, *lines: str) -> None:
    for line in lines:
        assert night.type(line), night.refused


def mentions(night: Evening, name: str, eyes: str = "gm") -> list[str]:
    reading = LineView(night.scribe.campaign, night.scribe.writer.line).called(eyes)
    told = [spot.text for spot in find_one(reading, Dossiers(reading), name).mentions]
    assert find_one(reading, Dossiers(reading, last=0), name).earlier == len(told)
    return told


def test_whatever_the_case_and_the_accents_it_is_the_name_and_no_part_of_a_word(night: Evening) -> None:
    typed(night, "note: ZEL.", "note: Zél, here.", "note: Zelda.", "note: No zel's.", "note: Zel and Zel.")

    assert mentions(night, "Zel") == ["ZEL.", "Zél, here.", "No zel's.", "Zel and Zel."]


def test_of_names_that_share_a_word_the_longer_is_meant(night: Evening) -> None:
    typed(
        night, "note: The Zel house.", "note: Zel left the Zel house.", "note: A house.", "note: Zel. House."
    )

    assert mentions(night, "Zel") == ["Zel left the Zel house."]
    assert mentions(night, "Zel house") == ["The Zel house.", "Zel left the Zel house.", "Zel. House."]


def test_a_person_who_is_new_is_named_in_what_was_said_before(night: Evening) -> None:
    typed(night, "note: Old Pim.", "cast Pim")

    assert mentions(night, "Pim") == ["Old Pim."]
    typed(night, 'cast Pim name="Captain Pym"', "note: Captain Pym.")
    assert mentions(night, "Captain Pym") == ["Old Pim.", "Captain Pym."]


def test_a_reworded_text_mentions_only_the_people_it_names_now(night: Evening) -> None:
    typed(night, "note: Rats.", "note: Zel.")
    last = night.scribe.writer.head.position
    reword(night.scribe.writer, last - 1, Words("Zel!"))
    reword(night.scribe.writer, last, Words("Zel, Rats."))
    reword(night.scribe.writer, last, Words("Rats, rats."))

    assert (mentions(night, "Zel"), mentions(night, "Rats")) == (["Zel!"], ["Rats, rats."])


def test_a_text_that_was_said_otherwise_is_gone_with_the_old_one(night: Evening) -> None:
    typed(night, "note: Rats.", 'retcon @ --as "note: Zel."')

    assert (mentions(night, "Zel"), mentions(night, "Rats")) == (["Zel."], [])


def test_redacted_and_undone_texts_mention_no_person(night: Evening) -> None:
    typed(night, "note: Zel, a secret.", "redact @", "note: Zel.", "undo")

    assert mentions(night, "Zel") == []


def test_a_secret_text_mentions_no_person_to_other_viewers(night: Evening) -> None:
    typed(night, "note --to table: Zel.", "note: Zel, who lies.", "note --to Jon: Zel, in truth.")

    assert mentions(night, "Zel", "table") == ["Zel."]
    assert mentions(night, "Zel", "Jon") == ["Zel.", "Zel, in truth."]
    typed(night, "reveal @-1")
    assert mentions(night, "Zel", "table") == ["Zel.", "Zel, who lies."]


def test_what_was_noted_of_it_and_what_was_said_before_mention_no_thread(night: Evening) -> None:
    typed(
        night,
        "note: A bell.",
        "thread Bell: Rats rang it.",
        "thread Bell: A bell of brass.",
        "note: The bell!",
    )
    typed(night, "thread Tower: Where the bell hangs.")

    assert mentions(night, "Bell") == ["The bell!", "Where the bell hangs."]
    assert mentions(night, "Rats") == ["Rats rang it."]


def test_a_title_mentions_no_person(night: Evening) -> None:
    typed(night, 'thread "Rats again": They are back.', 'mark "Rats here"', 'cast "Two Rats": More Rats.')

    assert mentions(night, "Rats") == ["More Rats."]


def test_each_line_has_its_own(night: Evening) -> None:
    typed(
        night,
        "note: Zel, before.",
        "branch other",
        "note: Zel, there.",
        "switch mainline",
        "note: Zel, here.",
    )

    assert mentions(night, "Zel") == ["Zel, before.", "Zel, here."]


def test_the_last_are_told_and_the_others_counted(night: Evening) -> None:
    typed(night, "note: Zel 1.", "note: Zel 2.", "note: Zel 3.")
    reading = LineView(night.scribe.campaign, 1)
    known = find_one(reading, Dossiers(reading, last=2), "Zel")

    assert ([spot.text for spot in known.mentions], known.earlier) == (["Zel 2.", "Zel 3."], 1)


def test_if_no_index_can_be_made_every_text_is_heard(
    night: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed(night, "note: Zel.")
    monkeypatch.undo()
    monkeypatch.setattr(named, "FAR", 1)
    night.scribe.campaign.snapshots = Snapshots(tmp_path / "b.cache")

    def broken(*_given: object, **_named: object) -> int:
        raise StoreError("There is no searching here.")

    monkeypatch.setattr(Index, "catch_up", broken)

    assert mentions(night, "Zel") == ["Zel."]
