"""Requests to a service, as bytes: who asks, how, for what, with which headers, and a body."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch
from urllib.parse import quote, unquote_to_bytes

from starlette.types import Message

import retold
from retold.cli.campaigns.settings import Settings
from retold.cli.service.app import application
from retold.cli.service.network import Pace, RequestChecks
from retold.cli.service.openapi import DESCRIPTION
from retold.cli.service.served_campaigns import ServedCampaigns, open_campaigns
from retold.journal.store.contract.address import Address
from tests.cli.service.conftest import CONFLICT, SCRIPT

EYES = ("gm", "Jon", "table", "")
"""Whose link a request comes with, by the first byte; the last has none."""
AGAIN = 150
"""After so many requests the campaign is as it was at first: what was said there has made it longer."""
PATIENCE = 20
_OF_A_TARGET = "".join(map(chr, range(0x21, 0x7F)))
"""What passes in the target of a request: what else there is, no server lets in."""


def requests() -> Iterator[bytes]:
    """One of each kind that the description knows."""
    for path, ways in DESCRIPTION["paths"].items():
        for method in set(ways) & {"get", "post"}:
            if not path.endswith("feed"):
                at = (
                    path.replace("{campaign}", "salt-road")
                    .replace("{name}", "decks")
                    .replace("{id}", "0" * 12)
                )
                body = (
                    ""
                    if method == "get"
                    else json.dumps({"line": "note: Rain.", "id": "0" * 12, "link": "x"})
                )
                yield f"0{method.upper()} {at}?at=s1&last=5\nhost: localhost\n\n{body}".encode()
    for said in ({"line": "say Zel: Tea?"}, {"line": "draw Zel clubs", "id": "a" * 12}, {"answer": "refuse"}):
        yield b"1POST /c/salt-road/proposals\nhost: localhost\n\n" + json.dumps(said).encode()


@dataclass
class Answered:
    """What a request was answered with."""

    status: int = 0
    body: bytearray = field(default_factory=bytearray)


class Service:
    """A service without a socket, on a campaign that is as it was at first now and then."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._loop = asyncio.new_event_loop()
        self._asked = 0
        with retold.new(folder / "first.retold") as campaign:
            campaign.play(SCRIPT + CONFLICT)
        self._shelf, self._app, self._links = self._begin()

    def _begin(self) -> tuple[ServedCampaigns, RequestChecks, dict[str, str]]:
        path, home = self._folder / "salt-road.retold", self._folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copyfile(self._folder / "first.retold", path)
        shelf = open_campaigns([Address.of_file(path)], Settings(home, {}))
        (served,) = shelf.served.values()
        links = {
            eyes: served.links.new(served.campaign.lasting(eyes), eyes, "2026-03-14") for eyes in EYES[:-1]
        }
        shelf.read_links()
        shelf.begin(self._loop)
        return shelf, application(shelf, ["localhost"], log=False), links

    def close(self) -> None:
        self._shelf.end()
        self._loop.close()

    def ask(self, data: bytes) -> Answered:
        """What is answered; whatever the service itself fails with is raised."""
        self._asked += 1
        if self._asked % AGAIN == 0:
            self._shelf.end()
            self._shelf, self._app, self._links = self._begin()
        return self._loop.run_until_complete(asyncio.wait_for(self._answer(data), PATIENCE))

    async def _answer(self, data: bytes) -> Answered:
        head, _, body = data.partition(b"\n\n")
        first, *headers = head.split(b"\n")
        eyes = EYES[(first[0] if first else 0) % len(EYES)]
        method, _, target = first[1:].partition(b" ")
        path, _, query = quote(target, safe=_OF_A_TARGET).encode().partition(b"?")
        answered, left = Answered(), [body]

        async def receive() -> Message:
            if not left:
                await asyncio.Event().wait()  # whoever has asked waits for the answer
            return {"type": "http.request", "body": left.pop(), "more_body": False}

        async def send(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered.status = message["status"]
            else:
                answered.body += message.get("body", b"")

        path_ = unquote_to_bytes(path).decode("utf-8", "replace") or "/"
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method.decode("latin-1").upper() or "GET",
            "scheme": "http",
            "path": path_,
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "headers": [*self._headers(headers), *self._link(eyes)],
            "client": ("127.0.0.1", 1),
            "server": ("localhost", 80),
        }
        if "feed" not in path_:  # which never ends
            await self._app(scope, receive, send)
        return answered

    def _headers(self, lines: list[bytes]) -> list[tuple[bytes, bytes]]:
        parted = (line.partition(b":") for line in lines)
        return [(name.strip().lower(), value.strip()) for name, colon, value in parted if colon]

    def _link(self, eyes: str) -> list[tuple[bytes, bytes]]:
        return [(b"authorization", f"Bearer {self._links[eyes]}".encode())] if eyes else []


@contextmanager
def served(folder: Path) -> Iterator[Callable[[bytes], None]]:
    """A door to a service."""
    unpaced = patch.object(Pace, "allows", lambda *_: True)
    with unpaced, patch.dict("os.environ", {"RETOLD_DEBUG": "1"}):
        service = Service(folder)
        try:

            def try_(data: bytes) -> None:
                answered = service.ask(data)
                assert answered.status < 500, answered.body
                if answered.status >= 400:
                    assert json.loads(answered.body)["error"]

            yield try_
        finally:
            service.close()
