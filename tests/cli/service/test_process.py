"""The command itself, as a process: what it prints, who else records meanwhile, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from retold.cli.service.network import NetworkAddress
from tests.cli.service.phone import Phone
from tests.cli.shell import Shell
from tests.patience import PATIENCE

RETOLD = [sys.executable, "-P", "-m", "retold"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there, Ctrl-C cannot be sent to one process")


@pytest.fixture
def environment(evening: Path, tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "RETOLD_HOME": str(tmp_path / "home"), "PYTHONPATH": str(Path.cwd())}


@contextmanager
def served(
    evening: Path, environment: dict[str, str], *words: str
) -> Iterator[tuple[subprocess.Popen[str], Any]]:
    """The command at work, and what it printed as JSON."""
    command = [*RETOLD, "serve", str(evening), "--json", "--port", "0", *words]
    process = subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        yield process, json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.communicate()


def phone(said: Any, viewer: str) -> Phone:  # noqa: ANN401 -- JSON
    (campaign,) = said["campaigns"]
    link = next(one["link"] for one in campaign["links"] if one["viewer"] == viewer)
    at, _, secret = link.partition("#")
    return Phone(NetworkAddress("127.0.0.1", urlsplit(at).port or 0), campaign["name"], secret)


def test_what_the_console_records_is_on_the_phone_and_ctrl_c_ends_it_with_streams_open(
    evening: Path, environment: dict[str, str]
) -> None:
    with served(evening, environment) as (process, said):
        jon = phone(said, "Jon")
        stream, other = jon.follow(), phone(said, "gm").follow()
        stream.hear("board")
        other.hear("board")
        line = [*RETOLD, "-c", str(evening), "narrate", "Zel:", "A dog barks."]
        subprocess.run(line, env=environment, check=True, capture_output=True)
        assert stream.hear("happened").data["events"][0]["told"] == "Zel narrates: “A dog barks.”"

        process.send_signal(signal.SIGINT)
        _, log = process.communicate(timeout=PATIENCE)

    assert process.returncode == 0
    assert "gone" not in [one.event for one in stream.rest()]
    assert jon.secret is not None
    assert [word for word in (jon.secret, "barks", "Traceback") if word in log] == []
    assert "GET /c/salt-road/feed 200" in log


def test_a_phone_that_was_away_while_it_was_started_anew_goes_on(
    evening: Path, environment: dict[str, str]
) -> None:
    with served(evening, environment) as (process, said):
        jon = phone(said, "Jon")
        assert jon.ask("/join", {"link": jon.secret}).status == 200
        cursor = jon.ask("happened").body["cursor"]
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    line = [*RETOLD, "-c", str(evening), "narrate", "Zel:", "A dog barks."]
    subprocess.run(line, env=environment, check=True, capture_output=True)
    with served(evening, environment) as (_, said):
        again = Phone(phone(said, "Jon").place, jon.slug, jon.secret)
        told = again.follow(cursor).hear("happened").data["events"]

    assert [one["told"] for one in told] == ["Zel narrates: “A dog barks.”"]


def test_W3_a_link_that_only_a_program_came_by_outlives_the_next_start(
    evening: Path, environment: dict[str, str]
) -> None:
    with served(evening, environment) as (process, said):
        bot = phone(said, "Jon")
        assert bot.ask("happened").status == 200
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE)
    with served(evening, environment) as (_, said):
        again = Phone(phone(said, "Jon").place, bot.slug, bot.secret)

        assert again.ask("happened").status == 200


def test_a_port_that_is_taken_is_a_sentence(evening: Path, environment: dict[str, str]) -> None:
    with served(evening, environment) as (_, said):
        port = str(urlsplit(said["at"]).port)
        command = [*RETOLD, "serve", str(evening), "--port", port]
        second = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert (second.returncode, second.stdout) == (1, "")
    assert second.stderr.startswith(f"Port {port} of 127.0.0.1 cannot be had")


# --- links, by the command line ---------------------------------------------------------------------------


@pytest.fixture
def shell(
    evening: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)
    return Shell(tmp_path, monkeypatch, capsys)


def test_links_are_made_listed_and_revoked(shell: Shell) -> None:
    assert shell.done("serve", "--links") == "salt-road: there is no link yet; serve prints them.\n"
    made = shell.done("serve", "--links", "--new", "jon").splitlines()[0]
    assert made.startswith("salt-road, Jon: http://127.0.0.1:7655/#")
    assert shell.done("serve", "--links").startswith("salt-road: Jon, since ")
    assert (
        shell.done("serve", "--links", "--revoke", "Jon") == "salt-road: Jon: 1 link is worth nothing now.\n"
    )
    assert shell.done("serve", "--links", "--revoke", "Jon") == "salt-road: Jon: had no link.\n"
    (campaign,) = json.loads(shell.done("serve", "--links", "--json"))["campaigns"]
    assert campaign["links"] == []


def test_every_viewer_without_a_link_is_invited_once(shell: Shell) -> None:
    shell.done("serve", "--links", "--new", "Jon")
    (campaign,) = json.loads(shell.done("serve", "--links", "--invite", "--json"))["campaigns"]
    assert [one["viewer"] for one in campaign["links"]] == ["gm", "table", "Kit"]
    assert json.loads(shell.done("serve", "--links", "--invite", "--json"))["campaigns"] == []


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("--links", "--new", "Nobody"), 1, "There is no “Nobody” here."),
        (("--links", "--revoke", "Nobody"), 1, "There is no “Nobody” here."),
        (("--revoke", "Jon"), 2, "--new and --revoke go with --links: serve --links --revoke NAME."),
        (("--port", "99999"), 2, "Invalid value for '--port'"),
        (("--proxy", "127.0.0.1"), 2, "--proxy goes with --host: name what the proxy is called outside"),
        (("--behind", "127.0.0.1"), 2, "--proxy goes with --host: name what the proxy is called outside"),
        (("--invite",), 2, "--invite goes with --links alone: serve --links --invite."),
        (("--proxy", "here", "--host", "a.example"), 2, "--proxy takes the address of a proxy, such as"),
        (("nowhere",), 1, "There is no campaign"),
        (("--for", "Nobody", "--port", "0"), 1, "There is no “Nobody” here."),
    ],
)
def test_a_slip_is_a_sentence(shell: Shell, words: tuple[str, ...], code: int, sentence: str) -> None:
    said = shell.say("serve", *words)

    assert (said.code, said.out) == (code, "")
    assert said.err.startswith(sentence)


def test_web_modules_are_loaded_on_demand() -> None:
    asked = (
        "import sys; from retold.cli import app, dispatch; app.application('serve'); app.application('show');"
    )
    web = "{'starlette', 'uvicorn', 'anyio', 'segno', 'sse_starlette', 'asyncio'}"
    told = f"print(sorted(set(sys.modules) & {web}))"
    said = subprocess.run([sys.executable, "-c", asked + told], capture_output=True, text=True, check=True)

    assert said.stdout == "[]\n"
