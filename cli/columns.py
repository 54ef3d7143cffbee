"""Text in the width of any terminal: paragraphs, and names with what they mean beside them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

WIDTH = 79


def wrapped(text: str, indent: int = 0) -> list[str]:
    """`text` in lines of at most 79 columns, those after the first indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)


def columns(rows: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Each name in a column of `width`, and beside it what it means, in as many lines as that takes."""
    for name, about in rows:
        head = f"  {name:<{width - 1}} "
        yield from textwrap.wrap(
            f"{head}{about}", WIDTH, subsequent_indent=" " * len(head), break_on_hyphens=False
        ) or [head.rstrip()]
