"""The command line as a person at a shell meets it: words in, an exit code and two outputs out."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import pytest

from retold.__main__ import main
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]


class Said(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


@dataclass
class Shell:
    """A folder with a person in it, who has settings of their own."""

    folder: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]

    def say(self, *words: str, stdin: bytes = b"") -> Said:
        """Runs one command in this process; `retold` is not among the words."""
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"))
        self.capsys.readouterr()
        code = main(words)
        out, err = self.capsys.readouterr()
        return Said(code, out, err)

    def done(self, *words: str, stdin: bytes = b"") -> str:
        """Runs a command that has to succeed; returns what it wrote to standard output."""
        said = self.say(*words, stdin=stdin)

        assert said.code == 0, said.err
        return said.out

    def refused(self, *words: str, stdin: bytes = b"") -> str:
        """Runs a command that has to fail with one line on standard error alone; returns the line."""
        said = self.say(*words, stdin=stdin)

        assert (said.code, said.out) == (1, "")
        assert said.err.endswith(".\n") or said.err.endswith("?\n")
        assert said.err.count("\n") == 1
        return said.err.removesuffix("\n")

    def misused(self, *words: str) -> str:
        """Runs a command line that is not right itself; returns the one line that says so."""
        said = self.say(*words)

        assert (said.code, said.out) == (2, "")
        assert said.err.count("\n") == 1
        return said.err.removesuffix("\n")

    def play(self, script: str, campaign: str = "evening.retold") -> None:
        """Plays lines into the campaign; all of them have to be accepted."""
        self.done("run", "-c", campaign, "-q", "-", stdin=script.encode())

    def bytes(self, name: str = "evening.retold") -> bytes:
        """Everything recorded in a campaign, as its dump has it."""
        return self.done("-c", name, "dump").encode()


def environment(folder: Path, **more: str) -> dict[str, str]:
    """What a process of its own finds in its environment."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RETOLD_")}
    return {**kept, "RETOLD_HOME": str(folder / "home"), "PYTHONPATH": str(ROOT), **more}


def start(folder: Path, *words: str, **more: str) -> subprocess.Popen[bytes]:
    """The command line as a process of its own, with pipes for its three streams."""
    return subprocess.Popen(
        [sys.executable, "-m", "retold", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment(folder, **more),
    )


def run(
    folder: Path, *words: str | bytes, stdin: bytes = b"", more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Runs the command line as a process of its own to its end, with `more` in its environment."""
    return subprocess.run(
        [sys.executable, "-m", "retold", *words],
        input=stdin,
        capture_output=True,
        cwd=folder,
        env=environment(folder, **(more or {})),
        check=False,
        timeout=PATIENCE,
    )
