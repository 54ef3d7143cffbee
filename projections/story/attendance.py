"""Attendance in a range of positions: people who appeared, players of characters, session leaders."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final, Self

from msgspec import Struct, field

from retold.journal.names import normalise
from retold.journal.table import Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from retold.projections.plain import people
from retold.projections.reading import Moment
from retold.projections.views.map import plans


class Attendance(Struct):
    """Attendance record, filled moment by moment (an event with the table state after it), in order."""

    names: dict[int, str]
    """Present names by person number."""
    seen: set[int] = field(default_factory=set)
    """People present: mentioned in more than a session's opening."""
    touched: set[int] = field(default_factory=set)
    """People present, targets of events, and players of these."""
    led: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Game masters of each session."""
    _played: dict[int, list[int]] = field(default_factory=dict)
    """Players of each character at its recorded moments, in order."""
    _chores: str | None = None

    @classmethod
    def beginning(cls, table: Table) -> Self:
        """Returns an empty record with people's names in `table`, the state before the first moment."""
        return cls({number: person.called for number, person in table.people.items()})

    def hear(self, moment: Moment) -> None:
        """Records the people in a moment's event, their players, and the game master of the current session.

        The act that opens a session is skipped, since it mentions all.
        """
        event, table = moment.event, moment.table
        if table.session is not None and table.game_masters:
            self.led[table.session] = table.game_masters
        if self._chores != moment.envelope.act:
            self._meet(event, table)
        if isinstance(event, e.SessionOpened):
            self._chores = moment.envelope.act
        if isinstance(event, _NAMING):
            self.names[event.person] = table.name(event.person)
        elif isinstance(event, e.Merged):
            self._merge(event, table)

    def _merge(self, event: e.Merged, table: Table) -> None:
        """Moves a person's records to the person they were merged into."""
        self.names[event.person] = table.name(event.into)
        for there in (self.seen, self.touched):
            if event.person in there:
                there.remove(event.person)
                there.add(event.into)
        played = [*self._played.pop(event.person, ()), *self._played.get(event.into, ())]
        self._played[event.into] = list(dict.fromkeys(played))

    def go_on(self, later: Attendance) -> None:
        """Adds the record of the part that follows; no persons may be merged in that part."""
        self.names = later.names
        self.seen |= later.seen
        self.touched |= later.touched
        self.led.update(later.led)
        for person, players in later._played.items():
            known = self._played.setdefault(person, [])
            goes_on = known[-1:] == players[:1]
            known += players[1:] if goes_on else players

    def leaders(self) -> tuple[str, ...]:
        """Returns the names of the game masters who led a session, each once, in order."""
        return tuple(
            dict.fromkeys(
                self.names[person] for led in self.led.values() for person in led if person in self.names
            )
        )

    def players_of(self, person: int, table: Table) -> tuple[int, ...]:
        """Returns a character's players during the moments heard, in order; else the player in `table`."""
        player = table.people[person].player
        return tuple(self._played.get(person, ())) or (() if player is None else (player,))

    def _meet(self, event: Event, table: Table) -> None:
        met = set(map(table.whose, people_in(event)))
        self.seen |= met
        met.update(map(table.whose, done_to(event)))
        if not met:
            return
        self.touched |= met
        # A new player between sessions belongs to the next session.
        seated = isinstance(event, e.PlayerSeated | e.GameMasterJoined) and table.session is None
        for person in met:
            player = table.people[person].player if person in table.people else None
            if player is not None:
                self.touched.add(player)
            if not seated:
                players = self._played.setdefault(person, [])
                if player is not None and (not players or players[-1] != player):
                    players.append(player)


def people_in(event: Event) -> Iterator[int]:
    """Yields the person numbers in an event's fields, without the list of absent people."""
    for key in _people_fields(type(event)):
        value = getattr(event, key)
        if type(value) is int:
            yield value
        elif value is not None:
            yield from _ids(value)


@cache
def _people_fields(kind: type[Event]) -> tuple[str, ...]:
    return tuple(key for key in kind.__struct_fields__ if key in people(kind.kind) and key != "absent")


_NAMING: Final = (e.CastIntroduced, e.Renamed)

_DONE_TO: Final = ("on", "target")
"""Fields holding a person's id or a thing's name."""


def done_to(event: Event) -> Iterator[int]:
    """Yields the person numbers of an event's targets, from its fields `on` and `target`."""
    for key in _done_to_fields(type(event)):
        if isinstance(target := getattr(event, key), int):
            yield target


@cache
def _done_to_fields(kind: type[Event]) -> tuple[str, ...]:
    return tuple(key for key in _DONE_TO if key in kind.__struct_fields__)


def _ids(value: object) -> Iterator[int]:
    if isinstance(value, tuple):
        for inner in value:
            yield from _ids(inner)
    elif isinstance(value, int):
        yield value


class CastIndex(Struct):
    """Index of the sessions and scenes in which each person and place appears, filled moment by moment.

    Keys are person numbers, and normalised names of places.
    """

    scene: str | None = None
    chores: str | None = None
    names: dict[str, str] = field(default_factory=dict)
    sessions: dict[int | str, dict[int, None]] = field(default_factory=dict)
    scenes: dict[int | str, dict[str, None]] = field(default_factory=dict)

    def hear(self, moment: Moment) -> None:
        """Adds the people and places of a moment under the current session and scene."""
        event, session = moment.event, moment.table.session
        if isinstance(event, e.SessionOpened):
            self.scene, self.chores = None, moment.envelope.act
        elif isinstance(event, e.SceneSet):
            self.scene = f"s{event.scene}"
        if session is None or self.chores == moment.envelope.act:
            return
        met: list[int | str] = [*_present(event), *map(self.place, _places(moment))]
        for key in met:
            self.sessions.setdefault(key, {})[session] = None
            if self.scene is not None:
                self.scenes.setdefault(key, {})[self.scene] = None

    def go_on(self, later: CastIndex) -> None:
        """Adds the index of the part that follows."""
        self.scene, self.chores = later.scene, later.chores
        self.names = later.names | self.names
        for mine, theirs in ((self.sessions, later.sessions), (self.scenes, later.scenes)):
            for key, there in theirs.items():
                mine.setdefault(key, {}).update(there)  # type: ignore[arg-type]

    def place(self, name: str) -> str:
        """Returns a place's key, its normalised name; records the first spelling, to be displayed."""
        self.names.setdefault(normalise(name), name)
        return normalise(name)


def _present(event: Event) -> Iterator[int]:
    """Yields the persons in an event and its targets; none if its words are about an earlier moment.

    A text around the story makes no one present.
    """
    told_later = isinstance(event, e.ToldLater) and event.about is not None
    if not (told_later or isinstance(event, e.PageTextWritten)):
        yield from people_in(event)
        yield from done_to(event)


def _places(moment: Moment) -> Iterator[str]:
    """Yields place names: a new scene's setting, and for an event in a conflict the zones of the maps."""
    event = moment.event
    if isinstance(event, e.SceneSet) and event.title.text is not None:
        where = event.title.text.partition(",")[0].strip()
        if normalise(where):
            yield where
    if getattr(event, "conflict", None) is not None:
        for _, plan in plans(moment.table):
            yield from (zone.name for zone in plan.zones)
