"""Rows checked as they are read: each follows from the one before, and has the words it committed to."""

from __future__ import annotations

import json
import sys
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from journal.store.chain import link
from journal.store.errors import Damaged
from journal.store.format import TAG, WORDS_TAG
from journal.store.rows import Head, Row

Gone = Mapping[tuple[int, int], Collection[int]]
"""By stored line and position, the numbers of the words there that a redaction took."""


Where = Callable[[Row], bool]
"""Which rows are wanted; it is asked before they are checked."""


def checked(rows: Iterable[Row], last: Head, gone: Gone, where: Where | None = None) -> Iterator[Row]:
    """Rows of a line in their order, the first of which follows `last`; Damaged at the first that does not.

    Of those that are not wanted (`where`) nothing but the position is looked at. Words in `gone` that stand
    beside a row all the same are given as redacted.
    """
    position, parent = last
    stream, parse = 0, _parser()
    on = b""
    kinds: dict[str, bytes] = {}
    kept: Sequence[Sequence[str] | None] = ()
    for row in rows:
        line, at, kind, body, words, hash_ = row
        position += 1
        if where is not None and position == at and wants_not(where, row):
            parent = hash_
            continue
        try:
            if line != stream:
                stream, on = line, _part(b"%d" % line)
            if kind not in kinds:
                kinds[kind] = _part(kind.encode())
            # As `chain.links` has it, which takes longer for one row.
            place, said = b"%d" % position, body.encode()
            above, long, much = _LENGTHS[len(parent)], _LENGTHS[len(place)], len(said).to_bytes(8)
            parent = sha256(_SEALED % (above, parent, on, long, place, kinds[kind], much, said)).digest()
            good = parent == hash_ and position == at
            if words is not None and good:
                kept = parse(words)
                good = _opened(kept, said)
        except (TypeError, ValueError, AttributeError, LookupError, RecursionError):
            good = False
        if not good:
            raise _wrong(row, position)
        taken = gone.get((line, position)) if gone else None
        yield row if words is None or taken is None else _left(row, kept, taken)


def checked_alone(row: Row, last: Head, gone: Gone) -> Row:
    """A row that follows `last`; Damaged where it does not."""
    return next(checked((row,), last, gone))


def wants_not(where: Where, row: Row) -> bool:
    """True for a row that is not wanted; one of which nobody can tell is."""
    return type(row.body) is str and type(row.kind) is str and not where(row)


def parent_named(row: Row) -> bytes:
    """The hash that the first row of a branch says it follows; Damaged where it is not as it was written."""
    try:
        data: Any = json.loads(row.body)["data"]
        parent = bytes.fromhex(data["parent_hash"])
        if data["line"] == row.line and link(parent, row.line, row.position, row.kind, row.body) == row.hash:
            return parent
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise damaged(row)


def damaged(row: Row) -> Damaged:
    """What is said of a row that is not what was recorded there, in place of showing it."""
    return Damaged(
        f"Position {row.position} of line {row.line} is damaged: it is not what was recorded there."
        f" {ASK_DOCTOR}"
    )


def missing(line: int, position: int) -> Damaged:
    """What is said where nothing stands before a row that follows something."""
    return Damaged(f"Position {position} of line {line} is missing. {ASK_DOCTOR}")


ASK_DOCTOR: Final = "retold doctor says what is still good."


def _wrong(row: Row, expected: int) -> Damaged:
    later = type(row.position) is int and row.position > expected
    return missing(row.line, expected) if later else damaged(row)


def _part(one: bytes) -> bytes:
    return len(one).to_bytes(8) + one


_SEALED: Final = TAG + b"%b%b%b%b%b%b%b%b"
_LENGTHS: Final = [length.to_bytes(8) for length in range(33)]
"""Of a hash, and of a position's digits."""


def _parser() -> Callable[[str], Any]:
    """The quickest parser that is loaded; `log` does without the quicker one, which takes long to load."""
    quick = sys.modules.get("msgspec")
    return json.loads if quick is None else quick.json.decode


_LISTED: Final = b'"words":['
"""What stands before the commitments, which are the last of a body."""
_ONE: Final = 46
"""The bytes of a commitment in a body: 43 of base64url, its quotes, a comma."""
_FROM_URL: Final = bytes.maketrans(b"-_", b"+/")
_TO_URL: Final = bytes.maketrans(b"+/", b"-_")


def _opened(kept: Sequence[Sequence[str] | None], body: bytes) -> bool:
    """True if each of the words is the one that stands for it in the body, or is redacted."""
    listed = len(body) - _ONE * len(kept) - 1
    if body[listed - len(_LISTED) : listed] != _LISTED:
        return False
    for one in kept:
        if one is not None:
            salt, text = one
            salted = WORDS_TAG + a2b_base64(salt.encode().translate(_FROM_URL) + b"==")
            told = b2a_base64(sha256(salted + text.encode()).digest(), newline=False).translate(_TO_URL)[:-1]
            if told != body[listed + 1 : listed + 1 + len(told)]:
                return False
        listed += _ONE
    return True


def _left(row: Row, kept: Sequence[Sequence[str] | None], taken: Collection[int]) -> Row:
    left = [None if number in taken else one for number, one in enumerate(kept)]
    return row._replace(words=json.dumps(left, ensure_ascii=False, separators=(",", ":")))
