"""Every example's page in a browser: nothing is out of reach, asks for anything, or hangs over the edge."""

from __future__ import annotations

import io
import re

import pytest
from pypdf import PageObject, PdfReader

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import export
from retold.projections.reading import LineView
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from tests.pages.conftest import NARROW, SIGHTS, Open, Visit, box, visible, within_reach
from tests.projections.played import sessions
from tests.projections.typed import transcript_of

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")


def evening(campaign: CampaignStore, voice: str = "report") -> Transcript:
    """The last evening of an example with all that may stand beside it."""
    return of_session(
        LineView(campaign, 1), sessions(campaign)[-1], voice=voice, variations=True, ribbon=True
    )


def test_a_page_is_within_everybodys_reach(campaign: CampaignStore, visit: Open, turn: int) -> None:
    seen = visit(export("html", evening(campaign), "folded"))
    seen.open_all()
    within_reach(seen, turn=turn)


@pytest.mark.parametrize("place", ["footnotes", "appendix"])
def test_it_is_wherever_mechanics_stand(campaign: CampaignStore, visit: Open, place: str, turn: int) -> None:
    seen = visit(export("html", evening(campaign), place))
    seen.open_all()
    within_reach(seen, turn=turn + (place == "appendix"))


def test_a_book_is_within_everybodys_reach(campaign: CampaignStore, visit: Open, turn: int) -> None:
    within_reach(visit(export("html", of_line(LineView(campaign, 1), voice="script"), "inline")), turn=turn)


@pytest.mark.parametrize("book", [False, True])
def test_a_page_with_everything_a_transcript_may_have_is_too(visit: Open, book: bool) -> None:
    within_reach(
        visit(export("html", transcript_of("Rain, and the tide still out.", book=book), "footnotes"))
    )


@pytest.mark.parametrize(
    "text", ["x" * 400, "骰" * 200, "https://example.org/" + "a-b/" * 90, "W" * 90 + " i"]
)
def test_long_words_fit_a_phone(visit: Open, text: str) -> None:
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


def test_on_paper_is_the_story_and_what_the_reader_has_opened(campaign: CampaignStore, visit: Open) -> None:
    seen = visit(export("html", of_line(LineView(campaign, 1))))
    seen.look(scheme="dark")
    seen.page.emulate_media(media="print")
    folded = seen.page.locator("details .mechanics")
    closed = paper(seen)
    seen.open_all()

    assert folded.count() > 0
    assert not re.search(r"Mechanics|▸|called\]", closed)
    assert all(visible(folded))
    assert "called]" in paper(seen)
    assert not any(visible(seen.page.locator("nav, summary")))
    assert seen.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def paper(seen: Visit) -> str:
    """What is on the sheets if somebody prints it."""
    return "\n".join(sheet.extract_text() for sheet in PdfReader(io.BytesIO(seen.page.pdf())).pages)


def test_a_printed_evening_leaves_no_third_of_a_page_empty(campaign: CampaignStore, visit: Open) -> None:
    seen = visit(export("html", evening(campaign)))
    sheets = PdfReader(io.BytesIO(seen.page.pdf(format="A4"))).pages

    for sheet in sheets[:-1]:
        below, lowest = heights(sheet)[:2]  # the number of the page stands below everything
        assert below < lowest < sheet.mediabox.height / 3


def heights(sheet: PageObject) -> list[float]:
    """How far above the foot of a sheet each of its lines stands, the lowest first."""
    found = set()

    def note(text: str, drawn: list[float], placed: list[float], *_: object) -> None:
        if text.strip():
            found.add(round(placed[4] * drawn[1] + placed[5] * drawn[3] + drawn[5]))

    sheet.extract_text(visitor_text=note)
    return sorted(found)


def test_two_paragraphs_of_one_text_stand_closer_than_two_texts(visit: Open) -> None:
    seen = visit(export("html", transcript_of("Rain.\n\nThe tide is out."), "none"))
    texts = [one for one in seen.page.locator(".told").all() if one.locator("p").count() > 1]
    first, second = map(box, texts[0].locator("p").all())
    above, below = map(box, texts[:2])

    assert second["y"] - (first["y"] + first["height"]) < below["y"] - (above["y"] + above["height"])


def test_what_is_folded_takes_no_line_of_the_story(visit: Open) -> None:
    seen = visit(export("html", transcript_of("Rain.")))
    for size, scheme in SIGHTS:
        seen.look(size, scheme)
        for one in seen.page.locator(".told:has(> p):has(> details)").all():
            assert box(one)["height"] == box(one.locator("p"))["height"]
            assert one.get_by_text("Mechanics (2)").count() == 1
            assert one.locator("summary").is_visible()
