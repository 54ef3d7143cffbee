"""What else a browser can open: statistics, the chapters of an EPUB, and maps that are files."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.comparison import page as line_comparison_page
from retold.projections.comparison.lines import compare_lines
from retold.projections.exports import export
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.maps.drawings import DRAWINGS
from retold.projections.reading import LineView
from retold.projections.statistics import TOPICS, count, page
from retold.projections.story.transcript.build import of_line
from tests.pages.conftest import NARROW, Open, boxes, within_reach
from tests.projections.typed import transcript_of

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")


OF_A_WHOLE_PAGE = ("landmark-one-main", "region", "page-has-heading-one")
"""Rules that do not hold for a chapter, which is part of a book: its reader gives it the rest of the page."""


def test_statistics_are_within_everybodys_reach(campaign: CampaignStore, visit: Open, turn: int) -> None:
    asked = LineView(campaign, 1)
    seen = visit(page(f"{asked.table.title} in numbers", [], count(asked, tuple(TOPICS))))
    within_reach(seen, turn=turn)


def test_on_a_telephone_every_bar_has_its_value_in_sight_and_every_row_its_name(
    campaign: CampaignStore, visit: Open
) -> None:
    seen = visit(page("In numbers", [], count(LineView(campaign, 1), tuple(TOPICS))))
    seen.look(NARROW)
    seen.page.eval_on_selector_all(".wide", "all => all.forEach(one => one.scrollLeft = 9999)")

    for label in boxes(seen.page.locator(".chart .said, .chart .label")):
        assert 0 <= label["x"] <= label["x"] + label["width"] <= NARROW[0]
    for heading in boxes(seen.page.locator("tbody th")):
        assert heading["x"] >= 0
        assert heading["height"] < FOUR_LINES


FOUR_LINES = 4 * 24
"""In pixels: no row of statistics is any taller."""


def test_lines_side_by_side_are_within_everybodys_reach(campaign: CampaignStore, visit: Open) -> None:
    lines = [LineView(campaign, line) for line in campaign.lines()]

    assert (len(lines) > 1) == (campaign.place.stem in BRANCHED)
    for place in (MechanicsPlace.FOLDED, MechanicsPlace.APPENDIX) if len(lines) > 1 else ():
        within_reach(visit(line_comparison_page.html(compare_lines(lines), place)))


BRANCHED = ("big-guns", "three-endings")
MAPPED = ("big-guns", "debate", "netrun", "warehouse")


@pytest.mark.parametrize("place", ["footnotes", "appendix"])  # all that folded ones have, and links
def test_every_page_of_an_epub_is_within_everybodys_reach(visit: Open, tmp_path: Path, place: str) -> None:
    told = transcript_of("Rain, and the tide still out.", book=True)
    with zipfile.ZipFile(io.BytesIO(export("epub", told, place))) as archive:
        archive.extractall(tmp_path)
    paths = sorted(tmp_path.rglob("*.xhtml"))

    assert len(paths) >= 7
    seen = visit(paths[0], within=tmp_path)
    for number, path in enumerate(paths, place == "appendix"):
        seen.page.goto(path.as_uri())
        within_reach(seen, *OF_A_WHOLE_PAGE, turn=number)


def test_a_map_that_is_a_file_asks_for_nothing(campaign: CampaignStore, visit: Open) -> None:
    plates = [
        passage.plate
        for scene in of_line(LineView(campaign, 1)).scenes
        for passage in scene.passages
        if passage.plate is not None
    ]

    assert bool(plates) == (campaign.place.stem in MAPPED)
    for one in plates:
        seen = visit(DRAWINGS["svg"].draw(one.picture).encode(), ".svg")

        assert seen.page.evaluate("document.documentElement.localName") == "svg"
        assert seen.page.locator("parsererror").count() == 0
        assert seen.page.locator("text").first.is_visible()
        assert seen.tried == []
