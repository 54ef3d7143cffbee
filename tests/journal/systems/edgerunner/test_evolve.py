"""The rooms of the events and of what they change are the same."""

from __future__ import annotations

from types import ModuleType

import pytest

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.state import EVOLVE
from journal.systems.edgerunner.state.evolve import aspects, harm, place, rolls, rulings, sheets, turns

ROOMS = [
    (g.place, place),
    (g.turns, turns),
    (g.rolls, rolls),
    (g.aspects, aspects),
    (g.harm, harm),
    (g.rulings, rulings),
]


@pytest.mark.parametrize(("told", "changed"), ROOMS)
def test_an_event_changes_the_state_in_the_room_of_its_name(told: ModuleType, changed: ModuleType) -> None:
    own = {event for event in changed.HANDLERS if event in g.EVENTS}

    assert own == set(told.EVENTS)


def test_no_event_is_handled_in_two_rooms() -> None:
    rooms = [sheets, *(changed for _, changed in ROOMS)]

    assert sum(len(room.HANDLERS) for room in rooms) == len(EVOLVE)
