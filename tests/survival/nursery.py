"""A process that has everything loaded and makes a child for each round, which may die as it likes.

python -m tests.survival.nursery MODULE FUNCTION, as `Nursery` starts it
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, NoReturn, Self

from tests.survival.attacks import NotRun

ROOT = Path(__file__).resolve().parents[2]
CHILD, GONE = "\0child ", "\0gone "


class Life(NamedTuple):
    """What a child said, by lines, on either output; and how it ended: its exit code, or minus a signal."""

    said: tuple[str, ...]
    code: int


class Nursery:
    """Children that carry out one function, one after another; use as a context manager."""

    def __init__(self, born: Callable[..., object], *before: str) -> None:
        """`before` is a command that the whole nursery is started by, should it need other surroundings."""
        if sys.platform == "win32":
            raise NotRun("processes are killed and forked as on a POSIX system")
        command = [*before, sys.executable, "-m", "tests.survival.nursery", born.__module__, born.__name__]
        kept = {name: value for name, value in os.environ.items() if not name.startswith("RETOLD_")}
        self._process = subprocess.Popen(command, stdin=-1, stdout=-1, cwd=ROOT, text=True, env=kept)
        self.pid = 0
        self.code = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *reason: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.stdout.read()
        self._process.stdout.close()
        self._process.wait()

    def begin(self, *given: object) -> Iterator[str]:
        """What a new child says, as it says it; `pid` is its number, and `code` how it ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(given, default=str) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith(CHILD):
                self.pid = int(line.removeprefix(CHILD))
            elif line.startswith(GONE):
                self.code = int(line.removeprefix(GONE))
                return
            elif line != "\n":
                yield line.removesuffix("\n")

    def child(self, *given: object) -> Life:
        """A whole life."""
        said = tuple(self.begin(*given))
        return Life(said, self.code)

    def kill(self) -> None:
        """Ends the child that lives now, without a word to it."""
        os.kill(self.pid, signal.SIGKILL)


def say(words: object) -> None:
    """Says a line of a child's, at once."""
    os.write(1, f"{words}\n".encode())


def main(module: str, name: str) -> None:
    """Makes a child for each line that is read, and says when it is gone."""
    born = getattr(import_module(module), name)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _live(born, json.loads(line))
        say(f"{CHILD}{child}")
        _, status = os.waitpid(child, 0)
        say(f"\n{GONE}{os.waitstatus_to_exitcode(status)}")


def _live(born: Callable[..., object], given: list[object]) -> NoReturn:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(1, 2)
    for name in ("stdout", "stderr"):  # what was opened for another file knows only of that one
        setattr(sys, name, open(1, "w", encoding="utf-8", closefd=False))  # noqa: SIM115 -- open to the end
    try:
        born(*given)
    except BaseException:  # noqa: BLE001 -- whatever it is, it is said, and ends the child
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
