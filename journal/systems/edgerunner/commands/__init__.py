"""What an Edgerunner table may ask for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import Decision
from journal.systems.edgerunner.commands import verbs as v
from journal.systems.edgerunner.commands.opening import begin_session, close, open_conflict, read_sheet
from journal.systems.edgerunner.commands.rulings import answer, pending, set_number, turn
from journal.vocabulary.base import Command

__all__ = [
    "ANYTIME",
    "COMMANDS",
    "DECIDE",
    "answer",
    "begin_session",
    "close",
    "open_conflict",
    "pending",
    "read_sheet",
    "set_number",
    "turn",
]

COMMANDS: tuple[type[Command], ...] = (
    v.MapZones,
    v.Place,
    v.PlaceAspect,
    v.BeginExchange,
    v.ClaimTurn,
    v.Move,
    v.Attack,
    v.Defend,
    v.Maneuver,
    v.Recover,
    v.Deploy,
    v.Simple,
    v.Continue,
    v.Forfeit,
    v.Invoke,
    v.Boost,
    v.SpendSpin,
    v.Apply,
    v.Assess,
    v.Spend,
)
"""The verbs that only this table has."""

DECIDE: Mapping[type[Command], Decision] = {}
"""What is decided here in a conflict of this system; every other verb is the table's."""

ANYTIME: Mapping[type[Command], Decision] = {}
"""Verbs that need no conflict."""
