"""The service: killed while acts are said to it, followed by somebody who is cut off, told the same twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException
from itertools import count
from pathlib import Path
from random import Random
from sqlite3 import Connection
from threading import Thread, Timer
from unittest.mock import patch

import retold
from retold.cli.campaigns.settings import Settings
from retold.cli.service import endpoints
from retold.cli.service.network import LOOPBACK, NetworkAddress, bind_sockets
from retold.cli.service.running import server
from retold.cli.service.served_campaigns import open_campaigns
from retold.journal.store.contract.address import Address
from retold.journal.store.sqlite import file
from tests.cli.service.conftest import SCRIPT
from tests.cli.service.phone import Phone, Serving, serving
from tests.survival.attacks import Found, whole
from tests.survival.nursery import Nursery, say

EYES = ("gm", "Jon")
PLENTY = 10**9
"""So many requests a minute: an attack is not held back."""


def _evening(folder: Path) -> Path:
    path = folder / "Salt Road.retold"
    with retold.new(path, title="The Salt Road", seed="for tests alone") as campaign:
        campaign.play(SCRIPT)
        campaign.say("option table.proposals=taken")
    return path


def _told(path: Path) -> list[str]:
    """The texts that were narrated."""
    with retold.open(path, read_only=True) as campaign:
        return [one.told for one in campaign.happened()]


# --- killed -------------------------------------------------------------------------------------------------


def serve(path: str, home: str, protected: bool) -> None:
    """A child's life: it says where it is and how to come in, and answers until it is killed."""
    patch.object(endpoints, "A_MINUTE", PLENTY).start()
    if not protected:
        patch.object(file, "transaction", _never_kept).start()
    shelf = open_campaigns([Address.of_file(Path(path))], Settings(Path(home), {}))
    place, sockets = bind_sockets(NetworkAddress(LOOPBACK, 0, ()))
    (served,) = shelf.served.values()
    links = [served.links.new(served.campaign.lasting(one), one, "2026-03-14") for one in EYES]
    shelf.read_links()
    say(json.dumps([place.port, served.slug, *links]))
    server(shelf, place, log=False).run(sockets=sockets)


@contextmanager
def _never_kept(connection: Connection) -> Iterator[None]:
    """The control: what is acknowledged is only on its way."""
    if not connection.in_transaction:
        connection.execute("BEGIN IMMEDIATE")
    yield


def kill_the_service(folder: Path, rounds: int, protected: bool) -> Found:
    """So many acts are said over HTTP while it is killed again and again; none that was answered is lost.

    What was not answered is said once more under its id, as a phone would.
    """
    path, found, random = _evening(folder), Found(), Random(37)
    numbers = count()
    number = next(numbers)
    with Nursery(serve) as nursery:
        while found.tried < rounds:
            said = nursery.begin(path, folder / "home", protected)
            port, slug, gm, _ = json.loads(next(said))
            phone = Phone(NetworkAddress(LOOPBACK, port, ()), slug, gm)
            killing = Timer(random.random() / 5, nursery.kill)
            with suppress(OSError, HTTPException):
                while True:
                    line = {"line": f"narrate gm: number {number:06}", "id": f"say-number-{number}"}
                    found.untrue += phone.ask("say", line).status != 200
                    found.acknowledged += 1
                    number = next(numbers)
                    if killing.ident is None:
                        killing.start()
            killing.join()
            list(said)
            found.tried += 1
    told = "\n".join(_told(path))
    found.lost += sum(f"number {one:06}" not in told for one in range(number))
    found.untrue += sum(told.count(f"number {one:06}") > 1 for one in range(number + 1))
    found.damaged += not whole(path)
    return found


# --- cut off ------------------------------------------------------------------------------------------------


def cut_the_line(folder: Path, rounds: int, protected: bool) -> Found:
    """Somebody follows so many events, is cut off again and again, and comes back with the last they have."""
    path, found, random = _evening(folder), Found(), Random(38)
    with patch.object(endpoints, "A_MINUTE", PLENTY), serving(path, home=folder / "home") as service:
        gm, jon = service.phone("gm"), service.phone("Jon")
        before = jon.ask("happened").body
        cursor: str | None = before["cursor"]
        heard: list[str] = []
        saying = Thread(target=_say_all, args=(gm, rounds))
        saying.start()
        while len(heard) < rounds:
            last = _heard(jon, cursor, heard, random, rounds)
            cursor = last if protected else cursor
            found.tried += 1
        saying.join()
    told = [one for one in _told(path) if "number " in one]
    found.acknowledged += len(told)
    found.lost += len([one for one in told if one not in heard])
    found.untrue += heard != told[: len(heard)]
    return found


def _say_all(gm: Phone, rounds: int) -> None:
    for number in range(rounds):
        gm.ask("say", {"line": f"narrate gm: number {number:06}", "id": f"say-number-{number}"})


def _heard(jon: Phone, cursor: str | None, heard: list[str], random: Random, most: int) -> str | None:
    """What comes until the line is cut, after some messages and in the middle of one; the last cursor."""
    stream = jon.follow(cursor)
    patience = random.randrange(1, 6)
    for one in stream:
        if one.event == "happened":
            heard += [event["told"] for event in one.data["events"]]
            cursor = one.id or cursor
            patience -= 1
        if not patience or len(heard) >= most:
            break
    stream.leave()
    return cursor


# --- twice --------------------------------------------------------------------------------------------------


def hand_in_twice(folder: Path, rounds: int, protected: bool) -> Found:
    """So many lines are handed in twice at once, and once more to a service that was started anew."""
    path, found = _evening(folder), Found()
    with patch.object(endpoints, "A_MINUTE", PLENTY):
        with serving(path, home=folder / "home") as service:
            for number in range(rounds):
                _at_once(service, number, protected)
                found.tried += 1
        with serving(path, home=folder / "home") as service:
            for number in range(rounds):
                _hand_in(service.phone("Jon"), number, "" if protected else "-again", found)
    told = "\n".join(_told(path))
    found.lost += sum(f"number {number:06}" not in told for number in range(rounds))
    found.untrue += sum(told.count(f"number {number:06}") > 1 for number in range(rounds))
    return found


def _at_once(service: Serving, number: int, protected: bool) -> None:
    found = Found()
    jon = service.phone("Jon")
    again = "" if protected else "-twice"
    both = [Thread(target=_hand_in, args=(jon, number, one, found)) for one in ("", again)]
    for one in both:
        one.start()
    for one in both:
        one.join()


def _hand_in(jon: Phone, number: int, more: str, found: Found) -> None:
    line = {"line": f"say Zel: number {number:06}", "id": f"jon-number-{number}{more}"}
    found.acknowledged += jon.ask("proposals", line).status == 200
