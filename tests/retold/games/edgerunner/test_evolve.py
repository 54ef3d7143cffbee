"""Each event of Edgerunner has a handler."""

from __future__ import annotations

from retold.games.edgerunner.events import EVENTS
from retold.games.edgerunner.state import EVOLVE
from retold.games.edgerunner.state.evolve_conflicts import HANDLERS


def test_each_event_of_the_game_has_a_handler() -> None:
    assert EVOLVE.keys() >= set(EVENTS)


def test_a_handler_of_conflicts_is_not_replaced() -> None:
    assert EVOLVE.items() >= HANDLERS.items()
