"""`retold mcp` is started by an assistant's program, and speaks to it over a pipe."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import anyio
import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

import retold
from tests.patience import PATIENCE
from tests.retold.mcp.assistant import SECRETS, answered, begun

ROOT: Final = Path(__file__).parents[3]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Settings of its own, and the evening in a file."""
    begun(tmp_path / "ferry.retold").close()
    return {**os.environ, "RETOLD_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}


def piped(
    environment: dict[str, str],
    *words: str,
    asked: Callable[[Client], Awaitable[Any]],
    mode: str = "auto",
) -> Any:  # noqa: ANN401 -- what is asked for
    """Starts the server as an assistant's program does; returns what `asked` finds out."""
    folder = Path(environment["RETOLD_HOME"]).parent
    server = StdioServerParameters(
        command=sys.executable, args=["-P", "-m", "retold", "mcp", *words], env=environment, cwd=folder
    )

    async def ask() -> Any:  # noqa: ANN401 -- as above
        info = types.Implementation(name="Claude", version="1")
        with anyio.fail_after(PATIENCE):
            async with Client(server, client_info=info, mode=mode) as client:
                return await asked(client)

    return anyio.run(ask)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_an_evening_is_read_over_a_pipe(environment: dict[str, str], mode: str) -> None:
    async def asked(client: Client) -> list[str]:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        resources = (await client.list_resources()).resources
        book = await client.read_resource(resources[0].uri)
        prompt = await client.get_prompt("recap", {})
        answers = [await client.call_tool(name, {}) for name in ("recap", "happened", "threads", "board")]
        return [str(one) for one in (tools, book, prompt, *answers)]

    found = piped(environment, "ferry", "--for", "Jon", asked=asked, mode=mode)

    assert "I cut the rope behind him" in found[1]
    assert "propose" not in found[0]
    assert [secret for secret in SECRETS if secret in "".join(found)] == []


def test_what_is_recorded_meanwhile_is_read(environment: dict[str, str], tmp_path: Path) -> None:
    async def asked(client: Client) -> list[str]:
        first = await answered(client, "happened")
        with retold.open(tmp_path / "ferry.retold") as campaign:
            campaign.say("narrate Ana: I follow.")
            more = await answered(client, "happened", after=first["cursor"])
            campaign.say("undo")
            undone = await answered(client, "happened", after=more["cursor"])
        return [*(item["text"] for item in more["items"]), str(undone.get("reset"))]

    assert piped(environment, "ferry", asked=asked) == ["Ana narrates: “I follow.”", "True"]


def test_a_proposal_is_taken_by_the_game_master(environment: dict[str, str], tmp_path: Path) -> None:
    async def asked(client: Client) -> str:
        return str(await client.call_tool("propose", {"line": "narrate Zel: I wait."}))

    said = piped(environment, "ferry", "--for", "Jon", "--propose", asked=asked)
    listed = run(environment, "proposals", "-c", "ferry")
    before = told(tmp_path)
    handle = listed.stdout.split()[0]
    taken = run(environment, "proposals", "take", handle, "-c", "ferry")

    assert '"state":"waiting"' in said
    assert "Jon, through Claude (assistant): narrate Zel: I wait." in listed.stdout
    assert "I wait." not in before
    assert taken.returncode == 0, taken.stderr
    assert "I wait." in told(tmp_path)


def test_a_draft_is_revised_by_the_assistants_name(environment: dict[str, str]) -> None:
    run(environment, "draft", "new", "second", "s1", "-c", "ferry")

    async def asked(client: Client) -> str:
        items = (await answered(client, "draft", name="second"))["items"]
        marks = {"heading": "## "}
        text = "\n\n".join(marks.get(one["kind"], "") + one["text"] for one in items)
        text = text.replace("cut the rope", "sawed through the rope")
        return str(await client.call_tool("revise", {"name": "second", "text": text}))

    said = piped(environment, "ferry", "--for", "gm", "--propose", asked=asked)

    assert "Revision 2 of the draft second." in said
    assert "Claude (assistant)" in run(environment, "draft", "log", "-c", "ferry").stdout


def run(environment: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-P", "-m", "retold", *words],
        env=environment,
        cwd=Path(environment["RETOLD_HOME"]).parent,
        input="",
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )


def told(folder: Path) -> str:
    with retold.open(folder / "ferry.retold", read_only=True) as campaign:
        return campaign.tell("book")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["ferry", "--propose"], 2, "--propose goes with --for NAME"),
        (["ferry", "--for", "Bob"], 1, "Bob"),
        (["nothing"], 1, "nothing"),
        (["ferry", "ferry"], 2, "have the same name"),
    ],
)
def test_a_wrong_start_is_one_sentence(
    environment: dict[str, str], words: list[str], code: int, said: str
) -> None:
    done = run(environment, "mcp", *words)

    assert done.returncode == code
    assert said in done.stderr
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1


def test_it_ends_with_its_input(environment: dict[str, str]) -> None:
    done = run(environment, "mcp", "ferry")

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_noise_on_the_pipe_is_answered_and_ends_nothing(environment: dict[str, str]) -> None:
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "retold", "mcp", "ferry"],
        env=environment,
        cwd=Path(environment["RETOLD_HOME"]).parent,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(
            b'no JSON\n{"jsonrpc":"2.0"}\n\xff\xfe\n[]\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n'
        )
        running.stdin.flush()
        answer = running.stdout.readline()
        _, error = running.communicate(timeout=PATIENCE)

    assert b'"id":1' in answer
    assert (running.returncode, error) == (0, b"")
