"""W5: a replay page does not give away its end: what is ahead of the moment is veiled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import replay
from retold.projections.reading import LineView
from retold.projections.story.transcript import of_range
from retold.projections.texts import safe
from retold.projections.texts.line_ends import reflowed
from tests.pages.conftest import NARROW, Open, Visit, box
from tests.pages.replays import TOLD, Value, long, small
from tests.pages.test_replay import faults, leap, look_for, opened, press, settled, told_now
from tests.projections.replay.stepping import as_json, boards, notations, whole

if TYPE_CHECKING:
    from playwright.sync_api import Locator

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

LONG_ENOUGH = 12
"""Letters of what is looked for: shorter words may stand there by chance."""

STEP_BY_STEP = """async (later) => {
  const slider = document.querySelector("#slider"), found = [];
  const drawn = () => new Promise(requestAnimationFrame); // asked for after the page has: its own comes first
  for (let n = 0; n < later.length; n++) {
    slider.value = n;
    slider.dispatchEvent(new Event("input"));
    await (n % 8 ? drawn() : atRest());
    const seen = document.body.innerText.replace(/\\s+/g, " ");
    for (const words of later[n]) if (seen.includes(words)) found.push([n, words]);
  }
  return found;
}"""
"""Goes through a page and looks at each step for words that come later."""


def said(reading: LineView, ids: list[str]) -> Iterator[tuple[int, str]]:
    """Everything that a transcript says, with the step of the event that it is told of."""
    for scene in of_range(reading, 0).scenes:
        for passage in scene.passages:
            numbers = [*(() if passage.conflict is None else passage.conflict.mechanics)]
            for one in passage.paragraphs:
                numbers += one.mechanics
                if (of := reading.ids.event(one.id)) in ids:
                    yield ids.index(of), safe.text(reflowed(one.text))
            for line in numbers:
                yield ids.index(line.id), safe.line(line.text)


def ahead(reading: LineView, value: Value) -> list[list[str]]:
    """What must not be seen at each step: whatever is told later, and was never said before or lies there."""
    line = value["lines"][0]
    told = [(step, " ".join(words.split())) for step, words in said(reading, line["steps"]["id"])]
    heard, found = "", []
    for n, (notation, board) in enumerate(zip(notations(line), list(boards(value, line))[1:], strict=True)):
        heard = " ".join((heard, notation, *(words for step, words in told if step == n)))
        known = " ".join(f"{heard} {board}".split())
        found.append([words for step, words in told if step > n and words not in known])
    return [[one for one in words if len(one) >= LONG_ENOUGH] for words in found]


def test_W5_at_no_step_does_the_page_say_what_comes_later(campaign: CampaignStore, visit: Open) -> None:
    reading = LineView(campaign, 1)
    value = as_json(whole(reading).to_json())
    later = ahead(reading, value)
    seen = visit(replay.render(value))

    assert sum(map(len, later)) > 500
    assert seen.page.evaluate(STEP_BY_STEP, later) == []
    seen.page.keyboard.press("a")
    first = later[:12]
    assert len(seen.page.evaluate(STEP_BY_STEP, first)) > len(first)


def test_W5_events_ahead_are_hidden_from_screen_readers_and_search(visit: Open) -> None:
    seen = opened(visit, moment="#e2")
    heard = seen.page.locator("body").aria_snapshot()

    assert f"{TOLD[2]} (2)" in heard
    assert f"{TOLD[3]} (3)" not in heard
    assert found(seen, f"{TOLD[2]} (2)")
    assert not found(seen, f"{TOLD[3]} (3)")
    press(seen, "a")
    assert f"{TOLD[3]} (3)" in seen.page.locator("body").aria_snapshot()
    assert found(seen, f"{TOLD[3]} (3)")


def found(seen: Visit, words: str) -> bool:
    """Whether a browser's own search finds these words."""
    script = "words => { getSelection().removeAllRanges(); return find(words, true, false, true); }"
    return bool(seen.page.evaluate(script, words))


def with_numbers() -> Value:
    """A paragraph whose words come a step after its first numbers, and others two and three after."""
    value = small()
    (line, *_) = value["lines"] = value["lines"][:1]
    numbers = [{"text": f"Irena rolls 1d6: {n}", **({"after": n} if n else {})} for n in (0, 2, 3)]
    line["blocks"][3:] = [{**line["blocks"][3], "mechanics": numbers, "after": 1}, *line["blocks"][8:]]
    line["steps"]["block"] = [3, 3, 3, 3, 3, 4, 5, 6]
    return value


def test_W5_words_and_numbers_of_a_paragraph_come_with_their_own_steps(visit: Open) -> None:
    seen = opened(visit, with_numbers(), "#e0")
    press(seen, "m")
    shown: list[list[str]] = []
    for _ in range(4):
        lit = seen.page.locator("#story [aria-current]")
        shown.append([one for one in lit.inner_text().split("\n") if one.strip("¶ ")])
        press(seen, "ArrowRight")
    words, numbers = f"Irena: {TOLD[0]} (0)", [f"Irena rolls 1d6: {n}" for n in (0, 2, 3)]

    assert shown == [
        numbers[:1],
        [*numbers[:1], words],
        [*numbers[:1], words, numbers[1]],
        [numbers[0], words, *numbers[1:]],
    ]


def test_W5_the_line_that_has_just_been_told_is_marked(visit: Open) -> None:
    seen = opened(visit, with_numbers(), "#e2")
    now = seen.page.locator("#story li.now")

    assert now.all_inner_texts() == ["Irena rolls 1d6: 2"]
    press(seen, "ArrowRight")
    assert now.all_inner_texts() == ["Irena rolls 1d6: 3"]


def test_W5_of_a_long_block_what_has_just_been_told_is_in_sight(visit: Open) -> None:
    value = with_numbers()
    line = value["lines"][0]
    line["blocks"][3]["mechanics"] = [
        {"text": f"Irena rolls 1d6 for the {n}th time", "after": n // 30} for n in range(120)
    ]
    seen = opened(visit, value, "#e0")
    press(seen, "m")
    seen.look(NARROW)
    for moment in ("#e3", "#e5", "#e2"):
        leap(seen, moment)
        story, now = box(seen.page.locator("#story")), box(told_now(seen).locator(".now").first)

        assert story["y"] <= now["y"] < story["y"] + story["height"]


def test_W5_nothing_moves_where_the_veil_is_lifted(visit: Open) -> None:
    seen = opened(visit, long(400), "#e200")
    lies = """() => [...document.querySelectorAll('.block')].map(
      one => [one.dataset.block, one.offsetTop, one.offsetHeight])"""
    veiled = seen.page.evaluate(lies)
    rolled = seen.page.locator("#story").evaluate("one => one.scrollTop")
    press(seen, "a")

    assert seen.page.locator(".veiled").count() == 0
    assert [one for one in seen.page.evaluate(lies) if one in veiled] == veiled
    assert seen.page.locator("#story").evaluate("one => one.scrollTop") == rolled


GAPS = """() => {
  const blocks = document.querySelectorAll('#story .block:not(.veiled)');
  const shown = [...blocks].map((one) => one.getBoundingClientRect());
  return shown.slice(1).map((one, n) => Math.round(one.top - shown[n].bottom));
}"""
ENDS = "(one) => one.getBoundingClientRect().bottom"


def test_W9_words_rise_in_from_below_and_leave_no_hole(visit: Open) -> None:
    seen = opened(visit, long(60), "#e0")
    for n in range(0, 40, 4):
        leap(seen, f"#e{n}")
        pane, told = box(seen.page.locator("#story")), told_now(seen)

        assert max(seen.page.evaluate(GAPS), default=0) <= 1
        assert seen.page.locator(".block:not(.veiled)").last.evaluate(ENDS) == told.evaluate(ENDS)
        assert told.evaluate(ENDS) == pytest.approx(pane["y"] + pane["height"] * 2 / 3, abs=30)


def test_W5_the_contents_name_what_has_been_told_and_count_the_rest(visit: Open) -> None:
    seen = opened(visit, moment="#e3")
    press(seen, "c")
    rows = seen.page.locator("#contents li")

    assert rows.all_inner_texts() == [
        "Session 1: The Causeway",
        "Half tide",
        "Conflict: The toll",
        "2 more ahead, named once you come to them",
    ]
    press(seen, "Escape", "a", "c")
    assert rows.all_inner_texts()[3:] == ["Another line: the chase", "Mark: the last word"]


def test_W5_the_search_looks_at_what_has_been_told_and_says_so(visit: Open) -> None:
    seen = opened(visit, moment="#e3")
    about, count = seen.page.locator("#search .about"), seen.page.locator("#search .count")
    press(seen, "/")
    look_for(seen, "the pole")

    assert count.inner_text() == "1 moment"
    assert about.inner_text() == "Searched up to this moment; what is ahead is veiled."
    seen.page.locator("#search .close").click()
    press(seen, "a", "/")
    assert (count.inner_text(), about.inner_text()) == ("2 moments", "")


def test_W5_the_timeline_shows_how_long_it_is_and_nothing_of_what_happens_ahead(visit: Open) -> None:
    seen = opened(visit, long(400), "#e120")
    script = """() => {
      const come = Number(document.querySelector("#come rect").getAttribute("width"));
      const ticks = [...document.querySelectorAll(".tick")];
      const clipped = one => one.closest("[clip-path]") ? come : null;
      return Object.fromEntries(ticks.map(one => [one.classList[1], clipped(one)]));
    }"""
    press(seen, "ArrowRight")

    assert seen.page.evaluate(script) == {"scene": None}
    with_all = opened(visit, moment="#e3")
    clipped = with_all.page.evaluate(script)
    assert clipped == {
        "chapter": None,
        "scene": None,
        **dict.fromkeys(("conflict", "mark", "branch"), pytest.approx(11 + 3000 / 7)),
    }
    press(with_all, "a")
    assert with_all.page.evaluate(script)["mark"] >= 1010


def test_W5_one_switch_shows_all_and_the_browser_keeps_it(visit: Open) -> None:
    seen = opened(visit, moment="#e2")
    switch, last = seen.page.locator("#ahead"), words_at(seen, 7)

    assert (switch.get_attribute("aria-pressed"), last.is_visible()) == ("false", False)
    switch.click()
    assert (switch.get_attribute("aria-pressed"), last.is_visible()) == ("true", True)
    reloaded(seen)
    assert (switch.get_attribute("aria-pressed"), last.is_visible()) == ("true", True)
    press(seen, "a")
    reloaded(seen)
    assert (switch.get_attribute("aria-pressed"), last.is_visible()) == ("false", False)
    assert seen.tried == []


def test_W5_where_the_veil_begins_the_page_says_so_and_a_button_lifts_it(visit: Open) -> None:
    seen = opened(visit, moment="#e2")
    seen.look(NARROW)
    note = seen.page.locator(".veil-note")

    assert note.inner_text() == "What follows shows as you come to it. Show all"
    assert faults(seen) == []
    note.get_by_role("button").click()
    settled(seen)
    assert note.is_hidden()
    assert seen.page.evaluate("location.hash") == "#e2"
    assert press(seen, "a", "End") == "#e7"
    assert note.is_hidden()


def reloaded(seen: Visit) -> None:
    """Loads the page again, and waits until the story has been laid out to the width that it has."""
    seen.page.reload()
    seen.page.locator("html[data-ready]").wait_for(state="attached")
    settled(seen)


def words_at(seen: Visit, n: int) -> Locator:
    """What is told at a step of the small one."""
    return seen.page.locator(".block .words", has_text=f"({n})")


def test_W5_nothing_is_veiled_on_paper(visit: Open) -> None:
    seen = opened(visit, moment="#e2")
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    seen.page.emulate_media(media="print")
    settled(seen)

    assert all(words_at(seen, n).is_visible() for n in range(8))
    assert not seen.page.locator(".veil-note").is_visible()


def test_W5_what_a_line_tells_after_another_has_left_it_is_not_on_that(visit: Open) -> None:
    value: dict[str, Any] = with_numbers()
    second = small()["lines"][1]
    second.update(at=2, steps={key: column[:1] for key, column in second["steps"].items()}, parent=0)
    second["steps"]["block"] = [0]
    value["lines"].append({**second, "blocks": second["blocks"][:1]})
    seen = opened(visit, value, "#the%20chase/f5")
    press(seen, "a")

    assert [one for one in seen.page.locator(".mechanics li").all_inner_texts() if "called" not in one] == [
        "Irena rolls 1d6: 0"
    ]
