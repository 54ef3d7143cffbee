"""The console as somebody meets it: through a pipe, and through a terminal."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pytest

from retold.cli.campaigns.inbox import Inbox, Proposal, now
from retold.cli.campaigns.settings import Settings
from retold.journal.store.writing.campaign import CampaignStore
from tests.patience import PATIENCE

if sys.platform != "win32":
    import pexpect
    import pyte

ROOT = Path(__file__).parents[3]
RUN = "from retold.__main__ import main; import sys; code = main(); "


def retold(path: Path, *words: str, stdin: str = "", code: str = "pass") -> subprocess.CompletedProcess[str]:
    program = ["-c", f"{RUN}{code}; sys.exit(code)"]
    return subprocess.run(
        [sys.executable, *program, "-c", str(path), *words],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=ROOT,
        timeout=PATIENCE,
    )


def test_lines_from_a_pipe_are_carried_out_without_loading_a_terminal(path: Path) -> None:
    script = "note: One.\n# nothing\n\nnote:\n    Two\n    lines.\nshow pending\nquit\nnote: Never.\n"
    done = retold(path, "play", stdin=script, code="assert 'prompt_toolkit' not in sys.modules")

    assert (done.returncode, done.stderr) == (0, "")
    assert "note: “Two / lines.”" in done.stdout
    assert "Never" not in done.stdout


def test_a_refused_line_from_a_pipe_is_the_last(path: Path) -> None:
    done = retold(path, "play", stdin="note: One.\n\nnote Nobody: Two.\nnote: Three.\n")

    assert done.returncode == 1
    assert done.stderr.startswith("line 3: There is no “Nobody” here.")
    assert "Three" not in done.stdout


def test_bytes_that_are_not_utf_8_are_refused_with_their_line(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "retold", "-c", str(path), "play"],
        input=b"note: One.\nnote: \xff\n",
        capture_output=True,
        check=False,
        cwd=ROOT,
        timeout=PATIENCE,
    )

    assert done.returncode == 1
    assert done.stderr.startswith(b"line 2: Byte 0xFF in column 7 is not UTF-8")


@pytest.mark.skipif(sys.platform == "win32", reason="a pty is wanted")
def test_an_evening_at_a_terminal(path: Path) -> None:
    with _Terminal(path) as terminal:
        terminal.until("Out of the citadel>")
        terminal.types("declare Zélie: I run.\r")
        terminal.until("Zélie Brandt declares: “I run.”")
        terminal.types("note Ana\r")
        terminal.until("> note Ana", times=2)  # as it was said, and offered again
        terminal.types("\x03")
        terminal.types("half a li")
        terminal.until("half a li")
        assert retold(path, "note", "Ana:", "The lamp goes out.").returncode == 0
        terminal.until("elsewhere: note on Ana: “The lamp goes out.”")
        terminal.until("> half a li")
        terminal.types("\x03")
        terminal.types("\x04")
        terminal.until("Everything is recorded in salt.retold")

    assert terminal.code == 0


class _Terminal:
    """A console in a pseudo-terminal, and the screen it draws."""

    def __init__(self, path: Path) -> None:
        self.screen = pyte.Screen(100, 40)
        self._stream = pyte.Stream(self.screen)
        self._child = pexpect.spawn(
            sys.executable,
            ["-m", "retold", "-c", str(path), "play"],
            dimensions=(40, 100),
            encoding="utf-8",
            env={**os.environ, "TERM": "xterm"},
            cwd=str(ROOT),
        )
        self.code: int | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, trouble: object, *_: object) -> None:
        if trouble is None:
            self._wait(lambda: not self._child.isalive(), "the end")
        self._child.close(force=True)
        self.code = self._child.exitstatus

    def types(self, keys: str) -> None:
        self._child.send(keys)

    def until(self, text: str, times: int = 1) -> None:
        self._wait(lambda: "\n".join(self.screen.display).count(text) >= times, text)

    def _wait(self, met: Callable[[], bool], what: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while not met():
            shown = "\n".join(line.rstrip() for line in self.screen.display if line.strip())
            assert time.monotonic() < deadline, f"{what} was not seen:\n{shown}"
            self._read()

    def _read(self) -> None:
        try:
            data = self._child.read_nonblocking(65536, timeout=0.1)
        except pexpect.TIMEOUT:
            return
        except pexpect.EOF:
            time.sleep(0.05)
            return
        self._stream.feed(data)
        for _ in range(data.count("\x1b[6n")):  # where is the cursor?
            self._child.send(f"\x1b[{self.screen.cursor.y + 1};{self.screen.cursor.x + 1}R")


@pytest.mark.skipif(sys.platform == "win32", reason="a pty is wanted")
def test_a_terminal_that_can_only_print_is_asked_plainly(path: Path) -> None:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "retold", "-c", str(path), "play"],
        encoding="utf-8",
        timeout=PATIENCE,
        env={**os.environ, "TERM": "dumb"},
        cwd=str(ROOT),
    )
    child.expect("> ")
    child.sendline("note:")
    child.expect("… ")
    child.sendline("One.")
    child.expect("… ")
    child.sendline("")
    child.expect("note: “One.”")
    child.sendline("quit")
    child.expect(pexpect.EOF)
    child.close()

    assert child.exitstatus == 0
    assert "\x1b" not in str(child.before)


@pytest.mark.skipif(sys.platform == "win32", reason="a pty is wanted")
def test_proposals_are_shown_taken_and_refused_while_text_is_typed(path: Path) -> None:
    with CampaignStore.open(path, read_only=True) as campaign:
        inbox = Inbox.of(Settings.of_user().state, campaign.id)
    with _Terminal(path) as terminal:
        terminal.until("Out of the citadel>")
        terminal.types("half a li")
        inbox.hand_in(Proposal("jon-number-1", "Jon", 'say "Zélie Brandt": Tea?', now()))
        terminal.until('Jon hands in: say "Zélie Brandt": Tea?  (F4 take, F5 refuse)')
        terminal.types("\x1bOS")
        terminal.until("Zélie Brandt says: “Tea?”")
        terminal.until("> half a li")
        inbox.hand_in(Proposal("jon-number-2", "Jon", 'say "Zélie Brandt": Cake\x1b[2J?', now()))
        terminal.until('Jon hands in: say "Zélie Brandt": Cake␛[2J?  (F4 take, F5 refuse)')
        terminal.types("\x1b[15~")
        terminal.until("Why not?>")
        terminal.types("Later.\r")
        terminal.until("Refused; Jon is told: “Later.”")
        terminal.until("> half a li")
        terminal.types("\x03\x04")
        terminal.until("Everything is recorded in salt.retold")

    assert [(one.state, one.why) for one in inbox.everything()] == [("taken", ""), ("refused", "Later.")]
