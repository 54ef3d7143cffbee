"""What a player does on a phone: rolling, saying something once, coming by a link."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

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
    assert jon.get_attribute("#roll", "open") is None
    assert yard.complaints == []


def test_W6_what_stands_behind_a_roll_is_typed_beside_it(yard: Room) -> None:
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
    assert handed_in(yard) == ["roll Osk attack str -2 adv vs 15 = 14 3"]
    assert [jon.input_value(f"[name={one}]") for one in ("vs", "bonus", "shown")] == ["", "", ""]
    assert yard.complaints == []


def test_W6_the_game_master_and_the_table_are_offered_no_roll(yard: Room) -> None:
    pages = [yard.come("gm"), yard.come("table")]
    yard.service.campaign.say("narrate gm: Thunder.")
    for page in pages:
        page.wait_for_selector("#words li:has-text('Thunder.')")

    assert [page.is_visible("#roll") for page in pages] == [False, False]


def test_W6_a_game_without_dice_shows_no_dice(room: Room) -> None:
    jon = room.come("Jon")
    jon.wait_for_selector("#due li", state="attached")

    assert not jon.is_visible("#roll")


def test_W6_all_rolls_of_a_d20_sheet_are_in_reach_of_a_thumb(yard: Room) -> None:
    jon = yard.come("Jon", SMALL)
    jon.click("#roll summary")
    jon.wait_for_selector("#rolls button")

    bottoms = jon.eval_on_selector_all(
        "#rolls button", "all => all.map((one) => one.getBoundingClientRect().bottom)"
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
