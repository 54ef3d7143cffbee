"""R44: a standby that lacks the last acts takes over from a server."""

from __future__ import annotations

import os
import re
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final
from unittest.mock import patch

from retold.journal.store.contract.errors import EndMissing
from retold.journal.store.disk.last_seen import LastSeen
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from tests import database_server
from tests.database_server import Cluster
from tests.journal.store.played import notes
from tests.survival.attacks import Found, rows
from tests.survival.saying import say
from tests.survival.servers import SAFE, Attacked, attacked_server, is_whole, stored

TAIL: Final = 3
"""So many acts the standby lacks."""

LACKS: Final = "lacks what was recorded last on this computer, up to"


def take_over(folder: Path, rounds: int, protected: bool) -> Found:
    """R44: so many times a standby without its tail takes over; what is missing is told with its receipt."""
    found = Found()
    for number in range(rounds):
        place = folder / str(number)
        place.mkdir()
        with (
            attacked_server(SAFE) as server,
            _standby(server) as standby,
            patch.dict(os.environ, {"RETOLD_HOME": str(place / "home")}),
        ):
            _lose_the_tail(server, standby, place, protected, found)
    return found


@contextmanager
def _standby(server: Attacked) -> Iterator[Cluster]:
    """Context manager: a server that follows the other one, in a folder of its own."""
    first = server.cluster
    folder = Path(tempfile.mkdtemp(prefix="retold-pg-"))
    folder.chmod(0o755)
    if owner := database_server._owner():
        shutil.chown(folder, owner)
    data = folder / "data"
    database_server._run(
        [
            first.binaries / "pg_basebackup",
            "-h",
            first.folder,
            "-U",
            "postgres",
            "-D",
            data,
            "-R",
            "-c",
            "fast",
        ]
    )
    with (data / "postgresql.conf").open("a") as config:
        config.write(f"unix_socket_directories = '{folder}'\n")
    cluster = database_server._start(first.binaries, folder, first.port)
    try:
        yield cluster
    finally:
        database_server.stop(cluster.process, folder)
        shutil.rmtree(folder, ignore_errors=True)


def _lose_the_tail(server: Attacked, standby: Cluster, place: Path, protected: bool, found: Found) -> None:
    said = [say(place, "new", "club:salt-road", "--title", "The Salt Road")]
    said += [say(place, "-c", "club:salt-road", "note", ":", text) for text in ("one", "two")]
    with CampaignStore.open("club:salt-road") as open_all_along:
        writer = open_all_along.writer(1)
        _part(server.cluster, standby)
        said += [say(place, "-c", "club:salt-road", "note", ":", f"lost {number}") for number in range(TAIL)]
        receipt = say(place, "-c", "club:salt-road", "head").out.decode()
        said.append(say(place, "copy", "club:salt-road", "kept.retold"))
        writer.catch_up()
        found.acknowledged += TAIL
        found.untrue += sum(one.code != 0 for one in said)

        database_server.stop(server.cluster.process, server.cluster.folder, signal.SIGQUIT)
        with standby.as_superuser("postgres") as connection:
            connection.execute("SELECT pg_promote()")
        services = server.cluster.services
        services.write_text(services.read_text().replace(str(server.cluster.folder), str(standby.folder)))
        found.tried += 1
        before = len(stored("club:salt-road"))

        with ExitStack() as off:
            if not protected:  # no receipt is kept
                off.enter_context(patch.object(LastSeen, "missed", lambda _: None))
            _is_told(place, receipt, before, found)
        if protected:
            _goes_on(writer, found)
    found.damaged += not is_whole("club:salt-road")
    if protected:
        _comes_back(place, found)


def _part(first: Cluster, standby: Cluster) -> None:
    """Waits until the standby has everything, and lets it follow no longer."""
    with first.as_superuser() as there, standby.as_superuser() as here:
        lsn = there.execute("SELECT pg_current_wal_lsn()").fetchone()
        while here.execute("SELECT pg_last_wal_replay_lsn() >= %s::pg_lsn", lsn).fetchone() != (True,):
            time.sleep(0.02)
        here.execute("ALTER SYSTEM SET primary_conninfo = ''")
        here.execute("SELECT pg_reload_conf()")
        while here.execute("SELECT count(*) FROM pg_stat_wal_receiver").fetchone() != (0,):
            time.sleep(0.02)


def _is_told(place: Path, receipt: str, before: int, found: Found) -> None:
    """Whether nothing is recorded before the missing end was told with its receipt, and reading goes on."""
    noted = say(place, "-c", "club:salt-road", "note", ":", "over the gap")
    told = re.search(rf"{LACKS} \d+ \(receipt (\d+:\d+:[0-9a-f]+)\)", noted.err)
    found.untrue += noted.code == 0 or told is None or told[1] not in receipt.replace(" ", ":")
    found.untrue += len(stored("club:salt-road")) != before
    found.untrue += say(place, "-c", "club:salt-road", "log").code != 0
    doctor = say(place, "-c", "club:salt-road", "doctor").out.decode()
    found.untrue += LACKS not in doctor or "No standby is waited for" not in doctor


def _goes_on(writer: LineWriter, found: Found) -> None:
    """A program that had it open all along records nothing after a gap."""
    before = writer.campaign.record.store.size()
    with suppress(EndMissing):
        notes(writer, "by a program that had it open")
        found.untrue += 1
    found.untrue += writer.campaign.record.store.size() != before


def _comes_back(place: Path, found: Found) -> None:
    """The copy that has the acts brings them back."""
    found.untrue += say(place, "-c", "kept.retold", "sync", "club:salt-road").code != 0
    kept = [row.hash for row in rows(place / "kept.retold")]
    found.lost += len(set(kept) - {row.hash for row in stored("club:salt-road")})
    found.untrue += say(place, "-c", "club:salt-road", "note", ":", "and on").code != 0
