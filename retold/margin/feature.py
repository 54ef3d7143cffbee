"""Declares the feature: readers' notes on a served replay."""

from __future__ import annotations

from retold.journal.features import Feature

FEATURE = Feature("readers' notes", addresses="retold.margin.addresses.endpoints")
