"""docs/service.md: its client in 20 lines runs, and every address and event it names is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from retold.cli.service.app import BELOW
from retold.cli.service.endpoints import A_MINUTE, MOST_STREAMS, TRIES_A_MINUTE
from retold.cli.service.network import AT_ONCE, OF_AN_ADDRESS, SECONDS, UNFINISHED, UNFINISHED_OF_AN_ADDRESS
from tests.cli.service.phone import Phone, Serving

PAPER = (Path(__file__).parents[3] / "docs" / "service.md").read_text("utf-8")


def client() -> str:
    (found,) = re.findall(r"^```python\n(.*?)^```$", PAPER, re.MULTILINE | re.DOTALL)
    return str(found)


def test_the_client_has_20_lines_and_follows_the_table(service: Serving, jon: Phone) -> None:
    assert len([line for line in client().splitlines() if line.strip()]) <= 22
    rooms: dict[str, Any] = {}
    exec(compile(client(), "docs/service.md", "exec"), rooms)
    follow: Callable[..., Iterator[tuple[str, str]]] = rooms["follow"]
    cursor = jon.ask("happened").body["cursor"]
    service.campaign.say("narrate Zel: A dog barks.")
    events = follow(f"{service.place.url}c/{service.slug}/", jon.secret, cursor)
    at, told = next(events)
    service.campaign.say("say Odo --to Jon: Is it gone?")  # for Jon alone, and so for no channel
    service.campaign.say("narrate Zel: It stops.")

    assert told == "Zel narrates: “A dog barks.”"
    assert next(events)[1] == "Zel narrates: “It stops.”"
    assert (
        next(follow(f"{service.place.url}c/{service.slug}/", jon.secret, at))[1]
        == "Zel narrates: “It stops.”"
    )


def test_every_address_is_in_the_paper() -> None:
    for method, path, _ in BELOW:
        named = path.replace("{name:str}", "NAME").replace("{id:str}", "ID")
        assert f"`{method} /c/C/{named}" in PAPER


def test_W21_the_limits_in_the_paper_are_those_that_hold() -> None:
    for said in (
        f"{A_MINUTE} requests a minute for a link, {MOST_STREAMS} streams for a link",
        f"{TRIES_A_MINUTE} tries a minute for clients without a link from one address",
        f"has to arrive within {SECONDS} seconds",
        f"One address may have {UNFINISHED_OF_AN_ADDRESS} unfinished requests, the service {UNFINISHED}:",
        f"An address has at most {OF_AN_ADDRESS} connections, the service {AT_ONCE:,}",
    ):
        assert said in " ".join(PAPER.split())


@pytest.mark.parametrize(("row", "path"), [("GET /c/C/` |", "here.json"), ("POST /c/C/say", "say")])
def test_W21_every_field_that_the_paper_names_is_in_the_answer(gm: Phone, row: str, path: str) -> None:
    (line,) = [one for one in PAPER.splitlines() if one.startswith(f"| `{row}")]
    told = line.partition("JSON:")[2] or line.partition("→")[2].partition(";")[0]
    body = None if path == "here.json" else {"line": "narrate gm: Rain.", "id": "say-number-1"}

    assert set(re.findall("`([a-z]+)`", told)) <= set(gm.ask(path, body).body)
