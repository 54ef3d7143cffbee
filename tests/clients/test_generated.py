"""Two generators take docs/openapi.json: a client asks a live service, and models read what it answers."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import retold
from retold.cli.service.network import LOOPBACK
from tests.cli.service.conftest import CONFLICT, SCRIPT
from tests.cli.service.phone import Phone, Serving, serving

pytest.importorskip("openapi_python_client", reason="run.py clients has the generators")

DESCRIPTION = Path(__file__).parents[2] / "docs/openapi.json"
PICTURES = {
    "content_type_overrides": {f"image/{kind}": "application/octet-stream" for kind in ("png", "jpeg")}
}
"""What docs/service.md says of `picture`."""


def generated(*command: str) -> str:
    """What a generator says; it ends well."""
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert done.returncode == 0, said
    return said


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder that Python imports from."""
    folder: Path = tmp_path_factory.mktemp("made")
    sys.path.insert(0, str(folder))
    yield folder
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def client(folder: Path) -> str:
    """The name of the package that openapi-python-client has made."""
    config = folder / "config.json"
    config.write_text(json.dumps({**PICTURES, "post_hooks": []}))
    said = generated(
        *("openapi_python_client", "generate", "--meta", "none", "--fail-on-warning"),
        *("--path", str(DESCRIPTION), "--output-path", str(folder / "table_client"), "--config", str(config)),
    )
    assert "WARNING" not in said
    return "table_client"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    home = tmp_path_factory.mktemp("served")
    with retold.new(home / "salt-road.retold") as campaign:
        campaign.play(SCRIPT + CONFLICT)
    with serving(home / "salt-road.retold", home=home / "home") as found:
        yield found


class Caller:
    """The generated client with somebody's link."""

    def __init__(self, package: str, phone: Phone) -> None:
        self.package, self.slug = package, phone.slug
        made: Any = importlib.import_module(f"{package}.client")
        address = f"http://{LOOPBACK}:{phone.place.port}"
        self.client = made.AuthenticatedClient(base_url=address, token=phone.secret)

    def module(self, name: str) -> ModuleType:
        return importlib.import_module(f"{self.package}.{name}")

    def ask(self, operation: str, *path: str, **given: Any) -> Any:  # noqa: ANN401 -- made while the test runs
        """The whole answer to an operation."""
        made: Any = self.module(f"api.default.{operation}")
        return made.sync_detailed(self.slug, *path, client=self.client, **given)

    def body(self, operation: str, **fields: object) -> Any:  # noqa: ANN401 -- as above
        made: Any = self.module(f"models.{operation}_body")
        return getattr(made, f"{operation.capitalize()}Body")(**fields)


@pytest.fixture
def gm(client: str, service: Serving) -> Caller:
    return Caller(client, service.phone("gm"))


def test_L8_a_generated_client_reads_the_table(gm: Caller) -> None:
    board, can = gm.ask("board").parsed.board, gm.ask("can").parsed
    cast, replay = gm.ask("view", "cast").parsed, gm.ask("replay").parsed

    assert board["who:2"]["name"] == "Zel"
    assert "draw Zel clubs+melee" in [choice.line for choice in can.choices]
    assert type(cast).__name__ == "ViewCast"
    assert [person.name for person in cast.cast if person.role == "character"] == ["Zel", "Odo"]
    assert replay.title == "Session 1: The Long Ebb"
    assert len(replay.lines[0].steps.id) == len(replay.lines[0].steps.t)


def test_L8_a_generated_client_says_a_line_once_and_is_told_why_another_is_refused(
    gm: Caller, service: Serving
) -> None:
    body = gm.body("say", line="say Zel: Home, then.", id="said-by-a-client")
    before = service.campaign.position
    first, again = gm.ask("say", body=body).parsed, gm.ask("say", body=body).parsed
    refused = gm.ask("say", body=gm.body("say", line="draw Nobody 4", id="refused-to-a-client"))

    assert (first.said, first.at) == (again.said, again.at) == (["Zel says: “Home, then.”"], str(before + 1))
    assert service.campaign.position == before + 1
    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Nobody" in refused.parsed.error


def test_L8_a_generated_client_without_a_link_is_told_so(client: str, service: Serving) -> None:
    phone = service.phone("Jon")
    phone.secret = "mistaken"
    answer = Caller(client, phone).ask("board")

    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert "ask your game master" in answer.parsed.error


def test_L8_the_models_of_another_generator_read_what_the_service_answers(
    folder: Path, service: Serving
) -> None:
    kind = "pydantic_v2.BaseModel"
    generated(
        *("datamodel_code_generator", "--input", str(DESCRIPTION), "--input-file-type", "openapi"),
        *("--output", str(folder / "table_models.py"), "--output-model-type", kind),
    )
    models: Any = importlib.import_module("table_models")
    gm = service.phone("gm")

    view = models.AnyView.model_validate(gm.ask("view/cast").body)
    replay = models.Replay.model_validate(gm.ask("replay").body)
    happened = [models.Event.model_validate(one) for one in gm.ask("happened").body["events"]]

    assert [person.name for person in view.root.cast if person.role == "character"] == ["Zel", "Odo"]
    assert replay.title == "Session 1: The Long Ebb"
    assert happened[-1].told
