"""What a page's file is called: a name that every system takes, whatever somebody has typed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container
from typing import Final

from projections import safe

_OBEYED: Final = re.compile(r'[\\/:*?"<>|#^\[\]%`\s]+')
"""What a file system, a link or a shell would obey, and blanks of every kind."""

_DEVICES: Final = re.compile(
    r"(?i)(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])( *\..*)?"
)
"""Names that are no files on Windows, whatever stands after a dot; a raised digit counts as one there."""

MOST_BYTES: Final = 120
"""How long a name may be in UTF-8, so that its folder has room beside it."""


def stem(name: str, taken: Container[str] = ()) -> str:
    """A file's name without its ending, for somebody or something of that name.

    `taken` are the names that others have, folded (`folded`): it is told apart from these by a number.
    """
    plain = _OBEYED.sub(" ", safe.line(unicodedata.normalize("NFC", name))).strip(" .").lstrip("-. ")
    plain = plain.encode()[:MOST_BYTES].decode(errors="ignore").strip(" .") or "unnamed"
    if device := _DEVICES.fullmatch(plain):
        plain = f"{device[1]} (name){device[2] or ''}"
    number, found = 1, plain
    while folded(found) in taken:
        number += 1
        found = f"{plain} {number}"
    return found


def folded(stem: str) -> str:
    """How a file system that knows no case has it."""
    return unicodedata.normalize("NFC", stem.casefold())
