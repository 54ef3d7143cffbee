"""The command line as it is met by whoever attacks a campaign: words in, an exit code and two outputs out."""

from __future__ import annotations

import io
import os
from contextlib import ExitStack, chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from retold.__main__ import main

BROKEN = "should not have"
"""Stands in the sentence of an error that nobody foresaw."""


class Said(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: bytes
    err: str

    @property
    def is_foreseen(self) -> bool:
        """Whether it ended as a command ends: done, or with a sentence and a code that says so."""
        unforeseen = BROKEN in self.err or "Traceback" in self.err
        return not unforeseen and (self.code == 0 or bool(self.err.strip()))


def say(folder: Path, *words: str, stdin: bytes = b"") -> Said:
    """Runs one command in a folder, in this process; `retold` is not among the words."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
    typed = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RETOLD_")}
    with ExitStack() as here:
        here.enter_context(chdir(folder))
        here.enter_context(patch.dict(os.environ, {**kept, "RETOLD_HOME": str(folder / "home")}, clear=True))
        here.enter_context(patch("sys.stdin", typed))
        here.enter_context(redirect_stdout(out))
        here.enter_context(redirect_stderr(err))
        code = main(words)
    for one in (out, err):
        one.flush()
    return Said(code, out.buffer.getvalue(), err.buffer.getvalue().decode())
