"""What a player does on a phone: rolling, saying something once, coming by a link."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.service.conftest import CONFLICT, SCRIPT
from tests.pages.room import Room, seated

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

SMALL = (360, 740)
D20 = """
game d20
cast gm by=Mary
cast Osk by=Jon str=2 dex=3 wis=-1 health=12
cast "Old Bo" by=Kit wis=2 health=9
session The Yard
scene Yard: Rain since noon.
"""


@pytest.fixture
def room(browser: Browser, tmp_path: Path) -> Iterator[Room]:
    with seated(browser, tmp_path, SCRIPT + CONFLICT) as found:
        yield found


@pytest.fixture
def yard(browser: Browser, tmp_path: Path) -> Iterator[Room]:
    with seated(browser, tmp_path, D20) as found:
        yield found


def handed_in(room: Room) -> list[str]:
    """The lines that were handed in."""
    (served,) = room.service.shelf.served.values()
    return [one.line for one in served.inbox.everything()]


# --- rolling ----------------------------------------------------------------------------------------------


def test_W6_a_roll_outside_a_turn_is_two_taps(yard: Room) -> None:
    jon = yard.come("Jon", SMALL)
    jon.click("#roll summary")
    jon.click("#rolls fieldset:has-text('check') button:has-text('dex')")

    jon.wait_for_selector("#proposals li:has-text('roll Osk check dex')")
    assert handed_in(yard) == ["roll Osk check dex"]
    jon.wait_for_selector("#roll:not([open])")
    assert yard.complaints == []


def test_W6_modifiers_are_typed_beside_the_roll(yard: Room) -> None:
    yard.service.campaign.play("conflict Yard Osk vs Bo\nturn Bo\n")
    jon = yard.come("Jon", SMALL)
    jon.click("#roll summary")
    jon.fill("[name=vs]", "15")
    jon.fill("[name=bonus]", "-2")
    jon.select_option("[name=twice]", "adv")
    jon.fill("[name=shown]", "14 3")
    yard.service.campaign.say("narrate gm: Thunder.")
    jon.wait_for_selector("#words li:has-text('Thunder.')")
    jon.click("#rolls fieldset:has-text('attack') button:has-text('str')")

    jon.wait_for_selector("#proposals li")
    jon.wait_for_selector("#roll:not([open])")
    assert handed_in(yard) == ["roll Osk attack str -2 adv vs 15 = 14 3"]
    assert [jon.input_value(f"[name={one}]") for one in ("vs", "bonus", "shown")] == ["", "", ""]
    assert yard.complaints == []


def test_W6_the_game_master_rolls_for_everybody_and_the_table_for_nobody(yard: Room) -> None:
    pages = [yard.come("gm"), yard.come("table")]
    yard.service.campaign.say("narrate gm: Thunder.")
    for page in pages:
        page.wait_for_selector("#words li:has-text('Thunder.')")
    pages[0].wait_for_selector("#many:not(:empty)", state="attached")  # what may be said has been asked for

    assert [page.is_visible("#roll") for page in pages] == [True, False]


def test_W6_a_game_without_dice_shows_no_dice(room: Room) -> None:
    jon = room.come("Jon")
    jon.wait_for_selector("#due li", state="attached")

    assert not jon.is_visible("#roll")


def test_W6_all_rolls_of_a_d20_sheet_are_in_reach_of_a_thumb(yard: Room) -> None:
    jon = yard.come("Jon", SMALL)
    jon.click("#roll summary")
    jon.wait_for_selector("#rolls button")

    bottoms = jon.eval_on_selector_all(
        "#rolls :is(button, summary):visible", "all => all.map((one) => one.getBoundingClientRect().bottom)"
    )
    assert max(bottoms) <= jon.evaluate("document.getElementById('saying').getBoundingClientRect().top")
    assert jon.evaluate("document.documentElement.scrollWidth - innerWidth") == 0


# --- saying something once --------------------------------------------------------------------------------

TWICE = "(one) => { one.click(); one.click(); }"


def test_W17_a_double_tap_hands_in_once(room: Room) -> None:
    jon = room.come("Jon")
    jon.fill("#words-of", "Hush.")
    jon.eval_on_selector("#speak .send", TWICE)
    jon.wait_for_selector("#proposals li")

    assert handed_in(room) == ["say Zel: Hush."]


def test_W17_the_game_masters_double_tap_records_once(room: Room) -> None:
    gm = room.come("gm")
    gm.fill("#line", "narrate gm: Thunder.")
    gm.eval_on_selector("#direct .send", TWICE)
    gm.wait_for_selector("#words li:has-text('Thunder.')")
    room.service.campaign.say("narrate gm: Rain.")
    gm.wait_for_selector("#words li:has-text('Rain.')")

    assert gm.locator("#words li:has-text('Thunder.')").count() == 1


def test_W17_a_button_that_was_pressed_waits_for_what_may_be_said_then(room: Room) -> None:
    jon = room.come("Jon")
    jon.click("#may summary")
    jon.wait_for_selector("#due button.choose")
    lines: list[str] = []
    jon.route("**/proposals", lambda route: said_by(route, lines))
    jon.eval_on_selector("#due button.choose", TWICE)
    jon.wait_for_selector("#proposals li")

    assert len(lines) == len(handed_in(room)) == 1


def said_by(route: Route, lines: list[str]) -> None:
    """Keeps what is handed in, and lets it through."""
    if route.request.method == "POST":
        lines.append(str(route.request.post_data))
    route.continue_()


def test_W17_what_got_no_answer_is_handed_in_again_under_the_same_id(room: Room) -> None:
    jon = room.come("Jon")
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(str(route.fetch().status))
            route.abort()
        else:
            route.continue_()

    jon.route("**/proposals", lose)
    jon.fill("#words-of", "Hush.")
    jon.click("#speak .send")
    jon.wait_for_selector("#refused:has-text('cannot be reached')")
    assert jon.input_value("#words-of") == "Hush."
    jon.click("#speak .send")
    jon.wait_for_selector("#words-of:placeholder-shown")

    assert (lost, handed_in(room)) == (["200"], ["say Zel: Hush."])


def test_W17_what_may_be_recorded_is_said_again_under_the_same_id(room: Room) -> None:
    gm = room.come("gm")
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(str(route.fetch().status))
            route.fulfill(status=503, json={"error": "Nobody can say yet whether it was recorded."})

    gm.route("**/say", lose)
    gm.fill("#line", "narrate gm: Thunder.")
    gm.click("#direct .send")
    gm.wait_for_selector("#refused:has-text('Nobody can say yet')")
    gm.click("#direct .send")
    gm.wait_for_selector("#refused", state="hidden")
    room.service.campaign.say("narrate gm: Rain.")
    gm.wait_for_selector("#words li:has-text('Rain.')")

    assert lost == ["200"]
    assert gm.locator("#words li:has-text('Thunder.')").count() == 1


# --- the pocket, and no network ---------------------------------------------------------------------------


UNTIL = "(async () => {{ while (!(await {0})) await new Promise((later) => setTimeout(later, 50)); }})()"
"""Waits for what a promise of the page comes to: Chromium does not wait for it by itself."""


def test_W6_without_a_network_the_page_is_there_until_the_link_is_gone(yard: Room) -> None:
    yard.service.campaign.say("say gm --to Jon: The key is under the stone.")
    yard.service.campaign.say("say gm --to Kit: Jon lies.")
    device = yard.device(SMALL)
    device.come("Jon")
    jon, kept = device.page, "caches.keys().then(names => names.map(name => name.split('/as/').length))"
    jon.click("#pocket")
    jon.wait_for_selector(".pocket li")
    assert jon.locator(".pocket li").all_inner_texts() == [
        "The game master: “The key is under the stone.” (for Jon only)"
    ]
    jon.click("#asked button:has-text('Close')")
    jon.fill("#words-of", "Half a sentence")
    jon.evaluate(UNTIL.format("caches.match(location.href)"))

    jon.context.set_offline(True)
    jon.reload()
    assert jon.input_value("#words-of") == "Half a sentence"
    assert "under the stone" in jon.inner_text("#words")
    assert jon.evaluate(kept) == [2]

    jon.context.set_offline(False)
    (served,) = yard.service.shelf.served.values()
    served.links.revoke([one for one in served.links.every() if one.viewer == "Jon"])
    jon.wait_for_selector("#here:has-text('no longer good')")
    jon.evaluate(UNTIL.format("caches.keys().then((names) => !names.length)"))


# --- loading ----------------------------------------------------------------------------------------------


def test_W1_what_is_typed_is_there_after_a_reload_until_it_is_said(yard: Room) -> None:
    """Each viewer has a draft in each box."""
    jon, gm = yard.come("Jon", SMALL), yard.come("gm")
    jon.select_option("#speaker", "narrate Osk")
    jon.fill("#words-of", "I put the knife\naway.")
    gm.fill("#line", "narrate gm: The rain")
    for page in (jon, gm):
        page.reload()
        page.wait_for_selector("#words [data-id]")

    assert jon.input_value("#words-of") == "I put the knife\naway."
    assert jon.input_value("#speaker") == "narrate Osk"
    assert jon.eval_on_selector("#words-of", "(one) => one.clientHeight >= one.scrollHeight")
    assert gm.input_value("#line") == "narrate gm: The rain"
    jon.click("#speak .send")
    jon.wait_for_selector("#proposals li:has-text('knife')")
    jon.reload()
    jon.wait_for_selector("#proposals li:has-text('knife')")
    assert jon.input_value("#words-of") == ""
    assert yard.complaints == []


def test_W2_a_first_visit_is_six_requests(yard: Room) -> None:
    device = yard.device(SMALL)
    device.come("Jon")
    at, asked = device.page.url, list[str]()
    device.page.close()
    page = device.open()
    page.on("request", lambda one: asked.append(one.url.partition("/c/salt-road/")[2].partition("?")[0]))
    page.goto(at)
    page.wait_for_selector("#due li, #roll:not([hidden])", state="attached")
    page.wait_for_timeout(1500)  # longer than the page waits between two questions
    whose = asked[0]

    assert sorted(asked) == sorted([whose, "", "", f"{whose}feed", f"{whose}can", f"{whose}proposals"])


def test_W3_words_are_there_without_scripts(yard: Room) -> None:
    device = yard.device(SMALL)
    device.come("Jon")
    context = yard.browser.new_context(java_script_enabled=False)
    cookies: Any = device.context.cookies()
    context.add_cookies(cookies)
    page = context.new_page()
    page.goto(device.page.url)

    assert page.title() == yard.service.campaign.title
    assert page.is_visible("#words li:has-text('Rain since noon.')")
    assert page.locator("noscript p").bounding_box() is not None
    context.close()


# --- coming by a link -------------------------------------------------------------------------------------


def test_W11_a_link_that_is_pasted_into_the_tab_joins_and_leaves_no_secret_there(room: Room) -> None:
    device, jon = room.device(), room.service.phone("Jon")
    page, at = device.page, room.service.place.url
    page.goto(f"{at}#no-such-link")
    page.wait_for_selector("#says:has-text('ask your game master')")
    page.evaluate("(link) => { location.hash = link; }", f"#{jon.secret}")
    page.wait_for_url("**/c/salt-road/as/*/")
    page.wait_for_selector("#words [data-id]")
    page.go_back()

    assert str(jon.secret) not in page.url
    assert [one for one in room.complaints if "401" not in one] == []


def test_W12_a_browser_whose_cookie_is_gone_joins_where_it_is(room: Room) -> None:
    device, jon = room.device(), room.service.phone("Jon")
    page = device.page
    page.goto(f"{room.service.place.url}c/salt-road/")
    page.fill("#link", f"{room.service.place.url}#{jon.secret}")
    page.click("#join button")

    page.wait_for_url("**/c/salt-road/as/*/")
    page.wait_for_selector("#words [data-id]")


def test_W12_the_tables_page_and_the_game_masters_lead_to_the_stage(room: Room) -> None:
    for viewer in ("table", "gm"):
        page = room.come(viewer)
        page.click("#screen")
        page.wait_for_url("**/c/salt-road/stage")
        page.wait_for_selector("#scene:has-text('The porch')")
    jon = room.come("Jon")
    jon.wait_for_selector("#due li", state="attached")

    assert not jon.is_visible("#screen")


# --- what is shown ----------------------------------------------------------------------------------------


def test_W20_a_long_proposal_is_folded_and_the_next_one_is_in_sight(room: Room) -> None:
    gm, jon = room.come("gm"), room.service.phone("Jon")
    jon.ask("proposals", {"id": "long-one-1", "line": f"say Zel: {'A word. ' * 5000}"})
    jon.ask("proposals", {"id": "short-one-2", "line": "say Zel: Hush."})
    gm.wait_for_selector("#proposals li:has-text('Hush.')")

    assert gm.eval_on_selector(".folded", "(one) => one.clientHeight") < 200
    assert gm.eval_on_selector("#handed", "(one) => one.scrollHeight") < 800
    gm.click(".more")
    assert gm.eval_on_selector(".folded", "(one) => one.clientHeight") > 2000
    assert gm.get_attribute(".more", "aria-expanded") == "true"
    gm.click(".more")
    assert gm.eval_on_selector(".folded", "(one) => one.clientHeight") < 200
    assert gm.locator("#proposals .more").count() == 1


MARYAM, YUSUF = "\u0645\u0631\u064a\u0645", "\u064a\u0648\u0633\u0641"
FROM_THE_RIGHT = f"""
cast gm by=Petra
cast "{MARYAM}" whiskey by=Jon balance=2
cast Pole whiskey by="{YUSUF}"
session Night
scene Yard: Rain.
"""
ORDER = """(one) => [...one.querySelectorAll("bdi bdi")].map((part) => part.textContent)"""


@pytest.fixture
def night(browser: Browser, tmp_path: Path) -> Iterator[Room]:
    with seated(browser, tmp_path, FROM_THE_RIGHT) as found:
        yield found


def test_W14_a_right_to_left_name_is_isolated_in_its_line(night: Room) -> None:
    jon = night.come("Jon")
    night.service.campaign.play(f'check "{MARYAM}" balance vs 2 = 3H 1\nsay "{MARYAM}": {YUSUF}, 3 2!\n')
    for told, apart in (
        (".mechanics p:has-text('draws')", [MARYAM]),
        ("div:has-text('3 2!')", [MARYAM]),
    ):
        line = jon.wait_for_selector(f"#words {told}")
        assert line is not None
        assert line.evaluate("(one) => getComputedStyle(one).direction") == "ltr"
        assert line.evaluate(ORDER) == apart
    line = jon.wait_for_selector("#words .mechanics p:has-text('draws')")
    assert line is not None
    # the name stands where it is said: before the verb, at the left
    name, rest = line.evaluate(
        """(one) => {
            const of = document.createRange(), outer = one.querySelector("bdi");
            of.selectNodeContents(outer.lastChild);
            const named = one.querySelector("bdi bdi").getBoundingClientRect();
            return [named.left, of.getClientRects()[0].left];
        }"""
    )
    assert name < rest


def test_W15_live_a_check_shows_its_card_and_its_die(night: Room) -> None:
    jon = night.come("Jon")
    night.service.campaign.say(f'check "{MARYAM}" balance vs 2 = 3H 1')

    jon.wait_for_selector("#board .fell .card")
    jon.wait_for_selector("#board .fell .die")
    assert night.complaints == []


def test_W6_a_players_own_sheet_is_the_first_on_the_phone(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, D20 + 'conflict Gate Osk vs "Old Bo"\n') as room:
        kit = room.come("Kit", SMALL)
        first = """all => {
            const spot = (one) => one.getBoundingClientRect();
            const before = (a, b) => spot(a).left - spot(b).left || spot(a).top - spot(b).top;
            return all.sort(before)[0].querySelector("h4").textContent;
        }"""

        assert kit.eval_on_selector_all("#board .seat", first) == "Old Bo"
        assert kit.eval_on_selector_all("#board .seat.mine", "all => all.length") == 1


def test_W6_a_players_turn_is_two_large_buttons_and_a_latecomer_joins(
    browser: Browser, tmp_path: Path
) -> None:
    fight = "cast Wolf health=7 ac=11\ncast Wren by=Kit\nconflict Gate Osk vs Wolf\nturn Osk\n"
    with seated(browser, tmp_path, D20 + fight) as room:
        jon, kit = room.come("Jon", SMALL), room.come("Kit", SMALL)
        jon.click("#turn button:has-text('Attack Wolf')")
        jon.wait_for_selector("#proposals li:has-text('roll Osk attack dex vs Wolf')")
        kit.click("#turn button:has-text('Old Bo joins Osk')")
        kit.wait_for_selector("#proposals li:has-text('join')")

        heights = jon.eval_on_selector_all("#turn button", "all => all.map(one => one.offsetHeight)")
        assert min(heights) >= 52
        assert jon.inner_text("#turn h2") == "Your turn"
        assert handed_in(room) == ["roll Osk attack dex vs Wolf", 'join "Old Bo" with Osk']
        assert room.complaints == []


def test_W6_many_people_are_in_a_fold(browser: Browser, tmp_path: Path) -> None:
    guards = "+".join(f"Guard-{number}" for number in range(1, 42))
    with seated(browser, tmp_path, f"{D20}cast {guards} health=5\n") as room:
        jon = room.come("Jon", SMALL)
        jon.wait_for_selector("#board .fold > summary")

        assert jon.inner_text("#board .fold > summary") == "19 more"
        assert jon.locator("#board .seat:visible").count() == 24
        assert room.complaints == []


def test_W11_a_throw_covers_the_lower_half_of_a_phone_for_a_moment(browser: Browser, tmp_path: Path) -> None:
    with seated(browser, tmp_path, D20) as room:
        jon = room.come("Jon", SMALL)
        thrown = jon.locator("#thrown")
        room.service.campaign.play("roll Osk check dex vs 12 = 15\n")
        jon.wait_for_selector("#words :text('18 against 12')")
        assert thrown.is_hidden()  # the device asked for reduced motion
        jon.emulate_media(reduced_motion="no-preference")
        room.service.campaign.play("roll Osk check str vs 12 = 14\n")
        jon.wait_for_selector("#thrown .total:has-text('16')")

        assert thrown.evaluate("(one) => one.offsetTop") == SMALL[1] / 2
        assert thrown.get_attribute("aria-hidden") == "true"
        thrown.wait_for(state="hidden")
        assert room.complaints == []


def test_W16_on_a_phone_one_of_two_folds_is_open(yard: Room) -> None:
    jon = yard.come("Jon", SMALL)
    jon.click("#may > summary")
    jon.click("#roll > summary")

    jon.wait_for_selector("#may:not([open])")
    assert jon.locator("#roll[open]").count() == 1


def test_W17_stats_that_are_not_on_the_sheet_are_in_a_fold(yard: Room) -> None:
    jon = yard.come("Jon", SMALL)
    jon.click("#roll > summary")
    check = jon.locator("#rolls fieldset:has-text('check')")

    assert check.locator("button:visible").all_inner_texts() == [
        "str\u00a0+2",
        "dex\u00a0+3",
        "wis\u00a0\u22121",
    ]
    check.locator("summary").click()
    assert check.locator("button:visible").count() == 6
