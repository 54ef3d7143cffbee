"""A conflict opens and closes, an evening begins, and what may stand on a sheet."""

from __future__ import annotations

from journal.names import fold
from journal.system import Situation
from journal.systems.edgerunner.commands.ahead import all_defences
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """The conflict opens."""
    del situation
    return [opened]


def close(situation: Situation, how: str) -> list[Event]:
    """The conflict ends, and every defence with it."""
    del how
    return all_defences(situation)


def begin_session(situation: Situation) -> list[Event]:
    """An evening begins."""
    del situation
    return []


def read_sheet(key: str, value: str) -> tuple[str, int | str]:
    """A sheet's key and value."""
    return fold(key), int(value) if value.lstrip("-").isdecimal() else value
