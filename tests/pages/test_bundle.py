"""The bundle that `run.py bundle` makes: an evening from an empty home, in a browser, without a Python."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import retold
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "dist" / "retold" / "retold"

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the browser is a script of a shell"),
    pytest.mark.skipif(not PROGRAM.exists(), reason="python3 run.py bundle makes it, in some minutes"),
]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """An empty home of somebody who has double-clicked the program, without a Python on the path."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    own = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "BROWSER": f"{browser} %s", "LANG": "C.UTF-8"}
    started = subprocess.Popen([PROGRAM, "home", "--port", "0"], env=own, stderr=subprocess.DEVNULL)
    try:
        yield tmp_path
    finally:
        started.terminate()
        started.wait(PATIENCE)


def opened(home: Path) -> str:
    """The address that the browser was asked for."""
    end = time.monotonic() + PATIENCE
    while not (home / "opened").exists() or not (home / "opened").read_text():
        assert time.monotonic() < end, "no page was opened"
        time.sleep(0.05)
    return (home / "opened").read_text().strip()


def act(page: Page, button: str, **fields: str) -> None:
    page.locator("#acts").get_by_role("button", name=button, exact=True).click()
    for name, words in fields.items():
        page.fill(f"#act [name='{name}']", words)
    page.click("#act .send:not([disabled])")
    page.wait_for_selector("#act", state="hidden")


def test_an_evening_from_an_empty_home(browser: Browser, home: Path, tmp_path: Path) -> None:
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.goto(opened(home))
        page.wait_for_url("**/home/")
        page.fill("#title", "The Well")
        page.check("[value=d20]")
        page.fill("#master", "Mary")
        page.locator("[name=who]").nth(0).fill("Thia")
        page.locator("[name=by]").nth(0).fill("Jon")
        page.get_by_role("button", name="Begin", exact=True).click()
        page.wait_for_selector("#acts:not([hidden])")
        act(page, "Begin the session", title="Rain")
        act(page, "A scene", place="The well", words="Fog.")
        page.select_option("#speaker", label="Thia narrates")
        page.fill("#words-of", "The water is cold.")
        page.press("#words-of", "Enter")
        page.wait_for_selector("#words li:has-text('cold')")
        page.get_by_role("button", name="Recap").click()
        page.wait_for_selector("#asked:has-text('Rain')")
        for kind in ("html", "pdf", "docx"):
            page.get_by_role("button", name="Export").click()
            page.select_option("#save [name=format]", kind)
            with page.expect_download() as waited:
                page.click("#save .send")
            waited.value.save_as(tmp_path / f"evening.{kind}")
        act(page, "End the session")
        page.wait_for_selector("#acts button:has-text('Begin the session'):visible")

    with retold.new(tmp_path / "typed.retold", title="The Well", game="d20") as typed:
        typed.play(
            'cast gm by=Mary\ncast Thia by=Jon\nsession Rain\nscene "The well": Fog.\n'
            "narrate Thia: The water is cold.\nend session"
        )
        wanted = [event.told for event in typed.happened()]
    (path,) = home.glob("**/Retold/The Well.retold")
    with retold.open(path, read_only=True) as campaign:
        assert [event.told for event in campaign.happened()] == wanted
    assert all((tmp_path / f"evening.{kind}").stat().st_size > 1000 for kind in ("html", "pdf", "docx"))


def test_the_licences_lie_beside_it() -> None:
    names = {path.name for path in (PROGRAM.parent / "licences").iterdir()}

    assert {"LICENSE", "OFL.txt", "licences.md", "starlette LICENSE.md", "pillow LICENSE"} <= names
    assert not any(name.startswith("psycopg") for name in names)
    assert not list((PROGRAM.parent / "_internal").glob("psycopg*"))
