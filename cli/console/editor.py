"""A text written in the user's own editor."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from journal.refused import Refused

MARK = "# ---- "


class Draft(NamedTuple):
    """A text that was written, and the file that keeps it until it is in the record."""

    text: str
    path: Path

    def discard(self) -> None:
        """Takes the file away: the text is recorded, or nobody wants it."""
        self.path.unlink(missing_ok=True)


def write_text(about: str) -> Draft:
    """What the user wrote; Refused if that was nothing, or the editor failed (the draft is kept)."""
    if not sys.stdin.isatty():
        raise Refused("This wants a text after the colon, or - to read it from standard input.")
    editor = _editor()
    path = _begun(f"\n{MARK}{about}\n")
    try:
        subprocess.run([*editor, str(path)], check=True)  # noqa: S603 -- the user's own editor
        written = path.read_text("utf-8")
    except (OSError, subprocess.CalledProcessError):
        raise Refused(
            f"The editor ({shlex.join(editor)}) failed; nothing was recorded. Your draft is {path}."
        ) from None
    except UnicodeDecodeError:
        raise Refused(f"What was written is not UTF-8; nothing was recorded. Your draft is {path}.") from None
    draft = Draft(written.partition(f"\n{MARK}")[0].strip("\n"), path)
    if not draft.text.strip():
        draft.discard()
        raise Refused("Nothing was written, so nothing is recorded.")
    return draft


def _begun(content: str) -> Path:
    """A new file with this in it, for its owner alone."""
    with tempfile.NamedTemporaryFile(
        "w", suffix=".txt", prefix="retold-", delete=False, encoding="utf-8"
    ) as file:
        file.write(content)
    return Path(file.name)


def _editor() -> list[str]:
    for name in ("RETOLD_EDITOR", "VISUAL", "EDITOR"):
        if typed := os.environ.get(name, "").strip():
            try:
                return shlex.split(typed)
            except ValueError:
                raise Refused(f"{name} is not written as a command: {typed}.") from None
    for program in ("nano", "vi", "notepad"):
        if shutil.which(program):
            return [program]
    raise Refused("No editor was found: set EDITOR, or give the text after the colon.")
