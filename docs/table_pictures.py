"""Takes phone.png and stage.png of a table that is served: `.venv-browser/bin/python docs/table_pictures.py`.

A live page has a clock and a port of its own, so that these are pictures alone, and nobody compares them.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import retold  # noqa: E402 -- from here
from tests.cli.service.phone import Serving, serving  # noqa: E402 -- likewise

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EXAMPLE = HERE.parent / "examples" / "guenask" / "floating-school.session"
UNTIL = "see Tirza"
PHONE, STAGE = (390, 844), (1280, 720)


def picture(browser: Browser, service: Serving, viewer: str, size: tuple[int, int], page: str) -> bytes:
    """What somebody sees on a page of the table."""
    width, height = size
    shown = browser.new_page(
        viewport={"width": width, "height": height}, color_scheme="dark", reduced_motion="reduce"
    )
    shown.goto(f"{service.place.url}#{service.phone(viewer).secret}")
    shown.wait_for_selector("#words li")
    if page:
        shown.goto(f"{shown.url}{page}")
    shown.wait_for_selector("#board > *:visible")
    shown.wait_for_timeout(1500)
    taken = shown.screenshot()
    shown.close()
    return bytes(taken)


def make() -> None:
    """Plays a part of an example, serves it, and takes both pictures."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- only where a browser is

    lines = EXAMPLE.read_text("utf-8").splitlines()
    until = next(n for n, line in enumerate(lines) if line.startswith(UNTIL))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "floating-school.retold"
        with retold.new(path) as campaign:
            campaign.play("\n".join(lines[:until]))
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with serving(path, home=Path(folder) / "home") as service:
            (HERE / "phone.png").write_bytes(picture(browser, service, "Lou", PHONE, ""))
            (HERE / "stage.png").write_bytes(picture(browser, service, "table", STAGE, "stage"))
        browser.close()


if __name__ == "__main__":
    make()
