"""Each event of Edgerunner has one handler."""

from __future__ import annotations

from retold.games.edgerunner.events import EVENTS
from retold.games.edgerunner.state import EVOLVE, evolve, evolve_conflicts

TABLES = (
    evolve_conflicts.MAP_HANDLERS,
    evolve_conflicts.TURN_HANDLERS,
    evolve_conflicts.ROLL_HANDLERS,
    evolve.SHEET_HANDLERS,
    evolve.ASPECT_HANDLERS,
    evolve.HARM_HANDLERS,
    evolve.RULING_HANDLERS,
)


def test_no_event_is_handled_in_two_tables() -> None:
    assert sum(map(len, TABLES)) == len(EVOLVE) == len({event for table in TABLES for event in table})


def test_each_event_of_the_game_is_in_a_table() -> None:
    assert {event for table in TABLES for event in table} >= set(EVENTS)
