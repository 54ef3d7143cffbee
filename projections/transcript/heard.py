"""What was heard of a stretch, or of a part: its scenes, and what its head, cast and end are made of."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from projections import pages
from projections.transcript.attendance import Attendance


class Untold(NamedTuple):
    """What came out at position `at` and nobody told: our sentence for it, and who may still tell."""

    at: int
    said: str
    left: tuple[int, ...]


class Heard(Struct):
    """What was heard of a stretch or of a part of it, with the scenes as they were kept."""

    scenes: tuple[pages.Scene, ...]
    attendance: Attendance
    quotes: list[pages.Quote]
    systems: dict[str, None]
    """Every game of which there was a conflict, in the order of their first."""
    untold: list[Untold]

    def go_on(self, later: Heard) -> None:
        """Takes in what was heard of the part that follows, in which nobody turned out to be another."""
        self.scenes += later.scenes
        self.attendance.go_on(later.attendance)
        self.quotes += later.quotes
        self.systems.update(later.systems)
        self.untold += later.untold

    def led(self) -> tuple[pages.Scene, ...]:
        """Its scenes; a chapter names who led it where that was not the same in all."""
        there = self.attendance
        if len(there.leaders()) == 1:
            return self.scenes
        return tuple(_led(scene, there) for scene in self.scenes)


def _led(scene: pages.Scene, there: Attendance) -> pages.Scene:
    chapter = scene.chapter
    if chapter is None or chapter.session not in there.led:
        return scene
    return replace(scene, chapter=replace(chapter, gm=there.names.get(there.led[chapter.session])))
