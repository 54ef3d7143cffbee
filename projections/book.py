"""A whole line as a book: every session a chapter, and an index of who and what is in which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from journal.names import fold
from journal.store.campaign import Campaign
from journal.store.verify import Progress
from journal.table import Table
from journal.vocabulary import events as e
from projections import pages
from projections.prose import Voice
from projections.replay import KEEPER, Moment, Viewer, moments
from projections.scribe import people_in
from projections.transcript import of_range
from projections.views.map import plans


def of_line(
    campaign: Campaign,
    line: int,
    *,
    voice: Voice | str = "report",
    viewer: Viewer = KEEPER,
    as_of: int | None = None,
    lang: str | None = None,
    variations: bool = False,
    ribbon: bool = False,
    told: Progress | None = None,
) -> pages.Transcript:
    """All of `line` up to `as_of` (its head if None), as known then; Refused if there is no such voice.

    `told` hears now and then how many positions are done.
    """
    book = of_range(
        campaign,
        line,
        0,
        as_of,
        voice=voice,
        viewer=viewer,
        as_of=as_of,
        lang=lang,
        variations=variations,
        ribbon=ribbon,
        told=told,
    )
    table = Table()
    seen: dict[int | str, dict[int, None]] = {}
    for moment in moments(campaign, line, 0, as_of, viewer=viewer, table=table):
        if moment.table.session is not None:
            for one in _present(moment):
                seen.setdefault(one, {})[moment.table.session] = None
    return replace(book, index=tuple(sorted(_entries(table, seen), key=_in_order)))


def _present(moment: Moment) -> Iterator[int | str]:
    """The people a moment speaks of, and the places of the map it is played on."""
    event = moment.event
    told_later = isinstance(event, e.Narrated | e.Said | e.Noted) and event.about is not None
    if not told_later:  # of an earlier evening
        yield from people_in(event)
    if getattr(moment.event, "conflict", None) is not None:
        for _, plan in plans(moment.table):
            yield from (zone.name for zone in plan.zones)


def _entries(table: Table, seen: dict[int | str, dict[int, None]]) -> Iterator[pages.Entry]:
    """People by the names they bear at the end; players and game masters are in no story."""
    for one, sessions in seen.items():
        if isinstance(one, str):
            yield pages.Entry(one, "place", tuple(sessions))
        elif table.people[one].role not in ("player", "gm"):
            yield pages.Entry(table.people[one].called, "person", tuple(sessions))


def _in_order(entry: pages.Entry) -> tuple[str, str, str]:
    return entry.kind, fold(entry.name), entry.name
