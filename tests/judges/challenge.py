"""A challenge of Space·Time as a plain reader of docs/rules/spacetime.md §9 would judge it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from retold.games.spacetime import events as s
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event
from tests.judges.spacetime import BEATEN_BY, EXCUSE, Deck, beats, lying
from tests.judges.typing import typed
from tests.scenario import SeededLine


@dataclass
class Challenge:
    """What lies on either side, the Excuse left out."""

    attribute: int
    rank: int
    laid: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)
    numeric: bool = False

    @property
    def cost(self) -> int:
        """Less the attribute, and one more for each reversed card; never counted above 5."""
        cards = [*self.laid, *self.drawn]
        return min(5, sum(card.endswith(":r") for card in cards) - self.attribute)

    @property
    def effect(self) -> int:
        """The largest number of equal figures, on both sides together."""
        figures = Counter(
            lying(card).split(":")[1] for card in [*self.laid, *self.drawn] if ":" in lying(card)
        )
        return min(5, max(figures.values(), default=0))

    @property
    def is_met(self) -> bool:
        """Whether each card of the challenge is beaten by some card of the player's."""
        return all(any(beats(mine, card, numeric=self.numeric) for mine in self.drawn) for card in self.laid)


@dataclass
class Judge:
    """Meets challenges at random, one after the other with one deck."""

    luck: Random
    line: SeededLine
    options: dict[str, str]
    deck: Deck
    sleeve: int = 0

    @classmethod
    def seated(cls, seed: int) -> Judge:
        """One player's character, and options drawn from `seed`."""
        luck = Random(seed)
        choices = {
            "beats_table": ["author", "author", "numeric"],
            "reshuffle": ["when_empty", "every_round", "every_conflict"],
            "orientation": ["random", "random", "random", "ignored"],
            "blank_cards": ["none", "suits"],
        }
        options = {key: luck.choice(values) for key, values in choices.items()}
        judge = cls(luck, SeededLine(f"challenge {seed}".encode()), options, Deck(options))
        judge.type("option " + " ".join(f"spacetime.{key}={value}" for key, value in options.items()))
        judge.type("cast Ann by=Pat")
        judge.type("cast Fire")
        return judge

    def type(self, words: str) -> list[Event]:
        events = typed(self.line, words)
        self.deck.sees(events)
        return events

    def fact(self, subject: str, name: str | None = None) -> tuple[str, ...]:
        table = self.line.table
        who = None if name is None else table.called(name)
        return SYSTEMS["spacetime"].facts[subject].read(table, table.in_play(), who)

    def meets(self) -> None:
        """One challenge, from its rank to what it came to."""
        luck = self.luck
        one = Challenge(
            luck.randint(1, 5), luck.randint(0, 9), numeric=self.options["beats_table"] == "numeric"
        )
        reach, risk = luck.randint(1, 5), luck.randint(1, 5)
        setup = f"obstacle=Fire mode=challenge rank={one.rank} reach={reach} risk={risk}"
        self.type(f"conflict spacetime Ann vs Fire {setup}")
        self.type(f"declare Ann {luck.choice([*BEATEN_BY])}={one.attribute}: With a wrench.")
        if one.rank:
            one.laid = self._cards(self.type(luck.choice(["draw", "draw Fire"])))
            if EXCUSE in map(lying, one.laid):
                assert lying(one.laid.pop()) == EXCUSE
            else:
                assert len(one.laid) == one.rank
            assert EXCUSE not in map(lying, one.laid)
        self._stands(one)
        if luck.random() < 0.15:
            self._declines()
        else:
            self._draws(one)
        self.type("end conflict")

    def _declines(self) -> None:
        """It fails, costs nothing, and yields a Sleeve card."""
        events = self.type("refuse Ann: Not today.")
        self.sleeve += 1
        (met,) = [event for event in events if isinstance(event, s.ChallengeMet)]
        assert (met.outcome, met.cost) == ("failure", 0)
        assert self.fact("sleeve", "Ann") == (str(self.sleeve),)

    def _draws(self, one: Challenge) -> None:
        """One card at a time, until the player stops or is stopped."""
        events: list[Event] = []
        for _ in range(self.luck.randint(1, 12)):
            events = self.type("draw Ann")
            (card,) = self._cards(events)
            over = one.cost >= 5  # before the first card already
            if lying(card) != EXCUSE:
                one.drawn.append(card)
            over = over or one.cost >= 5
            stopped = [event.why for event in events if isinstance(event, s.DrawingStopped)]
            assert stopped == (["wipe_out"] if over else ["excuse"] if lying(card) == EXCUSE else [])
            self._stands(one)
            if stopped:
                break
        else:
            events = self.type("stop Ann")
        met = [event for event in events if isinstance(event, s.ChallengeMet)]
        if one.is_met and one.cost >= 5:
            assert not met
            met = [v for v in self.type("ruling success: Both.") if isinstance(v, s.ChallengeMet)]
        expected = ("success" if one.is_met else "failure", one.cost, one.effect)
        assert [(event.outcome, event.cost, event.effect) for event in met] == [expected], one

    def _cards(self, events: Sequence[Event]) -> list[str]:
        return [card for event in events if isinstance(event, e.CardsDrawn) for card in event.cards]

    def _stands(self, one: Challenge) -> None:
        assert self.fact("cost") == (str(one.cost),)
        assert self.fact("effect") == (str(one.effect),)
