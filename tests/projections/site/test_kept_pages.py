"""Kept pages of a site: one is made again if anything that it shows changed, and only then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from retold.journal.store.caches.snapshots import Snapshots
from retold.projections.exports import replay
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.parallel import SessionTelling
from retold.projections.exports.told_sessions import told_sessions
from retold.projections.prose import voice_of
from retold.projections.prose.phrases import Phrases
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.site import files_of
from retold.projections.site.frame import PageFrame, SiteFile, SitePage
from tests.projections.test_told_sessions import at
from tests.wandering.evening import Evening, evening

LINES = """\
campaign The Quay
cast Zel by=Jon
cast Ash by=Kim
session One
narrate Zel: The lantern goes out.
narrate --gm: The heron watches.
end session
session Two
narrate Ash: Rain on the roof.
end session
session Three
say Zel: We walk.
"""


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Evening]:
    """Three sessions, the third of which goes on, with a cache."""
    with evening(LINES.splitlines()) as night:
        assert not night.refused
        night.scribe.campaign.snapshots = Snapshots(tmp_path / "a.cache")
        yield night


def files(night: Evening) -> dict[str, bytes]:
    reading = LineView(night.scribe.campaign, 1, viewer=EVERYBODY)
    telling = SessionTelling(voice_of("report"), is_replay=True)
    told = told_sessions(reading, [*reading.sessions.opened], telling)
    return {file.path: file.data for file in files_of(reading, told, telling.voice, MechanicsPlace.FOLDED)}


def made(night: Evening, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the pages of sessions that are made anew; the site is the same as one without a cache."""
    found: list[str] = []
    page, render = PageFrame.page, replay.render

    def paged(frame: PageFrame, template: str, shown: SitePage, **values: object) -> SiteFile:
        found.append(shown.path)
        return page(frame, template, shown, **values)

    def rendered(value: Mapping[str, Any], phrases: Phrases, **more: Any) -> bytes:  # noqa: ANN401
        found.append("replay")
        return render(value, phrases, **more)

    with monkeypatch.context() as patch:
        patch.setattr(PageFrame, "page", paged)
        patch.setattr(replay, "render", rendered)
        site = files(night)
    cache, night.scribe.campaign.snapshots = night.scribe.campaign.snapshots, None
    assert site == files(night)
    night.scribe.campaign.snapshots = cache
    return sorted(path.removesuffix(".html") for path in found if path.startswith(("sessions/", "replay")))


ALL = [*["replay"] * 3, "sessions/1", "sessions/2", "sessions/3"]


@pytest.mark.parametrize(
    ("line", "again"),
    [
        ("narrate Zel: Dust.", ["replay", "sessions/3"]),
        ("end session\nsession Four", ["replay", "replay", "sessions/3", "sessions/4"]),
        ("cast Pim: Zel's brother", ALL),
        ('cast Zel name="Zella"', ALL),
        ("tint Zel #7a2e1d", ALL),
        ("place The lantern", ALL),
        ("redact {lantern}", ALL),
        ("reveal {heron}", ["replay", "replay", "sessions/1", "sessions/3"]),
    ],
)
def test_a_page_is_made_again_if_what_it_shows_changed(
    line: str, again: list[str], night: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert made(night, monkeypatch) == ALL
    assert made(night, monkeypatch) == []

    places = {"lantern": at(night, "lantern"), "heron": at(night, "heron")}
    assert all(night.type(one) for one in line.format(**places).splitlines()), night.refused
    assert made(night, monkeypatch) == again
