"""Endpoints of the writer's page: drafts read and written; for the game master only."""

from __future__ import annotations

import dataclasses
import re
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from starlette.responses import Response

from retold.cli.service.bundles import page_file
from retold.cli.service.endpoints import (
    NOT_HERE,
    Answering,
    AuthorizedRequest,
    HTTPError,
    in_a_thread,
    json_response,
)
from retold.cli.service.served_campaigns import ServedCampaign
from retold.drafts.addresses.answers import (
    Draft,
    DraftBlock,
    DraftChange,
    DraftDoubt,
    DraftLanguage,
    DraftRemark,
    DraftRevision,
    Drafts,
    DraftSession,
)

_STARTED: Final = f"{time.time_ns():x}"
"""Time at which the service started, for tags."""
_SESSION: Final = re.compile(r"(?:[1-9][0-9]{0,5})?")
_NUMBER: Final = re.compile(r"[0-9]{1,6}")
_REVISION: Final = re.compile(r"[1-9][0-9]{0,8}")


async def drafts(asked: AuthorizedRequest) -> Response:
    """Answers with the names of all drafts, and the choices for a new draft."""
    asked.direct()
    return json_response(await in_a_thread(lambda: _drafts(asked.served)))


def _drafts(served: ServedCampaign, begun: str = "") -> Mapping[str, Any]:
    found = served.campaign.drafts_overview()
    return Drafts(
        found.drafts,
        tuple(DraftSession(*session) for session in found.sessions),
        found.people,
        found.writer,
        served.draft_voices,
        tuple(DraftLanguage(*language) for language in served.draft_languages),
        begun,
    ).to_json()


async def begin_draft(asked: AuthorizedRequest) -> Response:
    """Begins the draft `name` of sessions `first` to `last`, or of everything; answers as `drafts` does.

    `voice` tells it for the reader `for`, in the language `lang` if that is set.
    """
    asked.direct()
    asked.check_gap()
    body = await asked.body(name=str, voice=str)
    _check_texts(body, "first", "last", "for", "lang", "by")
    texts = {name: value for name, value in body.items() if isinstance(value, str)}
    served = asked.served
    if texts["voice"] not in served.draft_voices:
        raise HTTPError(422, "There is no such voice here.")
    first, last = texts.get("first", ""), texts.get("last", "")
    if not all(_SESSION.fullmatch(number) for number in (first, last)) or bool(first) != bool(last):
        raise HTTPError(400, "first and last are numbers of sessions, both or none.")

    def done() -> Mapping[str, Any]:
        begun = served.campaign.begin_draft(
            texts["name"],
            part=f"s{first}..s{last}" if first else None,
            viewer=texts.get("for") or "table",
            voice=texts["voice"],
            lang=served.draft_language(texts["voice"], texts.get("lang") or None),
            voice_of=served.draft_voice,
            writer=texts.get("by"),
        )
        return _drafts(served, begun)

    return json_response(await in_a_thread(done))


async def draft_log(asked: AuthorizedRequest) -> Response:
    """Answers with the last 200 revisions of the draft `?name=`, the latest last."""
    asked.direct()
    name = asked.query.get("name", "")
    found = await in_a_thread(lambda: asked.served.aside.draft_revisions(name))
    return json_response({"revisions": [DraftRevision(*revision).to_json() for revision in found]})


async def draft_doubts(asked: AuthorizedRequest) -> Response:
    """Answers with the doubtful blocks of the draft `?name=`."""
    asked.direct()
    name = asked.query.get("name", "")
    found = await in_a_thread(lambda: asked.served.aside.draft_doubts(name, asked.served.draft_voice))
    return json_response({"doubts": [DraftDoubt(*doubt).to_json() for doubt in found]})


async def draft(asked: AuthorizedRequest) -> Response:
    """Answers with the whole draft `?name=` for its writer.

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
        block.writer,
        block.see,
        tuple(DraftRemark(*remark) for remark in block.remarks),
    )


async def write_draft(asked: AuthorizedRequest) -> Response:
    """Records a change of the draft `?name=`; answers with the draft.

    The writer `by` of `revision` writes `text` into `block`, in place of `was`, or adds `text` behind the
    block `after`, or says `choose` about `block`, or `restore`; or moves `block` behind the block `after`,
    opens it to the reader `open` (`new` for every unopened paragraph), settles its remark number `settle`, or
    vouches for its sentence number `vouch`;
    or has exports show the draft (`publish`). Redacted words are refused unless `again` is true.
    """
    asked.direct()
    asked.check_gap()
    body = await asked.body(revision=str)
    if not _REVISION.fullmatch(body["revision"]):
        raise HTTPError(400, "revision is a number from 1.")
    _check_texts(body, "by")
    change = _draft_change(body)
    if body.get("again") is True:
        change = _again(change)
    name, by = asked.query.get("name", ""), body.get("by")

    def done() -> Mapping[str, Any]:
        served = asked.served
        written = served.campaign.write_draft(
            name, int(body["revision"]), change, voice_of=served.draft_voice, writer=by
        )
        return _draft(asked, name, written or "").to_json()

    return json_response(await in_a_thread(done))


def _again(change: Callable[[Any], str | None]) -> Callable[[Any], str | None]:
    """Returns a change that may record redacted words again."""
    return lambda writing: change(dataclasses.replace(writing, again=True))


def _check_texts(body: Mapping[str, Any], *names: str) -> None:
    """Raises HTTPError 400 if a named field of a body is set, but no text."""
    for name in names:
        if not isinstance(body.get(name, ""), str):
            raise HTTPError(400, f"{name} is a text.")


def _draft_change(body: Mapping[str, Any]) -> Callable[[Any], str | None]:
    """Returns the change that a body asks for; HTTPError 400 if it asks for none."""
    texts = {name: value for name, value in body.items() if isinstance(value, str)}
    if texts.get("restore") in ("undo", "redo"):
        return lambda writing: writing.restore(texts["restore"])
    if "block" in texts and texts.get("choose") in ("ok", "take-new", "cut"):
        return lambda writing: writing.choose(texts["choose"], texts["block"])
    if {"block", "text", "was"} <= texts.keys():
        return lambda writing: writing.write(texts["block"], texts["text"], texts["was"])
    if "block" in texts and (about := _about_block(texts)) is not None:
        return about
    if isinstance(body.get("publish"), bool):
        return lambda writing: writing.publish(is_wanted=body["publish"])
    if {"after", "text"} <= texts.keys():
        return lambda writing: writing.add(texts["after"], texts["text"], splits=body.get("split") is True)
    raise HTTPError(
        400,
        "Say block, text and was; or after and text; or block, and choose, after, open, settle or vouch; or"
        " restore; or publish.",
    )


def _about_block(texts: Mapping[str, str]) -> Callable[[Any], str | None] | None:
    """Returns the move, opening, settling or vouching that a body asks for; None if it asks for none."""
    block = texts["block"]
    if "open" in texts:
        return lambda writing: writing.open(block, texts["open"])
    if _NUMBER.fullmatch(texts.get("settle", "")):
        return lambda writing: writing.settle(block, int(texts["settle"]))
    if _NUMBER.fullmatch(texts.get("vouch", "")):
        return lambda writing: writing.vouch(block, int(texts["vouch"]))
    if "after" in texts and "text" not in texts:
        return lambda writing: writing.move(block, texts["after"])
    return None


async def draft_page(asked: AuthorizedRequest) -> Response:
    """Sends the page on which the game master writes on a draft; others find nothing there."""
    if not asked.director:
        raise HTTPError(HTTPStatus.NOT_FOUND, NOT_HERE)
    return page_file(FILES / "draft.html")


BELOW: Final[tuple[tuple[str, str, Answering], ...]] = (
    ("GET", "drafts", drafts),
    ("GET", "draft", draft),
    ("POST", "drafts", begin_draft),
    ("POST", "draft", write_draft),
    ("GET", "draft/log", draft_log),
    ("GET", "draft/doubts", draft_doubts),
)
"""Addresses below a campaign's."""

FILES: Final = Path(__file__).with_name("pages")
"""Folder of what these pages load from `/pages/`."""

PAGES: Final[Mapping[str, Answering]] = {"draft.html": draft_page}
"""Pages below a campaign's address, for browsers; who has no link gets the page that asks for one."""


def description() -> ModuleType:
    """Returns the module that describes these addresses: its `PATHS`, and the shapes of its `ANSWERS`."""
    from retold.drafts.addresses import description as described

    return described
