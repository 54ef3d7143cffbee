"""Endpoints of home: the page, and what its forms do, for the browser here that came by a link."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from http import HTTPStatus
from pathlib import Path
from typing import Final
from urllib.parse import parse_qs

from anyio import open_file
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from retold import Address, Refused, StoreError
from retold.cli.campaigns.links import hashed, new_secret
from retold.cli.service.app import REMEMBERED, file_of, page_of, remember
from retold.cli.service.at_home import AtHome
from retold.cli.service.endpoints import (
    Endpoint,
    HTTPError,
    bearer,
    in_a_thread,
    json_response,
    read_body,
)
from retold.cli.service.network import LOOPBACK, POLICY, hostname
from retold.cli.service.served_campaigns import ServedCampaigns
from retold.home.shelf.campaigns import Role, Shelf
from retold.home.shelf.page import Typed, page
from retold.journal.features import added

HOME: Final = "/home/"
COME: Final = "/home/come"
AGAIN: Final = "/home/again"
FILE: Final = "/home/file"
QUIT: Final = "/home/quit"
COOKIE: Final = "retold-home"
REFUSED: Final = 20
"""So many refused forms are kept."""
SECONDS: Final = 60
"""How long a link for one use is good."""
PAGES: Final = Path(__file__).with_name("pages")

FOR_FORMS: Final = {
    "content-security-policy": POLICY.replace("form-action 'none'", "form-action 'self'"),
    "referrer-policy": "same-origin",  # without one, browsers hide where a form comes from
}

ELSEWHERE: Final = "Home is on the computer of the game master alone: ask for a link to the table."
NOT_IN: Final = "This page is open to the browser that Retold opened: start Retold again, and it opens here."
USED: Final = "This link was used already, or is too old: start Retold again, and it opens here."
FOREIGN: Final = "That comes from a page of another site."


@dataclass
class Home:
    """Home as it runs: the folder, the campaigns that are open, and who may come in."""

    shelf: Shelf
    served: ServedCampaigns
    session: str = field(default_factory=new_secret)
    """Secret in the cookie of the browser."""
    control: str = field(default_factory=new_secret)
    """Secret by which a second start asks for a link."""
    links: dict[str, float] = field(default_factory=dict)
    """Links for one use, and until when each is good, by the monotonic clock."""
    refused: dict[str, Typed] = field(default_factory=dict)
    """Forms that were refused of late, by their key."""
    quit: Callable[[], object] = lambda: None
    trouble: str = ""

    def once(self) -> str:
        """Returns a new link's secret, for one use within a minute."""
        link = new_secret()
        self.links[link] = time.monotonic() + SECONDS
        return link

    def uses(self, link: str) -> bool:
        """True if the link is good; it is used up then."""
        return self.links.pop(link, 0.0) > time.monotonic()

    def keep(self, refused: Typed) -> str:
        """Keeps what was typed into a form that was refused; returns the key of it in the page's address."""
        key = new_secret()
        self.refused = {**dict(list(self.refused.items())[1 - REFUSED :]), key: refused}
        return key

    async def enter(self, request: Request, address: Address) -> Response:
        """Opens a campaign, and redirects to the game master's page of it, signed in."""
        slug, secret = await self.opened(address)
        answer = RedirectResponse(page_of(slug, "gm"), 303)
        remember(answer, request, (slug, "gm"), secret, REMEMBERED)
        return answer

    async def opened(self, address: Address) -> tuple[str, str]:
        """Opens a campaign, to the phones too if players have links; returns its short name and a secret."""
        slug, secret = await in_a_thread(lambda: self._opened(address))
        if any(not link.is_for("gm") for link in self.served.served[slug].good):
            with suppress(Refused):
                await self.served.url()
        return slug, secret

    def _opened(self, address: Address) -> tuple[str, str]:
        with self.shelf.alone:
            served = self.served.add(address, self.shelf.settings)
            served.copies, served.is_at_home = self.shelf.copies, True
            return served.slug, served.own_secret()


Act = Callable[[Home, Request], Awaitable[Response]]


def routes(home: Home) -> list[BaseRoute]:
    """Returns the routes of home."""
    acts: dict[str, Act] = {"open": _open, "new": _new, "example": _example, "settings": _settings}
    files = [file for file in sorted(PAGES.glob("*")) if file.suffix in (".js", ".css")]
    posts = {**{f"{HOME}{name}": act for name, act in acts.items()}, FILE: _file, QUIT: _quit}
    return [
        Route(HOME, _signed_in(home, _page)),
        Route(HOME.removesuffix("/"), _to_home),
        Route(f"{HOME}cover", _signed_in(home, _cover)),
        Route(COME, _here(home, _come_page)),
        Route(COME, _here(home, _come), methods=["POST"]),
        Route(AGAIN, _here(home, _again), methods=["POST"]),
        *(Route(path, _signed_in(home, act), methods=["POST"]) for path, act in posts.items()),
        *(Route(f"{HOME}{file.name}", file_of(file)) for file in files),
        *(route for module in added("at_home") for route in module.routes(_offered(home))),
    ]


def _offered(home: Home) -> AtHome:
    """Returns what home offers to other features."""
    return AtHome(
        lambda act: _signed_in(home, lambda _, request: act(request)), home.shelf.make, home.enter, FOR_FORMS
    )


def large_files() -> list[str]:
    """Returns the paths to which large files are sent."""
    return [FILE, *(module.FORM.address for module in added("at_home"))]


def _here(home: Home, act: Act) -> Endpoint:
    """Wraps an act: only this computer may ask for it, and no page of another site; errors are answered.

    A form that is refused leads back to the page, with the sentence and what was typed; so the way back in
    the browser sends nothing again.
    """

    @wraps(act)
    async def answered(request: Request) -> Response:
        status, sentence = 422, ""
        try:
            _check_from_here(request)
            return await act(home, request)
        except HTTPError as wrong:
            status, sentence = wrong.status, str(wrong)
        except (Refused, StoreError) as refusal:
            sentence = str(refusal)
        except OSError as error:
            sentence = f"{error.filename or 'A file'}: {(error.strerror or str(error)).lower()}."
        if "text/html" not in request.headers.get("accept", ""):
            return json_response({"error": sentence}, status)
        if status == HTTPStatus.FORBIDDEN:
            return await _shown(home, Typed(sentence, is_in=False), status)
        return RedirectResponse(f"{HOME}?refused={home.keep(Typed(sentence, await _form(request)))}", 303)

    return answered


def _signed_in(home: Home, act: Act) -> Endpoint:
    """Wraps an act as `_here` does: only the browser that came by a link may ask for it."""

    @wraps(act)
    async def asked(home: Home, request: Request) -> Response:
        if not _is_signed_in(home, request):
            raise HTTPError(403, NOT_IN)
        return await act(home, request)

    return _here(home, asked)


def _check_from_here(request: Request) -> None:
    """Raises HTTPError 403 for another computer, and for what no page of ours has sent."""
    names = {request.client.host if request.client else "", hostname(request.headers.get("host", ""))}
    if not names <= {LOOPBACK, "localhost"}:
        raise HTTPError(403, ELSEWHERE)
    if request.method == "POST" and "origin" not in request.headers and bearer(request) is None:
        raise HTTPError(403, FOREIGN)


def _is_signed_in(home: Home, request: Request) -> bool:
    return hashed(request.cookies.get(COOKIE, "")) == hashed(home.session)


async def _form(request: Request) -> dict[str, list[str]]:
    """Returns the fields of a form, each with its values without blanks around them."""
    if request.method != "POST":
        return {}
    fields = parse_qs((await request.body()).decode("utf-8", "replace"), keep_blank_values=True)
    return {name: [" ".join(value.split()) for value in values] for name, values in fields.items()}


async def _field(request: Request, name: str) -> str:
    return (await _form(request)).get(name, [""])[0]


# --- coming in --------------------------------------------------------------------------------------------


async def _come_page(_: Home, request: Request) -> Response:
    return await file_of(PAGES / "come.html")(request)


async def _come(home: Home, request: Request) -> Response:
    """Exchanges a link for one use for the cookie of home; phones reach the last evening's table again."""
    link: str = (await read_body(request, link=str))["link"]
    if not home.uses(link):
        raise HTTPError(403, USED)
    with suppress(Refused, StoreError):
        last = await in_a_thread(home.shelf.last_shared)
        if last is not None:
            await home.opened(last)
    answer = json_response({"at": HOME})
    answer.set_cookie(COOKIE, home.session, path=HOME, httponly=True, samesite="strict")
    return answer


async def _again(home: Home, request: Request) -> Response:
    """Answers a second start, which knows the secret of the first, with a link for one use."""
    if hashed(bearer(request) or "") != hashed(home.control):
        raise HTTPError(403, NOT_IN)
    return json_response({"link": home.once()})


async def _to_home(_: Request) -> Response:
    return RedirectResponse(HOME)


# --- the page, and what its forms do ----------------------------------------------------------------------


async def _page(home: Home, request: Request) -> Response:
    typed = home.refused.get(request.query_params.get("refused", ""))
    return await _shown(home, typed or Typed(), 422 if typed else 200)


async def _shown(home: Home, typed: Typed, status: int) -> Response:
    made = await in_a_thread(lambda: page(home.shelf, typed))
    return Response(made, status, FOR_FORMS, "text/html")


async def _cover(home: Home, request: Request) -> Response:
    """Answers with the cover of a campaign of the folder."""
    found = await in_a_thread(lambda: home.shelf.cover(request.query_params.get("file", "")))
    return Response(found.data, media_type=found.media)


async def _open(home: Home, request: Request) -> Response:
    """Opens a campaign of the folder."""
    return await home.enter(request, home.shelf.address(await _field(request, "file")))


async def _new(home: Home, request: Request) -> Response:
    """Begins a campaign: a title, a game, a language, the game master, and people."""
    form = await _form(request)
    columns = (form.get(name, []) for name in Role._fields)
    cast = [Role(*row) for row in zip(*columns, strict=False) if row[0]]
    title, game, master, language = (
        form.get(name, [""])[0] for name in ("title", "game", "master", "language")
    )
    made = await in_a_thread(lambda: home.shelf.begin(title, game, master, cast, language))
    return await home.enter(request, made)


async def _example(home: Home, request: Request) -> Response:
    """Begins a campaign with an evening in it, to try things on."""
    return await home.enter(request, await in_a_thread(home.shelf.example))


async def _settings(home: Home, request: Request) -> Response:
    """Stores the folder, and whose copy an export is by default."""
    folder, copies = await _field(request, "folder"), await _field(request, "copies")
    await in_a_thread(lambda: home.shelf.choose(folder, copies))
    return RedirectResponse(HOME, 303)


async def _file(home: Home, request: Request) -> Response:
    """Takes a campaign's file, a backup or a dump, and answers with the page of the campaign made of it."""
    with tempfile.TemporaryDirectory(prefix="retold-file-") as folder:
        path = Path(folder, "brought")
        async with await open_file(path, "wb") as file:
            async for part in request.stream():
                await file.write(part)
        name = request.query_params.get("name", "")
        entered = await home.enter(request, await in_a_thread(lambda: home.shelf.restore(path, name)))
    answer = json_response({"at": entered.headers["location"]})
    answer.headers.append("set-cookie", entered.headers["set-cookie"])
    return answer


async def _quit(home: Home, _: Request) -> Response:
    """Ends Retold, once this is answered."""
    home.quit()
    return await _shown(home, Typed("Retold is closed. Everything is saved.", is_in=False), 200)
