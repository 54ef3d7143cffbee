"""Places of notes in a record: the event of a step, whoever looks at it."""

from __future__ import annotations

from collections.abc import Collection

from retold import Reading


def place_of(reading: Reading, event: str) -> str:
    """Returns branch and position of an event, given its id as the viewer has it; Refused if unknown."""
    found = reading.at(event)
    return f"{found.line}:{found.upto}"


def ids_at(reading: Reading, places: Collection[str]) -> dict[str, str]:
    """Returns for each place the id of its event as the viewer has it.

    Places of hidden and undone events, and of other branches, are left out.
    """
    shared = reading.shared
    with shared.lock:
        view = shared.cache.read(shared.store, reading.line, reading.position).called(reading.viewer)
        found = {}
        for place in places:
            line, position = map(int, place.split(":"))
            if line == view.line and any(view.recorded(position - 1, position)):
                found[place] = view.ids.at(position)
        return found
