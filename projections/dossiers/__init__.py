"""Dossiers: facts about one person, thread, place or thing, as far as a viewer knows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Final, NamedTuple

from msgspec import Struct, field

from retold.journal.grouping import grouped
from retold.journal.language.naming import find_by_whole_name
from retold.journal.names import find
from retold.journal.store.contract.progress import Progress
from retold.journal.systems import SYSTEMS
from retold.journal.table import Somebody, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event
from retold.projections.dossiers.known import (
    MENTIONED,
    Changed,
    DossierLine,
    DossierSection,
    Evening,
    Fought,
    Key,
    MatterKnown,
    PersonKnown,
    Stands,
    With,
    description,
    heading,
    sections,
)
from retold.projections.prose.phrases import ENGLISH, Phrases
from retold.projections.prose.phrases.languages import Language
from retold.projections.reading import LineView, Moment, Projection
from retold.projections.story import state_changes
from retold.projections.story.attendance import done_to, people_in
from retold.projections.views import VIEWS, cast
from retold.projections.views.matters import HEARD
from retold.projections.views.mentions import MentionsOnLine, Names, NamingText, Spot
from retold.projections.views.naming import conflict_name
from retold.projections.views.sheet import NOBODY

__all__ = [
    "MENTIONED",
    "DossierLine",
    "DossierSection",
    "Dossiers",
    "MatterKnown",
    "PersonKnown",
    "current_numbers",
    "description",
    "find_one",
    "heading",
    "sections",
]


MOST_SPOKEN: Final = 3
"""Maximum number of speeches shown for a person, the latest."""


class SpokenText(NamedTuple):
    """Speech or note with its event position, session and author; `who` is None if unknown."""

    at: int
    session: int | None
    who: int | None
    text: str


class ChangeDraft(NamedTuple):
    """Sentence on a change of a person's state (points, sheet), made since the session's start.

    `at` is the event position up to which states were compared.
    """

    at: int
    session: int | None
    told: str


class ConflictDraft(Struct):
    """Conflict in a dossier: session, title, sides, game, and how it ended (None while open)."""

    session: int | None
    title: str | None
    sides: tuple[tuple[int, ...], ...]
    system: str
    how: str | None = None
    winners: tuple[int, ...] = ()


class PersonDraft(Struct):
    """Facts collected about a person so far; each mapping's value is a position of first appearance."""

    sessions: dict[int, int] = field(default_factory=dict)
    players: dict[int, dict[int, int]] = field(default_factory=dict)
    """Sessions of each player."""
    conflicts: dict[int, int] = field(default_factory=dict)
    changes: list[ChangeDraft] = field(default_factory=list)
    quotes: list[SpokenText] = field(default_factory=list)
    spoken: list[SpokenText] = field(default_factory=list)
    notes: list[SpokenText] = field(default_factory=list)


class PersonDrafts(Struct):
    """Facts collected about every person on a branch, by the person number used at each event's time."""

    people: dict[int, PersonDraft] = field(default_factory=dict)
    evenings: dict[int, Evening] = field(default_factory=dict)
    fought: dict[int, ConflictDraft] = field(default_factory=dict)
    session: int | None = None
    """Number of the open session; None between sessions."""
    begun: tuple[int, int] | None = None
    """Number and opening position of the latest session."""
    chores: str | None = None
    """Act of the latest session opening."""

    def of(self, person: int) -> PersonDraft:
        """Returns the facts collected about `person`; adds an empty draft if missing."""
        draft = self.people.get(person)
        if draft is None:
            draft = self.people[person] = PersonDraft()
        return draft

    def hear(self, moment: Moment, reading: LineView, phrases: Phrases) -> None:
        """Adds the facts in one event: sessions, speech, notes, conflicts; `phrases` tell changes."""
        event = moment.event
        if isinstance(event, e.SessionOpened):
            self._begin(event, moment, reading, phrases)
        elif isinstance(event, e.SessionClosed):
            self.session = None
        if self.chores != moment.envelope.act:
            self._meet(moment)
        self._note(moment)
        self._follow(moment, phrases)

    def changed(self, reading: LineView, after: Table, phrases: Phrases) -> Iterator[tuple[int, ChangeDraft]]:
        """Yields person number and change, from the latest session's start to the table state `after`."""
        session, before = None, Table()
        if self.begun is not None:
            session, at = self.begun
            before = reading.table_at(at)
        for change in state_changes.tell_changes(before, after, phrases):
            if isinstance(change.about, int):
                yield change.about, ChangeDraft(after.position, session, change.sentence)

    def _begin(self, event: e.SessionOpened, moment: Moment, reading: LineView, phrases: Phrases) -> None:
        """Starts a session, and adds people's changes since the previous session's start."""
        for person, changed in self.changed(reading, moment.table, phrases):
            self.of(person).changes.append(changed)
        self.begun = event.session, moment.position
        reading.tables.keep(moment.position, moment.kept(), alone=True)  # for the next session's changes
        self.chores, self.session = moment.envelope.act, event.session
        title = None if event.title is None else event.title.text
        self.evenings[event.session] = Evening(event.session, title, event.date)

    def _meet(self, moment: Moment) -> None:
        session, people = moment.table.session, moment.table.people
        if session is None or session not in self.evenings:
            return
        for person in {GM, *people_in(moment.event), *done_to(moment.event)}:
            if person == GM and people[GM].player is None:
                continue
            player = people[person].player if person in people else None
            players: list[int] = [] if player is None else [player]
            players += people[GM].beside if person == GM else []
            draft = self.of(person)
            draft.sessions.setdefault(session, moment.position)
            for one in players:
                self.of(one).sessions.setdefault(session, moment.position)
                draft.players.setdefault(one, {}).setdefault(session, moment.position)

    def _note(self, moment: Moment) -> None:
        """Adds the event's in-character speech, or its note about a person, to that person's draft."""
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

    def _said(self, moment: Moment, who: int | None, text: str) -> SpokenText:
        return SpokenText(moment.position, self.session, who, text)

    def _follow(self, moment: Moment, phrases: Phrases) -> None:
        """Adds an opened conflict and its people, or the end of a conflict."""
        event, table = moment.event, moment.table
        match event:
            case e.ConflictOpened() | e.Joined():
                conflict = table.conflicts[event.conflict]
                title = None if conflict.title is None else str(conflict.title)
                system = phrases.named(conflict.system, SYSTEMS[conflict.system].called(table))
                self.fought[event.conflict] = ConflictDraft(table.session, title, conflict.sides, system)
                for person in conflict.people:
                    self.of(person).conflicts.setdefault(event.conflict, moment.position)
            case e.ConflictEnded() if event.conflict in self.fought:
                fought = self.fought[event.conflict]
                fought.how, fought.winners = event.how, table.ended[event.conflict].winners


def _drafts_in(phrases: Phrases) -> Projection[PersonDrafts]:
    """Returns the projection with changes told in `phrases`; each language has cached values of its own."""
    name = "dossiers" if phrases is ENGLISH else f"dossiers {phrases.language.code}"
    return Projection(name, PersonDrafts, partial(_hear, phrases=phrases))


def _hear(drafts: PersonDrafts, reading: LineView, after: int, *, phrases: Phrases) -> None:
    for moment in reading.moments(after):
        drafts.hear(moment, reading, phrases)


def merged(drafts: list[PersonDraft]) -> PersonDraft:
    """Returns one draft for several person numbers that turned out to be one person, sorted by position."""
    if len(drafts) == 1:
        return drafts[0]
    merged_draft = PersonDraft()
    for draft in drafts:
        first_of(merged_draft.sessions, draft.sessions)
        first_of(merged_draft.conflicts, draft.conflicts)
        for player, there in draft.players.items():
            first_of(merged_draft.players.setdefault(player, {}), there)
        merged_draft.changes += draft.changes
        for own, of_another in zip(_texts(merged_draft), _texts(draft), strict=True):
            own.extend(of_another)
    for own in _texts(merged_draft):
        own.sort(key=lambda spoken: spoken.at)
    merged_draft.changes.sort(key=lambda changed: changed.at)
    del merged_draft.spoken[:-MOST_SPOKEN]
    return merged_draft


def in_order(first: dict[int, int]) -> tuple[int, ...]:
    """Returns keys (sessions or conflicts) sorted by their value, the position of first appearance."""
    return tuple(sorted(first, key=lambda key: first[key]))


def first_of(known: dict[int, int], more: Mapping[int, int]) -> None:
    """Merges `more` into `known` (changed in place), keeping the smaller position of each key."""
    for key, at in more.items():
        known[key] = min(at, known.get(key, at))


def _texts(draft: PersonDraft) -> tuple[list[SpokenText], ...]:
    return draft.quotes, draft.spoken, draft.notes


STANDING: Final = ("points", "health", "stress", "fallout", "tracks")
"""Views with a person's current values, in rows that begin with the person."""


def current_numbers(table: Table, person: int) -> Iterator[Stands]:
    """Yields a person's current points, health, stress, fallout and tracks, each as name and value."""
    name = table.shown(person)
    for view in STANDING:
        of_table = VIEWS[view].of_table
        for row in of_table(table).sheet().rows if of_table is not None else ():
            now = " · ".join(cell for cell in row.cells[2:] if cell != NOBODY)
            if row.cells[0] == name and now:
                yield Stands(row.cells[1], now)


class Dossiers:
    """Dossiers of people, threads, places and things at the position of a line view.

    Collected facts are cached, and later calls read only newer events. `last` limits mentions to the last
    few; None lists them all. `language` is that of the sentences on changes, and of the game master's name.
    """

    def __init__(
        self,
        reading: LineView,
        progress: Progress | None = None,
        *,
        last: int | None = None,
        language: Language = ENGLISH.language,
    ) -> None:
        self._reading = reading.with_progress(progress)
        self._last = last
        phrases = ENGLISH if language.code == ENGLISH.language.code else Phrases(language=language)
        self._phrases = phrases
        self._gathered = _drafts_in(phrases).of(self._reading)
        self._table = reading.table  # kept by the walk
        self._hearing = HEARD.of(reading)
        for person, changed in self._gathered.changed(reading, self._table, phrases):
            self._gathered.of(person).changes.append(changed)

    # --- what is asked ---

    @property
    def matters(self) -> tuple[int, ...]:
        """Opening positions of known threads, places and things; each identifies one of them."""
        return tuple(self._hearing.drafts)

    @property
    def people(self) -> tuple[int, ...]:
        """Person numbers in order of introduction; a game master without a player is left out."""
        return tuple(
            somebody.id
            for somebody in self._table.everybody()
            if somebody.id != GM or somebody.player is not None
        )

    def named(self) -> Iterator[PersonKnown | MatterKnown]:
        """Returns the dossiers with a name: people but the game master, then threads, places and things."""
        people = (self.person(person) for person in self.people if person != GM)
        everything: list[PersonKnown | MatterKnown] = [*people, *map(self.matter, self.matters)]
        return (dossier for dossier in everything if dossier.name is not None)

    def names(self, matter: int) -> tuple[str, ...]:
        """Returns current and former names of a thread, place or thing, newest first."""
        return tuple(reversed(self._hearing.of(matter).called))

    def matter(self, at: int) -> MatterKnown:
        """Returns the dossier of the thread, place or thing opened at position `at`."""
        draft = self._hearing.of(at)
        seen = draft.seen(self._reading, 0)
        places = [place for place in self._mentions.places(("matter", at)) if place > draft.since]
        mentions, earlier = self._told(("matter", at), places)
        return MatterKnown(
            seen.id, seen.name, seen.former, draft.sort, seen.notes, seen.closed, mentions, earlier
        )

    def person(self, person: int) -> PersonKnown:
        """Returns the dossier of the person with this number."""
        somebody, draft = self._table.people[person], self._draft(person)
        seen = cast.person(self._table, somebody)
        key = ("person", person)
        mentions, earlier = self._told(key, self._mentions.places(key))
        return PersonKnown(
            id=person,
            name=seen.name,
            former=tuple(name.text for name in somebody.former if name.text is not None),
            role=seen.role,
            phrase=seen.phrase,
            aliases=seen.aliases,
            pronouns=seen.pronouns,
            forms=seen.forms,
            out=seen.out,
            retired=seen.retired,
            played_by=tuple(self._played_by(somebody, draft)),
            plays=tuple(self._plays(person)),
            sessions=tuple(self._gathered.evenings[session] for session in in_order(draft.sessions)),
            conflicts=tuple(self._fought(conflict) for conflict in in_order(draft.conflicts)),
            changes=tuple(Changed(change.session, change.told) for change in draft.changes),
            now=tuple(current_numbers(self._table, person)),
            sheets={seen.games[system]: sheet for system, sheet in cast.told_sheets(seen).items() if sheet},
            quotes=tuple(map(self._spot, draft.quotes)),
            spoken=tuple(map(self._spot, draft.spoken)),
            notes=tuple(map(self._spot, draft.notes)),
            mentions=mentions,
            earlier=earlier,
        )

    # --- how it is put together ---

    @cached_property
    def _drafts(self) -> Mapping[int, PersonDraft]:
        """Facts by current person number; facts about merged people are combined."""
        people = self._gathered.people
        same = grouped((self._table.whose(person), draft) for person, draft in people.items())
        return {person: merged(drafts) for person, drafts in same.items()}

    def _shown(self, person: int) -> str:
        return self._table.shown(person, self._phrases.say("names.gm"))

    def _draft(self, person: int) -> PersonDraft:
        return self._drafts.get(person, PersonDraft())

    def _spot(self, spoken: SpokenText) -> Spot:
        who = None if spoken.who is None else self._shown(spoken.who)
        return Spot(self._reading.ids.at(spoken.at), spoken.session, who, spoken.text)

    def _fought(self, conflict: int) -> Fought:
        kept = self._gathered.fought[conflict]
        title = conflict_name(kept.title, kept.sides, self._table, self._phrases.say("names.gm"))
        winner = " + ".join(map(self._shown, kept.winners)) or None
        return Fought(kept.session, title, kept.system, kept.how, winner)

    def _players(self, draft: PersonDraft) -> Mapping[int, Sequence[int]]:
        """Returns players of a character with their sessions, earliest player first."""
        players: dict[int, dict[int, int]] = {}
        for player, there in draft.players.items():
            first_of(players.setdefault(self._table.whose(player), {}), there)
        first = sorted(players.items(), key=lambda item: min(item[1].values()))
        return {player: in_order(there) for player, there in first}

    def _played_by(self, somebody: Somebody, draft: PersonDraft) -> Iterator[With]:
        players = dict(self._players(draft))
        for player in (*somebody.players, somebody.player):
            if player is not None:
                players.setdefault(player, ())
        yield from (With(self._shown(player), tuple(there)) for player, there in players.items())

    def _plays(self, player: int) -> Iterator[With]:
        for character in self._table.everybody():
            players = self._players(self._draft(character.id))
            if player in players or character.player == player:
                yield With(self._shown(character.id), tuple(players.get(player, ())))

    def _told(self, key: Key, places: Sequence[int]) -> tuple[tuple[Spot, ...], int]:
        """Returns the last mentions at `places` (event positions), and the number of mentions left out."""
        first = 0 if self._last is None else max(len(places) - self._last, 0)
        spots = [
            self._said(naming)
            for at in dict.fromkeys(places[first:])
            for naming in self._mentions.at(key, at)
        ]
        return tuple(spots[first - len(places) :] if places else ()), first

    def _said(self, naming: NamingText) -> Spot:
        who: int | None = getattr(naming.event, "who", None)
        at = naming.recorded.position
        spoken = SpokenText(
            at, self._hearing.session_at(at), who if isinstance(who, int) else None, naming.text
        )
        return self._spot(spoken)

    @cached_property
    def _mentions(self) -> MentionsOnLine[Key]:
        """Finder of texts that name people, threads, places or things.

        Notes on a thread (place, thing) do not count as mentions of it.
        """
        names = Names({**self._people_called(), **{("matter", at): self.names(at) for at in self.matters}})
        return MentionsOnLine(self._reading, names, self._noted_of)

    def _noted_of(self, event: Event) -> Key | None:
        opened = self._hearing.noted_of(event)
        return None if opened is None else ("matter", opened)

    def _people_called(self) -> dict[Key, Sequence[str]]:
        """Returns names by person, with their forms in other cases.

        The game master and people with a redacted name are left out.
        """
        called = ((self._table.people[person], names) for person, names in self._table.names().items())
        return {
            ("person", person.id): (*names, *person.forms_by_case.values())
            for person, names in called
            if person.name.text and person.id != GM
        }


def find_one(reading: LineView, dossiers: Dossiers, typed: str) -> PersonKnown | MatterKnown:
    """Returns the dossier of the person, thread, place or thing called `typed`.

    Refused if none, or several, match.
    """
    table = reading.table
    known = find_by_whole_name(table, typed)
    if known is not None:
        return dossiers.person(known)
    called: dict[Key, Sequence[str]] = {("person", person): names for person, names in table.names().items()}
    called |= {("matter", at): dossiers.names(at) for at in dossiers.matters}
    sort, number = find(typed, called)
    return dossiers.person(number) if sort == "person" else dossiers.matter(number)
