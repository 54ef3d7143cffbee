"""A table that is served, for the gallery: what somebody is told there, and a picture of what they see."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import retold  # noqa: E402 -- from here
from tests.cli.service.phone import serving  # noqa: E402 -- likewise

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EXAMPLE = HERE.parent / "examples" / "guenask" / "floating-school.session"
UNTIL = "see Tirza"


def played(folder: Path) -> Path:
    """A part of an example, played into a folder."""
    path = folder / f"{EXAMPLE.stem}.retold"
    lines = EXAMPLE.read_text("utf-8").splitlines()
    end = next(n for n, line in enumerate(lines) if line.startswith(UNTIL))
    with retold.new(path) as campaign:
        campaign.play("\n".join(lines[:end]))
    return path


def told(path: Path, viewer: str) -> bytes:
    """What a page of the table shows to somebody: all that happened, and what lies there."""
    with retold.open(path, read_only=True) as campaign:
        reading = campaign.seen_by(viewer)
        told = [one._asdict() for one in reading.told_live(0).values() if any(one[1:])]
        shown = {"told": told, "board": reading.board()}
    return f"{json.dumps(shown, ensure_ascii=False, indent=1)}\n".encode()


def picture(browser: Browser, path: Path, viewer: str, size: tuple[int, int], page: str) -> bytes:
    """What somebody sees on a page of the table, in the dark."""
    with serving(path, home=path.parent / "home") as service:
        shown = browser.new_page(
            viewport={"width": size[0], "height": size[1]}, color_scheme="dark", reduced_motion="reduce"
        )
        shown.goto(f"{service.place.url}#{service.phone(viewer).secret}")
        shown.wait_for_selector("#words [data-id]")
        if page:
            shown.goto(f"{shown.url}{page}")
        shown.wait_for_selector("#board > *:visible")
        shown.wait_for_timeout(1500)
        taken = shown.screenshot()
        shown.close()
    return bytes(taken)
