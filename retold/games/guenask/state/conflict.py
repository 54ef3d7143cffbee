"""State of one Guenašk conflict: participants, their dice, the current raise, and fallout not yet marked.

A raise is an attack with two dice; to see is to defend against it. A blow is a raise seen with three dice or
more; its fallout is owed until the person has marked it on a track, or has resisted it with a die.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct, field

from retold.game import GM, Moves, Pool, StateAccess, Table, Way
from retold.game import Raise as Forward
from retold.game import events as e
from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.options import NAME, chosen
from retold.games.guenask.rules import Approach, Fallout, Stat, Track
from retold.games.guenask.state.game_state import GuenaskState


class Participant(Struct):
    """A person's state in one conflict: approach, stats and things brought, dice pool, kept dice.

    `pool` is sorted ascending; `dangerous` counts the dangerous objects brought; `out` means out of the
    conflict.
    """

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
        """True once the person has dice: by an approach (which rolls two stats), or as loose dice."""
        return self.approach is not None or self.loose

    @property
    def spare(self) -> list[int]:
        """The dice of the pool without those kept for the next raise, lowest first."""
        return sorted((Counter(self.pool) - Counter(self.kept)).elements())

    def set_approach(self, approach: Approach) -> None:
        """Sets the person's approach, and counts its stats as rolled."""
        self.approach = approach
        self.stats.update(approach.stats)

    def spend(self, dice: Iterable[int]) -> None:
        """Removes the dice from the person's pool; ValueError if the pool lacks one."""
        for die in dice:
            self.pool.remove(die)


class Raise(Struct):
    """The current raise (two dice put forward), and the people who have not yet seen (answered) it."""

    who: int
    total: int
    waiting: list[int]
    dice: tuple[int, ...] = ()


Marks = dict[g.TrackName, int]
"""Points one blow has marked, by track."""


class Owed(Struct):
    """Fallout of a blow, waiting to be marked: `left` points of `cost`; the rest is `marked`, by track."""

    cost: Fallout
    left: int
    marked: Marks = field(default_factory=dict)
    stands: bool = False
    """True once a row this blow filled has its condition; then the blow can no longer be resisted."""


class Fresh(NamedTuple):
    """Fallout of a person's last blow, marked on tracks; a die may resist it until the next raise."""

    amount: int
    marked: Marks


class GuenaskConflict(Struct):
    """State of one Guenašk conflict: its stakes, turn order, current raise, and each participant."""

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
        """Removes `who` from the people who must answer the current raise (attack).

        Once no one is left to answer, the raise is cleared.
        """
        if self.raised and who in self.raised.waiting:
            self.raised.waiting.remove(who)
        if self.raised and not self.raised.waiting:
            self.raised = None

    def owes(self, who: int, cost: g.Cost | None) -> None:
        """Records a blow's fallout for the person to mark on a track; changes nothing if `cost` is None."""
        if cost is not None:
            self.owed[who] = Owed(Fallout(cost.body, cost.hard, cost.dangerous or 0), cost.amount)

    def leaves(self, who: int) -> None:
        """Marks the person `out`, and clears their kept dice, their duty to see, and their raise."""
        self.people[who].out = True
        self.people[who].kept = []
        self.answered(who)
        if self.raised and self.raised.who == who:
            self.raised = None

    def cap_blow(self, who: int, track: g.TrackName, points: int) -> None:
        """Caps the points that the person's last blow marked on `track` at `points`, set by a ruling.

        Resisting the blow later removes at most the points still marked; a blow without points is forgotten.
        """
        fresh, owed = self.fresh.get(who), self.owed.get(who)
        for marked in (blow.marked for blow in (fresh, owed) if blow and track in blow.marked):
            marked[track] = min(marked[track], points)
        if fresh and track in fresh.marked and not any(fresh.marked.values()):
            del self.fresh[who]

    def active(self) -> tuple[int, ...]:
        """Returns the people still in play, those not `out`, in the conflict's order."""
        return tuple(who for who, participant in self.people.items() if not participant.out)

    def opponents(self, who: int) -> tuple[int, ...]:
        """Returns the people of the other sides still in play, in the conflict's order."""
        return self._others(who, self.active())

    def _others(self, who: int, people: Iterable[int]) -> tuple[int, ...]:
        """Returns people who are not on the side of `who`, from `people`, order kept."""
        mine = next((side for side in self.sides if who in side), ())
        return tuple(person for person in people if person not in mine)

    def undecided(self) -> tuple[int, ...]:
        """Returns the people with two full tracks whose fate the table has not decided."""
        return tuple(who for who, dies in self.fates.items() if dies is None)

    def winners(self) -> Iterator[int]:
        """Yields the person who has won the stakes."""
        if self.won is not None:
            yield self.won

    def settled(self) -> bool:
        """True once the stakes are won, all fallout is marked, and every possible death is decided."""
        return self.won is not None and not self.owed and not self.undecided()

    def without_approach(self) -> tuple[int, ...]:
        """Returns the active people without dice: no approach chosen, and no loose dice rolled."""
        return tuple(who for who in self.active() if not self.people[who].entered)

    def best(self) -> dict[int, int]:
        """Returns a mapping of each active person to the sum of their two highest dice."""
        return {who: rules.best_two(self.people[who].pool) for who in self.active()}

    def tied_for_first(self) -> tuple[int, ...]:
        """Returns the people whose best two dice tie for the first attack, so that the table must choose.

        Empty without a tie, and if the initiator or the turn order is set, dice are missing, or the stakes
        are won.
        """
        if self.order or self.first in self.active() or self.without_approach() or self.won is not None:
            return ()
        top = rules.on_top(self.best())
        return top if len(top) > 1 else ()

    def raisers(self) -> tuple[int, ...]:
        """Returns the people who may raise (attack) now: one person, or several if the turn order is free.

        Empty while a raise waits to be seen, before the turn order is set, and once the stakes are won.
        """
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
        """Returns the people whose turn it is: all who must answer the raise, else the next attackers."""
        return tuple(self.raised.waiting) if self.raised else self.raisers()

    def cost(self, who: int) -> Fallout:
        """Returns the fallout a blow would bring the person now, by their stats and dangerous objects."""
        return rules.fallout(self.people[who].stats, self._dangerous(who))

    def _dangerous(self, who: int) -> int:
        counts = {
            "conflict": tuple(self.people),
            "own": (who,),
            "opponent": self._others(who, self.people),
        }[self.danger_scope]
        return sum(self.people[person].dangerous for person in counts)

    def can_resist(self, who: int, amount: int) -> bool:
        """True if a die in the person's pool, other than kept dice, exceeds `amount` points of fallout."""
        return max(self.people[who].spare, default=0) >= rules.least_to_resist(amount)

    def pools(self) -> Iterable[Pool]:
        """Yields each participant's dice as a `Pool` for views: pool, kept dice, approach, whether out."""
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
        """Returns the current raise (attack) for views; None if none waits to be answered."""
        current = self.raised
        if current is None:
            return None
        return Forward(self.conflict, current.who, tuple(current.waiting), current.dice, current.total)

    def moves(self) -> Iterable[Moves]:
        """Yields a `Moves` for views per person to act: sets of dice to attack or defend with, best first.

        An NPC with a full track can only give up or resist: their `Moves` holds no dice.
        """
        for who in self.to_act():
            participant = self.people[who]
            total = self.raised.total if self.raised else None
            ways = self._raises(participant) if total is None else self._sees(who, participant, total)
            if who in self.cornered:
                ways = iter(())
            task = "raise" if total is None else "see"
            yield Moves(self.conflict, who, task, total, tuple(participant.kept), tuple(ways))

    def _raises(self, participant: Participant) -> Iterator[Way]:
        for way in reversed(rules.raises(participant.pool, participant.kept)):
            yield Way("raise", way.dice, way.total)

    def _sees(self, who: int, participant: Participant, total: int) -> Iterator[Way]:
        pool = participant.spare
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
    """True for the game master and for people whose sheet has no stats; they roll loose dice, such as 4d6."""
    return person == GM or not game_state(table).sheet(person).stats


def dice_lost(table: Table, person: int, stat: Stat) -> int:
    """Returns the number of dice a stat loses to full rows of fallout; 0 for an NPC.

    Options such as `physical_stat` say which tracks reduce the stat.
    """
    game = game_state(table)
    if game.is_npc(person):
        return 0
    tracks = [track for track in Track if chosen(table, f"{track}_stat") == stat]
    return sum(game.rows_full(person, track) for track in tracks)
