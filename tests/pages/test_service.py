"""The service's pages in a browser: a player and the game master play a scene, a stage looks on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import retold
from tests.cli.service.conftest import CONFLICT, SCRIPT
from tests.cli.service.phone import Serving, serving
from tests.pages.conftest import NARROW

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")


class Room:
    """Browsers at a table, each of somebody, and all that any of them complained of."""

    def __init__(self, browser: Browser, service: Serving) -> None:
        self.browser, self.service = browser, service
        self.complaints: list[str] = []

    def come(self, viewer: str) -> Page:
        """Somebody comes by their link, and has heard the first words."""
        width, height = NARROW
        page = self.browser.new_context(viewport={"width": width, "height": height}).new_page()
        page.on("console", lambda one: self.complaints.append(one.text))
        page.on("pageerror", lambda one: self.complaints.append(str(one)))
        page.on("dialog", lambda one: self.complaints.append(one.message))
        page.goto(f"{self.service.place.url}#{self.service.phone(viewer).secret}")
        page.wait_for_selector("#words li")
        return page


@pytest.fixture
def room(browser: Browser, tmp_path: Path) -> Iterator[Room]:
    with retold.new(tmp_path / "salt-road.retold") as campaign:
        campaign.play(SCRIPT + CONFLICT)
    with serving(tmp_path / "salt-road.retold", home=tmp_path / "home") as service:
        yield Room(browser, service)
        for context in browser.contexts:
            context.close()


def test_a_link_leaves_no_secret_in_the_address(room: Room) -> None:
    page = room.come("Jon")

    assert page.url == f"{room.service.place.url}c/salt-road/"
    assert page.evaluate("document.cookie") == ""
    assert room.complaints == []


def test_what_is_due_is_a_form_and_what_is_handed_in_is_taken_with_one_key(room: Room) -> None:
    gm, jon, stage = room.come("gm"), room.come("Jon"), room.come("table")
    stage.goto(f"{room.service.place.url}c/salt-road/stage")
    assert "draw Zel clubs+melee" in jon.locator("#due form").first.inner_text()
    jon.fill("#line", "Hush, they hear us.")
    jon.click("#speak > button")
    gm.click("#proposals button:has-text('Take')")

    for page in (gm, jon, stage):
        page.wait_for_selector("#words li:has-text('Zel says: “Hush, they hear us.”')")
    jon.wait_for_selector("#proposals li[data-state=taken]")
    assert stage.inner_text("#scene") == "The porch"
    assert jon.evaluate("document.documentElement.scrollWidth") == NARROW[0]
    assert room.complaints == []


def test_the_game_master_types_with_completion(room: Room) -> None:
    gm, jon = room.come("gm"), room.come("Jon")
    gm.fill("#line", "draw Ze")
    gm.click("#offers button:has-text('Zel')")
    assert gm.input_value("#line") == "draw Zel "
    gm.fill("#line", "draw Zel clubs+melee = KS 10S 9S 8S 7S 6S")
    gm.click("#speak > button")

    jon.wait_for_selector("#words li:has-text('K♠')")
    assert gm.locator("#offers li").count() == 0
    assert "Zel" in jon.inner_text("#board")
    assert room.complaints == []


def test_what_is_taken_back_is_gone_from_every_page(room: Room) -> None:
    jon = room.come("Jon")
    room.service.campaign.say("say Zel: Psst.")
    jon.wait_for_selector("#words li:has-text('Psst.')")
    room.service.campaign.say("undo")

    jon.wait_for_selector("#words li:has-text('Psst.')", state="detached")
    assert room.complaints == []


def test_who_is_shown_out_is_told_so(room: Room) -> None:
    jon = room.come("Jon")
    jon.wait_for_selector("#due form")
    room.service.shelf.served["salt-road"].links.revoke("Jon")

    jon.wait_for_selector("#here:has-text('no longer good')")


def test_hostile_words_are_words(room: Room) -> None:
    jon = room.come("Jon")
    hostile = "<img src=x onerror=alert(1)></li><script>alert(2)</script>"
    room.service.campaign.say(f"say Zel: {hostile}")

    jon.wait_for_selector("#words li:has-text('onerror')")
    assert jon.locator("#words img, #words script").count() == 0
    assert room.complaints == []
