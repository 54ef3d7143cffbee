"""What waits for the table, and what its rulings come to."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, Question


def pending(table: Table, conflict: OpenConflict) -> tuple[Question, ...]:
    """Everything this conflict leaves to the table."""
    del table, conflict
    return ()


def answer(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """What an answered question frees."""
    del situation, ruling
    return []


def set_number(situation: Situation, ruling: e.RulingMade) -> list[Event]:
    """What a ruling that sets numbers comes to."""
    del situation, ruling
    raise Refused("Not yet.")


def turn(table: Table, conflict: OpenConflict) -> str:
    """Where the conflict stands."""
    del table, conflict
    return ""
