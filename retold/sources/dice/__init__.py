"""Dice of other tools: their notations, read into one form of a throw."""

from __future__ import annotations

from retold.sources.dice.throw import Rung, Throw

__all__ = ["Rung", "Throw"]
