"""The hash chain: each event sealed together with all that came before it."""

from __future__ import annotations

import hashlib

from journal.store.format import TAG

ROOT = b""
"""The parent of a campaign's first event."""


def link(parent: bytes, line: int, position: int, kind: str, body: str) -> bytes:
    """The hash of an event that follows `parent`.

    SHA-256 over the tag and, each after its length (8 bytes, big-endian): parent hash, line, position, kind,
    body; the numbers in decimal digits.
    """
    parts = (parent, b"%d" % line, b"%d" % position, kind.encode(), body.encode())
    return hashlib.sha256(TAG + b"".join([len(part).to_bytes(8) + part for part in parts])).digest()
