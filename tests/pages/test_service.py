"""The service's pages in a browser: phones, the game master's page and a stage at one table."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from retold.journal.pictures import data_uri
from tests.cli.service.conftest import CONFLICT, SCRIPT
from tests.pages.conftest import NARROW, WIDE, Visit
from tests.pages.room import LARGE, ROOT, Room, seated

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

TARGETS = """() => [...document.querySelectorAll("a, button, select, input, textarea, summary")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, {width, height}]) => width < 44 || height < 44).map(([html]) => html)"""


@pytest.fixture
def room(browser: Browser, tmp_path: Path) -> Iterator[Room]:
    with seated(browser, tmp_path, SCRIPT + CONFLICT) as found:
        yield found


# --- following --------------------------------------------------------------------------------------------


def test_a_link_leaves_no_secret_in_the_address(room: Room) -> None:
    page = room.come("Jon")

    assert re.fullmatch(f"{room.service.place.url}c/salt-road/as/[0-9a-f]{{12}}/", page.url)
    assert page.evaluate("document.cookie") == ""
    assert room.complaints == []


def test_what_is_taken_back_is_gone_from_every_page(room: Room) -> None:
    jon = room.come("Jon")
    room.service.campaign.say("say Zel: Psst.")
    jon.wait_for_selector("#words li:has-text('Psst.')")
    room.service.campaign.say("undo")

    jon.wait_for_selector("#words li:has-text('Psst.')", state="detached")
    room.service.campaign.say("say Zel: Hush.")
    jon.wait_for_selector("#words li:has-text('Hush.')")
    assert room.complaints == []


def test_what_changed_is_lit_until_the_next_and_said_once(room: Room) -> None:
    jon = room.come("Jon")
    assert jon.locator("#board [data-lit]").count() == 0
    room.service.campaign.say("draw Zel clubs+melee = KS 10S 9S 8S 7S 6S")

    jon.wait_for_selector("#board .fell [data-lit]")
    jon.wait_for_selector("#said:has-text('Zel draws')", state="attached")
    assert jon.locator("[aria-live], [role=status], [role=alert]").count() == 1
    assert room.complaints == []


def test_a_person_who_is_shown_out_is_told_so(room: Room) -> None:
    jon = room.come("Jon")
    jon.wait_for_selector("#due li", state="attached")
    links = room.service.shelf.served["salt-road"].links
    links.revoke([one for one in links.every() if one.viewer == "Jon"])

    jon.wait_for_selector("#here:has-text('no longer good')")


# --- pictures ---------------------------------------------------------------------------------------------

PORTRAIT = """#board .seat img[alt='A woman, "the scarf"']"""


def test_the_game_masters_portrait_upload_shows_on_every_board(room: Room, tmp_path: Path) -> None:
    pillow = pytest.importorskip("PIL.Image")
    file = tmp_path / 'a "red" scarf.png'
    pillow.new("RGB", (300, 400), "brown").save(file)
    gm, jon = room.come("gm"), room.come("Jon")
    gm.click("#add-picture > summary")
    gm.set_input_files("#picturing [name=file]", file)
    gm.select_option("#picturing [name=use]", "portrait")
    gm.select_option("#picturing [name=who]", label="Zel")
    gm.fill("#picturing [name=alt]", 'A woman, "the scarf"')
    gm.fill("#picturing [name=credit]", "Mara Lind")
    gm.click("#picturing .send")

    for page in (gm, jon):
        page.wait_for_function("one => document.querySelector(one)?.naturalWidth === 300", arg=PORTRAIT)
        page.wait_for_selector("#board .credits:has-text('Portraits: Zel (Mara Lind)')")
    gm.wait_for_selector("#add-picture:not([open])")
    gm.click("#add-picture > summary")
    assert not gm.is_visible("#picturing [name=who]")  # it is empty again
    assert gm.evaluate(TARGETS) == []
    assert Visit(gm, "").faults() == []
    assert jon.locator("#add-picture").is_hidden()
    assert room.complaints == []


# --- what is for some of them -----------------------------------------------------------------------------

MARKS = """all => all.map((one) => {
    const only = one.querySelector(".only")?.textContent ?? "";
    return [only ? one.textContent.replace(` ${only}`, "") : one.textContent, only];
})"""
WHISPERS = """\
note --gm: The wombat waits.
say Odo --to Zel: Run.
say Odo --to Zel+Jon: Now.
say gm: It rains."""


def test_restricted_lines_name_their_audience(room: Room) -> None:
    gm, jon, table = room.come("gm", WIDE), room.come("Jon"), room.come("table")
    room.service.campaign.play(WHISPERS)
    rain = "The game master: “It rains.”"
    for page in (gm, jon, table):
        page.wait_for_selector(f"#words li:has-text('{rain}')")

    told = {page: dict(page.eval_on_selector_all("#words [data-id]", MARKS)) for page in (gm, jon, table)}
    hidden = {
        "Note: The wombat waits.": "(for the game master only)",
        "Odo: “Run.”": "(for Zel only)",
        "Odo: “Now.”": "(for Zel and Jon only)",
    }
    assert {words: mark for words, mark in told[gm].items() if mark} == hidden
    assert {words: mark for words, mark in told[jon].items() if mark} == dict(list(hidden.items())[1:])
    assert {words for words, mark in told[table].items() if mark} == set()
    assert told[table][rain] == told[gm][rain] == ""
    assert room.complaints == []


def test_an_audience_is_announced_to_screen_readers(room: Room) -> None:
    jon = room.come("Jon")
    room.service.campaign.say("say Odo --to Jon: Run.")

    jon.wait_for_selector("#said:has-text('Odo: “Run.” (for Jon only)')", state="attached")


def test_what_is_revealed_loses_its_mark(room: Room) -> None:
    gm = room.come("gm")
    room.service.campaign.say("note --gm: The wombat waits.")
    gm.wait_for_selector("#words li:has(.only):has-text('wombat')")
    room.service.campaign.say("reveal @")

    gm.wait_for_selector("#words li:not(:has(.only)):has-text('The wombat waits.')")


def test_the_game_masters_page_and_the_stage_stand_side_by_side_in_one_browser(room: Room) -> None:
    """The stage is opened in the game master's browser, and so is the table's link: the first page stays."""
    gm = room.device(WIDE)
    gm.come("gm")
    stage, other = gm.context.new_page(), gm.context.new_page()
    for page in (stage, other):
        room.watch(page)
    sent: list[str] = []
    stage.on("response", lambda one: sent.append(one.url))
    stage.goto(f"{room.service.place.url}c/salt-road/stage")
    stage.wait_for_selector("#words [data-id]")
    other.goto(f"{room.service.place.url}#{room.service.phone('table').secret}")
    other.wait_for_url("**/as/table/")
    room.service.campaign.play(WHISPERS)
    gm.page.reload()

    gm.page.wait_for_selector("#words li:has-text('The wombat waits.')")
    assert gm.page.text_content("#whose") == "The game master"
    assert gm.page.is_visible("#line")
    stage.wait_for_selector("#words li:has-text('It rains.')")
    assert stage.locator(":text('wombat'), :text('Run.')").count() == 0
    assert [url for url in sent if "/c/" in url and "/c/salt-road/stage" not in url] == []
    other.wait_for_selector("#whose:text-is('As the table sees it')")
    assert room.complaints == []


def test_a_replay_names_the_audience_of_a_private_moment(room: Room) -> None:
    room.service.campaign.play("say Odo --to Zel+Jon: Now.\nsay Odo --to Zel: Run.\nsay gm: It rains.\n")
    for viewer, marks in (("Jon", ["(for Zel only)"]), ("gm", []), ("table", [])):
        page = room.come(viewer)
        page.goto(f"{page.url}replay.html")
        page.wait_for_selector("html[data-ready]")
        page.keyboard.press("End")
        page.wait_for_selector("#told:has-text('It rains.')")
        assert page.locator("#told:has-text('only)')").count() == 0
        page.keyboard.press("ArrowLeft")
        if viewer == "table":
            page.wait_for_selector("#told:has-text('I run for the stair.')")
            assert page.locator(".only, .for-eyes, :text('for Zel')").count() == 0
            continue
        page.wait_for_selector("#told:has-text('(for Zel only) Odo says: “Run.”')")
        page.wait_for_selector("#said:has-text('(for Zel only) Run.')", state="attached")
        # what a label has already is said once: Odo (for Zel)
        assert page.locator("[aria-current] .only").all_text_contents() == marks
        assert page.inner_text("[aria-current] p").count("for Zel") == 1
        assert page.locator(".block.for-eyes").count() == 2


# --- taking part ------------------------------------------------------------------------------------------


def test_what_a_phone_hands_in_is_taken_with_one_key(room: Room) -> None:
    gm, jon, stage = room.come("gm", WIDE), room.come("Jon"), room.come("table", LARGE)
    stage.goto(f"{room.service.place.url}c/salt-road/stage")
    jon.fill("#words-of", "Hush, they hear us.")
    jon.click("#speak .send")
    gm.wait_for_selector("#proposals li:has-text('say Zel: Hush, they hear us.')")
    jon.wait_for_selector("#proposals li[data-state=waiting]")
    gm.focus("#line")
    gm.keyboard.press("F8")

    for page in (gm, jon, stage):
        page.wait_for_selector("#words li:has-text('Zel: “Hush, they hear us.”')")
    jon.wait_for_selector("#proposals li[data-state=taken]")
    gm.wait_for_selector("#handed", state="hidden")
    jon.wait_for_selector("#words-of:placeholder-shown")
    assert stage.inner_text("#scene") == "The porch"
    assert room.complaints == []


def test_what_is_refused_says_why(room: Room) -> None:
    gm, jon = room.come("gm", WIDE), room.come("Jon")
    jon.fill("#words-of", "Hush.")
    jon.click("#speak .send")
    gm.wait_for_selector("#proposals li")
    gm.keyboard.press("F9")
    gm.keyboard.type("Too late")
    gm.keyboard.press("Enter")

    jon.wait_for_selector("#proposals li[data-state=refused]:has-text('Too late')")
    assert jon.locator("#words li:has-text('Hush.')").count() == 0
    assert room.complaints == []


def test_what_is_due_is_a_button_or_a_field(room: Room) -> None:
    gm, jon = room.come("gm", WIDE), room.come("Jon")
    jon.click("#may > summary")
    jon.click("#due button:has-text('draw Zel clubs+melee')")
    gm.click("#proposals .take")
    jon.wait_for_selector("#words li:has-text('Zel draws')")
    gm.wait_for_selector("#due summary:has-text('declare Guards: …')")
    gm.click("#due summary:has-text('declare Guards: …')")
    gm.fill("#due details[open] textarea", "They ring the bell.")
    gm.click("#due details[open] .send")

    jon.wait_for_selector("#words li:has-text('Guards declares: They ring the bell.')")
    assert room.complaints == []


def test_what_is_due_and_cannot_be_asked_for_is_said(room: Room) -> None:
    jon = room.come("Jon")
    jon.wait_for_selector("#due li", state="attached")
    jon.route("**/can", lambda route: route.fulfill(status=500, json={"error": "Something went wrong here."}))
    room.service.campaign.say("say Zel: Psst.")
    jon.wait_for_selector("#unlooked:has-text('Something went wrong here.')")
    jon.unroute("**/can")
    room.service.campaign.say("say Zel: Hush.")

    jon.wait_for_selector("#unlooked", state="hidden")
    assert [one for one in room.complaints if "500" not in one] == []


def test_an_unknown_name_is_refused_with_a_sentence(room: Room) -> None:
    gm = room.come("gm", WIDE)
    gm.fill("#line", "draw Nobody 1")
    gm.keyboard.press("Enter")

    gm.wait_for_selector("#refused:has-text('Nobody')")
    assert gm.input_value("#line") == "draw Nobody 1"
    assert [one for one in room.complaints if "422" not in one] == []


def test_the_game_master_types_with_completion_by_keys(room: Room) -> None:
    gm, jon = room.come("gm", WIDE), room.come("Jon")
    gm.focus("#line")
    gm.keyboard.type("dra")
    gm.wait_for_selector("#offers [role=option]")
    assert gm.get_attribute("#line", "aria-expanded") == "true"
    gm.keyboard.press("Tab")
    assert gm.input_value("#line") == "draw "
    held: list[Route] = []
    gm.route("**/complete?line=draw%20Ze", lambda one: held.append(one))  # noqa: PLW0108 -- a function that can be marked
    gm.keyboard.type("Z")
    gm.wait_for_selector("#offers [role=option]:has-text('Zel')")
    with gm.expect_request("**/complete?line=draw%20Ze"):
        gm.keyboard.type("e")
    gm.keyboard.press("ArrowDown")
    gm.eval_on_selector_all("#offers li", "all => all.forEach((one) => { one.dataset.was = ''; })")
    held.pop().continue_()  # an answer that comes late takes no choice away
    gm.wait_for_selector("#offers [aria-selected=true]:not([data-was])")
    active = gm.get_attribute("#line", "aria-activedescendant")
    assert gm.get_attribute(f"#{active}", "aria-selected") == "true"
    gm.keyboard.press("Enter")
    assert gm.input_value("#line") == "draw Zel "
    gm.wait_for_selector("#offers [role=option]")
    gm.keyboard.press("Escape")
    assert gm.locator("#offers [role=option]").count() == 0
    gm.keyboard.type("clubs+melee = KS 10S 9S 8S 7S 6S")
    gm.keyboard.press("Escape")
    gm.keyboard.press("Enter")

    jon.wait_for_selector("#words li:has-text('K♠')")
    assert "Zel" in jon.inner_text("#board")
    assert room.complaints == []


def test_enter_sends_where_there_is_a_keyboard_and_with_shift_ends_a_line(room: Room) -> None:
    jon = room.come("Jon", WIDE)
    jon.fill("#words-of", "Hush,")
    jon.press("#words-of", "Shift+Enter")
    jon.type("#words-of", "they hear us.")
    assert jon.input_value("#words-of") == "Hush,\nthey hear us."
    jon.press("#words-of", "Enter")

    jon.wait_for_selector("#proposals li:has-text('they hear us.')")
    assert jon.input_value("#words-of") == ""
    assert room.complaints == []


# --- looking back -----------------------------------------------------------------------------------------


def test_the_evening_is_looked_at_from_its_beginning_and_the_table_is_a_step_away(room: Room) -> None:
    jon = room.come("Jon")
    jon.click("#back")
    jon.wait_for_selector("html[data-ready]")
    assert jon.inner_text("#title") == "Session 1: The Long Ebb"
    jon.keyboard.press("End")
    jon.wait_for_selector("#told:has-text('I run for the stair.')")
    jon.wait_for_load_state("networkidle")  # which sessions and lines there are is asked for last
    assert jon.locator("#branch").is_hidden()
    jon.click("text=Back to the table")

    jon.wait_for_selector("#words li:has-text('I run for the stair.')")
    assert room.complaints == []


def test_the_game_master_looks_at_any_session_and_line(browser: Browser, tmp_path: Path) -> None:
    script = f"{SCRIPT}branch by-sea\nnarrate Zel: We take the boat.\nswitch mainline\nend session\n"
    with seated(browser, tmp_path, script + "session The Second\n") as room:
        gm = room.come("gm", WIDE)
        gm.click("#back")
        gm.wait_for_selector("#part:visible")
        assert gm.input_value("#part") == "s2"
        gm.select_option("#part", "s1")
        gm.wait_for_selector("#title:has-text('The Long Ebb')")
        gm.wait_for_selector("#branch:visible")
        gm.select_option("#branch", label="by-sea")
        gm.wait_for_url("**/replay.html?part=s1&branch=by-sea")
        gm.wait_for_selector("html[data-ready]")
        gm.keyboard.press("End")

        gm.wait_for_selector("#told:has-text('We take the boat.')")
        assert room.complaints == []


# --- for everybody ----------------------------------------------------------------------------------------


def test_the_checker_finds_nothing_on_any_page(room: Room) -> None:
    gm, jon, anybody = room.come("gm", WIDE), room.come("Jon"), room.come("table", LARGE)
    jon.fill("#words-of", "Hush.")
    jon.click("#speak .send")
    gm.wait_for_selector("#proposals .take")
    jon.wait_for_selector("#proposals li")
    jon.click("#may > summary")
    gm.focus("#line")
    gm.keyboard.type("dr")
    gm.wait_for_selector("#offers [role=option]")
    for page in (gm, jon, anybody):
        _without_faults(page)
    for page, path in (
        (jon, "replay.html"),
        (gm, "replay.html"),
        (anybody, "stage"),
        (anybody, "?clear"),
    ):
        page.goto(f"{page.url}{path}")
        page.wait_for_selector("#board > *:visible")
        _without_faults(page)
    jon.goto(room.service.place.url)
    _without_faults(jon)
    assert room.complaints == []


def _without_faults(page: Page) -> None:
    """There is no fault in light and in dark, and nothing hangs over the edge."""
    visit = Visit(page, page.url)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    assert visit.faults() == []
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    assert visit.faults() == []
    assert visit.overhang() <= 0


def test_everything_on_a_phone_is_within_a_thumbs_reach_and_large_enough(room: Room) -> None:
    jon, gm = room.come("Jon"), room.come("gm")
    jon.fill("#words-of", "Hush.")
    jon.click("#speak .send")
    jon.wait_for_selector("#proposals .withdraw")
    gm.wait_for_selector("#proposals .take")
    jon.click("#may > summary")
    said = jon.locator("#speak .send").bounding_box()

    assert jon.evaluate(TARGETS) == []
    assert gm.evaluate(TARGETS) == []
    assert said is not None
    assert said["y"] > NARROW[1] * 2 / 3
    assert jon.evaluate("document.documentElement.scrollHeight") == NARROW[1]


@pytest.mark.parametrize("size", [LARGE, (1280, 720)])
def test_a_stage_has_no_controls_and_fits(room: Room, size: tuple[int, int]) -> None:
    stage = room.come("table", size)
    stage.goto(f"{room.service.place.url}c/salt-road/stage?clear")
    stage.wait_for_selector("#words li:has-text('I run for the stair.')")

    assert stage.locator("a, button, input, select, textarea, [tabindex]").count() == 0
    assert stage.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert stage.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
    ) == [*size]


SMALL_WORDS = """() => [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility() &&
    !one.closest("svg, .unseen") && [...one.childNodes].some((part) => part.nodeType === 3 &&
    part.data.trim()) && parseFloat(getComputedStyle(one).fontSize) < 22).map((one) => one.textContent)"""
"""Words on the stage that nobody reads from across the room."""


def test_a_stage_shows_a_scene_and_a_throw_and_between_evenings_its_title(room: Room) -> None:
    stage = room.come("table", (1920, 1080))
    stage.goto(f"{room.service.place.url}c/salt-road/stage")
    stage.wait_for_selector("#words li:has-text('I run for the stair.')")
    assert stage.evaluate(SMALL_WORDS) == []

    room.service.campaign.play("roll Zel 2d6+1 = 3 4\n")
    stage.wait_for_selector("#thrown .total:has-text('8')")
    room.service.campaign.play("scene The cellar\n")
    stage.wait_for_selector("#card:has-text('The cellar')")
    assert stage.locator("#cover").is_hidden()
    newest = "(one) => Math.round(parseFloat(getComputedStyle(one).fontSize))"
    assert stage.eval_on_selector("#words li:last-child", newest) == 48

    room.service.campaign.play("end conflict\nend session\n")
    stage.wait_for_selector("#cover:visible")
    assert stage.locator("#cover img").count() == 0

    picture = data_uri("image/png", (ROOT / "docs" / "home.png").read_bytes())
    room.service.campaign.say(f'cover "{picture}" alt=Road')
    stage.reload()
    stage.wait_for_function("document.querySelector('#cover img')?.naturalWidth > 0")
    _without_faults(stage)
    assert room.complaints == []


HOSTILE_SCRIPT = """
campaign "HOSTILE"
cast gm by=Mary
cast "HOSTILE" bruise by="<b>Jon</b>" clubs=4 melee=2: HOSTILE
session HOSTILE
scene HOSTILE
conflict "HOSTILE" bruise "HOSTILE" vs "<i>Guards</i>": HOSTILE
declare "HOSTILE": HOSTILE
"""
HOSTILE = "<img src=x onerror=alert(1)></li><script>alert(2)</script>"


def test_a_reader_leaves_a_note_at_a_step_and_the_game_master_shows_it(room: Room) -> None:
    pages = {whose: room.come(whose) for whose in ("Jon", "Kit", "gm")}
    for page in pages.values():
        page.goto(f"{page.url}replay.html")
        page.wait_for_selector("html[data-ready]")
        page.wait_for_selector("button.notes")
    pages["Jon"].click("button.notes")
    pages["Jon"].fill("#notes textarea", HOSTILE)
    pages["Jon"].click("#notes form button")
    assert pages["Jon"].locator("#notes .words").inner_text() == HOSTILE
    assert Visit(pages["Jon"], "").faults("skip-link") == []

    pages["gm"].reload()
    pages["gm"].wait_for_selector("button.notes:has-text('(1)')")
    pages["gm"].click("button.notes")
    pages["gm"].click("#notes li button:has-text('Show')")
    pages["gm"].wait_for_selector("#notes li button:has-text('Hide')")

    pages["Kit"].reload()
    pages["Kit"].wait_for_selector("button.notes:has-text('(1)')")
    pages["Kit"].click("button.notes")
    assert pages["Kit"].locator("#notes .words").inner_text() == HOSTILE
    assert pages["Kit"].locator("#notes li button").count() == 0
    assert room.complaints == []


def test_hostile_names_and_words_are_text(browser: Browser, tmp_path: Path) -> None:
    script = HOSTILE_SCRIPT.replace("HOSTILE", HOSTILE)
    with seated(browser, tmp_path, script) as room:
        gm, jon, stage = room.come("gm", WIDE), room.come("<b>Jon</b>"), room.come("table", LARGE)
        stage.goto(f"{room.service.place.url}c/salt-road/stage")
        jon.fill("#words-of", HOSTILE)
        jon.click("#speak .send")
        gm.click("#proposals .take")
        jon.wait_for_selector("#proposals li[data-state=taken]")
        stage.wait_for_selector("#words li:has-text('“<img')")
        gm.goto(f"{gm.url}replay.html")
        gm.wait_for_selector("html[data-ready]")

        for page in (gm, jon, stage):
            assert page.locator("img, b, i, body script:not(#words, #begun)").count() == 0
        assert room.complaints == []
