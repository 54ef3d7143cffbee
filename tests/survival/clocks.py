"""R11: clocks that go back, jump, stand at the edge of the calendar, or change their zone in the middle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from retold.journal.store.events.clock import Clock
from retold.journal.store.events.codec import from_json
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import evening, notes, play
from tests.survival.attacks import Found
from tests.survival.saying import say

EDGES = (
    *("0001-01-01T00:00:00.000000Z", "1969-12-31T23:59:59.999999Z", "1970-01-01T00:00:00.000000Z"),
    *("2038-01-19T03:14:08.000000Z", "9999-12-31T23:59:59.999999Z", "2016-12-31T23:59:59.999999Z"),
    *("2026-03-29T01:00:00.000000Z", "2026-10-25T01:00:00.000000Z", "2024-02-29T12:00:00.000000Z"),
)
"""The ends of the calendar and of counts of seconds, a leap second, the hours that zones skip."""
ZONES = (0, 60, 120, -720, 840, 345, -210)

READ = (
    *(
        ("log", "-n", "0"),
        ("show",),
        ("show", "sessions"),
        ("replay",),
        ("stats",),
        ("recap",),
        ("branches",),
    ),
    *(("export", "-f", one) for one in ("md", "json", "html", "vtt", "epub", "fountain", "replay")),
    ("export", "--book", "-f", "text"),
)


@dataclass(frozen=True, slots=True)
class WildClock(Clock):
    """Any time at all, and any zone."""

    random: Random

    def now(self) -> tuple[str, int]:
        """Another edge of the calendar, or a jump to anywhere."""
        some = self.random.randrange(0, 9999 * 365 * 24 * 3600)
        anywhere = (datetime(1, 1, 1, tzinfo=UTC) + timedelta(seconds=some)).isoformat()[:19] + ".000000Z"
        return self.random.choice([*EDGES, anywhere]), self.random.choice(ZONES)


def keep_wild_time(folder: Path, rounds: int, protected: bool) -> Found:
    """R11: so many acts at wild times, in the order they were said, each with its time; all can be told."""
    path, found = folder / "a.retold", Found()
    with CampaignStore.create(path, clock=WildClock(Random(11))) as camp:
        writer = camp.writer(1)
        play(writer, evening())
        notes(writer, *(f"number {number}" for number in range(rounds)))
        found.tried += rounds
        found.acknowledged += rounds
        told = list(_noted(camp) if protected else _by_time(camp))
        found.lost += told != [f"number {number}" for number in range(rounds)]
        found.damaged += not verify(camp.record).whole
    for words in READ:
        said = say(folder, "-c", "a", *words)
        found.tried += 1
        found.untrue += not said.is_foreseen or said.code != 0
    return found


def _noted(camp: CampaignStore) -> Iterator[str]:
    for row in camp.record.rows(1):
        if row.kind == "table.noted" and "number " in (row.words or ""):
            yield from_json(row.words or "[]")[0][1]


def _by_time(camp: CampaignStore) -> Iterator[str]:
    """The control: whatever has the lesser time came first."""
    rows = sorted(camp.record.rows(1), key=lambda row: str(from_json(row.body)["at"]))
    for row in rows:
        if row.kind == "table.noted" and "number " in (row.words or ""):
            yield from_json(row.words or "[]")[0][1]
