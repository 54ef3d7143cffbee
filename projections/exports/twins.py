"""Full-width twins: how a sign is written where a format would obey it and gives no way to escape it.

A reader sees the same sign, and Unicode's compatibility form (NFKC) makes it the narrow one again.
"""

from __future__ import annotations

import re
from typing import Final

_APART: Final = 0xFEE0
"""From a printable ASCII character to its twin."""


def widened(found: re.Match[str]) -> str:
    """What a pattern found, in full width; all of it has to be printable ASCII."""
    return "".join(chr(ord(character) + _APART) for character in found.group())
