"""Markdown escaping of typed text, so that it is shown as typed."""

from __future__ import annotations

import re
from typing import Final

from projections import safe

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~$^&@]|=(?==)|(?<==)=|%(?=%)|(?<=%)%)")
_LINE_START: Final = re.compile(r"^([ \t]*)([-:+=]|\d+(?=[.)]))?", re.MULTILINE)
_LINK: Final = re.compile(r"(?i)\b(https?|ftp|file|mailto|obsidian|www)([:.])")


def escape(text: str) -> str:
    """Returns text escaped so that Markdown shows it as typed; line ends stay."""
    escaped = _SPECIAL.sub(r"\\\1", safe.text(text))
    return _LINK.sub(_unlinked, _LINE_START.sub(_unstarted, escaped))


def _unlinked(found: re.Match[str]) -> str:
    return f"{found[1]}\\{found[2]}"


def _unstarted(found: re.Match[str]) -> str:
    """Returns the beginning of a text line, escaped so that it begins no list and no indented code."""
    blanks = "&nbsp;" * len(found[1].expandtabs(4))
    started = found[2] or ""
    if started.isdecimal():
        return f"{blanks}{started}\\"
    return f"{blanks}\\{started}" if started else blanks


def on_a_line(text: str) -> str:
    """Returns text joined to one line and escaped, for a heading or a table cell."""
    return escape(safe.line(text).strip())
