"""Nothing that anybody types does anything in a browser, though its own guard is taken away."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.commands import Note
from retold.projections.comparison import page as line_comparison_page
from retold.projections.comparison.lines import compare_lines
from retold.projections.exports import export
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.reading import LineView
from retold.projections.statistics import TOPICS, count, page
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from tests.pages.conftest import NARROW, WIDE, Open, Visit
from tests.projections.payloads import MARKUP, PAYLOADS, TEMPLATES
from tests.projections.played import sessions
from tests.projections.twins import Twins
from tests.projections.typed import scenes_of, transcript_of

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

ALLOWED = {
    *(
        "html",
        "bdi",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "main",
        "header",
        "section",
        "nav",
        "article",
        "figure",
    ),
    *("h1", "h2", "h3", "h4", "h5", "h6", "p", "div", "span", "em", "strong", "sup", "blockquote", "footer"),
    *("ul", "ol", "li", "dl", "dt", "dd", "a", "details", "summary", "table", "caption", "thead", "tbody"),
    *(
        "tr",
        "th",
        "td",
        "figure",
        "figcaption",
        "svg",
        "desc",
        "rect",
        "text",
        "g",
        "path",
        "polygon",
        "circle",
    ),
}
"""All that our pages are made of; nothing among it can do or fetch anything."""


TOUCHED = """all => all.forEach(one => {
  for (const kind of ["mouseover", "focus", "error", "load", "toggle", "animationstart"])
    one.dispatchEvent(new Event(kind));
  if (["A", "SUMMARY"].includes(one.tagName)) one.click();
})"""
"""Everything is hovered over, given the focus and told that something went wrong; what can be clicked, is."""

ORDERS = """all => all.flatMap(one => one.getAttributeNames().map(name => [name, one.getAttribute(name)]))
  .filter(([name, value]) => /^on/i.test(name) || /^[^#]*:/.test(name == "href" ? value : ""))"""
"""Attributes that are scripts, and links that lead elsewhere."""


def check(seen: Visit) -> None:
    """It is made of what our pages are made of, tries nothing, stays where it is and within its edges."""
    where = seen.page.url
    seen.look(WIDE)
    seen.page.eval_on_selector_all("*", TOUCHED)
    seen.open_all()
    assert seen.overhang() <= 0
    seen.look(NARROW)
    assert seen.overhang() <= 0
    assert set(seen.page.eval_on_selector_all("*", "all => all.map(one => one.localName)")) <= ALLOWED
    assert seen.page.eval_on_selector_all("*", ORDERS) == []
    assert seen.tried == []
    assert seen.page.url.partition("#")[0] == where


def test_an_evening_and_a_book_do_nothing(twins: Twins, visit: Open) -> None:
    evening = of_session(LineView(twins.hostile, 1), sessions(twins.hostile)[0], ribbon=True)
    book = of_line(LineView(twins.hostile, 1), voice="script")
    places = ("folded", "appendix") if twins.number % 2 else ("appendix", "folded")
    for told, place in zip((evening, book), places, strict=True):
        check(visit(export("html", told, place), unguarded=True))


def test_statistics_do_nothing(twins: Twins, visit: Open) -> None:
    asked = LineView(twins.hostile, 1)
    check(visit(page(f"{asked.table.title}", [], count(asked, tuple(TOPICS))), unguarded=True))


def test_another_line_does_nothing_within_a_page_or_beside_it(twins: Twins, visit: Open) -> None:
    told = twins.hostile
    bad = [Words(one) for one in (*MARKUP.split("\n")[1:4], *TEMPLATES.split("\n")[1:3])]
    at = told.record.head(1).position
    line = told.fork(1, at - 1, bad[0], bad[1])
    told.writer(line).record(Note(text=bad[2]))
    asked = [LineView(told, one) for one in (1, line)]
    within = of_session(LineView(told, 1), sessions(told)[-1], variations=True)

    assert any(passage.variations for scene in within.scenes for passage in scene.passages)
    check(visit(export("html", within), unguarded=True))
    check(visit(line_comparison_page.html(compare_lines(asked), MechanicsPlace.FOLDED), unguarded=True))


def test_no_payload_does_anything_in_any_part_of_a_page(visit: Open) -> None:
    scenes = [scene for number, text in enumerate(PAYLOADS) for scene in scenes_of(text, number, None)]
    told = replace(transcript_of(" ".join(PAYLOADS)), scenes=tuple(scenes))

    check(visit(export("html", told), unguarded=True))


# --- the traps --------------------------------------------------------------------------------------------


BAD = b"""<!DOCTYPE html><html><head><title>Bad</title></head><body>
<img src="http://127.0.0.1:9/x.png"><p style="color:#ddd">pale</p><pre>%s</pre>
<script>alert(1); console.log("said"); throw new Error("broke")</script></body></html>""" % (b"x" * 400)


def test_the_traps_and_the_checker_catch_a_bad_page(visit: Open) -> None:
    seen = visit(BAD)
    seen.look(NARROW)
    kinds = {one.split(":")[0] for one in seen.faults()}
    tried = {one.split(":")[0] for one in seen.tried}

    assert {"image-alt", "color-contrast", "html-has-lang"} <= kinds
    assert {"request", "dialog", "console", "error"} <= tried
    assert seen.overhang() > 0
