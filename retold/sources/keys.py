"""Keys that identify a unit whenever its file is read again."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import Final

SEPARATOR: Final = "\x1f"
_SPACE: Final = re.compile(r"\s+")


class Ordinals:
    """Counter that numbers equal units, so that each unit gets a key of its own."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def key(self, *parts: str) -> str:
        """Key of a unit without an id: its parts, and its ordinal among equal ones.

        Blanks in the parts are counted as one, because tools change them.
        """
        joined = SEPARATOR.join(_SPACE.sub(" ", part).strip() for part in parts)
        self._seen[joined] += 1
        digest = hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return f"{digest}.{self._seen[joined]}"
