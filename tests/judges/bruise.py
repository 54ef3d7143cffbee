"""Bruise as a plain reader of docs/rules/bruise.md would judge it, hand by hand.

Nothing of retold/games/bruise but its commands and events is known here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from retold.games.bruise import events as b
from retold.games.bruise.commands import Quality, SpendKarma
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Question, Words
from tests.scenario import SeededLine

FACES = {"J": 11, "Q": 12, "K": 13}
SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
PLAYERS = (1, 2)


@dataclass
class Judge:
    """Plays turns of Bruise at random; the real game is held to what the rules say of every hand."""

    luck: Random
    line: SeededLine
    sides: list[tuple[int, ...]]
    ace: int
    tie: str
    player: dict[int, int]
    karma: dict[int, int] = field(default_factory=dict)
    out: dict[int, set[str]] = field(default_factory=dict)
    """The cards that are out of each deck, by the player whose it is; 0 is the Tale Weaver's."""

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """Two to five sides of one or two, players and options drawn from `seed`; their conflict is open."""
        luck = Random(seed)
        line = SeededLine(f"bruise {seed}".encode())
        line.add(*(e.CastIntroduced(person=one, name=Words(f"P{one}"), role="player") for one in PLAYERS))
        sides, person = [], len(PLAYERS)
        for _ in range(luck.randint(2, 5)):
            side = tuple(range(person + 1, person + 1 + luck.choice([1, 1, 2])))
            line.add(*(e.CastIntroduced(person=one, name=Words(f"N{one}")) for one in side))
            sides.append(side)
            person = side[-1]
        everybody = [one for side in sides for one in side]
        player = {one: luck.choice([0, 0, *PLAYERS]) for one in everybody}
        line.add(*(e.PlayerSeated(person=one, player=by) for one, by in player.items() if by))
        ace, tie = luck.choice(["high", "low"]), luck.choice(["ask", "next_card", "actor", "opposition"])
        line.play(c.OpenConflict(system="bruise", sides=tuple(sides), setup={"tied": "destiny"}))
        line.play(c.SetOption(values={"ace": ace, "tie": tie}))
        karma = dict.fromkeys(everybody, 5)
        return cls(luck, line, sides, 14 if ace == "high" else 1, tie, player, karma)

    # --- a turn -------------------------------------------------------------------------------------------

    def turn(self) -> None:
        """One turn: everybody draws, some spend Karma, all show, and what comes of it is looked at."""
        self.out = {}
        hands = {one: self._draws(one) for one in self.luck.sample(list(self.karma), len(self.karma))}
        for one, hand in hands.items():
            if hand and self.karma[one] and self.luck.random() < 0.2:
                self._spends(one, hand)
        events = self.line.play(Quality())
        ruled: dict[frozenset[int], int] = {}
        while questions := [one for one in self._questions() if one.name == "tie"]:
            answer = self.luck.choice(questions[0].answers)
            assert isinstance(answer, int)
            ruled[frozenset(who for who in questions[0].answers if isinstance(who, int))] = answer
            events += self.line.play(c.Rule(question="tie", answer=answer, text=Words("Steel before nerve.")))
        won = [event for event in events if isinstance(event, b.HandWon)]
        for event in won:
            self._counts(event, hands)
        if len(self.sides) == 2:
            self._two_sides(won, hands, ruled)
        else:
            self._several_sides(won, hands, ruled)

    def _draws(self, who: int) -> list[str]:
        count = self.luck.randint(0, 5)
        events = self.line.play(c.Draw(who=who, count=count))
        return self._taken(who, events, count)

    def _taken(self, who: int, events: Sequence[Event], count: int) -> list[str]:
        """§1, §2: so many cards, of the deck of whoever plays them, and none that is out of it."""
        drawn = [card for event in events if isinstance(event, e.CardsDrawn) for card in event.cards]
        out = self.out.setdefault(self.player[who], set())
        assert len(drawn) == len(set(drawn)) == count
        assert not out & set(drawn)
        out |= set(drawn)
        return drawn

    def _spends(self, who: int, hand: list[str]) -> None:
        """§9: a point, and any of the cards for as many new ones; those discarded stay out."""
        away = self.luck.sample(hand, self.luck.randint(1, len(hand)))
        events = self.line.play(SpendKarma(who=who, potential="destiny", cards=tuple(away)))
        self.karma[who] -= 1
        (spent,) = [event for event in events if isinstance(event, b.KarmaSpent)]
        assert (spent.discarded, spent.left) == (tuple(away), self.karma[who])
        for card in away:
            hand.remove(card)
        hand += self._taken(who, events, len(away))

    def _questions(self) -> Sequence[Question]:
        table = self.line.table
        conflict = table.in_play()
        return () if conflict is None else SYSTEMS["bruise"].pending(table, conflict)

    # --- what a hand is worth -----------------------------------------------------------------------------

    def rank(self, card: str) -> int:
        face = card[:-1]
        return self.ace if face == "A" else FACES.get(face) or int(face)

    def quality(self, hand: Sequence[str]) -> int:
        """§3: the highest rank; of an empty hand 0."""
        return max(map(self.rank, hand), default=0)

    def _counts(self, won: b.HandWon, hands: dict[int, list[str]]) -> None:
        """§5, §6: how many reach the loser's Quality, and the suits of the highest."""
        hand, against = hands[won.winner], self.quality(hands[won.loser])
        best = self.quality(hand)
        assert (won.quality, won.against) == (best, against)
        assert won.quantity == sum(self.rank(card) >= against for card in hand)
        assert set(won.colours) == {SUITS[card[-1]] for card in hand if self.rank(card) == best}

    # --- who wins -----------------------------------------------------------------------------------------

    def _two_sides(
        self, won: Sequence[b.HandWon], hands: dict[int, list[str]], ruled: dict[frozenset[int], int]
    ) -> None:
        """§3: each is compared with the other side's hand; with the best of them, where both hold several."""
        first, second = self.sides
        if len(first) > 1 and len(second) > 1:
            top = max(self.quality(hands[one]) for one in second)
            best = [one for one in second if self.quality(hands[one]) == top]
            expected = [(one, best) for one in first]
        else:
            expected = [(one, [other]) for one in first for other in second]
        assert len(won) == len(expected)
        for one, others in expected:
            (event,) = [
                event
                for event in won
                if one in (event.winner, event.loser) and {event.winner, event.loser} & set(others)
            ]
            other = next(who for who in others if who in (event.winner, event.loser))
            assert event.winner == self._better(one, other, hands, ruled)

    def _better(
        self, one: int, other: int, hands: dict[int, list[str]], ruled: dict[frozenset[int], int]
    ) -> int:
        mine, theirs = self.quality(hands[one]), self.quality(hands[other])
        if mine != theirs:
            return one if mine > theirs else other
        if self.tie in ("actor", "opposition"):
            return one if (one in self.sides[0]) == (self.tie == "actor") else other
        if self.tie == "next_card" and (ahead := self._next_cards(hands[one], hands[other])):
            return one if ahead > 0 else other
        return ruled[frozenset((one, other))]

    def _next_cards(self, mine: Sequence[str], theirs: Sequence[str]) -> int:
        """§4: down both hands until two differ; a hand that has run out counts 0."""
        long = max(len(mine), len(theirs))
        for hand, other in zip(self._down(mine, long), self._down(theirs, long), strict=True):
            if hand != other:
                return hand - other
        return 0

    def _down(self, hand: Sequence[str], long: int) -> list[int]:
        ranks = sorted(map(self.rank, hand), reverse=True)
        return ranks + [0] * (long - len(ranks))

    def _several_sides(
        self, won: Sequence[b.HandWon], hands: dict[int, list[str]], ruled: dict[frozenset[int], int]
    ) -> None:
        """§3, §4: the highest of all takes it from everybody on every other side."""
        winners = {event.winner for event in won}
        assert len(winners) == 1
        (winner,) = winners
        side = next(side for side in self.sides if winner in side)
        assert sorted(event.loser for event in won) == sorted(set(hands) - set(side))
        top = max(map(self.quality, hands.values()))
        alike = [one for one in self.karma if self.quality(hands[one]) == top]
        assert winner in alike
        tied = [one for one in self.sides if set(one) & set(alike)]
        if len(tied) > 1:
            self._first_among(winner, [one for side in tied for one in side if one in alike], hands, ruled)

    def _first_among(
        self,
        winner: int,
        alike: Sequence[int],
        hands: dict[int, list[str]],
        ruled: dict[frozenset[int], int],
    ) -> None:
        if self.tie == "actor":
            assert winner in next(side for side in self.sides if set(side) & set(alike))
        elif self.tie == "opposition":
            assert winner in next(side for side in reversed(self.sides) if set(side) & set(alike))
        elif self.tie == "next_card" and not ruled:
            assert all(self._next_cards(hands[winner], hands[one]) >= 0 for one in alike)
        else:
            assert winner in ruled.values()
