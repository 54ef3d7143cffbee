"""Plays a guest's own evening in a temporary campaign, and reads it in every way, to find what fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from retold.campaign import Campaign, new
from retold.journal.games import Guest
from retold.journal.guarding import GuestError
from retold.journal.language.script_lines import Unplayable
from retold.journal.language.tokens import Unreadable
from retold.journal.language.verbs import UnknownVerb
from retold.journal.line import LiveEvent
from retold.journal.packages import guest_errors
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.events.line_events import live_events
from retold.projections.views import VIEWS
from retold.projections.views.rows import rows
from retold.script_player import Script

OPENING: Final = "cast gm by=Quentin\nsession First night\nscene The table\n"
"""What a tour is played after."""


def evening_of(guest: Guest, evening: str | None) -> tuple[list[LiveEvent], tuple[str, ...]]:
    """Plays and reads an evening of a guest; returns its events, and a sentence for each error of the guest.

    `evening` is a script; None means the package's `tour.session`, without which nothing is played.
    """
    tour = guest.paper("tour.session") if evening is None else None
    script = evening if tour is None else f"{OPENING}{tour}"
    if script is None:
        return [], ()
    guest_errors()
    with TemporaryDirectory() as folder, new(Path(folder) / "evening.retold", seed=guest.name) as campaign:
        failed = dict.fromkeys((*_played(campaign, script, guest), *_read(campaign)))
        return list(live_events(campaign.scribe.campaign.record, campaign.line)), tuple(failed)


def _played(campaign: Campaign, script: str, guest: Guest) -> Iterator[str]:
    try:
        for line in Script("evening", script.encode()).lines():
            try:
                campaign.say(line.source)
            except (UnknownVerb, Unreadable):  # a line of the console, such as show or help
                continue
            except GuestError as error:
                yield error.fault
                return
            except (Refused, StoreError) as refusal:
                yield f"In {guest.distribution}, the evening stops at line {line.number}: {refusal}"
                return
            yield from _asked(campaign.can)
            yield from _overfull(campaign, guest)
    except Unplayable as unplayable:
        yield f"In {guest.distribution}, the evening cannot be played: {unplayable}"


def _read(campaign: Campaign) -> Iterator[str]:
    for viewer in ("gm", "table"):
        reading = campaign.seen_by(viewer)
        for name in VIEWS:
            yield from _asked(partial(reading.view, name))
        yield from _asked(reading.happened)
        yield from _asked(reading.tell)
        yield from _asked(reading.replay)


def _overfull(campaign: Campaign, guest: Guest) -> Iterator[str]:
    """Yields a sentence for each row of the guest whose value is above its maximum."""
    for kept in rows(campaign.scribe.table):
        row = kept.row
        if kept.system == guest.name and row.most is not None and row.value > row.most:
            above = f"is {row.value} of {row.most}, above its maximum"
            yield f"In {guest.distribution}, the row {row.what} {above}."


def _asked(ask: Callable[[], object]) -> Iterator[str]:
    """Calls `ask`, and yields the sentences about what failed meanwhile."""
    try:
        ask()
    except (Refused, StoreError) as error:
        yield str(error)
    yield from guest_errors()
