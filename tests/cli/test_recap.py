"""`recap` at the shell and at the console: to be read in any width, and never in anybody's way."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from retold.__main__ import main
from retold.cli.console.session import ConsoleSession
from retold.cli.invocation import Options
from retold.cli.output.drawing import write_hung, write_recap
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.texts.wrapping import width
from retold.scribe import Scribe
from tests.cli.shell import Shell

TWO = """\
campaign The Salt Road
cast Zel bruise by=Jon clubs=4: A smuggler, lately caught, who has never once been seen without a hat
session The Long Ebb --date 2026-03-14
scene The stair
narrate Zel: One last cry, and the line breaks.
say Zel: Not today.
note --gm: The wombat.
end session
"""

SAID = """\
Session 1, The Long Ebb (2026-03-14)
The last scene: The stair.
Zel: One last cry, and the line breaks.
Zel: “Not today.”

Who is who
  Zel (Jon): A smuggler, lately caught, who has never once been seen without a hat
"""


@pytest.fixture
def salt(shell: Shell) -> Path:
    path = shell.folder / "salt.retold"
    shell.done("run", "--new", "-q", "-c", str(path), "-", stdin=TWO.encode())
    return path


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_another_program_gets_a_line_for_each_text(shell: Shell, salt: Path) -> None:
    assert shell.done("-c", str(salt), "recap") == SAID
    assert shell.done("recap", "-c", str(salt), "s1", "--for", "Jon", "--voice", "plain") == SAID
    assert "Not today." not in shell.done("-c", str(salt), "recap", "--at", "@-3")


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_on_a_terminal_its_lines_break_at_words(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    screen = Screen()
    write_hung(SAID.splitlines(), screen)
    lines = screen.getvalue().splitlines()

    assert max(map(width, lines)) < min(columns, 81)
    assert screen.getvalue().split() == SAID.split()
    assert [line[:4] for line in lines if line.startswith(" ")][:2] == ["  Ze", "    "]


def test_what_a_terminal_would_obey_is_shown(shell: Shell) -> None:
    screen = Screen()
    write_hung(["Zel: \x1b[2J"], screen)

    assert screen.getvalue() == "Zel: ␛[2J\n"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("s9",), "There is no session 9 on this line. There are: 1."),
        (("s2..s1",), "s2..s1 runs backwards: say recap s1..s2."),
        (("stair",), "“stair” is no session: say recap s3, or recap s3..s7."),
        (("--for", "Nobody"), "There is no “Nobody” here."),
    ],
)
def test_unknown_sessions_are_refused(
    shell: Shell, salt: Path, words: tuple[str, ...], sentence: str
) -> None:
    assert shell.refused("-c", str(salt), "recap", *words) == sentence


def test_an_empty_campaign_has_nothing_to_recap(shell: Shell) -> None:
    shell.done("new", "empty")

    assert shell.refused("-c", "empty", "recap") == (
        "Nothing has been told here yet, so there is nothing to recap."
    )


# --- at the console ---------------------------------------------------------------------------------------


def opening(salt: Path, line: str, capsys: pytest.CaptureFixture[str], *, recaps: bool) -> str:
    with CampaignStore.open(salt) as campaign:
        seat = ConsoleSession(Scribe(campaign, 1), Options(), recaps=recaps)
        capsys.readouterr()
        seat.hear(line)
        seat.scribe.close()
    return capsys.readouterr().out


def test_opening_a_session_prints_how_the_last_one_ended(
    salt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = opening(salt, "session Low Water --date 2026-03-21", capsys, recaps=True)

    assert said.startswith("session 2 ")
    assert said.endswith(f"\n\n{SAID}\n")


def test_a_session_opened_without_recaps_prints_none(
    shell: Shell, salt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert SAID not in opening(salt, "session Low Water", capsys, recaps=False)
    shell.done("-c", str(salt), "end", "session")
    for words in (("session", "Fog"), ("--json", "session", "Rain"), ("play",)):
        said = shell.done("-c", str(salt), *words, stdin=b"session Wind\n" if words == ("play",) else b"")
        assert "One last cry" not in said
        shell.done("-c", str(salt), "end", "session")


@pytest.mark.parametrize(
    "lines", ["", "session One", "session One\nscene The stair\nnarrate gm --gm: The wombat."]
)
def test_a_first_evening_begins_with_nothing(lines: str, shell: Shell) -> None:
    path = shell.folder / "first.retold"
    shell.done("run", "--new", "-q", "-c", str(path), "-", stdin=lines.encode())
    screen = Screen()
    with CampaignStore.open(path, read_only=True) as campaign:
        write_recap(campaign, 1, screen, short=True)

    assert screen.getvalue() == ""


def test_a_short_recap_prints_its_first_lines(salt: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    screen = Screen()
    with CampaignStore.open(salt, read_only=True) as campaign:
        write_recap(campaign, 1, screen, short=True)

    first, _, _ = SAID.partition("\n\n")
    assert screen.getvalue() == f"\n{first}\nAll of it: recap\n\n"


@pytest.mark.parametrize(("words", "times"), [((), 1), (("--no-recap",), 0)])
def test_play_begins_with_a_recap_unless_declined(
    salt: Path,
    words: tuple[str, ...],
    times: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stdin", Screen("quit\n"))
    capsys.readouterr()

    assert main(["-c", str(salt), "play", *words]) == 0
    assert capsys.readouterr().out.count("\nSession 1, The Long Ebb (2026-03-14)\nThe last scene:") == times


def test_item_10_a_recap_in_a_sentence_is_one_line(salt: Path, shell: Shell) -> None:
    assert len(shell.done("-c", str(salt), "recap", "--length", "sentence").splitlines()) == 1
