"""Who looks, and what they may see: the game master, the whole table, or somebody at it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from msgspec import Struct

from journal import names
from journal.refused import Refused
from journal.store.codec import Recorded, decode
from journal.table import Table
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary import events as e
from journal.vocabulary.base import GM
from journal.vocabulary.events import CastIntroduced
from projections.reading.recorded_line import RecordedLine


class Viewer(Struct, frozen=True):
    """Who looks: `person` None and not `gm` is the whole table; the game master sees everything."""

    gm: bool = True
    person: int | None = None
    also: frozenset[int] = frozenset()
    """Whom this person plays, and who plays them: what is for these is for them too."""

    def among(self, people: Sequence[int]) -> bool:
        """True if this viewer is one of `people`."""
        return self.person in people or not self.also.isdisjoint(people)


GAME_MASTER = Viewer()
"""The game master, who sees everything."""

EVERYBODY = Viewer(gm=False)
"""What the whole table may see."""

FOR_THE_GAME_MASTER = (
    *(e.CampaignBegun, e.Forked, e.Promoted, e.Retired, e.LineShown),
    *(e.Undone, e.Redone, e.Reworded, e.Redacted),
)
"""Kinds about the record itself: they hold bits and hashes, or point at what may be nobody else's to know."""

_OF_THE_RECORD = frozenset(kind.kind for kind in FOR_THE_GAME_MASTER)

WHISPERED = (e.Narrated, e.Said, e.Declared, e.SaidAside)
"""The kinds in which somebody (`who`) may speak for some ears only."""

_WHISPERED = frozenset(kind.kind for kind in WHISPERED)


class Known(NamedTuple):
    """What is asked of an event before somebody sees it; of one in the record or in the search index."""

    kind: str
    visible_to: VisibleTo
    """Who may see it by now: what was revealed is counted."""
    speakers: Sequence[int] = ()
    """Who whispers in it: that is no secret from them. Nobody, of what was for the game master alone."""
    depends_on: Sequence[Known] = ()
    """What it stands on, and whoever it names that was introduced in secret."""
    is_known: bool = True
    """False for a kind of a game that is not here, or of a later Retold."""


def may_see(event: Known, viewer: Viewer) -> bool:
    """True if this viewer may know of the event: the one place that decides it.

    Of a kind that nobody here knows only the game master is told anything: it may be sealed.
    """
    if viewer.gm:
        return True
    return event.is_known and event.kind not in _OF_THE_RECORD and _is_for(event, viewer)


def _is_for(event: Known, viewer: Viewer) -> bool:
    """True if it, and all it depends on, is visible to a viewer who is not the game master."""
    spoken = event.speakers if event.kind in _WHISPERED else ()
    if not is_among(event.visible_to, viewer) and not viewer.among(spoken):
        return False
    return all(_is_for(one, viewer) for one in event.depends_on)


def is_among(visible_to: VisibleTo, viewer: Viewer) -> bool:
    """True if the viewer is one of those to whom something is visible."""
    if viewer.gm or visible_to == TABLE:
        return True
    # What is for the game master alone is not shown even to whom it is about.
    return not isinstance(visible_to, str) and viewer.among(visible_to)


def others_among(visible_to: Sequence[int], viewer: Viewer) -> bool:
    """True if something is visible to anybody beside the viewer."""
    return not all(viewer.among((one,)) for one in visible_to)


def viewer_called(table: Table, name: str) -> Viewer:
    """The viewer meant by `gm`, `table`, or somebody's name; Refused where nobody is called so."""
    if name in ("gm", "table"):
        return GAME_MASTER if name == "gm" else EVERYBODY
    return viewer_of(table, names.find(name, table.names()))


def viewer_of(table: Table, person: int) -> Viewer:
    """The viewer that somebody is, with whom they play, or who plays them, at this table.

    Whoever sits in the game master's chair there sees what the game master sees.
    """
    if person in (GM, table.people[GM].player):
        return GAME_MASTER
    played = {one.id for one in table.everybody() if one.player == person}
    player = table.people[person].player
    group = {person, *played} if player is None else {person, *played, player}
    numbers = {number for one in group for number in table.numbers(one)}
    return Viewer(gm=False, person=person, also=frozenset(numbers - {person}))


INTRODUCTIONS = (CastIntroduced.kind,)


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


def arrival_of(past: RecordedLine, person: int) -> Arrival:
    """Where somebody came in, by their number on what is read; Refused where nobody has it."""
    for recorded in past.standing(kinds=INTRODUCTIONS):
        if isinstance(recorded.event, CastIntroduced) and recorded.event.person == person:
            return Arrival(recorded.line, recorded.position)
    raise Refused(f"Nobody on this line has the number {person}.")


def viewer_meant(past: RecordedLine, table: Table, whose: str | Arrival) -> Viewer:
    """The viewer meant by a name, as `viewer_called` has it, or by where they came in; Refused for nobody."""
    return (
        viewer_called(table, whose)
        if isinstance(whose, str)
        else viewer_of(table, person_meant(past, table, whose))
    )


def person_meant(past: RecordedLine, table: Table, arrival: Arrival) -> int:
    """The number that whoever came in there goes by now; Refused where they never came in."""
    person = _number_of(past, arrival)
    if person is None:
        raise Refused("The person this is for is not on the line that is read.")
    return table.whose(person)


def _number_of(past: RecordedLine, arrival: Arrival) -> int | None:
    """The number that whoever came in there has on what is read; None where they never came in.

    Where their arrival was told anew on another line, they are whoever came in under the same name with it.
    """
    row = past.row(arrival.position) if 0 < arrival.position <= past.position else None
    if row is not None and row.line == arrival.line:
        return _introduced(next(past.standing(arrival.position - 1, arrival.position, INTRODUCTIONS), None))
    is_there = arrival.line in past.record.store.streams()  # it is not in a copy from before it was begun
    first = past.record.row(arrival.line, arrival.position) if is_there else None
    if first is None or first.line != arrival.line:
        return None
    was = decode(first)
    again = (one for one in past.standing(kinds=INTRODUCTIONS) if _is_again(one, was))
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
