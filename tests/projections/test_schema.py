"""docs/transcript.schema.json describes the JSON export: each field of it, and nothing that is not there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from msgspec import Struct

from retold.projections.exports import MECHANICS, export
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.maps import picture
from retold.projections.prose import VOICES
from retold.projections.prose.telling import Tag
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.story import document
from retold.projections.story.transcript import of_range, of_session
from retold.projections.story.transcript.build import of_line
from retold.projections.story.transcript.endings import with_previously
from tests.exploring import tries
from tests.projections import stories
from tests.projections.evening import Table
from tests.projections.played import EXAMPLES, named, played, sessions

SCHEMA: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "docs/transcript.schema.json").read_text("utf-8")
)
VALID = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)

OBJECTS = [
    *(
        document.Head,
        document.Played,
        document.Member,
        document.Scene,
        document.Chapter,
        document.Passage,
        document.Conflict,
    ),
    *(
        document.Paragraph,
        document.Mechanic,
        document.Variation,
        document.Plate,
        document.End,
        document.Quote,
        document.Missing,
    ),
    *(
        document.Entry,
        document.PageTexts,
        picture.Picture,
        picture.Spot,
        picture.Figure,
        picture.Line,
        picture.Move,
    ),
]


def wrong(document: bytes) -> list[str]:
    """What the schema has against a document, and where."""
    return [f"{one.json_path}: {one.message}" for one in VALID.iter_errors(json.loads(document))]


def descriptions(part: object, path: str = "$") -> Iterator[tuple[str, str]]:
    """Every field the schema has, and the sentence that says what it is."""
    if isinstance(part, dict):
        for name, field in part.get("properties", {}).items():
            yield f"{path}.{name}", field.get("description", "")
        for name, inner in part.items():
            yield from descriptions(inner, f"{path}.{name}")


def objects(part: object) -> Iterator[dict[str, Any]]:
    if isinstance(part, dict):
        if part.get("type") == "object":
            yield part
        for inner in part.values():
            yield from objects(inner)


def names(shape: type) -> list[str]:
    """Its fields, but for those that are not part of what it says."""
    if issubclass(shape, Struct):
        return [name for name in shape.__struct_fields__ if name not in getattr(shape, "beside", ())]
    return [one.name for one in fields(shape) if one.compare] if is_dataclass(shape) else list(shape._fields)  # type: ignore[attr-defined]


# --- the schema itself ------------------------------------------------------------------------------------


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_every_field_is_described_in_a_sentence() -> None:
    told = dict(descriptions(SCHEMA))

    assert len(told) > 60
    assert [
        path for path, sentence in told.items() if not sentence.endswith(".") or " " not in sentence
    ] == []


RARE = frozenset({"cover", "image", "marks", "portrait", "colour", "pages"})
"""Fields of pictures, colours and texts around a story, which are there only where there is one."""
RARE_IN_A_CHAPTER = RARE | {"previously"}
"""A transcript's head has `previously` too, always."""


def test_every_object_has_all_its_fields_and_no_other() -> None:
    for one in objects(SCHEMA):
        rare = RARE_IN_A_CHAPTER if one is SCHEMA["$defs"]["chapter"] else RARE
        assert one["required"] == [name for name in one["properties"] if name not in rare]
        assert one["additionalProperties"] is False


@pytest.mark.parametrize("shape", OBJECTS, ids=lambda shape: shape.__name__)
def test_an_object_has_the_fields_of_its_class(shape: type) -> None:
    assert list(SCHEMA["$defs"][shape.__name__.lower()]["properties"]) == names(shape)


def test_the_document_has_the_fields_of_a_transcript() -> None:
    assert list(SCHEMA["properties"]) == ["transcript", *names(document.Transcript), "mechanics", "pages"]
    assert SCHEMA["properties"]["transcript"]["const"] == document.VERSION
    assert SCHEMA["properties"]["mechanics"]["enum"] == list(MECHANICS)


def test_the_kinds_are_those_of_a_paragraph() -> None:
    kinds = SCHEMA["$defs"]["paragraph"]["properties"]["kind"]["enum"]

    assert set(kinds) == {tag.value for tag in Tag} - {Tag.QUOTE.value}  # which stands at the end


# --- what is exported -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_every_example_fits(path: Path, tmp_path: Path) -> None:
    with played(path, tmp_path) as campaign:
        evening = of_session(LineView(campaign, 1), sessions(campaign)[-1])
        book = of_line(LineView(campaign, 1, viewer=EVERYBODY))

        shown = evening, book, with_previously(book)
        assert [wrong(export("json", told)) for told in shown] == [[], [], []]


@pytest.mark.parametrize("place", MECHANICS)
@pytest.mark.parametrize("voice", VOICES)
def test_every_voice_and_place_fits_the_schema_for_all_viewers(
    table: Table, voice: str, place: MechanicsPlace
) -> None:
    here, there = LineView(table.campaign, 1), LineView(table.campaign, 1, viewer=EVERYBODY)
    if ([*VOICES].index(voice) + [*MECHANICS].index(place)) % 2:
        here, there = there, here

    assert wrong(export("json", of_session(here, 1, voice=voice), place)) == []
    assert wrong(export("json", of_range(there, voice=voice), place)) == []


@settings(max_examples=tries(15))
@given(stories.transcripts)
def test_any_transcript_fits(transcript: document.Transcript) -> None:
    assert wrong(export("json", transcript)) == []


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"voice": None}, "$.voice: None is not of type 'string'"),
        ({"transcript": 2}, "$.transcript: 1 was expected"),
        ({"salt": "x"}, "$: Additional properties are not allowed ('salt' was unexpected)"),
    ],
)
def test_what_does_not_fit_is_found(table: Table, change: dict[str, object], said: str) -> None:
    document = json.loads(export("json", of_session(LineView(table.campaign, 1), 1)))

    assert wrong(json.dumps({**document, **change}).encode()) == [said]
