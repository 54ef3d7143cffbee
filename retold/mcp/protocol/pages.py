"""Answers in pages of at most 25 kB, each with a cursor that goes on behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from itertools import accumulate
from typing import Any, Final

from retold import Refused

LARGEST: Final = 24_000
"""Bytes of the items of an answer; the rest of 25,000 is for what stands around them."""
SHORTENED: Final = 3_000
"""Characters of the JSON of an item that is larger than an answer."""
_CURSOR: Final = re.compile(r"(\d{1,9})\.([0-9a-f]{16})")

Item = Mapping[str, Any]


def encoded(value: object) -> str:
    """Returns a value as JSON without needless blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


class Listed:
    """Items of an answer, and for each the hash of it and of all before it."""

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self.items: list[str] = []
        self.ids: list[str] = []
        self.chain: list[bytes] = [b""]
        self.extend(items)

    def extend(self, items: Iterable[Item]) -> None:
        """Adds items at the end."""
        found = [(str(item.get("id", "")), _fitting(item)) for item in items]
        self.ids += [id_ for id_, _ in found]
        self.items += [item for _, item in found]
        hashes = accumulate((item for _, item in found), _hashed, initial=self.chain.pop())
        self.chain += hashes

    def drop(self, number: int) -> None:
        """Removes that many items from the end."""
        kept = len(self.items) - number
        del self.items[kept:], self.ids[kept:], self.chain[kept + 1 :]

    def page(self, after: str, most: int) -> Mapping[str, Any]:
        """Returns the items behind a cursor or an id, as many as fit; `reset` if the cursor is outdated.

        Raises Refused for an unknown id.
        """
        begin = self._begin(after)
        if begin is None:
            return {"reset": True, "items": [], "cursor": "", "more": bool(self.items)}
        sizes = accumulate(len(item.encode()) + 1 for item in self.items[begin : begin + most])
        end = begin + sum(size <= LARGEST for size in sizes)
        return {
            "items": [json.loads(item) for item in self.items[begin:end]],
            "cursor": f"{end}.{self.chain[end].hex()}" if end else "",
            "more": end < len(self.items),
        }

    def _begin(self, after: str) -> int | None:
        """Returns the number of items up to a cursor or an id; None for an outdated cursor."""
        cursor = _CURSOR.fullmatch(after)
        if cursor is not None:
            number = int(cursor[1])
            is_good = number < len(self.chain) and self.chain[number].hex() == cursor[2]
            return number if is_good else None
        if after and after not in self.ids:
            raise Refused(f"No item has the id {after}: give a cursor, or the id of an item.")
        return self.ids.index(after) + 1 if after else 0


def _hashed(before: bytes, item: str) -> bytes:
    return blake2b(item.encode(), key=before, digest_size=8).digest()


def _fitting(item: Item) -> str:
    """Returns an item as JSON; of one that is larger than an answer, the beginning of its JSON."""
    text = encoded(item)
    if len(text.encode()) < LARGEST:
        return text
    return encoded({"id": item.get("id", ""), "shortened": text[:SHORTENED]})
