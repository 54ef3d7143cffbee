"""What is answered to a line of a table's own game where its events, one by one, would be long to read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from journal.systems.homebrew import events as h
from journal.systems.homebrew.state import shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections import safe
from projections.views import order

_OF_INITIATIVE: Final = (e.DiceRolled, e.TotalReached, h.InitiativeRolled)


def answer(table: Table, events: Sequence[Event]) -> Iterator[str] | None:
    """The order in which people go, where an act gave them their numbers; None where its events are said."""
    rolled = [one for one in events if isinstance(one, h.InitiativeRolled)]
    conflict = table.conflicts.get(rolled[0].conflict) if rolled else None
    if conflict is None or not all(isinstance(one, _OF_INITIATIVE) for one in events):
        return None
    return map(safe.line, _order(table, conflict, events, [one.who for one in rolled]))


def further(table: Table, events: Sequence[Event]) -> Iterator[str]:
    """What is added to the events of an act: who went out, and, where a turn began, who is next."""
    changes = [event for event in events if isinstance(event, h.TrackChanged)]
    out = dict.fromkeys(event.who for event in changes if _went_out(table, event))
    if out:
        yield safe.line(f"Out now: {', '.join(map(table.name, out))}.")
    for event in events:
        conflict = table.conflicts.get(event.conflict) if isinstance(event, h.TurnBegan) else None
        if conflict is not None:
            yield from filter(None, (safe.line(_next(table, conflict)),))


def _went_out(table: Table, event: h.TrackChanged) -> bool:
    return event.was != event.now and shelf(table).is_out_by(event.who, event.track)


def _order(
    table: Table, conflict: OpenConflict, events: Sequence[Event], people: Sequence[int]
) -> Iterator[str]:
    dice = {
        one.who: f"{one.dice}: {' '.join(map(str, one.faces))}"
        for one in events
        if isinstance(one, e.DiceRolled) and one.who is not None
    }
    yield order.told(table, conflict, dice)
    yield from _ties(table, conflict, people)


def _ties(table: Table, conflict: OpenConflict, people: Sequence[int]) -> Iterator[str]:
    """Who goes first at one number, and how the table has it otherwise."""
    places = order.of(table, conflict)
    numbers = {one.number for one in places}
    for number in dict.fromkeys(one.number for one in places if one.who in people):
        tied = [one.who for one in places if one.number == number]
        if number is None or not tied[1:]:
            continue
        names = " before ".join(map(table.name, tied))
        otherwise = f" For another order: initiative {table.quoted(tied[-1])} {number + 1}."
        yield f"At {number}, {names}.{otherwise if number + 1 not in numbers else ''}"


def _next(table: Table, conflict: OpenConflict) -> str:
    places = order.of(table, conflict)
    following = [table.name(one.who) for one in places if one.next and not one.now]
    out = [table.name(one.who) for one in places if one.out]
    said = (f"Next: {following[0]}." if following else "", f"Out: {', '.join(out)}." if out else "")
    return " ".join(filter(None, said))
