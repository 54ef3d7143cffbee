"""Addresses of readers' notes: a reader leaves one, the game master shows it to the others or deletes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Final

from starlette.responses import Response

from retold import Refused
from retold.cli.campaigns.inbox import ID_PATTERN, Inbox, now
from retold.cli.service.endpoints import Answering, AuthorizedRequest, HTTPError, in_a_thread, json_response
from retold.margin.addresses.answers import ReaderNote
from retold.margin.addresses.notes import LONGEST, LONGEST_NAME, Note, Notes
from retold.margin.addresses.places import ids_at, place_of
from retold.projections.texts import safe

_SCRIPT: Final = '<script type="module" src="/pages/replay.js">'
ON_REPLAY: Final = (
    _SCRIPT,
    '<link rel="stylesheet" href="/pages/notes.css">\n' + _SCRIPT.replace("replay", "notes"),
)
"""What of a replay's page is replaced, and by what: a script that imports the page's own."""


async def notes(asked: AuthorizedRequest) -> Response:
    """Answers with the notes that the viewer may read: all, or shown ones and their own."""
    return json_response({"notes": await in_a_thread(lambda: _seen(asked, _notes_of(asked).every()))})


async def leave(asked: AuthorizedRequest) -> Response:
    """Stores a note at an event that the viewer knows; answers with it."""
    body = await asked.body(id=str, event=str, words=str)
    return json_response(await in_a_thread(lambda: _left(asked, body)))


async def change(asked: AuthorizedRequest) -> Response:
    """Shows, hides or deletes a note, for the game master; its writer may delete it too."""
    body = await asked.body()
    return json_response({"notes": await in_a_thread(lambda: _changed(asked, body))})


def _notes_of(asked: AuthorizedRequest) -> Notes:
    served = asked.served
    return Notes(Inbox.of(served.settings.state, f"{served.campaign.id}-notes").attachments)


def _is_by(asked: AuthorizedRequest, note: Note) -> bool:
    """True if the viewer of the link wrote the note; never for the table, which many readers are."""
    return note.viewer == str(asked.viewer) != "table"


def _seen(asked: AuthorizedRequest, every: list[Note]) -> list[Mapping[str, object]]:
    ids = ids_at(asked.reading(), {note.place for note in every})
    return [
        ReaderNote(
            note.id,
            safe.line(note.who),
            note.line,
            note.sent,
            ids.get(note.place, ""),
            note.shown,
            _is_by(asked, note),
        ).to_json()
        for note in every
        if asked.director or (note.place in ids and (note.shown or _is_by(asked, note)))
    ]


def _left(asked: AuthorizedRequest, body: Mapping[str, str]) -> Mapping[str, object]:
    reading, words = asked.reading(), body["words"].strip()
    if not 0 < len(words) <= LONGEST:
        raise Refused(f"A note has 1 to {LONGEST} letters.")
    named = str(body.get("by", "")).strip()[:LONGEST_NAME]
    who = named or "A reader" if asked.viewer == "table" else reading.called[:LONGEST_NAME]
    place = place_of(reading, body["event"])
    note = _notes_of(asked).add(Note(_id(body["id"]), who, words, now(), str(asked.viewer), place))
    return {"note": ReaderNote(note.id, who, words, note.sent, body["event"], note.shown, True).to_json()}


def _id(typed: str) -> str:
    if not re.fullmatch(ID_PATTERN, typed):
        raise Refused("An id is 8 to 64 letters, digits, - and _.")
    return typed


def _changed(asked: AuthorizedRequest, body: Mapping[str, object]) -> list[Mapping[str, object]]:
    kept = _notes_of(asked)
    note = next((note for note in kept.every() if note.id == asked.request.path_params["id"]), None)
    if note is None or not (asked.director or _is_by(asked, note)):
        raise HTTPError(404, "There is no such note.")
    if body.get("delete") is True:
        kept.kept.drop(note.id)
    else:
        asked.direct()
        if not isinstance(body.get("show"), bool):
            raise HTTPError(400, "Say show, true or false, or delete.")
        kept.show(note, shown=body["show"] is True)
    return _seen(asked, kept.every())


BELOW: Final[tuple[tuple[str, str, Answering], ...]] = (
    ("GET", "notes", notes),
    ("POST", "notes", leave),
    ("POST", "notes/{id:str}", change),
)
"""Addresses below a campaign's."""

FILES: Final = Path(__file__).with_name("pages")
"""Folder of what pages load."""

PAGES: Final[Mapping[str, Answering]] = {}
"""Pages below a campaign's address: there are none."""


def description() -> ModuleType:
    """Returns the module that describes these addresses."""
    from retold.margin.addresses import description as described

    return described
