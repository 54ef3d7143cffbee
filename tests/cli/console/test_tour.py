"""The tour: every line of it is taken, in every game, and nothing of it is kept."""

from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from retold.cli.console.loop import Console
from retold.cli.console.script import AROUND, ITS_END, TOURS, Tour, read_out
from retold.cli.console.session import ConsoleSession
from retold.cli.dispatch import dispatch
from retold.cli.invocation import DONE, FAILED
from retold.games.homebrew import options
from retold.journal.games import BUILT_IN

GAMES = sorted({path.stem for path in TOURS.glob("*.session")} - set(AROUND))


def test_every_game_that_is_ours_has_a_tour() -> None:
    assert set(GAMES) == {*BUILT_IN, *options.game_names()} - {options.NAME}


@pytest.mark.parametrize("game", GAMES)
def test_every_line_of_a_tour_is_taken(
    empty: ConsoleSession, game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert read_out(empty, Tour.of(game)) == DONE
    said = capsys.readouterr()
    assert ITS_END in said.out
    assert said.err == "The table's copy; --for gm makes the game master's.\n"


def test_at_the_console_enter_says_the_line_that_is_offered_and_others_may_be_said_between(
    empty: ConsoleSession, capsys: pytest.CaptureFixture[str]
) -> None:
    tour = Tour.of(None)
    with create_pipe_input() as source:
        source.send_text("\rshow cast\rnote Nobody: Two.\r\x15" + "\r" * len(tour.steps))
        console = Console.at(empty, source=source, screen=DummyOutput())
        console.tour = tour
        assert console.converse() == DONE
    said = capsys.readouterr()

    assert "Mary" in said.out
    assert "There is no “Nobody” here." in said.err
    assert said.out.count("# An evening is a session.") == 1
    assert said.out.rstrip().endswith(ITS_END)


def test_the_tour_prints_without_a_terminal_and_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    here = Path.cwd()

    assert dispatch(["play", "--tour", "bruise"]) == DONE
    assert ITS_END in capsys.readouterr().out
    assert (Path.cwd(), list(tmp_path.iterdir())) == (here, [])


def test_a_game_without_a_tour_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert dispatch(["play", "--tour", "bruse"]) == FAILED
    assert "There is a tour of bruise, d20, edgerunner, fate," in capsys.readouterr().err
