"""Hears all that a viewer may know of a line once, and puts together what is known of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from journal.store.progress import Progress
from journal.systems import SYSTEMS
from journal.table import Somebody, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM
from projections.comparing import changes
from projections.dossiers.known import Changed, Evening, Fought, Key, MatterKnown, PersonKnown, Stands, With
from projections.mentions import Names, Spot
from projections.prose.phrases import ENGLISH
from projections.reading import Moment, Reading
from projections.transcript.attendance import done_to, people_in
from projections.views import VIEWS, cast
from projections.views.matters import Heard, Hearing
from projections.views.naming import titled
from projections.views.sheet import NOBODY

MOST_SPOKEN: Final = 3
"""How many of somebody's speeches are shown: the last ones."""

STANDING: Final = ("points", "health", "stress", "fallout", "tracks")
"""The views that say how somebody stands, in rows that begin with whom they are about."""


@dataclass(slots=True)
class _Draft:
    """One person as they become known."""

    sessions: dict[int, None] = field(default_factory=dict)
    players: dict[int, dict[int, None]] = field(default_factory=dict)
    conflicts: dict[int, None] = field(default_factory=dict)
    changes: list[Changed] = field(default_factory=list)
    quotes: list[Spot] = field(default_factory=list)
    spoken: list[Spot] = field(default_factory=list)
    notes: list[Spot] = field(default_factory=list)


def standing(table: Table, person: int) -> Iterator[Stands]:
    """How all that is counted of somebody stands at this table."""
    name = table.shown(person)
    for view in STANDING:
        of_table = VIEWS[view].of_table
        for row in of_table(table).sheet().rows if of_table is not None else ():
            now = " · ".join(one for one in row.cells[2:] if one != NOBODY)
            if row.cells[0] == name and now:
                yield Stands(row.cells[1], now)


class Dossiers:
    """What a reading knows of everybody and everything: it is read once, when it is first asked."""

    def __init__(self, reading: Reading, progress: Progress | None = None) -> None:
        self._reading = reading
        self._table = reading.table
        self._hearing = Hearing(reading)
        self._drafts: dict[int, _Draft] = {}
        self._evenings: dict[int, Evening] = {}
        self._fought: dict[int, Fought] = {}
        self._before: tuple[int | None, Table] = None, Table()
        self._chores: str | None = None
        for moment in reading.moments(progress=progress):
            self._hear(moment)
        self._compare(self._table)

    # --- what is asked ---

    @property
    def matters(self) -> tuple[int, ...]:
        """Every thread, place and thing that is known, by where it was opened."""
        return tuple(self._hearing.known)

    @property
    def people(self) -> tuple[int, ...]:
        """Everybody, in the order they were introduced; a game master whom nobody has named is left out."""
        return tuple(one.id for one in self._table.everybody() if one.id != GM or one.player is not None)

    def names(self, matter: int) -> tuple[str, ...]:
        """Every name that a thread, a place or a thing has had, the one it has now first."""
        return tuple(reversed(self._hearing.drafts[matter].called))

    def matter(self, at: int) -> MatterKnown:
        """What is known of the thread, place or thing that was opened there."""
        draft = self._hearing.drafts[at]
        seen = draft.seen(self._reading.ids.at(at), 0)
        named = self._mentions.get(("matter", at), ())
        mentions = tuple(heard.spot for heard in named if heard.at > draft.since)
        return MatterKnown(seen.id, seen.name, seen.former, draft.sort, seen.notes, seen.closed, mentions)

    def person(self, person: int) -> PersonKnown:
        """What is known of somebody."""
        somebody, draft = self._table.people[person], self._drafts.get(person, _Draft())
        seen = cast.person(self._table, somebody)
        return PersonKnown(
            id=person,
            name=seen.name,
            former=tuple(one.text for one in somebody.former if one.text is not None),
            role=seen.role,
            phrase=seen.phrase,
            aliases=seen.aliases,
            out=seen.out,
            retired=seen.retired,
            played_by=tuple(self._played_by(somebody, draft)),
            plays=tuple(self._plays(person)),
            sessions=tuple(self._evenings[one] for one in draft.sessions),
            conflicts=tuple(self._fought[one] for one in draft.conflicts),
            changes=tuple(draft.changes),
            now=tuple(standing(self._table, person)),
            sheets={seen.games[system]: cast.flat(sheet) for system, sheet in seen.sheets.items()},
            quotes=tuple(draft.quotes),
            spoken=tuple(draft.spoken[-MOST_SPOKEN:]),
            notes=tuple(draft.notes),
            mentions=tuple(heard.spot for heard in self._mentions.get(("person", person), ())),
        )

    # --- how it is put together ---

    def _played_by(self, somebody: Somebody, draft: _Draft) -> Iterator[With]:
        players = dict(draft.players)
        for player in (*somebody.players, somebody.player):
            if player is not None:
                players.setdefault(player, {})
        yield from (With(self._table.shown(player), tuple(there)) for player, there in players.items())

    def _plays(self, player: int) -> Iterator[With]:
        for one in self._table.everybody():
            draft = self._drafts.get(one.id, _Draft())
            if player in draft.players or one.player == player:
                yield With(self._table.shown(one.id), tuple(draft.players.get(player, ())))

    @cached_property
    def _mentions(self) -> Mapping[Key, Sequence[Heard]]:
        """Where each is named, elsewhere than in what was noted of it."""
        found: dict[Key, list[Heard]] = {}
        names = Names({**self._people_called(), **{("matter", at): self.names(at) for at in self.matters}})
        for heard in self._hearing.said:
            for of in names.named(heard.spot.text) - {("matter", self._hearing.of(heard))}:
                found.setdefault(of, []).append(heard)
        return found

    def _people_called(self) -> dict[Key, Sequence[str]]:
        """Every name of everybody who has one, but of the game master's chair."""
        called = self._table.names().items()
        return {
            ("person", one): names for one, names in called if self._table.people[one].name.text and one != GM
        }

    # --- hearing ---

    def _hear(self, moment: Moment) -> None:
        event = moment.event
        if isinstance(event, e.SessionOpened):
            self._begin(event, moment)
        self._hearing.hear(moment.recorded)
        if self._chores != moment.envelope.act:
            self._meet(moment)
        self._note(moment)
        self._follow(moment)

    def _begin(self, event: e.SessionOpened, moment: Moment) -> None:
        """An evening begins: what every opening does to everybody is no news of anybody."""
        self._compare(moment.table)
        self._before = event.session, moment.kept()
        self._chores = moment.envelope.act
        title = None if event.title is None else event.title.text
        self._evenings[event.session] = Evening(event.session, title, event.date)

    def _compare(self, after: Table) -> None:
        session, before = self._before
        for one in changes.told(before, after, ENGLISH):
            if isinstance(one.about, int):
                self._draft(one.about).changes.append(Changed(session, one.sentence))

    def _draft(self, person: int) -> _Draft:
        return self._drafts.setdefault(self._table.whose(person), _Draft())

    def _meet(self, moment: Moment) -> None:
        session, people = moment.table.session, moment.table.people
        if session is None or session not in self._evenings:
            return
        for one in {GM, *people_in(moment.event), *done_to(moment.event)}:
            if one == GM and people[GM].player is None:
                continue
            player = people[one].player if one in people else None
            player = player if player is None else self._table.whose(player)
            self._draft(one).sessions[session] = None
            if player is not None:
                self._draft(player).sessions[session] = None
                self._draft(one).players.setdefault(player, {})[session] = None

    def _note(self, moment: Moment) -> None:
        """What somebody said in character, and what was noted of them."""
        event = moment.event
        match event:
            case e.Said():
                draft = self._draft(event.who)
                draft.spoken.append(self._hearing.spot(moment.recorded, event, str(event.text)))
            case e.Noted() if event.person is not None:
                draft = self._draft(event.person)
                noted = draft.quotes if event.quote else draft.notes
                noted.append(self._hearing.spot(moment.recorded, event, str(event.text)))

    def _follow(self, moment: Moment) -> None:
        """Who stands in which conflict, and how it ended."""
        event, table = moment.event, moment.table
        match event:
            case e.ConflictOpened() | e.Joined():
                conflict = table.conflicts[event.conflict]
                system = SYSTEMS[conflict.system].called(table)
                self._fought[event.conflict] = Fought(
                    table.session, titled(conflict, self._table), system, None, None
                )
                for one in conflict.people:
                    self._draft(one).conflicts[event.conflict] = None
            case e.ConflictEnded() if event.conflict in self._fought:
                winner = None if event.winner is None else self._table.shown(event.winner)
                ended = self._fought[event.conflict]._replace(how=event.how, winner=winner)
                self._fought[event.conflict] = ended
