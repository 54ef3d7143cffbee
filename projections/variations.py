"""How it went on other lines, told where they leave the one that is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from journal.store.campaign import Campaign
from journal.store.codec import decode
from projections import branching, evenings, pages
from projections.branching import Leaving
from projections.prose import Voice
from projections.replay import EVERYBODY, Ids, Viewer, table_at, viewer_of
from projections.scribe import Stretch

DEEPEST: Final = 3
"""Within so many variations another one is only named."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a stretch is told: by which voice, to whom, as known when, and what stands beside the story."""

    voice: Voice
    viewer: Viewer
    as_of: int | None
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

    def with_others(self, campaign: Campaign, line: int, evening: int | None = None) -> Manner:
        """The same, with every other line that was known then, as far as it was."""
        known: str | None = None
        if self.as_of is not None and self.as_of < campaign.file.head(line).position:
            known = decode(next(iter(campaign.file.rows(line, self.as_of - 1, self.as_of)))).envelope.at
        others = tuple(one for one in campaign.lines() if one != line)
        return replace(self, lines=others, evening=evening, known=known)


Tell = Callable[[Campaign, int, Stretch, Manner], pages.Transcript]


class Placed(NamedTuple):
    """A variation, the last position it shares with the line that is told, and what was quoted in it."""

    at: int
    variation: pages.Variation
    quotes: tuple[pages.Quote, ...]


def variations(
    campaign: Campaign, line: int, stretch: Stretch, manner: Manner, tell: Tell
) -> Iterator[Placed]:
    """What leaves the line in this stretch, or where the line itself ends with it; in order."""
    head = campaign.file.head(line).position if manner.as_of is None else manner.as_of
    for one in branching.leaving(campaign, line, manner.lines):
        if stretch.after <= one.at < stretch.upto or one.at == stretch.upto == head:
            yield from _told(campaign, one, manner, tell)


def _told(campaign: Campaign, one: Leaving, manner: Manner, tell: Tell) -> Iterator[Placed]:
    """One line as a variation; none if nothing of it is known, or nothing in it can be told."""
    upto = branching.recorded_by(campaign, one.line, one.at, manner.known)
    if manner.evening is not None:
        upto = evenings.end(campaign, one.line, manner.evening, upto)
    if upto <= one.at:
        return
    eyes = _eyes_on(campaign, one, upto, manner.viewer)
    id_ = f"{Ids.of(campaign, one.line, eyes).at(one.at + 1)}v"
    scenes: tuple[pages.Scene, ...] = ()
    quotes: tuple[pages.Quote, ...] = ()
    if manner.deep < DEEPEST:
        within = replace(
            manner, viewer=eyes, as_of=upto, prefix=f"{id_}-", lines=one.others, deep=manner.deep + 1
        )
        told = tell(campaign, one.line, Stretch(one.at, upto, None, None), within)
        if not told.scenes:
            return
        scenes, quotes = told.scenes, told.end.quotes
    name, why = campaign.lines()[one.line], branching.reason(campaign, one.line, one.at)
    yield Placed(one.at, pages.Variation(id_, None, name, why, scenes), quotes)


def _eyes_on(campaign: Campaign, leaving: Leaving, upto: int, viewer: Viewer) -> Viewer:
    """The same eyes on another line, where somebody who joined later goes by the same number."""
    if viewer.gm or viewer.person is None:
        return viewer
    if viewer.person not in table_at(campaign, leaving.line, leaving.at).people:
        return EVERYBODY
    return viewer_of(table_at(campaign, leaving.line, upto), viewer.person)
