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
    """What leaves the line in this stretch, or where the line itself ends with it; in order.

    What leaves between two evenings stands at the beginning of the later; after the last, at its end.
    """
    head = campaign.file.head(line).position if manner.as_of is None else manner.as_of
    after, upto = stretch.after, stretch.upto
    if manner.evening is not None and stretch.session is not None:
        after, upto = evenings.around(campaign, line, manner.evening, head)
    found = [
        one
        for leaving in branching.leaving(campaign, line, manner.lines)
        if leaving.at <= upto
        for one in _parted(
            campaign, line, leaving, branching.reason(campaign, leaving.line, leaving.at), manner
        )
    ]
    for one in sorted(found, key=lambda one: one.at):
        if after <= one.at < upto or one.at == upto == head:
            at = min(max(one.at, stretch.after), stretch.upto)
            yield from (told._replace(at=at) for told in _told(campaign, one, manner, tell))


class _Parted(NamedTuple):
    """Another line from where it is seen to part: the last position that looks alike here, and there."""

    at: int
    leaving: Leaving
    why: str | None
    after: int
    upto: int
    viewer: Viewer


def _parted(
    campaign: Campaign, line: int, one: Leaving, why: str | None, manner: Manner
) -> Iterator[_Parted]:
    """Where a line, and those that leave it while it still looks alike, are seen to part from `line`.

    None for a line of which nothing is known, or which is for these eyes word for word the same.
    """
    upto = branching.recorded_by(campaign, one.line, one.at, manner.known)
    if manner.evening is not None:
        upto = evenings.end(campaign, one.line, manner.evening, upto, one.at)
    eyes = _eyes_on(campaign, one, upto, manner.viewer)
    here = branching.Seen(line, one.at, manner.as_of, manner.viewer)
    at, after = branching.alike(campaign, here, branching.Seen(one.line, one.at, upto, eyes))
    is_told = after < upto
    early = [
        other for other in one.others if not is_told or branching.shared(campaign, one.line, other) < after
    ]
    for leaving in branching.leaving(campaign, one.line, early):
        reason = branching.reason(campaign, leaving.line, leaving.at)
        yield from _parted(campaign, line, leaving._replace(at=one.at), reason, manner)
    if is_told:
        others = tuple(other for other in one.others if other not in early)
        yield _Parted(at, one._replace(others=others), why, after, upto, eyes)


def _told(campaign: Campaign, one: _Parted, manner: Manner, tell: Tell) -> Iterator[Placed]:
    """One line as a variation; none if nothing in it can be told."""
    line, eyes = one.leaving.line, one.viewer
    id_ = f"{Ids.of(campaign, line, eyes).at(one.after + 1)}v"
    scenes: tuple[pages.Scene, ...] = ()
    quotes: tuple[pages.Quote, ...] = ()
    if manner.deep < DEEPEST:
        within = replace(
            manner,
            viewer=eyes,
            as_of=one.upto,
            prefix=f"{id_}-",
            lines=one.leaving.others,
            deep=manner.deep + 1,
        )
        told = tell(campaign, line, Stretch(one.after, one.upto, None, None), within)
        if not told.scenes:
            return
        scenes, quotes = told.scenes, told.end.quotes
    name = campaign.lines()[line]
    yield Placed(one.at, pages.Variation(id_, None, name, one.why, scenes), quotes)


def _eyes_on(campaign: Campaign, leaving: Leaving, upto: int, viewer: Viewer) -> Viewer:
    """The same eyes on another line, where somebody who joined later goes by the same number."""
    if viewer.gm or viewer.person is None:
        return viewer
    if viewer.person not in table_at(campaign, leaving.line, leaving.at).people:
        return EVERYBODY
    eyes = viewer_of(table_at(campaign, leaving.line, upto), viewer.person)
    return viewer if eyes.gm else eyes  # who leads the game there alone is not told its secrets here
