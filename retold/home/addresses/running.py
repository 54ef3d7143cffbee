"""Starts home: finds one that runs, or serves, and opens the browser by a link for one use."""

from __future__ import annotations

import json
import sys
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Thread
from typing import Final

from retold import Refused
from retold.cli.output.writing_files import replaced
from retold.cli.service import running
from retold.cli.service.network import LIMITS, LOOPBACK, NetworkAddress, bind_sockets
from retold.cli.service.served_campaigns import open_campaigns
from retold.home.addresses.endpoints import AGAIN, COME, Home, large_files, routes
from retold.home.shelf.campaigns import Shelf

LARGEST: Final = 2**30
TOO_LARGE: Final = "A file that is brought in here has at most 1 GB."
BEGINS: Final = 3.0
"""Seconds that another home, begun at the same time, has until it answers."""


def run(shelf: Shelf, port: int) -> None:
    """Opens home in the browser, and serves it until it is closed; a second start opens the first one.

    Raises Refused if no browser can be opened.
    """
    state = shelf.settings.state / "home-runs.json"
    if opened_again(state):
        return
    try:
        address, sockets = bind_sockets(NetworkAddress(LOOPBACK, port))
    except Refused:  # by a home that begins, or by another program
        until = time.monotonic() + BEGINS
        while time.monotonic() < until:
            if opened_again(state):
                return
            time.sleep(0.1)
        address, sockets = bind_sockets(NetworkAddress(LOOPBACK, 0))
    home = Home(shelf, open_campaigns((), shelf.settings))
    limits = {**LIMITS, **dict.fromkeys(large_files(), (LARGEST, TOO_LARGE))}
    server = running.server(home.served, address, log=False, more=routes(home), limits=limits)
    home.served.url = server.url_in_network
    home.quit = lambda: setattr(server, "should_exit", True)
    with _noted(state, home, address.port):
        Thread(target=_open_once_it_runs, args=(server, address.port, home), daemon=True).start()
        running.run(server, sockets)
    if home.trouble:
        raise Refused(home.trouble)


@contextmanager
def _noted(state: Path, home: Home, port: int) -> Iterator[None]:
    """Context manager: says in a file of the user's own where this home answers."""
    state.parent.mkdir(parents=True, exist_ok=True)
    data = json.dumps({"port": port, "secret": home.control}).encode()
    replaced(state, [data], 0o600)
    try:
        yield
    finally:
        with suppress(OSError):
            if state.read_bytes() == data:
                state.unlink()


def opened_again(state: Path) -> bool:
    """Opens the home that runs already in the browser; False if none answers."""
    try:
        found = json.loads(state.read_text("utf-8"))
        port, secret = int(found["port"]), str(found["secret"])
        connection = HTTPConnection(LOOPBACK, port, timeout=BEGINS)
        connection.request("POST", AGAIN, headers={"Authorization": f"Bearer {secret}"})
        answer = connection.getresponse()
        link = json.loads(answer.read())["link"]
    except (OSError, ValueError, KeyError, TypeError, HTTPException):
        return False
    _open(port, link)
    return True


def _open_once_it_runs(server: running.Server, port: int, home: Home) -> None:
    """Opens the browser when requests are answered, and Ctrl-C ends the server."""
    while not server.started:
        time.sleep(0.01)
    _open(port, home.once(), home)


def _open(port: int, link: str, home: Home | None = None) -> None:
    """Opens the browser at a link for one use, which is printed nowhere."""
    if webbrowser.open(f"http://{LOOPBACK}:{port}{COME}#{link}"):
        sys.stderr.write("Retold is open in your browser.\n")
    elif home is not None:
        home.trouble = "No browser was found: install one, or name it in the variable BROWSER."
        home.quit()
