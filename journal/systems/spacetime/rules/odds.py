"""How likely each flow of a round is, before its cards are drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import perm
from typing import NamedTuple

from msgspec import Struct

from journal.decks import spacetime
from journal.decks.spacetime import Card
from journal.systems.spacetime.rules.flow import (
    Balance,
    BeatsTable,
    Hands,
    Level,
    MultiParty,
    Rule,
    beats,
    cards_due,
    excuse_drawer,
    suffices,
)


class Chance(Struct, frozen=True):
    """How likely a round is to go one way: by which rule, and where that leaves the Balance."""

    rule: Rule
    after: Balance
    share: Fraction


class Ahead(Struct, frozen=True):
    """A round before all its cards are drawn: the parties in order, what lies, what the others draw from.

    `lying` has the parties that have drawn. The cards of `deck` stand upright and once, each as likely.
    """

    balance: Balance
    parties: tuple[int, ...]
    lying: tuple[tuple[int, tuple[str, ...]], ...]
    deck: tuple[str, ...]
    multi_party: MultiParty = MultiParty.ALL
    beats_table: BeatsTable = BeatsTable.AUTHOR

    @property
    def hands(self) -> Hands:
        """The parties that have drawn, with their cards."""
        return dict(self.lying)

    @property
    def rest(self) -> tuple[str, ...]:
        """The deck without the Excuse."""
        return tuple(card for card in self.deck if not Card.of(card).is_excuse)

    @property
    def drawing(self) -> tuple[int, ...]:
        """The parties that have yet to draw."""
        return tuple(party for party in self.parties if party not in self.hands)


@lru_cache(maxsize=16)
def odds(ahead: Ahead) -> tuple[Chance, ...]:
    """Each way a round can go that may come about, with its exact share: `docs/rules/spacetime.md §5`.

    The Excuse comes first, then what tips the Balance, last what leaves it. Nothing for a deck that has too
    few cards, and after a victory.
    """
    if ahead.balance.level is Level.VICTORY:
        return ()
    due = sum(cards_due(ahead.balance, party) for party in ahead.drawing)
    if due > len(ahead.deck):
        return ()
    excuse = Fraction(due * (len(ahead.deck) - len(ahead.rest)), len(ahead.deck) or 1)
    if excuse_drawer(ahead.hands) is not None or excuse == 1:
        return (Chance(Rule.EXCUSE, ahead.balance.eased(), Fraction(1)),)
    steps = (
        _winning(ahead) if ahead.balance.advantaged is None else _stepping(ahead, ahead.balance.advantaged)
    )
    chances = [
        Chance(Rule.EXCUSE, ahead.balance.eased(), excuse),
        *(Chance(step.rule, step.after, step.share * (1 - excuse)) for step in steps),
    ]
    stays = Rule.STALEMATE if ahead.balance.advantaged is None else Rule.SAME
    chances.append(Chance(stays, ahead.balance, 1 - sum((chance.share for chance in chances), Fraction())))
    return tuple(chance for chance in chances if chance.share)


class _Marks(NamedTuple):
    """A card among all there are, as bits: itself, those it beats, those that beat it."""

    own: int
    beaten: int
    beating: int


@lru_cache(maxsize=2)
def _marks(table: BeatsTable) -> Mapping[str, _Marks]:
    """Every card there can be, blanks too, upright, with its marks."""
    bits = {card: 1 << place for place, card in enumerate(spacetime.deck("suits"))}
    return {
        card: _Marks(
            own,
            sum(bit for other, bit in bits.items() if beats(card, other, table)),
            sum(bit for other, bit in bits.items() if beats(other, card, table)),
        )
        for card, own in bits.items()
    }


def _marked(cards: Iterable[str], table: BeatsTable) -> list[_Marks]:
    return [_marks(table)[spacetime.upright(card)] for card in cards]


def _together(cards: Iterable[_Marks]) -> int:
    return sum(card.own for card in cards)


def _winning(ahead: Ahead) -> Iterator[Chance]:
    """Balanced and without the Excuse: for each party, that its card beats every other."""
    rest = _marked(ahead.rest, ahead.beats_table)
    for party in ahead.parties:
        lying = _together(
            _marked((cards[0] for other, cards in ahead.lying if other != party), ahead.beats_table)
        )
        drawn = party in ahead.hands
        own = _marked(ahead.hands[party], ahead.beats_table) if drawn else rest
        others = len([other for other in ahead.drawing if other != party])
        among = perm(len(rest) - (not drawn), others) * len(own)
        left = _together(rest)
        ways = sum(perm((card.beaten & left).bit_count(), others) for card in own if not lying & ~card.beaten)
        yield Chance(Rule.WIN, ahead.balance.towards(party), Fraction(ways, among))


def _stepping(ahead: Ahead, advantaged: int) -> tuple[Chance, ...]:
    """Not balanced and without the Excuse: that the advantaged step up, and that they step down."""
    opponents = [party for party in ahead.parties if party != advantaged]
    drawing = [party for party in opponents if party not in ahead.hands]
    each = cards_due(ahead.balance, opponents[0])
    up = down = Fraction()
    met = _met(ahead, advantaged)
    for pools, times in met.items():
        for (won, lost), share in _spread(pools, len(drawing), each).items():
            if suffices(won, len(opponents), ahead.multi_party):
                up += share * times
            elif suffices(lost, len(opponents), ahead.multi_party):
                down += share * times
    hands = met.total()
    return (
        Chance(Rule.UP, ahead.balance.towards(advantaged), up / hands),
        Chance(Rule.DOWN, ahead.balance.eased(), down / hands),
    )


class _Pools(NamedTuple):
    """What a pair of cards meets: cards beaten, cards that beat both, others; parties won, parties lost."""

    beaten: int
    beating: int
    others: int
    won: int
    lost: int


def _met(ahead: Ahead, advantaged: int) -> Counter[_Pools]:
    """What the advantaged meet with each pair of cards they may have, and how many pairs meet the same."""
    rest = _marked(ahead.rest, ahead.beats_table)
    lying = [
        _together(_marked(cards, ahead.beats_table)) for party, cards in ahead.lying if party != advantaged
    ]
    own: Iterable[tuple[_Marks, _Marks]] = combinations(rest, 2)
    if advantaged in ahead.hands:
        one, other = _marked(ahead.hands[advantaged], ahead.beats_table)
        own = [(one, other)]
    every = _together(rest)
    met: Counter[_Pools] = Counter()
    for one, other in own:
        left = every & ~(one.own | other.own)
        beaten, beating = one.beaten | other.beaten, one.beating & other.beating
        won = sum(bool(hand & beaten) for hand in lying)
        lost = sum(not hand & ~beating for hand in lying)
        wins, loses = (left & beaten).bit_count(), (left & beating).bit_count()
        met[_Pools(wins, loses, left.bit_count() - wins - loses, won, lost)] += 1
    return met


@lru_cache(maxsize=4096)
def _spread(pools: _Pools, parties: int, each: int) -> dict[tuple[int, int], Fraction]:
    """How likely so many parties are won and so many lost, where `parties` have yet to draw `each`."""
    if not parties:
        return {(pools.won, pools.lost): Fraction(1)}
    spread: dict[tuple[int, int], Fraction] = {}
    among = perm(pools.beaten + pools.beating + pools.others, each)
    for after, ways in _drawn(pools, each).items():
        for end, share in _spread(after, parties - 1, each).items():
            spread[end] = spread.get(end, Fraction()) + share * Fraction(ways, among)
    return spread


def _drawn(pools: _Pools, each: int) -> Counter[_Pools]:
    """What is left once one more party has drawn, and in how many ways: won by any card, lost by all."""
    left: Counter[_Pools] = Counter()
    for kinds in product(range(3), repeat=each):
        counts = list(pools[:3])
        ways = 1
        for kind in kinds:
            ways *= counts[kind]
            counts[kind] -= 1
        won = pools.won + (0 in kinds)
        lost = pools.lost + (set(kinds) == {1})
        if ways:
            left[_Pools(counts[0], counts[1], counts[2], won, lost)] += ways
    return left
