"""The service's pages in a browser: a console, phones, the game master's page and a stage at one table."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import retold
from tests.cli.service.conftest import CONFLICT, SCRIPT
from tests.cli.service.phone import Phone, Serving, serving
from tests.pages.conftest import NARROW, WIDE, Visit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

EXAMPLES = Path(__file__).parents[2] / "examples"
LARGE = (1920, 1080)
TARGETS = """() => [...document.querySelectorAll("a, button, select, input, textarea, summary")]
  .filter((one) => one.checkVisibility())
  .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, {width, height}]) => width < 44 || height < 44).map(([html]) => html)"""
WORDS = "all => all.map((one) => one.dataset.id)"


class Device:
    """A browser of somebody's: its page, the same link for a program, and all that was ever sent to it."""

    def __init__(self, room: Room, viewer: str, size: tuple[int, int]) -> None:
        width, height = size
        self.link: Phone = room.service.phone(viewer)
        self.har = room.folder / f"sent-{len(room.devices)}.har"
        self.context: BrowserContext = room.browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            record_har_path=self.har,
            record_har_content="embed",
        )
        self.page: Page = self.context.new_page()
        self.streamed: list[str] = []
        wire = self.context.new_cdp_session(self.page)
        wire.send("Network.enable")
        wire.on("Network.eventSourceMessageReceived", lambda one: self.streamed.append(one["data"]))
        self.page.goto(f"{room.service.place.url}#{self.link.secret}")
        self.page.wait_for_url("**/c/*/")
        self.page.wait_for_selector("#words li")

    def ids(self) -> list[str]:
        """The events whose words stand on the page, in order."""
        found: list[str] = self.page.eval_on_selector_all("#words li", WORDS)
        return found

    def told(self) -> list[str]:
        """The events that the service tells these eyes."""
        return [one["id"] for one in self.link.ask("happened").body["events"]]

    def catch_up(self) -> list[str]:
        """Waits for the last event, and gives those that stand there."""
        self.page.wait_for_selector(f"#words li[data-id='{self.told()[-1]}']")
        return self.ids()

    def sent(self) -> str:
        """Everything that ever came to this device, which is put away."""
        self.context.close()
        return self.har.read_text("utf-8") + "".join(self.streamed)


class Room:
    """Browsers at a table, each of somebody, and all that any of them complained of."""

    def __init__(self, browser: Browser, service: Serving, folder: Path) -> None:
        self.browser, self.service, self.folder = browser, service, folder
        self.devices: list[Device] = []
        self.complaints: list[str] = []

    def device(self, viewer: str, size: tuple[int, int] = NARROW) -> Device:
        """Somebody's device, which has heard the first words."""
        device = Device(self, viewer, size)
        self.devices.append(device)
        self.watch(device.page)
        return device

    def come(self, viewer: str, size: tuple[int, int] = NARROW) -> Page:
        """Somebody comes by their link, and has heard the first words."""
        return self.device(viewer, size).page

    def watch(self, page: Page) -> None:
        """Whatever it complains of is kept, but that it has no network."""
        page.on("console", lambda one: self._complain(one.text))
        page.on("pageerror", lambda one: self._complain(str(one)))
        page.on("dialog", lambda one: self._complain(one.message))

    def _complain(self, words: str) -> None:
        if "ERR_INTERNET_DISCONNECTED" not in words:
            self.complaints.append(words)

    def console(self, lines: Sequence[str]) -> None:
        """Another process records these lines."""
        script = self.folder / "said.session"
        script.write_text("\n".join(lines), "utf-8")
        path = str(self.service.campaign.path)
        environment = {
            **os.environ,
            "RETOLD_HOME": str(self.folder / "home"),
            "PYTHONPATH": str(EXAMPLES.parent),
        }
        command = [sys.executable, "-P", "-m", "retold", "run", "-q", "-c", path, str(script)]
        subprocess.run(command, env=environment, check=True, capture_output=True)


@contextmanager
def seated(browser: Browser, folder: Path, script: str) -> Iterator[Room]:
    """A campaign that was played so far, served."""
    with retold.new(folder / "salt-road.retold") as campaign:
        campaign.play(script)
    with serving(folder / "salt-road.retold", home=folder / "home") as service:
        yield Room(browser, service, folder)
        for context in browser.contexts:
            context.close()


@pytest.fixture
def room(browser: Browser, tmp_path: Path) -> Iterator[Room]:
    with seated(browser, tmp_path, SCRIPT + CONFLICT) as found:
        yield found


# --- following --------------------------------------------------------------------------------------------


class Scene(NamedTuple):
    """A scene of an example: what begins it, what it pauses before and ends before, and who plays."""

    example: str
    begins: str
    pauses: str
    ends: str
    players: tuple[str, str]
    lies: str
    """What is to be seen of it on the board."""

    def parts(self) -> tuple[str, list[str], list[str]]:
        """What was before, its first half, its second."""
        lines = (EXAMPLES / f"{self.example}.session").read_text("utf-8").splitlines()
        first, middle, last = (
            next(n for n, line in enumerate(lines) if line.startswith(begin))
            for begin in (self.begins, self.pauses, self.ends)
        )
        return "\n".join(lines[:first]), lines[first:middle], lines[middle:last]


SCENES = (
    Scene(
        "bruise/three-hands",
        "scene The watch-house",
        "quality Watchmen",
        "end conflict",
        ("Tomas", "Anouk"),
        ".card",
    ),
    Scene(
        "guenask/floating-school",
        "scene The Board room",
        "see Oswin",
        'raise 6+3: "And by',
        ("Bram", "Lou"),
        ".die",
    ),
    Scene(
        "homebrew/bell-tower", "scene The foot", "initiative", "end conflict", ("Ravi", "Jun"), ".row.clock"
    ),
)


def lying(page: Page) -> list[str]:
    """What lies on the table, in words, whether it has just changed or not."""
    told: str = page.inner_text("#board")
    return told.replace("(just now)", "").split()


FOR_GM = "note --gm: The kookaburra is next."
FOR_ONE = "note --to {}: The quokka knows you."


@pytest.mark.parametrize("scene", SCENES, ids=lambda one: one.example)
def test_two_phones_and_a_stage_follow_what_a_console_records(
    scene: Scene, browser: Browser, tmp_path: Path
) -> None:
    before, first, second = scene.parts()
    here, away = scene.players
    with seated(browser, tmp_path, before) as room:
        one, other, table = room.device(here), room.device(away), room.device("table", LARGE)
        table.page.goto(f"{table.page.url}stage")
        room.console(first)
        assert one.catch_up() == one.told()
        assert other.catch_up() == other.told()

        other.context.set_offline(True)
        other.page.wait_for_selector("#here:has-text('Looking for the table …')")
        room.console([*second, FOR_GM, FOR_ONE.format(here)])
        assert one.catch_up() == one.told()
        other.context.set_offline(False)
        other.page.wait_for_selector("#here", state="hidden")

        assert other.catch_up() == other.told()
        for page in (one.page, other.page, table.page):
            page.wait_for_selector(f"#board {scene.lies}")
        live = lying(other.page)
        other.page.reload()
        other.page.wait_for_selector("#board > *")
        assert lying(other.page) == live
        assert "kookaburra" not in one.sent()
        assert "quokka" in "".join(one.streamed)
        for sent in (other.sent(), table.sent()):
            assert [word for word in ("kookaburra", "quokka") if word in sent] == []
            assert here in sent
        assert room.complaints == []


def test_a_link_leaves_no_secret_in_the_address(room: Room) -> None:
    page = room.come("Jon")

    assert page.url == f"{room.service.place.url}c/salt-road/"
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


def test_who_is_shown_out_is_told_so(room: Room) -> None:
    jon = room.come("Jon")
    jon.wait_for_selector("#due li", state="attached")
    links = room.service.shelf.served["salt-road"].links
    links.revoke([one for one in links.every() if one.viewer == "Jon"])

    jon.wait_for_selector("#here:has-text('no longer good')")


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
        page.wait_for_selector("#words li:has-text('Zel says: “Hush, they hear us.”')")
    jon.wait_for_selector("#proposals li[data-state=taken]")
    gm.wait_for_selector("#handed", state="hidden")
    assert jon.input_value("#words-of") == ""
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

    jon.wait_for_selector("#words li:has-text('Guards declares: “They ring the bell.”')")
    assert room.complaints == []


def test_what_nobody_may_say_is_a_sentence(room: Room) -> None:
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
    gm.keyboard.type("Ze")
    gm.wait_for_selector("#offers [role=option]:has-text('Zel')")
    gm.keyboard.press("ArrowDown")
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


# --- looking back -----------------------------------------------------------------------------------------


def test_the_evening_is_looked_at_from_its_beginning_and_the_table_is_a_step_away(room: Room) -> None:
    jon = room.come("Jon")
    jon.click("text=From the beginning")
    jon.wait_for_selector("html[data-ready]")
    assert jon.inner_text("#title") == "Session 1: The Long Ebb"
    jon.keyboard.press("End")
    jon.wait_for_selector("#told:has-text('I run for the stair.')")
    assert jon.locator("#branch").is_hidden()
    jon.click("text=Back to the table")

    jon.wait_for_selector("#words li:has-text('I run for the stair.')")
    assert room.complaints == []


def test_the_game_master_looks_at_any_session_and_line(browser: Browser, tmp_path: Path) -> None:
    script = f"{SCRIPT}branch by-sea\nnarrate Zel: We take the boat.\nswitch mainline\nend session\n"
    with seated(browser, tmp_path, script + "session The Second\n") as room:
        gm = room.come("gm", WIDE)
        gm.click("text=From the beginning")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_checker_finds_nothing_on_any_page(room: Room, scheme: str) -> None:
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
        _without_faults(page, scheme)
    for page, path in (
        (jon, "replay.html"),
        (gm, "replay.html"),
        (anybody, "stage"),
        (anybody, "stage?clear"),
    ):
        page.goto(f"{room.service.place.url}c/salt-road/{path}")
        page.wait_for_selector("#board > *:visible")
        _without_faults(page, scheme)
    jon.goto(room.service.place.url)
    _without_faults(jon, scheme)
    assert room.complaints == []


def _without_faults(page: Page, scheme: Any) -> None:  # noqa: ANN401 -- light or dark
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    visit = Visit(page, page.url)
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


def test_hostile_names_and_words_are_text(browser: Browser, tmp_path: Path) -> None:
    script = HOSTILE_SCRIPT.replace("HOSTILE", HOSTILE)
    with seated(browser, tmp_path, script) as room:
        gm, jon, stage = room.come("gm", WIDE), room.come("<b>Jon</b>"), room.come("table", LARGE)
        stage.goto(f"{room.service.place.url}c/salt-road/stage")
        jon.fill("#words-of", HOSTILE)
        jon.click("#speak .send")
        gm.click("#proposals .take")
        jon.wait_for_selector("#proposals li[data-state=taken]")
        stage.wait_for_selector("#words li:has-text('says')")
        gm.goto(f"{gm.url}replay.html")
        gm.wait_for_selector("html[data-ready]")

        for page in (gm, jon, stage):
            assert page.locator("img, b, i, body script").count() == 0
        assert room.complaints == []
