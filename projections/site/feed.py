"""The last sessions as an Atom feed, whose entries are the same for ever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from projections.exports.identifying import urn
from projections.exports.layout import UNDATED, authors
from projections.reading import Reading, source_of
from projections.site import addresses as a
from projections.site.evenings import Evening
from projections.site.frame import File, Frame, brief

LAST: Final = 30
"""How many sessions a feed has."""


class Entry(NamedTuple):
    """A session as a feed has it."""

    id: str
    title: str
    published: str
    updated: str
    href: str
    words: str


def feed_of(frame: Frame, reading: Reading, evenings: Sequence[Evening]) -> File:
    """The feed, the last session first; its links are whole addresses where it is known where it lies."""
    viewer = reading.viewer
    told_to = (source_of(reading.campaign), "site", "gm" if viewer.gm else str(viewer.person or "table"))
    entries = [
        Entry(
            urn(*told_to, one.path),
            one.title,
            one.published,
            one.updated,
            frame.address(one.path) or one.path,
            brief(one.words),
        )
        for one in reversed(evenings[-LAST:])
    ]
    told_by = dict.fromkeys(name for one in evenings for name in authors(one.told))
    content = frame.filled(
        "feed.xml.j2",
        id=urn(*told_to),
        updated=max((one.updated for one in entries), default=f"{UNDATED}T00:00:00Z"),
        contents=frame.address(a.CONTENTS) or a.CONTENTS,
        address=frame.address(a.FEED),
        authors=tuple(told_by) or (frame.title,),
        entries=entries,
    )
    return File(a.FEED, content)
