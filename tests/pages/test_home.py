"""Home and the game master's buttons in a browser: an evening with nothing typed but names and words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import retold
from tests.pages.conftest import SIGHTS, Visit
from tests.pages.test_service import TARGETS
from tests.retold.home.browser import Running, at_home
from tests.retold.importing.test_on_page import LOG

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

NAMES = ("Thia of the Reeds", "Osk", "N" * 90, "יעל")


class Seat:
    """A browser at home, what it complained of, and what it asked for elsewhere."""

    def __init__(self, browser: Browser, running: Running) -> None:
        self.running = running
        self.context = browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        self.page = self.context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda one: self.complaints.append(one.text))
        self.page.on("pageerror", lambda one: self.complaints.append(str(one)))
        self.page.on("request", self._watch)

    @property
    def at(self) -> str:
        return f"http://127.0.0.1:{self.running.port}/"

    def _watch(self, request: Request) -> None:
        if not request.url.startswith((self.at, "data:", "blob:")):
            self.complaints.append(request.url)

    def come(self) -> Page:
        """Comes home by a link."""
        self.page.goto(f"{self.at}home/come#{self.running.home.once()}")
        self.page.wait_for_url("**/home/")
        return self.page

    def begin(self, *, typing: bool = True) -> Page:
        """Begins a campaign, and comes to its table; lines can be typed there if `typing`."""
        page = self.come()
        page.fill("#title", "The Well")
        page.check("[value=d20]")
        page.fill("#master", "Mary")
        for number, name in enumerate(NAMES):
            page.locator("[name=who]").nth(number).fill(name)
        page.locator("[name=by]").nth(0).fill("Jon")
        page.get_by_role("button", name="Begin", exact=True).click()
        page.wait_for_selector("#acts:not([hidden])")
        if typing:
            page.select_option("#speaker", label="A line, or a question")
        return page

    def act(self, button: str, **fields: str) -> None:
        """Presses a button, fills its form, and waits until the line is said."""
        page = self.page
        page.locator("#acts").get_by_role("button", name=button, exact=True).click()
        for name, words in fields.items():
            page.fill(f"#act [name='{name.replace('_', '-')}']", words)
        page.click("#act .send:not([disabled])")
        page.wait_for_selector("#act", state="hidden")

    def speak(self, how: str, words: str, to: str = "to everybody") -> None:
        """Says or narrates something."""
        page = self.page
        page.select_option("#speaker", label=how)
        page.select_option("#hearers", label=to)
        page.fill("#words-of", words)
        page.press("#words-of", "Enter")

    def roll(self, who: str, move: str, stat: str, **beside: str) -> None:
        """Presses a button of the roll pad, with what is typed beside it."""
        page = self.page
        if not page.is_visible("#rolls"):
            page.click("#roll summary")
        page.select_option("#rolls [name=who]", who)
        button = (
            f"#rolls fieldset:has(legend:has-text('{move}')) button[title$='{move} {stat}'][title*='{who}']"
        )
        page.wait_for_selector(button, state="attached")
        for name, value in beside.items():
            if name == "hidden":
                page.select_option("#rolls [name=hidden]", label=value)
            else:
                page.fill(f"#rolls [name={name}]", value)
        page.click(button)

    def sheet(self, who: str, **keys: str) -> None:
        """Fills the form of a sheet."""
        page = self.page
        page.get_by_role("button", name=f"Sheet of {who}", exact=True).click()
        for key, value in keys.items():
            page.fill(f"#act [name=key-{key}]", value)
        page.click("#act .send:not([disabled])")

    def put_together(self, *pieces: str) -> None:
        """Adds pieces to the form that is open, each pressed if it is a word and else typed, and does it."""
        page = self.page
        for piece in pieces:
            if piece.isalpha():
                page.locator("#act .row button", has=page.get_by_text(piece, exact=True)).first.click()
            else:
                page.fill("#act [name=own]", piece)
                page.press("#act [name=own]", "Enter")
        page.click("#act .send:not([disabled])")

    def any_act(self, verb: str, *pieces: str) -> None:
        """Does an act that has no button of its own."""
        page = self.page
        page.get_by_role("button", name="More …").click()
        page.fill("#act [name=looked]", verb)
        page.locator("#act .found button", has=page.get_by_text(verb, exact=True)).first.click()
        self.put_together(*pieces)

    def happened(self) -> list[retold.Happened]:
        """The campaign as it is recorded, event by event."""
        (path,) = self.running.folder.glob("*.retold")
        with retold.open(path, read_only=True) as campaign:
            return campaign.happened()

    def told(self) -> list[str]:
        """The events in words."""
        return [event.told for event in self.happened()]


@pytest.fixture
def seat(browser: Browser, tmp_path: Path) -> Iterator[Seat]:
    with at_home(tmp_path / "state", tmp_path / "campaigns") as running:
        found = Seat(browser, running)
        with closing(found.context):
            yield found


def faults(page: Page) -> list[str]:
    return [fault for size, scheme in SIGHTS for fault in looked_at(page, size, scheme)]


def looked_at(page: Page, size: tuple[int, int], scheme: str) -> list[str]:
    seen = Visit(page, "")
    seen.look(size, scheme)
    # the label of these is pressed
    small = [one for one in page.evaluate(TARGETS) if not re.search('type="(radio|checkbox)"', one)]
    return [
        *seen.faults(),
        *map(str, small),
        *(["it has to be scrolled sideways"] if seen.overhang() else []),
    ]


def test_128_acts_without_a_command_are_those_of_the_lines_shown(  # noqa: PLR0915 -- an evening is long
    seat: Seat, tmp_path: Path
) -> None:
    page, thia = seat.begin(typing=False), NAMES[0]
    said: list[str] = []

    def shows(line: str) -> None:
        shown = page.locator("#lately code")
        shown.filter(has_text=line.splitlines()[-1]).wait_for()
        assert shown.text_content() == line
        said.append(line)

    seat.act("Begin the session", title="Rain", words="It has rained\n\nfor days.")
    shows("session Rain: It has rained\n  .\n  for days.")
    seat.act("A scene", place="The well = cold: x", words="Fog.")
    shows('scene "The well = cold: x": Fog.')
    seat.act("A person", name="The Drowned Man", words="He waits.")
    shows('cast "The Drowned Man": He waits.')
    page.click("#counts summary")
    seat.sheet(thia, dex="3", ac="14", health="12", damage="1d8+3")
    shows(f'cast "{thia}" dex=3 ac=14 health=12 damage="1d8+3"')
    seat.sheet("Osk", str="3", ac="16", health="15")
    shows("cast Osk str=3 ac=16 health=15")
    seat.speak("Osk says", "Keep still.", f"to {thia} alone")
    shows(f'say Osk --to "{thia}": Keep still.')
    seat.speak("You narrate", "The key is wet.", "to nobody: you alone")
    shows("narrate gm --gm: The key is wet.")
    seat.roll("Osk", "check", "str", vs="10", shown="14")
    shows("roll Osk check str vs 10 = 14")
    seat.roll(thia, "check", "dex", hidden="you alone", shown="9")
    shows(f'roll "{thia}" check dex --gm = 9')
    page.locator("#acts").get_by_role("button", name="A conflict", exact=True).click()
    page.fill("#act [name=name]", "At the well")
    page.select_option(f"#act [name='side-{thia}']", "one")
    page.fill("#act [name=more-two]", "Wolf, The Old One")
    page.fill("#act [name=words]", "who drinks")
    page.click("#act .send")
    shows(f'conflict "At the well" "{thia}" vs Wolf+"The Old One": who drinks')
    seat.sheet("Wolf", ac="12", health="9")
    shows("cast Wolf ac=12 health=9")
    seat.any_act("initiative", "Wolf", "7")
    shows("initiative Wolf 7")
    page.locator("#due button", has_text="Begin Wolf").click()
    shows("turn Wolf")
    seat.roll(thia, "attack", "dex", vs="Wolf", shown="15 2")
    shows(f'roll "{thia}" attack dex vs Wolf = 15 2')
    seat.roll("Wolf", "attack", "str", vs=thia, damage="1d4", shown="18 3")
    shows(f'roll Wolf attack str vs "{thia}" damage 1d4 = 18 3')
    page.get_by_role("button", name="Condition of Wolf").click()
    seat.put_together("prone")
    shows("status Wolf prone")
    page.fill("#counts [name=by]", "2")
    page.get_by_role("button", name="less hp of Wolf").click()
    shows("track Wolf hp -2")
    for verb in ("Undo", "Redo"):
        seat.act(verb)
        shows(verb.lower())
    page.get_by_role("button", name="more coin of Osk").click()
    shows("track Osk coin +2")
    seat.act("End the conflict", words="Nobody drinks.")
    shows("end conflict: Nobody drinks.")
    seat.any_act("rest", "long")
    shows("rest long")
    seat.act("A note", words="The key is wet.")
    shows("note: The key is wet.")
    page.click("#counts summary")
    seat.speak("Osk says", "Home.")
    shows("say Osk: Home.")
    for number in range(len(said), 127):
        page.fill("#words-of", f"The tide comes in, {number}.")
        page.press("#words-of", "Enter")
        shows(f"say Osk: The tide comes in, {number}.")
    seat.act("End the session", words="Home.")
    shows("end session: Home.")

    begun = ["cast gm by=Mary", f'cast "{thia}" by=Jon', *(f"cast {name}" for name in NAMES[1:])]
    with retold.new(tmp_path / "typed.retold", title="The Well", game="d20") as typed:
        typed.play("\n".join([*begun, *said]))
        assert seat.told() == [event.told for event in typed.happened()]
    assert len(said) == 128
    assert [one for one in seat.complaints if "422" not in one] == []  # half an act is refused while it grows


def test_undo_says_first_what_it_takes_back(seat: Seat) -> None:
    page = seat.begin()
    seat.act("Begin the session", title="Rain")
    page.locator("#acts").get_by_role("button", name="Undo", exact=True).click()

    page.wait_for_selector("#act .would:has-text('Would be taken back')")
    assert "session" in page.inner_text("#act .would")
    before = seat.told()
    page.get_by_role("button", name="Leave it").click()
    page.wait_for_selector("#act", state="hidden")
    assert seat.told() == before


def test_an_export_is_saved_and_says_whose_copy_it_is(seat: Seat, tmp_path: Path) -> None:
    page = seat.begin()
    seat.act("Begin the session", title="Rain")
    page.get_by_role("button", name="Export").click()
    page.wait_for_selector("#save [name=for]")
    assert page.input_value("#save [name=for]") == "table"
    with page.expect_download() as waited:
        page.click("#save .send")
    waited.value.save_as(tmp_path / "saved.html")

    assert waited.value.suggested_filename == "The Well session-1.html"
    assert b"Rain" in (tmp_path / "saved.html").read_bytes()
    page.wait_for_selector("#answered:has-text('The table')")
    assert seat.complaints == []


def test_a_word_is_found_by_one_key_with_people_and_help(seat: Seat) -> None:
    page = seat.begin()
    seat.act("Begin the session", title="Rain")
    page.locator("body").press("/")
    page.keyboard.type("rai")
    page.keyboard.press("Enter")
    page.wait_for_selector("#asked td:has-text('Rain')")
    page.fill("#asked [name=words]", "thia")
    page.locator(".found button", has_text="who").click()
    page.wait_for_selector("#asked td, #asked pre")

    assert page.inner_text("#of-asked").startswith("who")
    assert "Jon" in page.inner_text("#asked")
    assert seat.complaints == []


def test_what_is_often_asked_has_a_button(seat: Seat) -> None:
    page = seat.begin()
    seat.act("Begin the session", title="Rain")
    page.fill("#line", "narrate Osk: The water is cold.")
    page.press("#line", "Enter")
    page.wait_for_selector("#words li:has-text('cold')")
    asked = {"Recap": "Rain", "Who is who": "Osk", "Statistics": "Narrated", "Secrets": "To reveal it"}
    for button, words in asked.items():
        page.get_by_role("button", name=button, exact=True).click()
        page.wait_for_selector(f"#asked:has-text('{words}')")


def test_a_sheet_is_a_form_of_what_its_game_declares(seat: Seat) -> None:
    page = seat.begin()
    page.click("#counts summary")
    page.get_by_role("button", name="Sheet of Osk").click()
    assert looked_at(page, *SIGHTS[1]) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    page.fill("[name=key-str]", "4")
    page.fill("[name=other]", "Old oath")
    page.fill("[name=worth]", "never to swim")
    page.wait_for_selector("#act .would:has-text('str=4')")
    page.click("#act .send:not([disabled])")
    page.wait_for_selector("#act", state="hidden")
    assert any("str=4" in told for told in seat.told()), seat.told()[-2:]
    page.get_by_role("button", name="Sheet of Osk").click()
    assert page.input_value("[name=key-str]") == "4"
    page.fill("[name=key-str]", "")
    page.wait_for_selector("#act code:has-text('str=none')")
    assert seat.complaints == []


def test_any_act_is_found_by_what_it_does_and_put_together(seat: Seat) -> None:
    page = seat.begin()
    page.get_by_role("button", name="More …").click()
    page.wait_for_selector("#act .found button")
    faults = looked_at(page, *SIGHTS[0])
    page.fill("#act [name=looked]", "tracks recover")
    page.locator("#act .found button:visible").click()
    page.locator("#act .row button", has_text="long").click()
    page.locator("#act .row button", has_text="Osk").click()
    page.get_by_role("button", name="One piece back").click()
    page.fill("#act [name=own]", "Thia")
    page.press("#act [name=own]", "Enter")
    page.fill("#act [name=words]", "Under the boat.")
    page.wait_for_selector("#act .line:text-is('rest long Thia: Under the boat.')")
    page.wait_for_selector("#act .send:not([disabled])")
    faults += looked_at(page, *SIGHTS[1])
    page.click("#act .send")
    page.wait_for_selector("#act", state="hidden")

    assert faults == []
    assert seat.told()[-1].startswith("Thia of the Reeds rests (long)")


def test_an_eye_reveals_who_is_hidden_and_says_first_what_will_be_known(seat: Seat) -> None:
    page = seat.begin()
    page.locator("#acts").get_by_role("button", name="A person", exact=True).click()
    page.fill("#act [name=name]", "The Drowned Man")
    page.select_option("#act [name=known]", label="You alone, until you reveal them")
    page.click("#act .send")
    page.click("#counts summary")
    page.get_by_role("button", name="The Drowned Man is hidden: reveal them").click()
    page.wait_for_selector("#act .would:has-text('Everyone knows now: The Drowned Man')")
    before = seat.told()
    page.click("#act .send:not([disabled])")
    page.wait_for_selector("#counts .eye", state="detached")

    assert seat.told()[len(before) :] == ["everybody knows now: The Drowned Man"]
    assert seat.complaints == []


def test_a_line_of_the_list_is_mended_marked_and_branched_from(seat: Seat) -> None:
    page = seat.begin()
    for line, words in (("narrate Osk: Low tide.", "Low"), ("roll Osk 1d20 vs 10 = 14", "against 10")):
        page.fill("#line", line)
        page.press("#line", "Enter")
        page.wait_for_selector(f"#words li:has-text('{words}')")
    seat.act("A note", words="The key is wet.")

    def opened(words: str, act: str) -> None:
        page.locator("#words [data-id]", has_text=words).last.click()
        page.locator("#act").get_by_role("button", name=act).click()

    opened("Low", "Change it")
    page.fill("[name=as]", "narrate Osk: High tide.")
    page.wait_for_selector("#act .would:has-text('+ Osk narrates: “High tide.”')")
    page.click("#act .send:not([disabled])")
    page.wait_for_selector("#words li:has-text('High')")
    opened("against 10", "Other dice or cards")
    assert page.input_value("[name=results]") == "14"
    page.keyboard.press("Escape")
    opened("key", "Reveal")
    page.wait_for_selector("#act .would:has-text('revealed to everybody')")
    page.keyboard.press("Escape")
    page.locator("#words [tabindex='0']").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.locator("#act").get_by_role("button", name="Mark").click()
    page.fill("#act [name=name]", "the fall")
    page.click("#act .send:not([disabled])")
    page.wait_for_selector("#act", state="hidden")
    opened("High", "Branch here")
    page.fill("#act [name=name]", "kinder")
    page.click("#act .send:not([disabled])")
    page.wait_for_selector("#act", state="hidden")
    page.get_by_role("button", name="Lines").click()
    page.get_by_role("button", name="Compare: mainline").click()
    page.wait_for_selector("#asked td:has-text('Low tide.')")
    page.get_by_role("button", name="Lines").click()
    page.get_by_role("button", name="Promote: kinder").click()
    page.wait_for_selector("#act .would:has-text('kinder would be the mainline')")
    page.click("#act .send:not([disabled])")
    page.wait_for_selector("#act", state="hidden")
    page.get_by_role("button", name="Lines").click()
    page.get_by_role("button", name="Switch: retcon").click()
    page.wait_for_selector(".lines li:has-text('retcon') small:has-text('played now')")


def test_words_that_are_not_sent_survive_a_reload(seat: Seat) -> None:
    page = seat.begin()
    page.fill("#line", "narrate Osk: Half a sent")
    page.reload()
    page.wait_for_selector("#acts:not([hidden])")
    assert page.input_value("#line") == "narrate Osk: Half a sent"
    page.press("#line", "Enter")
    page.wait_for_selector("#words li:has-text('Half a sent')")
    page.reload()
    page.wait_for_selector("#acts:not([hidden])")
    assert page.input_value("#line") == ""


def test_a_players_link_is_made_copied_and_revoked(seat: Seat) -> None:
    page = seat.begin()
    seat.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Players").click()
    page.get_by_role("button", name="A link for Jon").click()
    page.wait_for_selector(".shared img")
    page.get_by_role("button", name="Copy").click()
    page.wait_for_selector("#answered:has-text('copied')")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.inner_text(".shared .address")
    secret = link.partition("#")[2]
    other = seat.context.new_page()
    other.goto(f"{seat.at}#{secret}")
    other.wait_for_url("**/c/the-well/as/*/")
    page.wait_for_selector(".holders li:has-text('Jon') small:text-is('connected')")
    page.get_by_role("button", name="Revoke the links of Jon").click()
    other.wait_for_selector("#here:has-text('no longer good')")


def test_a_backup_saved_here_is_restored_at_home(seat: Seat, tmp_path: Path) -> None:
    page = seat.begin()
    page.get_by_role("button", name="Export").click()
    page.select_option("#save [name=part]", "backup")
    with page.expect_download() as waited:
        page.click("#save .send")
    waited.value.save_as(tmp_path / "saved")
    page.click("#home")
    page.wait_for_url("**/home/")
    page.set_input_files("#brought-1", tmp_path / "saved")
    page.get_by_role("button", name="Open it").click()
    page.wait_for_url("**/c/saved/as/gm/")

    assert sorted(path.name for path in seat.running.folder.glob("*.retold")) == [
        "The Well.retold",
        "saved.retold",
    ]
    assert seat.complaints == []


def test_files_that_are_not_campaigns_are_refused(seat: Seat, tmp_path: Path) -> None:
    page = seat.come()
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    page.set_input_files("#brought-1", tmp_path / "photo.png")
    page.get_by_role("button", name="Open it").click()

    page.wait_for_selector("#says:not(:has-text('is checked'))")
    assert page.is_enabled(".file button")
    assert page.inner_text("#says")


def test_a_form_that_was_refused_can_be_sent_again_after_going_back(seat: Seat) -> None:
    page = seat.come()
    page.fill("#title", "The Well")
    page.locator("[name=who]").nth(0).fill("Zel")
    page.locator("[name=who]").nth(1).fill("zel")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector("#says:visible")
    assert page.locator("[name=who]").nth(0).input_value() == "Zel"
    page.locator("[name=who]").nth(1).fill("")
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_selector("#acts:not([hidden])")
    page.go_back()
    page.wait_for_selector("#title")
    assert page.is_enabled("button:has-text('Begin')")


def test_without_scripts_a_campaign_is_begun_and_opened(browser: Browser, seat: Seat) -> None:
    seat.come()
    with closing(browser.new_context(java_script_enabled=False)) as context:
        (cookie,) = seat.context.cookies()
        context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": f"{seat.at}home/"}])
        page = context.new_page()
        page.goto(f"{seat.at}home/")
        page.fill("#title", "By hand")
        page.get_by_role("button", name="Begin", exact=True).click()
        page.wait_for_url("**/c/by-hand/as/gm/")


def test_home_can_be_closed_on_its_page(seat: Seat) -> None:
    page = seat.come()
    page.get_by_role("button", name="Close Retold").click()

    page.wait_for_selector("#says:has-text('Retold is closed')")
    assert seat.running.server.should_exit


def test_every_page_can_be_used_by_everybody(seat: Seat) -> None:  # noqa: PLR0915 -- there are many
    page = seat.come()
    found = {"home": faults(page)}
    page = seat.begin()
    seat.act("Begin the session", title="Rain")
    page.fill("#line", "track Thia hp 9/12")
    page.press("#line", "Enter")
    page.wait_for_selector("#counts:not([hidden])")
    found["table"] = faults(page)
    page.click("#help")
    page.wait_for_selector("#asked:not([hidden])")
    page.fill("#line", "search rain")
    page.press("#line", "Enter")
    page.wait_for_selector("#asked table")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.click("#counts summary")
    found["answer"] = faults(page)
    page.get_by_role("button", name="Export").click()
    page.wait_for_selector("#save [name=for]")
    found["export"] = faults(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="Players").click()
    page.get_by_role("button", name="A link for Jon").click()
    page.wait_for_selector(".shared img")
    found["players"] = faults(page)
    page.keyboard.press("Control+k")
    page.keyboard.type("thia")
    page.wait_for_selector(".found button")
    found["find"] = faults(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.get_by_role("button", name="Lines").click()
    page.wait_for_selector(".lines li")
    found["lines"] = faults(page)
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("#words li").last.click()
    found["menu"] = faults(page)
    page.get_by_role("button", name="Leave it").click()
    page.get_by_role("button", name="Close", exact=True).click()
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator("#acts").get_by_role("button", name="A scene", exact=True).click()
    found["act"] = faults(page)
    page.get_by_role("button", name="Leave it").click()
    page.get_by_role("button", name="More …").click()
    page.wait_for_selector("#act .found button")
    found["more"] = faults(page)
    page.locator("#act .found button", has=page.get_by_text("rest", exact=True)).first.click()
    page.fill("#act [name=own]", "nobody")
    page.wait_for_selector("#act .would:has-text('nobody')")
    found["half a line"] = faults(page)
    page.goto(f"{seat.at}home/")
    page.click("summary >> nth=0")
    page.click("summary >> nth=1")
    found["cards"] = faults(page)

    assert found == {name: [] for name in found}
    assert seat.complaints == []


def test_a_log_is_brought_in_by_mouse_and_names(seat: Seat, tmp_path: Path) -> None:
    page, found = seat.come(), {}
    (tmp_path / "ferry.log").write_text(LOG, "utf-8")
    page.set_input_files("#brought-2", tmp_path / "ferry.log")
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_selector("#of-question")
    found["zone"] = faults(page)
    page.get_by_role("button", name="Next").click()
    page.check("[value=Mary]")
    found["game master"] = faults(page)
    page.get_by_role("button", name="Next").click()
    page.check("[value=by]")
    page.fill("#name", "Kit")
    found["person"] = faults(page)
    page.get_by_role("button", name="Next").click()
    page.check("[value=npc]")
    page.get_by_role("button", name="Next").click()
    page.wait_for_selector("#of-ready")
    found["ready"] = faults(page)
    page.get_by_role("button", name="Record it").click()
    page.wait_for_selector("#of-done")
    found["done"] = faults(page)
    page.get_by_role("button", name="Go to its table").click()
    page.wait_for_selector("#words [data-id]")

    assert found == {name: [] for name in found}
    assert "Kit plays Odo" in seat.told()
    assert seat.complaints == []
