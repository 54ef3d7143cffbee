"""Everybody's hand on the table, compared pair by pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.rules import Ace, Tie, Verdict
from journal.systems.bruise.state import Hand, Play
from journal.table import OpenConflict
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def ace_of(situation: Situation) -> Ace:
    """Whether aces are high or low at this table."""
    return Ace(situation.option("ace"))


def without_hand(conflict: OpenConflict, state: Play, hands: Mapping[int, Hand]) -> list[int]:
    """Who has neither drawn nor shown yet."""
    return [who for who in conflict.people if who not in hands and who not in state.shown]


def show_all(
    situation: Situation,
    state: Play,
    hands: Mapping[int, Hand],
    declared: Mapping[int, b.QualityDeclared],
) -> list[Event]:
    """Everybody who has not shown shows, and the hands are compared pair by pair."""
    showing = dict(declared)
    for who in situation.here.people:
        if who not in state.shown and who not in showing:
            showing[who] = b.QualityDeclared(
                conflict=situation.here.id,
                who=who,
                quality=rules.quality(hands[who].cards, ace=ace_of(situation)),
            )
    qualities = {who: shown.quality for who, shown in state.shown.items()}
    qualities |= {who: event.quality for who, event in showing.items()}
    stated = {who: shown.quantity for who, shown in state.shown.items()}
    stated |= {who: event.quantity for who, event in showing.items()}
    settled = {frozenset((result.winner, result.loser)) for result in state.results}
    table = Showdown(situation, qualities, stated, hands)
    pairs = [pair for pair in pairings(situation.here.sides, qualities) if frozenset(pair) not in settled]
    return [*showing.values(), *(table.outcome(one, other) for one, other in pairs)]


def pairings(sides: e.Sides, qualities: Mapping[int, int]) -> Iterator[tuple[int, int]]:
    """Which hands are compared: `docs/rules/bruise.md` §7.

    One hand stands against each on the other side; where both sides hold several, each of the first side's
    is compared with the best that stands against it.
    """
    first, *others = sides
    opposing = [who for side in others for who in side]
    if len(first) > 1 and len(opposing) > 1:
        opposing = [max(opposing, key=lambda who: qualities[who])]
    for one in first:
        for other in opposing:
            yield one, other


@dataclass(frozen=True, slots=True)
class Showdown:
    """Everybody's Quality on the table, ready to be compared."""

    situation: Situation
    qualities: Mapping[int, int]
    stated: Mapping[int, int | None]
    hands: Mapping[int, Hand]

    def outcome(self, one: int, other: int) -> Event:
        """What comes of `one` against `other`: a hand won, or a tie."""
        verdict = rules.compare(self.qualities[one], self.qualities[other])
        if verdict is Verdict.TIED:
            verdict = self._tie(one, other)
        match verdict:
            case Verdict.WON:
                return self.won(one, other)
            case Verdict.LOST:
                return self.won(other, one)
            case _:
                return b.HandsTied(
                    conflict=self.situation.here.id,
                    one=one,
                    other=other,
                    quality=self.qualities[one],
                    redraw=verdict is Verdict.REDRAW,
                )

    def _tie(self, one: int, other: int) -> Verdict:
        option = Tie(self.situation.option("tie"))
        if self.situation.option("difficulty") == "static":
            return Verdict.WON
        if option is Tie.NEXT_CARD and not (self.hands.get(one) and self.hands.get(other)):
            return Verdict.TIED
        return rules.settle(option, self._cards(one), self._cards(other), ace=ace_of(self.situation))

    def _cards(self, who: int) -> Sequence[str]:
        hand = self.hands.get(who)
        return hand.cards if hand else ()

    def won(self, winner: int, loser: int) -> b.HandWon:
        """`winner` took the hand from `loser`, whatever made it so."""
        cards = self._cards(winner)
        ace = ace_of(self.situation)
        against = self.qualities[loser]
        quantity = self.stated.get(winner)
        if quantity is None and cards:
            least, most = rules.quantity_range(cards, against, ace=ace)
            quantity = least if least == most else None
        return b.HandWon(
            conflict=self.situation.here.id,
            winner=winner,
            loser=loser,
            quality=self.qualities[winner],
            against=against,
            quantity=quantity,
            colours=tuple(suit.value for suit in rules.colours(cards, ace=ace)),
        )
