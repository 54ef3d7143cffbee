"""Whose copy a file is: said of each, asked for at a terminal, and kept; with how many secrets it holds."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

import retold
from retold.__main__ import main
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import FORMATS
from tests.cli.shell import Shell

EVENING = """campaign The Salt Road
cast gm by=Mary
cast Zel by=Jon: A smuggler
cast Bo by=Ana
session The Long Ebb --date 2026-03-14
scene The stair
narrate Zel: One last cry.
mark cry
narrate gm --gm: The ferrywoman is her mother.
say Zel --to Bo: Run.
thread "Who paid" --gm: The duke did.
thread "Who paid": In gold.
end session
session The Flood --date 2026-03-21
narrate Bo: The water rises.
narrate gm --at cry --to Bo: You knew that voice.
"""

GM_5 = "The game master's copy, with 5 secrets; --for table leaves them out.\n"
GM_ONE = "The game master's copy, with 1 secret; --for table leaves it out.\n"
GM_NONE = "The game master's copy; nothing in it is secret.\n"
TABLE = "The table's copy; --for gm makes the game master's.\n"


class Terminal(io.StringIO):
    """Somebody who sits there and types, or reads."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def road(shell: Shell) -> Shell:
    shell.done("new", "road")
    shell.play(EVENING, "road.retold")
    shell.monkeypatch.setenv("RETOLD_CAMPAIGN", "road.retold")
    return shell


def export(shell: Shell, *words: str) -> str:
    """Writes a file, and returns what is said of it."""
    said = shell.say("export", "--force", "-o", "told", *words)

    assert (said.code, said.out) == (0, "")
    return said.err.removeprefix("Written to told.\n")


def asked(shell: Shell, typed: str, *words: str) -> str:
    """What a terminal shows of an export while somebody types."""
    shown = Terminal()
    with shell.monkeypatch.context() as terminal:
        terminal.setattr(sys, "stdin", Terminal(typed))
        terminal.setattr(sys, "stderr", shown)
        assert main(("export", "--force", "-o", "told", *words)) == 0
    return shown.getvalue()


def chosen(shell: Shell) -> list[str]:
    """The choices that the record keeps."""
    told = shell.done("log", "-n", "0").splitlines()
    return [line.split("  ")[-1] for line in told if "option copies" in line]


@pytest.mark.parametrize("name", FORMATS)
def test_G20_every_format_defaults_to_the_table_view_without_a_terminal(road: Shell, name: str) -> None:
    part = ("--book",) if FORMATS[name].is_of_campaign else ("--session", "1")
    assert export(road, *part, "-f", name).startswith(TABLE)
    told = (road.folder / "told").read_bytes()
    assert export(road, *part, "-f", name, "--for", "table").startswith(TABLE)
    assert (road.folder / "told").read_bytes() == told


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--session", "1"), TABLE),
        (("--session", "1", "--for", "gm"), GM_5),
        (("--session", "2", "--for", "gm"), GM_NONE),  # what it says of the first stands there
        (("--session", "2", "--voice", "plain", "--for", "gm"), GM_ONE),
        (("--session", "2", "-f", "replay", "--for", "gm"), GM_ONE),
        (("--book", "--for", "gm"), GM_5),
        (("s1..", "--for", "gm"), GM_5),
        (("s1:2..",), TABLE),
        (("--session", "1", "--for", "table"), TABLE),
        (("--session", "2", "--for", "Bo"), "Bo's copy; nothing in it is secret.\n"),
        (("--session", "1", "--for", "Bo"), "Bo's copy, with 2 secrets.\n"),
        (("--session", "1", "--for", "Ana"), "Ana's copy, with 2 secrets.\n"),
        (("--session", "1", "--for", "Zel"), "Zel's copy, with 1 secret.\n"),
        (("--session", "1", "--for", "Mary"), GM_5),
    ],
)
def test_a_copy_says_whose_it_is_and_how_many_secrets_it_holds(
    road: Shell, words: tuple[str, ...], said: str
) -> None:
    assert export(road, *words).startswith(said)


def test_every_session_counts_each_secret_once(road: Shell) -> None:
    said = road.say("export", "--session", "all", "-f", "md", "-o", "all", "--for", "gm")

    assert said.err.splitlines()[-1] == GM_5.strip()


def test_revealed_events_are_not_secret(road: Shell) -> None:
    with CampaignStore.open(road.folder / "road.retold") as campaign:
        kinds = [row.kind for row in campaign.record.rows(1, 0)]
    opened = kinds.index("table.matter-opened") + 1
    road.done("reveal", str(opened))

    assert (
        export(road, "--book", "--for", "gm")
        == "The game master's copy, with 3 secrets; --for table leaves them out.\n"
    )
    road.done("reveal", str(opened - 2), "--to", "Bo")
    assert export(road, "--book", "--for", "Bo") == "Bo's copy, with 3 secrets.\n"


def test_secrets_of_other_lines_count_where_those_are_told(road: Shell) -> None:
    road.done("branch", "kinder", "cry")
    road.done("narrate", "gm", "--gm:", "She lives.")
    road.done("switch", "mainline")

    assert export(road, "--session", "1", "--for", "gm") == GM_5
    told = "The game master's copy, with 6 secrets; --for table leaves them out.\n"
    assert export(road, "--session", "1", "--variations", "--for", "gm") == told
    assert export(road, "--session", "1", "-f", "replay", "--for", "gm") == told


def test_standard_output_is_the_copy_alone(road: Shell) -> None:
    said = road.say("export", "--session", "1", "-f", "json")

    assert json.loads(said.out)["viewer"] == "table"
    assert said.err == TABLE


# --- a card -----------------------------------------------------------------------------------------------


def test_a_card_defaults_to_the_table_view_without_a_terminal(road: Shell) -> None:
    assert export(road, "--moment", "cry") == TABLE
    assert export(road, "--moment", "cry", "--for", "gm") == GM_NONE


def test_the_card_of_a_secret_is_refused_with_the_way_to_it(road: Shell) -> None:
    whisper = retold_position(road.folder / "road.retold", "table.said")

    assert road.refused("export", "--moment", whisper) == (
        "Nothing at that moment may be shown to them: choose another."
        " This would be the table's card; the game master's: --for gm."
    )
    road.done("mark", "--to", "Bo", "psst", "--at", whisper)
    assert export(road, "--moment", "psst", "--for", "Bo") == "Bo's copy, with 1 secret.\n"
    assert export(road, "--moment", whisper, "--for", "gm") == (GM_ONE)


def retold_position(path: Path, kind: str) -> str:
    """Where the first event of a kind stands."""
    with CampaignStore.open(path) as campaign:
        return str(next(row.position for row in campaign.record.rows(1, 0) if row.kind == kind))


# --- asked at a terminal ----------------------------------------------------------------------------------

QUESTION = "Whose copy shall it be, the game master's (g) or the table's (t)? [g/T] "


@pytest.mark.parametrize(
    ("typed", "kept", "whose"), [("g\n", "gm", GM_5), ("t\n", "table", TABLE), ("\n", "table", TABLE)]
)
def test_at_a_terminal_it_is_asked_once(road: Shell, typed: str, kept: str, whose: str) -> None:
    first = asked(road, typed, "--session", "1", "-f", "html")
    again = asked(road, "", "--session", "1", "-f", "html")

    assert first.startswith(
        f"5 secrets are in this part, for the game master or for some of the table only.\n{QUESTION}"
    )
    assert first.endswith(f"Written to told.\n{whose}")
    assert again == f"Written to told.\n{whose}"
    assert chosen(road) == [f"option copies={kept}"]
    assert export(road, "--session", "1", "-f", "epub").startswith(whose)
    assert export(road, "--session", "1", "-f", "text").startswith(whose)


def test_what_was_chosen_can_be_chosen_anew(road: Shell) -> None:
    asked(road, "g\n", "--session", "1", "-f", "html")
    road.done("option", "copies=table")

    assert export(road, "--session", "1", "-f", "html") == TABLE
    road.done("option", "copies=ask")
    assert QUESTION in asked(road, "t\n", "--session", "1", "-f", "html")


def test_an_answer_that_is_none_is_asked_for_again(road: Shell) -> None:
    assert asked(road, "both\ng\n", "--session", "1", "-f", "html").count(QUESTION) == 2


def test_no_answer_is_the_tables_copy_and_nothing_is_kept(road: Shell) -> None:
    assert asked(road, "", "--session", "1", "-f", "html").endswith(TABLE)
    assert chosen(road) == []


@pytest.mark.parametrize(
    "words",
    [
        ("--session", "2", "-f", "html"),  # nothing in it is secret
        ("--session", "1", "-f", "html", "--for", "gm"),
        ("--session", "1", "-f", "text", "--for", "table"),
        ("--moment", "cry"),
    ],
)
def test_export_does_not_ask_where_it_makes_no_difference(road: Shell, words: tuple[str, ...]) -> None:
    assert QUESTION not in asked(road, "", *words)
    assert chosen(road) == []


def test_yes_suppresses_the_question(road: Shell) -> None:
    road.monkeypatch.setattr(sys, "stdin", Terminal(""))
    shown = Terminal()
    road.monkeypatch.setattr(sys, "stderr", shown)

    assert main(("--yes", "export", "--session", "1", "-o", "a.html")) == 0
    assert shown.getvalue() == f"Written to a.html.\n{TABLE}"


def test_an_answer_that_cannot_be_kept_is_used_all_the_same(
    road: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise retold.Refused("The campaign cannot be written.")

    monkeypatch.setattr("retold.cli.exporting.copies.Scribe.say", refused)

    assert asked(road, "g\n", "--session", "1", "-f", "html").endswith(
        "The answer is not kept, and will be asked for again: The campaign cannot be written.\n"
        f"Written to told.\n{GM_5}"
    )
    assert chosen(road) == []


# --- a program --------------------------------------------------------------------------------------------


def test_a_program_is_told_how_many_secrets_its_copy_holds(road: Shell) -> None:
    with retold.open(road.folder / "road.retold") as campaign:
        copies = [campaign.seen_by(name) for name in ("gm", "table", "Bo")]

        assert [one.secrets(1) for one in copies] == [5, 0, 2]
        assert [one.secrets("all") for one in copies] == [5, 0, 2]
        assert "The duke did." in campaign.export("html", 1).decode()
