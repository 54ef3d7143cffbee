"""File names that every system takes."""

from __future__ import annotations

import re
from typing import Final

DEVICES: Final = r"(?i)(con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])( *\..*)?"
"""Pattern of reserved file names on Windows, with any suffix; superscript digits count as digits."""

SPECIAL: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
"""Characters that no file name on Windows has. What follows a colon would be another stream of the file."""


def unfit(name: str) -> str | None:
    """Returns a clause on why Windows cannot have a file of this name; None if it can."""
    if found := SPECIAL.search(name):
        return (
            f"no file on Windows has {found[0]} in its name"
            if found[0] >= " "
            else "it has a control character"
        )
    if re.fullmatch(DEVICES, name):
        return "a device of Windows is called so"
    if name.endswith((".", " ")):
        return "no file on Windows has a name that ends in a dot or a blank"
    return None


def fitting(name: str) -> str:
    """Returns a name that Windows can have, with blanks for what it cannot; "" if nothing is left."""
    plain = " ".join(SPECIAL.sub(" ", name).split()).rstrip(". ")
    device = re.fullmatch(DEVICES, plain)
    return f"{device[1]} 1{device[2] or ''}" if device else plain
