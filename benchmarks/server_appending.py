"""Append of an act on a server by one writer, and the bytes that an event takes there."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import count, islice
from typing import Final

from benchmarks.measuring import Figure, Goal, Task, compare, counted, interleaved
from benchmarks.peers import copied
from benchmarks.server_cluster import Prepared
from benchmarks.server_peers import (
    KINDS,
    LIBRARY,
    STAMPED,
    UNGUARDED,
    Act,
    Append,
    CountedHere,
    by_store,
    new_campaign,
    on_new_lines,
    on_server,
    unguarded,
)
from retold.journal.store.postgres import roles, store
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.database_server import DATABASE, Cluster, new_name

AT_ONCE: Final = 40
"""Acts of a round."""

ROUNDS: Final = 15

KEEPER, TABLE, MANY = "keeper", "table", "many"
"""Accounts: one of the keeper's role, one let into a campaign, one let into 200."""
CAMPAIGNS_OF_MANY: Final = 200


def bytes_of_an_event(prepared: Prepared) -> list[Figure]:
    """The first part: no other campaign lies in the table yet."""
    cluster, rows = prepared.cluster, list(prepared.campaign.record.rows(1))
    with KINDS["ours"](cluster, new_campaign(cluster)) as append:
        for at in range(0, len(rows), 2):
            append(rows[at : at + 2])
    copied(rows, on_server(cluster))[0].close()
    ours = _size(cluster, DATABASE, "retold.event") / len(rows)
    theirs = _size(cluster, LIBRARY, "evenings_events") / len(rows)
    file = sum(one.stat().st_size for one in prepared.folder.glob("a.retold*")) / len(rows)
    what = "bytes of an event with its indexes, appended act by act"
    goals = (("the file", file, Goal(1.4)), ("eventsourcing's table", theirs, Goal(1)))
    return [
        counted(
            "server",
            f"{what}, against {peer}",
            float(f"{ours / size:.3g}"),
            n=len(rows),
            goal=str(goal),
            met=goal.met(ours / size),
            how=f"{peer}: {size:.0f} bytes; ours {ours:.0f}",
        )
        for peer, size, goal in goals
    ]


def _size(cluster: Cluster, database: str, table: str) -> int:
    with cluster.as_superuser(database) as connection:
        (size,) = connection.execute("SELECT pg_total_relation_size(%s)", (table,)).fetchone() or (0,)
    return int(str(size))


def _appending(append: Append, acts: Sequence[Act]) -> Task:
    coming = on_new_lines(acts)

    def task() -> None:
        for act in islice(coming, AT_ONCE):
            append(act)

    return task


def one_writer(prepared: Prepared) -> list[Figure]:
    """Append of an act by one writer, against the other ways; and with all that a command takes."""
    cluster = prepared.cluster
    with ExitStack() as open_, CampaignStore.create(str(cluster.address(new_name()))) as campaign:
        tasks = {
            kind: _appending(open_.enter_context(opened(cluster, new_campaign(cluster))), prepared.acts)
            for kind, opened in KINDS.items()
            if kind != STAMPED
        }
        writer = campaign.writer(1)
        numbers = count()

        def decided() -> None:
            for number in islice(numbers, AT_ONCE):
                writer.record(c.Note(text=Words(f"It rains for the {number}. time.")))

        seconds = interleaved({**tasks, "decided": decided}, ROUNDS)
    what = "append of an act, one writer"
    return [
        *(
            compare("server", f"{what}, against {peer}", seconds, "ours", peer, n=AT_ONCE, goal=goal)
            for peer, goal in (("bare psycopg", Goal(1.5)), ("eventsourcing's recorder", Goal(1.1)))
        ),
        compare(
            "server",
            "a note decided, sealed and folded, against bare psycopg",
            seconds,
            "decided",
            "bare psycopg",
            n=AT_ONCE,
            goal=Goal(2.5),
        ),
    ]


def roles_and_triggers(prepared: Prepared) -> list[Figure]:
    """Append by accounts with roles, against a superuser's on tables without triggers."""
    cluster = prepared.cluster
    own = new_campaign(cluster)
    let = [new_campaign(cluster) for _ in range(CAMPAIGNS_OF_MANY)]
    for account in (KEEPER, TABLE, MANY):
        cluster.account(account)
    with cluster.as_superuser() as connection:
        connection.execute(f"GRANT {roles.role_name('keeper', DATABASE)} TO {KEEPER}".encode())
    roles.let(cluster.address(own), TABLE, writes=True)
    for campaign in let:
        roles.let(cluster.address(campaign), MANY, writes=True)
    with ExitStack() as open_:
        kind = by_store(cluster, unguarded(cluster), "postgres", CountedHere, UNGUARDED)
        tasks = {"without": _appending(open_.enter_context(kind), prepared.acts)}
        places_ = {"postgres": new_campaign(cluster), KEEPER: new_campaign(cluster), TABLE: own, MANY: let[0]}
        for account, campaign in places_.items():
            kind = by_store(cluster, campaign, account, store.ServerCampaign)
            tasks[account] = _appending(open_.enter_context(kind), prepared.acts)
        seconds = interleaved(tasks, ROUNDS)
    what = "append of an act, against the same without triggers and roles"
    sorts = (
        ("postgres", "with triggers", Goal(1.15)),
        (KEEPER, "with triggers, as the keeper", Goal(1.15)),
        (TABLE, "with triggers, as an account of one campaign", Goal(1.5)),
        (MANY, f"with triggers, as an account of {CAMPAIGNS_OF_MANY} campaigns", Goal(2.3)),
    )
    return [
        compare("server", f"{what}: {how}", seconds, account, "without", n=AT_ONCE, goal=goal)
        for account, how, goal in sorts
    ]
