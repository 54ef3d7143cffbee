"""Event classes of Edgerunner; its dice are recorded as the shared event DiceRolled.

Things without a person's id are referred to by name: a zone, a border (`Dock-Aisle`), an aspect's
wording.
"""

from __future__ import annotations

from retold.game import Event
from retold.games.edgerunner.events import conflicts, people
from retold.games.edgerunner.events.conflicts import (
    ActionApplied,
    ActionContinued,
    ActionDeclared,
    ActionForfeited,
    AspectInvoked,
    Bid,
    BidsTied,
    Boosted,
    BorderDrawn,
    BorderEroded,
    Deployed,
    ExchangeBegan,
    MooksMerged,
    Moved,
    On,
    Passes,
    Placed,
    Resisted,
    ShiftsSet,
    ShiftsSpent,
    SkillRolled,
    Spent,
    SpinGained,
    SpinSpent,
    Step,
    ThingsPlaced,
    TurnClaimed,
    ZonesMapped,
    ZonesUnmapped,
)
from retold.games.edgerunner.events.people import (
    AspectPlaced,
    AspectRemoved,
    AssessmentFailed,
    BoxesCleared,
    CharacterKilled,
    ConsequenceAltered,
    ConsequenceCleared,
    ConsequenceTaken,
    DeclarationFailed,
    FatePointPaid,
    FindingStands,
    FreeInvokesGained,
    FreeInvokesLapsed,
    NumberSet,
    Refreshed,
    StressCleared,
    StressMarked,
    TakenOut,
    TaleTold,
    ThresholdReplaced,
    ThresholdReverted,
    UpgradeStrained,
)

EVENTS: tuple[type[Event], ...] = (*conflicts.EVENTS, *people.EVENTS)
