"""Network side of the service: request checks, rate and connection limits, listening sockets."""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import socket
import sys
import time
from collections import Counter, OrderedDict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import h11
from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

import retold
from retold import Refused

LARGEST: Final = 64 * 1024
"""Bytes of a body."""
TOO_LARGE: Final = f"That is more than {LARGEST:,} bytes."
LARGEST_PICTURE: Final = 8 * 2**20
"""Bytes of a picture that is sent."""
PICTURE_TOO_LARGE: Final = (
    "A picture that is sent has at most 8 MB: save a smaller one (2,000 pixels are enough)."
)
LIMITS: Final = {"/pictures": (LARGEST_PICTURE * 4 // 3 + LARGEST, PICTURE_TOO_LARGE)}
"""Bytes of larger bodies, here pictures in base64, and the sentence above that, by the end of the path."""

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
    " manifest-src 'self';"
    " form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)

HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
    "service-worker-allowed": "/c/",
}
"""What every answer says, unless it says otherwise itself."""

HEALTH: Final = "/health"
"""Where a balancer asks whether this node can be used, by whatever name it calls it."""

READING: Final = ("GET", "HEAD", "OPTIONS")


def hostname(netloc: str) -> str:
    """Returns the host name in `name:port`, in lower case; empty if invalid."""
    try:
        return (urlsplit(f"//{netloc}").hostname or "").casefold()
    except ValueError:
        return ""


class TooLargeError(Exception):
    """Raised while reading a request body that is too large; says so in a sentence."""


@dataclass(frozen=True, slots=True)
class RequestChecks:
    """ASGI middleware that rejects unknown host names, requests from other sites' pages, and large bodies."""

    app: ASGIApp
    hosts: Collection[str]
    log: bool = True
    limits: Mapping[str, tuple[int, str]] = field(default_factory=lambda: LIMITS)
    _told: set[str] = field(default_factory=set)
    """Sentences about guests' errors, each written to standard error once."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers or passes on one request, adds security headers to the response, and logs it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        began = time.monotonic()
        status = 0

        async def answered(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._let_in(scope, receive, answered)
        except Exception as error:  # it is answered already
            if os.environ.get("RETOLD_DEBUG"):
                raise
            sys.stderr.write(f"{type(error).__name__} at what comes next; RETOLD_DEBUG=1 says where.\n")
        finally:
            failed = [told for told in retold.guest_errors() if told not in self._told]
            self._told.update(failed)
            sys.stderr.writelines(f"{told}\n" for told in failed)
            if self.log and scope["path"] != HEALTH:
                _log(scope, status, time.monotonic() - began)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["path"] == HEALTH else self._refusal(scope)
        if refusal is not None:
            await sentence(send, *refusal)
            return
        await self.app(scope, _limited(receive, *self._limit(scope)), send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Returns status and sentence for a request to reject; None if it may pass."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if hostname(host) not in self.hosts:
            return 403, "This is not the address the table is served at."
        origin = headers.get("origin")
        is_elsewhere = origin is not None and urlsplit(origin).netloc.casefold() != host.casefold()
        is_cross_site = headers.get("sec-fetch-site") == "cross-site" and scope["method"] not in READING
        if is_elsewhere or is_cross_site:
            return 403, "That comes from a page of another site."
        length = headers.get("content-length", "0")
        most, too_large = self._limit(scope)
        return None if length.isdecimal() and int(length) <= most else (413, too_large)

    def _limit(self, scope: Scope) -> tuple[int, str]:
        """Returns the size limit of a request's body in bytes, and the error sentence above it."""
        found = (limit for end, limit in self.limits.items() if scope["path"].endswith(end))
        return next(found, (LARGEST, TOO_LARGE))


TEXTS: Final = ("text/html", "text/css", "text/javascript", "application/json", "image/svg+xml")
"""What is worth compressing; a stream of events is sent as it comes."""
SMALLEST: Final = 500
"""Bytes from which an answer is compressed."""


@dataclass(frozen=True, slots=True)
class Compression:
    """ASGI middleware that compresses texts for clients that accept gzip."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, and compresses its answer."""
        if scope["type"] != "http" or "gzip" not in Headers(scope=scope).get("accept-encoding", ""):
            await self.app(scope, receive, send)
            return
        start: Message = {}
        body = b""

        async def answered(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start" and Headers(raw=message["headers"]).get(
                "content-type", ""
            ).startswith(TEXTS):
                start = message
                return
            if not start:
                await send(message)
                return
            body += message.get("body", b"")
            if not message.get("more_body"):
                if len(body) >= SMALLEST:
                    body = await to_thread.run_sync(partial(gzip.compress, body, 6, mtime=0))
                    headers = MutableHeaders(raw=start["headers"])
                    headers["content-encoding"] = "gzip"
                    headers["content-length"] = str(len(body))
                    headers.add_vary_header("accept-encoding")
                await send(start)
                await send({"type": "http.response.body", "body": body})

        await self.app(scope, receive, answered)


def _limited(receive: Receive, most: int, too_large: str) -> Receive:
    """Wraps an ASGI `receive`: raises TooLargeError once the body has more than `most` bytes."""
    read = 0

    async def received() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise TooLargeError(too_large)
        return message

    return received


async def sentence(send: Send, status: int, error: str, *, closes: bool = False) -> None:
    """Sends a complete error response: JSON with the sentence `error`; `closes` ends the connection."""
    body = json.dumps({"error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    if closes:
        headers += [
            (b"connection", b"close"),
            *((one.encode(), told.encode()) for one, told in HEADERS.items()),
        ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _log(scope: Scope, status: int, took: float) -> None:
    """Prints time, method, path, status and duration of a request, but neither its body nor its secret."""
    when = time.strftime("%H:%M:%S")
    path = scope["path"].encode("unicode_escape").decode()[:120]
    sys.stderr.write(f"{when} {scope['method'][:8]} {path} {status or 'left'} {took * 1000:.0f} ms\n")


@dataclass(slots=True)
class Bucket:
    """State of one client's rate limit: requests left, and the time at which that was counted."""

    left: float
    at: float


@dataclass(slots=True)
class Pace:
    """Rate limit: each client key may make `a_minute` requests a minute."""

    a_minute: int
    most_known: int = 4096
    known: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def allows(self, who: str, now: float) -> bool:
        """Counts a request by the client key `who` at time `now`; returns False if the limit is exceeded."""
        bucket = self.known.pop(who, None) or Bucket(self.a_minute, now)
        bucket.left = min(self.a_minute, bucket.left + (now - bucket.at) * self.a_minute / 60)
        bucket.at = now
        self.known[who] = bucket
        if len(self.known) > self.most_known:
            self.known.popitem(last=False)
        if bucket.left < 1:
            return False
        bucket.left -= 1
        return True


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
NO_REQUEST: Final = "That is not a request."


@dataclass(slots=True)
class Counted:
    """Count of open connections by address, and the connections whose request is incomplete."""

    proxies: Collection[str] = ()
    """Addresses that many may come from."""
    seconds: float = SECONDS
    open: Counter[str] = field(default_factory=Counter)
    unfinished: dict[Connection, str] = field(default_factory=dict)
    """The oldest first."""

    def come(self, address: str) -> bool:
        """Counts a new connection from an address; returns False if there are too many from it, or in total.

        Addresses of proxies have no limit of their own.
        """
        self.open[address] += 1
        too_many = address not in self.proxies and self.open[address] > OF_AN_ADDRESS
        return not too_many and self.open.total() <= AT_ONCE

    def gone(self, one: Connection, address: str) -> None:
        """Counts a connection as closed."""
        self.arrived(one)
        self.open[address] -= 1
        if self.open[address] <= 0:
            del self.open[address]

    def waits(self, one: Connection, address: str) -> None:
        """Notes that a connection's request is incomplete; closes the oldest such one above a limit."""
        if one in self.unfinished:
            return
        self.unfinished[one] = address
        of_it = [each for each, whose in self.unfinished.items() if whose == address]
        if address not in self.proxies and len(of_it) > UNFINISHED_OF_AN_ADDRESS:
            of_it[0].give_up()
        if len(self.unfinished) > UNFINISHED:
            next(iter(self.unfinished)).give_up()

    def arrived(self, one: Connection) -> None:
        """Forgets that a connection's request is incomplete: it has arrived, or the connection is gone."""
        self.unfinished.pop(one, None)


class Connection(H11Protocol):
    """HTTP connection that is closed if a request takes longer than 15 seconds to arrive."""

    counted: Counted
    """The others; set for the connections of one service by `connections`."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts the connection and starts its time limit; over a limit, requests get status 503."""
        super().connection_made(transport)
        self._address = self.client[0] if self.client else "-"
        self._late: asyncio.TimerHandle | None = None
        if not self.counted.come(self._address):
            self.app = partial(_full, self.app)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Counts the connection as closed, and stops its time limit."""
        super().connection_lost(exc)
        self._arrived()
        self.counted.gone(self, self._address)

    def data_received(self, data: bytes) -> None:
        """Reads data; starts the time limit of an incomplete request, or stops it once complete."""
        super().data_received(data)
        if self.transport.is_closing() or self._is_whole():
            self._arrived()
        else:
            self._wait()

    def on_response_complete(self) -> None:
        """Starts the time limit again if part of a next request has arrived already."""
        super().on_response_complete()
        if not self.transport.is_closing() and not self._is_whole():
            self._wait()

    def give_up(self) -> None:
        """Closes a connection whose time is up; answers 408 first if part of a request has arrived."""
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
        """True unless part of a request has arrived and the rest has not."""
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


async def _full(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """Answers a request on a connection too many: 503, or, to a balancer, whether the node can be used."""
    if scope["type"] == "http" and scope["path"] == HEALTH:
        await app(scope, receive, partial(_closing, send))
    else:
        await sentence(send, 503, FULL, closes=True)


async def _closing(send: Send, message: Message) -> None:
    """Sends a message of a response after which the connection ends."""
    if message["type"] == "http.response.start":
        MutableHeaders(scope=message)["connection"] = "close"
    await send(message)


def connections(counted: Counted) -> type[Connection]:
    """Returns a Connection class whose connections are counted together in `counted`."""
    return type("Connection", (Connection,), {"counted": counted})


LOOPBACK: Final = "127.0.0.1"
NOWHERE: Final = ("192.0.2.1", 9)
"""An address that leads nowhere: nothing is sent to it, it only tells which way out would be taken."""


@dataclass(frozen=True, slots=True)
class NetworkAddress:
    """IP address and port the service listens at, its further host names, and its proxies' addresses."""

    address: str
    port: int
    hosts: tuple[str, ...] = ()
    """Further names it answers to."""
    proxies: tuple[str, ...] = ()
    """The addresses of proxies that speak HTTPS for it; their word on the client's address is trusted."""

    @property
    def url(self) -> str:
        """Start of every link's address, such as `http://192.168.1.5:7655/`."""
        if self.proxies and self.hosts:
            return f"https://{self.hosts[0]}/"
        return f"http://{self.hosts[0] if self.hosts else self.address}:{self.port}/"

    @property
    def answers_to(self) -> frozenset[str]:
        """Host names that requests may be addressed to."""
        return frozenset({LOOPBACK, "localhost", self.address, *(one.casefold() for one in self.hosts)})


def lan_address() -> str:
    """Returns this computer's IP address in the local network; raises Refused if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(NOWHERE)
            found = str(asked.getsockname()[0])
        except OSError:
            found = LOOPBACK
    if found.startswith("127."):
        raise Refused("This computer is in no network: connect it, or leave --lan out.")
    return found


def bind_sockets(address: NetworkAddress) -> tuple[NetworkAddress, list[socket.socket]]:
    """Opens sockets listening at the address and at 127.0.0.1.

    Returns the address, with its actual port if 0 was asked for, and the sockets. Raises Refused if the port
    is taken.
    """
    sockets: list[socket.socket] = []
    port = address.port
    for ip in dict.fromkeys((address.address, LOOPBACK)):
        try:
            sockets.append(listening_at(ip, port))
        except Refused:
            for each in sockets:
                each.close()
            raise
        port = sockets[0].getsockname()[1]
    return replace(address, port=port), sockets


def listening_at(ip: str, port: int) -> socket.socket:
    """Returns a socket that listens at an IP address; raises Refused if the port is taken."""
    # a stream by its protocol's name: asyncio sends small answers at once on no other
    one = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        one.bind((ip, port))
        one.listen()
    except (OSError, OverflowError) as error:
        one.close()
        raise Refused(f"Port {port} of {ip} cannot be had ({error}): name another with --port.") from None
    return one
