"""What the console remembers of lines said before, and what it does not once they are redacted."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from prompt_toolkit.history import History
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from retold.cli.campaigns.asking import remove_from_history
from retold.cli.campaigns.settings import Settings
from retold.cli.console.loop import Console
from retold.cli.console.session import ConsoleSession, LineResult


def remembered(history: History) -> list[str]:
    """What Up would bring back, the last line first."""

    async def load() -> list[str]:
        return [line async for line in history.load()]

    return asyncio.run(load())


def test_redacted_history_does_not_return(seat: ConsoleSession) -> None:
    path = Settings.of_user().history()
    with create_pipe_input() as source:
        source.send_text("note: Quagga one.\rnote: Two.\rredact --person Ana\r\x04")
        console = Console.at(seat, source=source, screen=DummyOutput())
        console.converse()
        lines = console.prompt_session.history
        assert remembered(lines) == ["note: Two.", "note: Quagga one."]
        assert b"Ana" not in path.read_bytes()

        assert remove_from_history(path, ["Quagga"], []) == 1
        source.send_text("\x04")
        console.converse()
        assert remembered(lines) == ["note: Two."]


def test_while_a_copy_remains_the_console_tries_again_when_it_is_quiet(
    seat: ConsoleSession, path: Path
) -> None:
    assert seat.hear("note: Quagga.") is LineResult.DONE
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM event").fetchall()
        assert seat.hear("note: One more.") is LineResult.DONE
        seat.settle()
        assert seat.unsettled

    seat.settle()
    assert not seat.unsettled


def test_a_sealed_line_is_kept_in_no_history(seat: ConsoleSession) -> None:
    path = Settings.of_user().history()
    with create_pipe_input() as source:
        source.send_text('note: One.\rdeclare "Zélie Brandt" engage Guards --sealed: Quagga.\r\x15\x04')
        console = Console.at(seat, source=source, screen=DummyOutput())
        console.converse()

        assert remembered(console.prompt_session.history) == ["note: One."]
    assert b"Quagga" not in path.read_bytes()
