"""Names of features that a type checker reads; nothing here is imported when a program runs.

The one module of the core that names features, so that `retold.Campaign`, `retold.types` and `retold.errors`
have types: at run time an installed feature declares the same names (`retold.journal.features`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from retold.drafts.campaign import DraftsOfCampaign
    from retold.drafts.changes import Wording
    from retold.drafts.overview import BlockToLookAt, RevisionMade
    from retold.drafts.writing import ChangedWords, WritersBlock, WritersDraft, WritersRemark, Writing
    from retold.importing.campaign import ImportsOfCampaign
    from retold.importing.intake import Changed as UnitChanged
    from retold.importing.intake import Gone as UnitGone
    from retold.importing.intake import Intake
    from retold.importing.intake import Session as SessionTakenIn
    from retold.sources import Source
    from retold.sources.answers import Answers, Unmarked
    from retold.sources.answers import Use as ChannelUse
    from retold.sources.dice.throw import Rung
    from retold.sources.opening import Hints
    from retold.sources.sniffing import UnclearError
    from retold.sources.times import Order
    from retold.sources.unit import Sort as UnitSort

__all__ = [
    "Answers",
    "BlockToLookAt",
    "ChangedWords",
    "ChannelUse",
    "DraftsOfCampaign",
    "Hints",
    "ImportsOfCampaign",
    "Intake",
    "Order",
    "RevisionMade",
    "Rung",
    "SessionTakenIn",
    "Source",
    "UnclearError",
    "UnitChanged",
    "UnitGone",
    "UnitSort",
    "Unmarked",
    "Wording",
    "WritersBlock",
    "WritersDraft",
    "WritersRemark",
    "Writing",
]
