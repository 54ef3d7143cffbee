"""R21: whatever somebody typed, in pages that a real browser opens with their own guard taken away.

python -m tests.survival.browsing FOLDER opens the pages in a folder
"""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from random import Random

from msgspec.structs import replace

from retold.projections.exports import export
from tests.projections.payloads import MARKUP, PAYLOADS
from tests.projections.typed import scenes_of, transcript_of
from tests.survival.attacks import Found, NotRun

ROOT = Path(__file__).resolve().parents[2]
AT_ONCE = 40
"""So many texts are on one page."""

TOUCHED = """all => all.forEach(one => {
  for (const kind of ["mouseover", "focus", "error", "load", "toggle", "animationstart"])
    one.dispatchEvent(new Event(kind));
})"""


def open_pages(folder: Path, rounds: int, protected: bool) -> Found:
    """R21: so many texts, each in every part of a page; in a browser nothing that they say is done."""
    if find_spec("playwright") is None:
        raise NotRun("Playwright is not here: python3 run.py pages --version installs it")
    found, texts = Found(tried=rounds), _texts()
    for number in range(0, rounds, AT_ONCE):
        page = _page(list(islice(texts, min(AT_ONCE, rounds - number)))).decode()
        (folder / f"{number}.html").write_text(page if protected else html.unescape(page), "utf-8")
    command = [sys.executable, "-m", "tests.survival.browsing", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        raise NotRun(done.stdout.strip())
    found.damaged += done.returncode != 0
    found.untrue += len(json.loads(done.stdout)) if done.returncode == 0 else 0
    return found


def _texts() -> Iterator[str]:
    """Every payload there is, then pieces of markup put together as nobody would."""
    random, pieces = Random(21), [one for one in MARKUP.split("\n") if one]
    yield from PAYLOADS
    while True:
        cut = [random.choice(pieces) for _ in range(3)]
        yield "".join(one[random.randrange(len(one)) :] + one for one in cut)


def _page(texts: list[str]) -> bytes:
    scenes = [scene for number, text in enumerate(texts) for scene in scenes_of(text, number, None)]
    return export("html", replace(transcript_of(" ".join(texts)), scenes=tuple(scenes)))


def main(folder: str) -> int:
    """Opens every page in a folder; prints what any of them tried, and gives 77 where there is no browser."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 -- in its own surroundings alone

    from tests.pages.conftest import Visit  # noqa: PLC0415 -- as above

    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if path is None:
        sys.stdout.write("there is no Chromium on this computer")
        return 77
    tried: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context(bypass_csp=True, reduced_motion="reduce")
        for page in sorted(Path(folder).glob("*.html")):
            seen = Visit(context.new_page(), page.parent.as_uri())
            seen.watch()
            seen.page.goto(page.as_uri())
            seen.open_all()
            seen.page.eval_on_selector_all("*", TOUCHED)
            tried += seen.tried
            seen.page.close()
        browser.close()
    sys.stdout.write(json.dumps(tried))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
