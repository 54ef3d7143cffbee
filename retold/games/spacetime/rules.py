"""Rules of Space·Time as pure functions of cards: rounds, the Balance, challenges, and odds.

A party is one side of a conflict, known by its first person. The Balance is a scale from balanced to victory;
the flow of a round is how its cards move the Balance. The Excuse is the deck's one special card. A challenge
is an obstacle with cards of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product, takewhile
from math import perm
from typing import Final, NamedTuple

from msgspec import Struct

from retold.game import Refused, triumphs

Hands = Mapping[int, Sequence[str]]
"""Each party's canonical cards of this round, in the order of the conflict."""


class Level(StrEnum):
    """Levels of the Balance, in order: balanced, unbalanced, overwhelming, victory."""

    BALANCED = "balanced"
    UNBALANCED = "unbalanced"
    OVERWHELMING = "overwhelming"
    VICTORY = "victory"


LADDER: Final = tuple(Level)


class Balance(Struct, frozen=True):
    """A level of the Balance, with the favoured party in `advantaged`; balanced favours neither (None)."""

    level: Level = Level.BALANCED
    advantaged: int | None = None

    def __post_init__(self) -> None:
        if (self.level is Level.BALANCED) != (self.advantaged is None):
            raise ValueError("a balance favours nobody, any other level somebody")

    def towards(self, party: int) -> Balance:
        """Returns the Balance one level nearer to victory for `party`; victory stays victory.

        Raises ValueError if the Balance favours another party.
        """
        if self.advantaged not in {None, party}:
            raise ValueError("an advantage changes hands only through balanced")
        return Balance(LADDER[min(LADDER.index(self.level) + 1, len(LADDER) - 1)], party)

    def eased(self) -> Balance:
        """Returns the Balance one level nearer to balanced; balanced stays balanced."""
        level = LADDER[max(LADDER.index(self.level) - 1, 0)]
        return Balance(level, None if level is Level.BALANCED else self.advantaged)


class MultiParty(StrEnum):
    """Number of opponents the favoured party must beat for a step of the Balance: all, or a majority."""

    ALL = "all"
    MAJORITY = "majority"


class BeatsTable(StrEnum):
    """Rule by which one card beats another: the author's table, or the higher Triumph; a table option."""

    AUTHOR = "author"
    NUMERIC = "numeric"


class Rule(StrEnum):
    """Rule that decided how a round moved the Balance, such as the Excuse or a step up."""

    EXCUSE = "excuse"
    WIN = "win"
    STALEMATE = "stalemate"
    UP = "up"
    DOWN = "down"
    SAME = "same"


class Result(StrEnum):
    """Result of one card compared with another card: win, tie, or loss."""

    WIN = "win"
    TIE = "tie"
    LOSS = "loss"


class Pair(Struct, frozen=True):
    """Comparison of one party's card with another party's; `result` is the result for `party`."""

    party: int
    card: str
    other: int
    against: str
    result: Result


class Flow(Struct, frozen=True):
    """Result of a round: the rule applied, the Balance before and after, and the deciding comparisons.

    `why` holds the comparisons won (win, step up) or lost (step down); all comparisons for a stalemate and
    for no change, where no single pair decides; none for the Excuse.
    """

    rule: Rule
    before: Balance
    after: Balance
    why: tuple[Pair, ...] = ()


def beats(card: str, other: str, table: BeatsTable = BeatsTable.AUTHOR) -> bool:
    """True if `card` beats `other` by the given table of cards: `docs/rules/spacetime.md §2`."""
    ours, theirs = triumphs.Card.of(card), triumphs.Card.of(other)
    if table is BeatsTable.AUTHOR:
        return triumphs.beats(ours, theirs)
    return not (ours.is_excuse or theirs.is_excuse) and (ours.triumph or 0) > (theirs.triumph or 0)


def cards_due(balance: Balance, party: int) -> int:
    """Returns the number of cards a party must draw at this Balance, 1 or 2: `docs/rules/spacetime.md §4`.

    Raises Refused once the Balance is at victory.
    """
    match balance.level:
        case Level.BALANCED:
            return 1
        case Level.UNBALANCED:
            return 2 if party == balance.advantaged else 1
        case Level.OVERWHELMING:
            return 2
        case Level.VICTORY:
            raise Refused("The conflict is won: no more cards are drawn.")


def excuse_drawer(hands: Hands) -> int | None:
    """Returns the party among whose cards the Excuse is, or None."""
    return next(
        (party for party, cards in hands.items() if any(triumphs.Card.of(card).is_excuse for card in cards)),
        None,
    )


def flow(
    balance: Balance,
    hands: Hands,
    *,
    multi_party: MultiParty = MultiParty.ALL,
    beats_table: BeatsTable = BeatsTable.AUTHOR,
) -> Flow:
    """Returns how a round's cards move the Balance, by the first rule that fits.

    Source: `docs/rules/spacetime.md §5`. Raises Refused for fewer than two parties, for a party with a wrong
    number of cards, and after a victory.
    """
    _check(balance, hands)
    if excuse_drawer(hands) is not None:
        return Flow(Rule.EXCUSE, balance, balance.eased())
    if balance.advantaged is None:
        return _balanced(balance, hands, beats_table)
    return _unbalanced(balance, balance.advantaged, hands, multi_party, beats_table)


def narration_order(outcome: Flow, parties: Iterable[int]) -> tuple[int, ...]:
    """Returns the parties in the order they narrate: winners, losers, the rest: `docs/rules/spacetime.md §6`.

    Within each group, and if no party won, the order is that of `parties`.
    """
    order = tuple(parties)
    if outcome.rule not in {Rule.WIN, Rule.UP, Rule.DOWN}:
        return order
    won = {pair.other if pair.result is Result.LOSS else pair.party for pair in outcome.why}
    lost = {pair.party if pair.result is Result.LOSS else pair.other for pair in outcome.why}
    return tuple(sorted(order, key=lambda party: 0 if party in won else 1 if party in lost else 2))


def _check(balance: Balance, hands: Hands) -> None:
    if len(hands) < 2:
        raise Refused("A conflict takes two parties or more.")
    if balance.advantaged is not None and balance.advantaged not in hands:
        raise Refused("The advantaged party has not drawn.")
    for party, cards in hands.items():
        due = cards_due(balance, party)
        if len(cards) != due:
            raise Refused(f"{due} {'card is' if due == 1 else 'cards are'} due and {len(cards)} drawn.")


def _pairs(hands: Hands, one: int, other: int, table: BeatsTable) -> tuple[Pair, ...]:
    """Returns the comparison of each card of party `one` with each card of party `other`."""
    return tuple(
        Pair(one, card, other, against, _result(card, against, table))
        for card in hands[one]
        for against in hands[other]
    )


def _result(card: str, against: str, table: BeatsTable) -> Result:
    if beats(card, against, table):
        return Result.WIN
    return Result.LOSS if beats(against, card, table) else Result.TIE


def _all_are(pairs: Iterable[Pair], result: Result) -> bool:
    return all(pair.result is result for pair in pairs)


def _balanced(balance: Balance, hands: Hands, table: BeatsTable) -> Flow:
    """Returns the result of a round at balanced: a party whose card beats every other card gains a step."""
    parties = tuple(hands)
    for party in parties:
        pairs = [pair for other in parties if other != party for pair in _pairs(hands, party, other, table)]
        if _all_are(pairs, Result.WIN):
            return Flow(Rule.WIN, balance, balance.towards(party), tuple(pairs))
    seen = [pair for one, other in combinations(parties, 2) for pair in _pairs(hands, one, other, table)]
    return Flow(Rule.STALEMATE, balance, balance, tuple(seen))


def _unbalanced(
    balance: Balance, advantaged: int, hands: Hands, multi_party: MultiParty, table: BeatsTable
) -> Flow:
    """Returns the result of a round that favours a party: a step up, a step down, or no change.

    Up if the favoured party wins a comparison against enough opponents; down if it loses every comparison
    against enough of them.
    """
    compared = [_pairs(hands, advantaged, other, table) for other in hands if other != advantaged]
    wins = [[pair for pair in pairs if pair.result is Result.WIN] for pairs in compared]
    losses = [pairs for pairs in compared if _all_are(pairs, Result.LOSS)]
    won = [pair for pairs in wins for pair in pairs]
    if suffices(sum(1 for pairs in wins if pairs), len(compared), multi_party):
        return Flow(Rule.UP, balance, balance.towards(advantaged), tuple(won))
    if suffices(len(losses), len(compared), multi_party):
        return Flow(Rule.DOWN, balance, balance.eased(), tuple(pair for pairs in losses for pair in pairs))
    return Flow(Rule.SAME, balance, balance, tuple(pair for pairs in compared for pair in pairs))


def suffices(number: int, opponents: int, multi_party: MultiParty) -> bool:
    """True if `number` of `opponents` are enough for a step of the Balance: all, or more than half."""
    return number == opponents if multi_party is MultiParty.ALL else number * 2 > opponents


WIPE_OUT: Final = 5
MOST_EFFECT: Final = 5
RANKS: Final = range(10)
ATTRIBUTES: Final = range(1, 6)
READINGS: Final = range(1, 6)
"""Values allowed for risk and reach."""


class Ended(StrEnum):
    """Reason why no more cards may be drawn against a challenge: the Excuse, or a wipe-out (cost 5)."""

    EXCUSE = "excuse"
    WIPE_OUT = "wipe_out"


class Meeting(Struct, frozen=True):
    """Cost, effect and success of a challenge so far: `docs/rules/spacetime.md §9`.

    `cost` is -5..5, and 0 or less costs nothing; `effect` is 0..5. `ended` says why no more may be drawn, or
    is None; `sleeve` is the number of Sleeve cards gained.
    """

    cost: int
    effect: int
    success: bool
    ended: Ended | None = None
    sleeve: int = 0


DECLINED: Final = Meeting(cost=0, effect=0, success=False, sleeve=1)
"""A challenge whose player refused to draw: it fails, costs nothing, and yields a Sleeve card."""


def laid(turned: Sequence[str], rank: int) -> tuple[str, ...]:
    """Returns the challenge's own cards among the `turned` ones: `rank` cards, or fewer before the Excuse.

    Raises Refused for a rank outside 0..9, and if too few cards were turned.
    """
    if rank not in RANKS:
        raise Refused(f"A challenge has a rank of {RANKS[0]} to {RANKS[-1]}.")
    cards = tuple(takewhile(lambda card: not triumphs.Card.of(card).is_excuse, turned[:rank]))
    if len(turned) < rank and len(cards) == len(turned):
        raise Refused(f"The challenge's rank is {rank} and {len(turned)} drawn.")
    return cards


def meet(
    attribute: int,
    challenge: Sequence[str],
    drawn: Sequence[str],
    beats_table: BeatsTable = BeatsTable.AUTHOR,
) -> Meeting:
    """Returns cost, effect and success of a challenge after the player's cards: `docs/rules/spacetime.md §9`.

    `challenge` holds the challenge's cards, `drawn` the player's, in order. Raises Refused for an attribute
    outside 1..5, and for a card drawn after the Excuse or a wipe-out.
    """
    if attribute not in ATTRIBUTES:
        raise Refused(f"An attribute is {ATTRIBUTES[0]} to {ATTRIBUTES[-1]}.")
    kept = tuple(takewhile(lambda card: not triumphs.Card.of(card).is_excuse, drawn))
    start = _count_reversed(challenge) - attribute
    costs = [start + _count_reversed(kept[:number]) for number in range(1, len(drawn) + 1)]
    wiped_out = next((number for number, cost in enumerate(costs, 1) if cost >= WIPE_OUT), None)
    if len(drawn) > (wiped_out or len(kept) + 1):
        raise Refused("No more may be drawn against this challenge.")
    excused = Ended.EXCUSE if len(kept) < len(drawn) else None
    return Meeting(
        cost=min([start, *costs][-1], WIPE_OUT),
        effect=effect((*challenge, *kept)),
        success=all(any(beats(card, other, beats_table) for card in kept) for other in challenge),
        ended=Ended.WIPE_OUT if wiped_out else excused,
    )


def effect(cards: Iterable[str]) -> int:
    """Returns the size of the largest group of cards with the same figure, 0..5.

    Triumphs and the Excuse have no figure.
    """
    figures = Counter(triumphs.Card.of(card).figure for card in cards)
    del figures[None]
    return min(max(figures.values(), default=0), MOST_EFFECT)


def _count_reversed(cards: Iterable[str]) -> int:
    return sum(1 for card in cards if triumphs.Card.of(card).reversed)


class Chance(Struct, frozen=True):
    """A possible result of a round: the rule applied, the Balance afterwards, and the exact probability."""

    rule: Rule
    after: Balance
    share: Fraction


class Ahead(Struct, frozen=True):
    """A round with cards still to draw, as input for `odds`: parties, cards drawn so far, and deck.

    `lying` holds each party that has drawn, with its cards. The cards of `deck` are upright, each once and
    equally likely.
    """

    balance: Balance
    parties: tuple[int, ...]
    lying: tuple[tuple[int, tuple[str, ...]], ...]
    deck: tuple[str, ...]
    multi_party: MultiParty = MultiParty.ALL
    beats_table: BeatsTable = BeatsTable.AUTHOR

    @property
    def hands(self) -> Hands:
        """Cards drawn so far in this round, by party."""
        return dict(self.lying)

    @property
    def rest(self) -> tuple[str, ...]:
        """The deck without the Excuse."""
        return tuple(card for card in self.deck if not triumphs.Card.of(card).is_excuse)

    @property
    def drawing(self) -> tuple[int, ...]:
        """Parties that still draw cards in this round."""
        return tuple(party for party in self.parties if party not in self.hands)


@lru_cache(maxsize=16)
def odds(ahead: Ahead) -> tuple[Chance, ...]:
    """Returns each possible result of the round with its exact probability: `docs/rules/spacetime.md §5`.

    Order: the Excuse, steps of the Balance, no change. Empty if the deck has too few cards, and after a
    victory.
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
        _win_chances(ahead)
        if ahead.balance.advantaged is None
        else _step_chances(ahead, ahead.balance.advantaged)
    )
    chances = [
        Chance(Rule.EXCUSE, ahead.balance.eased(), excuse),
        *(Chance(step.rule, step.after, step.share * (1 - excuse)) for step in steps),
    ]
    stays = Rule.STALEMATE if ahead.balance.advantaged is None else Rule.SAME
    chances.append(Chance(stays, ahead.balance, 1 - sum((chance.share for chance in chances), Fraction())))
    return tuple(chance for chance in chances if chance.share)


class _Marks(NamedTuple):
    """Bit masks of a card: its own bit, the bits of cards it beats, the bits of cards that beat it."""

    own: int
    beaten: int
    beating: int


@lru_cache(maxsize=2)
def _marks(table: BeatsTable) -> Mapping[str, _Marks]:
    """Returns the bit masks of every upright card, blanks included, by the card's name."""
    bits = {card: 1 << place for place, card in enumerate(triumphs.deck("suits"))}
    return {
        card: _Marks(
            own,
            sum(bit for other, bit in bits.items() if beats(card, other, table)),
            sum(bit for other, bit in bits.items() if beats(other, card, table)),
        )
        for card, own in bits.items()
    }


def _marks_of(cards: Iterable[str], table: BeatsTable) -> list[_Marks]:
    return [_marks(table)[triumphs.upright(card)] for card in cards]


def _union(cards: Iterable[_Marks]) -> int:
    return sum(card.own for card in cards)


def _win_chances(ahead: Ahead) -> Iterator[Chance]:
    """Yields each party's chance to win a round that begins balanced, if the Excuse is not drawn."""
    rest = _marks_of(ahead.rest, ahead.beats_table)
    for party in ahead.parties:
        lying = _union(
            _marks_of((cards[0] for other, cards in ahead.lying if other != party), ahead.beats_table)
        )
        drawn = party in ahead.hands
        own = _marks_of(ahead.hands[party], ahead.beats_table) if drawn else rest
        others = len([other for other in ahead.drawing if other != party])
        among = perm(len(rest) - (not drawn), others) * len(own)
        left = _union(rest)
        ways = sum(perm((card.beaten & left).bit_count(), others) for card in own if not lying & ~card.beaten)
        yield Chance(Rule.WIN, ahead.balance.towards(party), Fraction(ways, among))


def _step_chances(ahead: Ahead, advantaged: int) -> tuple[Chance, ...]:
    """Returns the chances of a step up and a step down in a round that favours a party.

    The chances are those of a round in which the Excuse is not drawn.
    """
    opponents = [party for party in ahead.parties if party != advantaged]
    drawing = [party for party in opponents if party not in ahead.hands]
    each = cards_due(ahead.balance, opponents[0])
    up = down = Fraction()
    met = _count_pools(ahead, advantaged)
    for pools, times in met.items():
        for (won, lost), share in _result_spread(pools, len(drawing), each).items():
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
    """Cards that opponents can still draw, counted by their result against the favoured party's two cards.

    `beaten` cards lose to either card, `beating` cards beat both, `others` do neither. `won` and `lost` count
    the opponents already beaten, or lost to.
    """

    beaten: int
    beating: int
    others: int
    won: int
    lost: int


def _count_pools(ahead: Ahead, advantaged: int) -> Counter[_Pools]:
    """Returns, for the possible two cards of the favoured party, how often each `_Pools` occurs.

    `_Pools` counts the opponents' cards by their result against these two.
    """
    rest = _marks_of(ahead.rest, ahead.beats_table)
    lying = [
        _union(_marks_of(cards, ahead.beats_table)) for party, cards in ahead.lying if party != advantaged
    ]
    own: Iterable[tuple[_Marks, _Marks]] = combinations(rest, 2)
    if advantaged in ahead.hands:
        first, second = _marks_of(ahead.hands[advantaged], ahead.beats_table)
        own = [(first, second)]
    every = _union(rest)
    met: Counter[_Pools] = Counter()
    for first, second in own:
        left = every & ~(first.own | second.own)
        beaten, beating = first.beaten | second.beaten, first.beating & second.beating
        won = sum(bool(hand & beaten) for hand in lying)
        lost = sum(not hand & ~beating for hand in lying)
        wins, loses = (left & beaten).bit_count(), (left & beating).bit_count()
        met[_Pools(wins, loses, left.bit_count() - wins - loses, won, lost)] += 1
    return met


@lru_cache(maxsize=4096)
def _result_spread(pools: _Pools, parties: int, each: int) -> dict[tuple[int, int], Fraction]:
    """Returns the probability of each (opponents beaten, opponents lost to), after `parties` opponents draw.

    Each of these opponents draws `each` cards.
    """
    if not parties:
        return {(pools.won, pools.lost): Fraction(1)}
    spread: dict[tuple[int, int], Fraction] = {}
    among = perm(pools.beaten + pools.beating + pools.others, each)
    for after, ways in _count_draws(pools, each).items():
        for end, share in _result_spread(after, parties - 1, each).items():
            spread[end] = spread.get(end, Fraction()) + share * Fraction(ways, among)
    return spread


def _count_draws(pools: _Pools, each: int) -> Counter[_Pools]:
    """Returns in how many ways one more opponent can draw `each` cards, by the `_Pools` left afterwards."""
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
