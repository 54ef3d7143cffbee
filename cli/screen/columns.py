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


def room(out: TextIO) -> int:
    """The columns that text may take on `out`: 79, or as many as a terminal has that is narrower."""
    return min(WIDTH, get_terminal_size().columns - 1) if out.isatty() else WIDTH


def wrapped(text: str, indent: int = 0, most: int = WIDTH) -> list[str]:
    """`text` in lines of at most 79 columns (`most`), those after the first indented; no line for no text."""
    words = " ".join(text.split())
    return wrap(words, most, hanging=" " * indent).split("\n") if words else []


def fitted(lines: Iterable[str], out: TextIO, hanging: str | None = None) -> Iterator[str]:
    """The lines, broken at words where `out` is a terminal that is too narrow for them; else as they are.

    What goes on stands a little to the right of where its line began, or below `hanging`.
    """
    if not out.isatty():
        yield from lines
        return
    columns_wide = get_terminal_size().columns
    for line in lines:
        if columns_of(line) < columns_wide:
            yield line
            continue
        yield from hung(line, columns_wide - 1, hanging)


def hung(line: str, most: int, hanging: str | None = None) -> list[str]:
    """A line broken at words where it is wider than `most`; what goes on stands as in `fitted`."""
    margin = line[: len(line) - len(line.lstrip(" "))]
    further = f"{margin}  " if hanging is None else hanging
    return wrap(line.lstrip(" "), most, margin, further).split("\n")


def columns(rows: Iterable[tuple[str, str]], width: int, most: int = WIDTH) -> Iterator[str]:
    """Each name in a column of `width`, and beside it what it means, in as many lines as that takes.

    Where fewer than `NARROWEST` columns of `most` are left for that, it stands below its name.
    """
    for name, about in rows:
        head = f"  {name}{' ' * (width - 1 - columns_of(name))} "
        room = max(NARROWEST, most - columns_of(head))
        if most < WIDTH and columns_of(head) + NARROWEST > most:
            yield from wrap(f"  {name}", most, hanging="    ").split("\n")
            yield from wrap(" ".join(about.split()), most, "      ").split("\n")
            continue
        first, *others = wrap(" ".join(about.split()), room).split("\n")
        yield f"{head}{first}".rstrip()
        yield from (f"{' ' * columns_of(head)}{line}" for line in others)
