"""P12: the replay page of a long record, against a page of the asciinema player that plays the same words.

And how long replays take to make: one beside its transcript, those of a site beside a book of the same.
It needs Playwright (`python3 run.py pages --version` makes the environment that has it), Chromium, and the
packed player, which npm fetches (`npm pack asciinema-player`), or RETOLD_BENCH_PLAYER names.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.campaigns import grown, lived
from benchmarks.measuring import Figure, Goal, Task, as_installed, compare, counted, interleaved, show
from retold.projections.exports import replay
from retold.projections.exports.replay_builder import replay_of
from retold.projections.prose import voice_of
from retold.projections.reading import LineView, viewer_called
from retold.projections.reading.sessions import Stretch
from retold.projections.replay import Replay, ReplayLine
from retold.projections.story.transcript import of_range

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EVENTS = 10_000
ROUNDS = 7
SLOW = 50
"""Milliseconds after which a frame is seen to come late."""
FRAMES = 600
"""In so many of them the record is scrubbed from end to end."""
MOST_FRAMES = 2
PLAYER = "asciinema-player@3"
ROOT = Path(__file__).parent.parent

WATCH = """window.painted = new Promise((done) => new MutationObserver((_, watch) => {
  if (!document.documentElement?.hasAttribute("data-ready")) return;
  watch.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
}).observe(document, { attributes: true, subtree: true }));"""
"""Notes when a page that says it is ready has been painted."""

SEEK = """async () => {
  const frame = () => new Promise(requestAnimationFrame), slider = document.querySelector("#slider");
  const found = [];
  for (const part of [0.9, 0.1, 0.5, 0.99, 0.3]) {
    await new Promise((go) => setTimeout(go, 600));
    await frame();
    const wanted = Math.round(slider.max * part);
    slider.value = wanted;
    slider.dispatchEvent(new Event("input"));
    let frames = 0;
    const there = () => document.querySelector("#count").textContent.includes(`${wanted + 1} of`);
    for (; !there(); frames++) await frame();
    found.push(frames);
  }
  return found;
}"""

SCRUB = """async (frames) => {
  const slider = document.querySelector("#slider"), late = [];
  let last = await new Promise(requestAnimationFrame);
  for (let step = 0; step <= frames; step++) {
    slider.value = Math.round((slider.max * step) / frames);
    slider.dispatchEvent(new Event("input"));
    const now = await new Promise(requestAnimationFrame);
    late.push(now - last);
    last = now;
  }
  return late.slice(1);
}"""

PEER = """<!DOCTYPE html><html lang="en"><title>Peer</title><style>{style}</style><div id="player"></div>
<script type="text/plain" id="cast">{cast}</script><script>{script}</script><script>
const data = document.getElementById("cast").textContent;
window.player = AsciinemaPlayer.create({{ data }}, document.getElementById("player"), {{ preload: true }});
const ready = () => document.documentElement.setAttribute("data-ready", "");
const ask = () => player.getDuration() ? ready() : requestAnimationFrame(ask);
ask();
</script></html>"""


class Missing(Exception):  # noqa: N818 -- it is no error: a figure is not measured
    """What is not on this computer."""


def run() -> list[Figure]:
    """Measures it."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        told = _told(here)
        ours, theirs = here / "ours.html", here / "theirs.html"
        ours.write_bytes(replay.render(told.to_json()))
        why = None
        try:
            theirs.write_bytes(peer(told.lines[0], _player(here)))
        except Missing as missing:
            why = str(missing)
        sizes = [*_making(here), *_sizes(ours, None if why else theirs, why)]
        try:
            return [*sizes, *_in_browser(ours, None if why else theirs, why)]
        except Missing as missing:
            return [*sizes, *(_not_run(what, goal, str(missing)) for what, goal in IN_BROWSER)]


def _told(folder: Path) -> Replay:
    """A campaign's replay, as the whole table may see it."""
    with grown(folder / "a.retold", EVENTS) as campaign:
        reading = LineView(campaign, 1)
        seen = reading.through(viewer_called(reading.table, "table"))
        stretch = Stretch(0, seen.position)
        return replay_of(seen, stretch, of_range(seen, 0), voice_of("report"))


def _player(folder: Path) -> Path:
    """The packed player."""
    if at_hand := os.environ.get("RETOLD_BENCH_PLAYER"):
        return Path(at_hand)
    npm = shutil.which("npm")
    if npm is None:
        raise Missing("there is no npm here")
    done = subprocess.run([npm, "pack", "--silent", PLAYER], cwd=folder, capture_output=True, check=False)
    if done.returncode:
        raise Missing("npm did not fetch the player")
    return next(folder.glob("asciinema-player-*.tgz"))


def peer(line: ReplayLine, archive: Path) -> bytes:
    """The same steps and paragraphs as a recording of a terminal, in a page with its player."""
    with tarfile.open(archive) as packed:
        script = _member(packed, "package/dist/bundle/asciinema-player.min.js")
        style = _member(packed, "package/dist/bundle/asciinema-player.css")
    cast = [json.dumps({"version": 2, "width": 100, "height": 30})]
    before = -1
    for n, step in enumerate(line.steps):
        words = "".join(f"{one.text}\r\n" for one in line.blocks[before + 1 : step.block + 1])
        cast.append(json.dumps([float(n), "o", f"{step.told}\r\n{words}"], ensure_ascii=False))
        before = step.block
    shown = "\n".join(cast).replace("</", "<\\/")
    return PEER.format(style=style, script=script.replace("</script", "<\\/script"), cast=shown).encode()


def _member(packed: tarfile.TarFile, name: str) -> str:
    found = packed.extractfile(name)
    if found is None:
        raise Missing(f"there is no {name} in the player")
    return found.read().decode()


# --- how it is made ---------------------------------------------------------------------------------------


def _making(folder: Path) -> list[Figure]:
    """A replay of an evening of each game and many of one, and the site of the same."""
    path = folder / "lived.retold"
    with lived(path, EVENTS, branches=0) as campaign:
        reading = LineView(campaign, 1)
        n = reading.position
        told, stretch = of_range(reading, 0), Stretch(0, reading.position)
        one = interleaved(
            {
                "ours": lambda: replay_of(LineView(campaign, 1), stretch, told, voice_of("report")),
                "its transcript": lambda: of_range(LineView(campaign, 1), 0),
            }
        )
    all_of_it = interleaved({"ours": _exporting(path, "--site"), "a book": _exporting(path, "--book", "-o")})
    return [
        compare("P12", "a replay made", one, "ours", "its transcript", n=n, goal=Goal(5)),
        compare(
            "P12",
            "a site made, with the replay of each evening, whole process, against a book of one HTML page",
            all_of_it,
            "ours",
            "a book",
            n=n,
            goal=Goal(4),
        ),
    ]


def _exporting(path: Path, *words: str) -> Task:
    """The whole process that exports a campaign to a new place."""
    env, numbers = as_installed(path.parent), count()

    def task() -> None:
        into = path.with_name(f"{words[0].strip('-')}-{next(numbers)}{'.html' if '-o' in words else ''}")
        command = [sys.executable, "-m", "retold", "-c", str(path), "export", *words, str(into)]
        subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True)

    return task


# --- bytes ------------------------------------------------------------------------------------------------


def _sizes(ours: Path, theirs: Path | None, why: str | None) -> list[Figure]:
    """The page as a file, and as a server sends it that compresses what it sends."""
    file, sent = "bytes of the page", "bytes of the page, both sent by a server that compresses (gzip)"
    goal = Goal(0.35)
    if theirs is None:
        return [_not_run(file, str(goal), why or "")]
    mine, other = ours.read_bytes(), theirs.read_bytes()
    return [
        _size(file, len(mine), len(other), goal),
        _size(sent, len(gzip.compress(mine)), len(gzip.compress(other)), None),
    ]


def _size(what: str, mine: int, other: int, goal: Goal | None) -> Figure:
    ratio = float(f"{mine / other:.3g}")
    met = None if goal is None else goal.met(ratio)
    how = f"asciinema-player's page: {other:,} bytes; ours {mine:,}"
    return counted("P12", what, ratio, n=EVENTS, goal=str(goal or "-"), met=met, how=how)


# --- in a browser -----------------------------------------------------------------------------------------

READY, SEEN, SCRUBBED = (
    "until the page is ready",
    "frames until another moment is drawn, median of 35",
    f"frames over {SLOW} ms of {FRAMES}, scrubbed from end to end, median of {ROUNDS}",
)
IN_BROWSER = ((READY, "≤ 1x"), (SEEN, "≤ 2"), (SCRUBBED, "= 0"))


def _in_browser(ours: Path, theirs: Path | None, why: str | None) -> list[Figure]:
    """How both are opened, in turns, and how ours is gone through."""
    ready: dict[str, list[float]] = {"ours": [], "asciinema-player": []}
    seeks: list[float] = []
    late: list[list[float]] = []
    with _browser() as browser:
        for turn in range(ROUNDS + 1):
            first, sought, frames = visit(browser, ours, (SEEK, None), (SCRUB, FRAMES))
            other = visit(browser, theirs)[0] if theirs else 0.0
            if turn:
                ready["ours"].append(first / 1000)
                ready["asciinema-player"].append(other / 1000)
                seeks += sought
                late.append(frames)
    slow = statistics.median(sum(one > SLOW for one in frames) for frames in late)
    longest = statistics.median(max(frames) for frames in late)
    seen = statistics.median(seeks)
    opened = (
        compare("P12", READY, ready, "ours", "asciinema-player", n=1, goal=Goal(1))
        if theirs
        else _not_run(READY, "≤ 1x", why or "")
    )
    how = f"a count; the longest took {longest:.0f} ms"
    return [
        opened,
        counted("P12", SEEN, seen, n=EVENTS, goal="≤ 2", met=seen <= MOST_FRAMES, how="a count"),
        counted("P12", SCRUBBED, slow, n=EVENTS, goal="= 0", met=slow == 0, how=how),
    ]


@contextmanager
def _browser() -> Iterator[Browser]:
    """Chromium; Missing where it is not, or not to be driven."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise Missing("there is no Playwright here: python3 run.py pages --version") from None
    chromium = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if chromium is None:
        raise Missing("there is no Chromium here")
    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


def visit(browser: Browser, page: Path, *scripts: tuple[str, object]) -> list[Any]:
    """When a page was ready, in milliseconds, and what it answers to some scripts."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    tab.add_init_script(WATCH)
    tab.goto(page.as_uri())
    found = [tab.evaluate("window.painted"), *(tab.evaluate(*one) for one in scripts)]
    tab.close()
    return found


def _not_run(what: str, goal: str, why: str) -> Figure:
    return counted("P12", what, None, n=0, goal=goal, met=None, how=f"not run: {why}")


if __name__ == "__main__":
    show(run())
