"""What fills the templates of pages, books and maps: everything escaped, and nothing obeyed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from projections import safe

if TYPE_CHECKING:
    from pathlib import Path

    from jinja2 import Environment


_DAY: Final = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def environment(*folders: Path) -> Environment:
    """Fills the templates of folders; a name that nothing was given for is an error.

    `line` and `shown` are safe text on one line and on several, `paragraphs` the same in its paragraphs;
    `days` is a line in which no day (2026-03-14) is parted at a hyphen: each is a `span` of the class `day`.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 -- only these exports need it
    from markupsafe import Markup, escape  # noqa: PLC0415 -- it comes with jinja2

    def days(text: str) -> Markup:
        told = _DAY.sub(r'<span class="day">\g<0></span>', str(escape(safe.line(text))))
        return Markup(told)  # noqa: S704 -- what was typed is escaped

    filling = Environment(
        loader=FileSystemLoader(folders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filling.filters |= {"line": safe.line, "shown": safe.text, "paragraphs": safe.paragraphs, "days": days}
    return filling
