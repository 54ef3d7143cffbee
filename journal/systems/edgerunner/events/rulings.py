"""The numbers a ruling sets."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.edgerunner.events.parts import On
from journal.vocabulary.base import Event, Id, Whole


class NumberSet(Event):
    """A ruling set one number: somebody's fate points or threshold, a border's threshold, the open roll."""

    kind: ClassVar[str] = "edgerunner.number-set"
    conflict: Id | None = None
    on: On
    what: Literal["points", "threshold", "shifts"]
    track: str | None = None
    value: Whole


EVENTS: tuple[type[Event], ...] = (NumberSet,)
