"""docs/replay.schema.json describes a replay: every field of it, and nothing that is not there."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import fields

from retold.__main__ import main
from retold.projections.replay.value import VERSION, Block, StepFlag
from tests.projections.played import FEW, named, played
from tests.projections.replay.stepping import boards
from tests.projections.test_schema import descriptions

PAPER = Path(__file__).parents[3] / "docs/replay.md"
SCHEMA: dict[str, Any] = json.loads(PAPER.with_suffix(".schema.json").read_text("utf-8"))
VALID = Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER)
BOARD = Draft202012Validator(SCHEMA["$defs"]["board"])


def test_the_schema_is_one_and_every_field_is_described_in_a_sentence() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    told = dict(descriptions(SCHEMA))

    assert len(told) > 60
    assert [path for path, one in told.items() if not one.endswith(".") or " " not in one] == []
    assert SCHEMA["properties"]["replay"]["const"] == VERSION


def test_a_block_has_the_fields_of_its_class() -> None:
    assert list(SCHEMA["$defs"]["block"]["properties"]) == [one.name for one in fields(Block)]


def test_the_flags_are_those_of_a_step() -> None:
    told = SCHEMA["$defs"]["steps"]["properties"]["flags"]["description"]

    assert [int(one) for one in re.findall(r"\d+", told)] == [flag.value for flag in StepFlag]


def test_the_paper_and_the_schema_know_the_same_things_and_fields() -> None:
    paper = PAPER.read_text("utf-8").partition("## The board")[2]
    rows = dict(re.findall(r"^\| `(\w+)[^|]*` \| (.*) \|$", paper, re.MULTILINE))
    things = {
        re.sub(r"\W", "", key): one for key, one in SCHEMA["$defs"]["board"]["patternProperties"].items()
    }

    assert list(rows) == list(things)
    for key, thing in things.items():
        said = re.findall(r"`(\w+)`", rows[key])
        assert set(thing["properties"]) <= set(said), key
        assert set(thing["required"]) == set(re.findall(r"\*\*`(\w+)`\*\*", rows[key])) & set(
            thing["properties"]
        )


@pytest.mark.parametrize("path", FEW, ids=named)
def test_an_example_of_each_game_fits(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    played(path, tmp_path).close()
    campaign, told = str(tmp_path / f"{path.stem}.retold"), tmp_path / "told.replay.json"

    for more in ((), ("--book", "--for", "table", "--mechanics", "none")):
        assert main(["-c", campaign, "export", "--force", "-o", str(told), *more]) == 0
        value = json.loads(told.read_bytes())
        assert [f"{one.json_path}: {one.message}" for one in VALID.iter_errors(value)] == []
        for line in value["lines"]:
            for board in boards(value, line):
                assert [f"{one.json_path}: {one.message}" for one in BOARD.iter_errors(board)] == []
