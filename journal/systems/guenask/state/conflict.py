"""State of one conflict: participants, their dice, the current raise, and fallout owed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct, field

from journal.capabilities import Moves, Pool, Way
from journal.capabilities import Raise as Forward
from journal.system import StateAccess
from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.options import NAME, chosen
from journal.systems.guenask.rules import Approach, Fallout, Stat, Track
from journal.systems.guenask.state.game_state import GuenaskState
from journal.table import Table
from journal.vocabulary import events as e
from journal.vocabulary.base import GM


class Participant(Struct):
    """A person in a conflict: the stats and things they brought, and their dice, sorted ascending."""

    approach: Approach | None = None
    stats: set[Stat] = field(default_factory=set)
    things: set[tuple[str, str]] = field(default_factory=set)
    dangerous: int = 0
    loose: bool = False
    """True for participants with loose dice only, such as a storm or a crowd; they bear no fallout."""
    pool: list[int] = field(default_factory=list)
    kept: list[int] = field(default_factory=list)
    out: bool = False

    @property
    def entered(self) -> bool:
        """True once the person has chosen an approach or rolled loose dice."""
        return self.approach is not None or self.loose

    def spend(self, dice: Iterable[int]) -> None:
        """Removes the dice from the pool."""
        for die in dice:
            self.pool.remove(die)


class Raise(Struct):
    """The current raise, and the people still waiting to see it."""

    who: int
    total: int
    waiting: list[int]
    dice: tuple[int, ...] = ()


Marks = dict[g.TrackName, int]
"""Points one blow has marked, by track."""


class Owed(Struct):
    """Fallout of a blow not yet marked on a track; `left` points remain of its `cost`."""

    cost: Fallout
    left: int
    marked: Marks = field(default_factory=dict)
    stands: bool = False
    """True once a row this blow filled has its condition; then the blow can no longer be resisted."""


class Fresh(NamedTuple):
    """Fallout just marked, which a die may still resist."""

    amount: int
    marked: Marks


class GuenaskConflict(Struct):
    """State of one conflict."""

    conflict: int
    sides: e.Sides
    people: dict[int, Participant]
    staked: bool = False
    """True once the stakes are set."""
    first: int | None = None
    danger_scope: str = "conflict"
    order: tuple[int, ...] = ()
    free: bool = False
    opening: dict[int, int] = field(default_factory=dict)
    """Sum of each person's two highest dice at entry, which sets the turn order."""
    last: int | None = None
    raised: Raise | None = None
    owed: dict[int, Owed] = field(default_factory=dict)
    fresh: dict[int, Fresh] = field(default_factory=dict)
    fates: dict[int, bool | None] = field(default_factory=dict)
    """People whose second track filled here: True if they die, None if not decided."""
    cornered: set[int] = field(default_factory=set)
    """NPCs whose track is full; they can only give or resist."""
    won: int | None = None

    def answered(self, who: int) -> None:
        """Removes `who` from the people waiting to see; clears the raise after the last."""
        if self.raised and who in self.raised.waiting:
            self.raised.waiting.remove(who)
        if self.raised and not self.raised.waiting:
            self.raised = None

    def owes(self, who: int, cost: g.Cost | None) -> None:
        """Records fallout of `cost` that the person must put on a track; None changes nothing."""
        if cost is not None:
            self.owed[who] = Owed(Fallout(cost.body, cost.hard, cost.dangerous or 0), cost.amount)

    def leaves(self, who: int) -> None:
        """Marks the person as out of the conflict and clears their raise."""
        self.people[who].out = True
        self.people[who].kept = []
        self.answered(who)
        if self.raised and self.raised.who == who:
            self.raised = None

    def left_of_blow(self, who: int, track: g.TrackName, points: int) -> None:
        """Lowers the marks of a blow still open to resisting to the `points` a ruling left on `track`."""
        fresh, owed = self.fresh.get(who), self.owed.get(who)
        for marked in (blow.marked for blow in (fresh, owed) if blow and track in blow.marked):
            marked[track] = min(marked[track], points)
        if fresh and track in fresh.marked and not any(fresh.marked.values()):
            del self.fresh[who]

    def active(self) -> tuple[int, ...]:
        """Returns the people still in play, in the order of the conflict."""
        return tuple(who for who, participant in self.people.items() if not participant.out)

    def undecided(self) -> tuple[int, ...]:
        """Returns the people with two full tracks whose fate the table has not decided."""
        return tuple(who for who, dies in self.fates.items() if dies is None)

    def settled(self) -> bool:
        """True once the stakes are won, no fallout is owed and every fate is decided."""
        return self.won is not None and not self.owed and not self.undecided()

    def held(self) -> bool:
        """True while fallout waits for a track, or an NPC with a full track has not given."""
        return bool(self.owed) or any(who in self.cornered for who in self.active())

    def without_approach(self) -> tuple[int, ...]:
        """Returns the active people who have neither an approach nor loose dice."""
        return tuple(who for who in self.active() if not self.people[who].entered)

    def best(self) -> dict[int, int]:
        """Returns the sum of the two highest dice for each active person."""
        return {who: rules.best_two(self.people[who].pool) for who in self.active()}

    def tied_for_first(self) -> tuple[int, ...]:
        """Returns the people tied for the first raise; empty if the order is set or the dice decide."""
        if self.order or self.first in self.active() or self.without_approach() or self.won is not None:
            return ()
        top = rules.on_top(self.best())
        return top if len(top) > 1 else ()

    def raisers(self) -> tuple[int, ...]:
        """Returns the people who may raise now: one, or several if the order is free."""
        if self.raised or not self.order or self.won is not None:
            return ()
        turns = self.order
        if self.last is not None:
            after = turns.index(self.last) + 1
            turns = (*turns[after:], *turns[:after])
        left = tuple(who for who in turns if not self.people[who].out)
        if self.free and self.last is not None:
            return tuple(who for who in left if who != self.last)
        return left[:1]

    def to_act(self) -> tuple[int, ...]:
        """Returns the people whose raise or see is next."""
        return tuple(self.raised.waiting) if self.raised else self.raisers()

    def cost(self, who: int) -> Fallout:
        """Returns the fallout a blow would cost the person now."""
        return rules.fallout(self.people[who].stats, self._dangerous(who))

    def _dangerous(self, who: int) -> int:
        mine = next((side for side in self.sides if who in side), ())
        counts = {
            "conflict": tuple(self.people),
            "own": (who,),
            "opponent": tuple(person for person in self.people if person not in mine),
        }[self.danger_scope]
        return sum(self.people[person].dangerous for person in counts)

    def can_resist(self, who: int, amount: int) -> bool:
        """True if one of the person's free dice would resist `amount` fallout."""
        participant = self.people[who]
        spare = list(participant.pool)
        for die in participant.kept:
            spare.remove(die)
        return max(spare, default=0) >= rules.least_to_resist(amount)

    def pools(self) -> Iterable[Pool]:
        """Yields the dice pool of each participant."""
        for who, participant in self.people.items():
            approach = None if participant.approach is None else participant.approach.value
            yield Pool(
                self.conflict,
                who,
                tuple(participant.pool),
                tuple(participant.kept),
                approach,
                participant.out,
            )

    def put_forward(self) -> Forward | None:
        """Returns the current raise for views, or None if no raise waits to be seen."""
        current = self.raised
        if current is None:
            return None
        return Forward(self.conflict, current.who, tuple(current.waiting), current.dice, current.total)

    def moves(self) -> Iterable[Moves]:
        """Yields the dice combinations open to each person to act; none for an NPC that must give."""
        for who in self.to_act():
            participant = self.people[who]
            total = self.raised.total if self.raised else None
            ways = self._raises(participant) if total is None else self._sees(who, participant, total)
            if who in self.cornered:
                ways = iter(())
            task = "raise" if total is None else "see"
            yield Moves(self.conflict, who, task, total, tuple(participant.kept), tuple(ways))

    def _raises(self, participant: Participant) -> Iterator[Way]:
        for way in rules.raises(participant.pool, participant.kept):
            yield Way("raise", way.dice, way.total)

    def _sees(self, who: int, participant: Participant, total: int) -> Iterator[Way]:
        pool = list(participant.pool)
        for die in participant.kept:
            pool.remove(die)
        if len(participant.kept) < rules.DICE_OF_A_RAISE:
            yield from (Way("reverse", way.dice, way.total) for way in rules.reversals(pool, total))
        yield from (Way("block", way.dice, way.total) for way in rules.blocks(pool, total))
        amount = self.cost(who).amount
        yield from (Way("blow", way.dice, way.total, amount) for way in rules.blows(pool, total))


PLACE = StateAccess(NAME, GuenaskState, GuenaskConflict)
game_state, mutable_game_state, conflict_state, conflict_state_in = (
    PLACE.shelf,
    PLACE.own,
    PLACE.play,
    PLACE.play_in,
)


def without_stats(table: Table, person: int) -> bool:
    """True for the game master and for people without stats on a sheet; they use loose dice."""
    sheet = game_state(table).sheets.get(person)
    return person == GM or sheet is None or not sheet.stats


def dice_lost(table: Table, person: int, stat: Stat) -> int:
    """Returns the number of full rows that reduce a stat, by the tracks the options bind to it."""
    game = game_state(table)
    if game.is_npc(person):
        return 0
    tracks = [track for track in Track if chosen(table, f"{track}_stat") == stat]
    return sum(game.rows_full(person, track) for track in tracks)
