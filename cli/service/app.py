"""Web routes of the service, the cookies that joining sets, and the static files of its pages."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import wraps
from http import HTTPStatus
from pathlib import Path
from typing import Final, TypeVar
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from retold import Reading, Refused, StoreError
from retold.cli.service import endpoints
from retold.cli.service.bundles import PAGES, assembled, begun_page, bundle, loaded_files, page_file, sent
from retold.cli.service.endpoints import (
    NOT_HERE,
    TOO_OFTEN,
    Answering,
    AuthorizedRequest,
    Endpoint,
    HTTPError,
    RequestKeeper,
    address,
    come,
    cookie,
    in_a_thread,
    json_response,
    link_at,
    links_of,
    read_body,
    unavailable,
    with_link,
)
from retold.cli.service.network import HEALTH, LIMITS, Compression, RequestChecks, TooLargeError
from retold.cli.service.served_campaigns import AWAY, ServedCampaigns
from retold.journal.features import added

T = TypeVar("T")

NOT_LET_IN: Final = (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN)
REMEMBERED: Final = 90 * 24 * 3600
"""Seconds a cookie lasts; the link itself is good until it is revoked."""

BELOW: Final[tuple[tuple[str, str, Answering], ...]] = (
    ("GET", "feed", endpoints.feed),
    ("GET", "happened", endpoints.happened),
    ("GET", "pocket", endpoints.pocket),
    ("GET", "board", endpoints.board),
    ("GET", "replay", endpoints.replay),
    ("GET", "view/{name:str}", endpoints.view),
    ("GET", "picture/{id:str}", endpoints.picture),
    ("GET", "can", endpoints.can),
    ("GET", "complete", endpoints.complete),
    ("POST", "check", endpoints.check),
    ("POST", "say", endpoints.say),
    ("POST", "export", endpoints.export),
    ("POST", "pictures", endpoints.add_picture),
    ("GET", "links", endpoints.links),
    ("POST", "links", endpoints.change_links),
    *(row for module in added("addresses") for row in module.BELOW),
    ("GET", "proposals", endpoints.handed_in),
    ("POST", "proposals", endpoints.hand_in),
    ("POST", "proposals/{id:str}", endpoints.answer),
)
"""Addresses below a campaign's; those that are read may end in .json."""

STAGED: Final = ("feed", "happened", "board", "replay", "view/{name:str}", "picture/{id:str}")
"""What of that the stage asks for, below an address of its own."""

AS_ONE: Final = "/c/{campaign}/as/{whom}"
"""The same addresses, for the cookie of one viewer."""


def application(
    served_campaigns: ServedCampaigns,
    hosts: Collection[str],
    *,
    log: bool = True,
    more: Sequence[BaseRoute] = (),
    limits: Mapping[str, tuple[int, str]] = LIMITS,
) -> RequestChecks:
    """Returns the ASGI application that serves these campaigns to requests for one of `hosts`.

    `more` are further routes, `limits` the sizes of larger bodies by the end of their paths.
    """
    keeper = RequestKeeper(served_campaigns)

    @asynccontextmanager
    async def alive(_: Starlette) -> AsyncIterator[None]:
        served_campaigns.begin(asyncio.get_running_loop())
        yield
        await in_a_thread(served_campaigns.end)

    handlers = {HTTPException: _not_so, TooLargeError: _too_large, 500: _broken}
    served = Starlette(routes=[*more, *_routes(keeper)], lifespan=alive, exception_handlers=handlers)
    return RequestChecks(Compression(served), hosts, log=log, limits=limits)


def _routes(keeper: RequestKeeper) -> list[BaseRoute]:
    found: list[BaseRoute] = [
        Route("/", file_of(PAGES / "join.html")),
        Route("/join", _joining(keeper), methods=["POST"]),
        Route("/openapi.json", _described),
        Route(HEALTH, _health(keeper)),
        Route("/c/{campaign}", _with_a_slash),
        Route("/made/{digest}/{names:path}", bundle),
    ]
    found += [Route(address, file_of(file)) for address, file in loaded_files().items()]
    for at in ("/c/{campaign}", AS_ONE):
        found += _of_a_viewer(keeper, at)
    return [*found, Route(f"{AS_ONE}/stage", _to_the_stage), *_of_the_stage(keeper)]


def _of_a_viewer(keeper: RequestKeeper, at: str) -> list[BaseRoute]:
    """Returns the routes for one viewer (a link's person) below the path `at`."""
    found: list[BaseRoute] = [
        Route(f"{at}/", _page_or_json(keeper, "table.html")),
        Route(f"{at}/here.json", with_link(keeper, endpoints.here)),
        Route(f"{at}/app.webmanifest", file_of(PAGES / "app.webmanifest")),
        Route(f"{at}/replay.html", _or_join(with_link(keeper, _replay_page))),
        *(
            Route(f"{at}/{page}", _or_join(with_link(keeper, answering)))
            for module in added("addresses")
            for page, answering in module.PAGES.items()
        ),
        Route(f"{at}/leave", with_link(keeper, _leave), methods=["POST"]),
    ]
    for path in dict.fromkeys(path for _, path, _ in BELOW):
        ways = {method: with_link(keeper, answering) for method, there, answering in BELOW if there == path}
        found.append(Route(f"{at}/{path}", _by_method(ways), methods=[*ways]))
        if _has_json(path) and "GET" in ways:
            found.append(Route(f"{at}/{path}.json", ways["GET"]))
    return found


def _of_the_stage(keeper: RequestKeeper) -> list[BaseRoute]:
    """Returns the routes of the stage: a shared screen with public knowledge, for any link's holder."""
    at = "/c/{campaign}/stage"
    found: list[BaseRoute] = [
        Route(at, _page_or_json(keeper, "stage.html", on_stage=True)),
        Route(f"{at}/here.json", with_link(keeper, _staged(endpoints.here), on_stage=True)),
    ]
    for path, answering in ((path, answering) for _, path, answering in BELOW if path in STAGED):
        answered = with_link(keeper, _staged(answering), on_stage=True)
        names = [path, f"{path}.json"] if _has_json(path) else [path]
        found += [Route(f"{at}/{name}", answered) for name in names]
    return found


def _staged(
    answering: Callable[[AuthorizedRequest], Awaitable[T]],
) -> Callable[[AuthorizedRequest], Awaitable[T]]:
    """Wraps an endpoint for the stage, a shared screen: refuses a link whose person is not on this branch."""

    @wraps(answering)
    async def answered(asked: AuthorizedRequest) -> T:
        await in_a_thread(lambda: asked.served.reading(asked.link.whose))
        return await answering(asked)

    return answered


def _has_json(path: str) -> bool:
    """True if `path` may also end in .json; not for the feed or for paths with parameters."""
    return "{" not in path and path != "feed"


def _by_method(ways: Mapping[str, Endpoint]) -> Endpoint:
    """Returns an endpoint that calls the one for the request's HTTP method; HEAD is treated as GET."""

    async def answered(request: Request) -> Response:
        return await ways["GET" if request.method == "HEAD" else request.method](request)

    return answered


def file_of(path: Path) -> Endpoint:
    """Returns an endpoint that sends a static file, which browsers must check for changes every time."""

    async def answered(request: Request) -> Response:
        content = await in_a_thread(path.read_bytes)
        if path.suffix == ".html":
            content = assembled(content.decode()).encode()
        return sent(request, content, path.suffix)

    return answered


def _page_or_json(keeper: RequestKeeper, name: str, *, on_stage: bool = False) -> Endpoint:
    """Returns an endpoint that sends the page `name` to browsers and JSON to programs; both need a link."""

    async def page(asked: AuthorizedRequest) -> Response:
        begun = None
        with suppress(Refused, StoreError):  # the page asks again, and says so itself
            begun = await (_staged(endpoints.begun) if on_stage else endpoints.begun)(asked)
        return Response(await in_a_thread(lambda: begun_page(name, begun)), media_type="text/html")

    as_page = with_link(keeper, page, on_stage=on_stage)
    as_json = with_link(keeper, _staged(endpoints.here) if on_stage else endpoints.here, on_stage=on_stage)

    async def answered(request: Request) -> Response:
        wants_page = _wants_page(request)
        with suppress(HTTPError, StoreError):  # the page says so itself
            await come(keeper, request)
        whom = None if on_stage or not wants_page else _viewer_path(keeper, request)
        if whom is not None:
            return RedirectResponse(page_of(request.path_params["campaign"], whom))
        return await (_or_join(as_page) if wants_page else as_json)(request)

    return answered


def _wants_page(request: Request) -> bool:
    """True if the request accepts HTML, as a browser's does and a program's does not."""
    return "text/html" in request.headers.get("accept", "")


def _or_join(page: Endpoint) -> Endpoint:
    """Wraps a page's endpoint: a browser without a valid link gets the join page instead."""

    async def answered(request: Request) -> Response:
        found = await page(request)
        if found.status_code in NOT_LET_IN and _wants_page(request):
            kept = {"cache-control": "no-store", "www-authenticate": "Bearer"}
            return page_file(PAGES / "join.html", found.status_code, kept)
        return found

    return answered


def _viewer_path(keeper: RequestKeeper, request: Request) -> str | None:
    """Returns the path segment of the viewer whose page a browser is sent to, by its cookies.

    With several: the game master, else a person, else the table. None without a valid cookie, if the path
    names a viewer already, or if an older cookie or a bearer token is valid for the path itself.
    """
    served = keeper.served_campaigns.served.get(request.path_params["campaign"])
    if served is None or "whom" in request.path_params or link_at(served, request, None) is not None:
        return None
    found = [served.whom(link) for link in links_of(served, request)]
    return min(found, key=lambda whom: {"gm": 0, "table": 2}.get(whom, 1), default=None)


def page_of(slug: str, whom: str) -> str:
    """Returns the path of a viewer's page: `/c/salt-road/as/gm/`."""
    return f"/c/{quote(slug, safe='')}/as/{whom}/"


async def _replay_page(asked: AuthorizedRequest) -> Response:
    """Sends the web page on which a browser loads a replay, and what features add to it."""
    page = Reading.replay_page(asked.served.voice).decode()
    for module in added("addresses"):
        page = page.replace(*getattr(module, "ON_REPLAY", ("", "")))
    return Response(assembled(page), media_type="text/html")


async def _with_a_slash(request: Request) -> Response:
    return RedirectResponse(f"/c/{quote(request.path_params['campaign'], safe='')}/", 308)


async def _to_the_stage(request: Request) -> Response:
    """Redirects `…/as/VIEWER/stage` to the campaign's one stage, `/c/CAMPAIGN/stage`."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"/c/{quote(request.path_params['campaign'], safe='')}/stage{query}")


def _health(keeper: RequestKeeper) -> Endpoint:
    """Returns an endpoint for a balancer: 200 while campaigns can be reached, else 503; it tells no more."""

    async def health(_: Request) -> Response:
        return Response(status_code=503 if keeper.served_campaigns.away else 200)

    return health


async def _described(_: Request) -> Response:
    from retold.cli.service.openapi import DESCRIPTION  # few ask for it, and its shapes take half a second

    return JSONResponse(DESCRIPTION)


# --- joining and leaving ----------------------------------------------------------------------------------


def _joining(keeper: RequestKeeper) -> Endpoint:
    async def joined(request: Request) -> Response:
        now = time.monotonic()
        try:
            secret: str = (await read_body(request, link=str))["link"]
        except HTTPError as unread:
            return unread.response()
        try:
            await _come_by(keeper.served_campaigns, secret)
        except StoreError as error:
            return unavailable(error)
        except HTTPError as away:
            return away.response()
        for slug, served in tuple(keeper.served_campaigns.served.items()):
            link = served.link(secret)
            if link is not None:
                if not keeper.links.allows(link.sha256, now):
                    return json_response({"error": TOO_OFTEN}, 429)
                served.used = time.monotonic()
                await in_a_thread(lambda: served.join(link))  # noqa: B023 -- run before the next turn
                whom = served.whom(link)
                at = page_of(slug, whom)
                called = await in_a_thread(lambda: served.called(link))  # noqa: B023 -- as above
                answer = json_response({"campaign": slug, "viewer": called, "at": at})
                remember(answer, request, (slug, whom), secret, REMEMBERED)
                return answer
        return keeper.stranger(address(request), secret, now).response()

    return joined


async def _come_by(campaigns: ServedCampaigns, secret: str) -> None:
    if campaigns.away:
        raise HTTPError(503, AWAY)
    await campaigns.come_by(secret)


async def _leave(asked: AuthorizedRequest) -> Response:
    """Deletes the viewer's cookie in this browser; the link and other cookies stay valid."""
    answer = json_response({"left": asked.served.slug})
    remember(answer, asked.request, (asked.served.slug, asked.request.path_params.get("whom")), "", 0)
    return answer


def remember(
    answer: Response, request: Request, whose: tuple[str, str | None], secret: str, seconds: int
) -> None:
    """Sets the cookie of a campaign and viewer (`whose`) to a link's secret, for `seconds`."""
    slug, whom = whose
    answer.set_cookie(
        cookie(slug, whom),
        secret,
        max_age=seconds,
        path=f"/c/{quote(slug, safe='')}/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


# --- what is not there ------------------------------------------------------------------------------------


async def _not_so(_: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    said: Mapping[int, str] = {404: NOT_HERE, 405: "That cannot be done here."}
    answer = json_response({"error": said.get(status, "That cannot be answered.")}, status)
    answer.headers.update(getattr(error, "headers", None) or {})  # which methods there are, where one is not
    return answer


async def _too_large(_: Request, error: Exception) -> Response:
    return json_response({"error": str(error)}, 413)


async def _broken(_: Request, __: Exception) -> Response:
    return json_response(
        {"error": "Something went wrong here that should not have; nothing half done was recorded."}, 500
    )
