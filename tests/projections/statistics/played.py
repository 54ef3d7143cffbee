"""Evenings to count: each line is recorded one minute after the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from retold.journal.store.events.clock import Clock
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.reading import GAME_MASTER, LineView, Viewer
from retold.projections.statistics import count
from retold.projections.statistics.luck import Group, Judged, Luck
from retold.projections.statistics.pace import Pace
from retold.projections.statistics.participation import Compelling, Shares
from retold.scribe import Scribe


@dataclass(frozen=True)
class ByTheMinute(Clock):
    """A clock that somebody sets."""

    minutes: list[int] = field(default_factory=lambda: [0])

    def now(self) -> tuple[str, int]:
        minute = self.minutes[0]
        return f"2026-03-{14 + minute // 1440}T{minute // 60 % 24:02}:{minute % 60:02}:00.000000Z", 0


class Evening:
    """A campaign that is played line by line, a minute each."""

    def __init__(self, path: Path) -> None:
        self.clock = ByTheMinute()
        self.campaign = CampaignStore.create(path, clock=self.clock)
        self.scribe = Scribe(self.campaign, 1)

    def play(self, script: str) -> Evening:
        """Says every line; all of them have to be accepted."""
        for line in map(str.strip, script.splitlines()):
            if line and not line.startswith(("#", "expect ")):
                self.clock.minutes[0] += 1
                self.scribe.say(line)
        return self

    def wait(self, minutes: int) -> None:
        """Time passes."""
        self.clock.minutes[0] += minutes

    def asked(self, viewer: Viewer = GAME_MASTER, line: int = 1) -> LineView:
        """A line, to be counted."""
        return LineView(self.campaign, line, viewer=viewer)

    def luck(self, session: int | None = None) -> Luck:
        """Its luck."""
        found = count(self.asked(), ("luck",), session)["luck"]
        assert isinstance(found, Luck)
        return found

    def group(self, what: str, session: int | None = None) -> Group:
        """Its luck of one sort."""
        (found,) = (one for one in self.luck(session).groups if one.what == what)
        return found

    def told(self, session: int | None = None, viewer: Viewer = GAME_MASTER) -> Shares:
        """Who told how much."""
        found = count(self.asked(viewer), ("telling",), session)["telling"]
        assert isinstance(found, Shares)
        return found

    def pace(self, session: int | None = None) -> Pace:
        """How long its conflicts took."""
        found = count(self.asked(), ("time",), session)["time"]
        assert isinstance(found, Pace)
        return found

    def compels(self, line: int = 1) -> Compelling:
        """Which aspects were compelled."""
        found = count(self.asked(line=line), ("compels",))["compels"]
        assert isinstance(found, Compelling)
        return found


def row(rows: Sequence[Judged], name: str) -> Judged:
    """The row of that name."""
    (found,) = (one for one in rows if one.name == name)
    return found
