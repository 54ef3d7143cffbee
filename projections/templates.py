"""What fills the templates of pages, books and maps: everything escaped, and nothing obeyed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections import safe

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment


def environment(folder: Path) -> Environment:
    """Fills the templates of a folder; a name that nothing was given for is an error.

    `line` and `shown` are safe text on one line and on several, `paragraphs` the same in its paragraphs.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 -- only these exports need it

    filling = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filling.filters |= {"line": safe.line, "shown": safe.text, "paragraphs": safe.paragraphs}
    return filling
