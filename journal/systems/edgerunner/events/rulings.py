"""The numbers a ruling sets."""

from __future__ import annotations

from typing import ClassVar, Literal

from journal.systems.edgerunner.events.parts import On
from journal.vocabulary.base import Anywhere, Whole, kinds


class NumberSet(Anywhere):
    """A ruling set one number: somebody's fate points or threshold, a border's threshold, the open roll."""

    kind: ClassVar[str] = "edgerunner.number-set"
    sheet_of: ClassVar[str | None] = "on"
    on: On
    what: Literal["points", "threshold", "shifts"]
    track: str | None = None
    value: Whole


EVENTS = kinds(vars())
