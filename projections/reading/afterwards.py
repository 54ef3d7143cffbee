"""What a line says about its earlier moments: words told later, and narrations overruled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from journal.store.codec import Recorded, decode
from journal.store.rows import Row
from journal.vocabulary import events as e
from projections.reading.sight import Sight, as_revealed

TOLD_LATER = ("table.narrated", "table.said", "table.noted", "table.said-aside")
OVERRULED = (e.NarrationOverruled.kind,)


class Afterwards(Struct, frozen=True):
    """What a line says, up to a moment, about earlier ones: words told later, and narrations overruled."""

    words: Mapping[int, Sequence[Recorded]]
    overruled: Mapping[int, Sequence[Recorded]]

    def struck(self, position: int) -> bool:
        """True if the narration at `position` counts no longer."""
        return any(
            isinstance(one.event, e.NarrationOverruled) and one.event.how != "edit"
            for one in self.overruled.get(position, ())
        )


def afterwards(sight: Sight, after: int = 0) -> Afterwards:
    """What this viewer may know of words told later and narrations overruled, recorded after a position."""
    return _told(sight, after, (*TOLD_LATER, *OVERRULED))


def overruled(sight: Sight, after: int) -> Afterwards:
    """The same of narrations overruled alone, and of what was recorded after position `after`."""
    return _told(sight, after, OVERRULED)


def _about_earlier(row: Row) -> bool:
    return '"about":' in row.body or row.kind not in TOLD_LATER


def _told(sight: Sight, after: int, kinds: Sequence[str]) -> Afterwards:
    past = sight.past
    words: dict[int, list[Recorded]] = {}
    overruled: dict[int, list[Recorded]] = {}
    for row in past.rows(after, None, kinds, _about_earlier):
        recorded = decode(row, past.stands.rewordings.get(row.position))
        if not past.stands.counts(row.position) or not sight.sees(recorded):
            continue
        found = as_revealed(recorded, past.reveals)
        if isinstance(found.event, e.NarrationOverruled):
            overruled.setdefault(found.event.narration, []).append(found)
        elif isinstance(found.event, e.ToldLater) and found.event.about is not None:
            words.setdefault(found.event.about, []).append(found)
    return Afterwards(words, overruled)
