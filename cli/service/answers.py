"""What is answered at each address below a campaign's: what a viewer may know, and what they may say."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Mapping
from typing import Any, Final

from msgspec.structs import replace
from sse_starlette import EventSourceResponse
from starlette.responses import Response

from cli.inbox import Proposal, now
from cli.service.asking import TOO_OFTEN, Asked, Wrong, in_a_thread, told
from cli.service.feeds import RECENT, Feed, shown
from retold import Campaign, Reading, Refused

MOST_STREAMS: Final = 32
"""So many may follow by one link."""
PING: Final = 15
"""Seconds between two signs of life on a stream."""
STUCK: Final = 30
"""Seconds after which a follower who takes nothing more is let go."""
LAST: Final = 200
LONGEST_ID: Final = 64
KEPT_SAID: Final = 200

_ON_A_LINE: Final = re.compile(r".+@.*", re.DOTALL)
"""A moment on a line that is named: for the game master, as `branch=` is."""


async def here(asked: Asked) -> Response:
    """Where one is: the campaign, and who asks."""
    return told(await in_a_thread(lambda: _here(asked)))


def _here(asked: Asked) -> Mapping[str, Any]:
    reading, director = asked.reading(), asked.director
    return {
        "service": 1,
        "campaign": asked.served.slug,
        "title": reading.title,
        "viewer": reading.called,
        "director": director,
        "plays": list(reading.plays),
        "proposals": "taken" if reading.takes_proposals else "asked",
        "line": reading.line_name if director else None,
        "branches": list(reading.branches) if director else [],
    }


# --- looking ----------------------------------------------------------------------------------------------


async def feed(asked: Asked) -> Response:
    """Everything that happens, as it happens."""
    streams, link = asked.keeper.streams, asked.link.sha256
    if streams.get(link, 0) >= MOST_STREAMS:
        raise Wrong(429, TOO_OFTEN)
    cursor = asked.request.headers.get("last-event-id") or asked.query.get("after")
    await in_a_thread(asked.reading)  # refused, where nobody is called so any more
    followed = asked.served.follow(asked.viewer)
    asked.keeper.shelf.look_now(asked.served)
    return EventSourceResponse(_followed(asked, followed, cursor), ping=PING, send_timeout=STUCK)


async def _followed(asked: Asked, feed: Feed, cursor: str | None) -> AsyncIterator[bytes]:
    streams, link, served = asked.keeper.streams, asked.link, asked.served
    streams[link.sha256] = streams.get(link.sha256, 0) + 1
    feed.followers += 1
    try:
        async for message in feed.follow(cursor, lambda: served.is_good(link)):
            yield message
    finally:
        feed.followers -= 1
        streams[link.sha256] -= 1
        if not streams[link.sha256]:
            del streams[link.sha256]


async def happened(asked: Asked) -> Response:
    """What was recorded, as they may know it, and the cursor it is told up to."""
    last = _number(asked.query.get("last", str(LAST)))
    followed = asked.served.follow(asked.viewer)
    asked.keeper.shelf.look_now(asked.served)
    await followed.ready.wait()
    if followed.ended:
        raise Refused("Nobody is called so any more.")
    cursor, events = followed.cursor, followed.since(asked.query.get("after"))
    if asked.query.get("after") is None:
        events = followed.last(last)
        if len(events) < min(last, RECENT, len(followed.cursors)):
            events = await in_a_thread(lambda: [shown(one) for one in asked.reading().happened()[-last:]])
    if events is None:
        return told({"reset": True, "cursor": cursor, "events": []})
    return told({"events": list(events)[-last:], "cursor": cursor})


def _number(typed: str) -> int:
    if not typed.isdecimal() or not 0 < int(typed) <= RECENT:
        raise Wrong(400, f"last is a number from 1 to {RECENT}.")
    return int(typed)


def _then(asked: Asked) -> Reading:
    """The line at the moment that is asked for, or now."""
    at = asked.query.get("at")
    if at is not None and not asked.director and _ON_A_LINE.fullmatch(at):
        raise Refused("Another line is for the game master to name.")
    return asked.served.reading(asked.viewer, at)


async def board(asked: Asked) -> Response:
    """What lies on the table."""
    return told({"board": await in_a_thread(lambda: _then(asked).board())})


async def view(asked: Asked) -> Response:
    """A view of the table."""
    name = asked.request.path_params["name"]
    return told(await in_a_thread(lambda: _then(asked).view(name).to_json()))


async def replay(asked: Asked) -> Response:
    """The replay of a session, with the branches that they may know of."""
    body = await in_a_thread(lambda: _replay(asked))
    return Response(body, media_type="application/json")


def _replay(asked: Asked) -> bytes:
    branch, part = asked.query.get("branch"), asked.query.get("part")
    if not asked.director and (branch is not None or not re.fullmatch(r"s?[0-9]{1,4}", part or "1")):
        raise Refused("Name a session: part=s3.")
    served = asked.served
    now = (asked.viewer, branch, part), (served.campaign.scribe.line, served.campaign.changes)
    with served.replaying:  # whoever else wants the same waits for it, and makes none
        if served.replays.get(now[0], (None, b""))[0] != now[1]:
            told_again = served.looked_up(asked.viewer, branch).replay(part).to_json()
            served.keep_replay(now[0], now[1], json.dumps(told_again, ensure_ascii=False).encode())
        return served.replays[now[0]][1]


async def can(asked: Asked) -> Response:
    """What may be said now, and is for them to say; for players also what they may roll at any time."""

    def found() -> Mapping[str, Any]:
        reading = asked.reading()
        choices = [one._asdict() for one in reading.can()]
        return {"choices": choices, "rolls": [one._asdict() for one in reading.rolls()]}

    return told(await in_a_thread(found))


async def complete(asked: Asked) -> Response:
    """What may stand at the end of a line that the game master types."""
    asked.direct()
    line = asked.query.get("line", "")

    def offered() -> Mapping[str, Any]:
        from cli.console.offers import Known, offers

        campaign = asked.served.campaign
        replaces, found = offers(Known(campaign.scribe.table, campaign.branches), line)
        return {
            "replaces": replaces,
            "offers": [{"text": one.text, "about": one.about} for one in found[:50]],
        }

    return told(await in_a_thread(offered))


# --- saying -----------------------------------------------------------------------------------------------


async def check(asked: Asked) -> Response:
    """What would come of a line."""
    line: str = (await asked.body(line=str))["line"]

    def checked() -> list[str]:
        campaign = asked.served.campaign
        campaign.catch_up()
        by = None if asked.director else asked.viewer
        outcome = campaign.check(line, by=by)
        return list(campaign.sentences(outcome, by=by))

    return told({"would": await in_a_thread(checked)})


async def say(asked: Asked) -> Response:
    """Records a line of the game master's."""
    asked.direct()
    body = await asked.body(line=str, id=str)
    id_ = _id(body["id"])
    answer = await in_a_thread(lambda: _said(asked, body["line"], id_, sure=body.get("sure") is True))
    asked.keeper.shelf.look_now(asked.served)
    return told(answer)


def _id(typed: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_-]{8,64}", typed):
        raise Wrong(400, "An id is 8 to 64 letters, digits, - and _.")
    return typed


def _said(asked: Asked, line: str, id_: str, *, sure: bool) -> Mapping[str, Any]:
    served = asked.served

    def ask(question: str) -> bool:
        if not sure:
            raise Refused(f"{question} Nothing is changed yet: say it again with sure.")
        return True

    with served.saying:  # the same id twice at once is one
        if id_ not in served.said:
            served.campaign.catch_up()
            outcome = served.campaign.say(line, ask=ask, act=f"said-{id_}")
            first = "" if outcome.done is None else str(outcome.done.first)
            served.said[id_] = {"at": first, "said": list(served.campaign.sentences(outcome))}
            for old in list(served.said)[:-KEPT_SAID]:
                del served.said[old]
        return served.said[id_]


# --- handing in -------------------------------------------------------------------------------------------


async def handed_in(asked: Asked) -> Response:
    """What waits, for the game master; for anybody else what they have handed in."""
    inbox, viewer = asked.served.inbox, asked.viewer

    def proposals() -> list[Mapping[str, Any]]:
        if asked.director:
            return [one.as_seen_by(viewer) for one in inbox.waiting()]
        return [one.as_seen_by(viewer) for one in inbox.everything() if one.is_by(viewer)]

    return told({"proposals": await in_a_thread(proposals)})


async def hand_in(asked: Asked) -> Response:
    """Keeps a line for the game master to take, once the rules have been asked."""
    body = await asked.body(id=str, line=str)
    id_, line = _id(body["id"]), body["line"]
    kept = await in_a_thread(lambda: _handed_in(asked, id_, line))
    asked.keeper.shelf.look_now(asked.served)
    return told(kept.as_seen_by(asked.viewer))


def _handed_in(asked: Asked, id_: str, line: str) -> Proposal:
    served, viewer = asked.served, asked.viewer
    called, arrival = asked.reading().called, None if isinstance(viewer, str) else str(viewer)
    proposal = Proposal(id_, called, line, now(), arrival=arrival)
    with served.saying:
        if served.inbox.get(proposal.id) is None:
            served.campaign.catch_up()
            proposal = _shut(served.campaign, proposal)
        kept = served.inbox.hand_in(proposal)
        if kept.state == "waiting" and served.campaign.takes_proposals:
            return _taken(asked, kept.id)
        return kept


def _shut(campaign: Campaign, proposal: Proposal) -> Proposal:
    """The same once the rules have been asked; what they would seal is shut for everybody else by then."""
    outcome = campaign.check(proposal.line, by=proposal.by)
    if not outcome.sealed:
        return proposal
    return replace(proposal, face=" ".join(campaign.sentences(outcome, by=proposal.by)))


async def answer(asked: Asked) -> Response:
    """Takes or refuses what was handed in, or withdraws it."""
    body = await asked.body()
    id_ = _id(asked.request.path_params["id"])
    settled = await in_a_thread(lambda: _answered(asked, id_, body))
    asked.keeper.shelf.look_now(asked.served)
    return told(settled.as_seen_by(asked.viewer))


def _answered(asked: Asked, id_: str, body: Mapping[str, Any]) -> Proposal:
    inbox = asked.served.inbox
    known = inbox.get(id_)
    if known is None or not (asked.director or known.is_by(asked.viewer)):
        raise Wrong(404, "There is no such proposal.")
    if body.get("withdraw") is True and known.is_by(asked.viewer):
        return inbox.settle(id_, "withdrawn")
    asked.direct()
    if isinstance(body.get("refuse"), str):
        return inbox.settle(id_, "refused", body["refuse"])
    if body.get("take") is not True:
        raise Wrong(400, "Say take, or refuse and why.")
    with asked.served.saying:
        return _taken(asked, id_)


def _taken(asked: Asked, id_: str) -> Proposal:
    """Records what was handed in, in the name of whoever did; where the rules do not take it, it waits on."""
    campaign = asked.served.campaign

    def record(one: Proposal) -> tuple[str, ...]:
        campaign.catch_up()
        return campaign.sentences(campaign.say(one.line, by=one.by, act=one.act), by=one.by)

    return asked.served.inbox.take(id_, record)
