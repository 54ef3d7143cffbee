"""Difference of two branches since their fork: changed values of the table state, then both stories."""

from __future__ import annotations

from retold.projections.comparison.lines import last_shared, line_title
from retold.projections.exports.blocks import Told
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.document import Paragraph, Transcript
from retold.projections.views import VIEWS, View
from retold.projections.views.sheet import NOBODY, Change, Row, Seen, Sheet, changes

LEFT_OUT = frozenset({"untold"})
"""Views whose differences the story tells better."""


class Difference(Seen, frozen=True):
    """Difference between two moments, on one line or two.

    `{"one", "other", "parted": id or null, "state": [{"view", "about", "was", "now"}], "told": [[…], […]]}`:
    in `state`, `was` is the first's and `now` the second's; `told` has the paragraphs of each after they
    parted, as a transcript has them.
    """

    view = "diff"
    one: str
    other: str
    parted: str | None
    state: tuple[Change, ...]
    told: tuple[tuple[Paragraph, ...], tuple[Paragraph, ...]]

    def sheet(self) -> Sheet:
        """Returns a table with a row for each value that differs between the two moments."""
        rows = tuple(
            Row(
                (change.view, change.about),
                (change.view, change.about, change.was or NOBODY, change.now or NOBODY),
            )
            for change in self.state
        )
        parted = f"They part after {self.parted}." if self.parted else "They share nothing."
        return Sheet("Difference", ("View", "What", self.one, self.other), rows, (parted,))

    def story(self) -> Sheet:
        """Returns a table of both stories since the fork, side by side."""
        one, other = (tuple(Told(each).headed for each in paragraphs) for paragraphs in self.told)
        rows = tuple(Row((str(i),), (_at(one, i), _at(other, i))) for i in range(max(len(one), len(other))))
        return Sheet("Story", (self.one, self.other), rows)


def _at(told: tuple[str, ...], i: int) -> str:
    return told[i] if i < len(told) else ""


def compare(one: LineView, other: LineView, *, voice: str = "report") -> Difference:
    """Compares two branches, or two moments of one branch, each as the viewer of its reading may know it."""
    parted = last_shared(one, other)
    alike = parted if one.holds(parted) and other.holds(parted) else 0
    views = [view for view in VIEWS.values() if view.name not in LEFT_OUT]
    seen = ((view, _seen(view, one, alike), _seen(view, other, alike)) for view in views)
    return Difference(
        line_title(one),
        line_title(other),
        one.ids.place(parted) if parted else None,
        tuple(change for _, was, now in seen for change in changes(was, now)),
        (_after(one, parted, voice), _after(other, parted, voice)),
    )


def _seen(view: View, reading: LineView, alike: int) -> Seen:
    """Returns a view's result (points, stress, …) for a reading.

    Views of history cover only the events after position `alike`.
    """
    if view.of_table is not None:
        return view.of_table(reading.table)
    return view.see(reading) if view.beyond is None else view.beyond(reading, alike)


def _after(reading: LineView, parted: int, voice: str) -> tuple[Paragraph, ...]:
    told: Transcript = transcript.of_range(reading, parted, voice=voice)
    return tuple(paragraph for paragraph in told.paragraphs() if paragraph.kind is not Tag.MECHANICS)
