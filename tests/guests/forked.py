"""Processes that find Retold loaded: children of one process that has met no guest.

Each has its own folder, environment and path, and finds the guests on that path as a new process does.
"""

from __future__ import annotations

import atexit
import importlib
import io
import os
import pkgutil
import runpy
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from subprocess import CompletedProcess

import retold
from tests.survival.nursery import Nursery


def load() -> None:
    """Imports every module of Retold."""
    for found in pkgutil.walk_packages(retold.__path__, "retold."):
        if not found.name.endswith("__main__"):
            importlib.import_module(found.name)


def live(files: str, folder: str, path: Sequence[str], env: Mapping[str, str], words: Sequence[str]) -> None:
    """A child's life: Python is started with `words`, and its three streams are files."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        os.dup2(os.open(Path(files, name), os.O_RDWR), number)
        stream = io.TextIOWrapper(os.fdopen(number, "wb" if number else "rb", closefd=False), "utf-8")
        setattr(sys, name, stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(env)
    sys.path[:1] = [folder, *path]
    importlib.invalidate_caches()
    how, what, *given = words
    sys.argv = [what if how == "-m" else how, *given]
    code: object = 0
    try:
        if how == "-m":
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        else:
            exec(what, {"__name__": "__main__"})
    except SystemExit as ended:
        code = ended.code or 0
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code if isinstance(code, int) else 1)


@cache
def _nursery() -> Nursery:
    nursery = Nursery(live)
    atexit.register(nursery.__exit__)
    return nursery


def started(
    folder: Path, path: Sequence[str], env: Mapping[str, str], words: Sequence[str], stdin: str = ""
) -> CompletedProcess[str]:
    """What becomes of Python started with `words`: `-m` and a module, or `-c` and a program."""
    with tempfile.TemporaryDirectory() as files:
        streams = {name: Path(files, name) for name in ("stdin", "stdout", "stderr")}
        for name, file in streams.items():
            file.write_text(stdin if name == "stdin" else "", "utf-8")
        life = _nursery().child(files, folder, path, env, words)
        out, err = (streams[name].read_text("utf-8") for name in ("stdout", "stderr"))
    return CompletedProcess(words, life.code, out, err)


if __name__ != "__main__" and sys.argv[0].endswith("nursery.py"):
    load()
