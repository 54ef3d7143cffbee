"""Events that only Space·Time has.

A party is a side of a conflict, known by its first person. The Balance is a scale from balanced to victory;
the flow of a round is how its cards move the Balance.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from retold.game import Event, Id, InConflict, Part, PersonInConflict, Whole, Words, events, kinds
from retold.games.spacetime.rules import Level, Result, Rule

# --- setting up -------------------------------------------------------------------------------------------


class BalanceSet(InConflict):
    """The Balance was set to `level`, favouring party `advantaged`, without cards.

    This happens at the beginning, by a ruling, or because the favoured party left.
    """

    kind: ClassVar[str] = "spacetime.balance-set"
    level: Level
    advantaged: Id | None = None


class OutcomeDesired(PersonInConflict):
    """A party named its Desired Outcome: `text` comes about if it wins."""

    kind: ClassVar[str] = "spacetime.outcome-desired"
    text: Words


class TokensGiven(Event):
    """Tokens, which strike narrations, were dealt: each person in `people` now has `each` tokens."""

    kind: ClassVar[str] = "spacetime.tokens-given"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    each: Whole


# --- a round ----------------------------------------------------------------------------------------------


class Compared(Part):
    """A comparison of two parties' cards; `result` is the result for the card of `party`."""

    party: Id
    card: str
    other: Id
    against: str
    result: Result


class FlowResolved(InConflict):
    """The cards of a round moved the Balance, or left it: the rule, the Balance before and after.

    `why` holds the deciding comparisons of cards, `order` the parties in the order they narrate.
    """

    kind: ClassVar[str] = "spacetime.flow-resolved"
    round: Id
    rule: Rule
    level_before: Level
    advantaged_before: Id | None = None
    level: Level
    advantaged: Id | None = None
    why: tuple[Compared, ...] = ()
    order: tuple[Id, ...] = ()


class ExcuseDiscarded(PersonInConflict):
    """The Excuse was discarded; the party that drew it draws another card, used for narration only."""

    kind: ClassVar[str] = "spacetime.excuse-discarded"


class VictoryReached(PersonInConflict):
    """A party won: its Desired Outcome comes about; the last round may still be narrated."""

    kind: ClassVar[str] = "spacetime.victory-reached"


class RoundEnded(InConflict):
    """A round ended, and its cards on the table were discarded."""

    kind: ClassVar[str] = "spacetime.round-ended"
    round: Id


# --- stopping ---------------------------------------------------------------------------------------------


class ConflictStopped(PersonInConflict):
    """A party ended the conflict for all parties, by conceding or postponing."""

    kind: ClassVar[str] = "spacetime.conflict-stopped"
    how: Literal["conceded", "postponed"]
    text: Words | None = None


class PartyLeft(PersonInConflict):
    """A party conceded and left the conflict; the other parties go on.

    `people` lists the people of the party, None if it is a single person.
    """

    kind: ClassVar[str] = "spacetime.party-left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    people: tuple[Id, ...] | None = None
    text: Words | None = None


class ConflictReformulated(PersonInConflict):
    """A party restarted the conflict with new sides and a new Balance; outcomes are to be named again."""

    kind: ClassVar[str] = "spacetime.conflict-reformulated"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"sides"})
    sides: events.Sides
    level: Level
    advantaged: Id | None = None
    text: Words | None = None


# --- obstacles and challenges -----------------------------------------------------------------------------


class ComplicationAdded(PersonInConflict):
    """A Complication was told: the text owed for one card drawn against an obstacle."""

    kind: ClassVar[str] = "spacetime.complication-added"
    text: Words


class ComplicationsLeft(InConflict):
    """A party's part in a conflict ended while its people still had to narrate `number` Complications."""

    kind: ClassVar[str] = "spacetime.complications-left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    number: Whole


class CostRaised(PersonInConflict):
    """Reversed cards raised a challenge's cost by `by`, to `cost`."""

    kind: ClassVar[str] = "spacetime.cost-raised"
    by: Whole
    cost: Whole


class DrawRefused(PersonInConflict):
    """A player refused to draw against a challenge, which then fails without cost."""

    kind: ClassVar[str] = "spacetime.draw-refused"
    text: Words | None = None


class SleeveGained(PersonInConflict):
    """A person gained a Sleeve card, and has `total` Sleeve cards now."""

    kind: ClassVar[str] = "spacetime.sleeve-gained"
    total: Whole


class DrawingStopped(PersonInConflict):
    """A player draws no more against a challenge: by choice, for the Excuse, or for a wipe-out (cost 5)."""

    kind: ClassVar[str] = "spacetime.drawing-stopped"
    why: Literal["choice", "excuse", "wipe_out"]
    text: Words | None = None


class ChallengeMet(PersonInConflict):
    """A challenge ended in success or failure, with its cost (0 or less is no cost) and its effect."""

    kind: ClassVar[str] = "spacetime.challenge-met"
    outcome: Literal["success", "failure"]
    cost: Whole
    effect: Whole


class NumberSet(Event):
    """A ruling set the number of a person's tokens or Sleeve cards to `value`."""

    kind: ClassVar[str] = "spacetime.number-set"
    who: Id
    what: Literal["tokens", "sleeve"]
    value: Whole


EVENTS = kinds(vars())
