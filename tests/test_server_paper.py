"""docs/server.md is typed as a club would: on an empty server, at two nodes, with phones at its tables."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from retold.cli.service.network import NetworkAddress
from tests.cli.service.phone import Phone
from tests.database_server import Cluster, binaries, make
from tests.journal.store.test_server_accounts import gets_out
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
PAPER = ROOT / "docs/server.md"
EXAMPLES = ROOT / "docs/server"
FENCED = re.compile(r"^```(?P<language>\w*)\n(?P<lines>.*?)^```$", re.MULTILINE | re.DOTALL)
AFTERNOON = PAPER.read_text("utf-8").partition("## A club's afternoon")[2].partition("\n## ")[0]
TABLES = 2
"""Number of the club's ten tables that are played: each of the others is a loop's further turn."""
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="PostgreSQL is not started there")


@pytest.fixture
def empty(cluster: Cluster) -> Iterator[Cluster]:
    """A server on which nobody has done anything."""
    del cluster  # where there is none, this one cannot be started either
    folder = Path(tempfile.mkdtemp(prefix="retold-pg-"))
    own = make(folder)
    try:
        yield own
    finally:
        own.stop()
        shutil.rmtree(folder, ignore_errors=True)


ALL_TABLES = re.compile(r"(?<=for n in )\d+(?: \d+)+(?=;)")


def _first_tables(numbers: re.Match[str]) -> str:
    assert numbers[0].split()[-1] == "10"
    return " ".join(one for one in numbers[0].split() if int(one) <= TABLES)


class Club:
    """The computers of the paper: a folder, a service file that its blocks replace, and running nodes."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        self.cluster, self.folder = cluster, folder
        self.nodes: list[tuple[subprocess.Popen[str], NetworkAddress]] = []
        self.said: dict[str, str] = {}
        """What each line printed."""
        programs = folder / "bin"
        programs.mkdir()
        command = programs / "retold"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m retold "$@"\n')
        command.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{binaries()}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "RETOLD_HOME": str(folder / "home"),
            "PGSERVICEFILE": str(folder / "services.conf"),
        }

    def serve_by(self, service: str) -> None:
        """Writes a service file as the paper shows it, for the server of this test."""
        assert "host=db.example.org" in service
        here = f"host={self.cluster.folder}\nport={self.cluster.port}"
        Path(self.environment["PGSERVICEFILE"]).write_text(service.replace("host=db.example.org", here))

    def type(self, line: str) -> None:
        """Types one line, in the shell of the computer the paper is at; loops for the first tables alone."""
        line = ALL_TABLES.sub(_first_tables, line)
        if line.startswith("sudo apt install "):
            return  # it is there: `empty` has started it
        if line.startswith("retold serve club: "):
            self.start_node(line, home="first")
            self.start_node(line, home="second")
            return
        environment, answers = self.environment, ""
        if line.startswith("sudo -u postgres "):
            line = line.removeprefix("sudo -u postgres ")
            environment = {
                **environment,
                "PGHOST": str(self.cluster.folder),
                "PGPORT": str(self.cluster.port),
                "PGUSER": "postgres",
            }
            answers = "a-password\na-password\n"
        done = subprocess.run(
            ["bash", "-e", "-c", line],
            cwd=self.folder,
            env=environment,
            input=answers,
            capture_output=True,
            text=True,
            check=False,
            start_new_session=True,  # without a terminal, a password is read from standard input
        )
        assert done.returncode == 0, f"{line}: {done.stderr}"
        self.said[line] = done.stdout

    def start_node(self, line: str, home: str) -> None:
        """Starts a node, at a port of its own; this computer may be in no network."""
        words = [*line.replace(" --lan", "").split()[1:], "--json", "--port"]
        environment = {**self.environment, "RETOLD_HOME": str(self.folder / home)}
        while True:
            port = free_port()
            process = subprocess.Popen(
                [sys.executable, "-P", "-m", "retold", *words, str(port)],
                env=environment,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            assert process.stdout is not None
            if process.stdout.readline():
                self.nodes.append((process, NetworkAddress("127.0.0.1", port)))
                return
            _, error = process.communicate()
            assert "cannot be had" in error, error  # somebody else took the port

    def end(self) -> None:
        for process, _ in self.nodes:
            process.kill()
            process.communicate()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def join(place: NetworkAddress, secret: str) -> dict[str, Any]:
    answer = Phone(place, "").ask("/join", {"link": secret}, Host="play.example.org")
    assert answer.status == 200, answer.body
    return answer.body


def test_a_clubs_afternoon_is_typed_line_by_line(empty: Cluster, tmp_path: Path) -> None:
    club = Club(empty, tmp_path)
    try:
        for block in FENCED.finditer(AFTERNOON):
            if block["language"] == "ini":
                club.serve_by(block["lines"])
                continue
            assert block["language"] == "sh"
            for line in block["lines"].splitlines():
                club.type(line)

        invited = "".join(text for line, text in club.said.items() if "--invite" in line)
        links = dict(
            re.findall(r"^(table-\d+), Jon: https://play\.example\.org/#(\S+)$", invited, re.MULTILINE)
        )
        joined = [
            join(club.nodes[number % 2][1], secret)["campaign"]
            for number, secret in enumerate(links.values())
        ]
    finally:
        club.end()

    for account in ("organiser", "node", "mary"):  # S1
        assert list(gets_out(empty, account, "games")) == []
    assert joined == list(links)
    assert set(links) == {f"table-{number}" for number in range(1, TABLES + 1)}
    assert (tmp_path / "table-1.retold").exists()
    assert (tmp_path / "table-2.retold").exists()


def test_every_command_of_the_paper_is_in_a_block_that_is_typed() -> None:
    blocks = list(FENCED.finditer(PAPER.read_text("utf-8")))

    assert [block["lines"] for block in blocks] == [block["lines"] for block in FENCED.finditer(AFTERNOON)]


# --- the arithmetic ---------------------------------------------------------------------------------------


def row(name: str) -> list[str]:
    """The cells of a row of the last table, as numbers."""
    table = PAPER.read_text("utf-8").partition("## What gives out first")[2]
    (cells,) = re.findall(rf"^\| {re.escape(name)}[^|]*\|(.*)\|$", table, re.MULTILINE)
    return [re.split(r"[, ]{2}|, | of | \(", cell.strip())[0].replace(",", "") for cell in cells.split("|")]


def test_the_arithmetic_of_what_gives_out_first_is_right() -> None:
    campaigns, played = [1_000, 100_000, 10_000_000], [1_000, 10_000, 100_000]

    assert [float(one) for one in row("played at once")] == played
    assert row("space") == [
        f"{many * 30_000 * 414 / unit:.{digits}f} {name}"
        for many, unit, digits, name in zip(
            campaigns, (1e9, 1e12, 1e12), (0, 1, 0), ("GB", "TB", "TB"), strict=True
        )
    ]
    for acts, tables in zip(row("acts a second"), played, strict=True):
        assert float(acts) == pytest.approx(tables * 5 / 60, rel=0.01)
    assert [int(one) for one in row("phones")] == [tables * 5 for tables in played]
    assert [int(one) for one in row("nodes")] == [tables // 200 for tables in played]
    assert [int(one) for one in row("connections of the server")] == [tables // 200 * 18 for tables in played]
    assert row("memory for followers") == ["250 MB", "2.5 GB", "25 GB"]


# --- the example with containers --------------------------------------------------------------------------


def read_yaml(text: str) -> Any:  # noqa: ANN401 -- YAML
    """Reads the YAML of the example: mappings, lists of texts, and JSON on one line."""
    lines = [line for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    value, rest = _block(lines, 0)
    assert not rest, rest[0]
    return value


def _block(lines: list[str], indent: int) -> tuple[Any, list[str]]:
    is_list = lines[0].startswith(f"{' ' * indent}- ")
    found: Any = [] if is_list else {}
    while lines and len(lines[0]) - len(lines[0].lstrip()) == indent:
        line, lines = lines[0].strip(), lines[1:]
        if is_list:
            found.append(_scalar(line.removeprefix("- ")))
            continue
        name, colon, value = line.partition(":")
        assert colon, line
        assert name not in found, f"{name} stands twice"
        if value.strip():
            found[name] = _scalar(value.strip())
        else:
            found[name], lines = _block(lines, indent + 2)
    return found, lines


def _scalar(text: str) -> Any:  # noqa: ANN401 -- YAML
    return json.loads(text) if text[0] in '["{' else text


def test_the_compose_file_is_whole_and_its_commands_exist() -> None:
    compose = read_yaml((EXAMPLES / "compose.yaml").read_text("utf-8"))
    services = compose["services"]
    network = "10.89.7."

    for name, service in services.items():
        for other in service.get("depends_on", ()):
            assert other in services, f"{name} waits for {other}"
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            known = (
                source in compose["volumes"] or source == "./certificate.pem"
            )  # which everybody has their own
            assert known or (EXAMPLES / source).is_file(), source
    for name in ("one", "two", "prepare"):
        verb, *words = services[name]["command"]
        options = [word for word in words if word.startswith("--")]
        said = subprocess.run(
            [sys.executable, "-P", "-m", "retold", verb, "--help"],
            env={**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        assert [option for option in options if option not in said.stdout] == []
    assert services["one"]["command"][-1] == services["balancer"]["networks"]["default"]["ipv4_address"]
    balancer = (EXAMPLES / "haproxy.cfg").read_text("utf-8")
    for name in ("one", "two"):
        address = services[name]["networks"]["default"]["ipv4_address"]
        assert address.startswith(network)
        assert f"server {name} {address}:7655" in balancer


def test_the_containerfile_installs_what_a_node_needs() -> None:
    lines = (EXAMPLES / "Containerfile").read_text("utf-8").splitlines()
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    (named,) = re.findall(r"/source\[([\w,]+)\]", "\n".join(lines))

    assert set(named.split(",")) <= set(extras)
    assert [line.split()[0] for line in lines if not line.startswith("#")] == [
        *("FROM", "COPY", "RUN", "USER", "ENTRYPOINT", "CMD")
    ]
