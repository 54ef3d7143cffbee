"""Who asks: the campaign and the link behind a request, what its body says, and answers as JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Final, TypeVar

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from cli.service.doors import Pace
from cli.service.links import Eyes, Link
from cli.service.shelf import Served, Shelf
from retold import Reading, Refused, StoreError

A_MINUTE: Final = 240
"""Requests of one link."""
TRIES_A_MINUTE: Final = 20
"""Requests without a link, or with one that is not good, of one address."""

T = TypeVar("T")


class Wrong(Exception):  # noqa: N818 -- an answer, not an error
    """What is answered instead: a status, and a sentence."""

    def __init__(self, status: int, sentence: str, **more: object) -> None:
        super().__init__(sentence)
        self.status = status
        self.body = {"error": sentence, **more}


NO_LINK: Final = "There is nothing here without a link: ask your game master for yours."
TOO_OFTEN: Final = "That is too much at once: wait a little."


@dataclass(slots=True)
class Keeper:
    """Knows the shelf, and lets nobody ask too often."""

    shelf: Shelf
    links: Pace = field(default_factory=lambda: Pace(A_MINUTE))
    strangers: Pace = field(default_factory=lambda: Pace(TRIES_A_MINUTE))
    streams: dict[str, int] = field(default_factory=dict)
    """How many streams are open on each link."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request by somebody with a link."""

    request: Request
    keeper: Keeper
    served: Served
    link: Link

    @property
    def eyes(self) -> Eyes:
        """Whose eyes; Refused where nobody is called so."""
        return self.link.eyes

    @property
    def director(self) -> bool:
        """Whether these are the game master's."""
        return self.link.is_for("gm")

    @property
    def query(self) -> Mapping[str, str]:
        """What stands behind the `?`."""
        return self.request.query_params

    def reading(self) -> Reading:
        """The line as they may know it now."""
        return self.served.reading(self.eyes)

    async def body(self, **wanted: type) -> Mapping[str, Any]:
        """The JSON of the body; Wrong where it is none, or has not these fields."""
        return await read_body(self.request, **wanted)

    def direct(self) -> None:
        """Wrong for everybody but the game master."""
        if not self.director:
            raise Wrong(403, "That is for the game master.")


async def read_body(request: Request, **wanted: type) -> Mapping[str, Any]:
    """The JSON of a body: texts, and true or false; Wrong where it is none, or has not these fields."""
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise Wrong(400, "The body is no JSON.") from None
    if not isinstance(found, dict) or not all(isinstance(one, str | bool) for one in found.values()):
        raise Wrong(400, "The body is no JSON object of texts, and true or false.")
    for name, kind in wanted.items():
        if not isinstance(found.get(name), kind):
            raise Wrong(400, f"The body wants {name}.")
    if any(_unwritable(one) for one in found.values() if isinstance(one, str)):
        raise Wrong(400, "The body holds half a letter.")
    return found


def _unwritable(text: str) -> bool:
    """True for text with half of a surrogate pair in it, which no file can hold."""
    return any("\ud800" <= sign <= "\udfff" for sign in text)


Answering = Callable[[Asked], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


def secret_of(request: Request, slug: str) -> str | None:
    """The secret a request comes with: its cookie's, or a program's."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind.casefold() == "bearer" else request.cookies.get(cookie(slug))


def cookie(slug: str) -> str:
    """What the cookie of a campaign is called."""
    return f"retold-{slug}"


def told(answer: Mapping[str, Any], status: int = 200) -> Response:
    """An answer as JSON."""
    return JSONResponse(dict(answer), status)


def address(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else "-"


def with_link(keeper: Keeper, answering: Answering) -> Endpoint:
    """An endpoint for whoever holds a link of the campaign it is about; a stranger learns nothing."""

    @wraps(answering)
    async def answered(request: Request) -> Response:
        try:
            return await answering(_asked(keeper, request))
        except Wrong as wrong:
            return JSONResponse(wrong.body, wrong.status)
        except Refused as refusal:
            return told({"error": refusal.sentence, "lines": list(refusal.lines)}, 422)
        except StoreError as error:
            return told({"error": str(error)}, 503)

    return answered


def _asked(keeper: Keeper, request: Request) -> Asked:
    slug = request.path_params["campaign"].removesuffix(".json")
    served, now = keeper.shelf.served.get(slug), time.monotonic()
    secret = secret_of(request, slug)
    link = served.link(secret) if served is not None and secret else None
    if served is None or link is None:
        if not keeper.strangers.allows(address(request), now):
            raise Wrong(429, TOO_OFTEN)
        raise Wrong(403, NO_LINK)
    if not keeper.links.allows(link.sha256, now):
        raise Wrong(429, TOO_OFTEN)
    return Asked(request, keeper, served, link)


async def in_a_thread(work: Callable[[], T]) -> T:
    """What takes a while, so that others are answered meanwhile."""
    return await to_thread.run_sync(work)
