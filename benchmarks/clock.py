"""A person's clock: how long whoever keeps a campaign waits for each thing they type, as the campaign grows.

The campaigns differ only in how much lies behind: an evening of each of five games, many of one, branches.
In each a fight of eight is under way. There is no peer: the limits are those of whoever waits.
"""

from __future__ import annotations

import io
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import pexpect
from prompt_toolkit.completion import CompleteEvent, Completer
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from benchmarks.campaigns import lived
from retold.cli.campaigns.asking import scribe_for
from retold.cli.campaigns.opening import opened
from retold.cli.console.loop import Console
from retold.cli.console.session import ConsoleSession, LineResult
from retold.cli.invocation import Options

SIZES: Final = tuple(
    int(size) for size in os.environ.get("RETOLD_BENCH_CLOCK", "1000,30000,300000").split(",")
)
"""Events of the campaigns."""
LEAST: Final = 1000
"""Fewer have no evening with the word that is searched for."""
ROUNDS: Final = 7
LONG, FEWER = 2.0, 3
"""What takes so many seconds is asked so many times."""
SHELL_MS, CONSOLE_MS = 400, 100
ROOT: Final = Path(__file__).parent.parent
HOMES: Final = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")

AT_THE_SHELL: Final[Mapping[str, tuple[str, ...]]] = {
    "note": ("note", ": It rains."),
    "undo": ("undo",),
    "show": ("show",),
    "can": ("can",),
    "log -n 20": ("log", "-n", "20"),
    "search": ("search", "ledger"),
    "branches": ("branches",),
    "diff": ("diff", "mainline", "b100"),
    "recap": ("recap",),
    "stats": ("stats",),
    "show untold": ("show", "untold"),
    "show sessions": ("show", "sessions"),
    "who Ada": ("who", "Ada"),
    "export of the last session": ("export",),
}

AT_THE_CONSOLE: Final[Mapping[str, str]] = {
    "an act": "attack Ada Hob cool with melee = +0-0: I go in low.",
    "note": "note: It rains.",
    "undo": "undo",
    "can": "can",
    "show": "show",
    "log": "log -n 20",
    "search": "search ledger",
    "branches": "branches",
    "recap": "recap",
    "export of the last session": "export",
}


BACK: Final = {"an act": "undo", "note": "undo", "undo": "redo"}
"""What puts the table back as it was, so that each round finds the same."""


@dataclass
class Clock:
    """How long each thing took, in milliseconds, by what was typed and the size of the campaign."""

    took: dict[tuple[str, str], dict[int, float]] = field(default_factory=dict)

    def time(
        self, where: str, what: str, size: int, do: Callable[[], object], back: Callable[[], object] = bool
    ) -> None:
        """Takes the median of some rounds, after one that is not counted; `back` is not timed."""
        seconds: list[float] = []
        while len(seconds) <= (FEWER if seconds and seconds[0] > LONG else ROUNDS):
            start = time.perf_counter()
            do()
            seconds.append(time.perf_counter() - start)
            back()
        self.took.setdefault((where, what), {})[size] = statistics.median(seconds[1:]) * 1000

    def table(self) -> Iterator[str]:
        """The rows of a table of Markdown."""
        yield "| where | typed | " + " | ".join(f"{size:,} events" for size in SIZES) + " | limit | met |"
        yield "|---|---|" + "---|" * (len(SIZES) + 2)
        for (where, what), by_size in self.took.items():
            limit = SHELL_MS if where == "shell" else CONSOLE_MS
            met = "yes" if by_size[max(SIZES)] <= limit else "no"
            times = " | ".join(f"{by_size[size]:,.0f} ms" for size in SIZES)
            yield f"| {where} | `{what}` | {times} | {limit} ms | {met} |"


def run() -> Clock:
    """Measures it; exits with a sentence if a campaign would be too small."""
    if min(SIZES) < LEAST:
        sys.exit(f"RETOLD_BENCH_CLOCK: {min(SIZES)} events are too few; {LEAST} are the least.")
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder, _home(Path(folder)):
        for size in SIZES:
            path = Path(folder) / f"{size}.retold"
            lived(path, size).close()
            _at_the_shell(clock, path, size)
            _at_the_console(clock, path, size)
    return clock


@contextmanager
def _home(folder: Path) -> Iterator[None]:
    """A home with nothing in it, where modules are compiled once."""
    kept = dict(os.environ)
    os.environ.update({name: str(folder) for name in HOMES}, PYTHONPYCACHEPREFIX=str(folder / "compiled"))
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(kept)


def _at_the_shell(clock: Clock, path: Path, size: int) -> None:
    retold = (sys.executable, "-m", "retold", "-c", str(path))
    for what, words in AT_THE_SHELL.items():
        back = BACK.get(what)
        undone = bool if back is None else partial(_done, *retold, back)
        clock.time("shell", what, size, partial(_done, *retold, *words), undone)
    clock.time("shell", "a Tab completion", size, lambda: _done(*retold[:3], "--complete", *retold[3:], "na"))
    there: list[pexpect.spawn[str]] = []
    leave = partial(_left, there)  # which takes a while: pexpect waits between one signal and the next
    clock.time("shell", "play, to the first prompt", size, lambda: there.append(_prompted(retold)), leave)


def _done(*program: str) -> None:
    subprocess.run(program, cwd=ROOT, capture_output=True, check=True)


def _prompted(retold: tuple[str, ...]) -> pexpect.spawn[str]:
    """A console whose prompt is there."""
    child = pexpect.spawn(
        retold[0], [*retold[1:], "play"], cwd=str(ROOT), env={**os.environ, "TERM": "xterm"}
    )
    child.expect("Ada vs Hob>")
    return child


def _left(there: list[pexpect.spawn[str]]) -> None:
    there.pop().close(force=True)


def _at_the_console(clock: Clock, path: Path, size: int) -> None:
    options = Options(campaign=str(path))
    with opened(options, read_only=False) as (found, settings), create_pipe_input() as keys:
        seat = ConsoleSession(scribe_for(options, found, settings), options)
        console = Console.at(seat, source=keys, screen=DummyOutput())
        for what, line in AT_THE_CONSOLE.items():
            back = BACK.get(what)
            undone = bool if back is None else partial(_said, console, back)
            clock.time("console", what, size, partial(_said, console, line), undone)
        completer = console.prompt_session.completer
        assert completer is not None
        asked = CompleteEvent(completion_requested=True)
        for typed in ("attack A", "export --moment "):
            document = Document(typed)
            clock.time("console", f"{typed}⇥", size, partial(_offered, completer, document, asked))
        seat.scribe.close()


def _offered(completer: Completer, document: Document, asked: CompleteEvent) -> None:
    """What Tab offers."""
    list(completer.get_completions(document, asked))


def _said(console: Console, line: str) -> None:
    """What happens between Enter and the next prompt."""
    with redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        heard = console._carry_out(line)  # noqa: SLF001 -- as the console does
    assert heard is LineResult.DONE, line


if __name__ == "__main__":
    for row in run().table():
        print(row)
