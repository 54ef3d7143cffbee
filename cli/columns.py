"""Text in the width of any terminal: paragraphs, and names with what they mean beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from shutil import get_terminal_size
from typing import TextIO

from projections.wrapping import width as columns_of
from projections.wrapping import wrap

WIDTH = 79
NARROWEST = 20
"""The columns in which what a name means is still read, however long the name is."""


def wrapped(text: str, indent: int = 0) -> list[str]:
    """`text` in lines of at most 79 columns, those after the first indented; no line for no text."""
    words = " ".join(text.split())
    return wrap(words, WIDTH, hanging=" " * indent).split("\n") if words else []


def fitted(lines: Iterable[str], out: TextIO) -> Iterator[str]:
    """The lines, broken at words where `out` is a terminal that is too narrow for them; else as they are.

    What goes on stands a little to the right of where its line began.
    """
    if not out.isatty():
        yield from lines
        return
    room = get_terminal_size().columns
    for line in lines:
        if columns_of(line) < room:
            yield line
            continue
        margin = line[: len(line) - len(line.lstrip(" "))]
        yield from wrap(line.lstrip(" "), room - 1, margin, f"{margin}  ").split("\n")


def columns(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Each name in a column of `width`, and beside it what it means, in as many lines as that takes."""
    for name, about in rows:
        head = f"  {name}{' ' * (width - 1 - columns_of(name))} "
        room = max(NARROWEST, WIDTH - columns_of(head))
        first, *others = wrap(" ".join(about.split()), room).split("\n")
        yield f"{head}{first}".rstrip()
        yield from (f"{' ' * columns_of(head)}{line}" for line in others)
