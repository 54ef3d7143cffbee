"""Looks at many rows of one line at once, and says whether there is nothing wrong with any of them.

It sees what `Inspector` sees, row by row, and gives no sentences: where it is not content, each is looked at.
"""

from __future__ import annotations

import hashlib
import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, NoReturn

import msgspec
from msgspec import UNSET, Meta, UnsetType

from journal.decks.chance import Provenance
from journal.store.chain import links
from journal.store.codec import CANONICAL
from journal.store.format import WORDS_TAG
from journal.store.kinds import EVENTS
from journal.store.parsing import from_json
from journal.store.rows import Row
from journal.visibility import TABLE
from journal.words import TEXTS

WANT_A_LOOK: Final = frozenset({"table.campaign-begun", "table.forked", "table.redacted"})
"""Kinds that say something of other rows, or of a line's beginning."""


class Trail(NamedTuple):
    """How far one line has been followed: its last event, and which of how many it was in its act."""

    position: int
    hash: bytes
    act: str = ""
    i: int = 1
    n: int = 1


def passed(trail: Trail, rows: Sequence[Row]) -> Trail | None:
    """How far a line has been followed after these rows of it; None where one of them wants a closer look."""
    lines, positions, kinds, bodies, words, hashes = columns = tuple(zip(*rows, strict=True))
    if not all(sorts.issuperset(map(type, column)) for sorts, column in zip(_STORED, columns, strict=True)):
        return None
    if len({*lines}) > 1 or positions != tuple(range(trail.position + 1, trail.position + 1 + len(rows))):
        return None
    stored = [body.encode() for body in bodies]
    if not WANT_A_LOOK.isdisjoint(kinds) or hashes != (
        *links(trail.hash, lines[0], trail.position, kinds, stored),
    ):
        return None
    try:
        told = _told(kinds, stored, words)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return None
    return None if told is None else _followed(trail, rows[-1], told)


_STORED: Final[Sequence[set[type]]] = ({int}, {int}, {str}, {str}, {str, type(None)}, {bytes})
"""The types of a row's columns, as Retold stores them."""


def _told(kinds: Sequence[str], bodies: Sequence[bytes], words: Sequence[str | None]) -> list[Any] | None:
    """What the bodies say, each as Retold writes it and with its words beside it; else None, or an error."""
    heads = list(map(_DECODE, bodies))
    every = b"\n".join(bodies)
    if list(map(CANONICAL.encode, heads)) != bodies or _LARGE in every.translate(_DIGITS) or BACKWARDS(every):
        return None
    texts: Sequence[str] = ()
    before = TEXTS.set(lambda reference: texts[reference])
    told = []
    try:
        for kind, head, beside in zip(kinds, heads, words, strict=True):
            texts = _texts(head.get("words"), beside)
            told.append(msgspec.convert(head, _body_of(kind)))
    finally:
        TEXTS.reset(before)
    commands = all(one.cmd is UNSET or is_command(one.cmd) for one in told)
    return told if commands and _are_moments([one.at for one in told]) else None


def _no_fraction(literal: str) -> NoReturn:
    raise ValueError(f"{literal} is not whole")


_DECODE: Final = msgspec.json.Decoder(float_hook=_no_fraction).decode
_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_LARGE: Final = b"0" * 16
"""What any number beyond ±2**53 has, where every digit is written as 0."""


def _are_moments(ats: Sequence[str]) -> bool:
    """True for times as an envelope has them; ValueError for one that no calendar has."""
    if _MOMENTS("".join(f"{at}\n" for at in ats)) is None:
        return False
    return all(map(datetime.fromisoformat, ats))


_MOMENTS: Final = re.compile(r"(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\n)*+", re.ASCII).fullmatch


def _texts(commitments: Any, beside: str | None) -> Sequence[str]:  # noqa: ANN401 -- a part of a body
    """The words beside an event, each the one it committed to; ValueError where one is not, or is gone."""
    if commitments is None and beside is None:
        return ()
    kept = from_json(beside or "")
    for committed, (salt, text) in zip(commitments, kept, strict=True):
        told = hashlib.sha256(WORDS_TAG + _bytes(salt) + text.encode()).digest()
        if b2a_base64(told, newline=False).decode().replace("+", "-").replace("/", "_") != f"{committed}=":
            raise ValueError("other words")
    return [text for _, text in kept]


def _bytes(salt: str) -> bytes:
    return a2b_base64(f"{salt.replace('-', '+').replace('_', '/')}==", strict_mode=True)


@cache
def _body_of(stored: str) -> Any:  # noqa: ANN401 -- a class made here
    """What a body of that kind is, to its last field; LookupError for one nobody knows."""
    return _body_with(EVENTS[stored])


def _body_with(data: object) -> Any:  # noqa: ANN401 -- a class made here
    return msgspec.defstruct(
        "Body",
        [
            ("act", Annotated[str, Meta(min_length=1)]),
            ("at", str),
            ("data", data),
            ("i", Annotated[int, Meta(ge=1)]),
            ("n", Annotated[int, Meta(ge=1)]),
            ("tz", Annotated[int, Meta(gt=-_DAY, lt=_DAY)]),
            ("by", _PERSON | UnsetType, UNSET),
            ("cmd", dict[str, Any] | UnsetType, UNSET),
            ("luck", _SOURCE | tuple[_SOURCE, ...] | UnsetType, UNSET),
            ("see", _SEE | UnsetType, UNSET),
            ("rel", _RELEASE | UnsetType, UNSET),
            ("src", tuple[str, int] | UnsetType, UNSET),
            ("words", tuple[str, ...] | UnsetType, UNSET),
        ],
        forbid_unknown_fields=True,
    )


_DAY: Final = 24 * 60
"""Minutes: no clock is as far from UTC."""
_PERSON: Any = Annotated[int, Meta(ge=0)]
_RELEASE: Any = Annotated[str, Meta(pattern="^[0-9A-Za-z.+-]{1,40}$")]
_SOURCE: Any = Literal[tuple(one.value for one in Provenance)]
_SEE: Any = Literal["gm"] | tuple[_PERSON, ...]

BACKWARDS: Final = re.compile(rb'"~":(?:-|\[-|\[\d+,-)').search
"""Finds a reference to words that counts from the end, which is nowhere promised."""


@cache
def _any_body() -> Any:  # noqa: ANN401 -- as above
    return _body_with(dict[str, Any])


def is_body(head: object) -> bool:
    """True if what surrounds an event is of the right types and values, whatever the event is."""
    try:
        body = msgspec.convert(head, _any_body())
        return (body.cmd is UNSET or is_command(body.cmd)) and _are_moments([body.at])
    except (ValueError, TypeError):
        return False


def is_command(carried: Mapping[str, Any]) -> bool:
    """True for a command with a verb, a version, and an audience that there is, if it names one."""
    see = carried.get("see")
    return (
        isinstance(carried.get("kind"), str)
        and type(carried.get("v")) is int
        and (see in (None, "gm", TABLE) or (isinstance(see, list) and all(type(one) is int for one in see)))
    )


def _followed(trail: Trail, last: Row, told: Sequence[Any]) -> Trail | None:
    """The trail after these, where each act is whole and stands together; None where one is not."""
    act, i, n = trail.act, trail.i, trail.n
    for one in told:
        begins = one.i == 1 and i == n
        if not begins and (one.act, one.i, one.n) != (act, i + 1, n):
            return None
        act, i, n = one.act, one.i, one.n
    return Trail(last.position, last.hash, act, i, n)
