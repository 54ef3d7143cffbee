"""The id that a source gave a unit is in nobody's view of a campaign: not told, not found, not logged."""

from __future__ import annotations

from pathlib import Path

import pytest

import retold
from retold.journal.decks.chance import Provenance
from retold.journal.store.events.acts import Manner
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.projections.exports import EXPORTS
from tests.cli.shell import Shell

UNIT = "1477752830549819392"


@pytest.fixture
def imported(shell: Shell) -> Shell:
    """The evening of the shell, in which Zel says something that was imported."""
    with retold.open(Path("evening.retold")) as campaign:
        manner = Manner(
            source=("ab" * 32, 7), unit=Words(UNIT), provenance=Provenance.IMPORTED, when="2026-03-01"
        )
        zel = campaign.scribe.table.called("Zel")
        campaign.scribe.record(c.Say(who=zel, text=Words("Not today, from afar.")), manner)
    return shell


@pytest.mark.parametrize("viewer", ["gm", "table"])
def test_no_log_and_no_search_has_it(imported: Shell, viewer: str) -> None:
    for words in (("log", "-n", "0"), ("log", "-n", "0", "--json"), ("replay", "s2", "--json")):
        shown = imported.done(*words, "--for", viewer)
        assert "Not today, from afar." in shown
        assert UNIT not in shown
    assert UNIT not in imported.say("search", UNIT, "--for", viewer, "--json").out.partition('"matches"')[2]


@pytest.mark.parametrize(
    "form", sorted({name for name, one in EXPORTS.items() if one.is_text} - {"srt", "webvtt", "vtt", "cards"})
)
def test_no_export_has_it(imported: Shell, form: str) -> None:
    written = imported.done("export", "-f", form, "-o", "-")

    assert "Not today, from afar." in written
    assert UNIT not in written


def test_a_dump_has_it_and_a_script_has_not(imported: Shell) -> None:
    assert UNIT in imported.done("dump")
    assert UNIT not in imported.done("dump", "--script")


def test_new_words_are_those_of_what_was_said(imported: Shell) -> None:
    imported.done("retcon", "@:", "Not tomorrow.")

    logged = imported.done("log", "-n", "2")
    assert "Not tomorrow." in logged
    assert "from afar" not in logged
    assert UNIT in imported.done("dump")


def test_a_redaction_says_what_it_takes(imported: Shell) -> None:
    shown = imported.done("redact", "@", "--check")
    assert "words 0: “Not today, from afar.”" in shown
    assert f"words 1: “{UNIT}”" in shown

    imported.done("--yes", "redact", "@")
    assert UNIT not in imported.done("dump")
