"""R52: a node of a server is killed while lines are recorded through it and streams are read from it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Thread, Timer
from typing import Final
from unittest.mock import patch

import retold
from retold.cli.campaigns.settings import Settings
from retold.cli.service import endpoints
from retold.cli.service.network import LOOPBACK, NetworkAddress, bind_sockets
from retold.cli.service.running import server
from retold.cli.service.served_campaigns import open_campaigns
from retold.journal.store.contract.address import Address
from retold.journal.store.postgres.store import ServerCampaign
from tests.cli.service.conftest import SCRIPT
from tests.cli.service.phone import Phone
from tests.database_server import SERVICE, new_name
from tests.survival.attacks import Found
from tests.survival.nursery import Nursery, say
from tests.survival.servers import SAFE, attacked_server, is_whole
from tests.survival.serving import PLENTY

OK: Final = 200
LAST: Final = 900_000
"""The number of the line that ends the first round."""

NUMBER: Final = re.compile(r"number (\d{6})")

VIEWERS: Final = ("gm", "Jon")


def serve(home: str, protected: bool) -> None:
    """A child's life: it says its port, and serves every campaign of the server until it is killed."""
    patch.object(endpoints, "A_MINUTE", PLENTY).start()
    if not protected:  # answered, and never stored
        patch.object(ServerCampaign, "_commit", lambda _store, _act: None).start()
    served = open_campaigns([Address.read(f"{SERVICE}:")], Settings(Path(home), {}))
    place, sockets = bind_sockets(NetworkAddress(LOOPBACK, 0, ()))
    say(place.port)
    server(served, place, log=False).run(sockets=sockets)


class Node:
    """A computer that serves the campaigns of a server, and comes up again after it was killed."""

    def __init__(self, nursery: Nursery, home: Path, protected: bool) -> None:
        self._nursery, self._given = nursery, (home, protected)
        self._said: Iterator[str] = iter(())
        self._port = 0

    def start(self) -> None:
        """Starts it, with the folders it had."""
        self._said = self._nursery.begin(*self._given)
        self._port = int(next(self._said))

    def kill(self) -> None:
        """Ends it without a word."""
        self._nursery.kill()

    def wait(self) -> None:
        """Waits until it has ended."""
        list(self._said)

    def phone(self, campaign: str, secret: str) -> Phone:
        """A phone that asks this node."""
        return Phone(NetworkAddress(LOOPBACK, self._port, ()), campaign, secret)


class Evening:
    """A campaign on the server, with a game master, and Jon, whose lines are taken at once."""

    def __init__(self, home: Path) -> None:
        self.said = 0
        """How many lines were said, each with its number."""
        self._random = Random(52)
        self.name = new_name()
        self.address = f"{SERVICE}:{self.name}"
        with retold.new(self.address, title="The Salt Road", seed="for tests alone") as campaign:
            campaign.play(SCRIPT)
            campaign.say("option table.proposals=taken")
        campaigns = open_campaigns([Address.read(self.address)], Settings(home, {}))
        served = campaigns.served[self.name]
        self.links = {
            one: served.links.new(served.campaign.lasting(one), one, "2026-03-14") for one in VIEWERS
        }
        campaigns.end()

    def at(self, node: Node, viewer: str) -> Phone:
        """The phone of a viewer, at a node."""
        return node.phone(self.name, self.links[viewer])

    def is_taken(self, node: Node, number: int) -> bool:
        """Says a line of this number under its id, one in three as Jon; returns False if it is refused."""
        if number % 3:
            line = {"line": f"narrate gm: number {number:06}", "id": f"gm-number-{number}"}
            return self.at(node, "gm").ask("say", line).status == OK
        line = {"line": f"say Zel: number {number:06}", "id": f"jon-number-{number}"}
        answer = self.at(node, "Jon").ask("proposals", line)
        return answer.status == OK and answer.body["state"] == "taken"

    def say_until_killed(self, killed: Node, left: Node, found: Found) -> None:
        """Says lines at a node until it is killed, and the one that was not answered at the other."""
        killing = Timer(self._random.random() / 10, killed.kill)
        answered, most = 0, self._random.randrange(1, 12)
        try:
            while True:
                found.untrue += not self.is_taken(killed, self.said)
                found.acknowledged += 1
                self.said += 1
                answered += 1
                if answered == most:
                    killing.start()
        except (OSError, HTTPException):
            killing.join()
            killed.wait()
            found.untrue += not self.is_taken(left, self.said)
            self.said += 1

    def numbers(self) -> list[str]:
        """What was recorded, in order."""
        with retold.open(self.address, read_only=True) as campaign:
            return [number for one in campaign.happened() for number in NUMBER.findall(one.told)]


class Follower:
    """A viewer who reads the stream of a node, and of another with the last cursor once it breaks."""

    def __init__(self, evening: Evening, viewer: str, node: Node) -> None:
        self._evening, self._viewer = evening, viewer
        self._cursor: str | None = evening.at(node, viewer).ask("happened").body["cursor"]
        self.heard: list[str] = []

    def follow(self, nodes: Sequence[Node], last: int) -> None:
        """Reads until a number is heard, or the last stream ends."""
        for node in nodes:
            with suppress(OSError, HTTPException):
                stream = self._evening.at(node, self._viewer).follow(self._cursor)
                for one in stream:
                    if one.event == "happened":
                        self.heard += [
                            number for event in one.data["events"] for number in NUMBER.findall(event["told"])
                        ]
                        self._cursor = one.id or self._cursor
                    if f"{last:06}" in self.heard[-1:]:
                        stream.leave()
                        return


def kill_a_node(folder: Path, rounds: int, protected: bool) -> Found:
    """R52: so many times one of two nodes is killed; lines and streams go on at the other.

    A line that was not answered is said once more there, under its id. In the control nobody follows.
    """
    found = Found()
    with attacked_server(SAFE), ExitStack() as open_:
        evening = Evening(folder / "home")
        nodes = [
            Node(open_.enter_context(Nursery(serve)), folder / name, protected) for name in ("one", "other")
        ]
        for node in nodes:
            node.start()
        followers = [Follower(evening, viewer, nodes[0]) for viewer in VIEWERS if protected]
        for _ in range(rounds):
            killed, left = nodes
            ways = ([killed, left], [left])
            threads = [
                Thread(target=follower.follow, args=(way, LAST + found.tried))
                for follower, way in zip(followers, ways, strict=False)
            ]
            for thread in threads:
                thread.start()
            evening.say_until_killed(killed, left, found)
            found.untrue += not evening.is_taken(left, LAST + found.tried)
            for thread in threads:
                thread.join()
            killed.start()
            nodes.reverse()
            followers.reverse()
            found.tried += 1
        for node in nodes:
            node.kill()
            node.wait()
        there = evening.numbers()
        said = [f"{number:06}" for number in (*range(evening.said), *range(LAST, LAST + rounds))]
        found.lost += len(set(said) - set(there))
        found.untrue += len(there) - len(set(there))
        found.untrue += sum(follower.heard != there for follower in followers)
        found.damaged += not is_whole(evening.address)
    return found
