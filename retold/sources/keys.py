"""Keys of units, by which the same unit is known again, and ids of the acts made from them."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from typing import Final

SEPARATOR: Final = "\x1f"
_SCHEME: Final = "retold/import/1"
_SPACE: Final = re.compile(r"\s+")


class Ordinals:
    """Numbers units that are equal in all parts, so that each has a key of its own."""

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


def act_id(campaign: str, family: str, channel: str, key: str, part: int = 0) -> str:
    """Id of the act made from a unit: 128 bits as 32 hex digits.

    `part` tells the acts of one unit apart. `channel` is empty for sources whose keys hold everywhere.
    """
    digest = hashlib.sha256()
    for text in (_SCHEME, campaign, family, channel, key, str(part)):
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()[:32]
