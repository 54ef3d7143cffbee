"""A browser for every test of a page, with traps for all that a page must never do."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.projections.played import FEW, named, played
from tests.projections.twins import PLAYED, twins_of

if TYPE_CHECKING:
    from playwright.sync_api import (
        Browser,
        Dialog,
        FloatRect,
        Locator,
        Page,
        Request,
        Route,
    )

    from retold.journal.store.writing.campaign import CampaignStore
    from tests.projections.twins import Twins

WIDE, NARROW = (1280, 900), (390, 844)
"""The sizes of a desk and of a telephone."""

SIGHTS = ((WIDE, "light"), (NARROW, "dark"))
"""The sizes and schemes in which a page is looked at."""

AT_REST = """(() => {
  const begin = window.setTimeout, end = window.clearTimeout, waiting = new Set();
  const drawn = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
  window.setTimeout = (run, after = 0, ...given) => {
    if (after > 500) return begin(run, after, ...given);
    const number = begin(() => { waiting.delete(number); run(...given); }, after / 10);
    waiting.add(number);
    return number;
  };
  window.clearTimeout = (number) => { waiting.delete(number); end(number); };
  window.atRest = async () => {
    do {
      await new Promise(done => begin(done));
      await drawn();
    } while (waiting.size);
  };
})()"""
"""Makes a page's short timers ten times as fast; `atRest` waits until none of them runs and all is drawn."""


@dataclass
class Visit:
    """A page that is open, and what it has tried so far; a good one tries nothing."""

    page: Page
    folder: str
    tried: list[str] = field(default_factory=list)
    spoilt: bool = False
    """True if what was done to the page lasts, as of its clock: it serves no other visit."""

    def watch(self) -> None:
        """Sets the traps: for requests beyond its folder, dialogs, new windows, errors, and what it says."""
        page = self.page
        page.on("dialog", self._refuse)
        page.on("popup", lambda one: self.tried.append(f"window: {one.url}"))
        page.on("download", lambda one: self.tried.append(f"download: {one.url}"))
        page.on("console", lambda one: self.tried.append(f"console: {one.text}"))
        page.on("pageerror", lambda one: self.tried.append(f"error: {one}"))
        page.route("**/*", self._judge)

    def left(self) -> bool:
        """Leaves the page as a new one is; False if it cannot, and is closed."""
        if self.tried or self.spoilt or self.page.is_closed():
            self.page.context.close()
            return False
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.page.goto("about:blank")
        self.page.mouse.move(-1, -1)
        self.page.emulate_media(media="null", color_scheme="light")
        self.page.set_viewport_size({"width": 1280, "height": 720})
        return True

    def _refuse(self, dialog: Dialog) -> None:
        self.tried.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _judge(self, route: Route, request: Request) -> None:
        if request.url.startswith(self.folder):
            route.continue_()
        else:
            self.tried.append(f"request: {request.url}")
            route.abort()

    def look(self, size: tuple[int, int] = WIDE, scheme: str = "light") -> None:
        """Looks at it in that size and colour scheme, once a replay is laid out to them."""
        self.page.set_viewport_size({"width": size[0], "height": size[1]})
        self.page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        self.page.evaluate("window.atRest && document.querySelector('#story') ? atRest() : null")

    def open_all(self) -> None:
        """Opens all that is folded."""
        self.page.eval_on_selector_all("details", "all => all.forEach(one => one.open = true)")

    def overhang(self) -> int:
        """By how many pixels it has to be scrolled sideways."""
        return int(self.page.evaluate("document.documentElement.scrollWidth - innerWidth"))

    def faults(self, *but: str) -> list[str]:
        """What the accessibility checker finds, best practices too, by all its rules `but` these."""
        from axe_playwright_python.base import AXE_SCRIPT  # noqa: PLC0415 -- only where a browser is

        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        options = {
            "preload": False,
            "resultTypes": ["violations"],  # the others would be listed node by node
            "rules": {rule: {"enabled": False} for rule in but},
        }
        found = self.page.evaluate("options => axe.run(options)", options)
        return [
            f"{rule['id']}: {node['html'][:120]} ({node['failureSummary']})"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]


def within_reach(seen: Visit, *but: str, turn: int | None = None) -> None:
    """In each size and scheme nothing hangs over the edge or is asked for, and there is no fault `but` these.

    To look for faults takes most of the time: `turn` is the number of a page among many of a kind, and each
    of them is looked through in one size and scheme alone.
    """
    for number, (size, scheme) in enumerate(SIGHTS):
        seen.look(size, scheme)

        assert seen.overhang() <= 0, seen.page.url
        if turn is None or turn % len(SIGHTS) == number:
            assert seen.faults(*but) == [], seen.page.url
    assert seen.tried == []


Open = Callable[..., Visit]


def box(one: Locator) -> FloatRect:
    """Where on the page something is to be seen, in pixels."""
    found = one.bounding_box()
    assert found is not None
    return found


def visible(elements: Locator) -> list[bool]:
    """For each element: True if somebody sees it. There is at least one."""
    script = """elements => elements.map(element => {
      const { width, height } = element.getBoundingClientRect();
      const shows = element.checkVisibility() && getComputedStyle(element).visibility === "visible";
      return shows && width > 0 && height > 0;
    })"""
    found: list[bool] = elements.evaluate_all(script)
    assert found
    return found


def boxes(elements: Locator) -> list[FloatRect]:
    """Place and size in pixels of each element on the page; there is at least one, and none takes no room."""
    script = """elements => elements.map(element => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return element.getClientRects().length ? { x, y, width, height } : null;
    })"""
    found: list[FloatRect] = elements.evaluate_all(script)
    assert found
    assert all(found)
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The Chromium that is installed; the one without windows, which does the same for less, if it is."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- as above

    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        pytest.skip("there is no Chromium on this computer")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="session")
def idle() -> Mapping[bool, list[Visit]]:
    """Pages that nobody visits, unguarded ones and others: to open another takes as long as to look at it."""
    return {True: [], False: []}


@pytest.fixture
def visit(browser: Browser, idle: Mapping[bool, list[Visit]], tmp_path: Path) -> Iterator[Open]:
    """Opens a page from its bytes or its file; `unguarded` without what the page itself forbids scripts.

    The first screen of a replay is left, unless it stays (`covered`). The page may ask for what lies
    `within` a folder: its own, unless another is named.
    """
    taken: list[tuple[bool, Visit]] = []

    def opened(
        page: bytes | Path,
        suffix: str = ".html",
        *,
        unguarded: bool = False,
        within: Path | None = None,
        covered: bool = False,
    ) -> Visit:
        path = page if isinstance(page, Path) else tmp_path / f"page-{len(taken)}{suffix}"
        if isinstance(page, bytes):
            path.write_bytes(page)
        one = idle[unguarded].pop() if idle[unguarded] else _new(browser, unguarded=unguarded)
        one.folder = (within or path.parent).as_uri()
        taken.append((unguarded, one))
        one.page.goto(path.as_uri())
        if one.page.locator("#replay").count():
            one.page.locator("html[data-ready]").wait_for(state="attached")
            if not covered:
                one.page.keyboard.press("Escape")
            one.page.evaluate("atRest()")
        return one

    yield opened
    for unguarded, one in taken:
        if one.left():
            idle[unguarded].append(one)


def _new(browser: Browser, *, unguarded: bool) -> Visit:
    """A page without a visitor in a context of its own."""
    context = browser.new_context(bypass_csp=unguarded, reduced_motion="reduce")
    context.add_init_script(AT_REST)
    one = Visit(context.new_page(), "")
    one.watch()
    return one


@pytest.fixture(scope="session", params=FEW, ids=named)
def campaign(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CampaignStore]:
    """An example of each game, played."""
    with played(request.param, tmp_path_factory.mktemp("played")) as one:
        yield one


@pytest.fixture
def turn(request: pytest.FixtureRequest) -> int:
    """The number of the example, for what the examples do by turns."""
    return FEW.index(request.node.callspec.params["campaign"])


@pytest.fixture(scope="session", params=PLAYED, ids=named)
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    """An example of each game with payloads in every field, and its harmless twin."""
    with twins_of(request.param, tmp_path_factory.mktemp("twins")) as both:
        yield both
