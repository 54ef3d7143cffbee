"""The writer's page in a browser: the record on the left, the draft on the right, saved as it is typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from retold.journal.store.events.acts import Manner
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block, Remark
from tests.cli.service.test_writing import ROPE, begin_draft
from tests.pages.conftest import NARROW, WIDE, Visit, box
from tests.pages.room import Room, shelved
from tests.retold.drafts.played import EVENING

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Locator, Page, Route

    from retold.drafts.writing import WritersDraft

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")

HOSTILE = '<img src=x onerror="alert(1)"></textarea><script>alert(2)</script> \u202egnp.exe'
SLUG = "salt-road"
LAMP = "Nobody lights a lamp."
REMARKS = (
    Remark(author=Words("Kim"), text=Words("Which lamp?")),
    Remark(author=Words(""), text=Words("Longer?")),
)


@pytest.fixture(scope="module")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """A service for tests that leave the record as it is; each of them makes a draft of its own."""
    with shelved(browser, tmp_path_factory.mktemp("writing"), {SLUG: EVENING}) as room:
        yield room


class Desk:
    """A draft and the browser pages that edit it."""

    def __init__(self, room: Room, name: str) -> None:
        self.room, self.name = room, name
        self.campaign = room.service.campaign
        begin_draft(self.campaign, name)

    def sit(self, size: tuple[int, int] = WIDE, name: str | None = None) -> Page:
        """Opens the draft, or another, as the game master, on a device of its own."""
        device = self.room.device(size)
        device.page.clock.install()
        device.sit("gm", SLUG, f"draft.html?{urlencode({'name': name or self.name})}")
        device.page.wait_for_selector(".beside textarea")
        return device.page

    def revise(self, change: Callable[[Block], Block]) -> None:
        """Records a revision in which each block is changed so."""
        store = self.campaign.shared.store
        draft = store.drafts.read(store.drafts.called(self.name))
        with store.record.writing():
            store.drafts.revise(draft, [*map(change, draft.latest.blocks)], Manner())

    def recorded(self) -> WritersDraft:
        served = self.room.service.shelf.served[SLUG]
        return self.campaign.draft(self.name, served.draft_voice)

    def texts(self) -> list[str]:
        return [block.text for block in self.recorded().blocks if block.state == "shown"]


@pytest.fixture
def desk(served: Room, request: pytest.FixtureRequest) -> Iterator[Desk]:
    yield Desk(served, request.node.name[5:40])
    assert served.complaints == []


@pytest.fixture
def own_desk(browser: Browser, tmp_path: Path) -> Iterator[Desk]:
    """A draft of a campaign of its own, for a test that changes the record."""
    with shelved(browser, tmp_path, {SLUG: EVENING}) as room:
        yield Desk(room, "second")
        assert room.complaints == []


def field(page: Page, words: str) -> Locator:
    """The text field with these words."""
    at = page.eval_on_selector_all(
        ".beside textarea", "(all, words) => all.findIndex((one) => one.value.includes(words))", words
    )
    assert at >= 0, words
    return page.locator(".beside textarea").nth(at)


def leave(page: Page) -> None:
    """Takes the focus away from the text field."""
    page.evaluate("document.activeElement.blur()")


def stop(page: Page) -> None:
    """Stops the page's clock: from here on, time passes only as the test says."""
    page.clock.pause_at("2036-01-01")


def is_saved(page: Page, revision: int) -> None:
    page.wait_for_selector(f"#state:has-text('Saved · revision {revision} ')")


def test_what_is_typed_is_saved_beside_its_record_and_is_there_after_a_reload(desk: Desk) -> None:
    page = desk.sit()
    stop(page)
    rope = field(page, ROPE)
    rope.fill(f"Ana cut the rope. {HOSTILE} ")
    row = page.locator(".beside:focus-within")

    assert row.locator(".record").inner_text() == ROPE
    page.clock.fast_forward(1000)  # a pause, with the focus still there
    is_saved(page, 2)
    assert f"Ana cut the rope. {HOSTILE}" in desk.texts()
    rope.press_sequentially("They were off.")
    assert rope.input_value().endswith("gnp.exe They were off.")
    page.clock.fast_forward(5000)
    page.wait_for_selector("#state:has-text('Not saved yet · revision 2 ')")
    page.clock.fast_forward(15_000)  # no more revisions than one in 20 seconds, however often they stop
    is_saved(page, 3)
    page.clock.resume()
    rope.press_sequentially(" At last.")
    leave(page)  # so that it is saved again at once
    is_saved(page, 4)
    page.reload()
    page.wait_for_selector(".beside textarea")
    assert (
        field(page, "They were off.").input_value() == f"Ana cut the rope. {HOSTILE} They were off. At last."
    )
    assert page.locator("#blocks script, #blocks img").count() == 0

    field(page, "They were off.").fill("Ana cut the rope.")
    page.goto("about:blank")  # gone before the pause is over
    other = desk.sit()
    is_saved(other, 5)  # looked at again until what was sent on leaving has come
    assert field(other, "Ana cut the rope.").input_value() == "Ana cut the rope."
    other.locator("#undo").click()
    is_saved(other, 6)
    assert field(other, "They were off.").is_visible()


def test_two_writers_see_each_others_words_and_lose_none(desk: Desk) -> None:
    mary, kim = desk.sit(), desk.sit()
    stop(kim)  # so that this page does not look at what Mary writes
    field(mary, "Rain since noon").fill("It had rained since noon.")
    field(mary, ROPE).fill("Ana cut the rope.")
    leave(mary)
    is_saved(mary, 3)
    theirs = field(kim, ROPE)
    theirs.fill("The rope was cut.")
    kim.clock.fast_forward(1000)
    is_saved(kim, 5)
    kim.clock.resume()

    assert kim.evaluate("document.activeElement.value") == "The rope was cut."
    assert field(kim, "It had rained since noon.").is_visible()
    theirs = field(kim, "The rope was cut.")
    theirs.press("End")
    theirs.press_sequentially(" By Ana.")
    leave(kim)
    is_saved(kim, 6)
    mary.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # looks at once
    mary.wait_for_selector(".other textarea")
    assert field(mary, "By Ana.").input_value() == "The rope was cut. By Ana."
    mary.locator(".other").get_by_role("button", name="Take this wording").click()
    is_saved(mary, 7)
    assert [one for one in desk.texts() if "rope" in one] == ["The rope was cut. By Ana."]
    assert all(not block.others for block in desk.recorded().blocks)


def test_without_a_network_nothing_typed_is_lost_and_it_is_tried_again(desk: Desk) -> None:
    page = desk.sit()
    page.context.set_offline(True)
    field(page, ROPE).fill("Ana cut the rope.")
    page.clock.fast_forward(1000)
    page.wait_for_selector("#state.failed:has-text('Not saved: The table cannot be reached')")
    assert ROPE in desk.texts()
    page.context.set_offline(False)

    is_saved(page, 2)
    assert "Ana cut the rope." in desk.texts()


def test_a_lost_response_adds_no_second_writer(desk: Desk) -> None:
    page = desk.sit()

    lost: list[int] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            route.abort("internetdisconnected")
        else:
            route.continue_()

    page.route("**/draft?*", lose)
    field(page, ROPE).fill("Ana cut the rope.")
    page.clock.fast_forward(1000)
    page.wait_for_selector("#state.failed")
    assert lost == [200]
    assert "Ana cut the rope." in desk.texts()
    field(page, "Ana cut").press_sequentially(" At last.")
    leave(page)

    is_saved(page, 3)
    assert "Ana cut the rope. At last." in desk.texts()
    assert all(not block.others for block in desk.recorded().blocks)


def test_paragraphs_are_begun_with_the_keyboard_cut_and_put_back(desk: Desk) -> None:
    page = desk.sit()
    rope = field(page, ROPE)
    rope.focus()
    rope.evaluate("(one, at) => one.setSelectionRange(at, at)", ROPE.index(", and the ferry"))
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.value") == ", and the ferry swings out."
    page.keyboard.type("Off they were")
    leave(page)
    page.wait_for_selector("#state:text-matches('^Saved ')")
    texts = desk.texts()
    at = texts.index("Ana: I cut the rope behind him")
    assert texts[at + 1] == "Off they were, and the ferry swings out."
    record = {block.text: block.record for block in desk.recorded().blocks}
    assert record[texts[at + 1]] == ROPE

    field(page, "Off they were").fill("")
    leave(page)
    page.wait_for_selector(".beside[data-state=cut]")
    assert "Off they were, and the ferry swings out." not in desk.texts()
    page.get_by_role("button", name="Put it back").click()
    page.wait_for_selector(".beside[data-state=cut]", state="detached")


def test_stale_and_untold_blocks_are_usable_in_every_theme(own_desk: Desk) -> None:
    desk = own_desk
    page = desk.sit()
    field(page, "Push off").fill("“Push off!” said Zel.")
    leave(page)
    is_saved(page, 2)
    events = {event.told: event.position for event in desk.campaign.happened()}
    said = next(position for told, position in events.items() if "Push off" in told)
    rope = next(position for told, position in events.items() if "cut the rope" in told)
    desk.campaign.say(f"retcon {said}: Push off, before they see us!")
    desk.campaign.say(f"narrate Ana --at {rope}: My hands bleed.")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector(".beside[data-state=untold]")

    changed = page.locator(".changed")
    assert (changed.locator("del").inner_text(), changed.locator("ins").inner_text()) == ("count", "see")
    visit = Visit(page, "")
    for size, scheme in ((WIDE, "light"), (WIDE, "dark"), (NARROW, "dark")):
        visit.look(size, scheme)
        assert (visit.faults(), visit.overhang()) == ([], 0)
    visit.look()
    assert box(page.locator(".record").first)["x"] < box(page.locator(".beside textarea").first)["x"]
    page.get_by_role("button", name="Keep as it is").click()
    is_saved(page, 3)
    page.get_by_role("button", name="Tell it").click()
    is_saved(page, 4)
    assert "Ana: My hands bleed." in desk.texts()


def test_a_block_is_moved_opened_and_signed_and_its_remarks_are_settled(desk: Desk) -> None:
    page = desk.sit(NARROW)
    desk.revise(lambda block: replace(block, remarks=REMARKS) if block.text.text == LAMP else block)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector(".remark:has-text('Kim: Which lamp?')")
    visit = Visit(page, "")
    assert (visit.faults(), visit.overhang()) == ([], 0)

    page.locator(".remark").first.get_by_role("button", name="Settled").click()
    is_saved(page, 3)
    assert page.locator(".remark").all_inner_texts() == ["Remark: Longer?\n\nSettled"]
    field(page, LAMP).press("Alt+ArrowUp")
    is_saved(page, 4)
    at = desk.texts().index(LAMP)
    assert desk.texts()[at + 1] == "The far bank"
    assert page.evaluate("document.activeElement.value") == LAMP
    row = page.locator(".beside:has(.remark)")
    row.get_by_role("button", name="More about").click()
    row.get_by_role("button", name="Move down").click()
    is_saved(page, 5)
    assert desk.texts().index(LAMP) == at + 1

    row.get_by_role("button", name="New paragraph below").click()
    page.keyboard.type("The river was wide.")
    leave(page)
    page.wait_for_selector("#state:text-matches('^Saved ')")
    river = page.locator(".beside:has(.about:has-text('For the game master alone'))")
    river.get_by_role("button", name="More about").click()
    readers = river.get_by_role("combobox")
    readers.select_option("Kim")
    page.wait_for_selector(".about:has-text('For Kim')")
    (block,) = (block for block in desk.recorded().blocks if block.text == "The river was wide.")
    assert (block.see, block.writer, block.hidden) == (("Kim",), "Mary", False)


def test_what_concerns_the_whole_draft_is_behind_one_button(desk: Desk) -> None:
    desk.campaign.say('conflict "At the rail" Zel vs Ana: the price of oil')
    begin_draft(desk.campaign, f"{desk.name}+")
    page = desk.sit(name=f"{desk.name}+")
    page.locator("#doubt").click()
    page.wait_for_selector(".doubt:has-text('the price of oil')")
    page.locator("#doubt").click()
    page.wait_for_selector(".doubt", state="detached")
    page.locator("#to-more").click()
    page.wait_for_selector("#revisions li:has-text('begun with')")
    page.locator("#publish").click()
    page.wait_for_selector("#is-published:text-is('Exports of this part show the draft.')")
    assert "published" in page.locator("#state").inner_text()
    page.locator("#publish").click()
    page.wait_for_selector("#publish:text-is('Publish')")

    page.locator("#by").fill("Mona Quill")
    page.locator("#new-draft summary").click()
    page.locator("#name").fill(f"{desk.name} <b>&")
    page.locator("#first").select_option("")
    page.locator("#reader").select_option("gm")
    page.get_by_role("button", name="Begin it").click()
    page.wait_for_selector("h1:has-text('<b>&')")
    page.locator("#to-more").click()
    page.wait_for_selector("#revisions li:has-text('Mona Quill')")
    visit = Visit(page, "")
    for size, scheme in ((WIDE, "dark"), (NARROW, "light")):
        visit.look(size, scheme)
        assert (visit.faults(), visit.overhang()) == ([], 0)


def test_what_is_refused_for_the_name_of_its_writer_is_saved_under_another(desk: Desk) -> None:
    page = desk.sit()
    page.locator("#to-more").click()
    page.locator("#by").fill("\u202eMona")
    page.locator("#more .close").click()
    field(page, ROPE).fill("Ana cut the rope.")
    leave(page)
    page.wait_for_selector("#state:has-text('Not saved: A writer has a name')")
    page.locator("#to-more").click()
    page.locator("#by").fill("Mona")
    page.locator("#more .close").click()
    is_saved(page, 2)
    assert [block.writer for block in desk.recorded().blocks if block.edited] == ["Mona"]
    desk.room.complaints[:] = [words for words in desk.room.complaints if "422" not in words]


def test_the_table_leads_to_the_draft(desk: Desk) -> None:
    gm = desk.room.come("gm", WIDE)

    gm.locator("#writing").click()
    gm.wait_for_selector(".beside textarea")
