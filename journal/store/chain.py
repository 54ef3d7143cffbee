"""The hash chain: each event sealed together with all that came before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256

from journal.store.format import TAG

ROOT = b""
"""The parent of a campaign's first event."""


def link(parent: bytes, line: int, position: int, kind: str, body: str) -> bytes:
    """The hash of an event that follows `parent`.

    SHA-256 over the tag and, each after its length (8 bytes, big-endian): parent hash, line, position, kind,
    body; the numbers in decimal digits.
    """
    return next(links(parent, line, position - 1, (kind,), (body.encode(),)))


def links(
    parent: bytes, line: int, after: int, kinds: Iterable[str], bodies: Iterable[bytes]
) -> Iterator[bytes]:
    """The hashes of events of these kinds and bodies, at positions from after+1 on, that follow `parent`."""
    number = _part(b"%d" % line)
    for position, (kind, body) in enumerate(zip(kinds, bodies, strict=True), after + 1):
        place = b"%d" % position
        parts = (TAG, len(parent).to_bytes(8), parent, number, len(place).to_bytes(8), place, _kind(kind))
        parent = sha256(b"".join((*parts, len(body).to_bytes(8), body))).digest()
        yield parent


def _part(one: bytes) -> bytes:
    return len(one).to_bytes(8) + one


@lru_cache(maxsize=1024)  # a stored name is whatever a file says
def _kind(kind: str) -> bytes:
    return _part(kind.encode())
