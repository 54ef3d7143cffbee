"""What can happen in Edgerunner, beside the shared words; dice are rolled as at any table.

A thing that is not somebody is known by its one name: a zone, `Dock-Aisle` for a border, an aspect's wording.
"""

from __future__ import annotations

from journal.systems.edgerunner.events import aspects, harm, place, rolls, rulings, turns
from journal.systems.edgerunner.events.aspects import (
    AspectPlaced,
    AspectRemoved,
    AssessmentFailed,
    DeclarationFailed,
    FatePointPaid,
    FindingStands,
    FreeInvokesGained,
    FreeInvokesLapsed,
    Refreshed,
)
from journal.systems.edgerunner.events.harm import (
    BoxesCleared,
    CharacterKilled,
    ConsequenceAltered,
    ConsequenceCleared,
    ConsequenceTaken,
    StressCleared,
    StressMarked,
    TakenOut,
    TaleTold,
    ThresholdReplaced,
    ThresholdReverted,
    UpgradeStrained,
)
from journal.systems.edgerunner.events.parts import Bid, BorderDrawn, On, Passes, Spent, Step
from journal.systems.edgerunner.events.place import (
    BorderEroded,
    Deployed,
    MooksMerged,
    Moved,
    Placed,
    ThingsPlaced,
    ZonesMapped,
    ZonesUnmapped,
)
from journal.systems.edgerunner.events.rolls import (
    AspectInvoked,
    Boosted,
    Resisted,
    ShiftsSet,
    ShiftsSpent,
    SkillRolled,
    SpinGained,
    SpinSpent,
)
from journal.systems.edgerunner.events.rulings import NumberSet
from journal.systems.edgerunner.events.turns import (
    ActionApplied,
    ActionContinued,
    ActionDeclared,
    ActionForfeited,
    BidsTied,
    ExchangeBegan,
    TurnClaimed,
)
from journal.vocabulary.base import Event

EVENTS: tuple[type[Event], ...] = (
    *place.EVENTS,
    *turns.EVENTS,
    *rolls.EVENTS,
    *aspects.EVENTS,
    *harm.EVENTS,
    *rulings.EVENTS,
)
