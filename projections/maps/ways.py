"""The ways of a map: which is the easiest over a border, and how many borders lie between two zones."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from journal.capabilities import Passing

Ranges = Mapping[str, Mapping[str, int]]
"""For each zone, those that can be reached from it and the number of borders on the shortest path there."""


def easiest_first(ways: Iterable[Passing]) -> list[Passing]:
    """The ways over a border as people say them: `open 1, break 4`."""
    return sorted(ways, key=lambda way: way.value)


def ranges(zones: Iterable[str], borders: Iterable[tuple[str, str]]) -> Ranges:
    """How far every zone is from every other, itself among them at 0; a border counts once, both ways."""
    beside: dict[str, list[str]] = {zone: [] for zone in zones}
    for one, other in borders:
        beside[one].append(other)
        beside[other].append(one)
    return {zone: _from(zone, beside) for zone in beside}


def _from(zone: str, beside: Mapping[str, Iterable[str]]) -> Mapping[str, int]:
    far = {zone: 0}
    waiting = deque((zone,))
    while waiting:
        here = waiting.popleft()
        for near in beside[here]:
            if near not in far:
                far[near] = far[here] + 1
                waiting.append(near)
    return far
