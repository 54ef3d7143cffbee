"""Makes the README's picture from a real run: `python docs/pictures.py` writes docs/at-work.svg."""

from __future__ import annotations

import io
import os
import re
import shlex
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from retold.cli.dispatch import dispatch

HERE = Path(__file__).parent
PICTURE = HERE / "at-work.svg"
WIDTH = 96

BEFORE = """
campaign The Long Ebb
cast gm by=Mirela
cast Vesna bruise by=Jo clubs=3 spades=4 lockpicking=2: A locksmith with a debt
session Slack Water --date 2026-03-14
scene The customs house, an hour before dawn
conflict "Into the strongroom" bruise Vesna vs Warder: the ledger with her name in it
"""
"""What was recorded before the picture begins."""

SHOWN = (
    "declare Vesna: I keep the rake steady and let the tide cover the noise.",
    "draw Vesna spades+lockpicking = 9S 4D QH 2C QD JS",
    "quality Warder 9",
    "colour Vesna hearts",
    "narrate Vesna: Four clicks, and the door thinks it was always open.",
    "show",
)
"""What is typed in the picture."""

THEME = TerminalTheme(
    (250, 248, 243),
    (40, 36, 30),
    [
        *((40, 36, 30), (150, 40, 40), (60, 110, 60), (150, 110, 30)),
        *((50, 80, 140), (120, 60, 120), (50, 110, 120), (90, 85, 75)),
    ],
)


def picture() -> str:
    """The picture as SVG: the same for the same code, and without a request to anywhere."""
    nowhere = io.StringIO()
    console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True, color_system="truecolor")
    for line, answer in _run():
        console.print(Text.assemble(("> ", "bold magenta"), (line, "bold")))
        for one in answer.splitlines():
            console.print(Text(f"  {one}", style="blue"))
    svg = console.export_svg(title="retold play", theme=THEME, unique_id="retold")
    return re.sub(r"@font-face\s*\{[^}]*\}\s*", "", svg)


def _run() -> list[tuple[str, str]]:
    """Each line shown, and what Retold answered."""
    home = os.environ.get("RETOLD_HOME")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RETOLD_HOME"] = folder
        campaign = str(Path(folder) / "picture.retold")
        script = Path(folder) / "before.session"
        script.write_text(BEFORE, "utf-8")
        try:
            _answer(["run", "--new", "-q", "-c", campaign, str(script)])
            return [(line, _answer(["-c", campaign, *_words(line)])) for line in SHOWN]
        finally:
            if home is None:
                del os.environ["RETOLD_HOME"]
            else:
                os.environ["RETOLD_HOME"] = home


def _words(line: str) -> list[str]:
    head, colon, text = line.partition(": ")
    return [*shlex.split(head + (":" if colon else "")), *([text] if text else [])]


def _answer(words: list[str]) -> str:
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        dispatch(words)
    return out.getvalue()


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
