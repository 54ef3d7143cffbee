"""Endpoints of the writer's page: drafts read and written; for the game master only."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from starlette.responses import Response

from cli.service.answers import Draft, DraftBlock, DraftChange
from cli.service.endpoints import AuthorizedRequest, HTTPError, in_a_thread, json_response
from cli.service.served_campaigns import ServedCampaign

_STARTED: Final = f"{time.time_ns():x}"
"""Time at which the service started, for tags."""
_REVISION: Final = re.compile(r"[1-9][0-9]{0,8}")


async def drafts(asked: AuthorizedRequest) -> Response:
    """Answers with the names of all drafts."""
    asked.direct()
    return json_response({"drafts": await in_a_thread(asked.served.aside.drafts)})


async def draft(asked: AuthorizedRequest) -> Response:
    """Answers with the draft `?name=` as its writer has it.

    `?unless=` takes the tag of an earlier answer: if nothing changed since, the answer is an empty 304.
    """
    asked.direct()
    name = asked.query.get("name", "")
    if asked.query.get("unless") == await in_a_thread(lambda: _tag(asked.served)):
        return Response(status_code=304)
    return json_response(await in_a_thread(lambda: _draft(asked, name).to_json()))


def _tag(served: ServedCampaign) -> str:
    """Returns a text that differs after any change of the record, and after a restart."""
    return f"{_STARTED}-{served.campaign.scribe.line}-{served.aside.changes}"


def _draft(asked: AuthorizedRequest, name: str, written: str = "") -> Draft:
    """Returns a draft, read by the second connection, since composing a long one takes a second."""
    served = asked.served
    tag = _tag(served)  # before it is read: what changes meanwhile is seen next time
    found = served.aside.draft(name, served.draft_voice)
    return Draft(*found[:-1], tuple(map(_draft_block, found.blocks)), tag, written)


def _draft_block(block: Any) -> DraftBlock:  # noqa: ANN401 -- a block of `Campaign.draft`
    return DraftBlock(
        block.id,
        block.state,
        block.sort,
        block.text,
        block.record,
        block.edited,
        block.hidden,
        tuple(DraftChange(*change) for change in block.changed),
        tuple(map(_draft_block, block.others)),
    )


async def write_draft(asked: AuthorizedRequest) -> Response:
    """Records a change of the draft `?name=`; answers with the draft.

    The writer of `revision` writes `text` into `block`, where `was` stood, or adds `text` behind the block
    `after`, or says `choose` about `block`, or `restore`.
    """
    asked.direct()
    asked.check_gap()
    body = await asked.body(revision=str)
    if not _REVISION.fullmatch(body["revision"]):
        raise HTTPError(400, "revision is a number from 1.")
    change = _draft_change(body)
    name = asked.query.get("name", "")

    def done() -> Mapping[str, Any]:
        served = asked.served
        written = served.campaign.write_draft(name, int(body["revision"]), served.draft_voice, change)
        return _draft(asked, name, written or "").to_json()

    return json_response(await in_a_thread(done))


def _draft_change(body: Mapping[str, Any]) -> Callable[[Any], str | None]:
    """Returns the change that a body asks for; HTTPError 400 if it asks for none."""
    texts = {name: value for name, value in body.items() if isinstance(value, str)}
    if texts.get("restore") in ("undo", "redo"):
        return lambda writing: writing.restore(texts["restore"])
    if "block" in texts and texts.get("choose") in ("ok", "take-new", "cut"):
        return lambda writing: writing.choose(texts["choose"], texts["block"])
    if {"block", "text", "was"} <= texts.keys():
        return lambda writing: writing.write(texts["block"], texts["text"], texts["was"])
    if {"after", "text"} <= texts.keys():
        return lambda writing: writing.add(texts["after"], texts["text"], splits=body.get("split") is True)
    raise HTTPError(400, "Say block, text and was; or after and text; or block and choose; or restore.")
