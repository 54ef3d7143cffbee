"""Opens the campaign a command means, on the line it means, with this user's seed and caches."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from cli.invocation import Options
from cli.settings import Settings
from journal.language.moments import Place
from journal.store.campaign import Campaign
from journal.store.last_seen import LastSeen
from journal.store.snapshots import Snapshots
from journal.store.sqlite.places import log_of
from projections import safe

if TYPE_CHECKING:
    from journal.store.index import Index
    from retold.campaign import Campaign as Library
    from retold.reading import Reading


@contextmanager
def opened(options: Options, *, read_only: bool) -> Iterator[tuple[Campaign, Settings]]:
    """The campaign, open until the block ends."""
    settings = Settings.of_user()
    with Campaign.open(settings.campaign(options.campaign), read_only=read_only) as campaign:
        seen = equip(campaign, settings, debug=options.debug)
        if not read_only:
            tell_missed(seen)
        yield campaign, settings
    if not read_only:
        _say_what_is_left(campaign.path)


def equip(campaign: Campaign, settings: Settings, *, debug: bool = False) -> LastSeen:
    """Gives a campaign the seed and the caches this computer has for it; `debug` says what is wrong there.

    Returns what this computer has seen of its end.
    """
    identity = campaign.id
    campaign.seed = settings.seed(identity)
    heard = _heard if debug or os.environ.get("RETOLD_DEBUG") else None
    campaign.snapshots = Snapshots(_cache(settings, identity), heard, key=settings.seal())
    return campaign.last_seen


def tell_missed(seen: LastSeen) -> None:
    """Says so where what was recorded last is not there, before anything is recorded over the gap."""
    if (missed := seen.missed()) is not None:
        sys.stderr.write(f"{safe.line(missed)}\n")


def _say_what_is_left(path: Path) -> None:
    """Says so where a log stays beside a campaign that was closed, and has grown large."""
    if not log_of(path).exists():
        return
    from journal.store.sqlite.footing import large_log

    if (large := large_log(path)) is not None:
        sys.stderr.write(f"{safe.line(large)}\n")


def _heard(sentence: str) -> None:
    sys.stderr.write(f"{safe.line(sentence)}\n")


def index_of(campaign: Campaign, settings: Settings) -> Index:
    """The search index of a campaign, in the same cache file."""
    from journal.store.index import Index

    return Index(_cache(settings, campaign.id))


def _cache(settings: Settings, identity: str) -> Path:
    return settings.cache / f"{identity}.cache"


def kept_open(path: Path, settings: Settings, *, read_only: bool = False) -> Library:
    """A campaign as a program keeps it, with this user's seed and caches, on the line this user writes to."""
    from threading import RLock

    from cli.asking import forgotten
    from retold.campaign import Campaign as Library
    from retold.reading import Open
    from retold.scribe import Scribe

    store = Campaign.open(path, read_only=read_only)
    seen = equip(store, settings)
    if not read_only:
        tell_missed(seen)
    line = line_meant(store, settings, Options())
    scribe = Scribe(store, line, today=store.clock.today())
    scribe.chose = partial(settings.choose_line, store.id)
    scribe.forget = partial(forgotten, settings)
    return Library(Open(store, index_of(store, settings), RLock()), line, None, scribe=scribe)


def line_meant(campaign: Campaign, settings: Settings, options: Options, viewer: str = "gm") -> int:
    """The line a command is about: --branch, else the one this user switched to, else the mainline.

    A line that `viewer` may not know of is none.
    """
    from projections.reading import lines

    chosen = settings.chosen_line(campaign.id)
    here = chosen if chosen in campaign.record.store.streams() else campaign.mainline()
    if options.branch is not None:
        return lines.line_meant(campaign, here, options.branch, viewer)
    return lines.line_played(campaign, here, viewer)


def place_meant(
    campaign: Campaign, settings: Settings, options: Options, at: str | None, viewer: str = "gm"
) -> Place:
    """The place a command is about: the moment of --at on the line it means, else where that ends.

    Both are looked up among what `viewer` may know.
    """
    from projections.reading import Reading, find_place

    line = line_meant(campaign, settings, options, viewer)
    return find_place(Reading(campaign, line), at or "@", viewer)


def reading_at(campaign: Campaign, settings: Settings, place: Place, viewer: str) -> Reading:
    """A line up to a place, as somebody may know it."""
    from threading import RLock

    from retold.reading import Open, Reading

    return Reading(Open(campaign, index_of(campaign, settings), RLock()), *place, viewer)
