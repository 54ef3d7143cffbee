"""Endpoints of a served campaign: what a viewer may read, and lines that players hand in."""

from __future__ import annotations

import json
import re
import time
from base64 import b64decode
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial, wraps
from http import HTTPStatus
from typing import Any, Final, TypeVar
from urllib.parse import quote

from anyio import to_thread
from msgspec.structs import replace
from sse_starlette import EventSourceResponse
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from retold import Reading, Refused, StoreError
from retold.cli.campaigns.inbox import ID_PATTERN, Proposal, now
from retold.cli.campaigns.links import Link, Whose, hashed
from retold.cli.service import shell_lines
from retold.cli.service.answers import Choice, Count, Error, Here, Holder, Roll
from retold.cli.service.feeds import RECENT, Feed, shown
from retold.cli.service.invitations import Invitation, links_for, new_link, viewer_named, viewers
from retold.cli.service.network import Pace
from retold.cli.service.served_campaigns import AWAY, FullError, ServedCampaign, ServedCampaigns

A_MINUTE: Final = 240
"""Requests of one link."""
TRIES_A_MINUTE: Final = 20
"""Requests without a link, or with one that is not good, of one address."""
MOST_COOKIES: Final = 32
"""So many cookies of one request are looked at."""
TABLE: Final = "table"

T = TypeVar("T")


class HTTPError(Exception):
    """An error answered to the client: HTTP status and a JSON body with a sentence."""

    def __init__(self, status: int, sentence: str, **more: object) -> None:
        super().__init__(sentence)
        self.status = status
        self.body = {"error": sentence, **more}

    def response(self) -> Response:
        """Returns the answer; with status 401 it names the scheme by which a link is sent."""
        headers = {"www-authenticate": "Bearer"} if self.status == HTTPStatus.UNAUTHORIZED else None
        return JSONResponse(self.body, self.status, headers)


NO_LINK: Final = "There is nothing here without a link: ask your game master for yours."
FAILED: Final = "That cannot be answered just now: try again in a moment."
"""Answer to all but the game master if the record cannot be read or written.

The error itself may name a server or a file."""
NOT_NOW: Final = "No line is taken just now: ask your game master."
NOT_HERE: Final = "There is nothing here."
TOO_OFTEN: Final = "That is too much at once: wait a little."


@dataclass(slots=True)
class RequestKeeper:
    """Served campaigns with their rate limits: per link, per address without a link, per invalid secret."""

    served_campaigns: ServedCampaigns
    links: Pace = field(default_factory=lambda: Pace(A_MINUTE))
    strangers: Pace = field(default_factory=lambda: Pace(TRIES_A_MINUTE))
    spent: Pace = field(default_factory=lambda: Pace(TRIES_A_MINUTE))
    """Secrets that are not good, each with its own pace."""
    streams: Counter[str] = field(default_factory=Counter)
    """How many streams are open on each link."""

    def stranger(self, whence: str, secret: str, now: float) -> HTTPError:
        """Counts a request without a valid link; returns the error for it: 401, or 429 if there are too many.

        `whence` is the address, `secret` the invalid secret or empty. A secret tried before counts against
        itself alone, so that a phone whose link was revoked does not use up the limit of others at its
        address.
        """
        tried = hashed(secret) if secret else None
        is_new = tried not in self.spent.known
        is_within = tried is None or self.spent.allows(tried, now)
        if is_new and not self.strangers.allows(whence, now):
            is_within = False
        return HTTPError(401, NO_LINK) if is_within else HTTPError(429, TOO_OFTEN)


@dataclass(frozen=True, slots=True)
class AuthorizedRequest:
    """A request that came with a valid link."""

    request: Request
    keeper: RequestKeeper
    served: ServedCampaign
    link: Link
    on_stage: bool = False
    """Whether the stage asks: it is answered as the table may know it, whosever link it comes with."""

    @property
    def viewer(self) -> Whose:
        """Viewer of the link, or `table` on the stage; raises Refused if the link's person is unknown."""
        return TABLE if self.on_stage else self.link.whose

    @property
    def director(self) -> bool:
        """True if the link is the game master's and the request is not for the stage."""
        return not self.on_stage and self.link.is_for("gm")

    @property
    def query(self) -> Mapping[str, str]:
        """Query parameters of the request: `at` → `s3` for `?at=s3`."""
        return self.request.query_params

    def reading(self) -> Reading:
        """Returns the current state of the branch being played, limited to this viewer's knowledge."""
        return self.served.reading(self.viewer)

    async def body(self, **wanted: type) -> Mapping[str, Any]:
        """Returns the request's JSON object; raises HTTPError 400 if it lacks a field of `wanted`."""
        return await read_body(self.request, **wanted)

    def direct(self) -> None:
        """Raises HTTPError 403 unless the request is the game master's."""
        if not self.director:
            raise HTTPError(403, "That is for the game master.")

    def check_gap(self) -> None:
        """Raises HTTPError 503 while the end of a campaign on a server is missing: then no line is taken."""
        if self.served.gap is not None:
            raise HTTPError(503, self.served.gap if self.director else NOT_NOW)


async def read_body(request: Request, **wanted: type) -> Mapping[str, Any]:
    """Returns the JSON object in a request's body; its values are texts and booleans.

    Raises HTTPError 400 if it is invalid, lacks a field of `wanted` (name and type), or has it in another
    type.
    """
    try:
        found = json.loads(await request.body())
    except (ValueError, RecursionError):
        raise HTTPError(400, "The body is no JSON.") from None
    if not isinstance(found, dict) or not all(isinstance(value, str | bool) for value in found.values()):
        raise HTTPError(400, "The body is no JSON object of texts, and true or false.")
    for name, kind in wanted.items():
        if not isinstance(found.get(name), kind):
            raise HTTPError(400, f"The body wants {name}.")
    if any(_unwritable(value) for value in found.values() if isinstance(value, str)):
        raise HTTPError(400, "The body holds half of a surrogate pair.")
    return found


def _unwritable(text: str) -> bool:
    """True for text with a lone surrogate, which UTF-8 cannot encode."""
    return not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text)


Answering = Callable[[AuthorizedRequest], Awaitable[Response]]
Endpoint = Callable[[Request], Awaitable[Response]]


def cookie(slug: str, whom: str | None = None) -> str:
    """Returns the cookie's name for a campaign and viewer: `retold-salt-road.gm`.

    Without `whom`, the name that older releases used: `retold-salt-road`.
    """
    name = f"retold-{quote(slug, safe='')}"
    return name if whom is None else f"{name}.{whom}"


def bearer(request: Request) -> str | None:
    """Returns the bearer token in the Authorization header, as programs send it; None without one."""
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    return token if kind.casefold() == "bearer" else None


def secrets_in(request: Request, cookies: Iterable[str]) -> list[str]:
    """Returns the bearer token of a request, else the values of those of its cookies that are named."""
    token = bearer(request)
    if token is not None:
        return [token]
    return [request.cookies[name] for name in cookies if name in request.cookies]


def link_at(served: ServedCampaign, request: Request, whom: str | None) -> Link | None:
    """Returns the valid link that a request carries for the viewer of its path; None without one.

    If the path names no viewer, only a bearer token or the cookie of older releases counts.
    """
    whole = cookie(served.slug)
    secrets = secrets_in(request, [whole] if whom is None else [cookie(served.slug, whom), whole])
    found = (served.link(secret) for secret in secrets if secret)
    return next((link for link in found if link and whom in (None, served.whom(link))), None)


def links_of(served: ServedCampaign, request: Request) -> list[Link]:
    """Returns every valid link in a request's cookies or bearer token for this campaign, people's last."""
    of_viewers = [name for name in request.cookies if name.startswith(cookie(served.slug, ""))]
    secrets = secrets_in(request, [cookie(served.slug), *of_viewers[:MOST_COOKIES]])
    found = (served.link(secret) for secret in secrets if secret)
    return sorted((link for link in found if link is not None), key=lambda link: link.arrival is not None)


def json_response(answer: Mapping[str, Any], status: int = 200) -> Response:
    """Returns a response with `answer` as JSON and an HTTP status."""
    return JSONResponse(dict(answer), status)


def address(request: Request) -> str:
    """Returns the IP address of the client; `-` if unknown."""
    return request.client.host if request.client else "-"


def with_link(keeper: RequestKeeper, answering: Answering, *, on_stage: bool = False) -> Endpoint:
    """Wraps an endpoint: requires a valid link, and turns exceptions into error responses.

    Marks the link as used. `on_stage` accepts any link of the campaign, and answers with public knowledge
    only.
    """

    @wraps(answering)
    async def answered(request: Request) -> Response:
        served = None
        director = False
        try:
            await come(keeper, request)
            asked = _asked(keeper, request, on_stage=on_stage)
            served = asked.served
            served.used = time.monotonic()
            served.busy += 1
            director = asked.director
            if not asked.link.joined:  # a program comes by its link without joining
                await in_a_thread(lambda: asked.served.join(asked.link))
            return await answering(asked)
        except HTTPError as wrong:
            return wrong.response()
        except Refused as refusal:
            return json_response(_error(refusal, director=director), 422)
        except StoreError as error:
            return unavailable(error, director=director)
        finally:
            if served is not None:
                served.busy -= 1

    return answered


def _error(refusal: Refused, *, director: bool) -> dict[str, Any]:
    said = refusal.sentence if director else refusal.for_players or refusal.sentence
    edit = refusal.edit if director else None
    return Error(said, list(refusal.lines), edit).to_json()


def unavailable(error: StoreError, *, director: bool = False) -> Response:
    """Returns the 503 response where a record cannot be read or written.

    Only the game master gets the error's own sentence, which may name the server, a file or a position.
    """
    is_plain = director or isinstance(error, FullError)
    return json_response({"error": str(error) if is_plain else FAILED}, 503)


async def come(keeper: RequestKeeper, request: Request) -> None:
    """Opens the campaign in a request's path if it lies on a server and the request carries a valid link.

    Raises HTTPError 503 while the server does not answer, StoreError if the campaign cannot be opened.
    """
    if keeper.served_campaigns.server is None:
        return
    if keeper.served_campaigns.away:
        raise HTTPError(503, AWAY)
    slug = request.path_params["campaign"]
    await keeper.served_campaigns.come(slug, _tried(request, slug).split("\n"))


def _asked(keeper: RequestKeeper, request: Request, *, on_stage: bool) -> AuthorizedRequest:
    slug = request.path_params["campaign"]
    served = keeper.served_campaigns.served.get(slug)
    now = time.monotonic()
    if served is None:
        link = None
    elif on_stage:
        link = next(iter(links_of(served, request)), None)
    else:
        link = link_at(served, request, request.path_params.get("whom"))
    if served is None or link is None:
        raise keeper.stranger(address(request), _tried(request, slug), now)
    if not keeper.links.allows(link.sha256, now):
        raise HTTPError(429, TOO_OFTEN)
    return AuthorizedRequest(request, keeper, served, link, on_stage)


def _tried(request: Request, slug: str) -> str:
    """Returns the invalid secrets of a request, joined to one text; empty if it has none."""
    names = sorted(name for name in request.cookies if name.startswith(cookie(slug)))
    return "\n".join(secrets_in(request, names[:MOST_COOKIES]))


async def in_a_thread(work: Callable[[], T]) -> T:
    """Calls `work` in a worker thread, so that other requests go on; returns its result."""
    return await to_thread.run_sync(work)


MOST_STREAMS: Final = 32
"""So many may follow by one link."""
TOO_MANY_STREAMS: Final = f"{MOST_STREAMS} pages follow by this link already: close one of them."
PING: Final = 15
"""Seconds between two signs of life on a stream."""
STUCK: Final = 30
"""Seconds after which a follower who takes nothing more is let go."""
RETRY: Final = b"retry: 300\r\n\r\n"
"""Tells browsers how many milliseconds to wait before they connect again."""
LAST: Final = 200
KEPT_SAID: Final = 200

_ON_A_LINE: Final = re.compile(r".+@.*", re.DOTALL)
"""A moment on a line that is named: for the game master, as `branch=` is."""


async def here(asked: AuthorizedRequest) -> Response:
    """Answers with the campaign's title, the viewer's name, and the viewer's rights."""
    return json_response(await in_a_thread(lambda: _here(asked)))


def _here(asked: AuthorizedRequest) -> Mapping[str, Any]:
    reading, director = asked.reading(), asked.director
    return Here(
        service=1,
        campaign=asked.served.slug,
        title=reading.title,
        viewer=reading.called,
        director=director,
        plays=tuple(reading.plays),
        proposals="taken" if reading.takes_proposals else "asked",
        line=reading.line_name if director else None,
        branches=tuple(reading.branches) if director else (),
        copies=asked.served.copies if director else TABLE,
        cover=reading.picture("cover") is not None,
        home=director and asked.served.is_at_home,
    ).to_json()


# --- looking ----------------------------------------------------------------------------------------------


async def feed(asked: AuthorizedRequest) -> Response:
    """Streams events to the viewer as they are recorded (server-sent events), until the client leaves.

    HTTPError 429 if the link has 32 streams open.
    """
    streams, link = asked.keeper.streams, asked.link.sha256
    if streams[link] >= MOST_STREAMS:
        raise HTTPError(429, TOO_MANY_STREAMS)
    streams[link] += 1  # at once: the others that come meanwhile are counted with it
    try:
        cursor = asked.request.headers.get("last-event-id") or asked.query.get("after")
        await in_a_thread(asked.reading)  # refused when the name is no longer known
        followed = asked.served.follow(asked.viewer)
        asked.keeper.served_campaigns.look_now(asked.served)
        stream = _CountedStream(_followed(asked, followed, cursor), ping=PING, send_timeout=STUCK)
    except BaseException:
        streams[link] -= 1
        raise
    stream.ended = partial(streams.subtract, (link,))
    return stream


class _CountedStream(EventSourceResponse):
    """A stream of events that says when it has ended, even if it was never read."""

    ended: Callable[[], object]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the events."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.ended()


async def _followed(asked: AuthorizedRequest, feed: Feed, cursor: str | None) -> AsyncIterator[bytes]:
    link, served = asked.link, asked.served
    if served.is_on_server:  # another node goes on where this one ended
        yield RETRY
    feed.followers += 1
    try:
        async for message in feed.follow(cursor, lambda: served.is_good(link)):
            yield message
    finally:
        feed.followers -= 1


async def happened(asked: AuthorizedRequest) -> Response:
    """Answers with the last events the viewer may know, or those after `?after=`, and the next cursor.

    A cursor names the last event received. `reset` is true, without events, if the cursor is outdated.
    """
    last = _number(asked.query.get("last", str(LAST)))
    followed = await _followed_feed(asked)
    cursor = followed.cursor
    after = asked.query.get("after")
    events = await _last(asked, followed, last) if after is None else followed.since(after)
    if events is None:
        return json_response({"reset": True, "cursor": cursor, "events": []})
    return json_response({"events": list(events)[-last:], "cursor": cursor})


async def _followed_feed(asked: AuthorizedRequest) -> Feed:
    """Returns the viewer's feed once it is ready; raises Refused if the name is no longer known."""
    followed = asked.served.follow(asked.viewer)
    asked.keeper.served_campaigns.look_now(asked.served)
    await followed.ready.wait()
    if followed.ended:
        raise Refused("This name is no longer known.")
    return followed


async def _last(asked: AuthorizedRequest, followed: Feed, last: int) -> list[Mapping[str, Any]]:
    events = followed.last(last)
    if len(events) < min(last, RECENT, len(followed.cursors)):
        reading = asked.reading()
        return await in_a_thread(lambda: shown(reading.happened()[-last:], reading))
    return events


async def begun(asked: AuthorizedRequest) -> Mapping[str, Any]:
    """Returns what a page begins with: `here`, the last events with their cursor, and the board."""
    here = await in_a_thread(lambda: _here(asked))
    followed = await _followed_feed(asked)
    now = {"cursor": followed.cursor, "board": followed.board}
    return {"here": here, "events": await _last(asked, followed, LAST), **now}


def _number(typed: str) -> int:
    if not typed.isdecimal() or not 0 < int(typed) <= RECENT:
        raise HTTPError(400, f"last is a number from 1 to {RECENT}.")
    return int(typed)


def _then(asked: AuthorizedRequest) -> Reading:
    """Returns the viewer's reading at the moment in `?at=`, else now.

    Raises Refused if a player names another branch.
    """
    at = asked.query.get("at")
    if at is not None and not asked.director and _ON_A_LINE.fullmatch(at):
        raise Refused("Only the game master may name another line.")
    return asked.served.reading(asked.viewer, at)


async def board(asked: AuthorizedRequest) -> Response:
    """Answers with the board, now or at `?at=`: cards, dice, maps and values on the table."""
    return json_response({"board": await in_a_thread(lambda: _then(asked).board())})


async def view(asked: AuthorizedRequest) -> Response:
    """Answers with the view named in the path, such as `stress`, now or at moment `?at=`."""
    name = asked.request.path_params["name"]
    return json_response(await in_a_thread(lambda: _then(asked).view(name).to_json()))


async def pocket(asked: AuthorizedRequest) -> Response:
    """Answers with the viewer's pictures and private words."""
    return json_response({"events": await in_a_thread(lambda: _handed(asked.reading()))})


def _handed(reading: Reading) -> list[Mapping[str, Any]]:
    events = reading.happened()
    return shown(
        [one for one in events if one.kind == "table.picture-added" or one.visible_to != TABLE], reading
    )


async def picture(asked: AuthorizedRequest) -> Response:
    """Answers with the picture of the event whose id is in the path, as PNG or JPEG."""
    id_ = asked.request.path_params["id"]
    found = await in_a_thread(lambda: asked.reading().picture(id_))
    if found is None:
        raise HTTPError(404, "There is no such picture.")
    return Response(found.data, media_type=found.media)


async def replay(asked: AuthorizedRequest) -> Response:
    """Answers with a session's replay (`?part=s3`), including branches known to the viewer."""
    return Response(await in_a_thread(lambda: _replay(asked)), media_type="application/json")


def _replay(asked: AuthorizedRequest) -> bytes:
    branch, part = asked.query.get("branch"), asked.query.get("part")
    if not asked.director and (branch is not None or not re.fullmatch(r"s?[0-9]{1,4}", part or "1")):
        raise Refused("Name a session: part=s3.")
    served = asked.served
    key = (asked.viewer, branch, part)
    state = (served.campaign.scribe.line, served.campaign.changes)
    with served.replaying:  # another request for the same waits for it, and makes none
        kept = served.replays.get(key)
        if kept is None or kept[0] != state:
            told_again = served.looked_up(asked.viewer, branch).replay(part, voice=served.voice).to_json()
            served.keep_replay(key, state, json.dumps(told_again, ensure_ascii=False).encode())
        return served.replays[key][1]


async def can(asked: AuthorizedRequest) -> Response:
    """Answers with the lines the viewer may type now, and the rolls a player may make at any time.

    For the game master the rolls of `?who=`, and the numbers that a line may change.
    """

    def found() -> Mapping[str, Any]:
        reading = asked.reading()
        who = asked.query.get("who") if asked.director else None
        counts = reading.counts() if asked.director else ()
        return {
            "choices": [Choice(*choice).to_json() for choice in reading.can()],
            "rolls": [Roll(*roll).to_json() for roll in reading.rolls(who)],
            "counts": [Count(*one).to_json() for one in counts],
        }

    return json_response(await in_a_thread(found))


async def complete(asked: AuthorizedRequest) -> Response:
    """Answers with completions for a half-typed `?line=`; for the game master only."""
    asked.direct()
    line = asked.query.get("line", "")

    def offered() -> Mapping[str, Any]:
        from retold.cli.console.offers import Known, offers

        campaign = asked.served.campaign
        with campaign.shared.lock:
            replaces, found = offers(Known(campaign.scribe.table, campaign.branches), line)
        return {
            "replaces": replaces,
            "offers": [{"text": offer.text, "about": offer.about} for offer in found[:50]],
        }

    return json_response(await in_a_thread(offered))


# --- saying -----------------------------------------------------------------------------------------------


async def check(asked: AuthorizedRequest) -> Response:
    """Answers with the sentences that recording a line would give; records nothing.

    A refusal of an `unfinished` line is an answer with `error`, no failure: a browser notes failures.
    """
    body = await asked.body(line=str)

    def checked() -> list[str]:
        campaign = asked.served.campaign
        campaign.catch_up()
        by = None if asked.director else asked.viewer
        outcome = campaign.check(body["line"], by=by)
        return list(campaign.sentences(outcome, by=by))

    try:
        return json_response({"would": await in_a_thread(checked)})
    except Refused as refusal:
        if body.get("unfinished") is not True:
            raise
        return json_response({"would": [], **_error(refusal, director=asked.director)})


async def say(asked: AuthorizedRequest) -> Response:
    """Records a line typed by the game master; answers with its event position and sentences.

    The same `id` sent twice is recorded once. A line such as `recap`, which only reads, is answered as in a
    shell, with an empty position. For the game master only.
    """
    asked.direct()
    asked.check_gap()
    body = await asked.body(line=str, id=str)
    id_, line = _id(body["id"]), body["line"]
    if shell_lines.is_asked(line):
        told = await in_a_thread(
            lambda: shell_lines.answered(asked.served.campaign, asked.served.settings, line)
        )
        return json_response({"at": "", "said": told.splitlines()})
    answer = await in_a_thread(lambda: _said(asked, line, id_, sure=body.get("sure") is True))
    asked.keeper.served_campaigns.look_now(asked.served)
    return json_response(answer)


async def export(asked: AuthorizedRequest) -> Response:
    """Answers with the file that an `export` line makes, or `backup`; for the game master only.

    The header `x-said` says whose copy it is, percent-encoded.
    """
    asked.direct()
    line: str = (await asked.body(line=str))["line"]
    file = await in_a_thread(lambda: shell_lines.made(asked.served.campaign, asked.served.settings, line))
    named = f"attachment; filename*=UTF-8''{quote(file.name)}"
    headers = {"content-disposition": named, "x-said": quote(file.said)}
    return Response(file.data, 200, headers, "application/octet-stream")


async def add_picture(asked: AuthorizedRequest) -> Response:
    """Records a line of the game master that names a picture's file, with the file's bytes in base64.

    The same `id` sent twice is recorded once.
    """
    asked.direct()
    asked.check_gap()
    body = await asked.body(line=str, picture=str, id=str)
    id_ = _id(body["id"])
    try:
        file = b64decode(body["picture"], validate=True)
    except ValueError:
        raise HTTPError(400, "The picture is no base64.") from None
    answer = await in_a_thread(lambda: _said(asked, body["line"], id_, sure=False, file=file))
    asked.keeper.served_campaigns.look_now(asked.served)
    return json_response(answer)


def _id(typed: str) -> str:
    if not re.fullmatch(ID_PATTERN, typed):
        raise HTTPError(400, "An id is 8 to 64 letters, digits, - and _.")
    return typed


def _said(
    asked: AuthorizedRequest, line: str, id_: str, *, sure: bool, file: bytes | None = None
) -> Mapping[str, Any]:
    served = asked.served

    def refuse(question: str) -> bool:
        raise Refused(f"{question} Nothing is changed yet: say it again with sure.")

    with served.saying:  # the same id twice at once is one
        if id_ not in served.said:
            served.campaign.catch_up()
            outcome = served.campaign.say(line, ask=None if sure else refuse, act=f"said-{id_}", file=file)
            first = "" if outcome.first is None else str(outcome.first)
            served.said[id_] = {"at": first, "said": list(served.campaign.sentences(outcome))}
            for old in list(served.said)[:-KEPT_SAID]:
                del served.said[old]
        return served.said[id_]


# --- links ------------------------------------------------------------------------------------------------


async def links(asked: AuthorizedRequest) -> Response:
    """Answers with who may have a link, how many each holds, and who follows now; game master only."""
    asked.direct()
    return json_response({"links": await in_a_thread(lambda: _links(asked))})


def _links(asked: AuthorizedRequest) -> list[Mapping[str, Any]]:
    """Returns each viewer with their links, without the one that is asked with."""
    served = asked.served
    held = [(served.called(link), link) for link in served.links.every() if link.sha256 != asked.link.sha256]
    found: list[Mapping[str, Any]] = []
    for name in dict.fromkeys([*viewers(served.campaign), *(name for name, _ in held)]):
        own = [link for called, link in held if called == name]
        open_now = sum(
            followed.feed.followers
            for whose, followed in tuple(served.followed.items())
            if whose == name or any(link.is_for(whose) for link in own)
        )
        used = sum(link.joined for link in own)
        found.append(Holder(name, len(own), used, open_now).to_json())
    return found


async def change_links(asked: AuthorizedRequest) -> Response:
    """Makes a link for a viewer (`new`), or revokes theirs (`revoke`) but the one that is asked with.

    Answers as `links` does, with the new link and its QR code. For the game master only.
    """
    asked.direct()
    served = asked.served
    body = await asked.body()
    new = body.get("new")
    gone = body.get("revoke")
    answer = {}
    if isinstance(new, str):
        viewer = await in_a_thread(lambda: viewer_named(served.campaign, new))
        url = await asked.keeper.served_campaigns.url()
        made = Invitation(served, viewer, await in_a_thread(lambda: new_link(served, url, viewer)))
        answer = {"link": made.link, "image": made.image}
    elif isinstance(gone, str):
        own = [link for link in links_for(served, gone) if link.sha256 != asked.link.sha256]
        await in_a_thread(lambda: served.links.revoke(own))
    else:
        raise HTTPError(400, "The body wants new or revoke.")
    await in_a_thread(served.read_links)
    asked.keeper.served_campaigns.look_now(served)
    return json_response({"links": await in_a_thread(lambda: _links(asked)), **answer})


# --- handing in -------------------------------------------------------------------------------------------


async def handed_in(asked: AuthorizedRequest) -> Response:
    """Answers the game master with all waiting proposals, a player with every one of their own."""
    viewer, inbox = asked.viewer, asked.served.inbox
    found = await in_a_thread(inbox.waiting if asked.director else inbox.everything)
    theirs = [proposal for proposal in found if asked.director or proposal.is_by(viewer)]
    return json_response({"proposals": [proposal.as_seen_by(viewer) for proposal in theirs]})


async def hand_in(asked: AuthorizedRequest) -> Response:
    """Stores a player's line as a proposal, if the rules allow it; answers with the proposal.

    Records it at once if the campaign takes proposals without asking the game master. A line that only asks,
    such as `hp Zel`, is answered at once in `said`, and not stored.
    """
    asked.check_gap()
    body = await asked.body(id=str, line=str)
    id_, line = _id(body["id"]), body["line"]
    kept = await in_a_thread(lambda: _handed_in(asked, id_, line))
    asked.keeper.served_campaigns.look_now(asked.served)
    return json_response(kept.as_seen_by(asked.viewer))


def _handed_in(asked: AuthorizedRequest, id_: str, line: str) -> Proposal:
    served, viewer = asked.served, asked.viewer
    arrival = None if isinstance(viewer, str) else str(viewer)
    proposal = Proposal(id_, asked.reading().called, line, now(), arrival=arrival)
    with served.saying:
        if served.inbox.get(proposal.id) is None:
            served.campaign.catch_up()
            outcome = served.campaign.check(line, by=proposal.by)
            if outcome.said and not outcome.would:
                return replace(proposal, state="answered", said=outcome.said)
            if outcome.sealed:  # secret for now: others read the sentences in its place
                face = " ".join(served.campaign.sentences(outcome, by=proposal.by))
                proposal = replace(proposal, face=face)
        kept = served.inbox.hand_in(proposal)
        if kept.state == "waiting" and served.campaign.takes_proposals:
            return _taken(asked, kept.id)
        return kept


async def answer(asked: AuthorizedRequest) -> Response:
    """Takes or refuses a proposal (game master), or withdraws it (its player); answers with it."""
    asked.check_gap()
    body = await asked.body()
    if body.get("withdraw") is not True:
        asked.direct()
    id_ = _id(asked.request.path_params["id"])
    settled = await in_a_thread(lambda: _answered(asked, id_, body))
    asked.keeper.served_campaigns.look_now(asked.served)
    return json_response(settled.as_seen_by(asked.viewer))


def _answered(asked: AuthorizedRequest, id_: str, body: Mapping[str, Any]) -> Proposal:
    inbox = asked.served.inbox
    known = inbox.get(id_)
    if known is None or not (asked.director or known.is_by(asked.viewer)):
        raise HTTPError(404, "There is no such proposal.")
    if body.get("withdraw") is True and known.is_by(asked.viewer):
        return inbox.settle(id_, "withdrawn")
    asked.direct()
    if isinstance(body.get("refuse"), str):
        return inbox.settle(id_, "refused", body["refuse"])
    if body.get("take") is not True:
        raise HTTPError(400, "Say take, or refuse and why.")
    with asked.served.saying:
        return _taken(asked, id_)


def _taken(asked: AuthorizedRequest, id_: str) -> Proposal:
    """Records a waiting proposal in its player's name and returns it.

    If the rules refuse it, it keeps waiting, and Refused is raised.
    """
    campaign = asked.served.campaign

    def record(proposal: Proposal) -> tuple[str, ...]:
        campaign.catch_up()
        outcome = campaign.say(proposal.line, by=proposal.by, act=proposal.act)
        return campaign.sentences(outcome, by=proposal.by)

    return asked.served.inbox.take(id_, record)
