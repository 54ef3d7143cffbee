"""States of told events: digests that change when an event's text or audience does, and reveal no word."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin

from msgspec import Meta

from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.amendments import (
    HIDDEN_WITH,
    REVEALING,
    Amendments,
    UndoneStretch,
    undone_stretches,
)
from retold.journal.store.events.codec import decode, from_json
from retold.journal.store.events.record import Record
from retold.journal.vocabulary.base import Event, numbers_in, types_of
from retold.journal.vocabulary.drafts import Told

TAG: Final = b"retold/told/1"

_UNDOING: Final = ("table.undone", "table.redone")

_ABOUT: Final[Mapping[str, str]] = {
    "table.reworded": "about",
    "table.redacted": "about",
    "table.narration-overruled": "narration",
    **dict.fromkeys(REVEALING, "about"),
}
"""Kinds that change how an earlier event reads or who may see it, and the field with its position."""

_OF_PEOPLE: Final[Mapping[str, tuple[str, ...]]] = {
    "table.cast-introduced": ("person",),
    "table.renamed": ("person",),
    "table.alias-given": ("person",),
    "table.described": ("person",),
    "table.merged": ("person", "into"),
}
"""Kinds that change how people are called or spoken of, and the fields with their ids."""

_NOT_PEOPLE: Final = frozenset(
    {
        "about",
        "at",
        "aspect",
        "asset",
        "clock",
        "conflict",
        "exchange",
        "first",
        "format",
        "kept",
        "last",
        "line",
    }
    | {"narration", "parent", "phase", "round", "scene", "session", "slot_of", "turn", "values", "which"}
    | {"word", "words"}
)
"""Fields with numbers that are no person's id."""


class ToldStates:
    """States of the events of a branch, as recorded when the object is created."""

    def __init__(self, record: Record, line: int, ignoring: range = range(0)) -> None:
        """Reads the events of branch `line` that change earlier ones: some hundred in a long campaign.

        The events at positions `ignoring` change nothing.
        """
        self._record, self._line = record, line
        self._about: dict[int, list[Row]] = {}
        self._people: dict[int, list[Row]] = {}
        self._into: dict[int, int] = {}
        rows = [
            (row, from_json(row.body)["data"])
            for row in record.rows(line, 0, None, (*_UNDOING, *_ABOUT, *_OF_PEOPLE))
            if row.position not in ignoring
        ]
        undos = (
            (row.kind, UndoneStretch(data["first"], data["last"]))
            for row, data in rows
            if row.kind in _UNDOING
        )
        self._amendments = Amendments(undone_stretches(undos))
        for row, data in rows:
            if self._amendments.counts(row.position):
                self._add(row, data)

    def _add(self, row: Row, data: Mapping[str, Any]) -> None:
        if row.kind in _ABOUT:
            self._about.setdefault(data[_ABOUT[row.kind]], []).append(row)
        if row.kind == "table.merged":
            self._into[data["person"]] = data["into"]
        for field in _OF_PEOPLE.get(row.kind, ()):
            self._people.setdefault(data[field], []).append(row)

    def of(self, position: int) -> str | None:
        """Returns the state of the event at that position of the branch; None if there is none.

        A state is a SHA-256 in hexadecimal digits. Its input is TAG, the hash of the event, `undone` if the
        event is undone, and the hashes of the events that change its text or audience, in order of position:
        rewordings, redactions, reveals, an overruling, and the introductions, names, descriptions and merges
        of its people. All of these are hashes of bodies, which hold commitments in place of words.
        """
        row = self._record.row(self._line, position) if position else None
        return None if row is None else self._state(row)

    def now(self, told: Told) -> str | None:
        """Returns the state of the event that a block tells; None if the branch does not have that event."""
        return None if self._record.home(self._line, told.position) != told.line else self.of(told.position)

    def between(self, first: int, last: int) -> dict[int, str]:
        """Returns the states of the events at positions `first` to `last`, by position."""
        rows = self._record.rows(self._line, first - 1, last)
        return {row.position: self._state(row) for row in rows}

    def _state(self, row: Row) -> str:
        digest = hashlib.sha256(TAG + row.hash)
        if not self._amendments.counts(row.position):
            digest.update(b"undone")
        changes = {(made.position, made.hash) for made in self._changes(row)} - {(row.position, row.hash)}
        for _, hash_ in sorted(changes):
            digest.update(hash_)
        return digest.hexdigest()

    def _changes(self, row: Row) -> Iterator[Row]:
        """Yields the events that change the text or audience of the event in `row`, some of them twice."""
        event = decode(row).event
        yield from self._about.get(row.position, ())
        for field in HIDDEN_WITH.get(row.kind, ()):
            yield from self._about.get(from_json(row.body)["data"][field], ())
        for person in self._with_merged(_people_in(event) if isinstance(event, Event) else ()):
            for named in self._people.get(person, ()):
                yield named
                yield from self._about.get(named.position, ())

    def _with_merged(self, people: Iterable[int]) -> set[int]:
        """Adds the people that these were merged into."""
        found: set[int] = set()
        for person in people:
            now: int | None = person
            while now is not None and now not in found:
                found.add(now)
                now = self._into.get(now)
        return found


def _people_in(event: Event) -> Iterator[int]:
    """Yields the ids in an event's fields that may hold people; some may be ids of other things."""
    for field in _fields_with_people(type(event)):
        yield from numbers_in(getattr(event, field))


@cache
def _fields_with_people(kind: type[Event]) -> tuple[str, ...]:
    return tuple(
        field for field, type_ in types_of(kind).items() if field not in _NOT_PEOPLE and _holds_ids(type_)
    )


def _holds_ids(type_: Any) -> bool:  # noqa: ANN401 -- a type
    """True for the types `Id` and `int | str` (a person or a thing), and for types that contain one."""
    origin = get_origin(type_)
    if origin is Annotated:
        bounds = [meta for meta in get_args(type_)[1:] if isinstance(meta, Meta)]
        return any(meta.ge == 0 for meta in bounds)
    if origin in {Union, UnionType}:
        return get_args(type_)[:2] == (int, str) or any(map(_holds_ids, get_args(type_)))
    return any(map(_holds_ids, get_args(type_)))
