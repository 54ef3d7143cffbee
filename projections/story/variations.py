"""Variations: stories of other branches, told at their forks within the transcript of one branch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from retold.projections.prose import Voice
from retold.projections.reading import LineView, known_lines, line_name, lines, viewer_on
from retold.projections.reading.lines import Branching
from retold.projections.reading.sessions import Stretch
from retold.projections.story import document

DEEPEST: Final = 3
"""Nesting depth from which a variation is only named."""


class TellingOptions(Struct, frozen=True):
    """Options for telling a range of positions: voice, status lines, other branches."""

    voice: Voice
    ribbon: bool = False
    prefix: str = ""
    lines: tuple[int, ...] = ()
    """Lines that may be told as variations."""
    evening: int | None = None
    """Session at whose end variations stop."""
    known: str | None = None
    """Time (UTC) up to which other lines are known; None for no limit."""
    deep: int = 0
    """Number of enclosing variations."""
    untold: bool = False
    """True if untold mechanics are listed for every viewer, not only for the game master."""
    ends: bool = True
    """False if changes, open matters and untold mechanics are not needed."""

    def with_others(self, reading: LineView, evening: int | None = None) -> TellingOptions:
        """Returns a copy that also tells the other branches the viewer knows, as far as recorded by then.

        `evening` is the session at whose end these branches stop.
        """
        known = lines.known_since(reading)
        others = tuple(line for line in known_lines(reading, known) if line != reading.line)
        return replace(self, lines=others, evening=evening, known=known)


TellStretch = Callable[[LineView, Stretch, TellingOptions], document.Transcript]


class PlacedVariation(NamedTuple):
    """Variation with the last position before its fork, and the quotes in its story."""

    at: int
    variation: document.Variation
    quotes: tuple[document.Quote, ...]


def variations(
    reading: LineView, stretch: Stretch, manner: TellingOptions, tell: TellStretch
) -> Iterator[PlacedVariation]:
    """Yields the stories of branches that fork inside `stretch`, or at the branch's end, in order."""
    for branch in branches_seen(reading, stretch, manner):
        yield from _as_variation(branch, manner, tell)


class BranchSeen(NamedTuple):
    """Branch known to the viewer, with the position after which it visibly differs, counted twice.

    `at` is the last position that looks the same, counted on the branch of the transcript, `after` the same
    position counted on this branch.
    """

    at: int
    leaving: Branching
    why: str | None
    after: int
    reading: LineView


def branches_seen(reading: LineView, stretch: Stretch, manner: TellingOptions) -> Iterator[BranchSeen]:
    """Yields the branches that visibly fork inside `stretch`, or at the end of the branch read, in order.

    A branch that forks between two sessions comes at the beginning of the later one; after the last session,
    at its end.
    """
    head = reading.position
    after, upto = stretch.after, stretch.upto
    if manner.evening is not None and stretch.session is not None:
        after, upto = reading.sessions.around(manner.evening)
    found = [
        branch
        for leaving in lines.branches_leaving(reading, manner.lines)
        if leaving.at <= upto
        for branch in _seen_branches(reading, leaving, leaving.at, manner)
    ]
    for branch in sorted(found, key=lambda branch: branch.at):
        if after <= branch.at < upto or branch.at == upto == head:
            yield branch._replace(at=min(max(branch.at, stretch.after), stretch.upto))


def _seen_branches(
    reading: LineView, branching: Branching, left: int, manner: TellingOptions
) -> Iterator[BranchSeen]:
    """Yields a branch, placed at its first visible difference, after the branches that leave it before that.

    Nothing is yielded for an unknown branch, or for one that this viewer sees word for word the same.
    """
    whole = reading.on(branching.line)
    why = lines.branch_reason(whole, left)
    upto = lines.recorded_by(whole, branching.at, manner.known)
    other = whole if upto == whole.position else reading.on(branching.line, upto)
    if manner.evening is not None:
        end = other.sessions.end(manner.evening, branching.at)
        other = other if end == upto else reading.on(branching.line, end)
    other = other.through(viewer_on(other, branching.at, reading.viewer))
    at, after = lines.alike_until(reading, other, branching.at)
    is_told = after < other.position
    early = [
        them
        for them in branching.others
        if not is_told or lines.shared_length(whole, reading.on(them)) < after
    ]
    for leaving in lines.branches_leaving(whole, early):
        yield from _seen_branches(reading, leaving._replace(at=branching.at), leaving.at, manner)
    if is_told:
        others = tuple(them for them in branching.others if them not in early)
        yield BranchSeen(at, branching._replace(others=others), why, after, other)


def _as_variation(branch: BranchSeen, manner: TellingOptions, tell: TellStretch) -> Iterator[PlacedVariation]:
    """Yields the variation that tells a branch; none if the branch has nothing to tell."""
    id_ = f"{branch.reading.ids.at(branch.after + 1)}v"
    scenes: tuple[document.Scene, ...] = ()
    quotes: tuple[document.Quote, ...] = ()
    if manner.deep < DEEPEST:
        within = replace(manner, prefix=f"{id_}-", lines=branch.leaving.others, deep=manner.deep + 1)
        told = tell(branch.reading, Stretch(branch.after, branch.reading.position), within)
        if not told.scenes:
            return
        scenes, quotes = told.scenes, told.end.quotes
    name = line_name(branch.reading)
    yield PlacedVariation(branch.at, document.Variation(id_, None, name, branch.why, scenes), quotes)
