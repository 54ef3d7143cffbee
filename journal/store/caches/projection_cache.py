"""Cache of projections' results beside the snapshots; lookup of session, reveal and hidden events by it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from heapq import merge
from typing import Final, Generic, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, field

from retold.journal.store.caches.snapshots import Seal, Snapshots, code_digest, nearest
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.amendments import HIDDEN_WITH
from retold.journal.store.events.codec import decode
from retold.journal.store.events.record import Record
from retold.journal.table import EVOLVE, Table, no_change
from retold.journal.vocabulary import events as e

T = TypeVar("T")

_DDL: Final = """
CREATE TABLE IF NOT EXISTS value (
  name TEXT NOT NULL, line INTEGER NOT NULL, position INTEGER NOT NULL, hash BLOB NOT NULL,
  code BLOB NOT NULL, value BLOB NOT NULL,
  PRIMARY KEY (name, line, position)
) WITHOUT ROWID
"""
_SEAL: Final = len(Seal(b"", 1, 1, b"").of(b""))
_STRETCHES: Final = (1_000, 10_000, 100_000)
_KEPT_OF_EACH: Final = 3
"""The number of latest stretches of each length that keep a value: some stay valid after any change."""


class ProjectionCache(Generic[T]):
    """Cached results of one projection (a view computed from events), by position; failures are ignored."""

    def __init__(
        self, cache: Snapshots, name: str, sort: type[T], code: bytes, *, most: int | None = None
    ) -> None:
        """Prepares the cache of projection `name`, whose results are of type `sort`.

        `code` is a digest of the guest games' code that a result depends on: other code's results are not
        used. A few results stay; with `most`, all, while those of names with the same first word have no more
        bytes.
        """
        self._cache = cache
        self._name = name
        self._most = most
        self._decode = msgspec.msgpack.Decoder(sort).decode
        self._code = code_digest() + code

    def positions(self, line: int, upto: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yields (position, hash) of the events on `line` with a cached result up to `upto`, latest first."""
        if not self._cache.path.exists():
            return
        try:
            yield from (
                _database(self._cache)
                .execute(
                    "SELECT position, hash FROM value WHERE name = ? AND line = ? AND code = ?"
                    " AND position <= ? ORDER BY position DESC",
                    (self._name, line, self._code, 2**62 if upto is None else upto),
                )
                .fetchall()
            )
        except (sqlite3.Error, OSError):
            return

    def load(self, line: int, position: int, hash_: bytes) -> T | None:
        """Returns the result cached for the event at `position` with that hash; None if missing or broken."""
        try:
            (kept,) = (
                _database(self._cache)
                .execute(
                    "SELECT value FROM value WHERE name = ? AND line = ? AND position = ? AND code = ?",
                    (self._name, line, position, self._code),
                )
                .fetchone()
            )
            seal, value = kept[:_SEAL], kept[_SEAL:]
            sound = seal == self._seal(line, position, hash_).of(value)
            return self._decode(value) if sound else None
        except (sqlite3.Error, OSError, TypeError, ValueError):
            return None

    def keep(self, line: int, position: int, hash_: bytes, value: T) -> None:
        """Caches `value`, the result after the event at `position` with that hash.

        Disk errors are ignored.
        """
        written = msgspec.msgpack.encode(value)
        sealed = self._seal(line, position, hash_).of(written) + written
        try:
            _database(self._cache).execute(
                "INSERT OR REPLACE INTO value VALUES (?, ?, ?, ?, ?, ?)",
                (self._name, line, position, hash_, self._code, sealed),
            )
            if self._most is None:
                self._delete_old(line)
            else:
                self._delete_beyond(self._most)
        except (sqlite3.Error, OSError):
            return

    def _delete_old(self, line: int) -> None:
        """Deletes results that other code computed, and most of the results at older positions."""
        key = (self._name, line)
        found = _database(self._cache).execute(
            "SELECT position FROM value WHERE name = ? AND line = ? AND code = ? ORDER BY position",
            (*key, self._code),
        )
        positions = [position for (position,) in found]
        stay = set()
        for length in _STRETCHES:
            latest = {position // length: position for position in positions}
            stay.update(list(latest.values())[-_KEPT_OF_EACH:])
        marks = ", ".join("?" * len(stay))
        _database(self._cache).execute(
            f"DELETE FROM value WHERE name = ? AND line = ? AND (code <> ? OR position NOT IN ({marks}))",  # noqa: S608 -- only marks
            (*key, self._code, *stay),
        )

    def _delete_beyond(self, most: int) -> None:
        """Deletes results of other code, then those of other names, then early ones, to `most` bytes."""
        _database(self._cache).execute(
            "DELETE FROM value WHERE name LIKE :like AND (code <> :code OR (name, line, position) IN ("
            " SELECT name, line, position FROM ("
            "  SELECT name, line, position, sum(length(value))"
            "   OVER (ORDER BY name <> :name, position DESC, name, line) AS bytes"
            "  FROM value WHERE name LIKE :like) WHERE bytes > :most))",
            {
                "like": f"{self._name.partition(' ')[0]} %",
                "code": self._code,
                "name": self._name,
                "most": most,
            },
        )

    def _seal(self, line: int, position: int, hash_: bytes) -> Seal:
        return self._cache.seal(line, position, hash_, _seal_name(self._name, self._code))


def cache_troubles(cache: Snapshots, table: Table) -> tuple[str, ...]:
    """Returns a sentence for each cached state or result that this code wrote but cannot use.

    The state `table` is stored and loaded as a trial. Entries written by other code are no trouble: they are
    recomputed.
    """
    return tuple(dict.fromkeys((*cache.troubles(table), *_broken_values(cache))))


def spoilt_entries(cache: Snapshots) -> tuple[str, ...]:
    """Returns a sentence for each broken entry of a cache, which deleting the cache would repair."""
    return tuple(dict.fromkeys((*cache.spoilt(), *_broken_values(cache))))


def _broken_values(cache: Snapshots) -> Iterator[str]:
    try:
        for name, line, position, hash_, code, kept in _database(cache).execute(
            "SELECT name, line, position, hash, code, value FROM value ORDER BY name, line, position"
        ):
            ours = code.startswith(code_digest())
            if (
                ours
                and cache.seal(line, position, hash_, _seal_name(name, code)).of(kept[_SEAL:]) != kept[:_SEAL]
            ):
                yield (
                    f"The cached projection {name} of line {line} at position {position} is not used:"
                    " its seal is broken."
                )
    except (sqlite3.Error, OSError, TypeError, ValueError, AttributeError) as error:
        yield cache.unusable(error)


def _seal_name(name: str, code: bytes) -> str:
    return f" {name} {code.hex()}"


def _database(cache: Snapshots) -> sqlite3.Connection:
    db = cache.database()
    db.execute(_DDL)
    return db


POSITIONED_KINDS: Final = frozenset(
    event.kind
    for event in (
        *(e.SessionOpened, e.SessionClosed, e.Revealed, e.Shown, e.CampaignNamed, e.OptionSet),
        *(e.MatterOpened, e.MatterNoted, e.MatterClosed, e.MatterRenamed, e.MatterMerged),
        # What each session of a site or vault asks the whole branch for.
        *(e.Marked, e.Described, e.Merged, e.PictureAdded, e.ColourChosen),
        *(e.PageTextWritten, e.PassagePulled),
    )
)
_OF_SESSIONS: Final = frozenset((e.SessionOpened.kind, e.SessionClosed.kind))
_SECRET_NUMBER: Final = re.compile(r"[4-9]\d{15}")
"""Matches the start of a number from 2**52 to 2**53, the id of a person introduced in secret."""
LONG_SCAN: Final = 10_000
"""From this many rows on, a position lookup is faster than a scan."""
_KEPT_EVERY: Final = 1_000
"""Positions are cached again after this many more events."""


class _StoredPositions(Struct):
    """Event positions by kind, in order, and the session number at each session's opening and closing."""

    of: dict[str, list[int]] = field(default_factory=dict)
    sessions: dict[int, int] = field(default_factory=dict)


class EventPositions(NamedTuple):
    """Positions, by kind, of a branch's events of POSITIONED_KINDS."""

    record: Record
    line: int
    places: Mapping[str, Sequence[int]]
    sessions: Mapping[int, int]
    """Session numbers by the position of the opening or closing."""

    def rows(self, kinds: Collection[str], after: int, upto: int) -> Iterator[Row]:
        """Yields the rows of the events of `kinds` at positions `after`+1..`upto`, in order."""
        for position in merge(*(self.places.get(kind, ()) for kind in set(kinds))):
            row = self.record.row(self.line, position) if after < position <= upto else None
            if row is not None:
                yield row


class _Hidden(Struct):
    """Positions, in order, of events that may be hidden from some viewer."""

    positions: list[int] = field(default_factory=list)


def possibly_hidden_positions(
    record: Record, cache: Snapshots | None, line: int, upto: int, known: tuple[int, Sequence[int]] = (0, ())
) -> Sequence[int]:
    """Returns the positions in 1..`upto` of branch `line` of changes of the table state that may be hidden.

    `known` is an earlier result: the position it went up to, and the positions found. Cached positions stay
    valid for ever, since an event's body never changes.
    """
    after, positions = known[0], list(known[1])
    values = None if cache is None else ProjectionCache(cache, "maybe hidden", _Hidden, b"")
    if values is not None and not after:
        after, found = nearest(record, line, upto, lambda _position: True, values)
        positions = [] if found is None else list(found.positions)
    positions += [
        row.position
        for row in record.rows(line, after, upto)
        if changes_tables(row.kind) and is_possibly_hidden(row)
    ]
    last = record.row(line, upto) if values is not None and upto >= after + _KEPT_EVERY else None
    if values is not None and last is not None:
        values.keep(last.line, last.position, last.hash, _Hidden(positions))
    return positions


def is_possibly_hidden(row: Row) -> bool:
    """True if the event in `row` may be hidden from some viewer.

    A fast check of its stored text, which may be True for a public event too.
    """
    return '"see":' in row.body or row.kind in HIDDEN_WITH or _SECRET_NUMBER.search(row.body) is not None


@cache
def changes_tables(kind: str) -> bool:
    """False for event kinds that hold only words (speech, notes) and leave the table state as it is."""
    known = next((event_kind for event_kind in EVOLVE if event_kind.kind == kind), None)
    return known is None or not known.only_words or EVOLVE[known] is not no_change


def find_event_positions(record: Record, cache: Snapshots, line: int, upto: int) -> EventPositions:
    """Returns the positions of the events of POSITIONED_KINDS in 1..`upto` of branch `line`.

    Only events after the latest cached result are read. Cached positions stay valid for ever: an event's kind
    and position never change.
    """
    values = ProjectionCache(cache, "landmarks with OptionSet", _StoredPositions, b"")
    after, found = nearest(record, line, upto, lambda _position: True, values)
    places = _StoredPositions() if found is None else found
    for row in record.rows(line, after, upto, sorted(POSITIONED_KINDS)):
        places.of.setdefault(row.kind, []).append(row.position)
        if row.kind in _OF_SESSIONS:
            places.sessions[row.position] = getattr(decode(row).event, "session")  # noqa: B009 -- by its kind
    last = record.row(line, upto) if upto >= after + _KEPT_EVERY else None
    if last is not None:
        values.keep(last.line, last.position, last.hash, places)
    return EventPositions(record, line, places.of, places.sessions)
