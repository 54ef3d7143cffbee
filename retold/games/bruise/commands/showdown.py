"""Showdown: all hands are shown and compared, and each result becomes an event."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from retold.game import Event, OpenConflict, Refused, Situation, possessive
from retold.game import events as e
from retold.games.bruise import events as b
from retold.games.bruise import rules
from retold.games.bruise.options import chosen
from retold.games.bruise.rules import Ace, Tie, Verdict
from retold.games.bruise.state import BruiseConflict, Hand, new_pile, sheet_of, sides_of

TWO = 2


def ace_of(situation: Situation) -> Ace:
    """Returns the table option `ace`: aces count above the king (HIGH) or below the two (LOW)."""
    return chosen.kind(situation.table, "ace", Ace)


def joker_of(situation: Situation) -> int:
    """Returns a joker's rank at this table, 0..15, from the option `joker`."""
    return chosen.number(situation.table, "joker")


def active_players(conflict: OpenConflict, state: BruiseConflict) -> list[int]:
    """Returns the people of all sides who play in this turn, without people who joined too late for it."""
    return [who for side in sides_of(conflict, state) for who in side]


def people_without_hand(
    conflict: OpenConflict, state: BruiseConflict, hands: Mapping[int, Hand]
) -> list[int]:
    """Returns people playing this turn who have neither a hand in `hands` nor a shown Quality."""
    return [who for who in active_players(conflict, state) if who not in hands and who not in state.shown]


def unread_hands(conflict: OpenConflict, state: BruiseConflict, hands: Mapping[int, Hand]) -> list[int]:
    """Returns the people whose hand is not shown and of unnamed cards (`_`) alone: its Quality is unknown."""
    return [
        who
        for who in active_players(conflict, state)
        if who in hands and who not in state.shown and not rules.readable(hands[who].cards)
    ]


def unknown_qualities(conflict: OpenConflict, state: BruiseConflict, hands: Mapping[int, Hand]) -> list[int]:
    """Returns the people whose Quality (highest rank) is unknown: no hand, or only unnamed cards (`_`)."""
    return [*people_without_hand(conflict, state, hands), *unread_hands(conflict, state, hands)]


def quality_of(situation: Situation, hand: Hand) -> int:
    """Returns the Quality (highest rank) of a hand, by the table's options for aces and jokers."""
    return rules.quality(hand.cards, ace=ace_of(situation), joker=joker_of(situation))


def quantity_range(situation: Situation, hand: Hand | None, quality: int, against: int) -> tuple[int, int]:
    """Returns the least and the greatest Quantity possible for a hand that won with `quality` over `against`.

    For an unrecorded hand (None), 1 to the size of a deck; from 0 if `quality` is 0.
    """
    fewest = min(quality, 1)
    if hand is None:
        return fewest, len(new_pile(situation.table).cards)
    least, most = rules.quantity_range(hand.cards, against, ace=ace_of(situation), joker=joker_of(situation))
    return max(least, fewest), most


def show_all(
    situation: Situation,
    state: BruiseConflict,
    hands: Mapping[int, Hand],
    declared: Mapping[int, b.QualityDeclared],
) -> list[Event]:
    """Returns the events that show all remaining hands, then the events of the hands won or tied.

    `declared` holds Qualities just declared by the command, by person; they come first.
    """
    showing = dict(declared)
    for who in active_players(situation.here, state):
        if who not in state.shown and who not in showing:
            showing[who] = b.QualityDeclared(
                conflict=situation.here.id, who=who, quality=quality_of(situation, hands[who])
            )
    qualities = {who: shown.quality for who, shown in state.shown.items()}
    qualities |= {who: event.quality for who, event in showing.items()}
    stated = {who: shown.quantity for who, shown in state.shown.items()}
    stated |= {who: event.quantity for who, event in showing.items()}
    settled = frozenset((result.winner, result.loser) for result in state.results)
    table = Showdown(situation, sides_of(situation.here, state), qualities, stated, hands, settled)
    return [*showing.values(), *table.compared()]


class Showdown(Struct, frozen=True):
    """Qualities, stated Quantities and hands of a turn, ready to compare.

    `settled` are (winner, loser) pairs decided before, which are not compared again.
    """

    situation: Situation
    sides: e.Sides
    qualities: Mapping[int, int]
    stated: Mapping[int, int | None]
    hands: Mapping[int, Hand]
    settled: frozenset[tuple[int, int]] = frozenset()

    def compared(self) -> list[Event]:
        """Returns a HandWon or HandsTied event per comparison; empty with fewer than two sides.

        Two sides are compared in pairs; of three or more sides, the best hand beats all others.
        """
        if len(self.sides) > TWO:
            return self._best_of_all()
        if len(self.sides) < TWO:
            return []
        done = {frozenset(pair) for pair in self.settled}
        pairs = [pair for pair in self._pairings() if frozenset(pair) not in done]
        return [self.outcome(first, other) for first, other in pairs]

    def _pairings(self) -> Iterator[tuple[int, int]]:
        """Yields (person, opponent) for each pair whose hands are compared: `docs/rules/bruise.md` §3.

        A single hand is compared with each opposing one; if both sides hold several, each of the first
        side is compared with the best of the second.
        """
        first, opposing = self.sides
        if len(first) > 1 and len(opposing) > 1:
            opposing = (self._foremost(opposing),)
        for person in first:
            for other in opposing:
                yield person, other

    def _foremost(self, side: Sequence[int]) -> int:
        """Returns the member of a side with the highest Quality.

        Among equals, the one with higher next cards if the option `tie` is `next_card`, otherwise the
        first.
        """
        best, *others = side
        for who in others:
            verdict = rules.compare(self.qualities[who], self.qualities[best])
            if verdict is Verdict.WON or (verdict is Verdict.TIED and self._goes_further(who, best)):
                best = who
        return best

    def _goes_further(self, person: int, other: int) -> bool:
        """True if the option `tie` is `next_card` and the next cards of `person` beat those of `other`."""
        if self._is_difficulty(person) or self._is_difficulty(other):
            return False
        by_next = chosen.kind(self.situation.table, "tie", Tie) is Tie.NEXT_CARD
        return by_next and self._tie(person, other) is Verdict.WON

    def _is_difficulty(self, who: int) -> bool:
        """True if `who` is a static difficulty: a rank stated for a person without a player."""
        return who not in self.hands and may_be_difficulty(self.situation, who)

    def outcome(self, first: int, other: int) -> Event:
        """Returns the event of comparing two hands: HandWon, or HandsTied if no rule or option decides."""
        verdict = rules.compare(self.qualities[first], self.qualities[other])
        if verdict is Verdict.TIED:
            verdict = self._tie(first, other)
        match verdict:
            case Verdict.WON:
                return self.won(first, other)
            case Verdict.LOST:
                return self.won(other, first)
            case _:
                return self._tied(first, other, redraw=verdict is Verdict.REDRAW)

    def _tied(self, one: int, other: int, *, redraw: bool) -> b.HandsTied:
        return b.HandsTied(
            conflict=self.situation.here.id, one=one, other=other, quality=self.qualities[one], redraw=redraw
        )

    def _best_of_all(self) -> list[Event]:
        """Returns the wins of the best hand over the hands of all other sides.

        If several sides share the best Quality and the table option does not decide, returns their ties
        instead.
        """
        highest = max(self.qualities[who] for side in self.sides for who in side)
        foremost = map(self._foremost, self.sides)
        best = [who for who in foremost if self.qualities[who] == highest]
        left, redraw = self._left_of(best)
        if len(left) > 1:
            return [self._tied(left[0], other, redraw=redraw) for other in left[1:]]
        return self.taken_by(left[0])

    def _left_of(self, tied: Sequence[int]) -> tuple[list[int], bool]:
        """Returns the people still tied once the table option `tie` is applied, and True if they redraw."""
        left, redraw = [tied[0]], False
        for other in tied[1:]:
            verdict = self._tie(left[0], other)
            if verdict is Verdict.LOST:
                left = [other]
            elif verdict is not Verdict.WON:
                left, redraw = [*left, other], verdict is Verdict.REDRAW
        return left, redraw

    def taken_by(self, winner: int) -> list[Event]:
        """Returns the wins of `winner` over members of other sides with equal or lower Quality.

        Pairs in `settled` are left out.
        """
        own = next(side for side in self.sides if winner in side)
        others = [who for side in self.sides if side is not own for who in side]
        return [
            self.won(winner, loser)
            for loser in others
            if self.qualities[loser] <= self.qualities[winner] and (winner, loser) not in self.settled
        ]

    def _tie(self, first: int, other: int) -> Verdict:
        option = chosen.kind(self.situation.table, "tie", Tie)
        if self._is_difficulty(other):
            return Verdict.WON
        if self._is_difficulty(first):
            return Verdict.LOST
        if option is Tie.NEXT_CARD and not (self._in_full(first) and self._in_full(other)):
            return Verdict.TIED
        ace, joker = ace_of(self.situation), joker_of(self.situation)
        return rules.settle(option, self._cards(first), self._cards(other), ace=ace, joker=joker)

    def _in_full(self, who: int) -> bool:
        """True if the hand of `who` is recorded with every card named."""
        hand = self.hands.get(who)
        return hand is not None and rules.named_in_full(hand.cards)

    def _cards(self, who: int) -> Sequence[str]:
        hand = self.hands.get(who)
        return hand.cards if hand else ()

    def won(self, winner: int, loser: int) -> b.HandWon:
        """Returns the HandWon event, with Qualities, Quantity and the suits to choose a colour from."""
        against = self.qualities[loser]
        colours = rules.colours(
            self._cards(winner), ace=ace_of(self.situation), joker=joker_of(self.situation)
        )
        return b.HandWon(
            conflict=self.situation.here.id,
            winner=winner,
            loser=loser,
            quality=self.qualities[winner],
            against=against,
            quantity=self._quantity(winner, against),
            colours=tuple(suit.value for suit in colours),
        )

    def _quantity(self, winner: int, against: int) -> int | None:
        """Returns the winner's Quantity if the cards allow a single number, or the number they stated.

        None if neither is given, or the stated number is impossible.
        """
        hand, quality = self.hands.get(winner), self.qualities[winner]
        least, most = quantity_range(self.situation, hand, quality, against)
        stated = self.stated.get(winner)
        if least == most:
            return least
        return stated if stated is not None and least <= stated <= most else None


def may_be_difficulty(situation: Situation, who: int) -> bool:
    """True if `who` may be a rank to meet: `difficulty=static`, not of the first side, without a player."""
    if chosen(situation.table, "difficulty") != "static" or who in situation.here.sides[0]:
        return False
    return situation.table.people[who].player is None


def has_only_a_rank(situation: Situation, who: int) -> bool:
    """True if `who` draws no hand: a static difficulty without ratings to draw for."""
    return may_be_difficulty(situation, who) and not sheet_of(situation.table, who).traits


def check_quantity(situation: Situation, who: int, stated: int, possible: Collection[int]) -> None:
    """Raises Refused if the `stated` Quantity of a hand is not among the `possible` ones."""
    if stated in possible:
        return
    least, most = min(possible), max(possible)
    could = str(least) if least == most else f"{least} to {most}"
    raise Refused(f"{possessive(situation.name(who))} Quantity can be {could}, and not {stated}.")
