"""Every example's page in a browser: nothing is out of reach, asks for anything, or hangs over the edge."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader

from journal.store.campaign import Campaign
from projections.book import of_line
from projections.exports import export
from projections.pages import Transcript
from projections.transcript import of_session
from tests.pages.conftest import NARROW, WIDE, Open
from tests.projections.played import sessions
from tests.projections.typed import transcript_of

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

SIGHTS = [(WIDE, "light"), (NARROW, "dark")]


def evening(campaign: Campaign, voice: str = "report") -> Transcript:
    """The last evening of an example with all that may stand beside it."""
    return of_session(campaign, 1, sessions(campaign)[-1], voice=voice, variations=True, ribbon=True)


@pytest.mark.parametrize("place", ["folded", "footnotes", "appendix"])
def test_a_page_is_within_everybodys_reach(campaign: Campaign, visit: Open, place: str) -> None:
    seen = visit(export("html", evening(campaign), place))
    seen.open_all()
    for size, scheme in SIGHTS:
        seen.look(size, scheme)

        assert seen.faults() == []
        assert seen.overhang() <= 0
    assert seen.tried == []


def test_a_book_is_within_everybodys_reach(campaign: Campaign, visit: Open) -> None:
    seen = visit(export("html", of_line(campaign, 1, voice="script"), "inline"))
    for size, scheme in SIGHTS:
        seen.look(size, scheme)

        assert seen.faults() == []
        assert seen.overhang() <= 0
    assert seen.tried == []


@pytest.mark.parametrize("book", [False, True])
def test_a_page_with_everything_a_transcript_may_have_is_too(visit: Open, book: bool) -> None:
    seen = visit(export("html", transcript_of("Rain, and the tide still out.", book=book), "footnotes"))
    for size, scheme in SIGHTS:
        seen.look(size, scheme)

        assert seen.faults() == []
        assert seen.overhang() <= 0


@pytest.mark.parametrize(
    "text", ["x" * 400, "骰" * 200, "https://example.org/" + "a-b/" * 90, "W" * 90 + " i"]
)
def test_nothing_hangs_over_the_edge_of_a_telephone_however_long_a_word(visit: Open, text: str) -> None:
    for place in ("inline", "footnotes", "appendix"):
        seen = visit(export("html", transcript_of(text, book=True), place))
        seen.look(NARROW)

        assert seen.overhang() <= 0


# --- by keyboard and on paper -----------------------------------------------------------------------------


def test_what_is_folded_opens_by_keyboard(visit: Open) -> None:
    seen = visit(export("html", transcript_of("Rain.")))
    folded = seen.page.locator("details").first

    assert not folded.locator(".mechanics").is_visible()
    for _ in range(50):
        seen.page.keyboard.press("Tab")
        if seen.page.evaluate("document.activeElement.tagName") == "SUMMARY":
            break
    seen.page.keyboard.press("Enter")
    assert folded.locator(".mechanics").is_visible()
    seen.page.keyboard.press("Space")
    assert not folded.locator(".mechanics").is_visible()


def test_a_footnote_leads_there_and_back_by_keyboard(visit: Open) -> None:
    seen = visit(export("html", transcript_of("Rain."), "footnotes"))
    for link, goal in (("a.mark >> nth=2", "#m3"), ("#m3 > a", "#r3")):
        seen.page.locator(link).focus()
        seen.page.keyboard.press("Enter")

        assert seen.page.evaluate("location.hash") == goal
        assert seen.page.locator(goal).is_visible()


def test_on_paper_nothing_is_folded_and_nobody_navigates(campaign: Campaign, visit: Open) -> None:
    seen = visit(export("html", of_line(campaign, 1)))
    seen.look(scheme="dark")
    seen.page.emulate_media(media="print")
    paper = PdfReader(io.BytesIO(seen.page.pdf(format="A4")))
    text = "".join(page.extract_text() for page in paper.pages)

    assert all(one.is_visible() for one in seen.page.locator("details .mechanics").all())
    assert not any(one.is_visible() for one in seen.page.locator("nav").all())
    assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert "called]" in text
    assert len(paper.pages) <= 14
