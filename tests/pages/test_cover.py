"""The first screen of a replay: what is at stake, who is there, and one button that plays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import retold
from retold.projections.exports import replay
from tests.pages.conftest import SIGHTS, Open, Visit
from tests.pages.replays import Value, long, small
from tests.pages.test_replay import faults, settled

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

CAST = [{"name": "Irena Vale", "about": "She counts bridges"}, {"name": "Oskar"}]


def covered(visit: Open, **more: object) -> Visit:
    value: Value = {**small(), "people": CAST, **more}
    return visit(replay.render(value), covered=True)


def test_W10_a_stranger_reads_what_is_at_stake_and_who_is_there(visit: Open) -> None:
    seen = covered(visit)
    cover = seen.page.locator("#cover")

    assert cover.get_by_role("heading", level=1).inner_text() == "Session 1: The Causeway"
    assert cover.locator(".about").inner_text() == "Irena against Pole"
    assert cover.locator(".opening").inner_text() == "The sea is on both sides of it."
    assert cover.locator("li").all_inner_texts() == ["IV\n\nIrena Vale\nShe counts bridges", "O\n\nOskar"]
    assert cover.locator(".go").inner_text() == "Play\nabout a minute"
    assert not seen.page.locator(".tools").is_visible()
    for size, scheme in SIGHTS:
        seen.look(size, scheme)
        assert faults(seen) == []
    assert seen.tried == []


def test_a_replay_with_pictures_has_its_cover(visit: Open) -> None:
    """Portraits came to the board by a step, which left the cover before anyone had seen it."""
    seen = covered(visit, pictures=["data:image/png;base64,"], cover=0)
    settled(seen)

    assert seen.page.locator("#cover .start").is_visible()


def test_W10_the_words_of_the_writer_come_before_the_stakes(visit: Open) -> None:
    seen = covered(visit, blurb="Two smugglers and a tide.")

    assert seen.page.locator("#cover .about").inner_text() == "Two smugglers and a tide."
    assert seen.page.locator("#cover .opening").count() == 0


def test_a_cover_without_stakes_has_first_words_from_the_beginning_alone(visit: Open) -> None:
    """An imported log has no conflict and no descriptions."""
    value = small()
    blocks = value["lines"][0]["blocks"]
    del blocks[2]["against"]
    said = {"kind": "speech", "quotes": ["“", "”"]}
    blocks[3] |= {**said, "text": "Half tide. We go now."}
    blocks[-1] |= {**said, "label": "Oskar", "text": "We are across."}
    people = [{"name": "Irena"}, {"name": "Oskar"}]
    cover = visit(replay.render({**value, "people": people}), covered=True).page.locator("#cover")

    assert cover.locator(".opening").inner_text() == "Half tide. We go now."
    assert cover.locator("li").all_inner_texts() == ["I\n\nIrena\n“Half tide. We go now.”", "O\n\nOskar"]


def test_W10_play_leads_to_the_table_and_tools_come_with_the_first_step(visit: Open) -> None:
    seen = covered(visit)
    seen.page.click("#cover .start")
    settled(seen)

    assert seen.page.locator("#cover").count() == 0
    assert seen.page.locator("#play.playing").count() == 1
    seen.page.keyboard.press("ArrowRight")
    settled(seen)
    assert seen.page.locator(".tools").is_visible()


def test_W10_a_reader_comes_back_to_where_they_were(visit: Open) -> None:
    seen = covered(visit)
    assert seen.page.locator("#cover .go button").count() == 1
    for key in ("Escape", "ArrowRight", "ArrowRight"):
        seen.page.keyboard.press(key)
    settled(seen)
    seen.page.wait_for_function("location.hash === '#e2'")
    seen.page.goto(seen.page.url.partition("#")[0] + "?again")
    seen.page.locator("html[data-ready]").wait_for(state="attached")
    seen.page.click("text=From where you were")
    settled(seen)

    assert seen.page.locator("#count").inner_text().endswith("3 of 8")
    seen.spoilt = True


def test_W10_a_link_to_a_moment_has_no_cover(visit: Open, tmp_path: Path) -> None:
    seen = covered(visit)
    seen.page.goto(f"{seen.page.url}?there#e3")
    seen.page.locator("html[data-ready]").wait_for(state="attached")

    assert not seen.page.locator("#cover").is_visible()
    assert seen.page.locator(".tools").is_visible()
    seen.spoilt = True


def test_W10_the_record_brings_blurb_and_players_characters(tmp_path: Path) -> None:
    with retold.new(tmp_path / "salt.retold", seed="for tests alone") as campaign:
        campaign.play(
            "cast gm by=Mary\ncast Zel by=Jon: A smuggler\ncast Warden: He owns the ferry\n"
            "cast Ghost --gm: It waits\nsession Ebb\nscene Porch: Rain.\nsay Zel: Psst.\nblurb: One *tide*.\n"
        )
        value = campaign.seen_by("table").replay().to_json()

    assert (value["blurb"], value["people"]) == ("One tide.", [{"name": "Zel", "about": "A smuggler"}])


BEGUN = """
window.begun = [];
document.addEventListener("animationstart", (one) => begun.push(one.animationName));
"""
STEP = "n => document.querySelector('#count').textContent.includes(`${n} of`)"


@pytest.mark.parametrize("still", [False, True])
def test_W11_a_step_moves_what_comes_unless_all_stands_still(
    browser: Browser, tmp_path: Path, *, still: bool
) -> None:
    context = browser.new_context(reduced_motion="reduce" if still else "no-preference", bypass_csp=True)
    context.add_init_script(BEGUN)
    page = context.new_page()
    file = tmp_path / "replay.html"
    file.write_bytes(replay.render(long(40)))
    page.goto(file.as_uri())
    page.locator("html[data-ready]").wait_for(state="attached")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    if still:
        page.wait_for_timeout(300)
    else:
        page.wait_for_function("begun.includes('rise')")
    assert page.evaluate("begun.includes('rise')") is not still
    page.keyboard.press("s")
    page.evaluate("begun.length = 0")
    page.keyboard.press("End")
    page.wait_for_function(STEP, arg=40)
    page.wait_for_timeout(300)  # longer than anything takes to begin

    assert page.evaluate("begun") == []
    context.close()


def test_W22_the_label_under_the_thumb_says_where(visit: Open) -> None:
    seen = visit(replay.render(small()))
    slider = seen.page.locator("#slider").bounding_box()
    assert slider is not None
    seen.page.mouse.move(slider["x"] + slider["width"] / 2, slider["y"] + slider["height"] / 2)
    seen.page.mouse.down()
    settled(seen)
    label = seen.page.locator("#where")

    assert label.inner_text() == "Session 1: The Causeway · Half tide"
    assert label.evaluate("one => getComputedStyle(one).opacity") == "1"
    seen.page.mouse.up()
    assert label.evaluate("one => getComputedStyle(one).opacity") == "0"


def test_W26_on_paper_is_the_story_without_numbers(visit: Open) -> None:
    seen = visit(replay.render(small()))
    seen.page.evaluate("dispatchEvent(new Event('beforeprint'))")
    seen.page.emulate_media(media="print")

    assert seen.page.locator(".words:visible").count() > 0
    assert seen.page.locator(".mechanics:visible").count() == 0
    seen.spoilt = True
