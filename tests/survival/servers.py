"""The database server that is attacked, and what a campaign there holds after an attack."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final
from unittest.mock import patch

from retold.journal.store import places
from retold.journal.store.contract.errors import CannotWrite, Doubtful, OutcomeUnknown, StoreError
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.codec import decode
from retold.journal.store.events.record import Record
from retold.journal.store.postgres import attachments, server
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from tests import database_server
from tests.database_server import Cluster, NoServer
from tests.survival.attacks import NotRun

SAFE = {"fsync": "on", "full_page_writes": "on", "wal_level": "replica"}
"""Settings of a server that keeps what it acknowledges."""

QUICK = {"lock_timeout": "4s", "idle_in_transaction_session_timeout": "400ms"}
"""Settings of each connection, so that an attack need not wait 15 seconds."""


class Attacked:
    """A server of an attack's own, in a folder of its own."""

    def __init__(self, folder: Path, settings: Mapping[str, str] | None = None) -> None:
        try:
            self.cluster: Cluster = database_server.make(folder, settings)
        except NoServer as reason:
            raise NotRun(str(reason)) from None
        self.killed = 0
        """How many of its processes were ended."""

    def stop_at_once(self) -> None:
        """Stops it as a power cut does, and starts it again."""
        self.cluster = self.cluster.restart(signal.SIGQUIT)


@contextmanager
def attacked_server(settings: Mapping[str, str] | None = None) -> Iterator[Attacked]:
    """Context manager: a server with the tables of Retold, named `club` by the service file."""
    folder = Path(tempfile.mkdtemp(prefix="retold-pg-"))
    made: Attacked | None = None
    try:
        made = Attacked(folder, settings)
        database_server.furnish(made.cluster)
        with (
            patch.dict(os.environ, {"PGSERVICEFILE": str(made.cluster.services)}),
            # This process may be connected to another server of that name, which a test asked before.
            patch.dict(attachments._SERVERS, clear=True),
            patch.dict(server._SERVERS, clear=True),
        ):
            yield made
    finally:
        if made is not None:
            database_server.stop(made.cluster.process, made.cluster.folder)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def quick_connections(other: Mapping[str, str] | None = None) -> Iterator[None]:
    """Context manager: new connections wait less long for a lock and for their client, or as `other` says."""
    text = server._SET_UP
    for name, value in {**QUICK, **(other or {})}.items():
        text = re.sub(rf"set_config\('{name}', '[^']*'", f"set_config('{name}', '{value}'", text)
    with patch.object(server, "_SET_UP", text):
        yield


def stored(address: object) -> list[Row]:
    """Every event of a campaign on a server, by a connection of its own."""
    with closing(places.opened(str(address), read_only=True)) as store:
        return list(Record(store).everything())


def is_whole(address: object) -> bool:
    """Whether `verify` finds nothing, and nothing is wrong with the server's tables."""
    with CampaignStore.open(str(address), read_only=True) as camp:
        faults = list(camp.record.store.storage_faults())
        return verify(camp.record).whole and not faults and _acts_are_whole(camp.record)


def _acts_are_whole(record: Record) -> bool:
    acts: dict[tuple[int, str], list[int]] = {}
    for row in record.everything():
        envelope = decode(row).envelope
        acts.setdefault((row.line, envelope.act), []).append(envelope.n)
    return all(len(numbers) == numbers[0] for numbers in acts.values())


_OUTCOMES: Final[tuple[tuple[type[StoreError], str, str], ...]] = (
    (Doubtful, "The next sync does the rest", "unknown"),
    (CannotWrite, "the next sync does the rest", "partly"),
    (OutcomeUnknown, "cannot be asked yet whether it was recorded", "unknown"),
    (Doubtful, r"but it is recorded, at \d+: do not say it again\.", "recorded"),
    (CannotWrite, "^Nothing was recorded", "not recorded"),
    (StoreError, r" cannot be (read: |reached \()", "unread"),
)
"""An error, what its sentence says, and what that means for an act."""


def outcome(error: BaseException | None) -> str:
    """Returns what a sentence says became of an act.

    One of recorded, not recorded, partly, unknown, unread and unforeseen.
    """
    if error is None:
        return "recorded"
    means = (
        meant for kind, said, meant in _OUTCOMES if isinstance(error, kind) and re.search(said, str(error))
    )
    return next(means, "unforeseen")
