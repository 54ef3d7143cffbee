"""R31 and R43: a server that is stopped at once, and its processes killed one by one, under eight writers."""

from __future__ import annotations

import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, Final
from unittest.mock import patch

import psycopg

from retold.journal.store.contract.errors import StoreError
from retold.journal.store.postgres.store import ServerCampaign
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import new_name
from tests.journal.store.played import played
from tests.survival.attacks import Found
from tests.survival.nursery import Nursery, say
from tests.survival.servers import SAFE, Attacked, attacked_server, is_whole, outcome, stored

WRITERS: Final = 8
CAMPAIGNS: Final = 4
"""Two writers each."""

PATIENCE: Final = 120.0
"""Seconds in which a writer goes on again."""

KILLED_EVERY: Final = 8
"""One in so many processes is killed without a word, and PostgreSQL then ends all others."""


def live(address: str, name: str, stop: str, protected: bool) -> None:
    """A child's life: records until the file `stop` is there, and says what it was told of each act."""
    text = f"{name} 000000"
    if not protected:  # answers before COMMIT
        commit = ServerCampaign._commit

        def answer_and_commit(store: ServerCampaign, act: Any) -> None:  # noqa: ANN401 -- a private class
            say(f"recorded {text}")
            commit(store, act)

        patch.object(ServerCampaign, "_commit", answer_and_commit).start()
    numbers = count(1)
    while not Path(stop).exists():
        try:
            with CampaignStore.open(address) as camp:
                writer = camp.writer(1)
                while not Path(stop).exists():
                    text = f"{name} {next(numbers):06}"
                    writer.record(c.Note(text=Words(text)))
                    say(f"recorded {text}")
        except StoreError as error:
            said = outcome(error)
            time.sleep(0.02)
            say(f"{said} {text}: {error}")


def stop_the_server(folder: Path, rounds: int, protected: bool) -> Found:
    """R31: the server is stopped at once so many times."""
    with attacked_server(SAFE) as server:
        return _attacked(server, folder, rounds, protected, stop_at_once)


def stop_at_once(server: Attacked) -> None:
    """Stops the server as a power cut does, and starts it again."""
    server.stop_at_once()


def kill_a_process(server: Attacked) -> None:
    """Ends one connection's process as an administrator does; now and then one is killed."""
    with suppress(psycopg.OperationalError), server.cluster.as_superuser() as connection:
        found = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE usename = 'organiser' ORDER BY random() LIMIT 1"
        ).fetchone()
        if found is None:
            return
        server.killed += 1
        if server.killed % KILLED_EVERY:
            connection.execute("SELECT pg_terminate_backend(%s)", found)
        else:
            os.kill(int(str(found[0])), signal.SIGKILL)


def kill_processes(folder: Path, rounds: int, protected: bool) -> Found:
    """R43: so many processes of the server are ended, each in the middle of its work."""
    with attacked_server(SAFE) as server:
        return _attacked(server, folder, rounds, protected, kill_a_process)


def _attacked(
    server: Attacked, folder: Path, rounds: int, protected: bool, attack: Callable[[Attacked], None]
) -> Found:
    """Eight processes record while the server is attacked so many times, each time after some more acts."""
    addresses = [str(server.cluster.address(new_name())) for _ in range(CAMPAIGNS)]
    for address in addresses:
        played(address).close()
    stop, found, told = folder / "stop", Found(), list[str]()
    with ExitStack() as open_:
        threads = []
        for number in range(WRITERS):
            nursery = open_.enter_context(Nursery(live))
            given = (addresses[number % CAMPAIGNS], f"w{number}", str(stop), protected)
            threads.append(
                Thread(target=lambda nursery=nursery, given=given: told.extend(nursery.begin(*given)))
            )
            threads[-1].start()
        try:
            for _ in range(rounds):
                _wait_for_acts(told)
                attack(server)
                found.tried += 1
            _wait_for_acts(told)
        finally:
            stop.touch()
            for thread in threads:
                thread.join()
    _judge(told, [row.words or "" for address in addresses for row in stored(address)], found)
    found.damaged += sum(not is_whole(address) for address in addresses)
    return found


def _wait_for_acts(told: list[str]) -> None:
    """Waits until some more acts are acknowledged."""
    until, before = time.monotonic() + PATIENCE, len(told)
    while sum(line.startswith("recorded") for line in told[before:]) < WRITERS:
        if time.monotonic() > until:
            raise RuntimeError(f"nobody records any more; told last: {told[-3:]}")
        time.sleep(0.01)


def _judge(told: list[str], there: list[str], found: Found) -> None:
    """Compares what was told of each act, at first, with what is there."""
    counts = Counter(text for words in there for text in re.findall(r"w\d \d{6}", words))
    answers: dict[str, str] = {}
    for line in told:
        match = re.fullmatch(r"(.*?) (w\d \d{6})(:.*)?", line)
        if match is None:  # a traceback, perhaps
            found.untrue += 1
            continue
        answers.setdefault(match[2], match[1])
    for text, answer in answers.items():
        found.acknowledged += answer == "recorded"
        found.lost += answer == "recorded" and not counts[text]
        found.untrue += answer == "unforeseen" or counts[text] > 1
        found.untrue += answer in ("not recorded", "unread") and counts[text] > 0
    found.untrue += len(counts.keys() - answers.keys())
