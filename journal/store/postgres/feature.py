"""Declares the feature: campaigns on a PostgreSQL server."""

from __future__ import annotations

from retold.journal.features import Feature

FEATURE = Feature(
    "campaigns on a server",
    verbs={"server": "retold.journal.store.postgres.verb"},
    places="retold.journal.store.postgres.library:place_at",
)
