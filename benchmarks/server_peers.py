"""Who appends to a server: our store, the same with one thing done otherwise, and peers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from itertools import count
from typing import Final
from uuid import UUID, uuid5

from eventsourcing.persistence import StoredEvent
from eventsourcing.postgres import PostgresApplicationRecorder, PostgresDatastore

from benchmarks.peers import Evenings
from retold.journal.store.contract.event_store import Row
from retold.journal.store.postgres import batch, roles, schema, store
from retold.journal.store.postgres.batch import Call, Statement
from retold.journal.store.postgres.server_place import ServerPlace
from retold.journal.store.postgres.store import ServerCampaign
from tests.database_server import DATABASE, ORGANISER, Cluster, new_name

Act = Sequence[Row]
Append = Callable[[Act], object]
"""Puts an act on the disk of the server."""

BARE, LIBRARY, FUNCTION, UNGUARDED = "bare", "library", "library_function", "unguarded"
"""Databases of the peers; the last one has our tables, without their triggers."""

BARE_TABLE: Final = """
CREATE TABLE event (
  seq bigserial, campaign integer NOT NULL, line integer NOT NULL, position bigint NOT NULL,
  kind text NOT NULL, body text NOT NULL, words text, hash bytea NOT NULL,
  PRIMARY KEY (campaign, line, position))
"""
BARE_INSERT: Final = """
INSERT INTO event (campaign, line, position, kind, body, words, hash)
SELECT %s, * FROM unnest(%s::integer[], %s::bigint[], %s::text[], %s::text[], %s::text[], %s::bytea[])
"""
STAMPED: Final = "ours, with the moment"
ORIGINATORS: Final = UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")


class Stamped(ServerCampaign):
    """Our store; the body of an event becomes the moment at which it was appended, under the lock."""

    def append(self, rows: Iterable[Row]) -> None:
        """Appends them with the moment."""
        now = repr(time.perf_counter())
        super().append([row._replace(body=now.ljust(len(row.body))) for row in rows])


class NotifyInside(ServerCampaign):
    """Our store, but followers are told inside the act's transaction."""

    def _commit(self, act: store._Act) -> None:
        self._send_pending(act)
        with act.connection.pipeline():
            act.connection.execute(f"NOTIFY {schema.CHANNEL}, '{act.campaign:d}'".encode())
            act.connection.execute("COMMIT")
        self._own += act.statements


class CountedHere(ServerCampaign):
    """Our store on tables without triggers and roles: the client itself raises the campaign's size."""

    def _pending_calls(self, act: store._Act) -> list[Call]:
        calls = super()._pending_calls(act)
        size = batch.bigint(act.size), batch.integer(act.campaign)
        return [*calls, Call(COUNTING, size)] if calls else []


COUNTING: Final = Statement(
    "counting",
    "UPDATE retold.campaign SET size = $1, stamp = stamp + 1 WHERE id = $2",
    (batch.BIGINT, batch.INTEGER),
)


@contextmanager
def by_store(
    cluster: Cluster, campaign: str, account: str, sort: type[ServerCampaign], database: str = DATABASE
) -> Iterator[Append]:
    """Our store, opened by an account."""
    with sort.open(cluster.address(campaign, account, database)) as opened:

        def append(act: Act) -> None:
            with opened.writing():
                opened.append(act)

        yield append


@contextmanager
def by_psycopg(cluster: Cluster, campaign: str) -> Iterator[Append]:
    """One INSERT, committed by itself, into a table like ours with nothing around."""
    with cluster.as_superuser(BARE) as connection:

        def append(act: Act) -> None:
            columns = (list(column) for column in zip(*act, strict=True))
            connection.execute(BARE_INSERT, (hash(campaign) % 10**6, *columns))

        yield append


@contextmanager
def by_library(cluster: Cluster, campaign: str, name: str) -> Iterator[Append]:
    """Yields how eventsourcing's recorder appends the same facts; see `recorder`."""
    with recorder(cluster, name) as found:

        def append(act: Act) -> None:
            found.insert_events(stored(campaign, act))

        yield append


@contextmanager
def recorder(cluster: Cluster, name: str) -> Iterator[PostgresApplicationRecorder]:
    """The recorder of eventsourcing, in LIBRARY, or with its database function in FUNCTION."""
    datastore = PostgresDatastore(
        name, str(cluster.folder), cluster.port, "postgres", "", enable_db_functions=name == FUNCTION
    )
    with datastore:
        yield PostgresApplicationRecorder(datastore)


def stored(campaign: str, act: Act) -> list[StoredEvent]:
    """An act as eventsourcing stores events: an originator for each line."""
    return [
        StoredEvent(
            uuid5(ORIGINATORS, f"{campaign} {row.line}"),
            row.position,
            row.kind,
            f"{row.body}{row.words or ''}".encode(),
        )
        for row in act
    ]


def make_databases(cluster: Cluster) -> None:
    """Makes the databases of all peers."""
    with cluster.as_superuser("postgres") as connection:
        for name in (BARE, LIBRARY, FUNCTION, UNGUARDED):
            connection.execute(f"CREATE DATABASE {name}".encode())
    with cluster.as_superuser(BARE) as connection:
        connection.execute(BARE_TABLE.encode())
    for name in (LIBRARY, FUNCTION):
        with recorder(cluster, name) as found:
            found.create_table()
    roles.prepare(cluster.address("", "postgres", UNGUARDED))
    with cluster.as_superuser(UNGUARDED) as connection:
        connection.execute("ALTER TABLE retold.event DISABLE TRIGGER USER")


def new_campaign(cluster: Cluster) -> str:
    """Makes a campaign without an event; returns its name."""
    name = new_name()
    ServerPlace(cluster.address(name)).restored(lambda _: None)
    return name


def unguarded(cluster: Cluster) -> str:
    """Makes a campaign without an event among the tables without triggers; returns its name."""
    name = new_name()
    ServerPlace(cluster.address(name, "postgres", UNGUARDED)).restored(lambda _: None)
    return name


def on_new_lines(acts: Sequence[Act], first: int = 1) -> Iterator[Act]:
    """The same acts again and again, each time on a new line."""
    for line in count(first):
        for act in acts:
            yield [row._replace(line=line) for row in act]


Opened = Callable[[Cluster, str], AbstractContextManager[Append]]

KINDS: Final[dict[str, Opened]] = {
    "ours": partial(by_store, account=ORGANISER, sort=ServerCampaign),
    STAMPED: partial(by_store, account=ORGANISER, sort=Stamped),
    "NOTIFY inside the transaction": partial(by_store, account=ORGANISER, sort=NotifyInside),
    "bare psycopg": by_psycopg,
    "eventsourcing's recorder": partial(by_library, name=LIBRARY),
    "eventsourcing's function": partial(by_library, name=FUNCTION),
}
"""Each who appends to a campaign of a name, as a context manager of (cluster, name)."""


def on_server(cluster: Cluster) -> Evenings:
    """The default application of eventsourcing with its events on the server."""
    where = {"DBNAME": LIBRARY, "HOST": str(cluster.folder), "PORT": str(cluster.port), "USER": "postgres"}
    named = {f"POSTGRES_{name}": value for name, value in (where | {"PASSWORD": "-"}).items()}
    return Evenings(env={"PERSISTENCE_MODULE": "eventsourcing.postgres", **named})
