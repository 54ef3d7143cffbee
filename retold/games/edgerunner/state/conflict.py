"""State of one Edgerunner conflict: map, people's positions, turn order, and announced acts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct, field

from retold.game import GM, OpenConflict, Passing, Plan, StateAccess, Table, Zone, normalise
from retold.game import Border as BorderSeen
from retold.games.edgerunner import rules
from retold.games.edgerunner.options import NAME, chosen
from retold.games.edgerunner.state.game_state import Defence, EdgerunnerState, Offer
from retold.games.edgerunner.state.rolls import Action, OpenRoll


class Border(Struct):
    """A border between two zones, with the pass value of each way over it, by name.

    The ways `there` lead in both directions, unless ways `back` are drawn.
    """

    one: str
    other: str
    there: dict[str, int]
    back: dict[str, int] | None = None
    threshold: int | None = None
    marked: set[int] = field(default_factory=set)
    defence: Defence | None = None

    @property
    def name(self) -> str:
        """Names of both zones joined by a hyphen: `Dock-Aisle`."""
        return f"{self.one}-{self.other}"


class Spin(NamedTuple):
    """One point of spin, worth 1 shift to `holder`; given by `maker`'s failed move in exchange `made`."""

    holder: int
    maker: int
    made: int


class Tale(NamedTuple):
    """A fate still to be narrated: `by` tells the end of `on`, a person taken out."""

    on: int
    by: int


class EdgerunnerConflict(Struct):
    """State of one conflict: map, positions, exchange, turn, acts, spin, and people taken out."""

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
        """Latest act announced that has neither taken effect nor been cancelled; None between acts."""
        return self.acts[-1] if self.acts else None

    def ways(self, start: str, end: str) -> dict[str, int] | None:
        """Returns pass values by way from zone `start` to zone `end`, `{"": 2}` for a single way.

        None if no border lies between them.
        """
        border = self.border(start, end)
        if border is None:
            return None
        return border.there if border.one == start else border.there if border.back is None else border.back

    def border(self, zone: str, other: str) -> Border | None:
        """Returns the border between two zones, drawn in either order; None if there is none."""
        return self.borders.get((zone, other)) or self.borders.get((other, zone))

    @property
    def named(self) -> tuple[str, ...]:
        """Names on the map: zones, followed by borders."""
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
        """Returns the zone where a person or thing is, or a zone's own name; None for things off the map."""
        if isinstance(thing, int):
            return self.places.get(thing)
        return self.lying.get(thing, thing if thing in self.zones else None)

    def links(self) -> rules.Borders:
        """Returns pass values by way for each pair of adjacent zones, in both directions."""
        found = {(border.one, border.other): border.there for border in self.borders.values()}
        return found | {
            (border.other, border.one): border.there if border.back is None else border.back
            for border in self.borders.values()
        }

    def range(self, person: int, other: int) -> int | None:
        """Returns the number of borders between two people; None if no path exists or one is off the map."""
        start, end = self.places.get(person), self.places.get(other)
        return None if start is None or end is None else rules.distance(self.links(), start, end)

    def plan(self) -> Plan:
        """Returns the map for drawing: zones, borders, positions of people and things, people taken out."""
        return Plan(
            self.conflict,
            tuple(Zone(name, self.pins.get(name)) for name in self.zones),
            tuple(_seen(border) for border in self.borders.values()),
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
    """Returns `people` in the same order, rotated so that `first` comes first; unchanged if absent."""
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
    """Returns the roll that can still be changed: a conflict's current act, or outside, the last skill roll.

    None if there is none.
    """
    return game_state(table).roll if conflict is None else conflict_state(conflict).act


def edgerunner_conflict(table: Table, conflict: int | None) -> OpenConflict | None:
    """Returns the conflict with this id, if it is one of Edgerunner's; None otherwise."""
    found = None if conflict is None else table.conflicts.get(conflict)
    return found if found is not None and found.system == NAME else None


def open_roll_of(table: Table, conflict: int | None) -> OpenRoll | None:
    """Returns the open roll (a roll that can still be changed) of the conflict with id `conflict`.

    For None, and for ids of other games' conflicts, the last roll made outside conflicts.
    """
    return open_roll_in(table, edgerunner_conflict(table, conflict))


def people_with_turns(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the people of a conflict who get a turn in each exchange, without people taken out.

    Problems, devices without skills and the game master get none.
    """
    own, out = game_state(table), conflict_state(conflict).out
    return tuple(who for who in conflict.people if who not in out and takes_turns(own, who))


def takes_turns(own: EdgerunnerState, who: int) -> bool:
    """True if `who` can act in exchanges; False for the game master, problems, and devices without skills."""
    return who != GM and own.sheet(who).takes_turns


def yet_to_act(table: Table, conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the people who still have a turn in this exchange, except people kept secret.

    A secret person may act, but the exchange does not wait for them.
    """
    acted = conflict_state(conflict).acted
    return tuple(
        who for who in people_with_turns(table, conflict) if who not in acted and table.secret(who) is None
    )


def whose_turn(table: Table, conflict: OpenConflict) -> int | None:
    """Returns the person who has claimed the turn or, under the option initiative=order, is next in order.

    None if the turn is open to all who have not acted.
    """
    state = conflict_state(conflict)
    if state.turn is not None or state.first is None or chosen(table, "initiative") != "order":
        return state.turn
    waiting = yet_to_act(table, conflict)
    return next((who for who in seating_from(conflict.people, state.first) if who in waiting), None)
