"""The server: a campaign in PostgreSQL beside its peers, and beside the same campaign in a file.

    python -m benchmarks.server one_writer distance     these parts alone

RETOLD_BENCH_SERVER sets another number of acts for the followers.
"""

from __future__ import annotations

import os
import pickle
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.campaigns import grow, grown
from benchmarks.measuring import Figure, Goal, Task, as_installed, compare, counted, interleaved, show
from benchmarks.peers import copied
from benchmarks.server_cluster import NoCompiler, running
from benchmarks.server_peers import (
    FUNCTION,
    KINDS,
    LIBRARY,
    UNGUARDED,
    Act,
    Append,
    CountedHere,
    by_store,
    new_campaign,
    on_new_lines,
    on_server,
    recorder,
    unguarded,
)
from benchmarks.server_writers import WRITERS, Writers, writers
from benchmarks.wire import Wire
from journal.store.acts import Manner
from journal.store.campaign import CampaignStore, LineWriter
from journal.store.dump import dump, load
from journal.store.line_events import acts as acts_of
from journal.store.postgres import roles, store
from journal.store.postgres.server import server_of
from journal.store.postgres.server_address import ServerAddress
from journal.store.record import Record
from journal.store.undo import undo
from journal.store.verify import verify
from journal.vocabulary import commands as c
from journal.vocabulary.base import Words
from tests.database_server import DATABASE, Cluster, NoServer, new_name

EVENTS: Final = 20_000
ACTS: Final = int(os.environ.get("RETOLD_BENCH_SERVER", "4000"))
"""Acts that followers hear of, by all writers together."""

AT_ONCE: Final = 40
"""Acts of a round."""

ROUNDS: Final = 15
SLOW_MS: Final = 8
"""Milliseconds that a slow disk takes longer for each fdatasync."""

DISTANCE_MS: Final = 20
"""Milliseconds there and back over the slow wire."""

KEEPER, TABLE, MANY = "keeper", "table", "many"
"""Accounts: one of the keeper's role, one let into a campaign, one let into 200."""
CAMPAIGNS_OF_MANY: Final = 200

SLOW_ACTS: Final = 12
"""Acts of each writer in a round on a slow disk."""

MOST_HEARD: Final = 500
"""Notifications that a follower reads at once."""

PREPARED: Final = 6
"""After so many times psycopg prepares a statement."""

PAUSE: Final = 0.1
"""Seconds after which nothing is under way any more."""

SHELL_EVENTS: Final = 1_000

ROOT = Path(__file__).parent.parent


class Prepared(NamedTuple):
    """What the parts measure with: a server, the acts of a long campaign in a file, and a folder."""

    cluster: Cluster
    campaign: CampaignStore
    acts: Sequence[Act]
    pickled: Path
    """The same acts, for other processes."""
    folder: Path


def run(*names: str) -> list[Figure]:
    """Measures it all, or the parts named."""
    parts = [part for part in PARTS if not names or part.__name__ in names]
    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            running() as cluster,
            grown(Path(folder) / "a.retold", EVENTS) as campaign,
        ):
            prepared = _prepared(cluster, campaign, Path(folder))
            return [figure for part in parts for figure in part(prepared)]
    except NoServer as reason:
        return [counted("server", "all", None, n=0, goal="-", met=None, how=f"not run: {reason}")]


def _prepared(cluster: Cluster, campaign: CampaignStore, folder: Path) -> Prepared:
    rows = {row.position: row for row in campaign.record.rows(1)}
    acts = [
        [rows[event.position] for event in act.events] for act in islice(acts_of(campaign.record, 1), 1000)
    ]
    pickled = folder / "acts.pickle"
    pickled.write_bytes(pickle.dumps(acts))
    return Prepared(cluster, campaign, acts, pickled, folder)


# --- bytes ------------------------------------------------------------------------------------------------


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


# --- one writer -------------------------------------------------------------------------------------------


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


# --- eight writers ----------------------------------------------------------------------------------------


def eight_writers(prepared: Prepared) -> list[Figure]:
    """Eight writers on eight campaigns, on a disk that is slow if that can be had."""
    what = f"{WRITERS} writers on {WRITERS} campaigns"
    try:
        with running(SLOW_MS) as cluster:
            seconds = _at_once(cluster, prepared)
        where = f"{what}, each fdatasync {SLOW_MS} ms slower"
    except NoCompiler as missing:
        seconds = _at_once(prepared.cluster, prepared)
        where = f"{what}, the disk as it is ({missing})"
    n = WRITERS * SLOW_ACTS
    goals = {
        "bare psycopg": Goal(0.7, at_most=False),
        "eventsourcing's recorder": Goal(3, at_most=False),
        "eventsourcing's function": Goal(3, at_most=False),
        "NOTIFY inside the transaction": Goal(2, at_most=False),
    }
    return [
        compare("server", f"{where}, against {peer}", seconds, "ours", peer, n=n, goal=goal)
        for peer, goal in goals.items()
    ]


def _at_once(cluster: Cluster, prepared: Prepared) -> dict[str, list[float]]:
    with ExitStack() as open_:
        crews = {
            kind: open_.enter_context(
                writers(kind, cluster, [new_campaign(cluster) for _ in range(WRITERS)], prepared.pickled)
            )
            for kind in KINDS
        }
        return interleaved({kind: partial(crew.append, SLOW_ACTS) for kind, crew in crews.items()}, 9)


class Heard(NamedTuple):
    """What a follower heard of the writers."""

    events: int
    gaps: int
    missed: int
    append: list[float]
    """Seconds that each append took, the wait for the lock included."""
    after: list[float]
    """Seconds from an event's being handed to the store until the follower had it."""


def followers(prepared: Prepared) -> list[Figure]:
    """A follower of eight writers on one campaign, and a control that misses some."""
    one = _followed(prepared)
    default = _library_followed(prepared, "eventsourcing's recorder", LIBRARY)
    control = _library_followed(prepared, "eventsourcing's function", FUNCTION)
    what = f"{WRITERS} writers on one campaign, a follower"
    seconds = {"heard": [_p99(one.after)] * 2, "append": [statistics.median(one.append)] * 2}
    return [
        _counted_losses(f"{what}: events missed or out of order", one.missed + one.gaps, one.events, "= 0"),
        compare(
            "server",
            f"{what}: heard by 99 in 100, against the median append",
            seconds,
            "heard",
            "append",
            n=1,
            goal=Goal(5),
        ),
        _counted_losses(f"{what} of eventsourcing's recorder: events missed", *default, "-"),
        _counted_losses(f"{what} of eventsourcing's function, the control: events missed", *control, "≥ 1"),
    ]


def _counted_losses(what: str, lost: int, events: int, goal: str) -> Figure:
    met = {"= 0": lost == 0, "≥ 1": lost > 0}.get(goal)
    return counted("server", what, lost, n=events, goal=goal, met=met, how="a count")


def _followed(prepared: Prepared) -> Heard:
    cluster = prepared.cluster
    name = new_campaign(cluster)
    woken, after = threading.Event(), list[float]()
    last = gaps = seen = 0
    with (
        writers("ours", cluster, [name] * WRITERS, prepared.pickled) as crew,
        store.ServerCampaign.open(cluster.address(name), read_only=True) as followed,
    ):
        leave = followed.follow(woken.set)
        done = _appended(crew)
        while not done.took or last < followed.size():
            woken.wait(1)
            woken.clear()
            for number, row in followed.log(last):
                after.append(time.perf_counter() - float(row.body))
                gaps += number != last + 1
                last, seen = number, seen + 1
        leave()
        return Heard(seen, gaps, followed.size() - seen, done.took, after)


def _library_followed(prepared: Prepared, kind: str, name: str) -> tuple[int, int]:
    """Follows eventsourcing's notifications; returns how many were missed, of how many."""
    campaign = new_campaign(prepared.cluster)
    with (
        writers(kind, prepared.cluster, [campaign] * WRITERS, prepared.pickled) as crew,
        recorder(prepared.cluster, name) as found,
    ):
        last = before = found.max_notification_id() or 0
        seen, done = 0, _appended(crew)
        while True:
            is_last = bool(done.took)
            heard = found.select_notifications(last, MOST_HEARD, inclusive_of_start=False)
            seen += len(heard)
            if heard:
                last = heard[-1].id
            elif is_last:
                break
        with prepared.cluster.as_superuser(name) as connection:
            given = "SELECT count(*) FROM stored_events WHERE notification_id > %s"
            (events,) = connection.execute(given, (before,)).fetchone() or (0,)
    return int(str(events)) - seen, int(str(events))


class _Appended(threading.Thread):
    """Waits for writers that append; `took` is empty until they have."""

    def __init__(self, crew: Writers) -> None:
        super().__init__(daemon=True)
        self._crew = crew
        self.took: list[float] = []

    def run(self) -> None:
        self.took = self._crew.append(ACTS // WRITERS)


def _appended(crew: Writers) -> _Appended:
    thread = _Appended(crew)
    thread.start()
    return thread


def _p99(seconds: Sequence[float]) -> float:
    return sorted(seconds)[int(len(seconds) * 0.99)]


# --- over a distance --------------------------------------------------------------------------------------


def distance(prepared: Prepared) -> list[Figure]:
    """How often the client waits for the server, and what a note takes over a slow wire."""
    folder = prepared.folder / "wire"
    folder.mkdir()
    with Wire(folder, prepared.cluster.folder) as wire:
        counts = _exchanges(prepared.cluster, wire)
    slow = prepared.folder / "slow"
    slow.mkdir()
    with Wire(slow, prepared.cluster.folder, DISTANCE_MS / 2000) as wire:
        seconds = _over(prepared.cluster, wire)
    goals = {"a note": 2, "a note with an id": 2, "an undo": 5, "opening and the state": 4}
    what = "exchanges with the server for"
    return [
        *(
            counted(
                "server",
                f"{what} {name}",
                counts[name],
                n=1,
                goal=f"≤ {most}",
                met=counts[name] <= most,
                how="a count, on a socket without a password",
            )
            for name, most in goals.items()
        ),
        *(
            compare(
                "server",
                f"a note {how}, {DISTANCE_MS} ms there and back, against SELECT 1",
                seconds,
                name,
                "SELECT 1",
                n=1,
                goal=Goal(2.5),
            )
            for name, how in (("paced", "a while after the last one"), ("at once", "right after another"))
        ),
    ]


def _through(cluster: Cluster, wire: Wire, campaign: str) -> ServerAddress:
    return Cluster(wire.folder, cluster.binaries, 0).address(campaign)


def _note(writer: LineWriter, act: str | None = None) -> None:
    writer.record(c.Note(text=Words("It rains.")), Manner(act=act))


def _exchanges(cluster: Cluster, wire: Wire) -> dict[str, int]:
    place = str(_through(cluster, wire, new_name()))
    with CampaignStore.create(place) as campaign:
        for _ in range(PREPARED):  # by then psycopg prepares each statement
            for task in (_note, undo):
                task(campaign.writer(1))
    counts = {}

    def counting(name: str, task: Callable[[], object]) -> None:
        time.sleep(PAUSE)
        before = wire.exchanges
        task()
        counts[name] = wire.exchanges - before

    with ExitStack() as open_:
        counting("opening and the state", lambda: open_.enter_context(CampaignStore.open(place)).writer(1))
        writer = open_.enter_context(CampaignStore.open(place)).writer(1)
        _note(writer)
        counting("a note", lambda: _note(writer))
        counting("a note with an id", lambda: _note(writer, "0123456789abcdef"))
        counting("an undo", lambda: undo(writer))
    return counts


def _over(cluster: Cluster, wire: Wire) -> dict[str, list[float]]:
    seconds: dict[str, list[float]] = {"paced": [], "at once": [], "SELECT 1": []}
    with CampaignStore.create(str(_through(cluster, wire, new_name()))) as campaign:
        writer = campaign.writer(1)
        with server_of(_through(cluster, wire, "")).connection() as connection:
            for _ in range(ROUNDS + PREPARED):
                for name, task in (
                    ("SELECT 1", lambda: connection.execute("SELECT 1").fetchall()),
                    ("paced", lambda: _note(writer)),
                    ("at once", lambda: _note(writer)),
                ):
                    if name != "at once":
                        time.sleep(PAUSE)
                    began = time.perf_counter()
                    task()
                    seconds[name].append(time.perf_counter() - began)
    return {name: took[PREPARED:] for name, took in seconds.items()}


# --- there and back ---------------------------------------------------------------------------------------


def there_and_back(prepared: Prepared) -> list[Figure]:
    """A long campaign to the server and back, against the same in a file."""
    lines = list(dump(prepared.campaign.record))
    where = {"file": prepared.folder, "server": prepared.cluster}
    numbers = count()
    made: dict[str, str] = {}

    def loading(to: str) -> Task:
        def task() -> None:
            number = next(numbers)
            place = (
                prepared.folder / f"loaded-{number}.retold"
                if to == "file"
                else prepared.cluster.address(f"loaded-{number}")
            )
            made[to] = str(place)
            load(lines, made[to])

        return task

    seconds = {"load": interleaved({to: loading(to) for to in where}, 7)}
    with ExitStack() as open_:
        records = {to: open_.enter_context(CampaignStore.open(made[to])).record for to in where}
        dumps = {to: list(dump(record)) for to, record in records.items()}
        same = dumps["file"] == dumps["server"] == lines
        seconds["dump"] = interleaved({to: partial(_drained, record) for to, record in records.items()}, 7)
        seconds["verify"] = interleaved({to: partial(verify, record) for to, record in records.items()}, 7)
    goals = {"load": Goal(1.3), "dump": Goal(1.5), "verify": Goal(1.3)}
    return [
        counted(
            "server",
            "a dump loaded on the server and dumped: lines that differ",
            0 if same else 1,
            n=len(lines),
            goal="= 0",
            met=same,
            how="the same dump of a file",
        ),
        *(
            compare(
                "server",
                f"{what} on the server, against the file",
                seconds[what],
                "server",
                "file",
                n=len(lines),
                goal=goal,
            )
            for what, goal in goals.items()
        ),
    ]


def _drained(record: Record) -> None:
    deque(dump(record), maxlen=0)


# --- the shell --------------------------------------------------------------------------------------------


def shell(prepared: Prepared) -> list[Figure]:
    """A verb at the shell, its whole process, on a server beside the same on a file."""
    env = as_installed(prepared.folder)
    places_ = {
        "file": str(prepared.folder / "shell.retold"),
        "server": str(prepared.cluster.address(new_name())),
    }
    for place in places_.values():
        with CampaignStore.create(place) as campaign:
            grow(campaign, 1, SHELL_EVENTS)
    figures = []
    for what, words in SHELL.items():
        seconds = interleaved(
            {to: partial(_shell, (*START, "-c", place, *words), env) for to, place in places_.items()}, 15
        )
        figures.append(
            compare(
                "server",
                f"{what} at the shell on the server, against the file",
                seconds,
                "server",
                "file",
                n=1,
                goal=Goal(1.5),
            )
        )
    return figures


def _shell(command: Sequence[str], env: Mapping[str, str]) -> None:
    subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=True)


SHELL: Final = {"note :text": ("note", ": It rains."), "log -n 20": ("log", "-n", "20")}
START: Final = (sys.executable, "-m", "cli")

PARTS: Final = (
    bytes_of_an_event,
    one_writer,
    roles_and_triggers,
    eight_writers,
    followers,
    distance,
    there_and_back,
    shell,
)
"""The bytes are measured first, while no other campaign lies on the server."""

if __name__ == "__main__":
    show(run(*sys.argv[1:]))
