"""The replay page in a browser: all on the table is drawn, every moment is reached, nothing is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import replay
from retold.projections.prose.phrases import Phrases, table
from retold.projections.reading import LineView
from tests.pages.conftest import NARROW, SIGHTS, Open, Visit, box
from tests.pages.replays import TABLE, TOLD, Value, long, small
from tests.pages.test_hostile import ORDERS
from tests.projections.payloads import PAYLOADS
from tests.projections.replay.stepping import whole
from tests.projections.twins import Twins

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")


def opened(visit: Open, value: Value | None = None, moment: str = "") -> Visit:
    """The page of a replay, at a moment."""
    seen = visit(replay.render(small() if value is None else value))
    if moment:
        leap(seen, moment)
    return seen


def leap(seen: Visit, moment: str) -> None:
    """Writes a moment into the address, and waits until it is shown."""
    seen.page.evaluate(LEAP, moment)
    settled(seen)


LEAP = """hash => new Promise(done => {
  const before = location.href;
  addEventListener("hashchange", () => done(), { once: true });
  location.hash = hash;
  if (location.href === before) done();
})"""
"""Changes the address, and waits until the page has been told so."""


def settled(seen: Visit) -> None:
    """Waits until the address is that of what is shown, and what was asked for by then is drawn."""
    seen.page.evaluate("atRest()")


def faults(seen: Visit) -> list[str]:
    """What the accessibility checker finds, but that a link leads to a moment and no place of the page."""
    return seen.faults("skip-link")


def press(seen: Visit, *keys: str) -> str:
    """Presses keys, and says at which moment that ends."""
    for key in keys:
        seen.page.keyboard.press(key)
    settled(seen)
    return str(seen.page.evaluate("location.hash"))


def look_for(seen: Visit, words: str) -> None:
    """Types words into the open search, and waits until all of them have been looked for."""
    seen.page.keyboard.type(words)
    settled(seen)


def told_now(seen: Visit) -> Locator:
    """The block that is being told."""
    return seen.page.locator("#story [aria-current]")


# --- within reach -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", ["#e0", "#e3", "#the%20chase/f5"])
def test_the_page_is_within_everybodys_reach(visit: Open, moment: str) -> None:
    seen = opened(visit, moment=moment)
    for size, scheme in SIGHTS:
        seen.look(size, scheme)

        assert faults(seen) == []
        assert seen.overhang() <= 0
    assert seen.tried == []


@pytest.mark.parametrize("key", ["/", "c", "?"])
def test_what_opens_over_it_is_too_and_closes_again(visit: Open, key: str) -> None:
    seen = opened(visit)
    seen.page.keyboard.press(key)
    shown = seen.page.locator("dialog[open]")
    for size, scheme in SIGHTS:
        seen.look(size, scheme)

        assert shown.is_visible()
        assert faults(seen) == []
        assert seen.overhang() <= 0
    press(seen, "Escape")

    assert shown.count() == 0


def test_what_a_finger_touches_is_large_enough(visit: Open) -> None:
    seen = opened(visit)
    seen.look(NARROW)
    targets = [one for one in seen.page.locator("button, select, input").all() if one.is_visible()]

    assert len(targets) > 10
    assert all(box(one)["height"] >= 44 and box(one)["width"] >= 44 for one in targets)


@pytest.mark.parametrize("width", [320, 360, 375, 390])
def test_W13_on_a_small_telephone_nothing_of_the_player_is_cut_off(visit: Open, width: int) -> None:
    seen = opened(visit)
    seen.look((width, 640))
    shown = [box(one) for one in seen.page.locator("footer select, footer button").all()]

    assert len(shown) == 7
    assert all(one["x"] >= 0 and one["x"] + one["width"] <= width for one in shown)
    assert all(one["y"] + one["height"] <= 640 for one in shown)
    assert seen.overhang() <= 0


def test_a_phone_shows_table_then_story_then_transport(visit: Open) -> None:
    seen = opened(visit)
    seen.look(NARROW)
    board, story, play = (box(seen.page.locator(one)) for one in ("#board", "#story", "#play"))

    assert board["y"] + board["height"] <= story["y"]
    assert story["y"] + story["height"] <= play["y"]
    assert play["y"] + play["height"] <= NARROW[1]


# --- the table --------------------------------------------------------------------------------------------


def test_every_thing_on_the_table_is_drawn_and_says_what_it_shows(visit: Open) -> None:
    seen = opened(visit)
    said = [one.get_attribute("aria-label") for one in seen.page.locator("#board [role=img]").all()]

    assert {
        "In the hand of Irena: king of spades, 10 of hearts, a card face down, the joker",
        "In the hand of Hedda: home of blades, Triumph XIV, reversed, the Excuse, a card of a guest",
        "Before Pole: 2 cards face down",
        "Deck players: 40 of 54 left, 3 discarded, last 2 of clubs",
        "Oskar: 5 (kept), 10 on a d10 (not counted), minus",
        "In the pool: 8, 6, 4 (kept), 1",
        "Irena raises 10; to be seen by Pole: 6, 4",
        "The balance is unbalanced, in favour of Pole: Irena, Oskar against Pole",
        "Phase 1. Irena clashes with Pole, Irena checks.",
        "Map. Gate: Irena; Giants: Pole (out). Gate - Giants: → 3, ← 1, marked 2 of 4",
        "hp: 10 of 14",
        "hp: 0 of 9; out",
        "cool: marked 2, 4 of 4",
        "hurt: 3 of 6 in 3 rows; Not to be left alone",
        "mild: A boot lost",
        "severe: free",
        "tide: 3 of 6",
        "torches: 3",
        "fate: 2 of 5",
        "combat: 18",
        "wheels: 1 of 4",
    } <= set(said)


def test_a_kind_without_a_drawing_is_a_row_of_words(visit: Open) -> None:
    seen = opened(visit)

    assert seen.page.locator(".plain-row").inner_text() == "lantern:1 burns low, blue; oil 3"


def test_sides_face_each_other_and_each_has_what_is_theirs(visit: Open) -> None:
    seen = opened(visit)
    one, other = map(box, seen.page.locator(".sides > .side").all())

    assert one["x"] + one["width"] <= other["x"]
    assert one["y"] == other["y"]
    assert seen.page.locator(".side >> nth=0").locator("h4").all_inner_texts() == ["Irena", "Oskar"]
    assert seen.page.locator(".side >> nth=1").get_by_text("Wet to the knee").is_visible()


def test_what_changed_at_a_step_is_lit_and_said(visit: Open) -> None:
    seen = opened(visit, moment="#e3")
    lit = seen.page.locator("[data-lit]")

    assert lit.count() == 2
    assert all(one.inner_text().startswith("(just now)") for one in lit.all())
    assert seen.page.get_by_label(re.compile("hp: 3 of 14")).is_visible()
    assert press(seen, "ArrowRight") == "#e4"
    assert lit.count() == 0


def test_W24_rows_that_changed_one_under_the_other_have_one_frame(visit: Open) -> None:
    value = small()
    value["keys"].append("row:w:-:1:cool")
    cool = {**TABLE["row:w:-:1:cool"], "value": 3}
    value["lines"][0]["steps"]["delta"][3] += [len(value["keys"]) - 1, cool]
    seen = opened(visit, value, "#e3")
    script = """one => {
      const frame = getComputedStyle(one, "::before"), mark = getComputedStyle(one, "::after");
      return [frame.borderTopWidth, frame.borderBottomWidth, mark.display];
    }"""
    lit = seen.page.locator(".seat > .item[data-lit]")

    assert lit.evaluate_all(f"all => all.map({script})") == [["2px", "0px", "block"], ["0px", "2px", "none"]]
    assert lit.evaluate_all("all => all.map(one => getComputedStyle(one).outlineStyle)") == ["none", "none"]
    frame = lit.first.evaluate("one => one.getBoundingClientRect().right")
    assert all(box(one)["x"] + box(one)["width"] < frame for one in lit.locator(".of").all())


def test_people_move_on_the_same_map(visit: Open) -> None:
    seen = opened(visit)
    before = seen.page.locator(".map").element_handle()
    way = "() => document.querySelector('.token').style.transform"
    stood = seen.page.evaluate(way)
    press(seen, "End")

    assert seen.page.evaluate("one => one === document.querySelector('.map')", before)
    assert seen.page.evaluate(way) != stood


# --- the story --------------------------------------------------------------------------------------------


def test_what_is_being_told_is_marked_and_in_sight(visit: Open) -> None:
    seen = opened(visit, long(2000))
    for moment in ("#e1999", "#e3", "#e1000"):
        leap(seen, moment)
        story, told = box(seen.page.locator("#story")), box(told_now(seen))

        assert told_now(seen).count() == 1
        assert story["y"] <= told["y"] < story["y"] + story["height"]
        assert f"({int(moment[2:]) // 2 * 2})" in told_now(seen).inner_text()


def test_only_what_is_near_is_in_the_document(visit: Open) -> None:
    seen = opened(visit, long(20_000), "#e12000")
    press(seen, "a")
    before = seen.page.locator("#story *").count()
    seen.page.locator("#story").evaluate("one => { one.scrollTop = one.scrollHeight }")
    settled(seen)

    assert seen.page.locator(".block").count() < 80
    assert seen.page.locator("#story *").count() < 1000
    assert before < 1000
    assert seen.page.locator(".block").last.inner_text().count("(19998)") == 1


def test_a_paragraph_leads_to_its_moment(visit: Open) -> None:
    seen = opened(visit)
    press(seen, "a")
    seen.page.locator(".block", has_text="(4)").locator("p").click()
    settled(seen)

    assert seen.page.evaluate("location.hash") == "#e4"
    assert "(4)" in told_now(seen).inner_text()


def test_mechanics_are_shown_or_hidden(visit: Open) -> None:
    seen = opened(visit)
    shown = seen.page.locator(".mechanics >> visible=true")

    assert shown.count() == 0
    press(seen, "m")
    assert shown.count() > 0
    assert seen.page.locator("#mechanics").get_attribute("aria-pressed") == "true"
    seen.page.reload()
    seen.page.locator("html[data-ready]").wait_for(state="attached")
    assert shown.count() > 0
    press(seen, "m")
    assert shown.count() == 0


def test_directors_notes_are_only_in_the_game_masters_copy(visit: Open) -> None:
    seen = opened(visit, moment="#e6")
    line = seen.page.locator("#told")

    assert TOLD[2] in line.inner_text()
    press(seen, "d")
    assert line.inner_text() == "For the game master"
    told = small()
    del told["director"]
    assert not opened(visit, told).page.locator("#director").is_visible()


def test_headings_are_headings_and_none_is_without_those_above_it(visit: Open) -> None:
    seen = opened(visit)
    further = opened(visit, long(2000), "#e1048")

    assert headings(seen, ".blocks") == [
        ("h3", "Session 1: The Causeway"),
        ("h4", "Half tide"),
        ("h5", "The toll"),
    ]

    assert headings(further, "#story > .unseen") == [("h3", "Scene 20")]


def headings(seen: Visit, within: str) -> list[tuple[str, str]]:
    """The headings of the story and how deep they are."""
    found = seen.page.locator(within).locator("h3, h4, h5").all()
    return [(one.evaluate("one => one.localName"), str(one.text_content())) for one in found]


def test_W18_on_paper_is_the_story_alone_and_all_of_it(visit: Open) -> None:
    seen = opened(visit, long(400))
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    seen.page.emulate_media(media="print")
    settled(seen)

    assert seen.page.locator(".block").count() == 208
    assert not any(
        one.is_visible() for one in seen.page.locator("#board, body > footer, #slider, #play").all()
    )
    seen.page.emulate_media(media="screen")
    seen.page.evaluate("dispatchEvent(new Event('afterprint'))")
    settled(seen)
    assert seen.page.locator(".block").count() < 80


# --- by keys ----------------------------------------------------------------------------------------------


def test_keys_walk_by_event_act_turn_and_scene(visit: Open) -> None:
    value = long(200)
    value["lines"][0]["steps"]["flags"] = [
        1 * (n % 3 == 0) | 2 * (n % 10 == 9) | 4 * (n % 50 == 0) for n in range(200)
    ]
    seen = opened(visit, value, "#e60")

    assert press(seen, "ArrowRight") == "#e61"
    assert press(seen, "ArrowLeft", "ArrowLeft") == "#e59"
    assert press(seen, "Shift+ArrowRight") == "#e62"
    assert press(seen, "Shift+ArrowLeft") == "#e59"
    assert press(seen, ".") == "#e69"
    assert press(seen, ",") == "#e59"
    assert press(seen, "]") == "#e100"
    assert press(seen, "[", "[") == "#e0"
    assert press(seen, "End") == "#e199"
    assert press(seen, "Home") == "#e0"


def test_a_key_shows_the_words_of_a_draft_as_they_were_told(visit: Open) -> None:
    value = long(20)
    told = [one for one in value["lines"][0]["blocks"] if one["sort"] == "told"]
    told[2] |= {"kind": "narration", "text": "She ran, then.", "recorded": "I run for it."}
    seen = opened(visit, value, "#e4")
    block, button = told_now(seen).locator(".words"), seen.page.locator("#recorded")

    assert (block.inner_text(), button.get_attribute("aria-pressed")) == ("She ran, then.", "false")
    press(seen, "w")
    assert (block.inner_text(), button.get_attribute("aria-pressed")) == ("I run for it.", "true")
    button.click()
    assert block.inner_text() == "She ran, then."
    assert faults(seen) == []
    plain = opened(visit, long(20))
    assert press(plain, "w") == "#e0"
    assert plain.page.locator("#recorded").count() == 0


def test_keys_do_the_same_from_the_slider(visit: Open) -> None:
    seen = opened(visit, long(200), "#e60")
    seen.page.locator("#slider").focus()

    assert press(seen, "Shift+ArrowRight", "ArrowLeft", "]") == "#e100"
    assert (
        seen.page.locator("#slider").get_attribute("aria-valuetext")
        == f"Scene 2: {TOLD[0]} {TOLD[1]} {TOLD[2]} (100); 101 of 200"
    )


def test_what_is_typed_in_the_search_is_no_key(visit: Open) -> None:
    seen = opened(visit, long(500), "#e60")
    press(seen, "a", "/")
    look_for(seen, "(440)")

    assert seen.page.locator("#search li button").count() == 1
    assert press(seen, "Enter") == "#e440"
    assert seen.page.locator("dialog[open]").count() == 0


def test_a_moment_is_found_once_whether_it_is_told_or_recorded_with_those_words(visit: Open) -> None:
    seen = opened(visit)
    press(seen, "a", "/")
    look_for(seen, "the pole")

    assert seen.page.locator("#search .count").inner_text() == "2 moments"
    assert seen.page.locator("#search li").all_inner_texts() == [f"{TOLD[1]} (1)", f"{TOLD[1]} (5)"]


def test_contents_lead_to_scenes_marks_and_lines(visit: Open) -> None:
    seen = opened(visit)
    press(seen, "a", "c")
    rows = seen.page.locator("#contents li")

    assert rows.all_inner_texts() == [
        "Session 1: The Causeway",
        "Half tide",
        "Conflict: The toll",
        "Another line: the chase",
        "Mark: the last word",
    ]
    rows.last.get_by_role("button").click()
    settled(seen)
    assert seen.page.evaluate("location.hash") == "#e5"


# --- playing ----------------------------------------------------------------------------------------------


def test_play_goes_on_to_the_end_and_stops_there(visit: Open) -> None:
    seen = opened(visit)
    seen.spoilt = True
    seen.page.clock.install()
    seen.page.keyboard.press("Space")

    assert seen.page.locator("#play").get_attribute("aria-label") == "Pause"
    seen.page.clock.run_for(60_000)
    assert seen.page.locator("#play").get_attribute("aria-label") == "Play"
    assert seen.page.locator("#slider").input_value() == "7"


def test_any_step_of_ones_own_stops_it(visit: Open) -> None:
    seen = opened(visit)
    seen.page.keyboard.press("Space")
    press(seen, "ArrowRight")

    assert seen.page.locator("#play").get_attribute("aria-label") == "Play"


def test_one_region_is_live_and_speaks_once_nothing_moves(visit: Open) -> None:
    seen = opened(visit)
    live = seen.page.locator("[aria-live], [role=status], [role=alert], output")
    said = seen.page.locator("#said")
    seen.spoilt = True
    seen.page.clock.install()
    seen.page.clock.pause_at("2036-01-01")
    for _ in range(4):
        seen.page.keyboard.press("ArrowRight")
        seen.page.clock.run_for(100)

        assert said.inner_text() == ""
    seen.page.clock.run_for(1000)
    assert said.inner_text() == f"Half tide: {TOLD[0]} (4)"
    assert [one.get_attribute("id") for one in live.all() if one.is_visible()] == ["said"]


# --- addresses and other lines ----------------------------------------------------------------------------


def test_an_address_is_a_moment_on_a_line(visit: Open) -> None:
    seen = opened(visit, moment="#the%20chase/f6")

    assert "(6)" in told_now(seen).inner_text()
    assert seen.page.locator(".way").inner_text().split("\n") == ["mainline", "the chase"]
    assert press(seen, "ArrowRight") == "#the%20chase/f7"
    leap(seen, "#nowhere/x")
    assert "(7)" in told_now(seen).inner_text()


def test_W24_a_link_to_no_moment_says_so_until_one_goes_on(visit: Open) -> None:
    seen, none = opened(visit, moment="#e3"), "There is no such moment here."
    told = seen.page.locator("#told")
    leap(seen, "#e99")

    assert told.inner_text() == none
    assert seen.page.locator("#said").inner_text() == none
    assert press(seen, "ArrowRight") == "#e4"
    assert none not in told.inner_text()
    seen.page.goto(f"{seen.page.url.partition('#')[0]}?again#e99")
    seen.page.locator("html[data-ready]").wait_for(state="attached")
    settled(seen)
    assert told.inner_text() == none
    assert none not in opened(visit).page.locator("#told").inner_text()


def test_where_lines_part_they_are_named_entered_and_left(visit: Open) -> None:
    seen = opened(visit, moment="#e4")
    ways = seen.page.locator(".ways button")

    assert ways.all_inner_texts() == ["the chase What if she had run?"]
    ways.click()
    settled(seen)
    assert seen.page.evaluate("location.hash") == "#the%20chase/e4"
    assert press(seen, "ArrowRight") == "#the%20chase/f5"
    assert press(seen, "ArrowUp") == "#e4"
    assert press(seen, "ArrowDown", "End") == "#the%20chase/f7"
    seen.page.locator(".way button").click()
    settled(seen)
    assert seen.page.evaluate("location.hash") == "#e4"


def test_down_goes_round_the_lines_that_part_here(visit: Open) -> None:
    seen = opened(visit, moment="#the%20chase/f6")

    assert press(seen, "ArrowDown") == "#the%20fight/f6"
    assert press(seen, "ArrowDown") == "#the%20chase/f6"
    assert press(seen, "ArrowDown", "ArrowRight") == "#the%20fight/g7"
    assert press(seen, "ArrowUp") == "#the%20chase/f6"
    assert press(seen, "ArrowUp") == "#e4"
    assert press(seen, "ArrowUp") == "#e4"


def test_what_is_otherwise_on_the_other_line_is_framed_and_said(visit: Open) -> None:
    seen = opened(visit, moment="#the%20chase/f6")
    differing = seen.page.locator("[data-differs]")

    assert [one.inner_text().partition(")")[0] for one in differing.all()] == ["(otherwise on mainline"]
    press(seen, "ArrowUp")
    assert differing.count() == 0


# --- its words ----------------------------------------------------------------------------------------------


def test_a_voice_of_another_language_says_all_that_the_page_says(visit: Open) -> None:
    told = {key: f"¿{key}?" for key in table() if key.startswith(("replay.", "page.", "site."))}
    seen = visit(replay.render({**small(), "lang": "xx"}, Phrases(lambda: told)))
    seen.page.keyboard.press("m")
    settled(seen)
    script = """() => {
      const own = [...document.querySelectorAll("header .tools, footer, dialog, section > h2")];
      const texts = own.flatMap(one => [one, ...one.querySelectorAll("*")]).flatMap(one => [
        one.getAttribute("aria-label"), one.title,
        one.children.length || one.matches("#told, #said, #count, kbd, noscript") ? "" : one.textContent]);
      return texts.filter(one => one && !one.startsWith("¿") && /[a-z]{3}/i.test(one));
    }"""

    assert seen.page.evaluate(script) == []
    assert seen.page.locator("#lines").get_attribute("aria-label") == "¿replay.lines?"
    assert seen.page.locator("#count").inner_text().endswith("¿replay.place?")
    assert seen.page.locator("html").get_attribute("lang") == "xx"
    assert seen.page.locator("#board > .where .soft").first.inner_text().startswith("¿page.session?")
    assert seen.tried == []


def test_a_story_made_narrower_right_after_a_leap_shows_what_is_told(
    campaign: CampaignStore, visit: Open
) -> None:
    value = whole(LineView(campaign, 1)).to_json()
    seen = visit(replay.render(value))
    seen.page.evaluate(
        """async hash => {
          const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
          location.hash = hash;
          await drawn();
          document.querySelector("#story").style.width = "300px";
          await drawn();
        }""",
        f"#{value['lines'][0]['steps']['id'][-1]}",
    )
    settled(seen)

    assert told_now(seen).count() == 1


# --- every game -------------------------------------------------------------------------------------------


def test_every_game_is_within_everybodys_reach(campaign: CampaignStore, visit: Open, turn: int) -> None:
    value = whole(LineView(campaign, 1)).to_json()
    ids = value["lines"][0]["steps"]["id"]
    seen = visit(replay.render(value))
    for number, ((size, scheme), at) in enumerate(zip(SIGHTS, (len(ids) // 2, -1), strict=True)):
        seen.look(size, scheme)
        leap(seen, f"#{ids[at]}")
        told_now(seen).first.wait_for(state="attached")

        assert told_now(seen).count() == 1
        assert seen.page.locator(".of-other").count() == 0
        assert number == turn % 2 or faults(seen) == []
        assert seen.overhang() <= 0
    assert seen.tried == []


MADE_OF = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "style",
        "script",
        "body",
        "header",
        "main",
        "footer",
        "section",
        "article",
    ),
    *(
        "nav",
        "div",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "p",
        "ol",
        "ul",
        "li",
        "dl",
        "dt",
        "dd",
        "noscript",
        "dialog",
    ),
    *(
        "button",
        "select",
        "option",
        "input",
        "label",
        "textarea",
        "form",
        "a",
        "span",
        "bdi",
        "em",
        "strong",
        "mark",
        "kbd",
    ),
    *("svg", "g", "path", "rect", "circle", "polygon", "text", "tspan", "clipPath", "figcaption"),
}
"""All that the page is made of."""


def test_what_people_typed_does_nothing_on_the_page(twins: Twins, visit: Open) -> None:
    value = whole(LineView(twins.hostile, 1)).to_json()
    seen = visit(replay.render(value), unguarded=True)
    for id_ in value["lines"][0]["steps"]["id"][:: len(value["lines"][0]["steps"]["id"]) // 8]:
        leap(seen, f"#{id_}")

        assert set(seen.page.eval_on_selector_all("*", "all => all.map(one => one.localName)")) <= MADE_OF
        assert seen.page.eval_on_selector_all("*", ORDERS) == []
    seen.look(NARROW)
    assert seen.overhang() <= 0
    assert seen.tried == []


# --- hostile ----------------------------------------------------------------------------------------------


def hostile(one: object, payloads: Iterator[str]) -> object:
    """The same value with another payload for each text that somebody may have typed."""
    if isinstance(one, dict):
        kept = ("sort", "kind", "picture", "quotes", "lang", "keys")
        return {key: value if key in kept else hostile(value, payloads) for key, value in one.items()}
    if isinstance(one, list):
        return [hostile(value, payloads) for value in one]
    return next(payloads) if isinstance(one, str) else one


@pytest.mark.parametrize("turn", [0, 7, 23])
def test_no_payload_does_anything_in_any_field(visit: Open, turn: int) -> None:
    value = hostile(small(), islice(cycle(PAYLOADS), turn, None))
    assert isinstance(value, dict)
    seen = visit(replay.render(value), unguarded=True)
    seen.look(NARROW)
    press(seen, "ArrowRight", "ArrowRight", "m", "End")

    assert seen.page.evaluate("document.documentElement.dataset.ready") == ""
    assert seen.page.locator("script, iframe, img, object, style").count() == 4
    assert seen.page.eval_on_selector_all("*", ORDERS) == []
    assert seen.tried == []
    assert seen.overhang() <= 0


def test_a_card_or_a_key_of_any_text_is_text(visit: Open) -> None:
    bad = '"><img src=x onerror=alert(1)>'
    value = small()
    value["lines"][0]["board"] = {
        **TABLE,
        "hand:w:deck:1": {"who": 1, "cards": [bad]},
        f"lantern:{bad}": {bad: bad},
        "conflict:x": {},
    }
    seen = visit(replay.render(value), unguarded=True)

    assert seen.page.locator("img").count() == 0
    assert bad in str(seen.page.locator(".of-hand [role=img] >> nth=0").get_attribute("aria-label"))
    assert seen.tried == []


def test_a_record_of_nothing_is_a_page_too(visit: Open) -> None:
    value = small()
    for line in value["lines"]:
        line.update(at=0, blocks=[], marks=[], board={}, steps={key: [] for key in line["steps"]})
    seen = visit(replay.render(value))

    assert seen.page.locator("#told").inner_text() == "Nothing has been recorded yet."
    assert faults(seen) == []
    press(seen, "ArrowRight", "Space", "End")
    assert seen.tried == []


def test_a_browser_that_cannot_open_what_is_packed_says_so(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(replay.render(small()))
    page = browser.new_page()
    page.add_init_script("delete window.DecompressionStream")
    page.goto(path.as_uri())
    told = page.locator("#told", has_text="This browser is too old")
    told.wait_for()

    assert told.inner_text() == "This browser is too old to open what is in this page."
    page.close()


def test_without_scripts_it_says_why_there_is_nothing_to_see() -> None:
    page = replay.render(small()).decode()

    assert re.search(r"<noscript><p>[^<]*JavaScript", page)


# --- from right to left -----------------------------------------------------------------------------------

MARYAM = "\u0645\u0631\u064a\u0645"
"""A name that is written from right to left."""

LEFT_TO_RIGHT = """(one) => {
  const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT), spots = [];
  while (walk.nextNode()) {
    const { currentNode: node } = walk;
    [...node.data].forEach((sign, at) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { left, top } = range.getBoundingClientRect();
      if (!/[\\u0590-\\u08ff\\s]/u.test(sign)) spots.push([Math.round(top / 8), left, sign]);
    });
  }
  return spots.sort(([one, x], [other, y]) => one - other || x - y).map(([, , sign]) => sign).join("");
}"""
"""The signs of a line as they are read on the page, those written from right to left and blanks left out."""


def arabic() -> Value:
    """The small one, in which somebody has such a name, and draws."""
    value = small()
    line = value["lines"][0]
    told = f"{MARYAM} draws 2 from {MARYAM}'s deck: K\u2660 3\u2660 {MARYAM}, 1 left"
    line["steps"]["told"][2] = told
    line["blocks"][5].update(label=f"{MARYAM} declares", mechanics=[{"text": told}])
    conflict = {**TABLE["conflict:1"], "stands": f"{MARYAM} (2), then 3"}
    line["board"] = {**TABLE, "conflict:1": conflict}
    return value


def test_W14_a_name_from_right_to_left_tears_no_line(visit: Open) -> None:
    seen = opened(visit, arabic(), "#e2")
    told, story = "draws2from'sdeck:K\u26603\u2660,1left", seen.page.locator("#story [aria-current]")
    press(seen, "/")
    look_for(seen, "draws 2")

    assert story.locator(".label").evaluate(LEFT_TO_RIGHT) == "declares:"
    assert story.locator(".mechanics li").evaluate(LEFT_TO_RIGHT) == told
    assert seen.page.locator("#search li button").evaluate(LEFT_TO_RIGHT) == told
    assert seen.page.locator(".stands .text").evaluate(LEFT_TO_RIGHT) == "(2),then3"


def test_W14_right_to_left_speech_keeps_its_order(visit: Open) -> None:
    value = arabic()
    value["lines"][0]["blocks"][5]["text"] = ""
    value["lines"][0]["steps"]["told"][2] = f"Irena says: \u201c{MARYAM}, 1 2: {MARYAM}.\u201d"
    seen = opened(visit, value, "#e2")

    assert seen.page.locator("#told bdi").all_inner_texts() == [f"{MARYAM}, 1 2: {MARYAM}."]
