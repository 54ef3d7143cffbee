"""How a round of a Space·Time conflict tips the Balance, from the cards alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final

from msgspec import Struct

from journal.decks import spacetime
from journal.decks.spacetime import Card
from journal.refused import Refused

Hands = Mapping[int, Sequence[str]]
"""Each party's cards of this round, canonical, the parties in the order of the conflict."""


class Level(StrEnum):
    """How far a conflict has tipped."""

    BALANCED = "balanced"
    UNBALANCED = "unbalanced"
    OVERWHELMING = "overwhelming"
    VICTORY = "victory"


LADDER: Final = tuple(Level)


class Balance(Struct, frozen=True):
    """A level and the party it favours; balanced favours nobody, every other level exactly one."""

    level: Level = Level.BALANCED
    advantaged: int | None = None

    def __post_init__(self) -> None:
        if (self.level is Level.BALANCED) != (self.advantaged is None):
            raise ValueError("a balance favours nobody, any other level somebody")

    def towards(self, party: int) -> Balance:
        """One step on in this party's favour, never past victory; ValueError if another has the advantage."""
        if self.advantaged not in {None, party}:
            raise ValueError("an advantage changes hands only through balanced")
        return Balance(LADDER[min(LADDER.index(self.level) + 1, len(LADDER) - 1)], party)

    def eased(self) -> Balance:
        """One step back towards balanced, never past it."""
        level = LADDER[max(LADDER.index(self.level) - 1, 0)]
        return Balance(level, None if level is Level.BALANCED else self.advantaged)


class MultiParty(StrEnum):
    """How many of several opponents a step takes; a table option."""

    ALL = "all"
    MAJORITY = "majority"


class BeatsTable(StrEnum):
    """Which card beats which; a table option."""

    AUTHOR = "author"
    NUMERIC = "numeric"


class Rule(StrEnum):
    """The rule that decided a round's flow."""

    EXCUSE = "excuse"
    WIN = "win"
    STALEMATE = "stalemate"
    UP = "up"
    DOWN = "down"
    SAME = "same"


class Result(StrEnum):
    """How one card fared against another."""

    WIN = "win"
    TIE = "tie"
    LOSS = "loss"


class Pair(Struct, frozen=True):
    """Two parties' cards held against each other; the result is the first party's."""

    party: int
    card: str
    other: int
    against: str
    result: Result


class Flow(Struct, frozen=True):
    """What a round came to, and why.

    `why` has the pairs that decided: for a win, a step up and a step down those that were won and lost; for a
    stalemate and for no change, where no single pair decides, all that were compared; for the Excuse none.
    """

    rule: Rule
    before: Balance
    after: Balance
    why: tuple[Pair, ...] = ()


def beats(card: str, other: str, table: BeatsTable = BeatsTable.AUTHOR) -> bool:
    """Whether a canonical card beats another under the table's option: `docs/rules/spacetime.md §2`."""
    ours, theirs = Card.of(card), Card.of(other)
    if table is BeatsTable.AUTHOR:
        return spacetime.beats(ours, theirs)
    return not (ours.is_excuse or theirs.is_excuse) and (ours.triumph or 0) > (theirs.triumph or 0)


def cards_due(balance: Balance, party: int) -> int:
    """How many cards a party draws, 1 or 2: `docs/rules/spacetime.md §4`; Refused after a victory."""
    match balance.level:
        case Level.BALANCED:
            return 1
        case Level.UNBALANCED:
            return 2 if party == balance.advantaged else 1
        case Level.OVERWHELMING:
            return 2
        case Level.VICTORY:
            raise Refused("The conflict is won: nobody draws any more.")


def excuse_drawer(hands: Hands) -> int | None:
    """The party with the Excuse among its cards, or None."""
    return next(
        (party for party, cards in hands.items() if any(Card.of(card).is_excuse for card in cards)), None
    )


def flow(
    balance: Balance,
    hands: Hands,
    *,
    multi_party: MultiParty = MultiParty.ALL,
    beats_table: BeatsTable = BeatsTable.AUTHOR,
) -> Flow:
    """What the cards of a round come to, by the first rule that fits: `docs/rules/spacetime.md §5`.

    Raises Refused for fewer than two parties, for a party with another number of cards than is due, and
    after a victory.
    """
    _check(balance, hands)
    if excuse_drawer(hands) is not None:
        return Flow(Rule.EXCUSE, balance, balance.eased())
    if balance.advantaged is None:
        return _balanced(balance, hands, beats_table)
    return _tipped(balance, balance.advantaged, hands, multi_party, beats_table)


def narration_order(outcome: Flow, parties: Iterable[int]) -> tuple[int, ...]:
    """Who narrates when: winners, then losers, then the rest, each in the order of the conflict.

    `docs/rules/spacetime.md §6`. Where nobody won, the order of the conflict.
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
    """Every card of the one party against every card of the other."""
    return tuple(
        Pair(one, card, other, against, _result(card, against, table))
        for card in hands[one]
        for against in hands[other]
    )


def _result(card: str, against: str, table: BeatsTable) -> Result:
    if beats(card, against, table):
        return Result.WIN
    return Result.LOSS if beats(against, card, table) else Result.TIE


def _all(pairs: Iterable[Pair], result: Result) -> bool:
    return all(pair.result is result for pair in pairs)


def _balanced(balance: Balance, hands: Hands, table: BeatsTable) -> Flow:
    """One card each: it takes a card that beats every other."""
    parties = tuple(hands)
    for party in parties:
        pairs = [pair for other in parties if other != party for pair in _pairs(hands, party, other, table)]
        if _all(pairs, Result.WIN):
            return Flow(Rule.WIN, balance, balance.towards(party), tuple(pairs))
    seen = [pair for one, other in combinations(parties, 2) for pair in _pairs(hands, one, other, table)]
    return Flow(Rule.STALEMATE, balance, balance, tuple(seen))


def _tipped(
    balance: Balance, advantaged: int, hands: Hands, multi_party: MultiParty, table: BeatsTable
) -> Flow:
    """Up if the advantaged win against the others, down if they lose every way, else the same."""
    compared = [_pairs(hands, advantaged, other, table) for other in hands if other != advantaged]
    wins = [[pair for pair in pairs if pair.result is Result.WIN] for pairs in compared]
    losses = [pairs for pairs in compared if _all(pairs, Result.LOSS)]
    won = [pair for pairs in wins for pair in pairs]
    if suffices(sum(1 for pairs in wins if pairs), len(compared), multi_party):
        return Flow(Rule.UP, balance, balance.towards(advantaged), tuple(won))
    if suffices(len(losses), len(compared), multi_party):
        return Flow(Rule.DOWN, balance, balance.eased(), tuple(pair for pairs in losses for pair in pairs))
    return Flow(Rule.SAME, balance, balance, tuple(pair for pairs in compared for pair in pairs))


def suffices(number: int, opponents: int, multi_party: MultiParty) -> bool:
    """True if a step takes no more of so many opponents than this number of them."""
    return number == opponents if multi_party is MultiParty.ALL else number * 2 > opponents
