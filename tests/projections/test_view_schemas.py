"""docs/view.schema.json describes every view: each field of it, and nothing that is not there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import retold
from retold.journal.vocabulary import events as e
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView
from retold.projections.views import VIEWS, ask
from tests.test_examples import EXAMPLES, named

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA: dict[str, Any] = json.loads((DOCS / "view.schema.json").read_text("utf-8"))
SHAPES: dict[str, Any] = SCHEMA["$defs"]
NAMES = {
    shape["properties"]["view"]["const"]: name
    for name, shape in SHAPES.items()
    if "view" in shape["properties"]
}
CLOSED = {name: {**shape, "additionalProperties": False} for name, shape in SHAPES.items()}
"""The shapes as they are now: later releases may add keys, this one has no more."""
VALID = {
    view: Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": CLOSED}) for view, name in NAMES.items()
}
MOST_MOMENTS = 1


def moments(campaign: retold.Campaign) -> list[int]:
    """The end, and some moments at which a conflict is as far on as it goes."""
    ends = [
        one.position - 1
        for one in campaign.happened()
        if isinstance(one.event, e.ConflictEnded) and one.position is not None
    ]
    return [*ends[:: max(1, len(ends) // MOST_MOMENTS)][:MOST_MOMENTS], campaign.position]


def wrong(reading: LineView) -> Iterator[str]:
    """What the schemas have against the views of a reading, and where."""
    for view in VIEWS:
        seen = json.loads(json.dumps(ask(view, reading).to_json()))
        for one in VALID[view].iter_errors(seen):
            yield f"{view} at {reading.position}: {one.json_path}: {one.message}"


@pytest.mark.parametrize("path", EXAMPLES, ids=named)
def test_L7_every_view_of_every_example_is_as_its_schema_says(path: Path, tmp_path: Path) -> None:
    with retold.new(tmp_path / "played.retold") as campaign:
        campaign.play(path.read_text("utf-8"))
        store = campaign.shared.store

        readings = [LineView(store, 1, at, GAME_MASTER) for at in moments(campaign)]
        readings.append(LineView(store, 1, campaign.position, EVERYBODY))
        found = [one for reading in readings for one in wrong(reading)]

    assert found == []


def test_L7_every_view_has_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)

    assert list(NAMES) == list(VIEWS) == [view.answer_type.view for view in VIEWS.values()]
    assert SCHEMA["oneOf"] == [{"$ref": f"#/$defs/{name}"} for name in NAMES.values()]


ROWS = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", (DOCS / "json.md").read_text("utf-8"), re.MULTILINE))


def keys(part: Any, whole: Mapping[str, Any]) -> set[str]:  # noqa: ANN401 -- JSON
    """Every key below a schema, but those of a person."""
    if isinstance(part, list):
        return {key for one in part for key in keys(one, whole)}
    if not isinstance(part, dict):
        return set()
    found = set(part.get("properties", {})) - {"view", "version"}
    found |= keys([value for key, value in part.items() if key != "$ref"], whole)
    name = str(part.get("$ref", "")).rpartition("/")[2]
    return found | (keys(whole[name], whole) if name and name != "Who" else set())


@pytest.mark.parametrize("view", [view for view in VIEWS if view not in {"places", "things"}])
def test_L7_the_page_names_the_keys_that_a_view_has_and_no_others(view: str) -> None:
    said = set(re.findall(r"`(\w+)`", ROWS[view]))

    assert said == keys(SHAPES[NAMES[view]], SHAPES)


def test_L7_a_person_has_an_id_and_a_name() -> None:
    assert set(SHAPES["Who"]["properties"]) == {"id", "name"}
