"""What is gathered of everybody as a line is heard, and kept until more of it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from msgspec import Struct, field

from journal.systems import SYSTEMS
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM
from projections.comparing import changes
from projections.dossiers.known import Evening
from projections.prose.phrases import ENGLISH
from projections.reading import Moment, Projection, Reading
from projections.transcript.attendance import done_to, people_in

MOST_SPOKEN: Final = 3
"""How many of somebody's speeches are shown: the last ones."""


class Said(NamedTuple):
    """A text, where it was said, in which session, and by whom where that is plain."""

    at: int
    session: int | None
    who: int | None
    text: str


class Changed(NamedTuple):
    """What became otherwise up to a position, since a session; in the order in which it was found."""

    at: int
    session: int | None
    told: str


class Fought(Struct):
    """A conflict: whatever it is called by, and who won it."""

    session: int | None
    title: str | None
    sides: tuple[tuple[int, ...], ...]
    system: str
    how: str | None = None
    winner: int | None = None


class Draft(Struct):
    """One person as they become known. Sessions and conflicts stand with the position that first says so."""

    sessions: dict[int, int] = field(default_factory=dict)
    players: dict[int, dict[int, int]] = field(default_factory=dict)
    """By player, the sessions."""
    conflicts: dict[int, int] = field(default_factory=dict)
    changes: list[Changed] = field(default_factory=list)
    quotes: list[Said] = field(default_factory=list)
    spoken: list[Said] = field(default_factory=list)
    notes: list[Said] = field(default_factory=list)


class Drafts(Struct):
    """Everybody as far as a line was heard, each under the number they had there."""

    people: dict[int, Draft] = field(default_factory=dict)
    evenings: dict[int, Evening] = field(default_factory=dict)
    fought: dict[int, Fought] = field(default_factory=dict)
    session: int | None = None
    """The session that is open."""
    begun: tuple[int, int] | None = None
    """The session that was begun last, and where."""
    chores: str | None = None
    """The act it was begun in."""

    def of(self, person: int) -> Draft:
        """That of somebody."""
        return self.people.setdefault(person, Draft())

    def hear(self, moment: Moment, reading: Reading) -> None:
        """Takes note of a moment."""
        event = moment.event
        if isinstance(event, e.SessionOpened):
            self._begin(event, moment, reading)
        elif isinstance(event, e.SessionClosed):
            self.session = None
        if self.chores != moment.envelope.act:
            self._meet(moment)
        self._note(moment)
        self._follow(moment)

    def changed(self, reading: Reading, after: Table) -> Iterator[tuple[int, Changed]]:
        """What became otherwise of whom since the last session was begun."""
        session, before = None, Table()
        if self.begun is not None:
            session, at = self.begun
            before = reading.table_at(at)
        for one in changes.told(before, after, ENGLISH):
            if isinstance(one.about, int):
                yield one.about, Changed(after.position, session, one.sentence)

    def _begin(self, event: e.SessionOpened, moment: Moment, reading: Reading) -> None:
        """An evening begins: what every opening does to everybody is no news of anybody."""
        for person, changed in self.changed(reading, moment.table):
            self.of(person).changes.append(changed)
        self.begun = event.session, moment.position
        self.chores, self.session = moment.envelope.act, event.session
        title = None if event.title is None else event.title.text
        self.evenings[event.session] = Evening(event.session, title, event.date)

    def _meet(self, moment: Moment) -> None:
        session, people = moment.table.session, moment.table.people
        if session is None or session not in self.evenings:
            return
        for one in {GM, *people_in(moment.event), *done_to(moment.event)}:
            if one == GM and people[GM].player is None:
                continue
            player = people[one].player if one in people else None
            self.of(one).sessions.setdefault(session, moment.position)
            if player is not None:
                self.of(player).sessions.setdefault(session, moment.position)
                self.of(one).players.setdefault(player, {}).setdefault(session, moment.position)

    def _note(self, moment: Moment) -> None:
        """What somebody said in character, and what was noted of them."""
        event = moment.event
        match event:
            case e.Said():
                spoken = self.of(event.who).spoken
                spoken.append(self._said(moment, event.who, str(event.text)))
                del spoken[:-MOST_SPOKEN]
            case e.Noted() if event.person is not None:
                draft = self.of(event.person)
                noted = draft.quotes if event.quote else draft.notes
                noted.append(self._said(moment, getattr(event, "who", None), str(event.text)))

    def _said(self, moment: Moment, who: int | None, text: str) -> Said:
        return Said(moment.position, self.session, who, text)

    def _follow(self, moment: Moment) -> None:
        """Who stands in which conflict, and how it ended."""
        event, table = moment.event, moment.table
        match event:
            case e.ConflictOpened() | e.Joined():
                conflict = table.conflicts[event.conflict]
                title = None if conflict.title is None else str(conflict.title)
                system = SYSTEMS[conflict.system].called(table)
                self.fought[event.conflict] = Fought(table.session, title, conflict.sides, system)
                for one in conflict.people:
                    self.of(one).conflicts.setdefault(event.conflict, moment.position)
            case e.ConflictEnded() if event.conflict in self.fought:
                fought = self.fought[event.conflict]
                fought.how, fought.winner = event.how, event.winner


def _hear(drafts: Drafts, reading: Reading, after: int) -> None:
    for moment in reading.moments(after):
        drafts.hear(moment, reading)


DRAFTS: Final = Projection("dossiers", Drafts, _hear)


def merged(drafts: list[Draft]) -> Draft:
    """What is known of several who turned out to be the same, in the order in which it came to be known."""
    if len(drafts) == 1:
        return drafts[0]
    one = Draft()
    for draft in drafts:
        first_of(one.sessions, draft.sessions)
        first_of(one.conflicts, draft.conflicts)
        for player, there in draft.players.items():
            first_of(one.players.setdefault(player, {}), there)
        one.changes += draft.changes
        for own, of_another in zip(_texts(one), _texts(draft), strict=True):
            own.extend(of_another)
    for own in _texts(one):
        own.sort(key=lambda said: said.at)
    one.changes.sort(key=lambda changed: changed.at)
    del one.spoken[:-MOST_SPOKEN]
    return one


def in_order(first: dict[int, int]) -> tuple[int, ...]:
    """Sessions or conflicts, by the positions that first say so."""
    return tuple(sorted(first, key=lambda one: first[one]))


def first_of(known: dict[int, int], more: Mapping[int, int]) -> None:
    """Takes in more sessions or conflicts, each with the position that first says so."""
    for one, at in more.items():
        known[one] = min(at, known.get(one, at))


def _texts(draft: Draft) -> tuple[list[Said], ...]:
    return draft.quotes, draft.spoken, draft.notes
