"""A site in a browser, from a disk: within everybody's reach, its search works, and it asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import retold
from retold.cli.exporting.folders import write_folder
from retold.journal.vocabulary import commands as c
from retold.projections.site import WHERE
from tests.pages.conftest import NARROW, Open, Visit, box, within_reach
from tests.pages.test_hostile import ALLOWED, ORDERS, TOUCHED
from tests.projections.evening import both, w
from tests.projections.payloads import PAYLOADS
from tests.projections.site.whole import site_of
from tests.projections.twins import Twins

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest.importorskip("playwright", reason="pages are looked at where a browser is: python3 run.py pages")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site on a disk, in which words are as long as people make them."""
    folder = tmp_path_factory.mktemp("site")
    table = both(folder / "evenings.retold")
    table.do(c.KeepThread(what=w("Who paid the ferryman"), text=w("Two coins, and Zel had one.")))
    table.do(c.KeepPlace(what=w("The Salt Gate"), text=w("Shut since the flood.")))
    table.do(c.KeepThing(what=w("W" * 200), text=w("x" * 300)))
    table.do(c.Narrate(text=w("Zoë leans on the salt-gate. 塩の門は閉じている。")))
    for number in range(70):
        table.do(c.Narrate(text=w(f"Bell {number}, and Zel counts.")))
    write_folder(
        folder / "site", site_of(table.campaign, base="https://example.org", steps=True).items(), WHERE
    )
    return folder / "site"


def opened(site: Path, visit: Open) -> Iterator[Visit]:
    """Every page of it, one open at a time, but the one that is drawn by what lies at its address."""
    seen = visit(site / "index.html", within=site)
    for path in sorted(site.rglob("*.html")):
        if path.name != "404.html":
            seen.page.goto(path.as_uri())
            yield seen


def fill(seen: Visit, words: str) -> None:
    """Types words, and waits until what is looked through is loaded."""
    seen.page.fill("#asked", words)
    if words.split():
        seen.page.wait_for_selector("#told:not(:empty)")


def look_for(seen: Visit, words: str) -> list[str]:
    """What is said to be found, and the texts in which it was."""
    fill(seen, words)
    return [seen.page.inner_text("#told"), *seen.page.locator("#found p").all_inner_texts()]


def address(seen: Visit) -> str:
    """The address as the page itself has it by now."""
    return str(seen.page.evaluate("location.href"))


def test_every_page_is_within_everybodys_reach_and_asks_for_nothing(site: Path, visit: Open) -> None:
    for number, seen in enumerate(opened(site, visit)):
        seen.page.evaluate("document.querySelector('#asked')?.focus()")
        within_reach(seen, turn=number)
        assert seen.page.evaluate("getComputedStyle(document.body).marginTop") == "0px"


def test_what_leads_on_is_as_large_as_a_thumb(site: Path, visit: Open) -> None:
    seen = visit(site / "sessions/1.html", within=site)
    seen.look(NARROW)

    for one in seen.page.locator(".bar a, .turn a").all():
        assert box(one)["height"] >= THUMB


THUMB = 44
"""Pixels."""


def test_the_keyboard_reaches_sessions_and_named_people(site: Path, visit: Open) -> None:
    seen = visit(site / "index.html", within=site)
    for link, there in (
        ("text=High Water", "Session 1: High Water"),
        ("[rel=next]:visible", "Session 2: Low Water"),
        ("article a.name >> text=Salt Gate", "The Salt Gate"),
        ("text=Cast", "Cast"),
        ("text=Zel", "Zel"),
    ):
        seen.page.locator(link).first.focus()
        seen.page.keyboard.press("Enter")

        seen.page.get_by_role("heading", level=1, name=there, exact=True).wait_for()
    assert seen.tried == []


def test_the_search_finds_words_however_they_are_written_and_leads_to_them(site: Path, visit: Open) -> None:
    seen = visit(site / "search.html", within=site)

    assert look_for(seen, "ZOE salt-g")[0] == "1 found"
    assert look_for(seen, "not TODAY") == ["1 found", "Zel: \u201cNot today.\u201d"]
    assert seen.page.locator("mark").all_inner_texts() == ["Not", "today"]
    assert look_for(seen, "閉じ")[0] == "1 found"
    assert look_for(seen, "bell")[0] == "70 found; the first of them:"
    assert look_for(seen, "ferryman quux") == ["Nothing here has these words."]
    assert look_for(seen, "<b> .*") != []
    assert look_for(seen, "  ") == [""]
    assert len(look_for(seen, "trough")) == 1
    look_for(seen, "leans")
    seen.page.locator("#found a").first.click()
    seen.page.wait_for_url(f"{(site / 'sessions/2.html').as_uri()}#*")
    assert "leans" in seen.page.inner_text(":target")
    assert seen.tried == []


def test_a_search_is_kept_in_the_address_and_repeated(site: Path, visit: Open) -> None:
    seen = visit(site / "search.html", within=site)
    look_for(seen, "tide 100%")
    assert address(seen).endswith("#tide%20100%25")
    look_for(seen, "tide")
    for there, typed in ((address(seen), "tide"), (f"{(site / 'search.html').as_uri()}#%", "%")):
        seen.page.goto("about:blank")
        seen.page.goto(there)

        assert seen.page.input_value("#asked") == typed
    assert seen.tried == []


def test_W14_what_is_found_is_read_as_most_of_it_is_and_its_names_stand_apart(
    tmp_path: Path, visit: Open
) -> None:
    maryam, arabic = (
        "\u0645\u0631\u064a\u0645",
        "\u0627\u0644\u0628\u0627\u0628 \u0645\u063a\u0644\u0642 Zel.",
    )
    with retold.new(tmp_path / "night.retold") as campaign:
        campaign.play(
            "cast Zel\nsession Night\nscene Yard\n"
            f"narrate Zel: {maryam} waits at the gate.\nnarrate Zel: {arabic}\n"
        )
        write_folder(tmp_path / "site", site_of(campaign.scribe.campaign).items(), WHERE)
    seen = visit(tmp_path / "site" / "search.html", within=tmp_path / "site")
    look = (
        "all => all.map((one) => [one.dir, [...one.querySelectorAll('bdi')].map((name) => name.textContent)])"
    )
    fill(seen, "gate")
    assert seen.page.eval_on_selector_all("#found p", look) == [["ltr", [maryam]]]
    seen.page.fill("#asked", arabic.split(maxsplit=1)[0])

    assert seen.page.eval_on_selector_all("#found p", look) == [["rtl", []]]
    assert seen.tried == []


def test_without_scripts_the_search_says_so(site: Path, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "search.html").as_uri())

    assert page.locator("noscript").inner_text().startswith("The search needs scripts.")
    context.close()


def test_nothing_typed_does_anything_on_any_page(twins: Twins, visit: Open, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    write_folder(folder, site_of(twins.hostile).items(), WHERE)
    for seen in opened(folder, visit):
        assert [one for one in seen.page.eval_on_selector_all("*", ORDERS) if one[0] != "href"] == []
        seen.page.eval_on_selector_all("*:not(a)", TOUCHED)
        for typed in PAYLOADS[:: len(PAYLOADS) // 8] if seen.page.url.endswith("search.html") else ():
            look_for(seen, typed)
        assert set(seen.page.eval_on_selector_all("body *", "all => all.map(one => one.localName)")) <= {
            *ALLOWED,
            *("input", "label", "noscript", "script", "mark"),
        }
        seen.look(NARROW)
        assert seen.overhang() <= 0, seen.page.url
        assert seen.tried == [], seen.page.url
