"""docs/assistant.md: each file of an assistant starts the server, and each command and call is answered."""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

from retold.drafts.checking import Verdict
from retold.journal.store.writing.campaign import CampaignStore
from retold.mcp.protocol.tools import tools_of
from retold.scribe import Scribe
from retold.script_player import Script, play_script
from tests.patience import PATIENCE
from tests.retold.mcp.assistant import answered
from tests.retold.mcp.test_pipe import run
from tests.test_papers_typed import EVENING, FENCED

ROOT: Final = Path(__file__).parents[3]
PAPER: Final = (ROOT / "docs/assistant.md").read_text("utf-8")
SETTING_UP, _, THE_REST = PAPER.partition("## From an evening to a chapter")
CHAPTER: Final = THE_REST.partition("\n## ")[0]
READERS: Final[dict[str, Callable[[str], Any]]] = {"json": json.loads, "toml": tomllib.loads}


def servers() -> Iterator[dict[str, Any]]:
    """What each file says of the server."""
    for block in FENCED.finditer(SETTING_UP):
        (found,) = READERS[block["language"]](block["lines"]).values()
        yield found["retold"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """README's evening in a file, and settings of its own."""
    with CampaignStore.create(tmp_path / "salt-road.retold", title="The Salt Road") as campaign:
        list(play_script(Scribe(campaign, 1), Script("evening", "\n".join(EVENING.lines).encode())))
    return {**os.environ, "RETOLD_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}


def started(environment: dict[str, str], words: list[str], asked: Callable[[Client], Awaitable[Any]]) -> Any:  # noqa: ANN401 -- what is asked for
    folder = Path(environment["RETOLD_HOME"]).parent
    here = [word.replace("/home/mary", str(folder)) for word in words]
    server = StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "retold", *here], env=environment, cwd=folder
    )

    async def ask() -> Any:  # noqa: ANN401 -- as above
        with anyio.fail_after(PATIENCE):
            info = types.Implementation(name="Claude", version="1")
            async with Client(server, client_info=info) as client:
                return await asked(client)

    return anyio.run(ask)


LOCAL: Final = [one for one in servers() if "command" in one]


@pytest.mark.parametrize("server", LOCAL, ids=lambda one: " ".join(one["args"][2:]))
def test_the_file_of_an_assistant_starts_the_server(
    environment: dict[str, str], server: dict[str, Any]
) -> None:
    async def asked(client: Client) -> str:
        (found,) = (await answered(client, "campaigns"))["campaigns"]
        return str(found["viewer"])

    assert server["command"] == "retold"
    assert server.keys() <= {"type", "command", "args"}
    viewer = server["args"][server["args"].index("--for") + 1]
    assert started(environment, server["args"], asked) == viewer


def test_there_are_three_assistants_and_one_by_a_link() -> None:
    (served,) = (one for one in servers() if "command" not in one)

    assert len(LOCAL) == 3
    assert re.fullmatch(r"http://[\d.]+:7655/c/salt-road/mcp", served["url"])
    assert served["headers"]["Authorization"].startswith("Bearer ")


def test_an_evening_becomes_a_chapter(environment: dict[str, str]) -> None:
    calls = [block["lines"] for block in FENCED.finditer(CHAPTER) if block["language"] == "mcp"]
    typed = [
        line
        for block in FENCED.finditer(CHAPTER)
        if block["language"] == "sh"
        for line in block["lines"].splitlines()
    ]

    async def asked(client: Client) -> list[dict[str, Any]]:
        found = []
        for line in "".join(calls).splitlines():
            tool, _, arguments = line.partition(" ")
            found.append(await answered(client, tool, **json.loads(arguments)))
        text = "\n\n".join(
            ("## " if one["kind"] == "heading" else "") + one["text"] for one in found[4]["items"]
        )
        found.append(
            await answered(client, "revise", name="chapter", text=text.replace("breaks", "gives way"))
        )
        return found

    said: list[str] = []
    for line in typed:
        words = line.split()[1:]
        if words[0] == "mcp":
            *_, checked, revised = started(environment, words, asked)
            assert {item["verdict"] for item in checked["items"]} >= {"told", "not-in-record"}
            assert revised["said"] == "Revision 2 of the draft chapter."
        else:
            done = run(environment, *words, "-c", "salt-road")
            assert done.returncode == 0, done.stderr
            said.append(done.stdout)

    assert len(typed) == 5
    assert "Claude (assistant)" in "".join(said)
    assert "gives way" in said[2]


def test_every_tool_is_in_the_paper() -> None:
    table = PAPER.partition("## Tools")[2]
    named = re.findall(r"^\| `(\w+)", table, re.MULTILINE)

    assert named == ["campaigns", *tools_of(())]


def test_every_verdict_is_in_the_paper() -> None:
    assert [verdict for verdict in Verdict if f"| `{verdict}` |" not in PAPER] == []
