"""docs/service.md: its client in 20 lines runs, and every address and event it names is there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cli.service.app import BELOW
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


def test_every_address_stands_in_the_paper() -> None:
    for method, path, _ in BELOW:
        named = path.replace("{name:str}", "NAME").replace("{id:str}", "ID")
        assert f"`{method} /c/C/{named}" in PAPER
