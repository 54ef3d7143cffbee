"""Compares copies of a campaign by their hash chains, brings them together, and makes new copies."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from retold.journal.counting import counted
from retold.journal.grouping import grouped
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import CannotWrite, Doubtful, StoreError, Unreached
from retold.journal.store.contract.event_store import EMPTY_HEAD, EventStore, Head, Row, is_draft
from retold.journal.store.contract.progress import STEP, Progress, in_batches
from retold.journal.store.events.line_events import mainline
from retold.journal.store.events.record import Record
from retold.journal.store.verify.row_check import Inspector
from retold.journal.store.writing.redact import (
    PATIENCE,
    Occurrences,
    RedactedEvent,
    WordPosition,
    words_in_names,
)

AT_ONCE: Final = 5000
"""Number of events copied in one transaction, or a few more, so that no act or redaction is divided."""

ATTEMPTS: Final = 5
"""How often the copies are compared again because one of them grew meanwhile."""

TWO_CAMPAIGNS: Final = "They are two campaigns: nothing in common."

Forget = Callable[[], Iterable[Path]]
"""Deletes this computer's caches of the campaign; returns those that could not be deleted."""


# --- comparing --------------------------------------------------------------------------------------------


class LineComparison(NamedTuple):
    """The events of one branch in two copies of a campaign, without those before its fork."""

    line: int
    common: int
    """The last position at which both have the same event; the position before the first if there is none."""
    here: Head
    there: Head

    @property
    def ahead_here(self) -> int:
        """Number of this branch's events missing in the copy there."""
        return max(self.here.position - self.common, 0)

    @property
    def ahead_there(self) -> int:
        """Number of this branch's events missing in the copy here."""
        return max(self.there.position - self.common, 0)

    @property
    def apart(self) -> bool:
        """True if each copy has events that the other lacks."""
        return self.ahead_here > 0 and self.ahead_there > 0


class Comparison(NamedTuple):
    """Differences between two copies of a campaign, branch by branch."""

    lines: tuple[LineComparison, ...]

    @property
    def apart(self) -> tuple[LineComparison, ...]:
        """Branches continued differently in both copies."""
        return tuple(line for line in self.lines if line.apart)

    @property
    def ahead_here(self) -> int:
        """Number of events missing in the copy there, over all branches."""
        return sum(line.ahead_here for line in self.lines)

    @property
    def ahead_there(self) -> int:
        """Number of events missing in the copy here, over all branches."""
        return sum(line.ahead_there for line in self.lines)

    def common(self, line: int) -> int:
        """Returns the last position of `line` shared by both copies; 0 if neither has the branch."""
        return next((one.common for one in self.lines if one.line == line), 0)

    def turned(self) -> Comparison:
        """Returns the same comparison, seen from the other copy."""
        return Comparison(tuple(line._replace(here=line.there, there=line.here) for line in self.lines))


def compare(here: Record, there: Record) -> Comparison:
    """Compares two copies of a campaign, branch by branch, by the hashes of their events.

    Raises Refused if they are not of one campaign, Damaged if the end of a branch is damaged.
    """
    first = here.row(1, 1)
    if first is None or first.hash != there.stored_hash(1, 1):
        raise Refused(TWO_CAMPAIGNS)
    with here.store.read_transaction(), there.store.read_transaction():
        lines = sorted({*here.store.streams(), *there.store.streams()})
        return Comparison(tuple(_compare_line(here, there, line) for line in lines))


def _compare_line(here: Record, there: Record, line: int) -> LineComparison:
    ends = here.head(line), there.head(line)
    firsts = [next(record.store.stretch(line), None) for record in (here, there)]
    known = [row for row in firsts if row is not None]
    if len(known) == 1 or known[0].hash != known[1].hash:
        return LineComparison(line, min(row.position for row in known) - 1, *ends)
    last = min(end.position for end in ends)
    return LineComparison(line, _last_common(here, there, line, known[0].position, last), *ends)


def _last_common(here: Record, there: Record, line: int, first: int, last: int) -> int:
    """Returns the last position up to `last` with equal hashes in both copies, searched from `first`."""
    if here.stored_hash(line, last) == there.stored_hash(line, last):
        return last
    same, other = first, last
    while other - same > 1:
        middle = (same + other) // 2
        if here.stored_hash(line, middle) == there.stored_hash(line, middle):
            same = middle
        else:
            other = middle
    return same


def session_at(record: Record, line: int, position: int) -> int | None:
    """Returns the number of the last session opened on `line` by `position`; None if none was opened."""
    opened = list(record.rows(line, 0, position, (_OPENED,)))
    return _session(opened[-1]) if opened else None


_OPENED: Final = "table.session-opened"
_REDACTED: Final = "table.redacted"


def _session(row: Row) -> int:
    return int(json.loads(row.body)["data"]["session"])


class StandingWords(NamedTuple):
    """Texts of one event that one copy has redacted and another copy still stores."""

    line: int
    position: int
    words: tuple[int, ...]
    """Their numbers in the event."""
    all: bool
    """True if no other text of the event is left."""

    def lines(self) -> Iterator[str]:
        """Yields the lines that redact them, as they are typed on the event's own branch."""
        if self.all:
            yield f"redact {self.position}"
        else:
            yield from (f"redact {self.position} --word {word}" for word in self.words)


def words_standing(record: Record, other: Record, comparison: Comparison) -> tuple[StandingWords, ...]:
    """Returns the texts in `record` that `other` has redacted since the copies went apart.

    `comparison` has `record` as here, `other` as there.
    """
    gone = [
        spot
        for one in comparison.lines
        for row in other.store.stretch(one.line, one.common, None, (_REDACTED,))
        for spot in redacted_spots(other, row)
        if spot.position <= comparison.common(spot.line) and not is_draft(spot.line)
    ]
    return _by_event(record, _still_there(record, gone))


def _by_event(record: Record, spots: Iterable[WordPosition]) -> tuple[StandingWords, ...]:
    """Returns texts that stand in a record grouped by event, in order of branch and position."""
    words = grouped(((line, position), word) for line, position, word in sorted(set(spots)))
    return tuple(
        StandingWords(*place, tuple(some), len(some) == sum(map(bool, _texts(record, *place))))
        for place, some in words.items()
    )


def _texts(record: Record, line: int, position: int) -> list[object]:
    """Returns the texts, redacted ones as None, of the event stored at `position` of `line`; else none."""
    row = next(record.store.stretch(line, position - 1, position), None)
    return [] if row is None or row.words is None else json.loads(row.words)


def redacted_spots(record: Record, redaction: Row) -> Iterator[WordPosition]:
    """Yields the locations of the texts that a redaction deletes."""
    data = json.loads(redaction.body)["data"]
    home = record.home(redaction.line, data["about"])
    if home is not None:
        yield from (WordPosition(home, data["about"], word) for word in data["words"])


def _still_there(record: Record, spots: Iterable[WordPosition]) -> list[WordPosition]:
    """Returns the `spots` whose text is stored in `record`; events that it lacks are left out."""
    return [
        spot for spot in spots if any(_texts(record, spot.line, spot.position)[spot.word : spot.word + 1])
    ]


# --- copying ----------------------------------------------------------------------------------------------


class Copied(NamedTuple):
    """Result of copying into one copy of a campaign: events, sessions, redacted texts."""

    events: int = 0
    sessions: tuple[int, ...] = ()
    """The numbers of the sessions that began in it."""
    texts: frozenset[str] = frozenset()
    """The texts that its redactions deleted."""
    names: frozenset[str] = frozenset()
    """The texts among them that are names."""
    standing: tuple[StandingWords, ...] = ()
    """Copies of these texts that the redactions do not know of, and that stand still."""
    remains: tuple[str, ...] = ()
    """Sentences on copies of deleted texts that could not be deleted yet."""

    def __add__(self, other: object) -> Copied:
        """Returns both together."""
        if not isinstance(other, Copied):
            return NotImplemented
        return Copied(
            self.events + other.events,
            tuple(dict.fromkeys((*self.sessions, *other.sessions))),
            self.texts | other.texts,
            self.names | other.names,
            tuple(dict.fromkeys((*self.standing, *other.standing))),
            tuple(dict.fromkeys((*self.remains, *other.remains))),
        )


class Synced(NamedTuple):
    """Result of bringing two copies together: what came here, and what went there."""

    came: Copied
    went: Copied
    comparison: Comparison
    """The last comparison: the same, apart, or with events recorded meanwhile."""


class _Moved(Exception):  # noqa: N818 -- it is not an error
    """Raised if one of the branches in the target has grown since the comparison."""


def _nothing() -> Iterable[Path]:
    return ()


def bring_together(
    here: Record,
    there: Record,
    on_progress: Progress | None = None,
    forget: Forget = _nothing,
    *,
    on_checked: Progress | None = None,
) -> Synced:
    """Appends to each of two copies of a campaign the events that it lacks; nothing if a branch is apart.

    All events are checked first, as `load` checks them: if any is wrong, StoreError is raised and nothing is
    copied. Then AT_ONCE events at a time are copied in the order in which they were recorded, first from here
    to there; after an interruption, of which the error says what was copied, the next call does the rest.
    Redactions delete their texts in the same transaction; `forget` is called before and after it.
    `on_checked` is called while events are checked, `on_progress` while they are copied. Raises Refused for
    two campaigns, CannotWrite if a copy cannot be written, Doubtful if the outcome is unknown. Events
    recorded in one of them meanwhile are copied too, unless it goes on for more than ATTEMPTS comparisons.
    """
    came, went, comparison = Copied(), Copied(), compare(here, there)
    for _ in range(ATTEMPTS):
        total = comparison.ahead_here + comparison.ahead_there
        if comparison.apart or not total:
            break
        out, into = _Transfer(here, there, comparison), _Transfer(there, here, comparison.turned())
        try:
            out.inspect(on_checked, 0, total)
            into.inspect(on_checked, comparison.ahead_here, total)
            with suppress(_Moved):
                out.run(forget, on_progress, 0, total)
                into.run(forget, on_progress, comparison.ahead_here, total)
            went, came = went + out.copied, came + into.copied
            out.copied = into.copied = Copied()
            comparison = compare(here, there)
        except (CannotWrite, Doubtful, Unreached) as error:
            raise _stopped(error, (went + came + out.copied + into.copied).events) from None
    return Synced(came, went, comparison)


def _stopped(error: CannotWrite | Doubtful | Unreached, copied: int) -> StoreError:
    """Returns the error of a sync that stopped after `copied` events: what is copied, and what to do."""
    if isinstance(error, Doubtful):
        cause = str(error).partition(", ")[0]  # what follows is about one act: not to say it again
        return Doubtful(f"{cause}: nobody can say yet how much was copied. The next sync does the rest.")
    if not copied:
        return error
    events = counted(copied, "event was", "events were")
    why = str(error).replace("Nothing was recorded", "No more was recorded", 1)
    return CannotWrite(f"{events} copied, and then it stopped: the next sync does the rest. {why}")


class _Transfer:
    """Copies events missing in `target` from `source`; `comparison` must have `source` as its own copy."""

    def __init__(self, source: Record, target: Record, comparison: Comparison) -> None:
        self.source = source
        self.target = target
        self._missing = {
            line.line: (line.common, line.here.position) for line in comparison.lines if line.ahead_here
        }
        self._count = comparison.ahead_here
        self._heads = {line.line: line.there for line in comparison.lines if line.there != EMPTY_HEAD}
        self.copied = Copied()

    def inspect(self, on_progress: Progress | None, done: int, total: int) -> None:
        """Checks the missing events as `load` does; StoreError at the first fault.

        Progress counts from `done`.
        """
        if not self._count:
            return
        inspector = Inspector(self.source.stored_hash)
        ends = (self.target.row(line, head.position) for line, head in self._heads.items())
        inspector.resume((row for row in ends if row is not None), self.target.forks())
        rows = (row for _, row in self.source.store.log(self._start()) if self._lacks(row))
        for number, (row, faults) in enumerate(inspector.each(rows), done + 1):
            if faults:
                raise _not_copied(self.source, row.line, row.position, faults[0])
            if on_progress is not None and number % STEP == 0:
                on_progress(number, total)
        for fault in inspector.missing():
            raise _not_copied(self.source, fault.line, fault.position, fault.sentence)

    def _lacks(self, row: Row) -> bool:
        after, upto = self._missing.get(row.line, (0, 0))
        return after < row.position <= upto

    def _start(self) -> int:
        """Returns a sequence number of the source before the first missing event, near it if possible."""
        size = self.source.store.size()
        window = self._count
        while window < size:
            found = sum(self._lacks(row) for _, row in self.source.store.log(size - window))
            if found == self._count:
                return size - window
            window *= 2
        return 0

    def run(self, forget: Forget, on_progress: Progress | None, done: int, total: int) -> None:
        """Copies the missing events; raises _Moved if their branches have grown meanwhile."""
        if not self._count:
            return
        rows = (row for _, row in self.source.log(self._start()) if self._lacks(row))
        for chunk in _chunks(rows):
            self._store(chunk, forget)
            if on_progress is not None:
                on_progress(done + self.copied.events, total)

    def _store(self, rows: Sequence[Row], forget: Forget) -> None:
        redactions = [row for row in rows if row.kind == _REDACTED]
        gone = [spot for row in redactions for spot in redacted_spots(self.source, row)]
        takes = bool(_still_there(self.target, gone))
        if takes:
            tuple(forget())
            self.target.store.sweep()
        taken = Copied()
        with self.target.writing():
            for line in {row.line for row in rows}:
                if self.target.store.head(line) != self._heads.get(line, EMPTY_HEAD):
                    raise _Moved
            self.target.append_copied(rows)
            if takes:
                taken = take_words(self.target, gone)
        for row in rows:
            self._heads[row.line] = row.head
        sessions = tuple(dict.fromkeys(_session(row) for row in rows if row.kind == _OPENED))
        remains = tuple(_remains(self.target.store, forget)) if takes else ()
        self.copied += taken + Copied(len(rows), sessions, remains=remains)


def take_words(record: Record, gone: Iterable[WordPosition]) -> Copied:
    """Deletes the texts at `gone` for good; call inside `writing`.

    Returns the texts and names, and the events with copies of them that remain.
    """
    spots = _still_there(record, list(gone))
    copies = Occurrences(record.as_stored())
    copies.follow(spots)
    by_event = grouped(((spot.line, spot.position), spot.word) for spot in spots)
    taken = [
        RedactedEvent(
            *place, tuple((word, copies.found[WordPosition(*place, word)]) for word in words), sealed=False
        )
        for place, words in by_event.items()
    ]
    names = frozenset(copies.found[spot] for spot in words_in_names(record, taken))
    for (line, position), words in by_event.items():
        record.delete_texts(line, position, words)
    left = [spot for spot in copies.found if spot not in spots]
    standing = _by_event(record, (spot for spot in left if not is_draft(spot.line)))
    if any(is_draft(spot.line) for spot in left):  # redacting the same events again takes these texts
        standing += tuple(StandingWords(*place, tuple(words), all=True) for place, words in by_event.items())
    return Copied(texts=frozenset(copies.found[spot] for spot in spots), names=names, standing=standing)


def _remains(store: EventStore, forget: Forget) -> Iterator[str]:
    """Deletes what may hold the deleted texts beside the record; yields a sentence for each that remains."""
    for path in (*forget(), *store.sweep().left):
        yield f"A copy may remain in {path}, which could not be deleted: delete that file."
    try:
        yield from store.settle(PATIENCE)
    except CannotWrite as error:  # the redaction is recorded, and the next close of the file tries again
        yield f"A copy may remain in {store.place} or beside it: {error}"


def _chunks(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yields the rows in lists of AT_ONCE or more, none of which ends where they have to stay together."""
    chunk: list[Row] = []
    for row in rows:
        if len(chunk) >= AT_ONCE and _may_part(chunk[-1], row):
            yield chunk
            chunk = []
        chunk.append(row)
    if chunk:
        yield chunk


def _may_part(before: Row, after: Row) -> bool:
    """True between two acts, except a retirement and its promotion, and the acts of one redaction."""
    if before.kind == "table.retired" or before.kind == after.kind == _REDACTED:
        return False
    body = json.loads(before.body)
    return bool(body["i"] == body["n"])


# --- a copy -----------------------------------------------------------------------------------------------


class CopiedRecord(NamedTuple):
    """Result of copying a whole record: its number of events, its mainline, the heads of its branches."""

    events: int
    mainline: int
    heads: Mapping[int, Head]


def copy_into(store: EventStore, source: Record, on_progress: Progress | None = None) -> CopiedRecord:
    """Stores every event of `source` in the empty `store`, checked as `load` checks them.

    Raises StoreError at the first fault; then nothing is stored.
    """
    target = Record(store)
    inspector = Inspector(source.stored_hash)
    events = 0
    with source.store.read_transaction(), target.writing():
        total = source.store.size()
        for rows in in_batches(_checked(source, inspector)):
            target.append_copied(rows)
            if on_progress is not None and events // STEP != (events + len(rows)) // STEP:
                on_progress(events + len(rows), total)
            events += len(rows)
        if not events:
            raise StoreError(f"{source.store.place} is empty: there is nothing to copy.")
        return CopiedRecord(events, mainline(source), inspector.heads)


def _checked(source: Record, inspector: Inspector) -> Iterator[Row]:
    """Yields every event of a record; raises StoreError at its first fault."""
    for row, faults in inspector.each(source.everything()):
        if faults:
            raise _not_copied(source, row.line, row.position, faults[0])
        yield row
    for fault in inspector.end():
        raise _not_copied(source, fault.line, fault.position, fault.sentence)


def _not_copied(source: Record, line: int | None, position: int | None, sentence: str) -> StoreError:
    place = f"{source.store.place}, line {line}, {position}"
    doctor = "retold doctor says what is still good."
    return StoreError(f"{place}: {sentence[0].lower()}{sentence[1:]} Nothing was copied: {doctor}")
