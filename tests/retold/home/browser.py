"""Home as it runs in a thread of a test, and a browser without a window that speaks to it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from retold.cli.campaigns.settings import Settings
from retold.cli.service import running
from retold.cli.service.network import LIMITS, LOOPBACK, NetworkAddress, bind_sockets
from retold.cli.service.served_campaigns import open_campaigns
from retold.home.addresses.endpoints import Home, large_files, routes
from retold.home.shelf.campaigns import Shelf
from tests.patience import PATIENCE

IN_THE_NETWORK: Final = "192.168.1.5"
"""A name that phones would have for this computer."""
LARGEST: Final = 200_000
"""Bytes of a file that is brought in here."""


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    @property
    def said(self) -> str:
        """The sentence of a page."""
        found = re.search(r'<p id="says"[^>]*>(.*?)</p>', self.body.decode(), re.DOTALL)
        return unescape(found[1]) if found else ""


class Browser:
    """A browser: it keeps cookies by their path, and says where its requests come from."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookies: dict[tuple[str, str], str] = {}

    def ask(
        self,
        path: str,
        form: Mapping[str, str | Sequence[str]] | None = None,
        *,
        raw: bytes | None = None,
        accept: str = "text/html",
        headers: Mapping[str, str | None] = MappingProxyType({}),
    ) -> Answer:
        """Asks for a page, or sends a form; a header that is None is left out."""
        data = raw if form is None else urlencode(form, doseq=True).encode()
        kept = "; ".join(
            f"{name}={value}" for (at, name), value in self.cookies.items() if path.startswith(at)
        )
        host = f"{LOOPBACK}:{self.port}"
        sent: dict[str, str | None] = {"accept": accept, "cookie": kept or None}
        sent |= {"origin": None if data is None else f"http://{host}"}
        sent |= headers
        connection = HTTPConnection(LOOPBACK, self.port, timeout=PATIENCE)
        named = {name: value for name, value in sent.items() if value is not None}
        connection.request("GET" if data is None else "POST", path, data, named)
        response = connection.getresponse()
        answer = Answer(response.status, {k.casefold(): v for k, v in response.getheaders()}, response.read())
        connection.close()
        if cookie := re.match(
            r"([^=]+)=([^;]*);.*\bpath=([^;]+)", answer.headers.get("set-cookie", ""), re.IGNORECASE
        ):
            self.cookies[cookie[3], cookie[1]] = cookie[2]
        back = answer.headers.get("location", "")
        return self.ask(back) if back.startswith("/home/?refused") else answer

    def come(self, link: str) -> Answer:
        """Comes home by a link."""
        return self.ask("/home/come", raw=json.dumps({"link": link}).encode(), accept="application/json")


class Running(NamedTuple):
    """Home that runs."""

    home: Home
    port: int
    folder: Path
    server: running.Server

    def browser(self) -> Browser:
        """A browser that has come by a link."""
        browser = Browser(self.port)
        assert browser.come(self.home.once()).status == 200
        return browser


@contextmanager
def at_home(state: Path, folder: Path) -> Iterator[Running]:
    """Home for the campaigns of a folder, until the block ends."""
    folder.mkdir(exist_ok=True)
    shelf = Shelf(Settings(state, {}))
    shelf.choose(str(folder), "table")
    home = Home(shelf, open_campaigns((), shelf.settings))
    address, sockets = bind_sockets(NetworkAddress(LOOPBACK, 0, (IN_THE_NETWORK,)))
    limits = {**LIMITS, **dict.fromkeys(large_files(), (LARGEST, "That is too much."))}
    server = running.server(home.served, address, log=False, more=routes(home), limits=limits)
    home.served.url = server.url_in_network
    home.quit = lambda: setattr(server, "should_exit", True)
    thread = Thread(target=server.run, kwargs={"sockets": sockets})
    thread.start()
    try:
        yield Running(home, address.port, folder, server)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "home did not stop"
