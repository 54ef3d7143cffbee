"""Looks at rows one after another, and says of each whether it is what was written."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from journal.store.batches import together
from journal.store.chain import ROOT, link
from journal.store.codec import canonical, check_whole, commitment, decode_event
from journal.store.kinds import EVENTS, upcast_of
from journal.store.parsing import from_json
from journal.store.rows import Head, Row
from journal.store.verify.glancing import BACKWARDS, Trail, is_body, passed


class Finding(NamedTuple):
    """Something that is not as it was written, and where; on no line if it is about the whole file."""

    line: int | None
    position: int | None
    sentence: str

    def __str__(self) -> str:
        return self.sentence if self.line is None else f"Line {self.line}, {self.position}: {self.sentence}"


_line = attrgetter("line")


Spot = tuple[int, int, int]
"""One of the words of an event: its line and position, and its number there, from 0."""


class Fork(NamedTuple):
    """Where a line left its parent."""

    parent: int
    at: int


@dataclass(slots=True)
class Inspector:
    """Looks at rows in the order they were recorded, and says of each what is wrong with it."""

    stored_hash: Callable[[int, int], bytes | None]
    """The hash stored at a line's own position, for the beginnings of branches."""
    unknown: set[str] = field(default_factory=set)
    """Kinds this Retold does not know."""
    trails: dict[int, Trail] = field(default_factory=dict)
    """How far each line has been followed."""
    gone: set[Spot] = field(default_factory=set)
    """Words that are not there any more."""
    _forks: dict[int, Fork] = field(default_factory=dict)
    _redacted: set[Spot] = field(default_factory=set)

    @property
    def heads(self) -> dict[int, Head]:
        """Where each line ends."""
        return {line: Head(trail.position, trail.hash) for line, trail in self.trails.items()}

    def inspect(self, row: Row, parsed: object = None) -> list[str]:
        """What is wrong with the next row; nothing, if it is as it was written.

        `parsed` is its body, where it has been parsed already.
        """
        faults: list[str] = []
        if tuple(map(type, row)) not in _STORED:
            return self._passed(row, ["A part of it is not stored as Retold stores it."])
        head = self._body(row, parsed, faults)
        trail = self.trails.get(row.line) or self._begin(row, head, faults)
        if row.position != trail.position + 1:
            faults.append(f"It follows position {trail.position}: what stood between is missing.")
        if link(trail.hash, row.line, row.position, row.kind, row.body) != row.hash:
            faults.append("Its hash does not follow from what it says and what came before it.")
        trail = trail._replace(position=row.position, hash=row.hash)
        self.trails[row.line] = trail if head is None else self._act(trail, head, faults)
        if head is not None:
            self._words(row, head, faults)
            self._event(row, head, faults)
        return faults

    def each(self, rows: Iterable[Row]) -> Iterator[tuple[Row, Sequence[str]]]:
        """Each of the next rows with what is wrong with it."""
        for some in together(rows, _line):
            good = self.take_in(some)
            for row in some:
                yield row, () if good else self.inspect(row)

    def take_in(self, rows: Sequence[Row]) -> bool:
        """True if nothing is wrong with any of the next rows, which are of one line.

        They are looked at together, which is quick; where it is False, each is still to be inspected.
        """
        trail = self.trails.get(rows[0].line)
        after = None if trail is None else passed(trail, rows)
        if after is None:
            return False
        self.trails[rows[0].line] = after
        return True

    def _passed(self, row: Row, faults: list[str]) -> list[str]:
        """Goes on behind a row that nothing can be read of."""
        hash_: object = row.hash
        self.trails[row.line] = Trail(row.position, hash_ if isinstance(hash_, bytes) else ROOT)
        return faults

    @property
    def redacted(self) -> int:
        """How many words are gone by a redaction that says so."""
        return len(self.gone & self._redacted)

    def end(self) -> Iterator[Finding]:
        """What can be said only when every row has been seen."""
        for line, trail in self.trails.items():
            if trail.i != trail.n:
                sentence = f"The act is not whole: {trail.i} of its {trail.n} events are here."
                yield Finding(line, trail.position, sentence)
        for line, position, word in sorted(self.gone - self._redacted):
            yield Finding(line, position, f"Words number {word} are gone, and no redaction says so.")
        for line, position, word in sorted(self._redacted - self.gone):
            sentence = f"Words number {word} were redacted, and stand here again: redact them once more."
            yield Finding(line, position, sentence)

    def _begin(self, row: Row, head: Mapping[str, Any] | None, faults: list[str]) -> Trail:
        """The trail of a line met for the first time: from nothing, or from its parent's hash."""
        trail = Trail(0, ROOT)
        data: Any = (head or {}).get("data")
        if row.kind == "table.forked" and isinstance(data, dict):
            trail = self._forked(row, data, faults)
        elif self.trails:
            faults.append("A line begins here without leaving another.")
        elif row.kind != "table.campaign-begun" or row.line != 1:
            faults.append("The record does not begin as a campaign does.")
        self.trails[row.line] = trail
        return trail

    def _forked(self, row: Row, data: Mapping[str, Any], faults: list[str]) -> Trail:
        parent, at = data.get("parent"), data.get("at")
        if not isinstance(parent, int) or not isinstance(at, int) or parent not in self.trails:
            faults.append(f"It leaves line {parent}, which is not there.")
            return Trail(row.position - 1, ROOT)
        hash_: object = self.stored_hash(*self._home(parent, at))
        if not isinstance(hash_, bytes):  # of a damaged file it may be anything
            faults.append(f"It leaves line {parent} at {at}, and there is no such position.")
            hash_ = ROOT
        elif data.get("parent_hash") != hash_.hex() or data.get("line") != row.line:
            faults.append(f"It does not say what it leaves: line {parent} at {at}.")
        self._forks[row.line] = Fork(parent, at)
        return Trail(at, hash_)

    def _home(self, line: int, position: int) -> tuple[int, int]:
        """The line on which a line's position is stored."""
        while line in self._forks and position <= self._forks[line].at:
            line = self._forks[line].parent
        return line, position

    def _body(self, row: Row, parsed: object, faults: list[str]) -> Mapping[str, Any] | None:
        """The parsed body; None if it is none."""
        try:
            head = from_json(row.body) if parsed is None else parsed
            if _MAY_HOLD_AN_ODD_NUMBER(row.body):
                check_whole(head)
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
        """An act's events stand together, 1 of n to n of n."""
        act, i, n = head["act"], head["i"], head["n"]
        begins = i == 1 and trail.i == trail.n
        goes_on = (act, i, n) == (trail.act, trail.i + 1, trail.n)
        if not (begins or goes_on):
            faults.append(f"It is event {i} of {n} of its act, and {trail.i} of {trail.n} stood before it.")
        return trail._replace(act=act, i=i, n=n)

    def _words(self, row: Row, head: Mapping[str, Any], faults: list[str]) -> None:
        """Each text is the one its event committed to, or was redacted."""
        commitments = head.get("words", [])
        try:
            kept = [None] * len(commitments) if row.words is None else _list(from_json(row.words))
            if len(kept) != len(commitments) or (row.words is not None and not commitments):
                faults.append(f"It has {len(commitments)} words and {len(kept)} stand beside it.")
                return
            for index, (committed, one) in enumerate(zip(commitments, kept, strict=True)):
                if one is None:
                    self.gone.add((row.line, row.position, index))
                elif commitment(_bytes(one[0]), one[1]) != committed:
                    faults.append(f"Its words number {index} are not the ones it was recorded with.")
        except (ValueError, TypeError, AttributeError, LookupError):
            faults.append("The words beside it cannot be read.")

    def _event(self, row: Row, head: Mapping[str, Any], faults: list[str]) -> None:
        """The event can be read back."""
        if row.kind not in EVENTS and upcast_of(row.kind) is None:
            self.unknown.add(row.kind)
            return
        try:
            decode_event(row)
        except (ValueError, TypeError, AttributeError, LookupError, ArithmeticError) as error:
            faults.append(f"It is no {row.kind} as Retold knows it: {_first_line(error)}.")
            return
        if row.kind == "table.redacted":
            self.hear_redaction(row, head)

    def hear_redaction(self, row: Row, head: Mapping[str, Any]) -> None:
        """Which words are said to be gone by an event of that body, which is a redaction."""
        data = head["data"]
        home = self._home(row.line, data["about"])
        self._redacted |= {(*home, word) for word in data["words"]}


_MAY_HOLD_AN_ODD_NUMBER = re.compile(r"[:,\[]-?\d+(?:[.eE](?!\d{6}Z)|\d{15})").search
"""Finds what may be a number that is not whole, or is too large; the seconds of a time are none."""


_STORED = {(int, int, str, str, words, bytes) for words in (str, type(None))}
"""The types of a row's columns, as Retold stores them."""


def _list(value: Any) -> list[Any]:  # noqa: ANN401 -- whatever JSON holds
    if not isinstance(value, list):
        raise TypeError("it is no list")
    return value


def _bytes(salt: str) -> bytes:
    try:
        return base64.b64decode(salt + "=" * (-len(salt) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")
