"""State of one conflict: map, positions, turn order, and announced acts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct, field

from journal.capabilities import Border as BorderSeen
from journal.capabilities import Passing, Plan, Zone
from journal.names import normalise
from journal.system import StateAccess
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.options import NAME, chosen
from journal.systems.edgerunner.state.game_state import Defence, EdgerunnerState, Offer
from journal.systems.edgerunner.state.rolls import Action, OpenRoll
from journal.table import OpenConflict, Table
from journal.vocabulary.base import GM


class Border(Struct):
    """A border between two zones; until ways back are drawn, its ways lead in both directions."""

    one: str
    other: str
    there: dict[str, int]
    back: dict[str, int] | None = None
    threshold: int | None = None
    marked: set[int] = field(default_factory=set)
    defence: Defence | None = None

    @property
    def name(self) -> str:
        """Both zone names joined: `Dock-Aisle`."""
        return f"{self.one}-{self.other}"


class Spin(NamedTuple):
    """A spin held by `holder`, from the failed move of `maker` in exchange number `made`."""

    holder: int
    maker: int
    made: int


class Tale(NamedTuple):
    """An untold fate: `by` must narrate the end of `on`, a person or thing taken out."""

    on: int
    by: int


class EdgerunnerConflict(Struct):
    """State of one conflict."""

    conflict: int
    zones: list[str] = field(default_factory=list)
    pins: dict[str, tuple[int, int]] = field(default_factory=dict)
    borders: dict[tuple[str, str], Border] = field(default_factory=dict)
    places: dict[int, str] = field(default_factory=dict)
    lying: dict[str, str] = field(default_factory=dict)
    """Zone of each thing without a sheet, by name."""
    broken: dict[str, int] = field(default_factory=dict)
    """Destroyed borders by name, with the person who may redraw them."""
    exchange: int = 0
    step: int | None = None
    """Time step of an exchange."""
    turn: int | None = None
    bid: int = 0
    first: int | None = None
    """First actor of this exchange; table order starts there."""
    tied: dict[int, int] = field(default_factory=dict)
    """Tied bids by person."""
    acted: set[int] = field(default_factory=set)
    lingering: set[int] = field(default_factory=set)
    """People whose turn just ended; until the next turn they may still make their free move."""
    extras: set[int] = field(default_factory=set)
    """People who have used their additional act in this exchange."""
    moved_free: set[int] = field(default_factory=set)
    eroded: dict[tuple[int, str, str, str], int] = field(default_factory=dict)
    """Reductions of pass values by free moves, by mover, zones and way."""
    acts: list[Action] = field(default_factory=list)
    """Announced acts; each interrupts the previous one."""
    done: dict[int, Action] = field(default_factory=dict)
    """Acts of this exchange, by actor."""
    last: dict[int, Action] = field(default_factory=dict)
    """Acts of the previous exchange, by actor."""
    spins: list[Spin] = field(default_factory=list)
    spins_loose: int = 0
    """Spins without a holder, until the table rules; from the move of `spins_by`."""
    spins_by: int | None = None
    offers: list[Offer] = field(default_factory=list)
    """Unanswered compels of announced acts, oldest first."""
    deployed: dict[int, int] = field(default_factory=dict)
    """Faction that deployed each asset."""
    out: set[int] = field(default_factory=set)
    followers: set[int] = field(default_factory=set)
    """Things on a side with people; they do not keep that side in the conflict."""
    tales: list[Tale] = field(default_factory=list)

    @property
    def act(self) -> Action | None:
        """The latest act announced and not yet finished; None between acts."""
        return self.acts[-1] if self.acts else None

    def ways(self, start: str, end: str) -> dict[str, int] | None:
        """Returns the ways from zone `start` to zone `end` with their pass values; None without a border."""
        border = self.border(start, end)
        if border is None:
            return None
        return border.there if border.one == start else border.there if border.back is None else border.back

    def border(self, zone: str, other: str) -> Border | None:
        """Returns the border between two zones, drawn in either direction."""
        return self.borders.get((zone, other)) or self.borders.get((other, zone))

    @property
    def named(self) -> tuple[str, ...]:
        """Zone names, followed by border names."""
        return (*self.zones, *(border.name for border in self.borders.values()))

    def border_named(self, name: str) -> Border | None:
        """Returns the border named `Dock-Aisle` or `Aisle-Dock`; None if no border has that name."""
        called = normalise(name)
        return next(
            (
                border
                for border in self.borders.values()
                if called in (normalise(border.name), normalise(f"{border.other}-{border.one}"))
            ),
            None,
        )

    def zone_of(self, thing: int | str) -> str | None:
        """Returns the zone that contains a person or thing, or the zone itself; None if off the map."""
        if isinstance(thing, int):
            return self.places.get(thing)
        return self.lying.get(thing, thing if thing in self.zones else None)

    def links(self) -> rules.Borders:
        """Returns the ways over each border, in both directions."""
        found = {(border.one, border.other): border.there for border in self.borders.values()}
        return found | {
            (border.other, border.one): border.there if border.back is None else border.back
            for border in self.borders.values()
        }

    def range(self, person: int, other: int) -> int | None:
        """Returns the number of borders between two people; None if off the map or unconnected."""
        start, end = self.places.get(person), self.places.get(other)
        return None if start is None or end is None else rules.distance(self.links(), start, end)

    def plan(self) -> Plan:
        """Returns the current map for drawing."""
        zones = tuple(Zone(name, self.pins.get(name)) for name in self.zones)
        borders = tuple(_seen(border) for border in self.borders.values())
        return Plan(
            self.conflict,
            zones,
            borders,
            tuple(self.places.items()),
            self.fallen(),
            tuple(self.lying.items()),
        )

    def fallen(self) -> tuple[int, ...]:
        """Returns the ids of people taken out, in ascending order."""
        return tuple(sorted(self.out))


def _seen(border: Border) -> BorderSeen:
    back = border.there if border.back is None else border.back
    return BorderSeen(
        border.one,
        border.other,
        _passings(border.there),
        _passings(back),
        border.threshold if border.defence is None else border.defence.value,
        tuple(sorted(border.marked)),
    )


def _passings(passes: dict[str, int]) -> tuple[Passing, ...]:
    return tuple(Passing(way or None, value) for way, value in passes.items())


def seating_from(people: Iterable[int], first: int | None) -> tuple[int, ...]:
    """Returns people in seating order, rotated to begin with `first`."""
    order = tuple(people)
    at = order.index(first) if first in order else 0
    return (*order[at:], *order[:at])


PLACE = StateAccess(NAME, EdgerunnerState, EdgerunnerConflict)
game_state, mutable_game_state, conflict_state, conflict_state_in = (
    PLACE.shelf,
    PLACE.own,
    PLACE.play,
    PLACE.play_in,
)


def open_roll_in(table: Table, conflict: OpenConflict | None) -> OpenRoll | None:
    """Returns the roll still open to changes: a conflict's current act, or the last roll made outside."""
    return game_state(table).roll if conflict is None else conflict_state(conflict).act


def edgerunner_conflict(table: Table, conflict: int | None) -> OpenConflict | None:
    """Returns the conflict with this id; None if it belongs to another game or does not exist."""
    found = None if conflict is None else table.conflicts.get(conflict)
    return found if found is not None and found.system == NAME else None


def open_roll_of(table: Table, conflict: int | None) -> OpenRoll | None:
    """Returns the roll that can still be changed, by conflict id; None means outside conflicts."""
    return open_roll_in(table, edgerunner_conflict(table, conflict))


def people_with_turns(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the people who get one turn per exchange: able to act and not taken out."""
    own, out = game_state(table), conflict_state(conflict).out
    return tuple(who for who in conflict.people if who not in out and takes_turns(own, who))


def takes_turns(own: EdgerunnerState, who: int) -> bool:
    """True for people of any kind, and for devices with skills; False for the game master."""
    return who != GM and own.sheet(who).takes_turns


def yet_to_act(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the people who have not acted in this exchange, without secret people.

    A secret person may act, but the exchange does not wait for them.
    """
    acted = conflict_state(conflict).acted
    return tuple(
        who for who in people_with_turns(table, conflict) if who not in acted and table.secret(who) is None
    )


def whose_turn(table: Table, conflict: OpenConflict) -> int | None:
    """Returns the person whose turn it is, by claim or by table order; None if open to anybody."""
    state = conflict_state(conflict)
    if state.turn is not None or state.first is None or chosen(table, "initiative") != "order":
        return state.turn
    waiting = yet_to_act(table, conflict)
    return next((who for who in seating_from(conflict.people, state.first) if who in waiting), None)
