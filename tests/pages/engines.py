"""Firefox over WebDriver BiDi, and WebKitGTK's MiniBrowser over WebDriver."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.request import Request, urlopen

from tests.patience import PATIENCE

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

Answer = Any
MINI_BROWSER: Final = next(Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"), None)
KEYS: Final = {"Enter": "\ue007", "Escape": "\ue00c", "ArrowRight": "\ue014", "End": "\ue010"}
"""Code points by which WebDriver names keys."""
TALL: Final = 900
"""Height of a window in pixels."""


class Driver(Protocol):
    """What both protocols can do."""

    def open(self, url: str) -> None:
        """Opens a page, and returns once it is loaded."""

    def run(self, script: str) -> Answer:
        """Returns the value of an expression, as JSON has it."""

    def act(self, *actions: Mapping[str, object]) -> None:
        """Performs actions of keys and pointers, in the shape that both protocols share."""

    def resize(self, width: int) -> None:
        """Gives the page this width."""


class Engine:
    """A browser with one page, and what it complained of."""

    def __init__(self, driver: Driver, complaints: list[str]) -> None:
        self._driver = driver
        self.complaints = complaints
        self.open, self.run, self.resize = driver.open, driver.run, driver.resize

    def wait(self, script: str) -> Answer:
        """Returns the value of an expression as soon as it is true."""
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            if found := self.run(script):
                return found
            time.sleep(0.05)
        raise AssertionError(
            f"never true: {script}\n{self.complaints}\n{self.run('document.body.innerText')}"
        )

    def see(self, selector: str, words: str = "") -> None:
        """Waits until an element that has these words is visible."""
        found = f"[...document.querySelectorAll({json.dumps(selector)})]"
        self.wait(
            f"{found}.some(one => one.checkVisibility() && one.innerText.includes({json.dumps(words)}))"
        )

    def click(self, selector: str) -> None:
        """Clicks in the middle of the first visible element."""
        middle = self.wait(
            f"""(() => {{
              const all = [...document.querySelectorAll({json.dumps(selector)})];
              const one = all.find(one => one.checkVisibility());
              one?.scrollIntoView({{ block: "center", behavior: "instant" }});
              const box = one?.getBoundingClientRect();
              return box && {{ x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) }};
            }})()"""
        )
        move = {"type": "pointerMove", **middle, "origin": "viewport", "duration": 0}
        self._act("pointer", move, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def type(self, words: str) -> None:
        """Types words, or presses a key that has a name."""
        keys = [KEYS[words]] if words in KEYS else words
        self._act("key", *({"type": way, "value": key} for key in keys for way in ("keyDown", "keyUp")))

    def fill(self, selector: str, words: str) -> None:
        """Types words into an empty field."""
        self.click(selector)
        self.type(words)

    def overhang(self, width: int) -> int:
        """By how many pixels a page of this width has to be scrolled sideways."""
        self.resize(width)
        return int(self.run("document.documentElement.scrollWidth - innerWidth"))

    def _act(self, kind: str, *actions: Mapping[str, object]) -> None:
        self._driver.act({"type": kind, "id": kind, "actions": actions})


# --- Firefox ----------------------------------------------------------------------------------------------


class _Firefox:
    """One page over WebDriver BiDi; it hears errors and requests."""

    def __init__(self, socket: ClientConnection, complaints: list[str]) -> None:
        self._socket, self._complaints, self._ids = socket, complaints, count(1)
        self.at = ""
        self.send("session.new", capabilities={})
        self._page = self.send("browsingContext.getTree")["contexts"][0]["context"]
        self.send("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])

    def send(self, method: str, **parameters: object) -> Answer:
        """Returns what the browser answers to a command; keeps what it says of the page before that."""
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            heard = json.loads(self._socket.recv(PATIENCE))
            if heard.get("id") == number:
                assert heard["type"] == "success", heard
                return heard["result"]
            self._hear(heard["params"])

    def _hear(self, told: Answer) -> None:
        url = told["request"]["url"] if "request" in told else self.at
        if not url.startswith((self.at, "data:", "blob:")):
            self._complaints.append(f"request: {url}")
        elif "request" not in told:
            self._complaints.append(f"{told['level']}: {told['text']}")

    def open(self, url: str) -> None:
        self.at = url if url.startswith("file:") else "/".join(url.split("/")[:3])
        self.send("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def run(self, script: str) -> Answer:
        told = self.send(
            "script.evaluate",
            expression=f"JSON.stringify({script})",
            target={"context": self._page},
            awaitPromise=False,
        )
        assert told["type"] == "success", told
        return json.loads(told["result"].get("value", "null"))

    def act(self, *actions: Mapping[str, object]) -> None:
        self.send("input.performActions", context=self._page, actions=actions)

    def resize(self, width: int) -> None:
        viewport = {"width": width, "height": TALL}
        self.send("browsingContext.setViewport", context=self._page, viewport=viewport)


@contextmanager
def firefox(home: Path) -> Iterator[Engine]:
    """Runs Firefox with a home of its own."""
    from websockets.sync.client import connect  # noqa: PLC0415 -- only where a browser is

    command = [
        "firefox-esr",
        "--headless",
        "--no-remote",
        "--profile",
        str(home),
        "--remote-debugging-port=0",
    ]
    environment = {**os.environ, "HOME": str(home)}
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment
    ) as process:
        assert process.stderr
        heard = map(re.compile(r"BiDi listening on (\S+)").search, process.stderr)
        address = next(filter(None, heard))[1]
        complaints: list[str] = []
        try:
            with connect(f"{address}/session", max_size=None) as socket:
                driver = _Firefox(socket, complaints)
                yield Engine(driver, complaints)
                driver.send("browser.close")
        finally:
            process.kill()


# --- WebKit -----------------------------------------------------------------------------------------------


class _WebKit:
    """One page over WebDriver."""

    def __init__(self, address: str) -> None:
        self._at = address
        options = {"binary": str(MINI_BROWSER), "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._at += f"/session/{self._send('/session', capabilities=wanted)['sessionId']}"

    def _send(self, path: str, **parameters: object) -> Answer:
        body, headers = json.dumps(parameters).encode(), {"content-type": "application/json"}
        request = Request(f"{self._at}{path}", body, headers)
        with urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)["value"]

    def open(self, url: str) -> None:
        self._send("/url", url=url)

    def run(self, script: str) -> Answer:
        return self._send("/execute/sync", script=f"return {script}", args=[])

    def act(self, *actions: Mapping[str, object]) -> None:
        self._send("/actions", actions=actions)

    def resize(self, width: int) -> None:
        for _ in range(2):  # the first time tells what the window takes around the page
            around = self.run("outerWidth - innerWidth")
            self._send("/window/rect", width=width + around, height=TALL)


@contextmanager
def webkit(home: Path) -> Iterator[Engine]:
    """Runs WebKitGTK's MiniBrowser on a screen of its own that nobody sees."""
    quiet: Any = {"stderr": subprocess.DEVNULL, "stdout": subprocess.PIPE, "text": True}
    with ExitStack() as stack:

        def started(*command: str, **more: str) -> subprocess.Popen[str]:
            process = subprocess.Popen(command, env={**os.environ, "HOME": str(home), **more}, **quiet)
            stack.enter_context(process)
            stack.callback(process.kill)
            return process

        screen = started("Xvfb", "-displayfd", "1", "-screen", "0", f"1600x{TALL}x24", "-nolisten", "tcp")
        assert screen.stdout
        port = 20_000 + os.getpid() % 20_000
        started("WebKitWebDriver", f"--port={port}", DISPLAY=f":{screen.stdout.readline().strip()}")
        yield Engine(_patiently(lambda: _WebKit(f"http://127.0.0.1:{port}")), [])


def _patiently(begin: Callable[[], _WebKit]) -> _WebKit:
    """Returns a page as soon as the driver listens."""
    ends = time.monotonic() + PATIENCE
    while True:
        try:
            return begin()
        except OSError:
            if time.monotonic() > ends:
                raise
            time.sleep(0.05)


ENGINES: Final = {
    "firefox": (firefox, shutil.which("firefox-esr") is not None),
    "webkit": (webkit, all(map(shutil.which, ("WebKitWebDriver", "Xvfb"))) and MINI_BROWSER is not None),
}
"""Each browser by its name, and whether this computer has it."""
