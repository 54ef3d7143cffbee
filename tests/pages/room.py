"""Browsers at a table that is served: each somebody's device, and all that was ever sent to it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import retold
from retold import Happened
from retold.projections.story.live import LiveEvent
from tests.cli.service.phone import Phone, Serving, serving
from tests.pages.conftest import NARROW

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

ROOT = Path(__file__).parents[2]
LARGE = (1920, 1080)
"""The size of a screen for the room."""
MOST = 200
"""So many of the last words stand on a page."""
WORDS = "all => all.map((one) => one.dataset.id)"
NO_NETWORK = ("ERR_INTERNET_DISCONNECTED", "error occurred when fetching the script")
"""What a browser says of a request, and of its service worker, while it is offline."""


class Device:
    """A browser of somebody's: its page, the same link for a program, and if `kept` all that was sent."""

    link: Phone
    viewer: str

    def __init__(self, room: Room, size: tuple[int, int], *, kept: bool) -> None:
        width, height = size
        self.room = room
        self.har = room.folder / f"sent-{len(room.devices)}.har"
        self.context: BrowserContext = room.browser.new_context(
            viewport={"width": width, "height": height},
            reduced_motion="reduce",
            record_har_path=self.har if kept else None,
            record_har_content="embed",
            record_har_url_filter="**/c/**",  # all but our own files, which are the same for everybody
        )
        self.streamed: list[str] = []
        self.kept = kept
        self.page = self.open()

    def open(self) -> Page:
        """Opens a page; what is streamed to it and what it complains of are kept."""
        page = self.context.new_page()
        if self.kept:
            wire = self.context.new_cdp_session(page)
            wire.send("Network.enable")
            wire.on("Network.eventSourceMessageReceived", lambda one: self.streamed.append(one["data"]))
        self.room.watch(page)
        return page

    def come(self, viewer: str, slug: str | None = None) -> None:
        """Comes to a table by a link of its own, and hears the first words."""
        self.viewer = viewer
        self.link = self.room.service.phone(viewer, slug)
        self.page.goto(f"{self.room.service.place.url}#{self.link.secret}")
        self.page.wait_for_url(f"**/c/{self.link.slug}/as/*/")
        self.page.wait_for_selector("#words [data-id]")  # the script runs

    def sit(self, viewer: str, slug: str, page: str = "") -> None:
        """Has come to a table before, and opens one of its pages."""
        self.viewer = viewer
        self.link = self.room.service.phone(viewer, slug)
        at = self.room.service.place.url
        host = urlsplit(at).hostname
        served = self.room.service.shelf.served[slug]
        link = served.link(str(self.link.secret))
        assert link is not None
        whom = served.whom(link)
        name, value = f"retold-{slug}.{whom}", str(self.link.secret)
        self.context.add_cookies([{"name": name, "value": value, "path": f"/c/{slug}/", "domain": host}])
        self.page.goto(f"{at}c/{slug}/as/{whom}/{page}")

    def ids(self) -> list[str]:
        """The events whose words stand on the page, in order."""
        found: list[str] = self.page.eval_on_selector_all("#words [data-id]", WORDS)
        return found

    def told(self) -> list[str]:
        """The events that are for these eyes by now and that a page tells; as many as a page shows."""
        campaign = self.room.service.shelf.served[self.link.slug].campaign
        campaign.catch_up()
        reading = campaign.seen_by(self.viewer)
        live = reading.told_live(0)
        return [one.id for one in reading.happened()[-MOST:] if _is_told(one, live[one.id])]

    def catch_up(self) -> list[str]:
        """Waits for the last event, and gives those that stand there."""
        self.page.wait_for_selector(f"#words [data-id='{self.told()[-1]}']", state="attached")
        return self.ids()

    def sent(self) -> str:
        """Everything that ever came to this device, which is put away."""
        self.context.close()
        return self.har.read_text("utf-8") + "".join(self.streamed)


def _is_told(event: Happened, live: LiveEvent) -> bool:
    return bool(live.heading or live.words or (live.numbers and event.line))


class Room:
    """Browsers at a table, each of somebody, and all that any of them complained of."""

    def __init__(self, browser: Browser, service: Serving, folder: Path) -> None:
        self.browser, self.service, self.folder = browser, service, folder
        self.devices: list[Device] = []
        self.complaints: list[str] = []

    def device(self, size: tuple[int, int] = NARROW, *, kept: bool = False) -> Device:
        """Another device, whose complaints are kept, and all that is sent to it if `kept`."""
        device = Device(self, size, kept=kept)
        self.devices.append(device)
        return device

    def come(self, viewer: str, size: tuple[int, int] = NARROW) -> Page:
        """Somebody comes by their link, and has heard the first words."""
        device = self.device(size)
        device.come(viewer)
        return device.page

    def watch(self, page: Page) -> None:
        """Whatever it complains of is kept, but that it has no network."""
        page.on("console", lambda one: self._complain(one.text))
        page.on("pageerror", lambda one: self._complain(str(one)))
        page.on("dialog", lambda one: self._complain(one.message))

    def _complain(self, words: str) -> None:
        if not any(sign in words for sign in NO_NETWORK):
            self.complaints.append(words)

    def console(self, slug: str, lines: Sequence[str]) -> None:
        """Another process records these lines: the console, as it is at the end of a pipe."""
        path = str(self.service.shelf.served[slug].campaign.place)
        environment = {**os.environ, "RETOLD_HOME": str(self.folder / "home"), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-P", "-m", "retold", "play", "-c", path]
        said = "\n".join(lines).encode()
        subprocess.run(command, input=said, env=environment, check=True, capture_output=True)

    def program(self, slug: str, lines: Sequence[str]) -> None:
        """Another program records these lines."""
        with retold.open(self.service.shelf.served[slug].campaign.place) as other:
            other.play("\n".join(lines))


@contextmanager
def shelved(browser: Browser, folder: Path, scripts: Mapping[str, str]) -> Iterator[Room]:
    """Campaigns that were played so far, by their names, all served together."""
    paths = [folder / f"{name}.retold" for name in scripts]
    for path, script in zip(paths, scripts.values(), strict=True):
        with retold.new(path) as campaign:
            campaign.play(script)
    with serving(*paths, home=folder / "home") as service:
        room = Room(browser, service, folder)
        yield room
        for device in room.devices:
            device.context.close()


@contextmanager
def seated(browser: Browser, folder: Path, script: str) -> Iterator[Room]:
    """A campaign that was played so far, served."""
    with shelved(browser, folder, {"salt-road": script}) as room:
        yield room
