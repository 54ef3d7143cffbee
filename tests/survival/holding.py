"""R45, R46 and R47: a lock that is held, a disk of the server that is full, and two releases side by side."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from threading import Thread
from typing import Final
from unittest.mock import patch
from urllib.parse import quote

from retold.journal.store import places
from retold.journal.store.contract.errors import CannotWrite, StoreError
from retold.journal.store.postgres import finding, roles, schema
from retold.journal.store.postgres.store import ServerCampaign
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import DATABASE, ORGANISER, new_name
from tests.journal.store.played import notes, played
from tests.survival.attacks import Found, NotRun
from tests.survival.servers import attacked_server, is_whole, outcome, quick_connections, stored
from tests.wire import Wire


def hold_the_lock(folder: Path, rounds: int, protected: bool) -> Found:
    """R45: so many times somebody goes silent with the lock in hand; the next one is let in."""
    found = Found()
    with attacked_server() as attacked, ExitStack() as open_:
        open_.enter_context(
            quick_connections({} if protected else {"idle_in_transaction_session_timeout": "0"})
        )
        address = attacked.cluster.address(new_name())
        direct = open_.enter_context(played(str(address)))
        there = Path(open_.enter_context(tempfile.TemporaryDirectory(prefix="retold-wire-")))
        wire = open_.enter_context(Wire(there, attacked.cluster.folder))
        host = quote(str(there), safe="")
        for number in range(rounds):
            with CampaignStore.open(
                f"postgresql://{ORGANISER}@{host}/{DATABASE}/{address.campaign}"
            ) as silent:
                _go_silent(direct, silent, wire, number, found)
        found.damaged += not is_whole(address)
    return found


def _go_silent(direct: CampaignStore, silent: CampaignStore, wire: Wire, number: int, found: Found) -> None:
    ends: list[BaseException | None] = []
    store = silent.record.store
    assert isinstance(store, ServerCampaign)
    commit = store._commit

    def go_silent(act: object) -> None:
        wire.cut_after("up", number * 7 % 150, "silent")
        commit(act)  # type: ignore[arg-type]

    def live() -> None:
        with patch.object(store, "_commit", go_silent):
            try:
                notes(silent.writer(1), f"silent {number}")
                ends.append(None)
            except StoreError as error:
                ends.append(error)

    before = direct.record.store.size()
    thread = Thread(target=live)
    thread.start()
    while not wire.is_broken or not wire.held:  # the lock is in hand
        thread.join(0.01)
    try:
        notes(direct.writer(1), f"the next {number}")
        found.acknowledged += 1
    except CannotWrite:
        found.untrue += 1  # nobody let it in
    wire.mend()
    thread.join()
    found.tried += 1
    came = direct.record.store.size() - before - 1
    found.untrue += outcome(ends[0]) != ("recorded" if came else "not recorded")


@contextmanager
def _small_disk(folder: Path) -> Iterator[Path]:
    """Context manager: a disk of a few megabytes; raises NotRun where none can be made."""
    if os.name == "nt" or os.getuid():
        raise NotRun("a small disk is mounted by root")
    folder.mkdir()
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", folder], capture_output=True, check=False
    )
    if made.returncode:
        raise NotRun(f"no small disk can be mounted here ({made.stderr.decode().strip()})")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", folder], check=False)


def fill_the_disk(folder: Path, rounds: int, protected: bool) -> Found:
    """R46: so many acts with large texts on a server whose disk is full for tables, and then is not."""
    found = Found()
    with attacked_server() as attacked, _small_disk(attacked.cluster.folder / "small") as small:
        shutil.chown(small, "postgres")
        address = attacked.cluster.address(new_name())
        with played(str(address)) as camp:
            with attacked.cluster.as_superuser() as connection:
                connection.execute(f"CREATE TABLESPACE small LOCATION '{small}'".encode())
                for table in ("event", "campaign"):
                    connection.execute(f"ALTER TABLE retold.{table} SET TABLESPACE small".encode())
            filler = small / "filler"
            filler.write_bytes(b"x" * (shutil.disk_usage(small).free - 200_000))
            writer, random = camp.writer(1), Random(46).randbytes  # nothing that a server makes smaller
            for number in range(rounds):
                text = f"{number} {random(30_000).hex()}"
                before, error = camp.record.store.size(), None
                try:
                    writer.record(c.Note(text=Words(text)))
                except StoreError as refused:
                    error = refused
                said = outcome(error) if protected else "recorded"
                came = camp.record.store.size() - before
                found.tried += 1
                found.acknowledged += said == "recorded"
                found.lost += said == "recorded" and not came
                found.untrue += said != ("recorded" if came else "not recorded")
                found.untrue += error is not None and "The disk of" not in str(error).replace(
                    "the disk", "The disk"
                )
            filler.unlink()
            notes(writer, "and on")
        found.damaged += not is_whole(address)
    return found


OLDER: Final = schema.VERSION


def run_two_releases(folder: Path, rounds: int, protected: bool) -> Found:
    """R47: the tables are brought to a later version while an older release records, so many times."""
    found = Found()
    with attacked_server() as attacked:
        for number in range(rounds):
            address = attacked.cluster.address(new_name())
            with attacked.cluster.as_superuser() as connection:
                connection.execute("UPDATE retold.meta SET version = %s", (OLDER,))
            with played(str(address)) as older:
                writer = older.writer(1)
                notes(writer, "by the older release")
                with patch.object(schema, "VERSION", OLDER + 1):
                    found.untrue += not _says(
                        str(address), f"are of version {OLDER}, and this Retold writes {OLDER + 1}"
                    )
                    roles.prepare(address)
                    with CampaignStore.open(str(address)) as newer:
                        notes(writer, f"by the older one, beside the newer {number}")
                        notes(newer.writer(1), "by the newer one")
                notes(writer, "by the older one again")
                found.acknowledged += 4
            off = patch.object(finding, "check_version", lambda *_: None)
            with ExitStack() as control:
                if not protected:  # the version is not looked at
                    control.enter_context(off)
                found.untrue += not _says(str(address), f"are of version {OLDER + 1}: take a later Retold")
            found.tried += 1
            with patch.object(schema, "VERSION", OLDER + 1):
                kept = stored(address)
                found.lost += 4 - sum("by the" in (row.words or "") for row in kept)
                found.damaged += not is_whole(address)
    return found


def _says(address: str, words: str) -> bool:
    """Whether a campaign is not opened, with a sentence of these words."""
    try:
        places.opened(address).close()
    except StoreError as error:
        return words in str(error)
    return False
