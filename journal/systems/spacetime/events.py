"""Events of a Space·Time conflict, beside the shared ones."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.spacetime.rules import Level, Result, Rule
from journal.vocabulary.base import Event, Id, InConflict, Part, PersonInConflict, Whole, Words, kinds
from journal.vocabulary.events import Sides

# --- setting up -------------------------------------------------------------------------------------------


class BalanceSet(InConflict):
    """The Balance was set: at the beginning, by a ruling, or because its favoured party left."""

    kind: ClassVar[str] = "spacetime.balance-set"
    level: Level
    advantaged: Id | None = None


class OutcomeDesired(PersonInConflict):
    """A party named its Desired Outcome."""

    kind: ClassVar[str] = "spacetime.outcome-desired"
    text: Words


class TokensGiven(Event):
    """Tokens were dealt: each of `people` has `each` tokens now."""

    kind: ClassVar[str] = "spacetime.tokens-given"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    each: Whole


# --- a round ----------------------------------------------------------------------------------------------


class Compared(Part):
    """A comparison of two cards; `result` is that of `party`'s card."""

    party: Id
    card: str
    other: Id
    against: str
    result: Result


class FlowResolved(InConflict):
    """A round's result: the rule, the Balance before and after, the deciding pairs, the narration order."""

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
    """The Excuse was discarded; its drawer draws another card, for the narration only."""

    kind: ClassVar[str] = "spacetime.excuse-discarded"


class VictoryReached(PersonInConflict):
    """A party reached victory and its Desired Outcome; the last round may still be narrated."""

    kind: ClassVar[str] = "spacetime.victory-reached"


class RoundEnded(InConflict):
    """A round ended and its cards were discarded."""

    kind: ClassVar[str] = "spacetime.round-ended"
    round: Id


# --- stopping ---------------------------------------------------------------------------------------------


class ConflictStopped(PersonInConflict):
    """A party stopped the conflict for all parties."""

    kind: ClassVar[str] = "spacetime.conflict-stopped"
    how: Literal["conceded", "postponed"]
    text: Words | None = None


class PartyLeft(PersonInConflict):
    """A party conceded and left; the others go on. `people` lists all of a party with several people."""

    kind: ClassVar[str] = "spacetime.party-left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    people: tuple[Id, ...] | None = None
    text: Words | None = None


class ConflictReformulated(PersonInConflict):
    """A party restarted the conflict with new sides, a new Balance, and outcomes to be named again."""

    kind: ClassVar[str] = "spacetime.conflict-reformulated"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"sides"})
    sides: Sides
    level: Level
    advantaged: Id | None = None
    text: Words | None = None


# --- obstacles and challenges -----------------------------------------------------------------------------


class ComplicationAdded(PersonInConflict):
    """A Complication was told for a card drawn against an obstacle."""

    kind: ClassVar[str] = "spacetime.complication-added"
    text: Words


class ComplicationsLeft(InConflict):
    """A party left a conflict with `number` Complications still to be told by its people."""

    kind: ClassVar[str] = "spacetime.complications-left"
    leaves_out: ClassVar[frozenset[str]] = frozenset({"people"})
    about_people: ClassVar[str | None] = "people"
    people: tuple[Id, ...]
    number: Whole


class CostRaised(PersonInConflict):
    """Reversed cards raised the cost of a challenge by `by`, to `cost`."""

    kind: ClassVar[str] = "spacetime.cost-raised"
    by: Whole
    cost: Whole


class DrawRefused(PersonInConflict):
    """A player refused to draw against a challenge; it fails without cost."""

    kind: ClassVar[str] = "spacetime.draw-refused"
    text: Words | None = None


class SleeveGained(PersonInConflict):
    """A person gained a Sleeve card and has `total` now."""

    kind: ClassVar[str] = "spacetime.sleeve-gained"
    total: Whole


class DrawingStopped(PersonInConflict):
    """Drawing against a challenge stopped: by choice, by the Excuse, or by a wipe-out."""

    kind: ClassVar[str] = "spacetime.drawing-stopped"
    why: Literal["choice", "excuse", "wipe_out"]
    text: Words | None = None


class ChallengeMet(PersonInConflict):
    """A challenge was settled; a cost of 0 or less is no cost."""

    kind: ClassVar[str] = "spacetime.challenge-met"
    outcome: Literal["success", "failure"]
    cost: Whole
    effect: Whole


class NumberSet(Event):
    """A ruling set a person's tokens or Sleeve cards."""

    kind: ClassVar[str] = "spacetime.number-set"
    who: Id
    what: Literal["tokens", "sleeve"]
    value: Whole


EVENTS = kinds(vars())
