"""The parts that events are made of."""

from __future__ import annotations

from journal.vocabulary.base import Id, Part, Value, Whole

On = Value
"""Somebody by id, or something by its name."""

Passes = dict[str, Whole]
"""Way over a border → what it takes; the only way has the empty name."""


class BorderDrawn(Part):
    """The ways over a border from `one` to `other`; they hold backwards too until that is drawn itself."""

    one: str
    other: str
    passes: Passes


class Step(Part):
    """One zone of a path, and the way taken into it where the border has several."""

    zone: str
    way: str = ""


class Bid(Part):
    """The shifts somebody would give up to act first."""

    who: Id
    shifts: Whole


class Spent(Part):
    """Shifts spent on one thing."""

    on: str
    shifts: Whole
