"""Caches of what was told and of exported files, each under the hash of all that it depends on."""

from __future__ import annotations

import hashlib
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from retold.journal.games import BUILT_IN
from retold.journal.store.caches.projection_cache import ProjectionCache
from retold.journal.store.contract.event_store import Row, is_draft
from retold.journal.store.events.codec import decode
from retold.journal.vocabulary import events as e
from retold.projections.reading.cached_projection import cache_of, whose
from retold.projections.reading.line_view import LineView

T = TypeVar("T")

MOST: Final = 64_000_000
"""Most bytes of told sessions in a campaign's cache."""

_MAY_BE_ABOUT: Final = frozenset(kind.kind for kind in (e.Narrated, e.Said, e.Noted, e.SaidAside))
REACHING: Final = _MAY_BE_ABOUT | frozenset(
    kind.kind
    for kind in (
        *(e.Undone, e.Redone, e.Reworded, e.Redacted, e.NarrationOverruled, e.Revealed, e.Shown),
        *(e.CampaignNamed, e.Marked, e.PageTextWritten, e.PassagePulled, e.PictureAdded, e.ColourChosen),
        *(e.Renamed, e.Described, e.Merged),
    )
)
"""Kinds that telling a session reads from after its end. No others can change it, those of games neither."""


class KeptTelling:
    """Told sessions or parts in the cache of a campaign, each under the hash of all that it depends on.

    That is every event up to its end, and the later ones that reach it.
    """

    def __init__(self, reading: LineView, cache: ProjectionCache[bytes]) -> None:
        self._reading, self._cache = reading, cache
        self._later = _reaching(reading)

    @classmethod
    def of(cls, reading: LineView, manner: object) -> KeptTelling | None:
        """Returns those of this reading and manner (pickled); None without a cache, or with a guest."""
        heads = _heads(reading)
        name = hashlib.sha256(
            pickle.dumps((manner, reading.title, heads if len(heads) > 1 else ()))
        ).hexdigest()
        cache = _cache_of(reading, f"told {name}", bytes, most=MOST)
        return None if cache is None else cls(reading, cache)

    def load(self, upto: int) -> bytes | None:
        """Returns what was told up to a position; None if anything changed that it depends on."""
        return self._cache.load(*self._key(upto))

    def keep(self, upto: int, told: bytes) -> None:
        """Stores what was told up to a position."""
        self._cache.keep(*self._key(upto), told)

    def _key(self, upto: int) -> tuple[int, int, bytes]:
        past = self._reading.past
        row = past.row(upto)
        assert row is not None  # noqa: S101 -- an event is there
        hashes = (one.hash for one in self._later if one.position > upto >= one.reaches)
        return past.line, upto, hashlib.sha256(b"".join((row.hash, *hashes))).digest()


def _heads(reading: LineView) -> list[tuple[int, bytes]]:
    """Returns the hashes of the last events of all branches: one can be told as a variation of another."""
    record = reading.past.record
    return [(line, record.head(line).hash) for line in record.store.streams() if not is_draft(line)]


def _cache_of(
    reading: LineView, name: str, sort: type[T], *, most: int | None = None
) -> ProjectionCache[T] | None:
    """Returns a cache of what is told; None with a guest's game in play, whose code may change."""
    known = reading.table.games().issubset(BUILT_IN)
    return cache_of(reading, f"{name} {whose(reading.viewer)}", sort, most=most) if known else None


class KeptFiles:
    """Digests of the files that an export to a folder wrote last, in the cache of its campaign."""

    def __init__(self, reading: LineView, folder: Path, manner: object) -> None:
        """Prepares those of a folder; `manner` is all that the files depend on beside the record."""
        place = hashlib.sha256(str(folder.absolute()).encode()).hexdigest()
        self._cache = _cache_of(reading, f"files {place}", dict[str, str])
        made_of = reading.position, _heads(reading), reading.title, manner
        self._key = reading.line, reading.position, hashlib.sha256(pickle.dumps(made_of)).digest()

    def load(self) -> dict[str, str] | None:
        """Returns the digests by file name; None if the record or the manner changed since."""
        return None if self._cache is None else self._cache.load(*self._key)

    def keep(self, digests: dict[str, str]) -> None:
        """Stores the digests of all files of the folder, by name."""
        if self._cache is not None:
            self._cache.keep(*self._key, digests)


def kept_page(
    reading: LineView, manner: object, path: str, shows: object, make: Callable[[], bytes]
) -> bytes:
    """Returns the page of a site at `path`: the kept one if it shows the same, else what `make` returns.

    It shows `shows`, and the `manner` that all pages have in common.
    """
    cache = _cache_of(reading, f"pages {path}", bytes, most=MOST)
    if cache is None:
        return make()
    key = reading.line, 0, hashlib.sha256(pickle.dumps((manner, shows))).digest()
    page = cache.load(*key)
    if page is None:
        page = make()
        cache.keep(*key, page)
    return page


class _Reaching(NamedTuple):
    """An event that may change how the session of an earlier position, or any after it, is told."""

    position: int
    reaches: int
    hash: bytes


def _reaching(reading: LineView) -> list[_Reaching]:
    """Returns the events that may change how sessions before them are told, as far back as they reach."""
    found: list[_Reaching] = []
    for row in reading.past.rows(kinds=tuple(REACHING), where=_may_reach):
        event = decode(row).event
        places = [place for name in _PLACES if isinstance(place := getattr(event, name, None), int)]
        first, last = min(places, default=0), max(places, default=0)
        # What undoes or rewords an event reaches as far back as that event does.
        changed = (one.reaches for one in found if first <= one.position <= last)
        found.append(_Reaching(row.position, min((first, *changed)), row.hash))
    return found


_PLACES: Final = ("first", "last", "about", "at", "narration")
"""Fields for the positions of the events that an event is about."""


def _may_reach(row: Row) -> bool:
    return row.kind not in _MAY_BE_ABOUT or '"about":' in row.body
