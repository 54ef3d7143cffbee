"""Types of what promised methods take and return, to name them in a typed program.

`Reading.view` gives a `Seen`, `replay` a `Replay`, `search` some `Match`, `who` a `PersonKnown` or a
`MatterKnown`, `verify` a `Report`, `take_in` an `Intake`, `draft` a `WritersDraft`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from retold.journal.features import promised
from retold.journal.pictures import Picture
from retold.journal.store.contract.address import Place
from retold.journal.store.contract.progress import Progress
from retold.journal.store.events.acts import RecordedAct
from retold.journal.store.recorder import CampaignRecorder, CampaignSubscription
from retold.journal.store.verify import Finding, Receipt, Report
from retold.journal.store.writing.drafts import Scope
from retold.journal.system import ReadyGame
from retold.journal.vocabulary.base import Event
from retold.projections.dossiers import MatterKnown, PersonKnown
from retold.projections.dossiers.known import Changed as PersonChanged
from retold.projections.dossiers.known import Evening as SessionPlayed
from retold.projections.dossiers.known import Fought, Stands
from retold.projections.dossiers.known import With as PlayedWith
from retold.projections.prose import Voice
from retold.projections.replay import Block as ReplayBlock
from retold.projections.replay import Board, Replay, ReplayLine, ReplayStep
from retold.projections.replay.value import CoverPerson, ReplayMechanic, StepFlag
from retold.projections.story.recap import Group as RecapGroup
from retold.projections.story.transcript.endings import Recalled
from retold.projections.views.matters import Entry as MatterEntry
from retold.projections.views.mentions import Spot as Mention
from retold.projections.views.naming import Who
from retold.projections.views.search import Match
from retold.projections.views.sheet import Row, Seen, Sheet

if TYPE_CHECKING:
    from retold.promised import (
        Answers,
        BlockToLookAt,
        ChangedWords,
        ChannelUse,
        Hints,
        Intake,
        Order,
        RevisionMade,
        Rung,
        SessionTakenIn,
        Source,
        UnitChanged,
        UnitGone,
        UnitSort,
        Unmarked,
        Wording,
        WritersBlock,
        WritersDraft,
        WritersRemark,
        Writing,
    )

__all__ = [
    "Answers",
    "BlockToLookAt",
    "Board",
    "CampaignRecorder",
    "CampaignSubscription",
    "ChangedWords",
    "ChannelUse",
    "CoverPerson",
    "Event",
    "Finding",
    "Fought",
    "Hints",
    "Intake",
    "Match",
    "MatterEntry",
    "MatterKnown",
    "Mention",
    "Order",
    "PersonChanged",
    "PersonKnown",
    "Picture",
    "Place",
    "PlayedWith",
    "Progress",
    "ReadyGame",
    "Recalled",
    "RecapGroup",
    "Receipt",
    "RecordedAct",
    "Replay",
    "ReplayBlock",
    "ReplayLine",
    "ReplayMechanic",
    "ReplayStep",
    "Report",
    "RevisionMade",
    "Row",
    "Rung",
    "Scope",
    "Seen",
    "SessionPlayed",
    "SessionTakenIn",
    "Sheet",
    "Source",
    "Stands",
    "StepFlag",
    "UnitChanged",
    "UnitGone",
    "UnitSort",
    "Unmarked",
    "Voice",
    "Who",
    "Wording",
    "WritersBlock",
    "WritersDraft",
    "WritersRemark",
    "Writing",
]

if not TYPE_CHECKING:  # to a type checker, such a function would have every name

    def __getattr__(name: str) -> object:
        """Returns a promised name that a feature defines, from the feature."""
        return promised(__name__, name, __all__)

    def __dir__() -> list[str]:
        """Returns the promised names, those of features included."""
        return sorted({*globals(), *__all__})
