"""A chart as a value: bars with what they stand for, to be drawn on a terminal, in a page, or as lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from projections.views.sheet import Row, Sheet


class Bar(NamedTuple):
    """One bar: its length, what is said beside it, and how long it was expected to be, if anything was."""

    label: str
    value: float
    said: str
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars that are measured alike; `unit` is what their length counts."""

    title: str
    unit: str
    bars: tuple[Bar, ...]

    @property
    def longest(self) -> float:
        """The length everything is drawn against; never 0."""
        return max((max(bar.value, bar.expected or 0) for bar in self.bars), default=0) or 1

    def sheet(self) -> Sheet:
        """The same as rows."""
        rows = tuple(Row((bar.label,), (bar.label, bar.said)) for bar in self.bars)
        return Sheet(self.title, ("Bar", self.unit.capitalize()), rows)
