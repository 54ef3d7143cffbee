"""What can happen in a Space·Time conflict, beside the shared words."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.spacetime.rules import Level, Result, Rule
from journal.vocabulary.base import Event, Id, InConflict, Part, PersonInConflict, Whole, Words, kinds
from journal.vocabulary.events import Sides

# --- setting up -------------------------------------------------------------------------------------------


class BalanceSet(InConflict):
    """The table set the Balance: at the beginning, by a ruling, or because the party it favoured left."""

    kind: ClassVar[str] = "spacetime.balance-set"
    level: Level
    advantaged: Id | None = None


class OutcomeDesired(PersonInConflict):
    """A party said what comes about if it wins."""

    kind: ClassVar[str] = "spacetime.outcome-desired"
    text: Words


class TokensGiven(Event):
    """These people hold `each` tokens to overrule now, whatever they held before."""

    kind: ClassVar[str] = "spacetime.tokens-given"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    each: Whole


# --- a round ----------------------------------------------------------------------------------------------


class Compared(Part):
    """One party's card held against another's; the result is the first one's."""

    party: Id
    card: str
    other: Id
    against: str
    result: Result


class FlowResolved(InConflict):
    """What a round came to, by which rule and by which pairs of cards, and who tells it in which order."""

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
    """The Excuse left the table for the discards; who drew it draws another card, for the telling only."""

    kind: ClassVar[str] = "spacetime.excuse-discarded"


class VictoryReached(PersonInConflict):
    """The Balance went all the way: this party has its Desired Outcome. The last round may still be told."""

    kind: ClassVar[str] = "spacetime.victory-reached"


class RoundEnded(InConflict):
    """A round is over: its cards go from the table to the discards."""

    kind: ClassVar[str] = "spacetime.round-ended"
    round: Id


# --- stopping ---------------------------------------------------------------------------------------------


class ConflictStopped(PersonInConflict):
    """A party stopped the conflict for everybody."""

    kind: ClassVar[str] = "spacetime.conflict-stopped"
    how: Literal["conceded", "postponed"]
    text: Words | None = None


class PartyLeft(PersonInConflict):
    """A party left, conceding in the words of `who`; the others go on. `people` has all of it, if several."""

    kind: ClassVar[str] = "spacetime.party-left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    people: tuple[Id, ...] | None = None
    text: Words | None = None


class ConflictReformulated(PersonInConflict):
    """A party had the conflict begin again, with these sides, this Balance, and outcomes anew."""

    kind: ClassVar[str] = "spacetime.conflict-reformulated"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"sides"})
    sides: Sides
    level: Level
    advantaged: Id | None = None
    text: Words | None = None


# --- obstacles and challenges -----------------------------------------------------------------------------


class ComplicationAdded(PersonInConflict):
    """What one of a party's cards against an obstacle brought with it."""

    kind: ClassVar[str] = "spacetime.complication-added"
    text: Words


class ComplicationsLeft(InConflict):
    """A party is out of a conflict, and so many Complications are still to be told of its people."""

    kind: ClassVar[str] = "spacetime.complications-left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    number: Whole


class CostRaised(PersonInConflict):
    """So many reversed cards raised the cost of meeting a challenge; it stands at `cost`."""

    kind: ClassVar[str] = "spacetime.cost-raised"
    by: Whole
    cost: Whole


class DrawRefused(PersonInConflict):
    """Somebody would not draw against a challenge: it fails, and costs nothing."""

    kind: ClassVar[str] = "spacetime.draw-refused"
    text: Words | None = None


class SleeveGained(PersonInConflict):
    """Somebody gained a Sleeve card; they have `total` now."""

    kind: ClassVar[str] = "spacetime.sleeve-gained"
    total: Whole


class DrawingStopped(PersonInConflict):
    """No more is drawn against a challenge: by choice, for the Excuse, or because the cost is a wipe-out."""

    kind: ClassVar[str] = "spacetime.drawing-stopped"
    why: Literal["choice", "excuse", "wipe_out"]
    text: Words | None = None


class ChallengeMet(PersonInConflict):
    """How a challenge came out. A cost of 0 or less is none."""

    kind: ClassVar[str] = "spacetime.challenge-met"
    outcome: Literal["success", "failure"]
    cost: Whole
    effect: Whole


class NumberSet(Event):
    """A ruling set somebody's tokens or Sleeve cards."""

    kind: ClassVar[str] = "spacetime.number-set"
    who: Id
    what: Literal["tokens", "sleeve"]
    value: Whole


EVENTS = kinds(vars())
