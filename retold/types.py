"""Types of what promised methods take and return, to name them in a typed program.

`Reading.view` gives a `Seen`, `replay` a `Replay`, `search` some `Match`, `who` a `PersonKnown` or a
`MatterKnown`, `verify` a `Report`, `take_in` an `Intake`, `draft` a `WritersDraft`.
"""

from __future__ import annotations

from journal.pictures import Picture
from journal.store.acts import RecordedAct
from journal.store.address import Place
from journal.store.drafts import Scope
from journal.store.progress import Progress
from journal.store.recorder import CampaignRecorder, CampaignSubscription
from journal.store.verify import Finding, Receipt, Report
from journal.vocabulary.base import Event
from projections.dossiers import MatterKnown, PersonKnown
from projections.dossiers.known import Changed as PersonChanged
from projections.dossiers.known import Evening as SessionPlayed
from projections.dossiers.known import Fought, Stands
from projections.dossiers.known import With as PlayedWith
from projections.mentions import Spot as Mention
from projections.prose import Voice
from projections.recap import Group as RecapGroup
from projections.replay import Block as ReplayBlock
from projections.replay import Board, Replay, ReplayLine, ReplayStep
from projections.replay.value import ReplayMechanic, StepFlag
from projections.search import Match
from projections.transcript.endings import Recalled
from projections.views.matters import Entry as MatterEntry
from projections.views.naming import Who
from projections.views.sheet import Row, Seen, Sheet
from retold.drafts.changes import Wording
from retold.drafts.overview import BlockToLookAt, RevisionMade
from retold.drafts.writing import ChangedWords, WritersBlock, WritersDraft, WritersRemark, Writing
from retold.importing import Intake
from retold.importing.intake import Changed as UnitChanged
from retold.importing.intake import Gone as UnitGone
from retold.importing.intake import Session as SessionTakenIn
from retold.sources import Hints, Source
from retold.sources.answers import Answers, Unmarked
from retold.sources.answers import Use as ChannelUse
from retold.sources.dice.throw import Rung
from retold.sources.times import Order
from retold.sources.unit import Sort as UnitSort

__all__ = [
    "Answers",
    "BlockToLookAt",
    "Board",
    "CampaignRecorder",
    "CampaignSubscription",
    "ChangedWords",
    "ChannelUse",
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
