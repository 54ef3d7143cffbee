"""Connections: how many one address may hold, and how long a request may take to arrive."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

import h11
from starlette.types import Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from cli.service.doors import HEADERS, sentence

AT_ONCE: Final = 1000
"""So many connections are open at a time."""
OF_AN_ADDRESS: Final = 250
"""So many of them by one address."""
UNFINISHED_OF_AN_ADDRESS: Final = 32
"""So many of an address's may wait for their request to arrive; the oldest goes for one more."""
UNFINISHED: Final = 256
"""So many of all addresses'."""
SECONDS: Final = 15
"""How long a request may take to arrive, its body included."""

FULL: Final = "Too many are connected: try again in a little."
TOO_SLOW: Final = "The request took too long to arrive."
NO_REQUEST: Final = "That is no request."


@dataclass(slots=True)
class Counted:
    """The open connections by address, and those among them whose request is incomplete."""

    proxies: Collection[str] = ()
    """Addresses that many may come from."""
    seconds: float = SECONDS
    open: Counter[str] = field(default_factory=Counter)
    unfinished: dict[Connection, str] = field(default_factory=dict)
    """The oldest first."""

    def come(self, address: str) -> bool:
        """Counts a connection; False if a limit is exceeded."""
        self.open[address] += 1
        too_many = address not in self.proxies and self.open[address] > OF_AN_ADDRESS
        return not too_many and self.open.total() <= AT_ONCE

    def gone(self, one: Connection, address: str) -> None:
        """Counts one less."""
        self.arrived(one)
        self.open[address] -= 1
        if self.open[address] <= 0:
            del self.open[address]

    def waits(self, one: Connection, address: str) -> None:
        """A request has yet to arrive; where too many wait, the one that has waited longest goes."""
        if one in self.unfinished:
            return
        self.unfinished[one] = address
        of_it = [each for each, whose in self.unfinished.items() if whose == address]
        if address not in self.proxies and len(of_it) > UNFINISHED_OF_AN_ADDRESS:
            of_it[0].give_up()
        if len(self.unfinished) > UNFINISHED:
            next(iter(self.unfinished)).give_up()

    def arrived(self, one: Connection) -> None:
        """Stops waiting for the request: it is complete, or the connection is gone."""
        self.unfinished.pop(one, None)


class Connection(H11Protocol):
    """A connection that is closed if its request has not arrived in time."""

    counted: Counted
    """The others; set for the connections of one service by `connections`."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts the connection; over a limit it is answered with 503, whatever it asks."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else "-"
        self._late: asyncio.TimerHandle | None = None
        if not self.counted.come(self._address):
            self.app = _full
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Counts it no longer."""
        super().connection_lost(exc)
        self._arrived()
        self.counted.gone(self, self._address)

    def data_received(self, data: bytes) -> None:
        """Takes in what came; a request that has begun has to end in time."""
        super().data_received(data)
        if self.transport.is_closing() or self._is_whole():
            self._arrived()
        else:
            self._wait()

    def on_response_complete(self) -> None:
        """A further request may have come behind the one that is answered."""
        super().on_response_complete()
        if not self.transport.is_closing() and not self._is_whole():
            self._wait()

    def give_up(self) -> None:
        """Closes the connection; with 408 if part of a request came and nothing was answered."""
        self._arrived()
        if self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]:
            self._refuse(408, TOO_SLOW)
        self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Answers a malformed request with 400, as JSON like every other error."""
        del msg
        self._refuse(400, NO_REQUEST)
        self.transport.close()

    def _is_whole(self) -> bool:
        """True if the request has arrived completely."""
        state = self.conn.their_state
        return state not in (h11.IDLE, h11.SEND_BODY) or (
            state is h11.IDLE and not self.conn.trailing_data[0]
        )

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.counted.seconds, self.give_up)
        self.counted.waits(self, self._address)

    def _arrived(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
        self.counted.arrived(self)

    def _refuse(self, status: int, error: str) -> None:
        body = json.dumps({"error": error}).encode()
        said = {**HEADERS, "content-type": "application/json", "content-length": str(len(body))}
        headers = [*said.items(), ("connection", "close")]
        try:
            for event in (
                h11.Response(status_code=status, headers=headers),
                h11.Data(data=body),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
        except h11.LocalProtocolError:  # it is closed already, or being answered
            return


async def _full(scope: Scope, receive: Receive, send: Send) -> None:
    del scope, receive
    await sentence(send, 503, FULL, closes=True)


def connections(counted: Counted) -> type[Connection]:
    """The connections of one service, which are counted together."""
    return type("Connection", (Connection,), {"counted": counted})
