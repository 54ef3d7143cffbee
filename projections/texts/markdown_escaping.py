"""Markdown escaping of typed text, so that it is shown as typed."""

from __future__ import annotations

import re
from typing import Final

from retold.journal.marks import Signs
from retold.projections.texts import emphasis, safe
from retold.projections.texts.emphasis import SIGNS

# Each alternative of these begins with its sign, so that a search skips every other letter at once.
_SPECIAL: Final = re.compile(r"[\\`*_{}\[\]<>#|~$^&@]|=(?:(?==)|(?<===))|%(?:(?=%)|(?<=%%))")
_LINE_START: Final = re.compile(r"^(?=[ \t\d:+=-])([ \t]*)([-:+=]|\d+(?=[.)]))?", re.MULTILINE)
_SCHEMES: Final = ("http", "https", "ftp", "file", "mailto", "obsidian", "www")
_AFTER_A_SCHEME: Final = "|".join(rf"(?<=\b{scheme}[:.])" for scheme in _SCHEMES)
_LINK: Final = re.compile(f"(?i)[:.](?:{_AFTER_A_SCHEME})")
"""Sign after the beginning of an address."""
_MARKS: Final = Signs("_", "_", "**", "**")
_ALONE: Final = re.compile(
    "(?<![{signs}]){emphasis}(?![{signs}])([^{emphasis}{end_of_emphasis}]*)"
    "(?<![{signs}]){end_of_emphasis}(?![{signs}])".format(signs="".join(SIGNS), **SIGNS._asdict())
)
"""Emphasis without another mark beside it: stars beside stars would be another mark."""
_ESCAPED: Final = r"\\\g<0>"


def escape(text: str) -> str:
    """Returns text escaped so that Markdown shows it as typed; line ends stay."""
    return _escaped(safe.text(text))


def _escaped(text: str) -> str:
    escaped = _SPECIAL.sub(_ESCAPED, text)
    return _LINK.sub(_ESCAPED, _LINE_START.sub(_unstarted, escaped))


def _unstarted(found: re.Match[str]) -> str:
    """Returns the beginning of a text line, escaped so that it begins no list and no indented code."""
    blanks = "&nbsp;" * len(found[1].expandtabs(4))
    started = found[2] or ""
    if started.isdecimal():
        return f"{blanks}{started}\\"
    return f"{blanks}\\{started}" if started else blanks


def emphasised(text: str) -> str:
    """Returns text escaped as `escape` does, with Markdown's marks for its signs of emphasis."""
    escaped = _escaped(emphasis.safely(text, safe.text))
    if not emphasis.is_marked(escaped):
        return escaped
    return emphasis.shown(_ALONE.sub(r"*\1*", escaped), _MARKS)


def on_a_line(text: str) -> str:
    """Returns text joined to one line and escaped, for a heading or a table cell."""
    return escape(safe.line(text).strip())
