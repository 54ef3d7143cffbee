"""A service to speak to, and phones that speak to it over a real socket."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

from retold import Campaign
from retold.cli.campaigns.settings import Settings
from retold.cli.service.network import LOOPBACK, NetworkAddress, bind_sockets
from retold.cli.service.running import Server, server
from retold.cli.service.served_campaigns import ServedCampaigns, open_campaigns
from retold.journal.store.contract.address import Address
from tests.patience import PATIENCE

Json = dict[str, Any]


class Heard(NamedTuple):
    """One event of a feed."""

    event: str
    data: Json
    id: str | None


class Answer(NamedTuple):
    """What came back."""

    status: int
    body: Json
    headers: dict[str, str]
    raw: bytes


class Stream:
    """A feed that is being read."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        self.connection, self.response = connection, response
        self.status = response.status
        self.raw = b""

    def __iter__(self) -> Iterator[Heard]:
        found: dict[str, str] = {}
        while line := self.response.readline():
            self.raw += line
            name, _, value = line.decode().rstrip("\r\n").partition(": ")
            if name:
                found[name] = value
            elif "event" in found:
                yield Heard(found["event"], json.loads(found["data"]), found.get("id"))
                found = {}

    def hear(self, *events: str) -> Heard:
        """The next event of one of these names."""
        return next(one for one in self if one.event in events)

    def rest(self) -> list[Heard]:
        """All that comes until the stream ends."""
        return list(self)

    def leave(self) -> None:
        """Hangs up."""
        with suppress(OSError):
            self.response.close()
        self.connection.close()


class Phone:
    """Somebody with a link, or without."""

    def __init__(self, place: NetworkAddress, slug: str, secret: str | None = None) -> None:
        self.place, self.slug, self.secret = place, slug, secret
        self.received = b""
        """Everything that was ever sent to it."""

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        bearer = {} if self.secret is None else {"Authorization": f"Bearer {self.secret}"}
        return {**bearer, **more}

    def ask(
        self,
        path: str,
        body: object = None,
        *,
        method: str | None = None,
        raw: bytes | None = None,
        parts: Iterator[bytes] | None = None,
        **headers: str,
    ) -> Answer:
        """What is answered at an address; below the campaign's, unless it begins with a slash."""
        address = path if path.startswith("/") else f"/c/{self.slug}/{path}"
        data = parts or (raw if body is None else json.dumps(body).encode())
        connection = HTTPConnection(LOOPBACK, self.place.port, timeout=PATIENCE)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(
            method or ("GET" if data is None else "POST"),
            address,
            data,
            self._headers({**({"Transfer-Encoding": "chunked"} if parts else {}), **named}),
            encode_chunked=parts is not None,
        )
        response = connection.getresponse()
        content = response.read()
        connection.close()
        self.received += content
        found: Json = {}
        with suppress(ValueError):
            found = json.loads(content)
        return Answer(response.status, found, {k.casefold(): v for k, v in response.getheaders()}, content)

    def follow(self, cursor: str | None = None, *, below: str = "") -> Stream:
        """The feed, from a cursor on; the one below another address than the campaign's, if one is named."""
        connection = HTTPConnection(LOOPBACK, self.place.port, timeout=PATIENCE)
        headers = {} if cursor is None else {"Last-Event-ID": cursor}
        connection.request("GET", f"/c/{self.slug}/{below}feed", headers=self._headers(headers))
        return Stream(connection, connection.getresponse())


class Serving:
    """A service that runs in a thread of this test."""

    def __init__(self, shelf: ServedCampaigns, place: NetworkAddress, answering: Server) -> None:
        self.shelf, self.place, self.server = shelf, place, answering

    @property
    def slug(self) -> str:
        return next(iter(self.shelf.served))

    @property
    def campaign(self) -> Campaign:
        return self.shelf.served[self.slug].campaign

    def phone(self, viewer: str | None, slug: str | None = None) -> Phone:
        """A phone with a new link for this viewer."""
        name = slug or self.slug
        if viewer is None:
            return Phone(self.place, name)
        served = self.shelf.served[name]
        secret = served.links.new(served.campaign.lasting(viewer), viewer, "2026-03-14")
        served.links.join(next(one for one in served.links.every() if not one.joined))
        self.shelf.read_links()
        return Phone(self.place, name, secret)


@contextmanager
def serving(
    *paths: Path, home: Path, hosts: tuple[str, ...] = (), proxies: tuple[str, ...] = ()
) -> Iterator[Serving]:
    """Serves these campaigns until the block ends."""
    shelf = open_campaigns(map(Address.of_file, paths), Settings(home, {}))
    place, sockets = bind_sockets(NetworkAddress(LOOPBACK, 0, hosts, proxies))
    answering = server(shelf, place, log=False)
    thread = Thread(target=answering.run, kwargs={"sockets": sockets})
    thread.start()
    try:
        yield Serving(shelf, place, answering)
    finally:
        answering.should_exit = True
        thread.join(PATIENCE)
        assert not thread.is_alive(), "the service did not stop"
