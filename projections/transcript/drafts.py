"""A transcript while it is written: paragraphs that may still get mechanics, or give way to better words."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct, field
from msgspec.structs import replace

from journal.capabilities import HasMap
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from projections import pages
from projections.maps.picture import picture
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag
from projections.views.naming import titled


class Draft(Struct):
    """A paragraph that may still get mechanics, or give way to somebody's own words."""

    page: pages.Paragraph
    mechanics: list[pages.Mechanic] = field(default_factory=list)
    dropped: bool = False
    act: str = ""

    def done(self) -> pages.Paragraph:
        """The paragraph as it came out."""
        return replace(self.page, mechanics=tuple(self.mechanics))


BESIDE = frozenset({Tag.NOTE, Tag.ASIDE, Tag.RIBBON})
"""What takes no mechanics that wait: they belong to the story it interrupts."""


class Passage(Struct):
    """A stretch of one conflict, or of none.

    Mechanics stand with the paragraph they follow (`last`), up to the end of a turn; those that nothing
    precedes wait for the next. A sentence of ours takes what waits and else nothing, for it may give way.
    """

    conflict: pages.Conflict | None
    heading: list[pages.Mechanic] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)
    last: Draft | None = None
    waiting: list[pages.Mechanic] = field(default_factory=list)
    left: list[tuple[Draft | None, pages.Variation]] = field(default_factory=list)
    plate: pages.Plate | None = None
    turned: bool = False
    """True where a round is over and nothing has been told since."""

    def write(self, page: pages.Paragraph, act: str = "") -> Draft:
        """Adds a paragraph, that tells of this act."""
        draft = Draft(replace(page, begins=True) if self.turned else page, act=act)
        self.drafts.append(draft)
        self.turned = self.turned and page.kind in BESIDE
        beside = page.kind in BESIDE or (page.generated and self.last is not None)
        if not beside:
            draft.mechanics, self.waiting = self.waiting, []
            self.last = draft
        return draft

    def note(self, mechanic: pages.Mechanic, *, in_order: bool) -> None:
        """Adds a line of mechanics; `in_order` where it may not wait for a paragraph to come."""
        if self.last is None and in_order:
            self.write(only_mechanics(mechanic))
        (self.waiting if self.last is None else self.last.mechanics).append(mechanic)

    def stand(self, mechanic: pages.Mechanic) -> None:
        """Adds a line of mechanics, with all that wait, to what is before it: it says who speaks next."""
        self.waiting.append(mechanic)
        told = [draft for draft in self.drafts if not draft.dropped and draft.page.kind not in BESIDE]
        before = told[-1].mechanics if told else None if self.conflict is None else self.heading
        if before is not None:
            before.extend(self.waiting)
            self.waiting = []

    def drop(self, draft: Draft) -> list[pages.Mechanic]:
        """Takes a paragraph out; its mechanics are the caller's to place."""
        draft.dropped = True
        if self.last is draft:
            self.last = None
        return draft.mechanics

    def leave(self, variation: pages.Variation) -> None:
        """Adds a line that leaves here, under what has been written so far."""
        self.left.append((self.drafts[-1] if self.drafts else None, variation))

    def done(self) -> pages.Passage:
        """The passage as it came out; mechanics that waited in vain stand with the last paragraph."""
        kept = [draft for draft in self.drafts if not draft.dropped]
        for before, draft in pairwise(kept):
            if draft.page.generated and draft.act != before.act and draft.page.text != before.page.text:
                draft.page = replace(draft.page, begins=True)
        conflict = self.conflict
        told = [draft for draft in kept if draft.page.kind is not Tag.RIBBON]
        if self.waiting and told:
            told[-1].mechanics.extend(self.waiting)
        elif self.waiting and conflict is not None:
            self.heading.extend(self.waiting)
        elif self.waiting:
            kept.append(Draft(only_mechanics(self.waiting[0]), self.waiting))
        self.waiting = []
        if conflict is not None:
            conflict = replace(conflict, mechanics=tuple(self.heading))
        return pages.Passage(
            conflict, tuple(draft.done() for draft in kept), tuple(self._variations()), self.plate
        )

    def _variations(self) -> Iterator[pages.Variation]:
        """Each under the last paragraph before it that has not given way."""
        for draft, variation in self.left:
            before = self.drafts[: self.drafts.index(draft) + 1] if draft else []
            after = next((one.page.id for one in reversed(before) if not one.dropped), None)
            yield replace(variation, after=after)


def only_mechanics(first: pages.Mechanic) -> pages.Paragraph:
    """A paragraph without words, for mechanics that stand alone."""
    return pages.Paragraph(f"{first.id}m", Tag.MECHANICS, "")


def nth_id(known: str, count: int) -> str:
    """The id of the first paragraph of an event, of the second and so on, with a letter: e12, e12b, e12c."""
    if count == 1:
        return known
    return known + chr(ord("a") + min(count, 26) - 1) + ("" if count <= 26 else str(count))  # noqa: PLR2004 -- letters


class Scene(Struct):
    """A scene with what has been written in it."""

    id: str | None = None
    title: str | None = None
    chapter: pages.Chapter | None = None
    passages: list[Passage] = field(default_factory=list)

    def done(self) -> pages.Scene:
        """The scene as it came out."""
        told = (passage.done() for passage in self.passages)
        return pages.Scene(self.id, self.title, self.chapter, tuple(filter(None, told)))


def heading_of(conflict: OpenConflict, table: Table, phrases: Phrases, prefix: str = "") -> pages.Conflict:
    """The heading of a conflict as the table has it, in these phrases; a `prefix` makes its id another."""
    gm = phrases.say("names.gm")
    return pages.Conflict(
        f"{prefix}c{conflict.id}",
        conflict.id,
        titled(conflict, table, gm),
        SYSTEMS[conflict.system].called(table),
        tuple(tuple(table.shown(one, gm) for one in side) for side in conflict.sides),
        None if conflict.stakes is None else str(conflict.stakes),
    )


def plate_of(
    conflict: OpenConflict, table: Table, heading: pages.Conflict, phrases: Phrases
) -> pages.Plate | None:
    """The map of a conflict as it stands, under one of its headings; None where there is none."""
    if not isinstance(conflict.state, HasMap):
        return None
    plan = conflict.state.plan()
    if not plan.zones:
        return None
    gm = phrases.say("names.gm")
    drawn = picture(heading.title, plan, lambda who: table.shown(who, gm), phrases=phrases)
    return pages.Plate(f"{heading.id}-map", heading.title, drawn)
