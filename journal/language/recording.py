"""Times in a recording, as whatever plays it shows them: `0:12`, `1:12:09`, `1:12:09.250`."""

from __future__ import annotations

import re
from typing import Final

from journal.refused import Refused

_TIME: Final = r"(?a)(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)(?:\.(\d{1,3}))?"


def read_time(typed: str) -> int:
    """The time in milliseconds; Refused if it is none."""
    found = re.fullmatch(_TIME, typed)
    if found is None:
        raise Refused(f"{typed} is no time in a recording: write 0:12 or 2:31:05.")
    seconds = int(found[1] or 0) * 3600 + int(found[2]) * 60 + int(found[3])
    return seconds * 1000 + int((found[4] or "").ljust(3, "0"))


def write_time(milliseconds: int) -> str:
    """The time as `read_time` reads it, with parts of a second only where there are any."""
    seconds, rest = divmod(milliseconds, 1000)
    whole = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{whole}.{rest:03}" if rest else whole
