"""Writes openapi.json and the JSON Schemas of exports and views: `python docs/schemas.py`.

msgspec writes the shapes of transcripts and replays. In a transcript every field but `pages`, the
`previously` of a chapter, and those of pictures and colours is required; `SENTENCES` describes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import Enum
from functools import cache
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct
from msgspec.json import schema_components

from retold.cli.service.openapi import DESCRIPTION
from retold.projections.exports import MECHANICS
from retold.projections.prose.telling import Tag
from retold.projections.replay.shapes import plain_schema
from retold.projections.story import document
from retold.schemas import replay_schema, view_schema
from retold.worlds.bundle import campaign_schema

TRANSCRIPT: Final = Path(__file__).with_name("transcript.schema.json")
REPLAY: Final = Path(__file__).with_name("replay.schema.json")
VIEW: Final = Path(__file__).with_name("view.schema.json")
CAMPAIGN: Final = Path(__file__).with_name("campaign.schema.json")
OPENAPI: Final = Path(__file__).with_name("openapi.json")

Sentence = str | tuple[str, Mapping[str, Any]]
"""Description of a field, and what its schema says beside the type."""

KINDS: Final = [tag.value for tag in Tag if tag is not Tag.QUOTE]
"""Kinds of paragraphs; a quote stands at the end, and only there."""

PAIR: Final = {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 2}

SENTENCES: Final[Mapping[str, Mapping[str, Sentence]]] = {
    "transcript": {
        "": (
            "A session, a stretch of a line or a whole campaign, as one voice tells it to one viewer. Texts"
            " are exactly what was typed; within one version fields are only ever added."
        ),
        "transcript": ("The version of this document.", {"const": document.VERSION}),
        "voice": "Who tells: `plain`, `report`, or another voice by its name.",
        "viewer": "The viewer: `gm`, `table`, or a name.",
        "head": "What stands above it.",
        "cast": "Everybody of whom it tells, players and game master left out.",
        "scenes": "The story, scene by scene.",
        "end": "What stands below it.",
        "lang": "The language of what is typed, as HTML names languages.",
        "index": "Who and what is in which session; empty unless it is a book.",
        "opened": (
            "When the first session it tells was opened, or played, in UTC; null if it tells none.",
            {"format": "date-time"},
        ),
        "cover": "The campaign's cover; missing if it has none.",
        "source": (
            "Which campaign it is of: a keyed digest, the same in all its transcripts and in no other's."
        ),
        "mechanics": (
            (
                "Where mechanics were wanted; here they stand with their paragraphs, and only `none` leaves"
                " them out."
            ),
            {"enum": [*map(str, MECHANICS)]},
        ),
    },
    "head": {
        "": "What stands above a transcript.",
        "campaign": "The campaign's title.",
        "session": ("The number of the session; null for a stretch or a book.", {"minimum": 1}),
        "title": "The session's title.",
        "date": ("The day it was played.", {"format": "date"}),
        "systems": "The games whose conflicts it tells.",
        "gm": "Who ran it.",
        "players": "Who played whom.",
        "absent": "The players who were not there.",
        "previously": "How the session before it ended.",
        "summary": "What somebody noted about the session as a whole.",
        "gms": "Everybody who led the game, in the order of their first sessions; gm is the last.",
    },
    "played": {
        "": "A player and the characters they played.",
        "player": "The player's name.",
        "characters": "Their characters' names.",
        "before": "Who played these before that player, in order.",
    },
    "member": {
        "": "Somebody in the cast.",
        "name": "What they are called at the end of it.",
        "role": ("`character`, or `side` for a group that stands together.", {"enum": ["character", "side"]}),
        "player": "Who plays them.",
        "phrase": "The one phrase by which to know them.",
        "before": "Who played them before that player, in order.",
        "portrait": "Their portrait; missing if they have none.",
        "colour": (
            "The colour of their name before what they say; missing if none is chosen.",
            {"pattern": "^#[0-9a-f]{6}$"},
        ),
    },
    "image": {
        "": "A picture, without its bytes.",
        "use": ("What it is.", {"enum": ["image", "portrait", "cover", "handout"]}),
        "media": ("The type of its file.", {"enum": ["image/png", "image/jpeg"]}),
        "width": ("Its width in pixels.", {"minimum": 1}),
        "height": ("Its height in pixels.", {"minimum": 1}),
        "sha256": ("The SHA-256 of its file.", {"pattern": "^[0-9a-f]{64}$"}),
        "alt": "What it shows.",
        "credit": "Who made it.",
        "name": "What it is called.",
    },
    "scene": {
        "": "A scene; what stands before the first has no id and no title.",
        "id": "Stable: `s` and its number.",
        "title": "Its title, often where and when.",
        "chapter": "The session that begins with it, where several are told.",
        "passages": "Its stretches, each of one conflict or of none.",
    },
    "chapter": {
        "": "The heading of a session, where several are told.",
        "session": ("Its number.", {"minimum": 1}),
        "title": "Its title.",
        "date": ("The day it was played.", {"format": "date"}),
        "gm": "Who led the game then, where not every session had the same; else null.",
        "previously": "How the session before it ended, in a book made with `--previously`.",
    },
    "passage": {
        "": "Paragraphs in a row, of one conflict or of none.",
        "conflict": "The heading of the conflict; null outside of any.",
        "paragraphs": "What is told, in order.",
        "variations": "How it went on other lines that leave this one here.",
        "plate": "The conflict's map as it stood when the conflict, or the scene, was over.",
    },
    "conflict": {
        "": "The heading of a conflict, or of another stretch of it.",
        "id": "Stable: `c` and its number, and where it goes on the how-manieth stretch it is.",
        "number": ("Its number in the campaign.", {"minimum": 1}),
        "title": "What it is called.",
        "system": "The game it is played by.",
        "sides": "Who stands against whom: a list of names for each side.",
        "stakes": "What is at stake.",
        "continued": "True where it goes on after something else was told.",
        "mechanics": "How it was set up.",
    },
    "paragraph": {
        "": "Something told, with the mechanics that stand behind it.",
        "id": "Stable: line and position for the game master, a digest that hides both for everybody else.",
        "kind": (
            (
                "Whose words they are. The first seven are somebody's own, `aside` what was said at the "
                "table beside the story; `generated` is a neutral sentence of Retold's, `notation` what was"
                " said in the notation of the log, `mechanics` nothing but its mechanics, `picture` what a"
                " picture shows, `ribbon` where "
                "everybody stands after a turn."
            ),
            {"enum": KINDS},
        ),
        "text": "The words that were typed, with their line ends; empty for `mechanics`.",
        "marks": "Emphasis in the text; missing if it has none.",
        "speaker": "Who said it, or whom a note is about; null for the story's own voice.",
        "manner": "What the speaker does with it: `declares`, `offers to concede`; perhaps empty.",
        "mechanics": "The cards, dice and numbers behind it.",
        "generated": "True if nobody typed it.",
        "eyes": "Whom it is for, if not for all: `for the game master`.",
        "later": "True if it was told after what it tells of.",
        "struck": "True if it was overruled and counts no longer.",
        "seconds": (
            (
                "When it was recorded, or played, in seconds after `opened`, or when a recording has it, "
                "where it was told later and somebody said so; null for what was told later otherwise, "
                "imported without a time of play, or recorded before."
            ),
            {"minimum": 0},
        ),
        "label": "What stands before it as the voice has it; null where speaker and manner make it.",
        "quotes": ("The marks around it if it is spoken.", PAIR),
        "direction": "True for a direction for the stage, which stands in brackets.",
        "cue": (
            "What a story keeps, in brackets in the label, of the manner in which something was said, such "
            "as the skill somebody tries; empty elsewhere."
        ),
        "image": "The picture that is shown here; missing in every other paragraph.",
        "joins": "True if it goes on in the paragraph before it, wherever text runs on.",
    },
    "mechanic": {
        "": "A line of cards, dice or numbers.",
        "id": "Stable: line and position for the game master, a digest that hides both for everybody else.",
        "kind": "The kind of event, as the record has it: `table.cards-drawn`.",
        "text": "The event in the notation of the log.",
        "luck": (
            "Where its luck came from: `dealt`, `called` from the real table, `reconstructed`, `imported`; "
            "empty where there was none."
        ),
    },
    "variation": {
        "": "How it went on another line, from where that leaves this one.",
        "id": "Stable: its line.",
        "after": "The paragraph of the passage under which it stands; null above them all.",
        "name": "The other line's name.",
        "why": "Why somebody left there.",
        "scenes": (
            "What it tells; empty where it is only named.",
            {"type": "array", "items": {"$ref": "#/$defs/scene"}},
        ),
    },
    "plate": {
        "": "A map as it stood when a conflict, or a scene of it, was over.",
        "id": "Stable: the heading's, and what it is.",
        "title": "Its title.",
        "picture": "All that a drawing of it needs.",
    },
    "picture": {
        "": "All that a drawing of a map needs; lists of numbers point into `spots`.",
        "title": "Its title.",
        "spots": "Its zones.",
        "lines": "Its borders.",
        "moves": "Who moved since an earlier moment.",
    },
    "spot": {
        "": "A zone of a map.",
        "name": "What it is called.",
        "x": "How far right, from 0; a border is about 1 long.",
        "y": "How far down, from 0.",
        "people": "Who stands in it.",
        "pinned": "True if somebody has put it there by hand.",
    },
    "figure": {
        "": "Somebody in a zone.",
        "name": "Their name.",
        "fresh": "True if they were not in it at the earlier moment.",
    },
    "line": {
        "": "A border between two zones.",
        "one": ("The number of a zone, from 0.", {"minimum": 0}),
        "other": ("The number of the other.", {"minimum": 0}),
        "there": "The ways from the one to the other: `open 1`.",
        "back": "The ways back.",
        "harm": "What marks the border; perhaps empty.",
    },
    "move": {
        "": "Who went from one zone to another.",
        "people": "Their names.",
        "start": ("The number of the zone they left; null if they came onto the map.", {"minimum": 0}),
        "end": ("The number of the zone they went to; null if they left the map.", {"minimum": 0}),
    },
    "end": {
        "": "What stands below a transcript.",
        "changed": "What has changed, in sentences.",
        "open": "What is not over, in sentences.",
        "quotes": "What was said at the table and must not be lost.",
        "untold": "What came out and was told by nobody.",
    },
    "markedplace": {
        "": "Words of a text that are emphasised.",
        "start": "The place of their first letter, from 0.",
        "end": "The place behind their last letter.",
        "mark": "Which they are.",
    },
    "quote": {
        "": "Something said at the table.",
        "id": "Stable: line and position for the game master, a digest that hides both for everybody else.",
        "text": "What was said.",
        "who": "Who said it.",
        "marks": "Emphasis in the text; missing if it has none.",
        "quotes": ("The marks around it, where it stands in a line: one before and one after.", PAIR),
    },
    "pagetexts": {
        "": "The texts around a story.",
        "blurb": "What it is about.",
        "content": "Content notes: what it holds.",
        "epigraph": "A motto before it.",
        "pull": "Words of the story that are set out large, and who said them.",
        "reflections": "What its players say of it afterwards.",
    },
    "missing": {
        "": "Something that nobody told.",
        "id": "The paragraph or mechanic it belongs to.",
        "what": "What came out.",
        "who": "Whose it is to tell.",
    },
    "entry": {
        "": "A line of a book's index.",
        "name": "Somebody, something, or somewhere.",
        "kind": (
            "Which of them it is; a thing is also who was only ever a side of a conflict.",
            {"enum": ["person", "thing", "place"]},
        ),
        "sessions": (
            "The sessions they are in, in order.",
            {"type": "array", "items": {"type": "integer", "minimum": 1}},
        ),
        "scenes": "The ids of the scenes they are in, in order.",
    },
}


def transcript_schema() -> dict[str, Any]:
    """The schema of `export -f json`."""
    whole = _struct(document.Transcript, {"transcript": Any}, {"mechanics": Any})
    around = _shape(document.PageTexts)
    _, written = schema_components((whole, around), ref_template="#/$defs/{name}")
    named: dict[str, Any] = plain_schema(written)
    named["transcript"]["properties"]["pages"] = {
        "description": "The texts around the story, if there are any.",
        "$ref": "#/$defs/pagetexts",
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A transcript as Retold exports it",
        **named.pop("transcript"),
        "$defs": named,
    }


@cache
def _shape(shape: type) -> type[Struct]:
    return _struct(shape)


def _struct(
    shape: type, first: Mapping[str, Any] | None = None, last: Mapping[str, Any] | None = None
) -> type[Struct]:
    """A struct with the fields that the JSON of a class has, each with its sentence."""
    name = shape.__name__.lower()
    types = {
        field: Any if _says_type(SENTENCES[name][field]) else _type(type_)
        for field, type_ in get_type_hints(shape).items()
        if field in _fields(shape) and field not in getattr(shape, "beside", ())
    }
    rare = getattr(shape, "rare", ())
    described: list[tuple[str, Any] | tuple[str, Any, Any]] = []
    for field, type_ in {**(first or {}), **types, **(last or {})}.items():
        if field in rare:
            there = next(part for part in get_args(type_) if part is not NoneType)
            described.append((field, Annotated[there, _meta(SENTENCES[name][field])] | UnsetType, UNSET))
        else:
            described.append((field, Annotated[type_, _meta(SENTENCES[name][field])]))
    struct = defstruct(name, described, forbid_unknown_fields=True, kw_only=True)
    struct.__doc__ = str(SENTENCES[name][""])
    return struct


def _fields(shape: type) -> tuple[str, ...]:
    """Fields of a struct or a named tuple; JSON has an object for both."""
    fields: tuple[str, ...] = getattr(shape, "__struct_fields__", ()) or getattr(shape, "_fields", ())
    return fields


def _says_type(sentence: Sentence) -> bool:
    """True if a sentence comes with the type: for words of a list, pairs, and scenes within scenes."""
    return not isinstance(sentence, str) and bool({"enum", "type"} & sentence[1].keys())


def _meta(sentence: Sentence) -> Meta:
    text, more = (sentence, None) if isinstance(sentence, str) else sentence
    return Meta(description=text, extra_json_schema=None if more is None else dict(more))


def _type(type_: Any) -> Any:  # noqa: ANN401 -- typing's own forms have no type
    """A type with structs in the place of classes, and the words of an enum for it."""
    origin, inner = get_origin(type_), get_args(type_)
    if isinstance(type_, type) and _fields(type_):
        return _shape(type_)
    if isinstance(type_, type) and issubclass(type_, Enum):
        return str
    if origin is tuple:
        return list[_type(inner[0])]  # type: ignore[misc]  # made as it runs
    if type(None) in inner:
        return _type(inner[0]) | None
    return type_


if __name__ == "__main__":
    for path, schema in (
        (TRANSCRIPT, transcript_schema()),
        (REPLAY, replay_schema()),
        (VIEW, view_schema()),
        (CAMPAIGN, campaign_schema()),
        (OPENAPI, DESCRIPTION),
    ):
        path.write_text(json.dumps(schema, ensure_ascii=False, indent=2) + "\n", "utf-8")
