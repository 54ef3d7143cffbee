"""What every request passes on its way in: is it meant for us, from a page of ours, not too large."""

from __future__ import annotations

import json
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST: Final = 64 * 1024
"""Bytes of a body."""
TOO_LARGE: Final = f"That is more than {LARGEST:,} bytes."

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';"
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
}
"""What every answer says, unless it says otherwise itself."""

READING: Final = ("GET", "HEAD", "OPTIONS")


def hostname(netloc: str) -> str:
    """The name in `name:port`, folded; empty where there is none."""
    try:
        return (urlsplit(f"//{netloc}").hostname or "").casefold()
    except ValueError:
        return ""


class TooLargeError(Exception):
    """A body that goes on beyond what is read."""


@dataclass(frozen=True, slots=True)
class Doors:
    """Lets in what is meant for us; pure ASGI, so that a stream passes as it is sent."""

    app: ASGIApp
    hosts: Collection[str]
    log: bool = True

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request, or lets it in."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        began, status = time.monotonic(), 0

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
            if self.log:
                _log(scope, status, time.monotonic() - began)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = self._refusal(scope)
        if refusal is not None:
            await sentence(send, *refusal)
            return
        await self.app(scope, _limited(receive), send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is not for us; None where it is."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if hostname(host) not in self.hosts:
            return 403, "This is not the address the table is served at."
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.casefold() != host.casefold():
            return 403, "That comes from a page of somebody else's."
        if headers.get("sec-fetch-site") == "cross-site" and scope["method"] not in READING:
            return 403, "That comes from a page of somebody else's."
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return 413, TOO_LARGE
        return None


def _limited(receive: Receive) -> Receive:
    """The same body, as far as it may go on."""
    read = 0

    async def received() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > LARGEST:
            raise TooLargeError
        return message

    return received


async def sentence(send: Send, status: int, error: str, *, closes: bool = False) -> None:
    """A whole answer that is a sentence, after which the connection may be closed."""
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
    """One line of what was asked and how it went; of what was said, and by which link, nothing."""
    when = time.strftime("%H:%M:%S")
    path = scope["path"].encode("unicode_escape").decode()[:120]
    sys.stderr.write(f"{when} {scope['method'][:8]} {path} {status or 'left'} {took * 1000:.0f} ms\n")


@dataclass(slots=True)
class Bucket:
    """How much somebody may still ask for."""

    left: float
    at: float


@dataclass(slots=True)
class Pace:
    """So many requests a minute for each who asks, by whatever tells them apart."""

    a_minute: int
    most_known: int = 4096
    known: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def allows(self, who: str, now: float) -> bool:
        """Whether one more is all right, which is counted."""
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
