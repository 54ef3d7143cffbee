"""The service: how soon 200 followers hear of what is recorded, against an empty one of the same libraries.

    python -m benchmarks.service

Both run in a process of their own and are asked in turns. A round is one thing said by the game master's
page and heard by everybody; its figure is the time by which 99 in 100 have it.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import retold
from benchmarks.measuring import Figure, Goal, compare, counted, show
from retold.cli.campaigns.settings import Settings
from retold.cli.service.network import LOOPBACK, NetworkAddress, bind_sockets
from retold.cli.service.running import server
from retold.cli.service.served_campaigns import open_campaigns
from retold.journal.store.contract.address import Address
from tests.cli.service.phone import serving

FOLLOWERS = 200
ROUNDS = 40
CAMPAIGNS = 50
LINKS = 10
"""The followers come by so many links: one link has its limit."""
LARGEST_P99_MS = 250
EVENING = Path(__file__).parents[1] / "examples" / "homebrew" / "drowned-chapel.session"
PLAYER = "Sefa"
MOST_KB = 70
MOST_REQUESTS = 6
LOADED = re.compile(r'(?:href|src)="(/made/[^"]+)"')
BEGUN = re.compile(r'id="begun">(.*?)</script>')


@dataclass(frozen=True)
class Running:
    """A service at work: where, how each follower asks, and how something is said so that all hear of it."""

    port: int
    follow: Sequence[bytes]
    say: Sequence[tuple[str, str]]
    """Address and authority, one for each campaign."""
    pid: int


# --- the two services, each in a process ------------------------------------------------------------------


def serve_ours(folder: Path, campaigns: int) -> None:
    """Serves campaigns of one evening, and prints where and by which links."""
    paths = [folder / f"table-{number}.retold" for number in range(campaigns)]
    for path in paths:
        with retold.new(path) as campaign:
            campaign.play("cast gm by=Mary\ncast Zel bruise by=Jon clubs=4\nsession One\nscene Here\n")
    shelf = open_campaigns(map(Address.of_file, paths), Settings(folder / "home", {}))
    place, sockets = bind_sockets(NetworkAddress(LOOPBACK, 0))
    follow, say = [], []
    for slug, one in shelf.served.items():
        links = one.links
        for _ in range(max(1, LINKS // campaigns)):
            secret = links.new("table", "table", "2026-03-14")
            links.join(next(link for link in links.every() if not link.joined))
            follow.append((f"/c/{slug}/feed", f"Bearer {secret}"))
        say.append((f"/c/{slug}/say", f"Bearer {links.new('gm', 'gm', '2026-03-14')}"))
    shelf.read_links()
    print(json.dumps({"port": place.port, "follow": follow, "say": say}), flush=True)
    server(shelf, place, log=False).run(sockets=sockets)


def serve_nothing(rooms: int) -> None:
    """Sends on what it is posted, and knows nothing: Starlette, sse-starlette and uvicorn by themselves."""
    import uvicorn
    from sse_starlette import EventSourceResponse
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    queues: dict[str, set[asyncio.Queue[bytes]]] = defaultdict(set)

    async def sent(room: str, queue: asyncio.Queue[bytes]) -> AsyncIterator[bytes]:
        queues[room].add(queue)
        yield b"event: board\r\ndata: {}\r\n\r\n"
        while True:
            yield await queue.get()

    async def feed(request: Request) -> Response:
        return EventSourceResponse(sent(request.path_params["room"], asyncio.Queue()))

    async def say(request: Request) -> Response:
        told = b"event: happened\r\ndata: " + await request.body() + b"\r\n\r\n"
        for queue in queues[request.path_params["room"]]:
            queue.put_nowait(told)
        return JSONResponse({})

    app = Starlette(routes=[Route("/{room}/feed", feed), Route("/{room}/say", say, methods=["POST"])])
    place, sockets = bind_sockets(NetworkAddress(LOOPBACK, 0))
    follow, say_to = ([(f"/{room}/{what}", "-") for room in range(rooms)] for what in ("feed", "say"))
    print(json.dumps({"port": place.port, "follow": follow, "say": say_to}), flush=True)
    uvicorn.Server(uvicorn.Config(app, log_config=None, access_log=False)).run(sockets=sockets)


def started(*words: str) -> tuple[subprocess.Popen[bytes], Running]:
    """One of them in a process of its own."""
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.service", *words], stdout=subprocess.PIPE)
    assert process.stdout is not None
    said: dict[str, Any] = json.loads(process.stdout.readline())
    asked = [request("GET", path, authority) for path, authority in said["follow"]]
    return process, Running(said["port"], asked, said["say"], process.pid)


# --- those who follow -------------------------------------------------------------------------------------


def request(method: str, path: str, authority: str, body: bytes = b"") -> bytes:
    """A request as it goes over the wire."""
    head = f"{method} {path} HTTP/1.1\r\nHost: {LOOPBACK}\r\nAuthorization: {authority}\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def heard(reader: asyncio.StreamReader, word: bytes) -> float:
    """When a follower has a word."""
    while word not in await reader.readline():
        pass
    return time.perf_counter()


async def connected(running: Running, number: int) -> asyncio.StreamReader:
    """A follower who has heard the first words."""
    reader, writer = await asyncio.open_connection(LOOPBACK, running.port)
    FOLLOWING.append(writer)
    writer.write(running.follow[number % len(running.follow)])
    await heard(reader, b"event: board")
    return reader


FOLLOWING: list[asyncio.StreamWriter] = []
"""Held, or they would hang up."""


async def round_of(running: Running, readers: Sequence[asyncio.StreamReader], number: int) -> float:
    """One thing said, and the seconds by which 99 in 100 have heard it."""
    word = f"word-{number:06d}-"
    which = number % len(running.say)
    path, authority = running.say[which]
    listening_in = readers[which :: len(running.say)]
    body = json.dumps({"line": f"narrate Zel: {word}", "id": f"{word}xxxx"}).encode()
    _, writer = await asyncio.open_connection(LOOPBACK, running.port)
    began = time.perf_counter()
    writer.write(request("POST", path, authority, body))
    when = await asyncio.gather(*(heard(one, word.encode()) for one in listening_in))
    writer.close()
    took = sorted(one - began for one in when)
    return took[min(len(took) - 1, int(len(took) * 0.99))]


def memory(pid: int) -> float | None:
    """What a process holds, in kB; None where nobody says."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii")
    except OSError:
        return None
    return next(float(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


async def measured(one: Running, other: Running) -> tuple[dict[str, list[float]], float | None]:
    """The rounds of both in turns, and what a follower of ours holds, in kB."""
    before = memory(one.pid)
    readers = {"ours": [await connected(one, number) for number in range(FOLLOWERS)]}
    after = memory(one.pid)
    readers["empty"] = [await connected(other, number) for number in range(FOLLOWERS)]
    seconds: dict[str, list[float]] = {"ours": [], "empty": []}
    begun = len(one.say)  # one round of each campaign is not counted
    for number in range(begun + ROUNDS):
        for name, running in (("ours", one), ("empty", other)):
            took = await round_of(running, readers[name], number)
            if number >= begun:
                seconds[name].append(took)
    return seconds, None if before is None or after is None else (after - before) / FOLLOWERS


def run() -> list[Figure]:
    """Measures it."""
    figures = []
    for campaigns, what in ((1, f"{FOLLOWERS} followers"), (CAMPAIGNS, f"{CAMPAIGNS} campaigns")):
        with tempfile.TemporaryDirectory() as folder:
            ours, one = started("ours", folder, str(campaigns))
            nothing, other = started("empty", str(campaigns))
            try:
                seconds, each = asyncio.run(measured(one, other))
            finally:
                for process in (ours, nothing):
                    process.kill()
                    process.wait()
        about = f"{what}: recorded and received by 99 in 100"
        figures.append(compare("service", about, seconds, "ours", "empty", n=1, goal=Goal(10)))
        worst = 1000 * max(seconds["ours"])
        figures.append(
            counted(
                "service",
                f"{what}: the slowest of {ROUNDS}, in ms",
                round(worst, 1),
                n=ROUNDS,
                goal=f"≤ {LARGEST_P99_MS}",
                met=worst <= LARGEST_P99_MS,
                how="a count of ms, on this machine",
            )
        )
        if campaigns == 1:
            how = "resident memory, before and after" if each is not None else "not counted here"
            kept = None if each is None else round(each, 1)
            figures.append(
                counted("service", "kB for each follower", kept, n=FOLLOWERS, goal="-", met=None, how=how)
            )
    return [*figures, *first_visit()]


def first_visit() -> list[Figure]:
    """Counts what a phone is sent that comes to an evening of 285 events for the first time."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "chapel.retold")
        with retold.new(path) as campaign:
            campaign.play(EVENING.read_text("utf-8"))
        with serving(path, home=Path(folder, "home")) as service:
            phone = service.phone(PLAYER)
            page = phone.ask("", Accept="text/html").raw.decode()
            paths = ["", *LOADED.findall(page), "can", "proposals"]
            answers = [phone.ask(one, Accept="text/html", Accept_Encoding="gzip") for one in paths]
            stream = phone.follow(json.loads(BEGUN.findall(page)[0])["cursor"])
            stream.hear("board")
            stream.leave()
    sent = [sum(len(f"{name}: {value}\r\n") for name, value in one.headers.items()) for one in answers]
    kb = round((sum(sent) + sum(len(one.raw) for one in answers) + len(stream.raw)) / 1000, 1)
    requests = len(answers) + 1
    figures = (("kB", kb, MOST_KB), ("requests", requests, MOST_REQUESTS))
    return [
        counted(
            "service",
            f"{what} of a phone's first visit",
            number,
            n=1,
            goal=f"≤ {most}",
            met=number <= most,
            how="counted, with gzip",
        )
        for what, number, most in figures
    ]


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["ours", folder, campaigns]:
            serve_ours(Path(folder), int(campaigns))
        case ["empty", rooms]:
            serve_nothing(int(rooms))
        case _:
            show(run())
