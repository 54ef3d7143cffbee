"""Declares the feature: campaigns on a PostgreSQL server."""

from __future__ import annotations

from journal.features import Feature

FEATURE = Feature(
    "campaigns on a server",
    verbs={"server": "journal.store.postgres.verb"},
    places="journal.store.postgres.library:place_at",
)
