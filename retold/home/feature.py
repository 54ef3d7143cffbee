"""Declares the feature: home."""

from __future__ import annotations

from retold.journal.features import Feature

FEATURE = Feature("home", verbs={"home": "retold.home.verb.command"})
