"""P12: the replay page of a long record, and a page of the asciinema player that plays the same words.

.venv-browser/bin/python -m benchmarks.replay_page [STEPS] [asciinema-player-N.tgz]

The peer is what `npm pack asciinema-player` fetches; without it only our own figures are printed. Both pages
are opened in Chromium in turns; a figure is the median of five. Nothing here is asserted.
"""

from __future__ import annotations

import json
import shutil
import statistics
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from projections.exports import replay
from tests.pages.replays import Value, long

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROUNDS = 5
SLOW = 50
"""Milliseconds after which a frame is seen to come late."""

WATCH = """new MutationObserver((_, watch) => {
  if (!document.documentElement?.hasAttribute("data-ready")) return;
  watch.disconnect();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.readyAt = performance.now(); }));
}).observe(document, { attributes: true, subtree: true });"""
"""Notes when a page that says it is ready has been painted."""

SEEK = """async () => {
  const frame = () => new Promise(requestAnimationFrame), slider = document.querySelector("#slider");
  const found = [];
  for (const part of [0.9, 0.1, 0.5, 0.99, 0.3]) {
    await new Promise((go) => setTimeout(go, 600));
    await frame();
    const wanted = Math.round(slider.max * part), begun = performance.now();
    slider.value = wanted;
    slider.dispatchEvent(new Event("input"));
    let frames = 0;
    const there = () => document.querySelector("#count").textContent.includes(`${wanted + 1} of`);
    for (; !there(); frames++) await frame();
    found.push([performance.now() - begun, frames]);
  }
  return found;
}"""

SCRUB = """async () => {
  const slider = document.querySelector("#slider"), late = [];
  let last = performance.now();
  for (let step = 0; step <= 600; step++) {
    slider.value = Math.round((slider.max * step) / 600);
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

PEER_SEEK = """async () => {
  const frame = () => new Promise(requestAnimationFrame), all = player.getDuration(), found = [];
  for (const part of [0.9, 0.1, 0.5, 0.99, 0.3]) {
    await frame();
    const begun = performance.now();
    await player.seek(all * part);
    await frame();
    found.push([performance.now() - begun, 1]);
  }
  return found;
}"""


def peer(value: Value, archive: Path) -> bytes:
    """The same steps and paragraphs as a recording of a terminal, in a page with its player."""
    with tarfile.open(archive) as packed:
        script = _member(packed, "package/dist/bundle/asciinema-player.min.js")
        style = _member(packed, "package/dist/bundle/asciinema-player.css")
    line = value["lines"][0]
    cast = [json.dumps({"version": 2, "width": 100, "height": 30})]
    before = -1
    for n, told in enumerate(line["steps"]["told"]):
        block = line["steps"]["block"][n]
        words = "".join(f"{one['text']}\r\n" for one in line["blocks"][before + 1 : block + 1])
        cast.append(json.dumps([float(n), "o", f"{told}\r\n{words}"], ensure_ascii=False))
        before = block
    shown = "\n".join(cast).replace("</", "<\\/")
    return PEER.format(style=style, script=script.replace("</script", "<\\/script"), cast=shown).encode()


def _member(packed: tarfile.TarFile, name: str) -> str:
    found = packed.extractfile(name)
    if found is None:
        sys.exit(f"There is no {name} in that package.")
    return found.read().decode()


def visit(browser: Browser, page: Path, *scripts: str) -> list[Any]:
    """When a page was ready, in milliseconds, and what it answers to some scripts."""
    tab = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    tab.add_init_script(WATCH)
    tab.goto(page.as_uri())
    tab.wait_for_function("window.readyAt")
    found = [tab.evaluate("window.readyAt"), *(tab.evaluate(one) for one in scripts)]
    tab.close()
    return found


def say(name: str, path: Path, visits: list[list[Any]]) -> None:
    """One page's figures on a line."""
    ready = statistics.median(one[0] for one in visits)
    seeks = [seek for one in visits for seek in one[1]]
    took, frames = (statistics.median(column) for column in zip(*seeks, strict=True))
    print(
        f"{name}: {path.stat().st_size:,} bytes, ready {ready:.0f} ms,"
        f" seek {took:.1f} ms ({frames:.0f} frames)"
    )
    if len(visits[0]) > len(("ready", "seek")):
        late = [sum(frame > SLOW for frame in one[2]) for one in visits]
        print(
            f"  scrubbed from end to end in 600 frames, over {SLOW} ms: {late},"
            f" the longest {max(max(one[2]) for one in visits):.0f} ms"
        )


def main(arguments: list[str]) -> None:
    """Makes the pages, opens them in turns, and prints what came out."""
    from playwright.sync_api import sync_playwright

    value = long(int(arguments[0]) if arguments else 10_000)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        ours, theirs = Path(folder, "ours.html"), Path(folder, "theirs.html")
        ours.write_bytes(replay.render(value))
        if arguments[1:]:
            theirs.write_bytes(peer(value, Path(arguments[1])))
        found: dict[str, list[list[Any]]] = {"ours": [], "asciinema": []}
        for _ in range(ROUNDS):
            found["ours"].append(visit(browser, ours, SEEK, SCRUB))
            if arguments[1:]:
                found["asciinema"].append(visit(browser, theirs, PEER_SEEK))
        browser.close()
        say("ours", ours, found["ours"])
        if arguments[1:]:
            say("asciinema", theirs, found["asciinema"])


if __name__ == "__main__":
    main(sys.argv[1:])
