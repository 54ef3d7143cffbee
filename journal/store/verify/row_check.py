"""Verification of single rows: hash chain, canonical JSON, order within acts, texts, event types."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from binascii import a2b_base64, b2a_base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, Literal, NamedTuple, NoReturn

import msgspec
from msgspec import UNSET, Meta, UnsetType

from retold.journal.decks.chance import Provenance
from retold.journal.played_time import is_played_time
from retold.journal.store.contract.event_store import DRAFT_BEGUN, WORDS_TAG, Head, Row, is_draft
from retold.journal.store.contract.progress import in_batches
from retold.journal.store.events.chain import ROOT, link, links
from retold.journal.store.events.codec import (
    CANONICAL,
    canonical,
    check_whole_numbers,
    commitment,
    decode_event,
    from_json,
)
from retold.journal.store.events.kinds import DRAFT_EVENTS, EVENTS, stored_class, upcast_of
from retold.journal.visibility import TABLE
from retold.journal.vocabulary.base import TEXTS, Words

CHECKED_SINGLY: Final = frozenset({"table.campaign-begun", "table.forked", "table.redacted", DRAFT_BEGUN})
"""Kinds whose check needs other rows or the start of a line."""


class Trail(NamedTuple):
    """State of verifying one branch: its last event so far, which is number `i` of `n` in its act."""

    position: int
    hash: bytes
    act: str = ""
    i: int = 1
    n: int = 1


def check_in_bulk(trail: Trail, rows: Sequence[Row]) -> Trail | None:
    """Checks successive rows of one branch together; returns the trail after them if all are sound.

    `trail` is the state before them. Returns None if any row must be inspected by itself.
    """
    lines, positions, kinds, bodies, words, hashes = columns = tuple(zip(*rows, strict=True))
    if not all(
        sorts.issuperset(map(type, column)) for sorts, column in zip(_COLUMN_TYPES, columns, strict=True)
    ):
        return None
    if len({*lines}) > 1 or positions != tuple(range(trail.position + 1, trail.position + 1 + len(rows))):
        return None
    if any(_is_astray(lines[0], kind) for kind in set(kinds)):
        return None
    stored = [body.encode() for body in bodies]
    if not CHECKED_SINGLY.isdisjoint(kinds) or hashes != (
        *links(trail.hash, lines[0], trail.position, kinds, stored),
    ):
        return None
    try:
        parsed = _parsed_bodies(kinds, stored, words)
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError):
        return None
    return None if parsed is None else _advanced(trail, rows[-1], parsed)


_COLUMN_TYPES: Final[Sequence[set[type]]] = ({int}, {int}, {str}, {str}, {str, type(None)}, {bytes})
"""The types of a row's columns, as Retold stores them."""


def _parsed_bodies(
    kinds: Sequence[str], bodies: Sequence[bytes], words: Sequence[str | None]
) -> list[Any] | None:
    """Returns the parsed bodies of a batch, decoded with their texts.

    For a body that Retold would not write, returns None or raises (ValueError, TypeError, LookupError and
    others).
    """
    heads = list(map(_DECODE, bodies))
    every = b"\n".join(bodies)
    if list(map(CANONICAL.encode, heads)) != bodies or _LARGE in every.translate(_DIGITS) or BACKWARDS(every):
        return None
    texts: Sequence[str] = ()
    before = TEXTS.set(lambda reference: texts[reference])
    parsed = []
    try:
        for kind, head, beside in zip(kinds, heads, words, strict=True):
            texts = _texts(head.get("words"), beside)
            parsed.append(msgspec.convert(head, _body_of(kind)))
    finally:
        TEXTS.reset(before)
    sound = all(map(_is_sound, parsed))
    return parsed if sound and _are_timestamps([body.at for body in parsed]) else None


def _is_sound(body: Any) -> bool:  # noqa: ANN401 -- an instance of a class made here
    """True if command and time of play of a parsed body, where it has them, are well-formed."""
    return (body.cmd is UNSET or is_command(body.cmd)) and (body.when is UNSET or is_played_time(body.when))


def _no_fraction(literal: str) -> NoReturn:
    raise ValueError(f"{literal} is not whole")


_DECODE: Final = msgspec.json.Decoder(float_hook=_no_fraction).decode
_DIGITS: Final = bytes.maketrans(b"123456789", b"000000000")
_LARGE: Final = b"0" * 16
"""Sixteen digits, as every number beyond ±2**53 has, with each digit replaced by 0."""


def _are_timestamps(ats: Sequence[str]) -> bool:
    """True if each text is a time in Retold's format; ValueError for an impossible date."""
    if _TIMESTAMPS("".join(f"{at}\n" for at in ats)) is None:
        return False
    return all(map(datetime.fromisoformat, ats))


_TIMESTAMPS: Final = re.compile(r"(?:\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z\n)*+", re.ASCII).fullmatch


def _texts(commitments: Any, beside: str | None) -> Sequence[str]:  # noqa: ANN401 -- a part of a body
    """Returns the texts in `beside`, an event's text column, each checked against its hash in the body.

    Raises ValueError, or another error, if a text is redacted or does not match.
    """
    if commitments is None and beside is None:
        return ()
    kept = from_json(beside or "")
    for committed, (salt, text) in zip(commitments, kept, strict=True):
        digest = hashlib.sha256(WORDS_TAG + _salt_bytes(salt) + text.encode()).digest()
        expected = b2a_base64(digest, newline=False).decode().replace("+", "-").replace("/", "_")
        if expected != f"{committed}=":
            raise ValueError("other words")
    return [text for _, text in kept]


def _salt_bytes(salt: str) -> bytes:
    return a2b_base64(f"{salt.replace('-', '+').replace('_', '/')}==", strict_mode=True)


def _is_astray(line: int, kind: str) -> bool:
    """True for a kind of drafts on a line, and for a kind of lines in a draft's stream."""
    if kind in DRAFT_EVENTS:
        return not is_draft(line)
    return is_draft(line) and kind != "table.redacted" and kind in EVENTS


@cache
def _body_of(stored: str) -> Any:  # noqa: ANN401 -- a class made here
    """Returns a class that accepts only bodies of the kind `stored`; LookupError for an unknown kind."""
    kind = stored_class(stored)
    if kind is None:
        raise LookupError(stored)
    return _body_with(kind)


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
            ("unit", Words | UnsetType, UNSET),
            ("when", str | UnsetType, UNSET),
            ("words", tuple[str, ...] | UnsetType, UNSET),
        ],
        forbid_unknown_fields=True,
    )


_DAY: Final = 24 * 60
"""Minutes of a day: no clock is that far from UTC."""
_PERSON: Any = Annotated[int, Meta(ge=0)]
_RELEASE: Any = Annotated[str, Meta(pattern="^[0-9A-Za-z.+-]{1,40}$")]
_SOURCE: Any = Literal[tuple(provenance.value for provenance in Provenance)]
_SEE: Any = Literal["gm"] | tuple[_PERSON, ...]

BACKWARDS: Final = re.compile(rb'"~":(?:-|\[-|\[\d+,-)').search
"""Finds a text reference with a negative index, which the format does not allow."""


@cache
def _any_body() -> Any:  # noqa: ANN401 -- as above
    return _body_with(dict[str, Any])


def is_body(head: object) -> bool:
    """True if `head`, a parsed body, has a well-formed envelope; its event is not looked at."""
    try:
        body = msgspec.convert(head, _any_body())
        return _is_sound(body) and _are_timestamps([body.at])
    except (ValueError, TypeError):
        return False


def is_command(carried: Mapping[str, Any]) -> bool:
    """True if `carried` (the JSON of a command) has a verb, a version and, if any, a well-formed audience."""
    see = carried.get("see")
    return (
        isinstance(carried.get("kind"), str)
        and type(carried.get("v")) is int
        and (
            see in (None, "gm", TABLE)
            or (isinstance(see, list) and all(type(person) is int for person in see))
        )
    )


def _advanced(trail: Trail, last: Row, bodies: Sequence[Any]) -> Trail | None:
    """Returns the trail after these successive bodies; None if an act is incomplete or out of order."""
    act, i, n = trail.act, trail.i, trail.n
    for body in bodies:
        begins = body.i == 1 and i == n
        if not begins and (body.act, body.i, body.n) != (act, i + 1, n):
            return None
        act, i, n = body.act, body.i, body.n
    return Trail(last.position, last.hash, act, i, n)


class Finding(NamedTuple):
    """A fault found by verification: a sentence with branch and position, both None for the whole file."""

    line: int | None
    position: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence if self.line is None else f"Line {self.line}, {self.position}: {self.sentence}"


_line = attrgetter("line")


WordKey = tuple[int, int, int]
"""A text's line, position, and number in its event, from 0."""


class Fork(NamedTuple):
    """Place where a branch left its parent: the parent's number and the position."""

    parent: int
    at: int


@dataclass(slots=True)
class Inspector:
    """Checks rows in the order recorded, returns each row's faults, collects redactions and unknown kinds."""

    stored_hash: Callable[[int, int], bytes | None]
    """Returns the hash stored at a line's own position, to check forks."""
    unknown: set[str] = field(default_factory=set)
    """Unknown kinds met so far."""
    trails: dict[int, Trail] = field(default_factory=dict)
    """The progress along each line."""
    gone: set[WordKey] = field(default_factory=set)
    """Texts that are missing from the store."""
    _forks: dict[int, Fork] = field(default_factory=dict)
    _redacted: set[WordKey] = field(default_factory=set)

    @property
    def heads(self) -> dict[int, Head]:
        """Last position and hash, so far, of each branch by its number."""
        return {line: Head(trail.position, trail.hash) for line, trail in self.trails.items()}

    def resume(self, ends: Iterable[Row], forks: Iterable[Row]) -> None:
        """Goes on where a record ends that was checked before.

        `ends` has the last event of each branch, `forks` the first of each branch but the first one.
        """
        for row in ends:
            head = from_json(row.body)
            self.trails[row.line] = Trail(row.position, row.hash, head["act"], head["i"], head["n"])
        for row in forks:
            data = from_json(row.body)["data"]
            self._forks[row.line] = Fork(data["parent"], data["at"])

    def inspect(self, row: Row, parsed: object = None) -> list[str]:
        """Checks the next row and moves on; returns a sentence for each fault, empty for a sound row.

        `parsed` is the row's body if the caller has parsed it already.
        """
        faults: list[str] = []
        if tuple(map(type, row)) not in _ROW_TYPES:
            hash_: object = row.hash
            self.trails[row.line] = Trail(row.position, hash_ if isinstance(hash_, bytes) else ROOT)
            return ["A part of it is not stored as Retold stores it."]
        head = self._body(row, parsed, faults)
        trail = self.trails.get(row.line) or self._begin(row, head, faults)
        if row.position != trail.position + 1:
            faults.append(f"It follows position {trail.position}: events between them are missing.")
        if link(trail.hash, row.line, row.position, row.kind, row.body) != row.hash:
            faults.append("Its hash does not follow from what it says and what came before it.")
        trail = trail._replace(position=row.position, hash=row.hash)
        self.trails[row.line] = trail if head is None else self._act(trail, head, faults)
        if _is_astray(row.line, row.kind):
            faults.append("An event of this kind does not belong there: drafts have kinds of their own.")
        if head is not None:
            self._words(row, head, faults)
            self._event(row, head, faults)
        return faults

    def each(self, rows: Iterable[Row]) -> Iterator[tuple[Row, Sequence[str]]]:
        """Yields (row, faults) for each of the next rows, with a sentence for each fault."""
        for batch in in_batches(rows, _line):
            good = self.check_batch(batch)
            for row in batch:
                yield row, () if good else self.inspect(row)

    def check_batch(self, rows: Sequence[Row]) -> bool:
        """Checks the next rows, of one branch, together; False if any may be faulty.

        After False, nothing has moved on: call `inspect` for each row.
        """
        trail = self.trails.get(rows[0].line)
        after = None if trail is None else check_in_bulk(trail, rows)
        if after is None:
            return False
        self.trails[rows[0].line] = after
        return True

    @property
    def redacted(self) -> int:
        """The number of missing texts that a recorded redaction explains."""
        return len(self.gone & self._redacted)

    def end(self) -> Iterator[Finding]:
        """Yields the faults that only the end of the record shows.

        These are incomplete acts, texts missing without a redaction, and redacted texts that are back.
        """
        yield from self.missing()
        for line, position, word in sorted(self._redacted - self.gone):
            sentence = f"Words number {word} were redacted, and stand here again: redact them once more."
            yield Finding(line, position, sentence)

    def missing(self) -> Iterator[Finding]:
        """Yields the faults of what is missing at the end: events of an act, texts without a redaction."""
        for line, trail in self.trails.items():
            if trail.i != trail.n:
                sentence = f"The act is not whole: {trail.i} of its {trail.n} events are here."
                yield Finding(line, trail.position, sentence)
        for line, position, word in sorted(self.gone - self._redacted):
            yield Finding(line, position, f"Words number {word} are gone, and no redaction says so.")

    def _begin(self, row: Row, head: Mapping[str, Any] | None, faults: list[str]) -> Trail:
        """Returns the trail with which a new branch begins: empty, or at the event where it forked.

        Stores the trail too. Adds a sentence to `faults` if `row` is not a proper first event.
        """
        trail = Trail(0, ROOT)
        data: Any = (head or {}).get("data")
        if row.kind == "table.forked" and isinstance(data, dict):
            trail = self._begin_branch(row, data, faults)
        elif self.trails and row.kind == DRAFT_BEGUN and isinstance(data, dict):
            self._check_draft(row, data, faults)
        elif self.trails:
            faults.append("A line begins here without leaving another.")
        elif row.kind != "table.campaign-begun" or row.line != 1:
            faults.append("The record does not start like a campaign.")
        self.trails[row.line] = trail
        return trail

    def _begin_branch(self, row: Row, data: Mapping[str, Any], faults: list[str]) -> Trail:
        parent, at = data.get("parent"), data.get("at")
        if not isinstance(parent, int) or not isinstance(at, int) or parent not in self.trails:
            faults.append(f"It leaves line {parent}, which is not there.")
            return Trail(row.position - 1, ROOT)
        hash_: object = self.stored_hash(*self._home(parent, at))
        if not isinstance(hash_, bytes):  # a damaged file may hold any type
            faults.append(f"It leaves line {parent} at {at}, and there is no such position.")
            hash_ = ROOT
        elif data.get("parent_hash") != hash_.hex() or data.get("line") != row.line:
            faults.append(f"It does not say what it leaves: line {parent} at {at}.")
        self._forks[row.line] = Fork(parent, at)
        return Trail(at, hash_)

    def _check_draft(self, row: Row, data: Mapping[str, Any], faults: list[str]) -> None:
        """Adds to `faults` what is wrong with a draft's first event: its number, or the events it tells."""
        line, last = data.get("line"), data.get("last")
        if not is_draft(row.line) or data.get("draft") != row.line:
            faults.append("A draft begins here under a number that is not its own.")
        if not isinstance(line, int) or not isinstance(last, int) or line not in self.trails:
            faults.append(f"It is a draft of line {line}, which is not there.")
            return
        hash_: object = self.stored_hash(*self._home(line, last))
        if not isinstance(hash_, bytes) or data.get("at") != hash_.hex():
            faults.append(f"It does not have the hash of the last event that it tells: {line}@{last}.")

    def _home(self, line: int, position: int) -> tuple[int, int]:
        """Returns (branch, position) under which the event at `position` of `line` is stored."""
        while line in self._forks and position <= self._forks[line].at:
            line = self._forks[line].parent
        return line, position

    def _body(self, row: Row, parsed: object, faults: list[str]) -> Mapping[str, Any] | None:
        """Returns the parsed body of a row; None if it is malformed.

        Adds a sentence to `faults` for each fault.
        """
        try:
            head = from_json(row.body) if parsed is None else parsed
            if _MAY_HOLD_AN_ODD_NUMBER(row.body):
                check_whole_numbers(head)
            if canonical(head) != row.body:
                faults.append("Its body is not in canonical form.")
        except (ValueError, TypeError) as error:
            faults.append(f"Its body is not one that Retold writes: {_first_line(error)}.")
            return None
        if not isinstance(head, dict) or not is_body(head):
            faults.append("Its body has not the parts of an event.")
            return None
        if BACKWARDS(row.body.encode()):
            faults.append("A reference to words in it counts from the end.")
        return head

    def _act(self, trail: Trail, head: Mapping[str, Any], faults: list[str]) -> Trail:
        """Returns the trail after an event of the body `head`; a gap in its act is added to `faults`.

        The events of an act must be numbered 1 to n.
        """
        act, i, n = head["act"], head["i"], head["n"]
        begins = i == 1 and trail.i == trail.n
        goes_on = (act, i, n) == (trail.act, trail.i + 1, trail.n)
        if not (begins or goes_on):
            faults.append(f"It is event {i} of {n} of its act, and {trail.i} of {trail.n} stood before it.")
        return trail._replace(act=act, i=i, n=n)

    def _words(self, row: Row, head: Mapping[str, Any], faults: list[str]) -> None:
        """Checks the row's texts against their commitments in `head`; notes missing texts and faults."""
        commitments = head.get("words", [])
        try:
            kept = [None] * len(commitments) if row.words is None else _list(from_json(row.words))
            if len(kept) != len(commitments) or (row.words is not None and not commitments):
                faults.append(f"It has {len(commitments)} words and {len(kept)} stand beside it.")
                return
            for index, (committed, one) in enumerate(zip(commitments, kept, strict=True)):
                if one is None:
                    self.gone.add((row.line, row.position, index))
                elif commitment(_decoded_salt(one[0]), one[1]) != committed:
                    faults.append(f"Its words number {index} are not the ones it was recorded with.")
        except (ValueError, TypeError, AttributeError, LookupError):
            faults.append("The words beside it cannot be read.")

    def _event(self, row: Row, head: Mapping[str, Any], faults: list[str]) -> None:
        """Checks that the event can be decoded; adds to `faults`, notes unknown kinds and redactions."""
        if stored_class(row.kind) is None and upcast_of(row.kind) is None:
            self.unknown.add(row.kind)
            return
        try:
            decode_event(row)
        except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as error:
            faults.append(f"It is no {row.kind} as Retold knows it: {_first_line(error)}.")
            return
        if row.kind == "table.redacted":
            self.note_redaction(row, head)

    def note_redaction(self, row: Row, head: Mapping[str, Any]) -> None:
        """Notes the texts that a redaction in `row` lists as deleted; `head` is the row's parsed body."""
        data = head["data"]
        home = self._home(row.line, data["about"])
        self._redacted |= {(*home, word) for word in data["words"]}


_MAY_HOLD_AN_ODD_NUMBER = re.compile(r"[:,\[]-?\d+(?:[.eE](?!\d{6}Z)|\d{15})").search
"""Finds numbers that may be fractions or too large, ignoring the seconds of a time."""


_ROW_TYPES = {(int, int, str, str, words, bytes) for words in (str, type(None))}
"""The types of a row's columns, as Retold stores them."""


def _list(value: Any) -> list[Any]:  # noqa: ANN401 -- whatever JSON holds
    if not isinstance(value, list):
        raise TypeError("it is not a list")
    return value


def _decoded_salt(salt: str) -> bytes:
    try:
        return base64.b64decode(salt + "=" * (-len(salt) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")
