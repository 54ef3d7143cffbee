"""The description for machines: fresh, sound, and kept by every answer, whatever is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import retold
from retold.cli.service.app import BELOW
from retold.cli.service.network import HEALTH
from retold.cli.service.openapi import DESCRIPTION
from tests.cli.service.conftest import CONFLICT, SCRIPT
from tests.cli.service.phone import Answer, Phone, Serving, serving
from tests.exploring import tries

PAPER = Path(__file__).parents[3] / "docs" / "openapi.json"
OPERATIONS = {
    of["operationId"]: (path, method, of)
    for path, ways in DESCRIPTION["paths"].items()
    for method, of in ways.items()
    if method != "parameters"
}


def test_the_paper_is_fresh() -> None:
    assert json.loads(PAPER.read_text("utf-8")) == DESCRIPTION


def test_every_address_is_described() -> None:
    described = {(path, method.upper()) for path, method, _ in OPERATIONS.values()}
    there = {(f"/c/{{campaign}}/{path.replace(':str', '')}", method) for method, path, _ in BELOW}
    there |= {("/join", "POST"), (HEALTH, "GET")}

    assert there - described == set()


def test_every_schema_is_valid_and_referenced() -> None:
    told = json.dumps(DESCRIPTION)
    for name in DESCRIPTION["components"]["schemas"]:
        assert f"#/components/schemas/{name}" in told
        jsonschema.Draft202012Validator.check_schema(DESCRIPTION["components"]["schemas"][name])


def test_W21_a_board_is_described_as_a_replays_board_is() -> None:
    board = DESCRIPTION["components"]["schemas"]["Board"]
    whole = json.loads((PAPER.parent / "replay.schema.json").read_text("utf-8"))["$defs"]["board"]
    kept = ("description", "type", "required")
    things = {
        key: {name: thing[name] for name in kept if thing.get(name)}
        for key, thing in whole["patternProperties"].items()
    }

    assert board["patternProperties"] == things
    assert (board["required"], board["additionalProperties"]) == (["at"], {"type": "object"})


def test_L8_no_list_is_closed_by_a_word_that_generators_do_not_take() -> None:
    assert '"items": false' not in PAPER.read_text("utf-8")


def test_L8_a_picture_is_named_by_its_types() -> None:
    good = OPERATIONS["picture"][2]["responses"]["200"]

    assert list(good["content"]) == ["image/png", "image/jpeg"]


def test_L8_a_person_who_has_no_valid_link_is_told_by_which_scheme_it_is_sent(service: Serving) -> None:
    assert {"401", "403"} <= OPERATIONS["board"][2]["responses"].keys()
    for secret in (None, "mistaken"):
        stranger = service.phone(None)
        stranger.secret = secret
        answer = stranger.ask("board")

        assert (answer.status, answer.headers["www-authenticate"]) == (401, "Bearer")


def test_L7_a_view_and_a_replay_have_a_shape(service: Serving) -> None:
    shapes = DESCRIPTION["components"]["schemas"]
    for operation, shape in (("view", "AnyView"), ("replay", "Replay")):
        good = OPERATIONS[operation][2]["responses"]["200"]
        assert good["content"]["application/json"]["schema"] == {"$ref": f"#/components/schemas/{shape}"}

    gm = service.phone("gm")
    for view in json.loads((PAPER.parent / "view.schema.json").read_text("utf-8"))["oneOf"]:
        name = shapes[f"View{view['$ref'].rpartition('/')[2]}"]["properties"]["view"]["enum"][0]
        fits(gm.ask(f"view/{name}"), OPERATIONS["view"][2])
    fits(gm.ask("replay"), OPERATIONS["replay"][2])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with retold.new(folder / "salt-road.retold") as campaign:
        campaign.play(SCRIPT + CONFLICT)
    with serving(folder / "salt-road.retold", home=folder / "home") as found:
        yield found


@pytest.fixture(scope="module")
def phones(service: Serving) -> dict[str, Phone]:
    """A phone for each viewer."""
    return {viewer: service.phone(viewer) for viewer in ("gm", "Jon", "table")}


def fits(answer: Answer, of: Any) -> None:  # noqa: ANN401 -- JSON
    """The answer is one that the description has."""
    assert str(answer.status) in of["responses"], (answer.status, answer.raw)
    described = of["responses"][str(answer.status)]
    if "content" not in described:
        assert answer.raw == b""
        return
    media = answer.headers["content-type"].partition(";")[0]
    assert media in described["content"]
    described_shape(of["operationId"], str(answer.status), media).validate(answer.body)


@cache
def described_shape(operation: str, status: str, media: str) -> jsonschema.Draft202012Validator:
    """What an answer with that status and type has to be."""
    schema = OPERATIONS[operation][2]["responses"][status]["content"][media]["schema"]
    whole = {**schema, "components": DESCRIPTION["components"]}
    jsonschema.Draft202012Validator.check_schema(whole)
    return jsonschema.Draft202012Validator(whole)


WORDS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["say Zel: Hush.", "undo", "draw Zel clubs+melee", "jon-number-1"]),
    st.sampled_from(["@", "s1", "e412", "cast", "1", "500", "0"]),
)
IN_A_PATH = WORDS.filter(lambda word: word.strip(".") != "" and "/" not in word)
"""What stays one part of an address."""
VALUES = st.one_of(WORDS, st.booleans(), st.none(), st.integers(), st.lists(st.text(max_size=3), max_size=2))


@pytest.mark.parametrize(
    "name", [name for name, (path, _, _) in OPERATIONS.items() if not path.endswith("/feed")]
)
@given(data=st.data())
@settings(deadline=None, max_examples=tries(8))
def test_every_answer_is_as_described(
    service: Serving, phones: dict[str, Phone], name: str, data: st.DataObject
) -> None:
    path, method, of = OPERATIONS[name]
    phone = phones[data.draw(st.sampled_from([*phones]))]
    parameters = DESCRIPTION["paths"][path].get("parameters", [])
    named = {one["name"]: data.draw(IN_A_PATH) for one in parameters if one["in"] == "path"}
    named["campaign"] = service.slug
    query = [one["name"] for one in parameters if one["in"] == "query"]
    asked = {one: data.draw(WORDS) for one in query if data.draw(st.booleans())}
    address = path.format(**{key: quote(value, safe="") for key, value in named.items()})
    body = None
    if method == "post":
        wanted = of.get("requestBody", {"content": {"application/json": {"schema": {"properties": {}}}}})
        fields = wanted["content"]["application/json"]["schema"]["properties"]
        body = {name: data.draw(VALUES) for name in fields if data.draw(st.booleans())}
    fits(phone.ask(f"{address}?{urlencode(asked)}", body, method=method.upper()), of)
