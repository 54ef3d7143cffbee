"""Rules of a Whiskey phase as pure functions of intents and checks: `docs/rules/whiskey.md`.

An intent is a fighter's declared act; two fighters clash if an intent to engage succeeds; a check decides the
clash.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import permutations
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import Struct

from retold.game import french

# --- the deck: §2 -----------------------------------------------------------------------------------------


class Half(StrEnum):
    """Half a deck: one red suit (values 1 to 13) and one black suit (values -12 to 0)."""

    HEARTS_SPADES = "hearts and spades"
    DIAMONDS_CLUBS = "diamonds and clubs"

    @property
    def other(self) -> Half:
        """The second half of the deck, which rests while this half is in play."""
        return Half.DIAMONDS_CLUBS if self is Half.HEARTS_SPADES else Half.HEARTS_SPADES


class DeckMode(StrEnum):
    """Random source of a faction's checks, a table option: half decks in turn, a whole deck, or a d26."""

    HALVES = "halves"
    WHOLE = "whole"
    D26 = "d26"


KING: Final = 13
D26: Final = 26
D6: Final = 6
_RED: Final = (french.Suit.HEARTS, french.Suit.DIAMONDS)
_FIRST: Final = (french.Suit.HEARTS, french.Suit.SPADES)


def value(card: str) -> int:
    """Returns a card's value, -12 to 13: the rank of a red card, the rank less 13 of a black card: §2."""
    rank = french.rank(card, ace_high=False)
    return rank if french.suit(card) in _RED else rank - KING


@cache
def half_of(card: str) -> Half:
    """Returns the half of the deck to which the card's suit belongs."""
    return Half.HEARTS_SPADES if french.suit(card) in _FIRST else Half.DIAMONDS_CLUBS


# --- a check: §3, §4 --------------------------------------------------------------------------------------


def passes(x: int, c: int, y: int) -> bool:
    """True if a check of `x` against `y` passes with card value `c`: `x + c` must exceed `y`."""
    return x + c > y


def damage(base: int, die: int, d: int) -> int:
    """Returns the damage that a clash's winner deals, at least 0: `base` plus `die` times the d6 `d`."""
    return max(0, base + d * die)


# --- intents: §6 ------------------------------------------------------------------------------------------


class Act(StrEnum):
    """Acts that a fighter may declare for one phase, such as engaging or guarding a person."""

    ENGAGE = "engage"
    GUARD = "guard"
    ADVANCE = "advance"
    STAND = "stand"
    OTHER = "other"


class Intent(NamedTuple):
    """A fighter's declared act with its target, the person to engage or guard.

    A guard without a target guards the ground: they stop enemies who advance.
    """

    act: Act
    target: int | None = None


class Why(StrEnum):
    """Reason why a fighter's intent succeeded or was stopped."""

    UNOPPOSED = "unopposed"
    """No other person engaged the agent."""
    MUTUAL = "mutual"
    """The agent's target engaged the agent too."""
    FREED = "freed"
    """The agent's stoppers were stopped themselves."""
    CHOSEN = "chosen"
    """The agent was chosen to get through a ring."""
    STOOD = "stood"
    """The agent's intent was `stand`; people who engage a standing agent cannot stop the intent."""
    STOPPED = "stopped"
    """Another person engaged the agent first."""


class Fate(NamedTuple):
    """Outcome of a fighter's intent: the reason `why`, and its causers `by`.

    `by` names the people who stopped the fighter, who tried and were stopped, or who engaged back.
    """

    why: Why
    by: tuple[int, ...] = ()

    @property
    def succeeded(self) -> bool:
        """True if the intent succeeded, that is, the fighter was not stopped."""
        return self.why is not Why.STOPPED


class Ring(NamedTuple):
    """Fighters in a circle, each engaging the next; no intent of theirs resolves until one gets through.

    The first member is the first to have declared; so equal rings compare as equal.
    """

    members: tuple[int, ...]


Intents = Mapping[int, Intent]
"""Each fighter's intent, in declaring order."""

Sides = Mapping[int, int]
"""Each person's side."""

Orders = Mapping[int, int | None]
"""The target the table assigned to each guard; None assigns no target."""

Aims = Mapping[int, int | None]
"""The person each fighter would engage, in declaring order."""

Broken = Mapping[Ring, int]
"""The member chosen to get through, for each ring already broken."""

NONE_BROKEN: Final[Broken] = MappingProxyType({})
"""No ring is broken yet."""


def comes_for(intents: Intents, sides: Sides, guard: int) -> tuple[int, ...]:
    """Returns the fighters that `guard` may stop: who engage the guarded person, or enemies who advance.

    Enemies who advance come for a guard of the ground. Empty once the guarded person can no longer fight.
    """
    ward = intents[guard].target
    if ward is None:
        coming = (agent for agent, intent in intents.items() if intent.act is Act.ADVANCE)
        return tuple(agent for agent in coming if sides[agent] != sides[guard])
    wanted = Intent(Act.ENGAGE, ward)
    after = (agent for agent, intent in intents.items() if intent == wanted and agent != guard)
    return tuple(after) if ward in intents else ()


def aims(intents: Intents, sides: Sides, orders: Orders) -> Aims:
    """Returns the person that each fighter would engage: their target, or the attacker a guard stops.

    None for fighters who engage no one, or whose target can no longer fight. `orders` holds the table's
    choices for guards.
    """
    found = {agent: _aim(intents, sides, orders, agent) for agent in intents}
    return {agent: whom if whom in intents else None for agent, whom in found.items()}


def _aim(intents: Intents, sides: Sides, orders: Orders, agent: int) -> int | None:
    match intents[agent]:
        case Intent(Act.ENGAGE, target):
            return target
        case Intent(Act.GUARD, _) if _is_ordered(intents, orders, agent):
            return orders[agent]
        case Intent(Act.GUARD, _):
            coming = comes_for(intents, sides, agent)
            return coming[0] if len(coming) == 1 else None
        case _:
            return None


def _is_ordered(intents: Intents, orders: Orders, guard: int) -> bool:
    """True if the table has chosen the guard's target, and that person can still fight, or it is none."""
    return guard in orders and (orders[guard] is None or orders[guard] in intents)


def unassigned(intents: Intents, sides: Sides, orders: Orders) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yields each guard who could stop several people and has no order from the table, with these people."""
    for agent, intent in intents.items():
        if intent.act is Act.GUARD and not _is_ordered(intents, orders, agent):
            coming = comes_for(intents, sides, agent)
            if len(coming) > 1:
                yield agent, coming


def matters(intents: Intents, sides: Sides, orders: Orders, guard: int, standing: Collection[int]) -> bool:
    """True if the target of `guard` may matter: to who is stopped, to the clashes, or to a ring."""
    results = set()
    for whom in (*comes_for(intents, sides, guard), None):
        aimed = aims(intents, sides, {**orders, guard: whom})
        fates = resolve(aimed, standing=standing)
        if isinstance(fates, Ring):
            return True
        stopped = frozenset(agent for agent, fate in fates.items() if not fate.succeeded)
        results.add((stopped, frozenset(frozenset((met.one, met.other)) for met in clashes(aimed, fates))))
    return len(results) > 1


def stoppers(aimed: Aims, agent: int) -> tuple[int, ...]:
    """Returns the fighters who engage `agent` without being engaged back; only they can stop the agent."""
    return tuple(other for other, whom in aimed.items() if whom == agent and aimed[agent] != other)


def resolve(
    aimed: Aims, broken: Broken = NONE_BROKEN, standing: Collection[int] = ()
) -> dict[int, Fate] | Ring:
    """Returns each fighter's outcome, or the first ring (circle of fighters) not decided in `broken`: §6.

    An agent whose stoppers (engaging fighters) are all stopped succeeds; an agent reached by a stopper is
    stopped, and stops no one. Each decision in `broken` applies to exactly one ring. Agents in `standing`
    cannot be stopped.
    """
    succeeded: dict[int, bool] = {}
    chosen: list[int] = []
    while len(succeeded) < len(aimed):
        decided = _decided(aimed, succeeded)
        if not decided:
            ring = _ring(aimed, succeeded)
            if ring not in broken:
                return ring
            chosen.append(broken[ring])
            decided = {broken[ring]: True}
        succeeded |= decided
    fates = {agent: _fate(aimed, succeeded, agent, chosen) for agent in aimed}
    return fates | {
        agent: fates[agent]._replace(why=Why.STOOD) for agent in standing if not fates[agent].succeeded
    }


def _decided(aimed: Aims, succeeded: Mapping[int, bool]) -> dict[int, bool]:
    """Returns success (True) or failure of each agent whose outcome follows from `succeeded` so far."""
    found = {}
    for agent in aimed.keys() - succeeded.keys():
        against = [succeeded.get(other) for other in stoppers(aimed, agent)]
        if True in against:
            found[agent] = False
        elif None not in against:
            found[agent] = True
    return found


def _ring(aimed: Aims, succeeded: Mapping[int, bool]) -> Ring:
    """Returns the circle of fighters, each engaging the next, that begins with the first undecided agent."""
    members = [next(agent for agent in aimed if agent not in succeeded)]
    while (after := aimed[members[-1]]) is not None and after != members[0]:
        members.append(after)
    return Ring(tuple(members))


def _fate(aimed: Aims, succeeded: Mapping[int, bool], agent: int, chosen: Collection[int]) -> Fate:
    against = stoppers(aimed, agent)
    wanted = aimed[agent]
    if wanted is not None and aimed.get(wanted) == agent and succeeded[wanted]:
        return Fate(Why.MUTUAL, (wanted,))
    if not succeeded[agent]:
        return Fate(Why.STOPPED, tuple(other for other in against if succeeded[other]))
    if agent in chosen:
        return Fate(Why.CHOSEN)
    if against:
        return Fate(Why.FREED, against)
    return Fate(Why.UNOPPOSED)


class Met(NamedTuple):
    """Two fighters who clash; `attackers` are the one or two of them who engaged, in declaring order."""

    one: int
    other: int
    attackers: tuple[int, ...]


def clashes(aimed: Aims, fates: Mapping[int, Fate]) -> tuple[Met, ...]:
    """Returns the clashes: pairs of fighters with at least one who successfully engages the other.

    The order is the order of declaring; two who engage each other clash once.
    """
    met: dict[frozenset[int], Met] = {}
    for agent, whom in aimed.items():
        if whom is not None and fates[agent].succeeded:
            pair = frozenset((agent, whom))
            met[pair] = Met(whom, agent, (whom, agent)) if pair in met else Met(agent, whom, (agent,))
    return tuple(met.values())


Pairs = Collection[tuple[int, int]]


def chain_of_four(pairs: Pairs) -> tuple[int, int, int, int] | None:
    """Returns four fighters who each clash with the next, which no phase allows.

    None without such four.
    """
    linked = {*pairs, *((second, first) for first, second in pairs)}
    agents = sorted({agent for pair in linked for agent in pair})
    for a, b, c, d in permutations(agents, 4):
        if {(a, b), (b, c), (c, d)} <= linked:
            return a, b, c, d
    return None


def triangle(pairs: Pairs, one: int, other: int) -> int | None:
    """Returns a third fighter who already clashes with both `one` and `other`, or None."""
    linked = {*pairs, *((two, first) for first, two in pairs)}
    return next((third for first, third in linked if first == one and (third, other) in linked), None)


# --- results: §7 ------------------------------------------------------------------------------------------


class Fought(Struct, frozen=True):
    """A clash decided by its check: winner, loser, and the damage the winner deals."""

    winner: int
    loser: int
    amount: int


class Hit(NamedTuple):
    """Damage from one clash; `landed` is False if other clashes incapacitated the winner at the same time."""

    winner: int
    loser: int
    amount: int
    landed: bool


def settle(fought: Sequence[Fought], hp: Mapping[int, int | None], out_at: int) -> tuple[Hit, ...]:
    """Returns the hits of a phase's clashes, which count together; `hp` holds each fighter's hit points: §7.

    If several attack one fighter and together bring them to `out_at` hit points or fewer, that fighter's own
    hits do not land. A fighter without hit points is never incapacitated.
    """
    left = {agent: hp[agent] for agent in _centres(fought)}
    undone = {
        agent
        for agent, had in left.items()
        if had is not None
        and had - sum(clash.amount for clash in fought if clash.loser == agent) <= out_at < had
    }
    return tuple(Hit(clash.winner, clash.loser, clash.amount, clash.winner not in undone) for clash in fought)


def _centres(fought: Sequence[Fought]) -> Iterator[int]:
    """Yields each fighter of several clashes whose opponents each have only that clash.

    In a triangle every fighter has two clashes, so none is yielded.
    """
    times = Counter(agent for clash in fought for agent in (clash.winner, clash.loser))
    for agent, many in times.items():
        others = {
            clash.loser if clash.winner == agent else clash.winner
            for clash in fought
            if agent in (clash.winner, clash.loser)
        }
        if many > 1 and all(times[other] == 1 for other in others):
            yield agent
