"""Puts together what a viewer may know of each: what was gathered, noted, and where each is named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from journal.store.progress import Progress
from journal.table import Somebody, Table
from journal.vocabulary.base import GM, Event
from projections.dossiers.drafts import DRAFTS, Draft, Said, first_of, in_order, merged
from projections.dossiers.known import Changed, Fought, Key, MatterKnown, PersonKnown, Stands, With
from projections.mentions import Names, Spot
from projections.named import Mentions, Naming
from projections.reading import Reading
from projections.views import VIEWS, cast
from projections.views.matters import HEARD
from projections.views.naming import called
from projections.views.sheet import NOBODY

STANDING: Final = ("points", "health", "stress", "fallout", "tracks")
"""The views that say how somebody stands, in rows that begin with whom they are about."""


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
    """What a reading knows of everybody and everything.

    What is gathered of people is kept, and only what was recorded since is heard; `last` is how many of the
    places in which one is named are told, all of them if None.
    """

    def __init__(
        self, reading: Reading, progress: Progress | None = None, *, last: int | None = None
    ) -> None:
        self._reading = reading.telling(progress)
        self._last = last
        self._table = reading.table
        self._hearing = HEARD.of(reading)
        self._gathered = DRAFTS.of(self._reading)
        for person, changed in self._gathered.changed(reading, self._table):
            self._gathered.of(person).changes.append(changed)

    # --- what is asked ---

    @property
    def matters(self) -> tuple[int, ...]:
        """Every thread, place and thing that is known, by where it was opened."""
        return tuple(self._hearing.drafts)

    @property
    def people(self) -> tuple[int, ...]:
        """Everybody, in the order they were introduced; a game master whom nobody has named is left out."""
        return tuple(one.id for one in self._table.everybody() if one.id != GM or one.player is not None)

    def names(self, matter: int) -> tuple[str, ...]:
        """Every name that a thread, a place or a thing has had, the one it has now first."""
        return tuple(reversed(self._hearing.of(matter).called))

    def matter(self, at: int) -> MatterKnown:
        """What is known of the thread, place or thing that was opened there."""
        draft = self._hearing.of(at)
        seen = draft.seen(self._reading, 0)
        places = [place for place in self._mentions.places(("matter", at)) if place > draft.since]
        mentions, earlier = self._told(("matter", at), places)
        return MatterKnown(
            seen.id, seen.name, seen.former, draft.sort, seen.notes, seen.closed, mentions, earlier
        )

    def person(self, person: int) -> PersonKnown:
        """What is known of somebody."""
        somebody, draft = self._table.people[person], self._draft(person)
        seen = cast.person(self._table, somebody)
        of = ("person", person)
        mentions, earlier = self._told(of, self._mentions.places(of))
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
            sessions=tuple(self._gathered.evenings[one] for one in in_order(draft.sessions)),
            conflicts=tuple(self._fought(one) for one in in_order(draft.conflicts)),
            changes=tuple(Changed(one.session, one.told) for one in draft.changes),
            now=tuple(standing(self._table, person)),
            sheets={seen.games[system]: sheet for system, sheet in cast.told_sheets(seen).items()},
            quotes=tuple(map(self._spot, draft.quotes)),
            spoken=tuple(map(self._spot, draft.spoken)),
            notes=tuple(map(self._spot, draft.notes)),
            mentions=mentions,
            earlier=earlier,
        )

    # --- how it is put together ---

    @cached_property
    def _drafts(self) -> Mapping[int, Draft]:
        """Everybody as they are by now: two who turned out to be the same are one."""
        same: dict[int, list[Draft]] = {}
        for person, draft in self._gathered.people.items():
            same.setdefault(self._table.whose(person), []).append(draft)
        return {person: merged(drafts) for person, drafts in same.items()}

    def _draft(self, person: int) -> Draft:
        return self._drafts.get(person, Draft())

    def _spot(self, said: Said) -> Spot:
        who = None if said.who is None else self._table.shown(said.who)
        return Spot(self._reading.ids.at(said.at), said.session, who, said.text)

    def _fought(self, conflict: int) -> Fought:
        kept = self._gathered.fought[conflict]
        title = called(kept.title, kept.sides, self._table)
        winner = None if kept.winner is None else self._table.shown(kept.winner)
        return Fought(kept.session, title, kept.system, kept.how, winner)

    def _players(self, draft: Draft) -> Mapping[int, Sequence[int]]:
        """Who played somebody, in which sessions; whoever did first before the others."""
        players: dict[int, dict[int, int]] = {}
        for player, there in draft.players.items():
            first_of(players.setdefault(self._table.whose(player), {}), there)
        first = sorted(players.items(), key=lambda one: min(one[1].values()))
        return {player: in_order(there) for player, there in first}

    def _played_by(self, somebody: Somebody, draft: Draft) -> Iterator[With]:
        players = dict(self._players(draft))
        for player in (*somebody.players, somebody.player):
            if player is not None:
                players.setdefault(player, ())
        yield from (With(self._table.shown(player), tuple(there)) for player, there in players.items())

    def _plays(self, player: int) -> Iterator[With]:
        for one in self._table.everybody():
            players = self._players(self._draft(one.id))
            if player in players or one.player == player:
                yield With(self._table.shown(one.id), tuple(players.get(player, ())))

    def _told(self, of: Key, places: Sequence[int]) -> tuple[tuple[Spot, ...], int]:
        """The last of the texts at these positions that name one, and how many come before them."""
        first = 0 if self._last is None else max(len(places) - self._last, 0)
        spots = [self._said(one) for at in dict.fromkeys(places[first:]) for one in self._mentions.at(of, at)]
        return tuple(spots[first - len(places) :] if places else ()), first

    def _said(self, one: Naming) -> Spot:
        who: int | None = getattr(one.event, "who", None)
        at = one.recorded.position
        said = Said(at, self._hearing.session_at(at), who if isinstance(who, int) else None, one.text)
        return self._spot(said)

    @cached_property
    def _mentions(self) -> Mentions[Key]:
        """Where each is named, elsewhere than in what was noted of it."""
        names = Names({**self._people_called(), **{("matter", at): self.names(at) for at in self.matters}})
        return Mentions(self._reading, names, self._noted_of)

    def _noted_of(self, event: Event) -> Key | None:
        of = self._hearing.noted_of(event)
        return None if of is None else ("matter", of)

    def _people_called(self) -> dict[Key, Sequence[str]]:
        """Every name of everybody who has one, but of the game master's chair."""
        called = self._table.names().items()
        return {
            ("person", one): names for one, names in called if self._table.people[one].name.text and one != GM
        }
