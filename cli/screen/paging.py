"""Long texts, a screen at a time where somebody sits at a terminal, and whole where nobody does."""

from __future__ import annotations

import os
import shutil
import sys


def show(text: str) -> None:
    """Writes a text; at a terminal that it is too long for, in a pager (the one that PAGER names)."""
    if not sys.stdout.isatty() or text.count("\n") < shutil.get_terminal_size().lines:
        sys.stdout.write(text)
        return
    import pydoc

    # Only colours are passed through raw; what fits one screen ends by itself, and stays there to be read.
    os.environ.setdefault("LESS", "-RFX")
    pydoc.pager(text)


def show_paper(markdown: str) -> None:
    """Writes a paper: as it is, or laid out where somebody reads it at a terminal."""
    if not sys.stdout.isatty():
        sys.stdout.write(markdown)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console(width=min(shutil.get_terminal_size().columns, MOST_COLUMNS))
    with console.capture() as laid_out:
        console.print(Markdown(markdown))
    show(laid_out.get())


MOST_COLUMNS = 100
"""A longer line is hard to read."""
