"""Two lines from where they part: what differs in what is true, then in what is told."""

from __future__ import annotations

from projections import transcript
from projections.document import Paragraph, Transcript
from projections.exports.page_elements import label, marked_speech
from projections.line_comparison import last_shared, line_title
from projections.prose.telling import Tag
from projections.reading import LineView
from projections.views import VIEWS, View
from projections.views.sheet import NOBODY, Change, Row, Seen, Sheet, changes

LEFT_OUT = frozenset({"untold"})
"""Views whose difference says nothing that the story's does not say better."""


class Difference(Seen, frozen=True):
    """Two moments, on two lines or on one, and what differs between them.

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
        """What differs in what is true, a row for each number or word."""
        rows = tuple(
            Row((one.view, one.about), (one.view, one.about, one.was or NOBODY, one.now or NOBODY))
            for one in self.state
        )
        parted = f"They part after {self.parted}." if self.parted else "They share nothing."
        return Sheet("Difference", ("View", "What", self.one, self.other), rows, (parted,))

    def story(self) -> Sheet:
        """What each tells after they part, side by side in the order of each."""
        one, other = (tuple(map(_labelled, paragraphs)) for paragraphs in self.told)
        rows = tuple(Row((str(i),), (_at(one, i), _at(other, i))) for i in range(max(len(one), len(other))))
        return Sheet("Story", (self.one, self.other), rows)


def _labelled(paragraph: Paragraph) -> str:
    head = label(paragraph)
    return f"{head}: {marked_speech(paragraph)}" if head else marked_speech(paragraph)


def _at(told: tuple[str, ...], i: int) -> str:
    return told[i] if i < len(told) else ""


def compare(one: LineView, other: LineView, *, voice: str = "report") -> Difference:
    """What differs between two lines or two moments of one, each as its reader may know it."""
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
    """What the view sees of a line that is like the other up to a position; histories show no difference."""
    if view.of_table is not None:
        return view.of_table(reading.table)
    return view.see(reading) if view.beyond is None else view.beyond(reading, alike)


def _after(reading: LineView, parted: int, voice: str) -> tuple[Paragraph, ...]:
    told: Transcript = transcript.of_range(reading, parted, voice=voice)
    return tuple(
        paragraph
        for scene in told.scenes
        for passage in scene.passages
        for paragraph in passage.paragraphs
        if paragraph.kind is not Tag.MECHANICS
    )
