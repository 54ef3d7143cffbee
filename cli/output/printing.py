"""Prints text at the terminal's width: paragraphs, two-column lists, progress, recorded events, JSON."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from retold.journal.counting import counted
from retold.journal.store.contract.event_store import is_draft
from retold.projections.texts import safe
from retold.projections.texts.wrapping import width as columns_of
from retold.projections.texts.wrapping import wrap

if TYPE_CHECKING:
    from retold.journal.store.contract.progress import Progress
    from retold.outcome import Outcome
    from retold.scribe import Scribe


WIDTH = 79
NARROWEST = 20
"""The columns in which what a name means is still read, however long the name is."""


def text_width(out: TextIO) -> int:
    """Returns the columns for text on `out`: 79, or one less than the width of a narrower terminal."""
    return min(WIDTH, _terminal_columns() - 1) if out.isatty() else WIDTH


def _terminal_columns() -> int:
    from shutil import get_terminal_size

    return get_terminal_size().columns


def wrapped(text: str, indent: int = 0, most: int = WIDTH) -> list[str]:
    """Returns `text` broken into text lines of at most `most` columns, indented after the first.

    Empty text gives an empty list.
    """
    words = " ".join(text.split())
    return wrap(words, most, hanging=" " * indent).split("\n") if words else []


def fitted(lines: Iterable[str], out: TextIO, hanging: str | None = None) -> Iterator[str]:
    """Yields text lines, each wrapped between words if `out` is a terminal narrower than it.

    Continuations start with `hanging`, or two columns right of their text line's own indent.
    """
    if not out.isatty():
        yield from lines
        return
    columns_wide = _terminal_columns()
    for line in lines:
        if columns_of(line) < columns_wide:
            yield line
            continue
        yield from hung(line, columns_wide - 1, hanging)


def write_fitted(lines: Iterable[str], out: TextIO, hanging: str | None = None) -> None:
    """Prints text lines made safe for a terminal, each wrapped as by `fitted`."""
    out.writelines(f"{line}\n" for line in fitted(map(safe.line, lines), out, hanging))


def hung(line: str, most: int, hanging: str | None = None) -> list[str]:
    """Returns one text line wrapped between words to `most` columns.

    Continuations stand two columns right of the line's own indent.
    """
    margin = line[: len(line) - len(line.lstrip(" "))]
    further = f"{margin}  " if hanging is None else hanging
    return wrap(line.lstrip(" "), most, margin, further).split("\n")


def columns(rows: Iterable[tuple[str, str]], width: int, most: int = WIDTH) -> Iterator[str]:
    """Yields the text lines of a two-column list: a name, and its meaning wrapped beside it.

    `rows` are pairs of both; `width` is the first column's. If fewer than `NARROWEST` columns of `most`
    remain beside the name, the meaning comes below it.
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
    """Context manager: yields a function that shows progress, as `what: 120 of 500`, on standard error.

    The function takes the number done and the total. It draws at a terminal only, and only after half a
    second.
    """
    began = time.monotonic()
    drawn = ""

    def tell(done: int, total: int | None) -> None:
        nonlocal drawn
        if not sys.stderr.isatty() or time.monotonic() - began < PATIENCE:
            return
        share = f" of {total:,}" if total else ""
        before, drawn = drawn, f"{what}: {done:,}{share}"
        sys.stderr.write(f"\r{drawn.ljust(len(before))}")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        if drawn:
            erase(drawn)


def erase(drawn: str) -> None:
    """Blanks out what was just drawn on standard error; old consoles of Windows obey no sequences."""
    sys.stderr.write(f"\r{' ' * columns_of(drawn)}\r")
    sys.stderr.flush()


def count_streams(numbers: Collection[int]) -> str:
    """Returns how many lines and drafts have these numbers: `1 line`, `2 lines and 1 draft`."""
    drafts = sum(map(is_draft, numbers))
    lines = len(numbers) - drafts
    streams = counted(lines, "line")
    return f"{streams} and {counted(drafts, 'draft')}" if drafts else streams


def write_outcome(scribe: Scribe, outcome: Outcome, *, out: TextIO) -> None:
    """Prints what recording a line led to: its sentences, then its events in notation.

    If there are sentences, undo and redo events are left out.
    """
    from retold.journal.vocabulary.events import Redone, Undone  # imports msgspec, which `log` does not need

    out.writelines(f"{safe.text(sentence)}\n" for sentence in outcome.said)
    but = (Undone, Redone) if outcome.said else ()
    out.writelines(f"{line}\n" for line in outcome.notation(scribe.table, but=but))
    if outcome.would:
        out.write("(Checked; nothing was recorded.)\n")


def write_json(value: object) -> None:
    """Prints JSON data on standard output, indented."""
    sys.stdout.write(safe.in_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")
