"""A line read back: which of its events count, under today's words, and what the table came to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from pydantic_core import from_json

from journal import line as line_
from journal.decks.chance import Provenance
from journal.line import Dead, Live
from journal.refused import Refused
from journal.store.codec import Recorded, Unknown, decode, decode_event
from journal.store.errors import Damaged
from journal.store.record import Record
from journal.store.rows import Row
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.words import REFERENCE


@dataclass(slots=True)
class Standing:
    """What a line says about itself up to a position: what is undone, and what reads otherwise."""

    dead: list[Dead] = field(default_factory=list)
    rewordings: dict[int, dict[int, str]] = field(default_factory=dict)
    reaches: list[tuple[int, int]] = field(default_factory=list)
    """For each event that changed what came before it: the first position changed, and its own."""
    _gone: list[Dead] | None = None

    def counts(self, position: int) -> bool:
        """True if no undo has taken the event at `position` back."""
        gone = self.gone()
        before = bisect_right(gone, position, key=_first) - 1
        return before < 0 or position > gone[before].last

    def holds(self, position: int) -> bool:
        """True if nothing recorded after `position` changed anything up to it: a table kept there is good."""
        return not any(first <= position < at for first, at in self.reaches)

    def gone(self) -> list[Dead]:
        """What is undone, in order of position and without overlaps."""
        if self._gone is None:
            self._gone = []
            for stretch in sorted(self.dead):
                if self._gone and stretch.first <= self._gone[-1].last + 1:
                    before = self._gone.pop()
                    stretch = Dead(before.first, max(before.last, stretch.last))  # noqa: PLW2901 -- it grows
                self._gone.append(stretch)
        return self._gone


def _first(stretch: Dead) -> int:
    return stretch.first


CHANGES_WHAT_WAS = ("table.undone", "table.redone", "table.reworded", "table.redacted")
"""Kinds that change what came before them."""


def standing(record: Record, line: int, upto: int | None = None) -> Standing:
    """What is undone and reworded on `line` up to position `upto` (its head if None)."""
    rows = list(record.rows(line, 0, upto, CHANGES_WHAT_WAS))
    changes = [(row.position, _known(row, None)[0]) for row in rows]
    found = Standing(line_.undone(event for _, event in changes if isinstance(event, e.Undone | e.Redone)))
    for position, event in changes:
        if isinstance(event, e.Undone | e.Redone):
            found.reaches.append((event.first, position))
            continue
        if isinstance(event, e.Reworded | e.Redacted):
            found.reaches.append((event.about, position))
        if isinstance(event, e.Reworded) and found.counts(position) and event.text.text is not None:
            found.rewordings.setdefault(event.about, {})[event.word] = event.text.text
    return found


def lives(
    record: Record, line: int, after: int = 0, upto: int | None = None, stands: Standing | None = None
) -> Iterator[Live]:
    """The live events of `line` with positions after+1..upto, ready to fold."""
    stands = standing(record, line, upto) if stands is None else stands
    reworded = stands.rewordings
    row = None
    try:
        for row in _counting(record.rows(line, after, upto), stands):
            event, luck = decode_event(row, reworded.get(row.position) if reworded else None)
            yield Live(row.position, event, luck)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise _broken(row) from error


Reveals = Mapping[int, frozenset[int] | None]
"""By position, the people something was revealed to; None is everybody."""


def reveals(record: Record, line: int, upto: int | None = None) -> Reveals:
    """What was revealed on `line` up to position `upto` (its head if None), and to whom."""
    found: dict[int, frozenset[int] | None] = {}
    for row in record.rows(line, 0, upto, ("table.revealed",)):
        event = _known(row, None)[0]
        if isinstance(event, e.Revealed):
            known = found.get(event.about, frozenset())
            found[event.about] = None if event.to is None or known is None else known | set(event.to)
    return found


def _counting(rows: Iterator[Row], stands: Standing) -> Iterator[Row]:
    """Those of `rows`, in order of position, that count."""
    return _left(rows, stands) if stands.dead else rows


def _left(rows: Iterator[Row], stands: Standing) -> Iterator[Row]:
    gone = iter(stands.gone())
    stretch = next(gone, None)
    for row in rows:
        while stretch is not None and row.position > stretch.last:
            stretch = next(gone, None)
        if stretch is None or row.position < stretch.first:
            yield row


def _known(row: Row, rewordings: Mapping[int, str] | None) -> tuple[Event, tuple[Provenance, ...]]:
    try:
        return decode_event(row, rewordings)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise _broken(row) from error


def _broken(row: Row | None) -> Damaged:
    place = "" if row is None else f" at position {row.position} of line {row.line}"
    return Damaged(f"The event{place} is broken.")


def table_at(record: Record, line: int, upto: int | None = None) -> Table:
    """The table as it stood at position `upto` of `line` (its head if None), folded from the beginning."""
    return line_.fold(lives(record, line, 0, upto))


def recorded(
    record: Record, line: int, after: int = 0, upto: int | None = None, *, as_of: int | None = None
) -> Iterator[tuple[Recorded, bool]]:
    """Everything on `line` at positions after+1..upto, with whether it still counts at `as_of`."""
    stands = standing(record, line, as_of if as_of is not None else upto)
    for row in record.rows(line, after, upto):
        yield decode(row, stands.rewordings.get(row.position)), stands.counts(row.position)


MANAGES = frozenset(
    {
        "table.campaign-begun",
        "table.forked",
        "table.promoted",
        "table.retired",
        "table.undone",
        "table.redone",
        "table.redacted",
        "table.revealed",
    }
)
"""Kinds that no undo takes back; the sentence that says why stands beside `undo`."""


@dataclass(frozen=True, slots=True)
class Act:
    """The events one command brought about, first to last position."""

    first: int
    last: int
    events: tuple[Recorded, ...]

    @property
    def managing(self) -> bool:
        """True for an act about the line itself, which no undo takes back."""
        return any(_kind(event) in MANAGES for event in self.events)


def _kind(recorded_event: Recorded) -> str:
    event = recorded_event.event
    return event.kind if isinstance(event, Unknown) else type(event).kind


def acts_backwards(record: Record, line: int, before: int, stands: Standing) -> Iterator[Act]:
    """The live acts of `line` that end before position `before`, the last first."""
    waiting: list[Recorded] = []
    for row in record.backwards(line, before):
        if not stands.counts(row.position):
            continue
        event = decode(row, stands.rewordings.get(row.position))
        waiting.append(event)
        if event.envelope.i == 1:
            events = tuple(reversed(waiting))
            waiting = []
            yield Act(events[0].position, events[-1].position, events)


def acts(
    record: Record,
    line: int,
    after: int = 0,
    upto: int | None = None,
    *,
    as_written: bool = False,
    undone: bool = False,
) -> Iterator[Act]:
    """The live acts of `line` with positions after+1..upto, in order.

    `as_written` leaves rewordings out of account; `undone` gives those taken back as well.
    """
    stands = standing(record, line, upto)
    rewordings = {} if as_written else stands.rewordings
    waiting: list[Recorded] = []
    for row in record.rows(line, after, upto):
        if not undone and not stands.counts(row.position):
            continue
        event = decode(row, rewordings.get(row.position))
        if event.envelope.i == 1 and waiting:
            yield Act(waiting[0].position, waiting[-1].position, tuple(waiting))
            waiting = []
        waiting.append(event)
        if event.envelope.i == event.envelope.n:
            yield Act(waiting[0].position, waiting[-1].position, tuple(waiting))
            waiting = []


def act_at(record: Record, line: int, at: int, head: int, stands: Standing) -> Act:
    """The live act that position `at` of a line ending at `head` belongs to; Refused if none does."""
    if not 1 <= at <= head:
        raise Refused(f"There is no position {at} on this line: it ends at {head}.")
    if not stands.counts(at):
        raise Refused(f"Position {at} was taken back, so nothing stands there.")
    row = record.row(line, at)
    if row is None:
        raise Damaged(f"Position {at} of line {line} is missing.")
    envelope = from_json(row.body)
    last = at - envelope["i"] + envelope["n"]
    found = next(acts_backwards(record, line, last + 1, stands), None)
    if found is None:
        raise Damaged(f"The act at position {at} of line {line} is broken.")
    return found


def mainline(record: Record) -> int:
    """The line the table plays: the one last promoted, else the first."""
    line = 1
    for row in record.everything(("table.promoted",)):
        line = row.line
    return line


@lru_cache(maxsize=1024)
def _name(row: Row) -> str | None:
    """A branch's name, from its first row; None once it is redacted."""
    try:
        index = from_json(row.body)["data"]["name"][REFERENCE]
        kept = None if row.words is None else from_json(row.words)[index]
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise Damaged(f"The event at position {row.position} of line {row.line} is broken.") from error
    return None if kept is None else str(kept[1])


def line_names(record: Record) -> dict[int, str]:
    """Every line's name: the table's own is mainline, a branch has the name it was given."""
    main = mainline(record)
    names = {1: "first-line"}
    for row in record.forks():
        names[row.line] = _name(row) or f"line-{row.line}"
    names[main] = "mainline"
    return names
