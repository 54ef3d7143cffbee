"""Viewers: the game master, the whole table, or one person; and whether they may see an event."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from typing import NamedTuple, Self

from msgspec import Struct

from retold.journal import names
from retold.journal.options import OPPONENTS, of_the_table
from retold.journal.refused import Refused
from retold.journal.store.events.codec import Recorded, decode
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from retold.journal.vocabulary.events import CastIntroduced
from retold.projections.reading.recorded_line import RecordedLine


class Viewer(Struct, frozen=True):
    """A viewer of the record: the game master (`gm`), one `person`, or the whole table (neither).

    The game master sees every event, the whole table only public ones.
    """

    gm: bool = True
    person: int | None = None
    also: frozenset[int] = frozenset()
    """This person's characters and player; what they may see, this person may see."""

    def among(self, people: Sequence[int]) -> bool:
        """True if `people` contains this person, one of their characters, or their player."""
        return self.person in people or not self.also.isdisjoint(people)


GAME_MASTER = Viewer()
"""The game master, who sees everything."""

EVERYBODY = Viewer(gm=False)
"""The whole table, which sees only public events."""

FOR_THE_GAME_MASTER = (
    *(e.CampaignBegun, e.Forked, e.Promoted, e.Retired, e.LineShown),
    *(e.Undone, e.Redone, e.Reworded, e.Redacted),
)
"""Event kinds about the record: they hold hashes, or refer to positions others may not know."""

_OF_THE_RECORD = frozenset(kind.kind for kind in FOR_THE_GAME_MASTER)

WHISPERED = (e.Narrated, e.Said, e.Declared, e.SaidAside)
"""Event kinds in which a person (`who`) may address only some people."""

_WHISPERED = frozenset(kind.kind for kind in WHISPERED)


class Known(NamedTuple):
    """Facts about an event that decide who may see it, taken from the record or from the search index."""

    kind: str
    visible_to: VisibleTo
    """Current audience, reveals counted."""
    speakers: Sequence[int] = ()
    """Speakers of a whisper, who always see it; empty for an event for the game master alone."""
    depends_on: Sequence[Known] = ()
    """Visibility facts of events it refers to, and of introductions of secret people it names."""
    is_known: bool = True
    """False for an event kind of a missing game, or of a later Retold."""


def may_see(event: Known, viewer: Viewer) -> bool:
    """True if `viewer` may know of the event with these facts; the single place that decides this.

    Events of unknown kinds are for the game master alone, since they may be sealed.
    """
    if viewer.gm:
        return True
    return event.is_known and event.kind not in _OF_THE_RECORD and _is_for(event, viewer)


def _is_for(event: Known, viewer: Viewer) -> bool:
    """True if a viewer other than the game master sees the event and every event it depends on."""
    spoken = event.speakers if event.kind in _WHISPERED else ()
    if not is_among(event.visible_to, viewer) and not viewer.among(spoken):
        return False
    return all(_is_for(dependency, viewer) for dependency in event.depends_on)


def is_among(visible_to: VisibleTo, viewer: Viewer) -> bool:
    """True if `viewer` belongs to the audience `visible_to`; the game master always does."""
    if viewer.gm or visible_to == TABLE:
        return True
    # An event for the game master alone is hidden even from the people it is about.
    return not isinstance(visible_to, str) and viewer.among(visible_to)


def others_among(visible_to: Sequence[int], viewer: Viewer) -> bool:
    """True if people other than the viewer belong to the audience `visible_to`."""
    return not all(viewer.among((person,)) for person in visible_to)


def people_of(viewer: Viewer, table: Table) -> frozenset[int]:
    """Returns ids of a viewer and their characters, or their player; empty for the table and game master."""
    return frozenset(person.id for person in table.everybody() if viewer.among((person.id,)))


def opponents_of(table: Table, seated: Mapping[int, int]) -> frozenset[int]:
    """Returns ids of people whose numbers are hidden from players: those without a player.

    `seated` maps people to the players that the viewer knows of. Empty if all numbers are shown, or without
    such a player.
    """
    chosen = of_the_table(table, OPPONENTS)
    games = SYSTEMS.among(table.games())
    is_hidden = chosen == "hidden" or (chosen == "game" and any(game.hides_numbers(table) for game in games))
    has_players = is_hidden and any(player != GM for player in seated.values())
    return frozenset(number for number in table.people if has_players and seated.get(number, GM) == GM)


def without_numbers(
    table: Table, event: Event, opponents: Collection[int], after: Callable[[], object]
) -> Event:
    """Returns an event without numbers of `opponents`; `after` returns what was recorded next."""
    games = SYSTEMS.among(table.games()) if opponents else ()
    return reduce(lambda seen, game: game.without_numbers(table, seen, opponents, after), games, event)


def viewer_called(table: Table, name: str) -> Viewer:
    """Returns the viewer named `gm`, `table`, or by a person's name; Refused for an unknown name."""
    if name in ("gm", "table"):
        return GAME_MASTER if name == "gm" else EVERYBODY
    return viewer_of(table, names.find(name, table.names()))


def viewer_of(table: Table, person: int) -> Viewer:
    """Returns the viewer for a person, who also sees through their characters or their player.

    A person in the game master's chair gets the game master's view.
    """
    if person in (GM, *table.game_masters):
        return GAME_MASTER
    played = {somebody.id for somebody in table.everybody() if somebody.player == person}
    player = table.people[person].player
    group = {person, *played} if player is None else {person, *played, player}
    numbers = {number for member in group for number in table.numbers(member)}
    return Viewer(gm=False, person=person, also=frozenset(numbers - {person}))


INTRODUCTIONS = (CastIntroduced.kind,)


class Arrival(NamedTuple):
    """A person's introduction to the campaign: number of the stored branch, and event position on it, from 1.

    Identifies a person across branches; a person number may mean different people on diverged branches.
    """

    line: int
    position: int

    def __str__(self) -> str:
        """Returns the stored form, such as `1:5` for branch 1, position 5."""
        return f"{self.line}:{self.position}"

    @classmethod
    def read(cls, kept: str) -> Self:
        """Parses a stored form such as `1:5`; ValueError for any other text."""
        line, position = kept.split(":")
        return cls(int(line), int(position))


def arrival_of(past: RecordedLine, person: int) -> Arrival:
    """Returns branch and position where person `person` was introduced; Refused for an unknown number."""
    for recorded in past.standing(kinds=INTRODUCTIONS):
        if isinstance(recorded.event, CastIntroduced) and recorded.event.person == person:
            return Arrival(recorded.line, recorded.position)
    raise Refused(f"No person on this line has the number {person}.")


def viewer_meant(past: RecordedLine, table: Table, whose: str | Arrival) -> Viewer:
    """Returns the viewer given by name (see `viewer_called`) or by arrival (their introduction).

    Refused for an unknown name or arrival.
    """
    return (
        viewer_called(table, whose)
        if isinstance(whose, str)
        else viewer_of(table, person_meant(past, table, whose))
    )


def person_meant(past: RecordedLine, table: Table, arrival: Arrival) -> int:
    """Returns the current number of the person introduced at `arrival`.

    Refused if they are not on the branch.
    """
    person = _number_of(past, arrival)
    if person is None:
        raise Refused("The person this is for is not on this line.")
    return table.whose(person)


def _number_of(past: RecordedLine, arrival: Arrival) -> int | None:
    """Returns the number, on this branch, of the person introduced at `arrival`; None if absent.

    If the introduction was recorded again on another branch, by a fix, the same name in the same act counts.
    """
    row = past.row(arrival.position) if 0 < arrival.position <= past.position else None
    if row is not None and row.line == arrival.line:
        return _introduced(next(past.standing(arrival.position - 1, arrival.position, INTRODUCTIONS), None))
    is_there = arrival.line in past.record.store.streams()  # a copy of the file may be older than the line
    first = past.record.row(arrival.line, arrival.position) if is_there else None
    if first is None or first.line != arrival.line:
        return None
    was = decode(first)
    again = (recorded for recorded in past.standing(kinds=INTRODUCTIONS) if _is_again(recorded, was))
    return _introduced(next(again, None))


def _introduced(recorded: Recorded | None) -> int | None:
    event = None if recorded is None else recorded.event
    return event.person if isinstance(event, CastIntroduced) else None


def _is_again(recorded: Recorded, was: Recorded) -> bool:
    """True if `recorded` introduces the same person as `was`: the same name, in the same act.

    False if the name was redacted.
    """
    now, then = recorded.event, was.event
    return (
        isinstance(now, CastIntroduced)
        and isinstance(then, CastIntroduced)
        and recorded.envelope.act == was.envelope.act
        and then.name.text is not None
        and now.name.text == then.name.text
    )
