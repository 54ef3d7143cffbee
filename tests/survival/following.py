"""R32 and R50: what a server keeps is what a file keeps, and a follower of eight writers misses nothing."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Final
from uuid import UUID

from retold.journal.store import places
from retold.journal.store.copies.dump import dump
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import DATABASE, ORGANISER, Cluster, new_name
from tests.journal.store.played import campaign, evening, notes, play, played
from tests.survival.attacks import Found, NotRun
from tests.survival.servers import SAFE, attacked_server, is_whole

WRITERS: Final = 8

CONTROL_ACTS: Final = 1000
"""Acts of each writer in the control, which misses one event in some hundreds."""


def follow_at_once(_folder: Path, rounds: int, protected: bool) -> Found:
    """R50: eight threads record so many acts each, while somebody reads what is new by its number."""
    found = Found()
    with attacked_server(SAFE) as server:
        address = str(server.cluster.address(new_name()))
        played(address).close()
        if protected:
            with closing(places.opened(address, read_only=True)) as store:
                seen = _followed(
                    lambda writer: _record(address, writer, rounds),
                    lambda after: [number for number, _ in store.log(after)],
                )
                there = [number for number, _ in store.log()]
            found.damaged += not is_whole(address)
        else:
            seen, there = _followed_in_the_library(server.cluster, max(rounds, CONTROL_ACTS))
    found.tried = found.acknowledged = len(there)
    found.lost = len(set(there) - set(seen))
    found.untrue = len(seen) - len(set(seen))
    return found


def _followed(record: Callable[[int], None], new: Callable[[int], list[int]]) -> list[int]:
    """The numbers that a follower was given while eight threads recorded, each after the last it had."""
    seen, ended = [0], Event()

    def follow() -> None:
        while True:
            is_last = ended.is_set()
            found = new(seen[-1])
            seen.extend(found)
            if is_last and not found:
                return

    follower = Thread(target=follow)
    threads = [Thread(target=record, args=(number,)) for number in range(WRITERS)]
    for thread in (follower, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    ended.set()
    follower.join()
    return seen[1:]


def _record(address: str, number: int, acts: int) -> None:
    with CampaignStore.open(address) as camp:
        notes(camp.writer(1), *(f"w{number} {act}" for act in range(acts)))


def _followed_in_the_library(cluster: Cluster, acts: int) -> tuple[list[int], list[int]]:
    """The control: the event-sourcing library's function in the database, which numbers before it commits."""
    if find_spec("psycopg_pool") is None:
        raise NotRun("its control needs psycopg-pool")
    from eventsourcing.persistence import StoredEvent  # noqa: PLC0415 -- it may not be there
    from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore  # noqa: PLC0415 -- as above

    with PostgresDatastore(
        DATABASE,
        str(cluster.folder),
        str(cluster.port),
        ORGANISER,
        "",
        enable_db_functions=True,
        pool_size=16,
    ) as datastore:
        with cluster.as_superuser() as connection:
            connection.execute(f"GRANT CREATE ON SCHEMA public TO {ORGANISER}".encode())
        recorder = PostgresApplicationRecorder(datastore, events_table_name="followed")
        recorder.create_table()

        def record(number: int) -> None:
            originator = UUID(int=number + 1)
            for version in range(acts):
                recorder.insert_events([StoredEvent(originator, version, "noted", b"{}")])

        def new(after: int) -> list[int]:
            return [one.id for one in recorder.select_notifications(after + 1, 1000)]

        seen = _followed(record, new)
        return seen, _all(new)


def _all(new: Callable[[int], list[int]]) -> list[int]:
    found: list[int] = []
    while some := new(found[-1] if found else 0):
        found += some
    return found


def say_to_both(folder: Path, rounds: int, protected: bool) -> Found:
    """R32: so many commands, the same to a file and to a server; the dumps are equal to the last byte."""
    found, random = Found(), Random(32)
    with attacked_server() as server:
        file, address = folder / "a.retold", str(server.cluster.address(new_name()))
        with campaign(file) as one, campaign(address) as other:
            writers = one.writer(1), other.writer(1)
            for writer in writers:
                play(writer, evening())
            for number in range(rounds):
                kind = random.randrange(10)
                for writer in writers if protected or number != rounds // 2 else writers[:1]:
                    if kind == 0:
                        undo(writer)
                    elif kind == 1:
                        writer.record(c.Cast(who=Words(f"Somebody {number}"), text=Words("tall")))
                    else:
                        notes(writer, f"note {number}")
                found.tried += 1
            found.damaged += list(dump(one.record)) != list(dump(other.record))
            found.untrue += one.table_at(1) != other.table_at(1)
    return found
