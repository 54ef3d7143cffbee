"""Declares the feature: imports of logs of other tools."""

from __future__ import annotations

from retold.journal.features import Feature

FEATURE = Feature(
    "imports",
    verbs={"import": "retold.importing.verb.command"},
    campaign="retold.importing.campaign:ImportsOfCampaign",
    promised={
        "Answers": "retold.sources.answers:Answers",
        "ChannelUse": "retold.sources.answers:Use",
        "Hints": "retold.sources.opening:Hints",
        "Intake": "retold.importing.intake:Intake",
        "Order": "retold.sources.times:Order",
        "Rung": "retold.sources.dice.throw:Rung",
        "SessionTakenIn": "retold.importing.intake:Session",
        "Source": "retold.sources:Source",
        "UnclearError": "retold.sources.sniffing:UnclearError",
        "UnitChanged": "retold.importing.intake:Changed",
        "UnitGone": "retold.importing.intake:Gone",
        "UnitSort": "retold.sources.unit:Sort",
        "Unmarked": "retold.sources.answers:Unmarked",
    },
    at_home="retold.importing.addresses.at_home",
    completions={"import --as": "retold.sources:reader_names"},
)
