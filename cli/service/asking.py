"""Who asks: campaign, viewer and link behind a request, what its body says, and answers as JSON."""

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
from cli.service.links import Link, Whose, hashed
from cli.service.shelf import Served, Shelf
from retold import Reading, Refused, StoreError

A_MINUTE: Final = 240
"""Requests of one link."""
TRIES_A_MINUTE: Final = 20
"""Requests without a link, or with one that is not good, of one address."""
MOST_COOKIES: Final = 32
"""So many cookies of one request are looked at."""
TABLE: Final = "table"

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
    spent: Pace = field(default_factory=lambda: Pace(TRIES_A_MINUTE))
    """Secrets that are not good, each with its own pace."""
    streams: dict[str, int] = field(default_factory=dict)
    """How many streams are open on each link."""

    def stranger(self, whence: str, secret: str, now: float) -> Wrong:
        """The error for a request with no valid secret.

        The same secret again counts against itself alone: a phone whose link was revoked takes nothing from
        others at its address.
        """
        is_known = bool(secret) and hashed(secret) in self.spent.known
        paces = [(self.spent, hashed(secret))] if secret else []
        paces += [] if is_known else [(self.strangers, whence)]
        allowed = [pace.allows(who, now) for pace, who in paces]
        return Wrong(403, NO_LINK) if all(allowed) else Wrong(429, TOO_OFTEN)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request by somebody with a link."""

    request: Request
    keeper: Keeper
    served: Served
    link: Link
    on_stage: bool = False
    """Whether the stage asks: it is answered as the table may know it, whosever link it comes with."""

    @property
    def viewer(self) -> Whose:
        """Who asks; Refused where nobody is called so."""
        return TABLE if self.on_stage else self.link.whose

    @property
    def director(self) -> bool:
        """Whether the game master asks."""
        return not self.on_stage and self.link.is_for("gm")

    @property
    def query(self) -> Mapping[str, str]:
        """What stands behind the `?`."""
        return self.request.query_params

    def reading(self) -> Reading:
        """The line as they may know it now."""
        return self.served.reading(self.viewer)

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


def cookie(slug: str, whom: str | None = None) -> str:
    """What the cookie of a viewer is called; or the one cookie that a campaign had before, for no viewer."""
    return f"retold-{slug}" if whom is None else f"retold-{slug}.{whom}"


def bearer(request: Request) -> str | None:
    """The secret that a program comes with."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind.casefold() == "bearer" else None


def link_at(served: Served, request: Request, whom: str | None) -> Link | None:
    """The good link that a request comes with, for the viewer that its address names, or (None) names not.

    Where the address names none, the cookies that are for one viewer count for nothing.
    """
    token, slug = bearer(request), served.slug
    if token is not None:
        secrets = [token]
    else:
        names = [cookie(slug)] if whom is None else [cookie(slug, whom), cookie(slug)]
        secrets = [request.cookies.get(name, "") for name in names]
    found = (served.link(secret) for secret in secrets if secret)
    return next((one for one in found if one and whom in (None, served.whom(one))), None)


def links_of(served: Served, request: Request) -> list[Link]:
    """Every good link that a request comes with, by whatever cookie of this campaign; people's come last."""
    token, whole = bearer(request), cookie(served.slug)
    of_viewers = [name for name in request.cookies if name.startswith(cookie(served.slug, ""))]
    names = [whole, *of_viewers[:MOST_COOKIES]]
    secrets = [request.cookies.get(name, "") for name in names] if token is None else [token]
    found = (served.link(secret) for secret in secrets if secret)
    return sorted((one for one in found if one is not None), key=lambda one: one.arrival is not None)


def told(answer: Mapping[str, Any], status: int = 200) -> Response:
    """An answer as JSON."""
    return JSONResponse(dict(answer), status)


def address(request: Request) -> str:
    """Where a request comes from."""
    return request.client.host if request.client else "-"


def with_link(keeper: Keeper, answering: Answering, *, on_stage: bool = False) -> Endpoint:
    """An endpoint for whoever holds a link of the campaign it is about; a stranger learns nothing.

    `on_stage` it is answered as the table may know it, whosever link that is.
    """

    @wraps(answering)
    async def answered(request: Request) -> Response:
        try:
            asked = _asked(keeper, request, on_stage=on_stage)
            if not asked.link.joined:  # a program comes by its link without joining
                await in_a_thread(lambda: asked.served.join(asked.link))
            return await answering(asked)
        except Wrong as wrong:
            return JSONResponse(wrong.body, wrong.status)
        except Refused as refusal:
            return told({"error": refusal.sentence, "lines": list(refusal.lines)}, 422)
        except StoreError as error:
            return told({"error": str(error)}, 503)

    return answered


def _asked(keeper: Keeper, request: Request, *, on_stage: bool) -> Asked:
    slug = request.path_params["campaign"].removesuffix(".json")
    served, now, link = keeper.shelf.served.get(slug), time.monotonic(), None
    if served is not None:
        whom = request.path_params.get("whom")
        every = links_of(served, request) if on_stage else [link_at(served, request, whom)]
        link = next(iter(every), None)
    if served is None or link is None:
        raise keeper.stranger(address(request), _tried(request, slug), now)
    if not keeper.links.allows(link.sha256, now):
        raise Wrong(429, TOO_OFTEN)
    return Asked(request, keeper, served, link, on_stage)


def _tried(request: Request, slug: str) -> str:
    """The invalid secrets of a request; empty if it has none."""
    token = bearer(request)
    if token is not None:
        return token
    names = [name for name in request.cookies if name.startswith(cookie(slug))]
    return "\n".join(request.cookies[name] for name in sorted(names)[:MOST_COOKIES])


async def in_a_thread(work: Callable[[], T]) -> T:
    """What takes a while, so that others are answered meanwhile."""
    return await to_thread.run_sync(work)
