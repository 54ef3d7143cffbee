"""The hash chain of a branch: each event's hash also covers the hash of the event before."""

from __future__ import annotations

import json
import sys
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any, Final

from retold.journal.store.contract.errors import Damaged
from retold.journal.store.contract.event_store import TAG, WORDS_TAG, Head, Row

ROOT = b""
"""The parent hash of a campaign's first event."""


def link(parent: bytes, line: int, position: int, kind: str, body: str) -> bytes:
    """Returns the hash of one event: `parent` is the hash of the event before, "" before the first.

    SHA-256 over the tag and, each after its length (8 bytes, big-endian): parent hash, line, position, kind,
    body; the numbers in decimal digits.
    """
    return next(links(parent, line, position - 1, (kind,), (body.encode(),)))


def links(
    parent: bytes, line: int, after: int, kinds: Iterable[str], bodies: Iterable[bytes]
) -> Iterator[bytes]:
    """Yields the hashes of a branch's events at positions `after`+1, `after`+2 …; `link` defines the hash.

    `parent` is the hash of the event at `after`; `kinds` and `bodies` are the events' parts, in order.
    """
    number = _part(f"{line:d}")
    for position, (kind, body) in enumerate(zip(kinds, bodies, strict=True), after + 1):
        place = b"%d" % position
        parts = (
            TAG,
            len(parent).to_bytes(8),
            parent,
            number,
            len(place).to_bytes(8),
            place,
            _part(kind),
        )
        parent = sha256(b"".join((*parts, len(body).to_bytes(8), body))).digest()
        yield parent


@lru_cache(maxsize=1024)  # a stored name is whatever a file says
def _part(text: str) -> bytes:
    """Returns a short part of what is hashed, such as a kind, after its length."""
    data = text.encode()
    return len(data).to_bytes(8) + data


RedactedNumbers = Mapping[tuple[int, int], Collection[int]]
"""By stored line and position, the numbers of the redacted texts."""


RowFilter = Callable[[Row], bool]
"""True for the rows a reader wants; called before they are verified."""


def checked_rows(
    rows: Iterable[Row], last: Head, gone: RedactedNumbers, where: RowFilter | None = None
) -> Iterator[Row]:
    """Yields the rows of a branch in order, each checked against the hash chain.

    `last` is the head before the first row. Raises Damaged at the first row that does not continue the chain.
    Rows that `where` rejects are left out; only their position is checked. Texts listed in `gone` (the
    recorded redactions) are removed from a row that still has them.
    """
    position, parent = last
    stream, parse = 0, _parser()
    line_part = b""
    kinds: dict[str, bytes] = {}
    kept: Sequence[Sequence[str] | None] = ()
    for row in rows:
        line, at, kind, body, words, hash_ = row
        position += 1
        if where is not None and position == at and is_skipped(where, row):
            parent = hash_
            continue
        try:
            if line != stream:
                stream, line_part = line, _part(f"{line:d}")
            if kind not in kinds:
                kinds[kind] = _part(kind)
            # The same hash as `links`, which is slower for single rows.
            digits, encoded = b"%d" % position, body.encode()
            above, size, length = _LENGTHS[len(parent)], _LENGTHS[len(digits)], len(encoded).to_bytes(8)
            hashed = _HASHED % (above, parent, line_part, size, digits, kinds[kind], length, encoded)
            parent = sha256(hashed).digest()
            good = parent == hash_ and position == at
            if words is not None and good:
                kept = parse(words)
                good = _words_match(kept, encoded)
        except (TypeError, ValueError, AttributeError, LookupError, RecursionError):
            good = False
        if not good:
            raise _chain_error(row, position)
        taken = gone.get((line, position)) if gone else None
        yield row if words is None or taken is None else _without_words(row, kept, taken)


def checked_row(row: Row, last: Head, gone: RedactedNumbers) -> Row:
    """Returns `row` if it directly follows `last` in the hash chain; else raises Damaged.

    Texts listed in `gone` are removed from it.
    """
    return next(checked_rows((row,), last, gone))


def is_skipped(where: RowFilter, row: Row) -> bool:
    """True if `where` rejects the row; a row with a malformed kind or body is never skipped."""
    return type(row.body) is str and type(row.kind) is str and not where(row)


def parent_hash_of(row: Row) -> bytes:
    """Returns the hash of the event at which a branch forked, from `row`, the branch's first event.

    Raises Damaged if the row does not match its own hash.
    """
    try:
        data: Any = json.loads(row.body)["data"]
        parent = bytes.fromhex(data["parent_hash"])
        if data["line"] == row.line and link(parent, row.line, row.position, row.kind, row.body) == row.hash:
            return parent
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise damaged_row(row)


def damaged_row(row: Row) -> Damaged:
    """Returns a Damaged error: the content at the row's position is not as recorded."""
    return Damaged(
        f"Position {row.position} of line {row.line} is damaged: it is not what was recorded there."
        f" {ASK_DOCTOR}"
    )


def missing_row(line: int, position: int) -> Damaged:
    """Returns a Damaged error: there is no row at `position`, though a later one follows."""
    return Damaged(f"Position {position} of line {line} is missing. {ASK_DOCTOR}")


ASK_DOCTOR: Final = "retold doctor says what is still good."


def _chain_error(row: Row, expected: int) -> Damaged:
    later = type(row.position) is int and row.position > expected
    return missing_row(row.line, expected) if later else damaged_row(row)


_HASHED: Final = TAG + b"%b%b%b%b%b%b%b%b"
_LENGTHS: Final = [length.to_bytes(8) for length in range(33)]
"""Encoded lengths of a hash (0 or 32) and of a position's digits."""


def _parser() -> Callable[[str], Any]:
    """Returns msgspec's JSON parser if that module is loaded, else the standard one.

    Loading msgspec just for this would slow down `log`.
    """
    quick = sys.modules.get("msgspec")
    return json.loads if quick is None else quick.json.decode


_WORDS_KEY: Final = b'"words":['
"""The key before the commitments, which end a body."""
_COMMITMENT_BYTES: Final = 46
"""Bytes of a commitment in a body: 43 of base64url, two quotes, a comma."""
_FROM_URL: Final = bytes.maketrans(b"-_", b"+/")
_TO_URL: Final = bytes.maketrans(b"+/", b"-_")


def _words_match(kept: Sequence[Sequence[str] | None], body: bytes) -> bool:
    """True if each text in `kept` (salt and text, or None if redacted) matches its commitment in `body`."""
    listed = len(body) - _COMMITMENT_BYTES * len(kept) - 1
    if body[listed - len(_WORDS_KEY) : listed] != _WORDS_KEY:
        return False
    for pair in kept:
        if pair is not None:
            salt, text = pair
            salted = WORDS_TAG + a2b_base64(salt.encode().translate(_FROM_URL) + b"==")
            digest = sha256(salted + text.encode()).digest()
            expected = b2a_base64(digest, newline=False).translate(_TO_URL)[:-1]
            if not body.startswith(expected, listed + 1):
                return False
        listed += _COMMITMENT_BYTES
    return True


def _without_words(row: Row, kept: Sequence[Sequence[str] | None], taken: Collection[int]) -> Row:
    left = [None if number in taken else one for number, one in enumerate(kept)]
    return row._replace(words=json.dumps(left, ensure_ascii=False, separators=(",", ":")))
