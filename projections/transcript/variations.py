"""How it went on other lines, told where they leave the one that is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from projections import pages
from projections.prose import Voice
from projections.reading import Reading, branching, known_lines, line_name, viewer_on
from projections.reading.branching import Leaving
from projections.reading.evenings import Stretch

DEEPEST: Final = 3
"""Within so many variations another one is only named."""


class Manner(Struct, frozen=True):
    """How a stretch is told: by which voice, and what stands beside the story."""

    voice: Voice
    ribbon: bool = False
    prefix: str = ""
    lines: tuple[int, ...] = ()
    """Those of which a variation may be told."""
    evening: int | None = None
    """The session after which no variation goes on."""
    known: str | None = None
    """When (UTC) what may be known of other lines had been recorded; None for whenever."""
    deep: int = 0
    """How many variations this one stands within."""
    untold: bool = False
    """True where whoever reads is told what nobody has told yet, and not the game master alone."""
    ends: bool = True
    """False where nobody asks what changed, what is open and what nobody has told."""

    def with_others(self, reading: Reading, evening: int | None = None) -> Manner:
        """The same, with every other line that its reader knew of then, as far as it was recorded."""
        known = branching.known_since(reading)
        others = tuple(one for one in known_lines(reading, known) if one != reading.line)
        return replace(self, lines=others, evening=evening, known=known)


Tell = Callable[[Reading, Stretch, Manner], pages.Transcript]


class Placed(NamedTuple):
    """A variation, the last position it shares with the line that is told, and what was quoted in it."""

    at: int
    variation: pages.Variation
    quotes: tuple[pages.Quote, ...]


def variations(reading: Reading, stretch: Stretch, manner: Manner, tell: Tell) -> Iterator[Placed]:
    """What leaves the line in this stretch, or where the line itself ends with it; in order."""
    for one in leaving(reading, stretch, manner):
        yield from _told(one, manner, tell)


class Parted(NamedTuple):
    """Another line from where it is seen to part: the last position that looks alike here, and there."""

    at: int
    leaving: Leaving
    why: str | None
    after: int
    reading: Reading


def leaving(reading: Reading, stretch: Stretch, manner: Manner) -> Iterator[Parted]:
    """The lines that leave the one that is read in this stretch, or where it ends with it; in order.

    What leaves between two evenings stands at the beginning of the later; after the last, at its end.
    """
    head = reading.position
    after, upto = stretch.after, stretch.upto
    if manner.evening is not None and stretch.session is not None:
        after, upto = reading.evenings.around(manner.evening)
    found = [
        one
        for leaving in branching.leaving(reading, manner.lines)
        if leaving.at <= upto
        for one in _parted(reading, leaving, leaving.at, manner)
    ]
    for one in sorted(found, key=lambda one: one.at):
        if after <= one.at < upto or one.at == upto == head:
            yield one._replace(at=min(max(one.at, stretch.after), stretch.upto))


def _parted(reading: Reading, one: Leaving, left: int, manner: Manner) -> Iterator[Parted]:
    """Where a line, and those that leave it while it still looks alike, are seen to part from what is read.

    None for a line of which nothing is known, or which is for this viewer word for word the same.
    """
    whole = reading.on(one.line)
    why = branching.reason(whole, left)
    upto = branching.recorded_by(whole, one.at, manner.known)
    other = whole if upto == whole.position else reading.on(one.line, upto)
    if manner.evening is not None:
        end = other.evenings.end(manner.evening, one.at)
        other = other if end == upto else reading.on(one.line, end)
    other = other.through(viewer_on(other, one.at, reading.viewer))
    at, after = branching.alike(reading, other, one.at)
    is_told = after < other.position
    early = [them for them in one.others if not is_told or branching.shared(whole, reading.on(them)) < after]
    for leaving in branching.leaving(whole, early):
        yield from _parted(reading, leaving._replace(at=one.at), leaving.at, manner)
    if is_told:
        others = tuple(them for them in one.others if them not in early)
        yield Parted(at, one._replace(others=others), why, after, other)


def _told(one: Parted, manner: Manner, tell: Tell) -> Iterator[Placed]:
    """One line as a variation; none if nothing in it can be told."""
    id_ = f"{one.reading.ids.at(one.after + 1)}v"
    scenes: tuple[pages.Scene, ...] = ()
    quotes: tuple[pages.Quote, ...] = ()
    if manner.deep < DEEPEST:
        within = replace(manner, prefix=f"{id_}-", lines=one.leaving.others, deep=manner.deep + 1)
        told = tell(one.reading, Stretch(one.after, one.reading.position), within)
        if not told.scenes:
            return
        scenes, quotes = told.scenes, told.end.quotes
    name = line_name(one.reading)
    yield Placed(one.at, pages.Variation(id_, None, name, one.why, scenes), quotes)
