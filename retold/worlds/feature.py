"""Declares the feature: export formats of a whole campaign for other programs."""

from __future__ import annotations

from retold.journal.features import Feature

FEATURE = Feature(
    "other programs",
    exports={
        "foundry": (".foundry.json", "application/json", "retold.worlds.foundry:render"),
        "kanka": (".kanka.zip", "application/zip", "retold.worlds.kanka:render"),
        "csv": (".csv", "text/csv", "retold.worlds.spreadsheet:render"),
        "campaign": (".campaign.json", "application/json", "retold.worlds.bundle:render"),
    },
)
