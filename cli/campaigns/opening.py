"""Opens the campaign that a command names, finds its branch, and attaches the user's seed and caches."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from retold.cli.campaigns.settings import Settings
from retold.cli.invocation import Options
from retold.cli.output.printing import write_fitted
from retold.journal.language.moments import LinePosition
from retold.journal.refused import Refused
from retold.journal.store import places
from retold.journal.store.caches.snapshots import Snapshots
from retold.journal.store.contract.address import Address, Place
from retold.journal.store.disk.last_seen import LastSeen
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.texts import safe

if TYPE_CHECKING:
    from retold.journal.store.caches.index import Index
    from retold.reading import Reading


@contextmanager
def opened(
    options: Options, *, read_only: bool, over_the_gap: bool = False
) -> Iterator[tuple[CampaignStore, Settings]]:
    """Context manager: opens the campaign that `options` name; yields it with the user's settings.

    Unless `read_only`, warns on standard error if events recorded here are missing, and of a large log after
    closing. On a server raises Refused if events are missing, unless `over_the_gap`.
    """
    settings = Settings.of_user()
    with CampaignStore.open(settings.campaign(options.campaign), read_only=read_only) as campaign:
        with campaign.record.store.read_transaction():  # a server is asked once
            seen = attach_caches(campaign, settings, debug=options.debug)
            if not read_only:
                warn_of_missed(seen, over_the_gap=over_the_gap)
                if over_the_gap and campaign.place.file is None:
                    seen.keep_end(campaign.mainline())
        yield campaign, settings
        warn_of_encryption(campaign.place)
    if not read_only:
        large = places.large_log(campaign.place)
        if large is not None:
            _warn(large)


def attach_caches(campaign: CampaignStore, settings: Settings, *, debug: bool = False) -> LastSeen:
    """Attaches this computer's seed and caches to a campaign.

    Returns a note of the last act that this computer recorded in it, by which `warn_of_missed` finds out
    whether recorded events have gone. With `debug`, warnings about the caches go to standard error.
    """
    identity = campaign.id
    campaign.seed = settings.seed(identity)
    warn = _warn if debug or os.environ.get("RETOLD_DEBUG") else None
    campaign.snapshots = Snapshots(_cache(settings, identity), warn, key=settings.seal())
    return campaign.last_seen


def warn_of_missed(seen: LastSeen, *, over_the_gap: bool = False) -> None:
    """Warns on standard error if events recorded on this computer are missing from the campaign's file.

    Raises Refused instead if they are missing on a server, unless `over_the_gap`.
    """
    if (missed := seen.missed()) is not None:
        if seen.record.store.place.file is None and not over_the_gap:
            raise Refused(missed)
        _warn(missed)


def warn_of_encryption(place: Address) -> None:
    """Warns on standard error if another computer could be taken for the campaign's server."""
    if place.file is None and (weak := places.weaker_encryption(place)) is not None:
        _warn(weak)


def _warn(sentence: str) -> None:
    sys.stderr.write(f"{safe.line(sentence)}\n")


def index_of(campaign: CampaignStore, settings: Settings) -> Index:
    """Returns the search index of a campaign, stored in its cache file."""
    from retold.journal.store.caches.index import Index

    return Index(_cache(settings, campaign.id))


def _cache(settings: Settings, identity: str) -> Path:
    return settings.cache / f"{identity}.cache"


def line_meant(campaign: CampaignStore, settings: Settings, options: Options, viewer: str = "gm") -> int:
    """Returns the number of the branch a command works on: --branch, else the user's, else the mainline.

    The user's is the branch they switched to. Raises Refused for a branch that `viewer` may not know of.
    """
    from retold.projections.reading import lines

    here = settings.chosen_line(campaign.id)
    if here is None or here not in campaign.record.store.streams():
        here = campaign.mainline()
    if options.branch is not None:
        return lines.line_meant(campaign, here, options.branch, viewer)
    return lines.line_played(campaign, here, viewer)


def place_meant(
    campaign: CampaignStore, settings: Settings, options: Options, at: str | None, viewer: str = "gm"
) -> LinePosition:
    """Returns branch number and event position a command works on: the moment `at`, else the branch's end.

    Names of moments and branches are looked up among those `viewer` may know.
    """
    from retold.projections.reading import LineView, find_place

    line = line_meant(campaign, settings, options, viewer)
    return find_place(LineView(campaign, line), at or "@", viewer)


def reading_at(campaign: CampaignStore, settings: Settings, place: LinePosition, viewer: str) -> Reading:
    """Opens a `Reading` of a branch up to an event position, limited to `viewer`'s knowledge."""
    from threading import RLock

    from retold.reading import Reading, SharedCampaign

    return Reading(SharedCampaign(campaign, index_of(campaign, settings), RLock()), *place, viewer)


def check_disk(place: Place, *, allowed: bool) -> None:
    """Raises Refused if a new campaign would lie on a network disk, unless `allowed`.

    If not refused, warns on standard error of a network or synchronised disk.
    """
    shared = places.shared_disk(place)
    if shared is not None and shared.is_network and not allowed:
        raise Refused(
            f"{shared.sentence(place)} If one program at a time opens it, say --shared-disk: it is made"
            " there."
        )
    warn_of_shared_disk(place)


def warn_of_shared_disk(place: Place) -> None:
    """Warns on standard error if `place` lies on a network or synchronised disk."""
    shared = places.shared_disk(place)
    if shared is not None:
        write_fitted([shared.sentence(place)], sys.stderr)
