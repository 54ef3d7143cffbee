"""Declares the feature: assistants."""

from __future__ import annotations

from retold.journal.features import Feature

FEATURE = Feature(
    "assistants",
    verbs={"mcp": "retold.mcp.verb.command"},
    addresses="retold.mcp.addresses.endpoints",
)
