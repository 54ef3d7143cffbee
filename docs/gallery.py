"""Makes docs/gallery from the examples: `.venv-test/bin/python docs/gallery.py [NAME…]`.

Each page is what one command writes, and a picture of it as a reader shows it: Chromium, pdftoppm for a PDF,
LibreOffice for a DOCX. A picture whose reader is not on this computer is left as it is, and said.
"""

from __future__ import annotations

import base64
import contextlib
import io
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from html import escape
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from unittest.mock import patch

from fountain.parser import FountainParser
from fountain.renderer import HTMLRenderer
from markdown_it import MarkdownIt

from retold.__main__ import main
from retold.journal.store.events.clock import Clock

if TYPE_CHECKING:
    from playwright.sync_api import Browser

HERE = Path(__file__).parent / "gallery"
EXAMPLES = Path(__file__).parent.parent / "examples"
ALL = "*"
SHARP = 1.5
"""Pixels of a picture for each of the page."""


# --- what is shown ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Page:
    """A page of the gallery: the example it is of, what is typed, and what kind of reader shows the file."""

    name: str
    example: str
    words: str
    file: str
    reader: str
    about: str
    without: str = ""
    """What of it is not kept, for another is like it: a folder in it, or `*` for the whole file."""

    @property
    def command(self) -> str:
        """What is typed."""
        return f"retold {self.words.format(self.file)}"


Shown = Callable[["Browser", Path], bytes]


def in_browser(
    width: int = 900, height: int = 1150, *, dark: bool = False, opened: int | None = None, at: str = "h1"
) -> Shown:
    """As a browser shows it from a place on, one of its folded blocks opened."""

    def show(browser: Browser, path: Path) -> bytes:
        page = browser.new_page(
            viewport={"width": width, "height": height},
            device_scale_factor=SHARP,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        page.goto(path.as_uri())
        if opened is not None:
            page.locator("details").nth(opened).evaluate("one => one.open = true")
        page.locator(at).first.evaluate("one => one.scrollIntoView({block: 'center'})")
        picture = page.screenshot()
        page.close()
        return bytes(picture)

    return show


def in_replay(width: int, height: int, at: float, *, dark: bool = False, sharp: float = SHARP) -> Shown:
    """As a browser shows a page that is stepped through, that part of the way along."""

    def show(browser: Browser, path: Path) -> bytes:
        page = browser.new_page(
            viewport={"width": width, "height": height},
            device_scale_factor=sharp,
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",
        )
        page.goto(path.as_uri())
        page.locator("html[data-ready]").wait_for(state="attached")
        script = (
            "(slider, at) => { slider.value = slider.max * at; slider.dispatchEvent(new Event('input')); }"
        )
        page.locator("#slider").evaluate(script, at)
        page.wait_for_timeout(600)
        picture = page.screenshot()
        page.close()
        return bytes(picture)

    return show


def as_drawing(browser: Browser, path: Path) -> bytes:
    """A map that is a file, to its edges."""
    page = browser.new_page(device_scale_factor=SHARP)
    page.goto(path.as_uri())
    picture = page.locator("svg").first.screenshot()
    page.close()
    return bytes(picture)


TABLE = runpy.run_path(str(HERE.parent / "table_pictures.py"))
LIVE = {"phone": ("Lou", (390, 844), ""), "stage": ("table", (1280, 720), "stage")}
"""Pages of a table that is served: whose they are, how large they are shown, and which they are."""


def at_the_table(viewer: str, size: tuple[int, int], page: str) -> Shown:
    """What somebody sees of a table that is served; the file beside it says what they are told there."""

    def show(browser: Browser, _path: Path) -> bytes:
        with quiet_home() as folder:
            return bytes(TABLE["picture"](browser, TABLE["played"](folder), viewer, size, page))

    return show


PAPER = "margin:0; background:#fff; color:#1c1c1c;"


def as_text(width: int = 820) -> Shown:
    """As an editor shows it: the first lines, letter by letter."""

    def show(browser: Browser, path: Path) -> bytes:
        style = f"{PAPER} padding:28px 34px; font:14px/1.5 'DejaVu Sans Mono', monospace; white-space:pre;"
        lines = path.read_text("utf-8").split("\n")[:52]
        return _of(browser, f'<body style="{style}">{escape(chr(10).join(lines))}</body>', width)

    return show


FOLDED = re.compile(r"<blockquote>\s*<p>\[!dice\]- ([^<]*)</p>.*?</blockquote>", re.DOTALL)
BLOCK_ID = re.compile(r" \^[\w-]+(?=</p>|</li>)")


def as_notebook(browser: Browser, path: Path) -> bytes:
    """As a note book shows it: callouts closed, properties and block ids out of sight."""
    text = path.read_text("utf-8").split("\n---\n", 1)[1]
    shown = MarkdownIt("commonmark").enable("table").render(text)
    shown = BLOCK_ID.sub("", FOLDED.sub(r'<p class="callout">▸ \1</p>', shown))
    style = f"{PAPER} max-width:720px; padding:20px 60px; font:16px/1.55 'Liberation Serif', serif;"
    more = (
        ".callout{background:#eef1f6; border-radius:4px; padding:5px 12px; font:600 13px 'Liberation Sans'}"
    )
    more += "pre{font-size:13px; white-space:pre-wrap}"
    return _of(browser, f'<style>{more}</style><body style="{style}">{shown}</body>')


def as_script(browser: Browser, path: Path) -> bytes:
    """As fountain-py, which is not ours, lays it out."""
    document = FountainParser().parse(path.read_text("utf-8"))
    more = (
        ".fountain-script{padding:.4in} .fountain-title-page{margin-bottom:.5in} .fountain-note{color:#777}"
    )
    return _of(
        browser, f'<body style="{PAPER}">{HTMLRenderer().render_page(document)}<style>{more}</style></body>'
    )


def as_book(browser: Browser, path: Path) -> bytes:
    """The first of an EPUB's pages, each as a reader would turn it, though by Chromium."""
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
        pages = ("title", "nav", "cast", "chapter-2")
        found = [next(Path(folder).rglob(f"{name}.xhtml")) for name in pages]
        show = in_browser(460, 640)
        return _side_by_side(browser, [show(browser, one) for one in found], across=2)


def as_paper(browser: Browser, path: Path) -> bytes:
    """The first four pages of a PDF, by pdftoppm."""
    with tempfile.TemporaryDirectory() as folder:
        _run("pdftoppm", "-png", "-r", "110", "-l", "4", str(path), f"{folder}/page")
        pages = [one.read_bytes() for one in sorted(Path(folder).glob("page*.png"))]
    return _side_by_side(browser, pages, across=2)


def as_document(browser: Browser, path: Path) -> bytes:
    """The first pages of a DOCX, by LibreOffice."""
    with tempfile.TemporaryDirectory() as folder:
        profile = f"-env:UserInstallation=file://{folder}/profile"
        _run("soffice", profile, "--headless", "--convert-to", "pdf", "--outdir", folder, str(path))
        return as_paper(browser, Path(folder) / f"{path.stem}.pdf")


class Missing(Exception):  # noqa: N818 -- it is no error: a picture is left as it was
    """A reader that is not on this computer."""


def _run(program: str, *arguments: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise Missing(program)
    subprocess.run([found, *arguments], check=True, capture_output=True)  # noqa: S603 -- words of our own


def _side_by_side(browser: Browser, pictures: Sequence[bytes], across: int) -> bytes:
    shown = "".join(f'<img src="data:image/png;base64,{base64.b64encode(one).decode()}">' for one in pictures)
    style = f"display:grid; grid-template-columns:repeat({across},1fr); gap:16px; padding:16px; margin:0;"
    more = "img{width:100%; box-shadow:0 1px 5px #0006} body{background:#c9c6c0}"
    return _of(browser, f'<style>{more}</style><body style="{style}">{shown}</body>', whole=True)


def _of(browser: Browser, html: str, width: int = 900, *, whole: bool = False) -> bytes:
    page = browser.new_page(viewport={"width": width, "height": 1150}, device_scale_factor=SHARP)
    page.set_content(f"<!DOCTYPE html>{html}")
    picture = page.screenshot(full_page=whole)
    page.close()
    return bytes(picture)


def as_site(page: str, shown: Shown) -> Shown:
    """A page of a site."""
    return lambda browser, folder: shown(browser, folder / page)


READERS: dict[str, Shown] = {
    "page": in_browser(),
    "opened page": in_browser(height=1500, opened=2),
    "map in a page": in_browser(at="figure.plate"),
    "replay": in_replay(1160, 800, 0.6),
    "table of a replay": in_replay(1000, 640, 0.4, sharp=1),
    "replay on a telephone": in_replay(390, 844, 0.79, dark=True),
    "cover of a replay": in_browser(800, 640),
    "telephone": in_browser(390, 844, dark=True, at="article h3"),
    "wide page": in_browser(1250, 740),
    "contents of a site": as_site("index.html", in_browser(height=740)),
    "session of a site": as_site("sessions/2.html", in_browser(390, 844, dark=True)),
    "variations": in_browser(at=".variation > :first-child"),
    "drawing": as_drawing,
    "card": in_browser(1200, 664),
    "text": as_text(),
    "narrow text": as_text(560),
    "note book": as_notebook,
    "script": as_script,
    "book": as_book,
    "paper": as_paper,
    "document": as_document,
    **{name: at_the_table(*seen) for name, seen in LIVE.items()},
}


def pages() -> list[Page]:
    """The pages, as docs/gallery.toml names them."""
    table = tomllib.loads((HERE.parent / "gallery.toml").read_text("utf-8"))
    return [Page(name, **about) for name, about in table.items()]


# --- how it is made ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evening(Clock):
    """A clock that is the same each time, and goes on by twenty seconds whenever it is looked at."""

    _ticks: count[int] = field(default_factory=count)

    def now(self) -> tuple[str, int]:
        """Some time in an evening of March."""
        at = datetime(2026, 3, 14, 19, tzinfo=UTC) + timedelta(seconds=20 * next(self._ticks))
        return f"{at.isoformat(timespec='microseconds').removesuffix('+00:00')}Z", 0

    def act(self) -> str:
        """The next number, as an id is written."""
        return base64.urlsafe_b64encode(self.salt()).rstrip(b"=").decode()

    def salt(self) -> bytes:
        """The next number in 16 bytes."""
        return next(self._ticks).to_bytes(16, "big")

    def campaign(self) -> str:
        """Always the same bits."""
        return "0123456789abcdef" * 2


@contextlib.contextmanager
def quiet_home() -> Iterator[Path]:
    """A folder in which campaigns are played at the same time each time, with nobody's settings."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        clock = Evening()
        fixed = patch.multiple(
            Clock,
            now=lambda _: clock.now(),
            act=lambda _: clock.act(),
            salt=lambda _: clock.salt(),
            campaign=lambda _: clock.campaign(),
        )
        with patch.dict(os.environ, RETOLD_HOME=folder), fixed:
            yield Path(folder)


def write(page: Page, into: Path = HERE) -> Path:
    """Plays the page's example and writes its file, or its folder: the same bytes each time."""
    path = into / page.file
    with quiet_home() as folder:
        if page.reader in LIVE:
            path.write_bytes(TABLE["told"](TABLE["played"](folder), LIVE[page.reader][0]))
            return path
        campaign = str(folder / "played.retold")
        played = main(["run", "--new", "-q", "-c", campaign, str(EXAMPLES / f"{page.example}.session")])
        force = ["--force"] if path.suffix else []  # a folder is never written over
        written = main(["-c", campaign, *page.words.format(path).split(), *force])
    if played or written:
        sys.exit(f"{page.command} could not be done.")
    return path


def leave_out(page: Page, path: Path) -> None:
    """Removes what is not kept of what was written."""
    if page.without == ALL:
        path.unlink()
    elif page.without:
        shutil.rmtree(path / page.without)


def index() -> str:
    """The gallery's own page."""
    parts = [
        f"## {one.name.capitalize()}\n\n{one.about} `{one.command}`, of"
        f" [{one.example}](../../examples/{one.example}.session){_gives(one)}.\n\n"
        f"![{one.about}]({one.name}.png)\n"
        for one in pages()
    ]
    return "\n".join((BEGINNING, *parts))


def _gives(page: Page) -> str:
    if page.without == ALL:
        return ""
    if page.reader in LIVE:
        return f", shows what is in [{page.file}]({page.file})"
    given = f", gives [{page.file}]({page.file})"
    return f"{given}, of which `{page.without}` is left out here" if page.without else given


BEGINNING = """\
# The gallery

A page of each format, made from the examples by [gallery.py](../gallery.py), as a reader shows it: Chromium,
pdftoppm for the PDF, LibreOffice for the DOCX. Beside each picture lies the file it was made of; of the pages
to step through only [one](replay.replay.html), for all have the same style and scripts in them. Beside
pictures of a table that is served lies what is told there.
"""


def make(names: Sequence[str]) -> None:
    """Writes the pages of these names (all, if none is given), their pictures, and the index."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- the index alone needs no browser

    HERE.mkdir(exist_ok=True)
    with sync_playwright() as driver:
        chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for page in pages():
            if names and page.name not in names:
                continue
            path = write(page)
            try:
                (HERE / f"{page.name}.png").write_bytes(READERS[page.reader](browser, path))
            except Missing as missing:
                sys.stderr.write(f"{page.name}.png is left as it was: {missing} is not on this computer.\n")
            leave_out(page, path)
        browser.close()
    (HERE / "README.md").write_text(index(), "utf-8")


if __name__ == "__main__":
    make(sys.argv[1:])
