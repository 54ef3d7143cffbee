"""Where somebody came into the record: what tells them from everybody else, whatever their name is since."""

from __future__ import annotations

from typing import NamedTuple, Self

from journal.refused import Refused
from journal.store.codec import Recorded, decode
from journal.table import Table
from journal.vocabulary.events import CastIntroduced
from projections.reading.past import Past
from projections.reading.viewers import Viewer, viewer_called, viewer_of

KINDS = (CastIntroduced.kind,)


class Arrival(NamedTuple):
    """The event by which somebody came in: the line it is stored on, and its position there, from 1.

    A number is no such thing: on two lines that have parted it may stand for two people.
    """

    line: int
    position: int

    def __str__(self) -> str:
        """As it is kept: `1:5`."""
        return f"{self.line}:{self.position}"

    @classmethod
    def read(cls, kept: str) -> Self:
        """That of `1:5`; ValueError for anything else."""
        line, position = kept.split(":")
        return cls(int(line), int(position))


def arrival_of(past: Past, person: int) -> Arrival:
    """Where somebody came in, by their number on what is read; Refused where nobody has it."""
    for recorded in past.standing(kinds=KINDS):
        if isinstance(recorded.event, CastIntroduced) and recorded.event.person == person:
            return Arrival(recorded.line, recorded.position)
    raise Refused(f"Nobody on this line has the number {person}.")


def viewer_meant(past: Past, table: Table, whose: str | Arrival) -> Viewer:
    """The viewer meant by a name, as `viewer_called` has it, or by where they came in; Refused for nobody."""
    return (
        viewer_called(table, whose)
        if isinstance(whose, str)
        else viewer_of(table, person_meant(past, table, whose))
    )


def person_meant(past: Past, table: Table, arrival: Arrival) -> int:
    """The number that whoever came in there goes by now; Refused where they never came in."""
    person = _number_of(past, arrival)
    if person is None:
        raise Refused("Whoever this is for is not on the line that is read.")
    return table.whose(person)


def _number_of(past: Past, arrival: Arrival) -> int | None:
    """The number that whoever came in there has on what is read; None where they never came in.

    Where their arrival was told anew on another line, they are whoever came in under the same name with it.
    """
    row = past.row(arrival.position) if 0 < arrival.position <= past.position else None
    if row is not None and row.line == arrival.line:
        return _introduced(next(past.standing(arrival.position - 1, arrival.position, KINDS), None))
    is_there = arrival.line in past.record.store.streams()  # it is not in a copy from before it was begun
    first = past.record.row(arrival.line, arrival.position) if is_there else None
    if first is None or first.line != arrival.line:
        return None
    was = decode(first)
    again = (one for one in past.standing(kinds=KINDS) if _is_again(one, was))
    return _introduced(next(again, None))


def _introduced(recorded: Recorded | None) -> int | None:
    event = None if recorded is None else recorded.event
    return event.person if isinstance(event, CastIntroduced) else None


def _is_again(one: Recorded, was: Recorded) -> bool:
    """True for the same arrival, decided once more with its act; one whose name is gone is nobody else's."""
    now, then = one.event, was.event
    return (
        isinstance(now, CastIntroduced)
        and isinstance(then, CastIntroduced)
        and one.envelope.act == was.envelope.act
        and then.name.text is not None
        and now.name.text == then.name.text
    )
