"""What comes with Retold to be read: rules, language and sheets, at a terminal and for machines."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest

from retold.cli.help import pages as help_pages
from retold.cli.verbs import help as help_verb
from retold.journal.systems import SYSTEMS
from tests.cli.shell import Shell

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("game", SYSTEMS)
def test_F7_the_rules_of_every_game_are_there(game: str, shell: Shell) -> None:
    assert shell.done("help", game).endswith("\n\n" + (ROOT / f"docs/rules/{game}.md").read_text("utf-8"))


def test_F7_so_is_the_language(shell: Shell) -> None:
    assert shell.done("help", "language") == (ROOT / "docs/language.md").read_text("utf-8")
    assert shell.done("help", "table") == shell.done("help", "language")


@pytest.mark.parametrize("typed", ["Space·Time", "space", "the emissaries", "edge"])
def test_F7_a_game_may_be_called_by_its_title_or_a_beginning(typed: str, shell: Shell) -> None:
    assert shell.done("help", *typed.split()).startswith("# ")


def test_F7_a_verb_goes_before_a_game(shell: Shell) -> None:
    assert shell.done("help", "draw").startswith("Draw cards")


def test_F7_for_machines_the_paper_is_one_value(shell: Shell) -> None:
    said = json.loads(shell.done("--json", "help", "bruise"))

    assert said["topic"] == "bruise"
    assert said["markdown"] == shell.done("help", "bruise")


def test_F7_what_is_no_topic_is_said_with_the_nearest(shell: Shell) -> None:
    assert "Did you mean language?" in shell.misused("help", "langauge")


def test_F7_a_paper_that_was_not_installed_is_missed_in_a_sentence(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(help_pages, "folder", lambda: tmp_path)

    assert "install Retold again" in shell.refused("help", "bruise")


def test_reader_a_game_in_a_file_is_answered_with_the_system_that_plays_it(shell: Shell) -> None:
    said = shell.say("systems", "d20")

    assert said.out.startswith("Games in a file")
    assert said.err == "d20 is played by Games in a file. What it has: retold help d20\n"


@pytest.mark.parametrize("game", SYSTEMS)
def test_F7_a_sheet_is_shown_with_every_key(game: str, shell: Shell) -> None:
    shown = shell.done("systems", game, "--sheet")

    assert [key.key for key in SYSTEMS[game].sheet if f"{key.key}=" not in shown] == []
    assert [key.key for key in SYSTEMS[game].sheet if key.example not in shown] == []
    assert max(map(len, shown.splitlines())) < 80


@pytest.mark.parametrize("game", [name for name, system in SYSTEMS.items() if system.sheet])
def test_F7_the_line_that_a_sheet_ends_with_is_taken(game: str, shell: Shell) -> None:
    (line,) = re.findall(r"^A line: (.*(?:\n .*)?)$", shell.done("systems", game, "--sheet"), re.MULTILINE)

    shell.play(line)


def test_F7_for_machines_a_sheet_is_among_what_a_system_is(shell: Shell) -> None:
    (system,) = json.loads(shell.done("systems", "edgerunner", "--json"))["systems"]
    keys = {key["key"]: key for key in system["sheet"]}

    assert keys["tl"]["example"] == "tl=3"
    assert (keys["tl"]["least"], keys["tl"]["most"], keys["tl"]["takes"]) == (1, 20, "1 to 20")


# --- at a terminal ----------------------------------------------------------------------------------------


@pytest.fixture
def paged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the pager was given by somebody at a terminal of 24 lines."""
    given: list[str] = []
    monkeypatch.setattr("pydoc.pager", given.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    return given


def test_F7_what_is_long_is_paged_at_a_terminal(paged: list[str]) -> None:
    help_verb.show_paged("line\n" * 30)

    assert paged == ["line\n" * 30]


def test_F7_what_fits_is_written(paged: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    help_verb.show_paged("line\n" * 3)

    assert paged == []
    assert capsys.readouterr().out == "line\n" * 3


def test_F7_a_paper_is_laid_out_there(paged: list[str]) -> None:
    help_verb.show_markdown("# Title\n\n" + "Some *words*.\n\n" * 30)

    assert "Some words." in paged[0].replace("\x1b[3m", "").replace("\x1b[0m", "")
    assert "# Title" not in paged[0]
    assert sys.stdout.isatty()


# --- games in a file --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["d20", "fate", "moves", "percentile", "plain", "pool", "sixes"])
def test_each_game_that_comes_in_a_file_has_a_page(game: str, shell: Shell) -> None:
    said = shell.done("help", game)

    assert said.startswith("# ")
    assert "## An evening" in said
    assert json.loads(shell.done("--json", "help", game)) == {
        "retold": "help",
        "version": 1,
        "topic": game,
        "markdown": said,
    }


def test_a_campaigns_own_game_has_a_page_there_and_nowhere_else(shell: Shell) -> None:
    """Also one that is called like one of ours: what is played here is meant, as it was chosen last."""
    file = shell.folder / "tides.toml"
    head = 'name = "tides"\nabout = "water"\n'
    for title in ("Low", "High"):
        file.write_text(f'{head}title = "{title} tides"\n', encoding="utf-8")
        shell.done("game", "tides.toml")
    file.write_text(head.replace("tides", "pool") + 'title = "Our pool"\n', encoding="utf-8")
    shell.done("game", "tides.toml")

    assert "\n\n# High tides\n" in shell.done("help", "Tides")
    assert "\n\n# Our pool\n" in shell.done("help", "pool")
    assert "High tides" not in shell.say("-c", "gone", "help", "tides").out
    assert shell.done("-c", "gone", "help", "pool").count("\n\n# A pool of tens\n") == 1
