"""Where on a line the kinds stand that are sought far back, and that no index finds: kept in its cache."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import merge
from typing import Final, NamedTuple

from msgspec import Struct, field

from journal.store.codec import decode
from journal.store.record import Record
from journal.store.rows import Row
from journal.store.snapshots import Snapshots
from journal.store.standing import HANGING
from journal.store.tables import nearest
from journal.store.values import Values
from journal.vocabulary import events as e

LANDMARKS: Final = frozenset(
    one.kind
    for one in (
        *(e.SessionOpened, e.SessionClosed, e.Revealed, e.Shown),
        *(e.MatterOpened, e.MatterNoted, e.MatterClosed, e.MatterRenamed, e.MatterMerged),
    )
)
_OF_SESSIONS: Final = frozenset((e.SessionOpened.kind, e.SessionClosed.kind))
_SECRET_NUMBER: Final = re.compile(r"[4-9]\d{15}")
"""How a number from 2**52 to 2**53 begins: that of somebody introduced in secret, wherever it stands."""
FAR: Final = 10_000
"""To look through so many rows takes longer than to ask where they stand."""
_BEYOND: Final = 1_000
"""They are kept where so many events lie beyond those that were."""


class _Places(Struct):
    """Positions by kind, in their order, and which session each opening and closing is of."""

    of: dict[str, list[int]] = field(default_factory=dict)
    sessions: dict[int, int] = field(default_factory=dict)


class Landmarks(NamedTuple):
    """Where each of them stands on a line, by kind."""

    record: Record
    line: int
    places: Mapping[str, Sequence[int]]
    sessions: Mapping[int, int]
    """The number of the session, by where it opens or closes."""

    def rows(self, kinds: Collection[str], after: int, upto: int) -> Iterator[Row]:
        """The rows of these kinds at positions after+1..upto, in order."""
        for position in merge(*(self.places.get(kind, ()) for kind in set(kinds))):
            row = self.record.row(self.line, position) if after < position <= upto else None
            if row is not None:
                yield row


class _Hidden(Struct):
    """Positions of stored events that may be hidden from somebody, in order."""

    positions: list[int] = field(default_factory=list)


def maybe_hidden(
    record: Record, cache: Snapshots | None, line: int, upto: int, known: tuple[int, Sequence[int]] = (0, ())
) -> Sequence[int]:
    """Where on positions 1..upto of a line something stands that may be hidden from somebody.

    `known` is what was found before, and up to which position. What is kept in the cache holds for ever: an
    event never changes its body.
    """
    after, positions = known[0], list(known[1])
    values = None if cache is None else Values(cache, "maybe hidden", _Hidden, b"")
    if values is not None and not after:
        after, found = nearest(record, line, upto, lambda _position: True, values)
        positions = [] if found is None else list(found.positions)
    positions += [row.position for row in record.rows(line, after, upto) if may_be_hidden(row)]
    last = record.row(line, upto) if values is not None and upto >= after + _BEYOND else None
    if values is not None and last is not None:
        values.keep(last.line, last.position, last.hash, _Hidden(positions))
    return positions


def may_be_hidden(row: Row) -> bool:
    """False for a stored event that everybody may see, whatever else is secret; quick to tell."""
    return '"see":' in row.body or row.kind in HANGING or _SECRET_NUMBER.search(row.body) is not None


def landmarks(record: Record, cache: Snapshots, line: int, upto: int) -> Landmarks:
    """Those at positions 1..upto of a line; only what came after the last that were kept is looked through.

    What is kept holds for ever: no event changes its kind, and none comes to stand before another.
    """
    values = Values(cache, "landmarks with Shown", _Places, b"")
    after, found = nearest(record, line, upto, lambda _position: True, values)
    places = _Places() if found is None else found
    for row in record.rows(line, after, upto, sorted(LANDMARKS)):
        places.of.setdefault(row.kind, []).append(row.position)
        if row.kind in _OF_SESSIONS:
            places.sessions[row.position] = getattr(decode(row).event, "session")  # noqa: B009 -- by its kind
    last = record.row(line, upto) if upto >= after + _BEYOND else None
    if last is not None:
        values.keep(last.line, last.position, last.hash, places)
    return Landmarks(record, line, places.of, places.sessions)
