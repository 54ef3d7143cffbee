"""Text in the width of any terminal: paragraphs, and names with what they mean beside them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

from journal.store.progress import Progress
from journal.vocabulary.events import Redone, Undone
from projections import safe
from projections.wrapping import width as columns_of
from projections.wrapping import wrap

if TYPE_CHECKING:
    from retold.outcome import Outcome
    from retold.scribe import Scribe


WIDTH = 79
NARROWEST = 20
"""The columns in which what a name means is still read, however long the name is."""


def text_width(out: TextIO) -> int:
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


PATIENCE = 0.5
"""Seconds of silence before anything is said."""


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """A function to be told how much is done; it draws where somebody looks, and only if it takes long."""
    began = time.monotonic()
    drawn = False

    def tell(done: int, total: int | None) -> None:
        nonlocal drawn
        if not sys.stderr.isatty() or time.monotonic() - began < PATIENCE:
            return
        share = f" of {total:,}" if total else ""
        sys.stderr.write(f"\r{what}: {done:,}{share}\x1b[K")
        sys.stderr.flush()
        drawn = True

    try:
        yield tell
    finally:
        if drawn:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def write_outcome(scribe: Scribe, outcome: Outcome, *, out: TextIO) -> None:
    """Prints what was said, and each event in notation; what `undo` has said is not said twice."""
    out.writelines(f"{safe.text(sentence)}\n" for sentence in outcome.said)
    but = (Undone, Redone) if outcome.said else ()
    out.writelines(f"{line}\n" for line in outcome.notation(scribe.table, but=but))
    if outcome.would:
        out.write("(Checked; nothing was recorded.)\n")


def write_json(value: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(safe.in_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")
