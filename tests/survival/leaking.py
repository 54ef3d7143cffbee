"""R49: a server's log, its connections and the list of processes are searched for words and passwords."""

from __future__ import annotations

import os
import subprocess
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Final
from unittest.mock import patch

from retold.journal.store import places
from retold.journal.store.contract.event_store import Row
from retold.journal.store.postgres import roles
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import Cluster
from tests.journal.store.played import campaign
from tests.survival.attacks import Found
from tests.survival.saying import say
from tests.survival.servers import SAFE, attacked_server

PASSWORD: Final = "pw-Nebelkrähe-4711"
WORD: Final = "Quellwasser-zu-Mitternacht"
SEED: Final = "seed-of-the-salt-road-0815"

SETTINGS: Final = {
    **SAFE,
    "log_connections": "on",
    "log_disconnections": "on",
    "log_error_verbosity": "verbose",
    "log_lock_waits": "on",
    "log_duration": "on",
}
"""A server that logs much, and no statements."""


REFUSALS: Final = (
    "violates check constraint",
    "duplicate key value",
    "password authentication failed",
)
"""What the server's log has of the acts that failed."""


def look_for_secrets(folder: Path, rounds: int, protected: bool) -> Found:
    """R49: so many rounds of acts and failures; then what others see is searched for words and passwords."""
    found, seen = Found(), list[str]()
    with attacked_server({**SETTINGS, **({} if protected else {"log_statement": "all"})}) as server:
        address = _with_password(server.cluster)
        with patch.dict(os.environ, {"PGPASSWORD": PASSWORD}), _watched(server.cluster, seen):
            for number in range(rounds):
                seen += _acts(folder, address, number)
                found.tried += 1
        with patch.dict(os.environ, {"PGPASSWORD": f"{PASSWORD}-wrong"}):
            seen += _failing(lambda: places.opened(address).close())
            refused = say(folder, "-c", address, "note", ":", WORD)
            seen += [refused.err, refused.out.decode()]
        log = (server.cluster.folder / "log").read_text("utf-8", "replace")
        seen.append(log)
        found.untrue += any(part not in log for part in REFUSALS)  # else nothing was tried
        found.tried += len(seen)
        found.untrue += sum(secret in text for text in seen for secret in (PASSWORD, WORD, SEED))
    return found


def _with_password(cluster: Cluster) -> str:
    """The address of a campaign as an account that needs a password."""
    owner = cluster.address("salt-road")
    campaign(str(owner), seed=SEED.encode()).close()
    with cluster.as_superuser() as connection:
        connection.execute("CREATE ROLE mary LOGIN")
        # As a hash, made here: a password in a statement would be in the log of any server.
        made = connection.pgconn.encrypt_password(PASSWORD.encode(), b"mary", b"scram-sha-256")
        connection.execute(f"ALTER ROLE mary PASSWORD '{made.decode()}'".encode())
        hba = cluster.folder / "data" / "pg_hba.conf"
        hba.write_text(f"local all mary scram-sha-256\n{hba.read_text()}")
        connection.execute("SELECT pg_reload_conf()")
    roles.let(owner, "mary", writes=True)
    return str(cluster.address("salt-road", "mary"))


@contextmanager
def _watched(cluster: Cluster, seen: list[str]) -> Iterator[None]:
    """Context manager: collects the server's list of connections and the list of processes meanwhile."""
    ended = Event()

    def look() -> None:
        with cluster.as_superuser() as connection:
            while not ended.is_set():
                seen.extend(map(str, connection.execute("SELECT * FROM pg_stat_activity").fetchall()))
                seen.append(subprocess.check_output(["ps", "axww", "-o", "args"], text=True))
                ended.wait(0.02)

    thread = Thread(target=look)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _acts(place: Path, address: str, number: int) -> list[str]:
    """Acts with the word, and acts that fail at the server; returns what was told of the failures."""
    with CampaignStore.open(address) as camp:
        camp.writer(1).record(c.Note(text=Words(f"{WORD} {number}")))
        last = camp.record.head(1)
        twice = Row(1, last.position, "table.noted", "{}", f'["{WORD}"]', b"x" * 32)
        wrong = Row(1, 0, "table.noted", "{}", f'["{WORD}"]', b"x")
        told = _failing(lambda: _append(camp, twice)) + _failing(lambda: _append(camp, wrong))
    with patch.dict(os.environ, {"RETOLD_DEBUG": "1"}):
        for words in (("note", ":", WORD), ("nonsense", WORD), ("redact", "--word", WORD)):
            told.append(say(place, "-c", address, *words).err.replace(f"nonsense {WORD}", ""))
    return told


def _append(camp: CampaignStore, row: Row) -> None:
    with camp.record.store.writing():
        camp.record.store.append([row])


def _failing(what: Callable[[], None]) -> list[str]:
    """What is told of a failure: its sentence, and the whole traceback."""
    try:
        what()
    except Exception as error:  # noqa: BLE001 -- whatever it is, it is searched
        return [str(error), "".join(traceback.format_exception(error))]
    return []
