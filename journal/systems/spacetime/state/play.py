"""One conflict: where the Balance stands, the round in play, and a challenge being met."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct, field

from journal.capabilities import Balance as Shown
from journal.decks.spacetime import EXCUSE, upright
from journal.systems.spacetime import events as s
from journal.systems.spacetime import rules
from journal.systems.spacetime.rules import Balance, Meeting, Rule


class Mode(StrEnum):
    """How an obstacle is met; a conflict without one has the first."""

    CONFLICT = "conflict"
    DRAW_UNTIL_SUCCESS = "draw_until_success"
    CHALLENGE = "challenge"


class Round(Struct):
    """One round: tactics, cards, the flow, and whose telling is done."""

    number: int = 1
    tactics: set[int] = field(default_factory=set)
    hands: dict[int, list[str]] = field(default_factory=dict)
    excused: int | None = None
    replacement: str | None = None
    flow: Rule | None = None
    order: tuple[int, ...] = ()
    told: set[int] = field(default_factory=set)
    """Who has told of it; one of a party is enough for the party."""
    struck: set[int] = field(default_factory=set)
    """Whose words were struck, in this round or before, and are to be told anew."""

    def laid(self, party: int) -> tuple[str, ...]:
        """The cards a party has on the table: the one drawn for it in place of the Excuse."""
        cards = tuple(self.hands.get(party, ()))
        if self.excused != party:
            return cards
        left = tuple(card for card in cards if upright(card) != EXCUSE)
        return left if self.replacement is None else (*left, self.replacement)

    @property
    def owes(self) -> int | None:
        """Who discarded the Excuse and has drawn no other card yet."""
        return self.excused if self.replacement is None else None


class Challenge(Struct):
    """A challenge being met; `laid` is None until its own cards lie on the table."""

    rank: int
    attribute: int | None = None
    laid: list[str] | None = None
    drawn: list[str] = field(default_factory=list)
    stopped: str | None = None
    met: s.ChallengeMet | None = None

    def stands(self, beats_table: rules.BeatsTable) -> Meeting | None:
        """How it stands after the cards drawn, or as it came out; None before its own cards are laid."""
        if self.met is not None:
            return Meeting(self.met.cost, self.met.effect, success=self.met.outcome == "success")
        if self.attribute is None or self.laid is None:
            return None
        return rules.meet(self.attribute, self.laid, self.drawn, beats_table)


class Play(Struct):
    """One conflict: where the Balance stands, and the round in play."""

    standing: Balance = field(default_factory=Balance)
    obstacle: int | None = None
    mode: Mode = Mode.CONFLICT
    round: Round = field(default_factory=Round)
    winner: int | None = None
    cards: dict[int, int] = field(default_factory=dict)
    complications: dict[int, int] = field(default_factory=dict)
    challenge: Challenge | None = None
    desired: set[int] = field(default_factory=set)
    """The parties that have said what they want of it."""
    newcomers: set[int] = field(default_factory=set)
    """The parties that came when it was open, and have not yet said so."""
    leads: tuple[int, ...] = ()
    """Whom each party is known by, as its cards and all that is counted here have it."""

    @property
    def over(self) -> bool:
        """True once it has come out: nothing is left but to tell it."""
        return self.winner is not None or (self.challenge is not None and self.challenge.met is not None)

    @property
    def drawing(self) -> bool:
        """True between the first card of a round and its flow."""
        return bool(self.round.hands) and self.round.flow is None

    @property
    def begun(self) -> bool:
        """True once cards have been drawn since the conflict was set up."""
        challenge = self.challenge
        met = challenge is not None and bool(challenge.laid or challenge.drawn)
        return self.round.number > 1 or bool(self.round.hands) or met

    @property
    def cost(self) -> int | None:
        """How many cards it has taken where each raises the cost; None where a card has none."""
        if self.mode is not Mode.DRAW_UNTIL_SUCCESS:
            return None
        return sum(number for party, number in self.cards.items() if party != self.obstacle)

    def owed(self, party: int) -> int:
        """How many Complications the cards of `party` have brought that nobody has told yet."""
        if self.obstacle is None or self.mode is Mode.CHALLENGE or party == self.obstacle:
            return 0
        return self.cards.get(party, 0) - self.complications.get(party, 0)

    def balance(self, conflict: int) -> Shown | None:
        """Where the conflict stands; nowhere while cards are drawn against an obstacle."""
        if self.mode is not Mode.CONFLICT:
            return None
        scale = tuple(level.value for level in rules.LADDER)
        return Shown(conflict, self.standing.level.value, self.standing.advantaged, scale)
