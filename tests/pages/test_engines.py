"""Firefox and WebKit play a replay, search a site, take and hand in lines, and begin a campaign."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold
from retold.cli.exporting.folders import write_folder
from retold.journal.vocabulary import commands as c
from retold.projections.exports import replay
from retold.projections.site import WHERE
from tests.cli.service.phone import serving
from tests.pages.conftest import NARROW, WIDE
from tests.pages.engines import ENGINES, Engine
from tests.pages.replays import small
from tests.projections.evening import both, w
from tests.projections.site.whole import site_of
from tests.retold.home.browser import at_home

pytest.importorskip("websockets", reason="pages are looked at where a browser is: python3 run.py pages")

EVENING = """\
game d20
cast gm by=Mary
cast Zel dex=2 health=9 by=Jon: A smuggler
session Ebb
scene Porch: Rain.
"""


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    run, is_there = ENGINES[request.param]
    if not is_there:
        pytest.skip(f"there is no {request.param} on this computer")
    with run(tmp_path_factory.mktemp(request.param)) as found:
        yield found


@pytest.fixture(autouse=True)
def _fits_and_is_quiet(engine: Engine) -> Iterator[None]:
    """Each page fits a desk and a phone, and complains of nothing."""
    engine.complaints.clear()
    engine.resize(WIDE[0])
    yield
    assert [engine.overhang(width) for width, _ in (WIDE, NARROW)] == [0, 0]
    assert engine.complaints == []


def test_a_replay_is_played_from_its_cover(engine: Engine, tmp_path: Path) -> None:
    page = tmp_path / "replay.html"
    page.write_bytes(replay.render(small()))
    engine.open(page.as_uri())
    engine.click("#cover .start")
    engine.see("#play.playing")
    engine.type("End")
    engine.see("#count", "8 of 8")


def test_a_site_is_searched(engine: Engine, tmp_path: Path) -> None:
    table = both(tmp_path / "evenings.retold")
    table.do(c.Narrate(text=w("The lantern is out.")))
    write_folder(tmp_path / "site", site_of(table.campaign).items(), WHERE)
    engine.open((tmp_path / "site" / "search.html").as_uri())
    engine.fill("#asked", "lantern")
    engine.see("#found p", "The lantern is out.")


def test_a_line_is_typed_and_another_is_handed_in_by_a_phone(engine: Engine, tmp_path: Path) -> None:
    with retold.new(tmp_path / "salt-road.retold", seed="for tests alone") as campaign:
        campaign.play(EVENING)
    with serving(tmp_path / "salt-road.retold", home=tmp_path / "home") as service:
        at = service.place.url
        engine.open(f"{at}#{service.phone('gm').secret}")
        engine.see("#words [data-id]")
        engine.fill("#line", "roll Zel dex = 14")
        engine.type("Enter")
        engine.see("#words li", "is 16")
        engine.open(f"{at}#{service.phone('Jon').secret}")
        engine.see("#words [data-id]")
        engine.fill("#words-of", "Hush.")
        engine.click("#speak .send")
        engine.see("#proposals li[data-state=waiting]", "Hush.")


def test_a_campaign_is_begun_at_home(engine: Engine, tmp_path: Path) -> None:
    with at_home(tmp_path / "state", tmp_path / "campaigns") as running:
        engine.open(f"http://127.0.0.1:{running.port}/home/come#{running.home.once()}")
        engine.fill("#title", "The Well")
        engine.click("[value=d20]")
        engine.fill("#master", "Mary")
        engine.type("Enter")
        engine.see("#acts button", "Begin the session")
