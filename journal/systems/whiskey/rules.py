"""How a Whiskey phase comes out, from values, intents and checks alone: `docs/rules/whiskey.md`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import permutations
from types import MappingProxyType
from typing import Final, NamedTuple

from msgspec import Struct

from journal.decks import french

# --- the deck: §2 -----------------------------------------------------------------------------------------


class Half(StrEnum):
    """Half a deck: one red suit and one black, each value from -12 to 13 once."""

    HEARTS_SPADES = "hearts and spades"
    DIAMONDS_CLUBS = "diamonds and clubs"

    @property
    def other(self) -> Half:
        """The half that rests while this one is in play."""
        return Half.DIAMONDS_CLUBS if self is Half.HEARTS_SPADES else Half.HEARTS_SPADES

    @property
    def cards(self) -> tuple[str, ...]:
        """Its 26 cards, in the order of the whole deck."""
        return tuple(card for card in french.DECK if half_of(card) is self)


class DeckMode(StrEnum):
    """What a faction draws from; a table option."""

    HALVES = "halves"
    WHOLE = "whole"
    D26 = "d26"


KING: Final = 13
D26: Final = 26
D6: Final = 6
_RED: Final = (french.Suit.HEARTS, french.Suit.DIAMONDS)
_FIRST: Final = (french.Suit.HEARTS, french.Suit.SPADES)


def value(card: str) -> int:
    """What a card counts, -12..13: red cards their rank, black ones 13 less: §2."""
    rank = french.rank(card, ace_high=False)
    return rank if french.suit(card) in _RED else rank - KING


@cache
def half_of(card: str) -> Half:
    """The half a card belongs to."""
    return Half.HEARTS_SPADES if french.suit(card) in _FIRST else Half.DIAMONDS_CLUBS


# --- a check: §3, §4 --------------------------------------------------------------------------------------


def passes(x: int, c: int, y: int) -> bool:
    """Whether a check of x against y passes with a card of value c: only above y, never at it."""
    return x + c > y


def damage(base: int, die: int, d: int) -> int:
    """What the winner of a clash deals with the d6 of its check, never less than 0."""
    return max(0, base + d * die)


# --- intents: §6 ------------------------------------------------------------------------------------------


class Act(StrEnum):
    """What somebody can mean to do for the next moments."""

    ENGAGE = "engage"
    GUARD = "guard"
    ADVANCE = "advance"
    STAND = "stand"
    OTHER = "other"


class Intent(NamedTuple):
    """An act, and whom it is about: whom one engages, or whom one guards (nobody: the ground)."""

    act: Act
    target: int | None = None


class Why(StrEnum):
    """Why an intent came about, or that it did not."""

    UNOPPOSED = "unopposed"
    """Nobody was upon them."""
    MUTUAL = "mutual"
    """Whom they wanted came for them, whoever else did."""
    FREED = "freed"
    """Those upon them were stopped themselves."""
    CHOSEN = "chosen"
    """They were in a ring, and picked to get through."""
    STOOD = "stood"
    """They wanted to stand, and whoever is upon them does not keep them from it."""
    STOPPED = "stopped"
    """Somebody got to them."""


class Fate(NamedTuple):
    """What became of an intent, and through whom: who stopped it, who was to, or whose wish met theirs."""

    why: Why
    by: tuple[int, ...] = ()

    @property
    def succeeded(self) -> bool:
        """True unless somebody stopped it."""
        return self.why is not Why.STOPPED


class Ring(NamedTuple):
    """Agents of whom each is after the next: nobody can say who stops whom until one gets through.

    They begin with whoever declared first, so that one ring is written in one way.
    """

    members: tuple[int, ...]


Intents = Mapping[int, Intent]
"""What everybody means to do, in the order of declaring."""

Sides = Mapping[int, int]
"""Everybody's side."""

Orders = Mapping[int, int | None]
"""Whom the table told a guard to stop: somebody, or nobody at all."""

Aims = Mapping[int, int | None]
"""Whom everybody would engage, in the order of declaring."""

Broken = Mapping[Ring, int]
"""Who gets through each ring for which that has been settled."""

NONE_BROKEN: Final[Broken] = MappingProxyType({})
"""Where nothing has been settled of any ring."""


def comes_for(intents: Intents, sides: Sides, guard: int) -> tuple[int, ...]:
    """Whom a guard may have to stop: who engages the guarded; who of another side advances on the ground.

    Whoever was after somebody who has fallen since is after nobody.
    """
    ward = intents[guard].target
    if ward is None:
        coming = (agent for agent, intent in intents.items() if intent.act is Act.ADVANCE)
        return tuple(agent for agent in coming if sides[agent] != sides[guard])
    wanted = Intent(Act.ENGAGE, ward)
    after = (agent for agent, intent in intents.items() if intent == wanted and agent != guard)
    return tuple(after) if ward in intents else ()


def aims(intents: Intents, sides: Sides, orders: Orders) -> Aims:
    """Whom everybody would engage; a guard, whom they have to stop. None for nobody."""
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
    """True while an order stands: it ends with whom it is about."""
    return guard in orders and (orders[guard] is None or orders[guard] in intents)


def unassigned(intents: Intents, sides: Sides, orders: Orders) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The guards of whom nobody has said yet whom they stop, each with those it may be."""
    for agent, intent in intents.items():
        if intent.act is Act.GUARD and not _is_ordered(intents, orders, agent):
            coming = comes_for(intents, sides, agent)
            if len(coming) > 1:
                yield agent, coming


def stoppers(aimed: Aims, agent: int) -> tuple[int, ...]:
    """Those who engage `agent` and are not whom `agent` wants to engage: only they can stop them."""
    return tuple(other for other, whom in aimed.items() if whom == agent and aimed[agent] != other)


def resolve(
    aimed: Aims, broken: Broken = NONE_BROKEN, standing: Collection[int] = ()
) -> dict[int, Fate] | Ring:
    """What becomes of every intent, or the first ring that nobody is settled to get through: §6.

    An agent whose stoppers are all stopped succeeds; one whom a stopper gets to is stopped, and then stops
    nobody. What is settled of a ring holds where that very ring is come to, and nowhere else. Those
    `standing` want nothing that could be stopped.
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
    """Those of whom it can be said now."""
    found = {}
    for agent in aimed.keys() - succeeded.keys():
        against = [succeeded.get(other) for other in stoppers(aimed, agent)]
        if True in against:
            found[agent] = False
        elif None not in against:
            found[agent] = True
    return found


def _ring(aimed: Aims, succeeded: Mapping[int, bool]) -> Ring:
    """The ring of whoever declared first among those left; each of them aims at one of them."""
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
    """Two who clash; `attackers` are those of them who wanted it, in the order of declaring."""

    one: int
    other: int
    attackers: tuple[int, ...]


def clashes(aimed: Aims, fates: Mapping[int, Fate]) -> tuple[Met, ...]:
    """The clashes that come of it, each pair once, in the order of declaring."""
    wanted = [(agent, whom) for agent, whom in aimed.items() if whom is not None and fates[agent].succeeded]
    pairs: dict[frozenset[int], list[int]] = {}
    for agent, whom in wanted:
        pairs.setdefault(frozenset((agent, whom)), []).append(agent)
    return tuple(_met(pair, attackers) for pair, attackers in pairs.items())


def _met(pair: Collection[int], attackers: Sequence[int]) -> Met:
    (other,) = (agent for agent in pair if agent != attackers[0])
    return Met(attackers[0], other, tuple(attackers))


Pairs = Collection[tuple[int, int]]


def chain_of_four(pairs: Pairs) -> tuple[int, int, int, int] | None:
    """Four different agents of whom each clashes with the next, if there are any: no phase may have them."""
    linked = {*pairs, *((other, one) for one, other in pairs)}
    agents = sorted({agent for pair in linked for agent in pair})
    for a, b, c, d in permutations(agents, 4):
        if {(a, b), (b, c), (c, d)} <= linked:
            return a, b, c, d
    return None


def triangle(pairs: Pairs, one: int, other: int) -> int | None:
    """Who clashes with both of them already, if anybody: the third corner of a triangle."""
    linked = {*pairs, *((two, first) for first, two in pairs)}
    return next((third for first, third in linked if first == one and (third, other) in linked), None)


# --- results: §7 ------------------------------------------------------------------------------------------


class Fought(Struct, frozen=True):
    """A clash that has its check: who won, who lost, and what the winner deals."""

    winner: int
    loser: int
    amount: int


class Hit(NamedTuple):
    """A blow: `landed` is False where its striker was put out of the fight before it could count."""

    winner: int
    loser: int
    amount: int
    landed: bool


def settle(fought: Sequence[Fought], hp: Mapping[int, int | None], out_at: int) -> tuple[Hit, ...]:
    """What lands, everybody acting at once: §7.

    Where several are upon one, and theirs together put that one out of the fight, nothing of his lands; what
    has no hit points is never put out.
    """
    left = {one: hp[one] for one in _centres(fought)}
    undone = {
        one for one, had in left.items() if had is not None and had - _taken(fought, one) <= out_at < had
    }
    return tuple(Hit(one.winner, one.loser, one.amount, one.winner not in undone) for one in fought)


def _centres(fought: Sequence[Fought]) -> Iterator[int]:
    """Whoever has several upon him, each of whom fights nobody else; a triangle has no such one."""
    times = Counter(agent for one in fought for agent in (one.winner, one.loser))
    for agent, many in times.items():
        others = {one.loser if one.winner == agent else one.winner for one in fought if agent in _both(one)}
        if many > 1 and all(times[other] == 1 for other in others):
            yield agent


def _both(one: Fought) -> tuple[int, int]:
    return one.winner, one.loser


def _taken(fought: Iterable[Fought], agent: int) -> int:
    return sum(one.amount for one in fought if one.loser == agent)
