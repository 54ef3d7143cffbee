"""Tries what Retold can do in a tree that lacks a feature, and prints the results as JSON.

Run as `python without_a_feature.py LINES [all]` beside the copied packages; LINES is the file of an evening.
With `all` every module is imported first.
"""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib import import_module
from io import BytesIO, TextIOWrapper
from pathlib import Path

CORE = ("journal", "projections", "cli")
RETOLD = Path(import_module("retold").__file__ or "").parent


def modules() -> list[str]:
    """Every module that is there, but for those that run something."""
    folders = (RETOLD, *(RETOLD / name for name in CORE))
    files = (path.relative_to(RETOLD).with_suffix("") for folder in folders for path in folder.rglob("*.py"))
    names = (".".join(("retold", *file.parts)).removesuffix(".__init__") for file in files)
    return sorted(name for name in names if not name.endswith((".__main__", ".feature")))


def said(*words: str, typed: bytes = b"") -> tuple[int, str]:
    """Runs a command line; returns its exit code, and what it printed and said."""
    main = import_module("retold.__main__").main
    out = TextIOWrapper(BytesIO(), encoding="utf-8")
    sys.stdin = TextIOWrapper(BytesIO(typed), encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(out):
        code = main(words)
        out.seek(0)
        return code, out.read()


if __name__ == "__main__":
    for name in modules() if sys.argv[2:] else ():
        import_module(name)
    lines = Path(sys.argv[1]).read_bytes()
    results = {
        "new": said("new", "salt-road"),
        "play": said("play", typed=lines),
        "alone": said(),
        "help": said("help"),
        "all": said("help", "all"),
        "export": said("export", "--publish", "-o", "-"),
        "complete": said("--complete", ""),
        "draft": said("draft", "new", "first"),
        "drafted": said("export", "--draft", "first", "-o", "-"),
        "home": said("home", "--help"),
        "mcp": said("mcp", "--help"),
        "import": said("import", sys.argv[1]),
        "server": said("server", "list", "club:"),
        "on a server": said("show", "-c", "club:salt-road"),
    }
    json.dump(results, sys.stdout)
