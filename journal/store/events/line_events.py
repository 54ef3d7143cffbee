"""Reads back from a branch: its events that are not undone, its acts, its table state, branch names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Final

from msgspec import Struct

from retold.journal import line as line_
from retold.journal.counting import span
from retold.journal.decks.chance import Provenance
from retold.journal.guarding import UNBROKEN, fault_of
from retold.journal.line import LiveEvent
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import Damaged
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.amendments import Amendments, read_amendments, text_of, unreadable_event
from retold.journal.store.events.codec import Recorded, UnknownEvent, decode, decode_event, from_json
from retold.journal.store.events.record import Record
from retold.journal.table import Table
from retold.journal.visibility import VisibleTo
from retold.journal.vocabulary.base import REFERENCE, Event
from retold.journal.vocabulary.events import Unheard


def live_events(
    record: Record, line: int, after: int = 0, upto: int | None = None, amendments: Amendments | None = None
) -> Iterator[LiveEvent]:
    """Yields the events of branch `line` at positions `after`+1..`upto` that are not undone, as reworded.

    Undos and rewordings recorded after `upto` are ignored, unless they are in `amendments`. Raises Damaged
    for an unreadable event.
    """
    amendments = read_amendments(record, line, upto) if amendments is None else amendments
    reworded = amendments.rewordings
    row = None
    try:
        for row in _live_rows(record.rows(line, after, upto), amendments):
            position = row.position
            event, luck, visible_to = decode_event(row, reworded.get(position) if reworded else None)
            yield _live((position, event, luck, visible_to))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise unreadable_event(row) from error


_live: Callable[[tuple[int, Event, tuple[Provenance, ...], VisibleTo]], LiveEvent] = partial(
    tuple.__new__, LiveEvent
)
"""Builds a LiveEvent in half the time of its constructor."""


def _live_rows(rows: Iterator[Row], amendments: Amendments) -> Iterator[Row]:
    """Yields `rows` (in order of position) without the undone ones."""
    return _without_undone(rows, amendments) if amendments.dead else rows


def _without_undone(rows: Iterator[Row], amendments: Amendments) -> Iterator[Row]:
    gone = iter(amendments.gone())
    stretch = next(gone, None)
    for row in rows:
        while stretch is not None and row.position > stretch.last:
            stretch = next(gone, None)
        if stretch is None or row.position < stretch.first:
            yield row


def table_at(record: Record, line: int, upto: int | None = None) -> Table:
    """Returns the table state of branch `line` after position `upto`, computed from its first event.

    `upto` None means its last event.
    """
    table = Table()
    for live in live_events(record, line, 0, upto):
        apply_event(table, live)
    return table


def apply_event(table: Table, live: LiveEvent) -> None:
    """Changes the table state by a recorded event; Damaged if the event does not fit the state.

    A guest whose handler fails is not understood at this table from here on.
    """
    try:
        line_.evolve_recorded(table, live)
    except (LookupError, AttributeError, TypeError, ValueError, AssertionError, ArithmeticError) as error:
        if (fault := fault_of(error, UNBROKEN)) is not None:
            line_.evolve_recorded(table, live._replace(event=Unheard(game=fault.game, why=fault.sentence)))
            return
        raise Damaged(
            f"The event at position {live.position} does not fit the events before it: no rule leads to it."
            " Another program wrote it, or put it into the chain."
        ) from error


def table_as_called(record: Record, line: int, upto: int) -> Table:
    """Returns the table state after position `upto`, without events that are undone, even later.

    Names are the ones used at `upto`, before any later rewording.
    """
    amendments = read_amendments(record, line)
    amendments.rewordings = read_amendments(record, line, upto).rewordings
    return line_.fold(live_events(record, line, 0, upto, amendments))


def recorded(
    record: Record, line: int, after: int = 0, upto: int | None = None, *, as_of: int | None = None
) -> Iterator[tuple[Recorded, bool]]:
    """Yields the events of branch `line` at positions `after`+1..`upto`, each with whether it is not undone.

    Undos and rewordings recorded after position `as_of` (`upto` if None) are ignored.
    """
    amendments = read_amendments(record, line, as_of if as_of is not None else upto)
    for row in record.rows(line, after, upto):
        yield decode(row, amendments.rewordings.get(row.position)), amendments.counts(row.position)


MANAGING_KINDS = frozenset(
    {
        "table.campaign-begun",
        "table.forked",
        "table.promoted",
        "table.retired",
        "table.line-shown",
        "table.undone",
        "table.redone",
        "table.redacted",
        "table.revealed",
    }
)
"""Kinds that undo cannot take back; `undo.why_not_undoable` has the reasons."""


class Act(Struct, frozen=True):
    """The recorded events of a single command, at positions `first` to `last`."""

    first: int
    last: int
    events: tuple[Recorded, ...]

    @property
    def managing(self) -> bool:
        """True for an act about the branch itself, such as a fork or an undo, which undo cannot take back."""
        return any(_kind(event) in MANAGING_KINDS for event in self.events)

    @property
    def known(self) -> tuple[Event, ...]:
        """Its events, without those of games that are not installed."""
        return tuple(recorded.event for recorded in self.events if isinstance(recorded.event, Event))

    @property
    def span(self) -> str:
        """Positions of its events, as text."""
        return span(self.first, self.last)


def _kind(recorded_event: Recorded) -> str:
    event = recorded_event.event
    return event.kind if isinstance(event, UnknownEvent) else type(event).kind


def acts_backwards(record: Record, line: int, before: int, amendments: Amendments) -> Iterator[Act]:
    """Yields the acts of branch `line` before position `before` that are not undone, latest first."""
    waiting: list[Recorded] = []
    for row in record.backwards(line, before):
        if not amendments.counts(row.position):
            continue
        event = decode(row, amendments.rewordings.get(row.position))
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
    as_called: bool = False,
    undone: bool = False,
) -> Iterator[Act]:
    """Yields the acts of branch `line` at positions `after`+1..`upto` that are not undone, in order.

    `as_written` ignores rewordings, `as_called` only those of names; `undone` includes undone acts.
    """
    amendments = read_amendments(record, line, upto)
    rewordings = {} if as_written else amendments.rewordings
    if as_called:
        rewordings = {
            about: _without_names(record, line, about, words) for about, words in rewordings.items()
        }
    waiting: list[Recorded] = []
    for row in record.rows(line, after, upto):
        if not undone and not amendments.counts(row.position):
            continue
        event = decode(row, rewordings.get(row.position))
        if event.envelope.i == 1 and waiting:
            yield Act(waiting[0].position, waiting[-1].position, tuple(waiting))
            waiting = []
        waiting.append(event)
        if event.envelope.i == event.envelope.n:
            yield Act(waiting[0].position, waiting[-1].position, tuple(waiting))
            waiting = []


def _without_names(record: Record, line: int, about: int, words: dict[int, str]) -> dict[int, str]:
    named = names_in(record, line, about)
    return {word: text for word, text in words.items() if word not in named}


NAMING: Final = ("title", "alias", "name")
"""Fields with a name that later commands may refer to."""


def names_in(record: Record, line: int, position: int) -> frozenset[int]:
    """Returns the indexes of the event's texts that are its name, alias or title field; empty if none."""
    row = record.row(line, position)
    data = {} if row is None else from_json(row.body)["data"]
    found = (data.get(field) for field in NAMING)
    return frozenset(
        value[REFERENCE] for value in found if isinstance(value, dict) and value.keys() == {REFERENCE}
    )


def act_at(record: Record, line: int, at: int, head: int, amendments: Amendments) -> Act:
    """Returns the act with an event at position `at` of branch `line`, which ends at `head`.

    Raises Refused if the act is undone, or if there is no such position.
    """
    if not 1 <= at <= head:
        raise Refused(f"There is no position {at} on this line: it ends at {head}.")
    if not amendments.counts(at):
        raise Refused(f"Position {at} was taken back, so it has no event.")
    row = record.row(line, at)
    if row is None:
        raise Damaged(f"Position {at} of line {line} is missing.")
    envelope = from_json(row.body)
    last = at - envelope["i"] + envelope["n"]
    found = next(acts_backwards(record, line, last + 1, amendments), None)
    if found is None:
        raise Damaged(f"The act at position {at} of line {line} is broken.")
    return found


def mainline(record: Record) -> int:
    """Returns the number of the mainline: the last promoted branch, or 1 if none was promoted."""
    line = 1
    for row in record.everything(("table.promoted",)):
        line = row.line
    return line


@lru_cache(maxsize=1024)
def _name(row: Row) -> str | None:
    """Returns a branch's name from `row`, its first event; None if the name is redacted."""
    try:
        reference = from_json(row.body)["data"]["name"]
    except (ValueError, KeyError, TypeError):
        raise unreadable_event(row) from None
    return text_of(row, reference)


def line_names(record: Record) -> dict[int, str]:
    """Returns each branch's name by its number; the one being played is called `mainline`.

    The first branch is otherwise called `first-line`, and a branch with a redacted name `line-3`.
    """
    main = mainline(record)
    names = {1: "first-line"}
    for row in record.forks():
        names[row.line] = _name(row) or f"line-{row.line}"
    names[main] = "mainline"
    return names
