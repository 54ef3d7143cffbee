"""Jinja environment for templates of pages, books and maps, with filters that escape typed text."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from retold.projections.texts import safe
from retold.projections.texts.emphasis import SIGNS

if TYPE_CHECKING:
    from jinja2 import Environment, Template
    from markupsafe import Markup


_DAY: Final = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")

_RIGHT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
"""Right-to-left letters."""
_NO_NAME: Final = f"\u201c\u201d<>{''.join(SIGNS)}"
_APART: Final = re.compile(
    f"(?<=\u201c)[^{_NO_NAME}]*[{_RIGHT}][^{_NO_NAME}]*(?=\u201d)"
    f"|[{_RIGHT}](?:[ '\u2019\u200c\u200d-]*[{_RIGHT}])*(?:-\\d+)?"
)
"""Right-to-left names and quotations."""
_TAG: Final = re.compile(r"(<[^>]*>)")


def environment(*folders: Path) -> Environment:
    """Returns a Jinja environment for templates in `folders` and for `base.html.j2`, the frame of a page.

    An undefined variable is an error.

    Filters: `line` and `shown` escape text to one line or several, `paragraphs` splits it into paragraphs.
    `isolated` wraps each right-to-left name in a `bdi`, so that the sentence around it keeps its order.
    `days` wraps each date (2026-03-14) in a `span` of the class `day`, so that it does not break at a
    hyphen.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 -- only these exports need it

    filling = Environment(
        loader=FileSystemLoader((*folders, Path(__file__).parent)),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filling.filters |= {"line": safe.line, "shown": safe.text, "paragraphs": safe.paragraphs}
    filling.filters |= {"days": days, "isolated": isolated}
    return filling


def filled(template: Template, **values: object) -> bytes:
    """Returns a template filled with `values`, in UTF-8, with one line end at its end."""
    return (template.render(**values).rstrip("\n") + "\n").encode()


def sha256(text: str) -> str:
    """Returns a text's SHA-256 digest in base64, for a page's content security policy."""
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def days(text: str) -> Markup:
    """Returns typed text on one line, escaped, with each date in a `span` that keeps it from breaking."""
    from markupsafe import Markup, escape  # noqa: PLC0415 -- it comes with jinja2

    told = _DAY.sub(r'<span class="day">\g<0></span>', str(escape(safe.line(text))))
    return Markup(told)  # noqa: S704 -- typed text is escaped


def isolated(text: str) -> str:
    """Returns text escaped, with each right-to-left name in a `bdi`; unchanged if it has none."""
    from markupsafe import Markup, escape  # noqa: PLC0415 -- as above

    if not _APART.search(text):
        return text
    parts = _TAG.split(str(escape(text)))
    apart = (part if _TAG.match(part) else _APART.sub(r"<bdi>\g<0></bdi>", part) for part in parts)
    return Markup("".join(apart))  # noqa: S704 -- typed text is escaped
