"""A text written in the user's own editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from journal.refused import Refused

MARK = "# ---- "


def write_text(about: str) -> str:
    """What the user wrote; Refused if that was nothing, or the editor failed (the draft is kept)."""
    if not sys.stdin.isatty():
        raise Refused("This wants a text after the colon, or - to read it from standard input.")
    with tempfile.NamedTemporaryFile("w", suffix=".txt", prefix="retold-", delete=False, encoding="utf-8") as draft:
        draft.write(f"\n{MARK}{about}\n")
    path = Path(draft.name)
    try:
        subprocess.run([*_editor(), str(path)], check=True)  # noqa: S603 -- the user's own editor
    except (OSError, subprocess.CalledProcessError):
        raise Refused(f"The editor failed; nothing was recorded. Your draft is {path}.") from None
    text = path.read_text("utf-8").partition(f"\n{MARK}")[0].strip("\n")
    path.unlink()
    if not text.strip():
        raise Refused("Nothing was written, so nothing is recorded.")
    return text


def _editor() -> list[str]:
    for name in ("RETOLD_EDITOR", "VISUAL", "EDITOR"):
        if os.environ.get(name):
            return shlex.split(os.environ[name])
    for program in ("nano", "vi", "notepad"):
        if shutil.which(program):
            return [program]
    raise Refused("No editor was found: set EDITOR, or give the text after the colon.")
