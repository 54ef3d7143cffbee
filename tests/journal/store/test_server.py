"""A campaign on a server: its lock, a connection that breaks, who may do what, and edits by hand."""

from __future__ import annotations

import pickle
import re
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

import retold
from retold.journal.store import places
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import (
    CannotWrite,
    Doubtful,
    EndMissing,
    NotACampaign,
    StoreError,
    TooNew,
)
from retold.journal.store.contract.event_store import FIRST_DRAFT, Row
from retold.journal.store.events.acts import Manner
from retold.journal.store.events.chain import ROOT, link
from retold.journal.store.events.record import Record
from retold.journal.store.postgres import batch, roles, schema, server, soundness
from retold.journal.store.postgres.batch import Call, Statement
from retold.journal.store.postgres.server import MOST_CONNECTIONS, Server
from retold.journal.store.postgres.server_address import ServerAddress, parse
from retold.journal.store.postgres.store import ServerCampaign
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests import database_server
from tests.database_server import Cluster, new_name
from tests.journal.store.played import notes, played
from tests.patience import PATIENCE
from tests.survival.moments import Interrupted, interrupted, moments
from tests.survival.servers import quick_connections
from tests.wire import Direction, Wire, cut_at_commit

Connection = psycopg.Connection[Any]


@pytest.fixture
def address(cluster: Cluster) -> ServerAddress:
    return cluster.address(new_name())


@pytest.fixture
def camp(address: ServerAddress) -> Iterator[CampaignStore]:
    with played(str(address)) as made:
        yield made


@pytest.fixture
def superuser(cluster: Cluster) -> Iterator[Connection]:
    with closing(cluster.as_superuser()) as connection:
        yield connection


def said(connection: Connection, statement: str, *given: object) -> list[Any]:
    done = connection.execute(statement.encode(), given or None)
    return done.fetchall() if done.description else []


def number_of(connection: Connection, address: ServerAddress) -> int:
    ((number,),) = said(connection, "SELECT id FROM retold.campaign WHERE name = %s", address.campaign)
    return int(number)


def server_store(camp: CampaignStore) -> ServerCampaign:
    assert isinstance(camp.record.store, ServerCampaign)
    return camp.record.store


# --- the lock ---


def test_two_campaigns_do_not_wait_for_each_other(cluster: Cluster, camp: CampaignStore) -> None:
    with played(str(cluster.address(new_name()))) as other, other.record.writing():
        notes(camp.writer(1), "meanwhile")


def test_a_person_who_holds_the_lock_too_long_is_named(
    camp: CampaignStore, superuser: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_SET_UP", server._SET_UP.replace("30s", "100ms"))
    said(superuser, "SET application_name = 'retold play, mary at laptop'")
    with superuser.transaction():
        said(
            superuser,
            "SELECT FROM retold.campaign WHERE name = %s FOR NO KEY UPDATE",
            str(camp.place).rpartition("/")[2],
        )
        with (
            closing(_fresh(camp)) as store,
            pytest.raises(CannotWrite, match=r"retold play, mary at laptop, has held .* for 30 seconds\."),
            store.writing(),
        ):
            pass
    notes(camp.writer(1), "afterwards")


def _fresh(camp: CampaignStore) -> ServerCampaign:
    """A store with connections of its own."""
    store = server_store(camp)
    return ServerCampaign(store.address, Server(store.address), store._campaign, read_only=False)


def test_what_was_rolled_back_is_not_sent_later(camp: CampaignStore) -> None:
    store = server_store(camp)
    head = store.head(1)
    row = Row(1, head.position + 1, "table.noted", "{}", None, b"x" * 32)

    def broken_off() -> None:
        with store.writing():
            store.append([row])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        broken_off()
    with store.writing():
        pass

    assert store.head(1) == head
    assert store.size() == head.position


@contextmanager
def exchanges(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Collects, for each exchange with the server, the first words of the statements that are awaited."""
    asked: list[str] = []
    execute, run = psycopg.Connection.execute, batch.run

    def executing(self: Connection, query: Any, *given: Any, **how: Any) -> Any:  # noqa: ANN401 -- psycopg's
        asked.append(str(query).split()[0])
        return execute(self, query, *given, **how)

    def running(connection: Connection, calls: Sequence[Call], then: Sequence[Call] = ()) -> Any:  # noqa: ANN401
        asked.append(" ".join(call.statement.sql.split()[0] for call in calls))
        return run(connection, calls, then)

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Connection, "execute", executing)
        patch.setattr(batch, "run", running)
        yield asked


ACT = ["BEGIN SELECT", "INSERT COMMIT"]
"""The exchanges of an act."""


def test_an_act_is_two_exchanges(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = camp.writer(1)
    notes(writer, "so that the heads are known")

    with exchanges(monkeypatch) as asked:
        notes(writer, "one", "two")

    assert asked == ACT * 2


def test_an_act_with_an_id_asks_no_more(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = camp.writer(1)
    writer.record(c.Note(text=Words("so that the last acts are known")), Manner(act="the first"))

    with exchanges(monkeypatch) as asked:
        writer.record(c.Note(text=Words("one")), Manner(act="the second"))

    assert asked == ACT


def test_an_undo_is_five_exchanges(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = camp.writer(1)
    notes(writer, "one")
    with exchanges(monkeypatch) as asked:
        undo(writer)

    assert asked == ["BEGIN SELECT", "SELECT", "INSERT", "SELECT", "COMMIT"]


def test_the_state_is_two_exchanges(
    camp: CampaignStore, address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    undo(camp.writer(1))
    with CampaignStore.open(str(address)) as other, exchanges(monkeypatch) as asked:
        other.writer(1)

    assert asked == ["BEGIN SET SELECT WITH SELECT", "SELECT"]


def test_a_read_transaction_keeps_its_moment_when_its_own_store_records(camp: CampaignStore) -> None:
    store = server_store(camp)

    def seen() -> tuple[object, ...]:
        undone = list(store.log(kinds=("table.undone",)))
        return store.size(), store.head(1), undone, store.stored_hash(1, store.head(1).position)

    with store.read_transaction():
        before = seen()
        undo(camp.writer(1))

        assert seen() == before
    assert seen() != before


def test_an_undo_takes_back_the_last_act_of_another_writer(
    camp: CampaignStore, address: ServerAddress
) -> None:
    writer = camp.writer(1)
    with CampaignStore.open(str(address)) as other:
        notes(other.writer(1), "theirs")
        last = other.record.head(1).position

    assert undo(writer).events == (e.Undone(first=last, last=last),)


# --- batches ---


BROKEN = Call(Statement("broken", "SELECT 1 / 0"))
ONE = Call(Statement("one", "SELECT 1"))


def test_a_batch_that_fails_says_why_and_its_connection_is_used_again(address: ServerAddress) -> None:
    with Server(address).connection() as connection:
        for then in ((), (ONE,), (BROKEN,)):
            with pytest.raises(errors.DivisionByZero):
                batch.run(connection, [ONE, BROKEN, ONE], then)
            assert said(connection, "SELECT 2") == [(2,)]
            assert [batch.number(found.get_value(0, 0)) for found in batch.run(connection, [ONE, ONE])] == [
                1,
                1,
            ]


@pytest.mark.parametrize("then", [ONE, BROKEN])
def test_unread_results_are_read_before_a_connection_is_reused(then: Call, address: ServerAddress) -> None:
    server = Server(address)
    server.enter()
    for _ in range(3):
        connection = server.take()
        batch.run(connection, [ONE], [then])
        server.give_back(connection, is_answering=True)
        assert server.take() is connection
        assert said(connection, "SELECT 2") == [(2,)]
        server.give_back(connection)
    server.leave()


def test_what_was_prepared_is_there_after_a_rollback(address: ServerAddress) -> None:
    with Server(address).connection() as connection:
        batch.run(connection, [ONE])
        batch.run(connection, [Call(Statement("begin", "BEGIN")), ONE])
        batch.roll_back(connection)
        assert len(batch.run(connection, [ONE])) == 1


def test_many_undos_are_read_with_no_more_questions_than_one(
    address: ServerAddress, camp: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def questions() -> int:
        with CampaignStore.open(str(address)) as other, exchanges(monkeypatch) as asked:
            other.writer(1)
        return len(asked)

    writer = camp.writer(1)
    for number in range(2):
        notes(writer, f"taken back {number}")
        undo(writer)
    before = questions()
    for number in range(8):
        notes(writer, f"taken back {number}")
        undo(writer)

    assert questions() == before


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["/usr/bin/retold", "play", "club:x"], "retold play, mary at laptop"),
        (["/lib/retold/__main__.py", "serve"], "retold serve, mary at laptop"),
        (["/usr/bin/retold", "note:", "Her brother is the captain."], "retold, mary at laptop"),
        (["/usr/bin/retold", "-c", "club:x", "say"], "retold, mary at laptop"),
        (["mine.py", "play"], "mine, mary at laptop"),
    ],
)
def test_a_connection_bears_a_name_without_words_of_the_table(
    words: list[str], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", words)
    monkeypatch.setattr("getpass.getuser", lambda: "mary")
    monkeypatch.setattr("platform.node", lambda: "laptop")

    assert server.application_name() == name


def test_R_who_goes_silent_with_the_lock_in_hand_keeps_others_out_for_a_while_only(
    camp: CampaignStore, address: ServerAddress
) -> None:
    def hold(silent: ServerCampaign) -> None:
        with silent.writing():
            notes(camp.writer(1), "the next one")
            silent.append([Row(1, 10**6, "table.noted", "{}", None, b"x" * 32)])

    with (
        quick_connections(),
        closing(_fresh(camp)) as store,
        pytest.raises(CannotWrite, match=r"^Nothing was recorded: "),
    ):
        hold(store)
    assert verify(camp.record).whole


def test_R_a_full_disk_of_the_server_is_told(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store = server_store(camp)

    def full(act: Any) -> None:  # noqa: ANN401 -- a private class
        raise psycopg.errors.DiskFull("could not extend file")

    with monkeypatch.context() as patch:
        patch.setattr(store, "_commit", full)
        with pytest.raises(CannotWrite, match=r"^Nothing was recorded: the disk of .* does not take it\.$"):
            notes(camp.writer(1), "no")
    notes(camp.writer(1), "afterwards")
    assert verify(camp.record).whole


def test_R_the_servers_log_keeps_no_words_of_an_act_that_fails(camp: CampaignStore, cluster: Cluster) -> None:
    word, store = "Quellwasser", server_store(camp)
    last = store.head(1)
    log = cluster.folder / "log"
    for position, hash_, why in (
        (last.position, b"x" * 32, "duplicate key value"),
        (last.position + 1, b"x", "violates check constraint"),
    ):
        before = log.stat().st_size
        with pytest.raises(CannotWrite), store.writing():
            store.append([Row(1, position, "table.noted", "{}", f'["{word}"]', hash_)])
        told = log.read_bytes()[before:].decode("utf-8", "replace")
        assert why in told
        assert word not in told


# --- a connection that breaks ---


TOLD = {
    "recorded": r"$",
    "recorded after all": r"The connection broke at the very last, but it is recorded, at \d+: do not",
    "not recorded": r"Nothing was recorded: .* cannot be reached \(.*\)\. Say it again\.$",
}


@pytest.mark.parametrize(("direction", "counts"), [("up", range(0, 900, 37)), ("down", range(0, 400, 13))])
def test_wherever_an_act_is_cut_it_is_there_once_or_not_and_the_sentence_is_true(
    direction: Direction, counts: range, camp: CampaignStore, address: ServerAddress, wire: Wire
) -> None:
    outcomes = set()
    with CampaignStore.open(wire.to(address)) as cut:
        for count in counts:
            writer = cut.writer(1)
            before = camp.record.store.size()
            wire.cut_after(direction, count)
            try:
                notes(writer, f"cut {direction} after {count}")
                outcome, sentence = "recorded", ""
            except Doubtful as doubt:
                outcome, sentence = "recorded after all", str(doubt)
            except CannotWrite as error:
                outcome, sentence = "not recorded", str(error)
            wire.mend()
            assert re.match(TOLD[outcome], sentence)
            assert camp.record.store.size() == before + (outcome != "not recorded")
            outcomes.add(outcome)

    assert outcomes == {"recorded", "recorded after all" if direction == "down" else "not recorded"}
    assert verify(camp.record).whole


def test_without_looking_what_is_said_would_be_false(
    camp: CampaignStore, address: ServerAddress, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: an act that is recorded, whose acknowledgement is lost."""
    monkeypatch.setattr(ServerCampaign, "_look_for", lambda *_, **__: None)
    with CampaignStore.open(wire.to(address)) as cut:
        writer, before = cut.writer(1), camp.record.store.size()
        cut_at_commit(cut.record.store, wire, monkeypatch, "down", for_good=False)
        with pytest.raises(Doubtful, match="cannot be asked yet whether it was recorded"):
            notes(writer, "recorded")

    assert camp.record.store.size() == before + 1


@pytest.mark.parametrize("direction", ["up", "down"])
def test_what_is_said_again_under_its_id_is_recorded_once(
    direction: Direction,
    camp: CampaignStore,
    address: ServerAddress,
    wire: Wire,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("retold.journal.store.postgres.server.RECONNECT_SECONDS", 0.2)
    before, line = camp.record.store.size(), "narrate: A lamp goes out."
    with retold.open(wire.to(address)) as campaign:
        cut_at_commit(campaign.shared.store.record.store, wire, monkeypatch, direction, for_good=True)
        with pytest.raises(
            StoreError,
            match=r"cannot be asked yet .* Said again under the same id, it cannot be recorded twice\.",
        ):
            campaign.say(line, act="mine")
        with pytest.raises(StoreError, match="cannot be reached"):
            campaign.say(line, act="mine")
        wire.mend()
        first = campaign.say(line, act="mine").done
        again = campaign.say(line, act="mine").done

    assert first is not None
    assert again is not None
    assert (first.first, first.again) == (again.first, direction == "down")
    assert camp.record.store.size() == before + 1


@pytest.mark.parametrize(
    "ended",
    [
        psycopg.errors.AdminShutdown("terminating connection due to administrator command"),
        psycopg.OperationalError("cannot exit pipeline mode while busy"),
    ],
    ids=["by its keeper", "while it is busy"],
)
def test_an_act_that_is_recorded_before_the_server_ends_the_connection_is_told_as_recorded(
    ended: psycopg.Error, camp: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, before = server_store(camp), camp.record.store.size()
    commit = store._commit

    def committing(act: Any) -> None:  # noqa: ANN401 -- a private class
        commit(act)
        raise ended

    with monkeypatch.context() as patch:
        patch.setattr(store, "_commit", committing)
        with pytest.raises(Doubtful, match="but it is recorded, at"):
            notes(camp.writer(1), "recorded")

    assert store.size() == before + 1
    notes(camp.writer(1), "and on")
    assert verify(camp.record).whole


def test_whether_a_new_campaign_is_there_is_known_once_its_commit_has_ended(
    address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = []

    def committing_late(store: ServerCampaign, act: Any) -> None:  # noqa: ANN401 -- as above
        store._send_pending(act)
        act.sent, connection = True, act.connection
        act.connection = store._server.connect()
        ends.append(threading.Timer(0.5, lambda: connection.execute("COMMIT")))
        ends[-1].start()
        raise psycopg.OperationalError("it broke")

    with monkeypatch.context() as patch:
        patch.setattr(ServerCampaign, "_commit", committing_late)
        with pytest.raises(Doubtful, match="but it is recorded, at"):
            played(str(address))
    ends[0].join()

    with CampaignStore.open(str(address)) as camp:
        assert verify(camp.record).whole


def test_reading_goes_on_where_a_connection_broke(
    camp: CampaignStore, address: ServerAddress, wire: Wire
) -> None:
    notes(camp.writer(1), *(f"note {number}" for number in range(100)))
    with closing(places.opened(wire.to(address), read_only=True)) as store:
        reading = store.log()
        read = [next(reading) for _ in range(32)]
        wire.cut_after("down", 0)
        read += reading

    assert read == list(camp.record.store.log())


def test_a_network_that_takes_everything_and_hands_nothing_on_is_told(
    camp: CampaignStore, address: ServerAddress, wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "SILENCE_SECONDS", 0.3)
    with CampaignStore.open(wire.to(address)) as silent:
        writer = silent.writer(1)
        wire.cut_after("up", 0, "silent")
        notes(writer, "asked again over another connection")
        wire.cut_after("down", 0, "silent")
        assert list(silent.record.everything()) == list(camp.record.everything())

        cut_at_commit(silent.record.store, wire, monkeypatch, "down", for_good=False, how="silent")
        with pytest.raises(Doubtful, match="but it is recorded, at"):
            notes(writer, "recorded")
    assert verify(camp.record).whole


def test_a_connection_that_was_interrupted_at_work_is_not_lent_again(address: ServerAddress) -> None:
    server = Server(address)
    server.enter()
    connection = server.take()
    connection.pgconn.enter_pipeline_mode()
    connection.pgconn.send_query_params(b"SELECT 1", None)  # its answer never comes
    server.give_back(connection)

    with server.connection() as other:
        assert said(other, "SELECT 1") == [(1,)]
    assert connection.closed
    server.leave()


def test_connections_lost_to_an_interruption_free_their_slots(address: ServerAddress) -> None:
    server = Server(address)
    server.enter()
    for _ in range(MOST_CONNECTIONS):
        server.take().close()

    with server.connection() as connection:
        assert said(connection, "SELECT 1") == [(1,)]
    server.leave()


def test_failed_connections_free_their_slots_while_errors_are_kept(
    address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, kept = Server(address), list[psycopg.Error]()
    server.enter()

    def fail(*_: object) -> None:
        raise psycopg.OperationalError("the server is starting up")

    with monkeypatch.context() as patch:
        patch.setattr(server, "_connect", fail)
        for _ in range(MOST_CONNECTIONS):
            with pytest.raises(psycopg.OperationalError) as failed:
                server.take()
            kept.append(failed.value)  # with its traceback, and the call that it ended

    with server.connection() as connection:
        assert said(connection, "SELECT 1") == [(1,)]
    assert len(kept) == MOST_CONNECTIONS
    server.leave()


def test_R_after_ctrl_c_at_any_step_of_an_act_play_goes_on(
    camp: CampaignStore, address: ServerAddress
) -> None:
    with interrupted(0) as steps:
        camp.writer(1).record(c.Cast(who=Words("Nora"), by=Words("Ann"), text=Words("tall")))
    with CampaignStore.open(str(address)) as other:
        writer = other.writer(1)
        for at in moments(steps.taken, 20):
            with suppress(Interrupted), interrupted(at):
                writer.record(c.Cast(who=Words(f"Guard {at}"), by=Words(f"Player {at}"), text=Words("tall")))
            notes(writer, "and on")
            assert writer.table == other.table_at(1)
        assert verify(other.record).whole


# --- numbers without a gap, and edits by hand ---


def test_no_client_leaves_a_gap_or_erases(
    cluster: Cluster, camp: CampaignStore, address: ServerAddress
) -> None:
    theirs = account(cluster, "paul", address)
    roles.let(address, "paul", writes=True)
    refused = {
        "INSERT INTO retold.event SELECT campaign, seq + 100, 9, 1, kind, body, words, hash FROM retold.event"
        " WHERE campaign = {} AND seq = 1": "no gap",
        "INSERT INTO retold.event SELECT campaign, 1, 9, 1, kind, body, words, hash FROM retold.event"
        " WHERE campaign = {} AND seq = 1": "duplicate key|no gap",
        "DELETE FROM retold.event WHERE campaign = {}": "permission denied",
        "TRUNCATE retold.event": "permission denied",
        "UPDATE retold.event SET body = '' WHERE campaign = {}": "permission denied",
        'UPDATE retold.event SET words = \'[["AA","x"]]\' WHERE campaign = {}': "append-only",
        "UPDATE retold.campaign SET size = 0 WHERE id = {}": "permission denied",
        "DELETE FROM retold.campaign": "permission denied",
        "INSERT INTO retold.may VALUES ({}, 'organiser', true)": "permission denied",
    }
    with closing(_connected(theirs)) as connection:
        number = number_of(connection, address)
        for statement, why in refused.items():
            with pytest.raises(psycopg.Error, match=why):
                said(connection, statement.format(number))
    assert verify(camp.record).whole


WRONG = (
    "a hash of nothing",
    "after another event",
    "after nothing",
    "after a gap",
    "a second beginning",
    "a branch that leaves no moment",
    "a branch that leaves what is no hash",
    "a draft with a hash of nothing",
)


def wrong_row(what: str, camp: CampaignStore) -> Row:
    """A row that another program may put in, and that would stop its campaign."""
    head, line, draft = camp.record.head(1), 2, FIRST_DRAFT + 7

    def chained(parent: bytes, line: int, position: int, kind: str = "table.noted", body: str = "{}") -> Row:
        return Row(line, position, kind, body, None, link(parent, line, position, kind, body))

    def forked(parent_hash: str, parent: bytes) -> Row:
        data = f'{{"at":{head.position},"line":{line},"parent":1,"parent_hash":"{parent_hash}"}}'
        return chained(parent, line, head.position + 1, "table.forked", f'{{"act":"x","data":{data}}}')

    rows = (
        Row(1, head.position + 1, "table.noted", "{}", None, b"x" * 32),
        chained(b"y" * 32, 1, head.position + 1),
        chained(ROOT, 1, head.position + 1),
        chained(head.hash, 1, head.position + 2),
        chained(ROOT, line, 1),
        forked("00" * 32, bytes(32)),
        forked("salt", ROOT),
        Row(draft, 1, "table.draft-begun", "{}", None, b"x" * 32),
    )
    return dict(zip(WRONG, rows, strict=True))[what]


PUT_IN = """
INSERT INTO retold.event SELECT id, size + 1, %s, %s, %s, %s, %s, %s FROM retold.campaign WHERE id = %s
"""


@pytest.mark.parametrize("what", WRONG)
def test_S7_no_writer_puts_in_a_row_that_stops_the_campaign(
    what: str, cluster: Cluster, camp: CampaignStore, address: ServerAddress
) -> None:
    theirs = account(cluster, "paula", address)
    roles.let(address, "paula", writes=True)
    with (
        closing(_connected(theirs)) as connection,
        pytest.raises(errors.IntegrityConstraintViolation, match="hash of an event is not the one"),
    ):
        said(connection, PUT_IN, *wrong_row(what, camp), number_of(connection, address))

    notes(camp.writer(1), "and on")
    assert verify(camp.record).whole


def test_S7_an_event_that_is_chained_may_be_put_in_by_any_program(
    camp: CampaignStore, address: ServerAddress
) -> None:
    head = camp.record.head(1)
    body = "x" * 300 + "\u00fc\U0001f98a"  # no JSON: a reader says so, and no other campaign is stopped
    last = Row(1, head.position + 1, "guest.kind@2", body, None, b"")
    last = last._replace(hash=link(head.hash, 1, head.position + 1, last.kind, body))
    with closing(_connected(address)) as connection:
        said(connection, PUT_IN, *last, number_of(connection, address))

    assert camp.record.store.head(1) == last.head
    assert address.campaign in [found.name for found in roles.listed(address._replace(campaign=""))]


def _connected(address: ServerAddress) -> Connection:
    return psycopg.connect(autocommit=True, **address.parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM retold.campaign",
        "UPDATE retold.campaign SET size = 0",
        "DELETE FROM retold.may",
        "INSERT INTO retold.may VALUES (1, 'organiser', true)",
        "UPDATE retold.event SET body = ''",
        "ALTER TABLE retold.event DISABLE TRIGGER ALL",
        "DROP TABLE retold.event",
        "CREATE TABLE retold.mine (x integer)",
    ],
)
def test_a_person_who_prepared_the_server_has_the_owners_rights_only_by_asking_for_them(
    statement: str, camp: CampaignStore, address: ServerAddress
) -> None:
    owner = roles.role_name("owner", database_server.DATABASE)
    with closing(_connected(address)) as connection:
        with pytest.raises(errors.InsufficientPrivilege):
            said(connection, statement)
        with connection.transaction(force_rollback=True):
            said(connection, f"SET LOCAL ROLE {owner}")
            said(connection, "UPDATE retold.campaign SET held = held")
    assert verify(camp.record).whole


def test_even_the_owner_deletes_no_event_of_a_campaign(
    camp: CampaignStore, superuser: Connection, address: ServerAddress
) -> None:
    with pytest.raises(psycopg.Error, match="append-only"):
        said(superuser, "DELETE FROM retold.event WHERE campaign = %s", number_of(superuser, address))
    with pytest.raises(psycopg.Error, match="append-only"):
        said(superuser, "TRUNCATE retold.event")
    assert verify(camp.record).whole


EDITS = {
    "a body": "UPDATE retold.event SET body = replace(body, '\"clubs\":4', '\"clubs\":5') WHERE position = 8",
    "a time": "UPDATE retold.event SET body = replace(body, '2026-03', '2026-04') WHERE position = 4",
    "a hash": "UPDATE retold.event SET hash = decode(repeat('00', 32), 'hex') WHERE position = 8",
    "a kind": "UPDATE retold.event SET kind = 'table.said' WHERE kind = 'table.narrated'",
    "words": "UPDATE retold.event SET words = replace(words, 'Zel', 'Zol') WHERE position = 5",
    "words taken": "UPDATE retold.event SET words = NULL WHERE position = 5",
    "an event deleted": "DELETE FROM retold.event WHERE position = 6",
    "the last event deleted": "DELETE FROM retold.event WHERE seq = 20",
    "the size": "UPDATE retold.campaign SET size = 7",
}


@pytest.mark.parametrize("what", EDITS)
def test_every_edit_behind_retolds_back_is_found(
    what: str, camp: CampaignStore, superuser: Connection, address: ServerAddress
) -> None:
    which = "id" if "retold.campaign" in EDITS[what] else "campaign"
    joined = "AND" if "WHERE" in EDITS[what] else "WHERE"
    number = number_of(superuser, address)
    with superuser.transaction():
        said(superuser, "SET LOCAL session_replication_role = replica")  # as somebody who keeps triggers off
        said(superuser, f"{EDITS[what]} {joined} {which} = {number}")

    with closing(places.opened(str(address), read_only=True)) as store:
        found = verify(Record(store))
    assert not found.whole
    assert all(str(finding).endswith(".") for finding in found.findings)


MEDDLED = {
    "DROP TRIGGER final ON retold.event": "The trigger final is missing.",
    "ALTER TABLE retold.event DISABLE TRIGGER added": "The trigger added is not as Retold makes it.",
    "CREATE TABLE retold.mine (x integer)": "The table retold.mine is not Retold's.",
    "ALTER TABLE retold.event ADD COLUMN mine text": "The table retold.event is not as Retold makes it.",
    "ALTER TABLE retold.event DISABLE ROW LEVEL SECURITY": (
        "The table retold.event shows its rows to everybody: row security is off."
    ),
    "ALTER POLICY reader ON retold.event USING (true)": "The policy event.reader is not as Retold makes it.",
    "GRANT DELETE ON retold.event TO PUBLIC": "everybody may delete retold.event, which nobody may.",
    "ALTER TABLE retold.event DROP CONSTRAINT event_campaign_seq_key": (
        "The rule event UNIQUE (campaign, seq) of the tables is missing."
    ),
    "CREATE OR REPLACE FUNCTION retold.readable() RETURNS integer[] LANGUAGE sql AS 'SELECT NULL::int[]'": (
        "The function readable is not as Retold makes it."
    ),
}


@pytest.fixture(scope="module")
def meddled(cluster: Cluster) -> ServerAddress:
    """A database of its own, whose tables are changed by hand."""
    address = cluster.database("meddled")._replace(campaign="tampered")
    places.made(str(address), lambda store: store).close()
    return address


@pytest.mark.parametrize("statement", MEDDLED)
def test_tables_that_are_not_ours_are_found(statement: str, cluster: Cluster, meddled: ServerAddress) -> None:
    with closing(cluster.as_superuser("meddled")) as connection:
        assert list(soundness.schema_faults(connection)) == []
        with connection.transaction(force_rollback=True):
            said(connection, statement)
            assert MEDDLED[statement] in list(soundness.schema_faults(connection))


WIDENED = {
    "ALTER FUNCTION retold.readable() SET search_path = public": (
        "The function readable is not as Retold makes it."
    ),
    "ALTER FUNCTION retold.final() RESET search_path": "The function final is not as Retold makes it.",
    "ALTER FUNCTION retold.may_read(integer) OWNER TO postgres": (
        "The function may_read is not as Retold makes it."
    ),
}
MEDDLED |= WIDENED


def test_the_settings_that_keep_a_record_are_looked_at(cluster: Cluster, camp: CampaignStore) -> None:
    told = list(places.footing(camp.place))

    assert "The server has fsync = off: what it acknowledged may be lost when it stops." in told
    assert told[0].startswith("PostgreSQL ")
    assert list(camp.record.store.storage_faults()) == []


@pytest.mark.parametrize("computer", ["aarch64-apple-darwin23.6.0", "x86_64-pc-linux-gnu"])
def test_F6_a_server_on_macos_is_told_how_to_reach_its_disk(
    computer: str, superuser: Connection, address: ServerAddress, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = soundness._STANDING.replace("version()", f"'PostgreSQL 15.3 on {computer}'")
    monkeypatch.setattr(soundness, "_STANDING", asked)

    told = [sentence for sentence in soundness.footing(superuser, address) if "wal_sync_method" in sentence]

    assert len(told) == ("darwin" in computer)
    assert all("Set fsync_writethrough." in sentence for sentence in told)


# --- a server that took over ---


def lose_the_last(superuser: Connection, address: ServerAddress, count: int) -> None:
    """Makes the campaign as it is on a standby that lacks its last `count` events."""
    number = number_of(superuser, address)
    with superuser.transaction():
        said(superuser, "SET LOCAL session_replication_role = replica")
        ((size,),) = said(superuser, "SELECT size - %s FROM retold.campaign WHERE id = %s", count, number)
        said(superuser, "DELETE FROM retold.event WHERE campaign = %s AND seq > %s", number, size)
        said(superuser, "UPDATE retold.campaign SET size = %s WHERE id = %s", size, number)


@pytest.mark.parametrize("others", [0, 1, 3, 5])
def test_R_a_program_that_knew_more_than_the_server_that_took_over_records_nothing_there(
    others: int, camp: CampaignStore, superuser: Connection, address: ServerAddress
) -> None:
    writer = camp.writer(1)
    notes(writer, "one", "two", "three")
    receipt = f"1:{writer.head.position}:{writer.head.hash.hex()}"
    lose_the_last(superuser, address, 3)
    with CampaignStore.open(str(address)) as there:
        notes(there.writer(1), *map(str, range(others)))
        size = there.record.store.size()

        for _ in range(2):
            with pytest.raises(EndMissing, match=re.escape(f"(receipt {receipt})")):
                notes(writer, "in the air")

        assert there.record.store.size() == size
        notes(camp.writer(1), "and on")
        assert verify(there.record).whole


def test_R_as_many_events_as_before_on_a_server_that_took_over_are_not_taken_for_those_before(
    camp: CampaignStore, superuser: Connection, address: ServerAddress
) -> None:
    notes(camp.writer(1), "one", "two", "three")
    lose_the_last(superuser, address, 3)
    with CampaignStore.open(str(address)) as there:
        notes(there.writer(1), "1", "2", "3")

    with camp.record.writing():  # as somebody who asks nothing before
        head = camp.record.head(1)
        camp.branches.begin(1, head.position, Words("kinder"), None, Manner())
    assert verify(camp.record).whole


# --- who may ---


def account(cluster: Cluster, name: str, address: ServerAddress) -> ServerAddress:
    cluster.account(name)
    return cluster.address(address.campaign, name)


def test_a_stranger_sees_nothing_a_reader_reads_a_writer_writes(
    cluster: Cluster, camp: CampaignStore, address: ServerAddress
) -> None:
    theirs = account(cluster, "mary", address)
    with pytest.raises(NotACampaign, match=rf"no campaign {address.campaign} on .* that mary may see"):
        places.opened(str(theirs))

    roles.let(address, "mary", writes=False)
    with CampaignStore.open(str(theirs)) as reading:
        assert reading.table_at(1) == camp.table_at(1)
        with pytest.raises(CannotWrite, match="mary may only read"):
            notes(reading.writer(1), "no")

    roles.let(address, "mary", writes=True)
    with CampaignStore.open(str(theirs)) as writing:
        notes(writing.writer(1), "yes")
        assert verify(writing.record).whole
    assert [one.writers for one in roles.listed(theirs) if one.name == address.campaign] == [("mary",)]

    assert roles.forbid(address, "mary")
    assert not roles.forbid(address, "mary")
    with pytest.raises(NotACampaign):
        places.opened(str(theirs))


def test_one_table_sees_nothing_of_another(
    cluster: Cluster, camp: CampaignStore, address: ServerAddress
) -> None:
    other = cluster.address(new_name())
    played(str(other)).close()
    theirs = account(cluster, "nora", other)
    roles.let(other, "nora", writes=True)

    with closing(_connected(theirs)) as connection:
        assert said(connection, "SELECT name FROM retold.campaign") == [(other.campaign,)]
        assert said(connection, "SELECT count(DISTINCT campaign) FROM retold.event") == [(1,)]
        assert said(connection, "SELECT who FROM retold.may") == [("nora",)]
        with pytest.raises(psycopg.Error, match="row-level security"):
            said(
                connection,
                "INSERT INTO retold.event SELECT %s, seq, line, position, kind, body, words, hash"
                " FROM retold.event",
                number_of(cluster.as_superuser(), address),
            )


def test_who_is_no_keeper_makes_no_campaign(
    cluster: Cluster, camp: CampaignStore, address: ServerAddress
) -> None:
    theirs = account(cluster, "olga", address)
    roles.let(address, "olga", writes=True)

    with pytest.raises(CannotWrite, match="olga may make no campaign"):
        CampaignStore.create(str(theirs._replace(campaign=new_name())))
    with pytest.raises(CannotWrite, match="Only who prepared"):
        roles.let(theirs, "olga", writes=True)


def test_a_campaign_that_is_removed_is_gone_with_its_events(
    camp: CampaignStore, superuser: Connection, address: ServerAddress
) -> None:
    number, size, head = number_of(superuser, address), camp.record.store.size(), camp.record.head(1)

    removed = roles.remove(address)

    assert removed == (size, ((1, head.position, head.hash.hex()),))
    assert said(superuser, "SELECT count(*) FROM retold.event WHERE campaign = %s", number) == [(0,)]
    with pytest.raises(NotACampaign):
        places.opened(str(address))
    with pytest.raises(StoreError, match="There is no campaign"):
        camp.record.store.size()


# --- tables of other releases ---


@pytest.fixture
def other_release(cluster: Cluster) -> Callable[[int], ServerAddress]:
    name = f"release_{new_name()[9:]}"
    address = cluster.database(name, tables=False)._replace(campaign="salt-road")

    def of(version: int) -> ServerAddress:
        if version:
            roles.prepare(address)
            with cluster.as_superuser(name) as connection:
                said(connection, "UPDATE retold.meta SET version = %s", version)
        return address

    return of


def test_tables_that_are_not_there_are_named_with_who_makes_them(
    other_release: Callable[[int], ServerAddress],
) -> None:
    address = other_release(0)

    with pytest.raises(
        NotACampaign, match="has no tables of Retold yet: its owner says retold server prepare"
    ):
        places.opened(str(address))


def test_tables_of_a_later_release_are_left_alone(other_release: Callable[[int], ServerAddress]) -> None:
    address = other_release(schema.VERSION + 1)

    for doing in (lambda: places.opened(str(address)), lambda: roles.prepare(address)):
        with pytest.raises(TooNew, match=rf"are of version {schema.VERSION + 1}: take a later Retold\."):
            doing()


def test_tables_of_an_earlier_release_are_brought_up_to_this_one(
    other_release: Callable[[int], ServerAddress], monkeypatch: pytest.MonkeyPatch
) -> None:
    address = other_release(schema.VERSION)
    before, now = schema.VERSION, schema.VERSION + 1
    monkeypatch.setattr(schema, "VERSION", now)
    sentence = f"are of version {before}, and this Retold writes {now}: its owner says"
    with pytest.raises(StoreError, match=sentence):
        places.opened(str(address))

    assert roles.prepare(address)[:2] == (now, before)
    with pytest.raises(NotACampaign, match="no campaign salt-road"):
        places.opened(str(address))


def test_a_campaign_of_a_later_format_is_not_opened(
    camp: CampaignStore, superuser: Connection, address: ServerAddress
) -> None:
    said(superuser, "UPDATE retold.campaign SET format = 2 WHERE id = %s", number_of(superuser, address))

    with pytest.raises(TooNew, match=r"has format 2, and this Retold reads up to 1: take a later one\."):
        places.opened(camp.place)


def test_a_database_of_another_encoding_is_refused(cluster: Cluster) -> None:
    with pytest.raises(StoreError, match="its database is LATIN1, and has to be UTF8"):
        cluster.database("latin", encoding="LATIN1")


# --- followers ---


def test_a_follower_is_woken_by_any_connection_and_no_longer_once_it_has_ended(
    camp: CampaignStore, address: ServerAddress
) -> None:
    woken = threading.Semaphore(0)
    end = places.watched(camp.place, woken.release, 1.0)
    assert woken.acquire(timeout=PATIENCE)  # at once

    notes(camp.writer(1), "one")
    assert woken.acquire(timeout=PATIENCE)
    end()
    while woken.acquire(blocking=False):
        continue  # the database may tell of the first note twice
    notes(camp.writer(1), "two")

    assert not woken.acquire(timeout=1.5)


def test_a_follower_hears_again_after_its_connection_was_closed(
    cluster: Cluster, camp: CampaignStore, superuser: Connection, address: ServerAddress
) -> None:
    theirs = account(cluster, "sam", address)
    roles.let(address, "sam", writes=False)
    woken = threading.Semaphore(0)
    end = places.watched(str(theirs), woken.release, 1.0)
    assert woken.acquire(timeout=PATIENCE)
    listening = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE usename = 'sam' AND query LIKE 'SELECT id, stamp%'"
    )
    while not said(superuser, listening):
        pass  # it has not connected yet

    assert woken.acquire(timeout=PATIENCE)  # it cannot be asked
    while woken.acquire(timeout=2.5):  # and can be asked again
        pass
    notes(camp.writer(1), "one")
    assert woken.acquire(timeout=PATIENCE)
    end()


def test_R_a_follower_hears_again_after_the_service_file_could_not_be_read(
    camp: CampaignStore, superuser: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    woken, failed, connect = threading.Semaphore(0), threading.Event(), Server.connect
    end = places.watched(camp.place, woken.release, 1.0)
    assert woken.acquire(timeout=PATIENCE)

    def unnamed(server: Server) -> Connection:
        if threading.current_thread().name != "listening" or failed.is_set():
            return connect(server)
        failed.set()
        raise StoreError("There is no server called club.")

    monkeypatch.setattr(Server, "connect", unnamed)
    while not failed.wait(0.1):
        said(superuser, _END_LISTENING)
    while woken.acquire(timeout=2.5):  # and it can be asked again
        pass
    notes(camp.writer(1), "one")
    assert woken.acquire(timeout=PATIENCE)
    end()


_END_LISTENING = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'SELECT id, stamp%'"


def test_an_event_is_heard_of_though_its_notification_is_lost(
    camp: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "retold.journal.store.postgres.store.notification", lambda _: Call(Statement("nothing", "SELECT 1"))
    )
    woken = threading.Semaphore(0)
    end = places.watched(camp.place, woken.release, 1.0)
    assert woken.acquire(timeout=PATIENCE)

    notes(camp.writer(1), "one")
    assert woken.acquire(timeout=PATIENCE)
    end()


# --- a server that stops ---


def test_R_a_server_that_is_stopped_at_once_loses_nothing_acknowledged(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    with tempfile.TemporaryDirectory(prefix="retold-pg-") as folder:
        cluster = database_server.make(Path(folder), {"fsync": "on", "full_page_writes": "on"})
        try:
            database_server.furnish(cluster)
            address = cluster.address("salt-road")
            with played(str(address)) as camp:
                notes(camp.writer(1), *(f"note {number}" for number in range(20)))
                size = camp.record.store.size()
                cluster = cluster.restart(signal.SIGQUIT)

                assert camp.record.store.size() == size  # a new connection, by itself
                notes(camp.writer(1), "and on")
                assert verify(camp.record).whole
        finally:
            database_server.stop(cluster.process, cluster.folder)


# --- addresses ---


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("club:salt-road", ("club", "salt-road")),
        ("club:", ("club", "")),
        ("my.club-2:x", ("my.club-2", "x")),
        (
            "postgresql://mary@db.example.org:5433/games/x",
            ("postgresql://mary@db.example.org:5433/games", "x"),
        ),
        ("postgresql://db.example.org/games", ("postgresql://db.example.org/games", "")),
    ],
)
def test_an_address_is_a_server_and_a_campaign(text: str, found: tuple[str, str]) -> None:
    assert parse(text) == found


@pytest.mark.parametrize("text", ["./club:x", "c:x", "club", "club:a/b", r"C:\games\x"])
def test_text_other_than_an_address_is_a_file(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    "text", ["postgresql://mary:pw@h/d/c", "postgresql://mary:@h/d/c", "postgresql://h/d/c?password=pw"]
)
def test_a_password_in_an_address_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(StoreError, match="A password has no place in an address") as refused:
        parse(text)

    assert "pw" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["postgresql://h", "postgresql://h/d/c?sslmode=disable", "postgresql://h:x/d/c"]
)
def test_an_address_that_lacks_a_part_is_refused_with_its_form(text: str) -> None:
    with pytest.raises(StoreError, match=r"An address is postgresql://\[ACCOUNT@\]HOST"):
        parse(text)


def test_another_computer_is_believed_by_its_certificate_unless_the_service_file_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = tmp_path / "services.conf"
    services.write_text(
        "[far]\nhost=db.example.org\ndbname=games\n\n[weak]\nhost=db.example.org\nsslmode=require\n\n[near]\nhost=/run\n"
    )
    monkeypatch.setenv("PGSERVICEFILE", str(services))

    def parameters(text: str) -> dict[str, str]:
        found = parse(text)
        assert found is not None
        return found.parameters

    sure = {"sslmode": "verify-full", "sslrootcert": "system"}
    assert parameters("far:x") == {"host": "db.example.org", "dbname": "games", **sure}
    assert parameters("postgresql://db.example.org/games/x") == {
        "host": "db.example.org",
        "dbname": "games",
        **sure,
    }
    assert parameters("weak:x") == {"host": "db.example.org", "sslmode": "require"}
    assert parameters("near:x") == {"host": "/run"}
    assert parameters("postgresql://localhost/games/x") == {"host": "localhost", "dbname": "games"}
    assert "sslmode=require: another computer" in (places.weaker_encryption("weak:x") or "")
    assert places.weaker_encryption("far:x") is None


def test_the_warning_of_weaker_encryption_knows_the_host_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "services.conf"
    file.write_text("[weak]\ndbname=games\nsslmode=require\n", "utf-8")
    monkeypatch.setenv("PGSERVICEFILE", str(file))
    monkeypatch.delenv("PGHOST", raising=False)
    assert places.weaker_encryption("weak:x") is None

    monkeypatch.setenv("PGHOST", "db.example.org")
    assert "sslmode=require: another computer" in (places.weaker_encryption("weak:x") or "")


def test_a_store_opened_again_elsewhere_takes_no_password_along(
    cluster: Cluster, camp: CampaignStore
) -> None:
    reopen = camp.record.store.reopener()
    assert reopen is not None
    with closing(pickle.loads(pickle.dumps(reopen))()) as again:
        assert again.place == Address.on_server(str(camp.place))
        assert again.size() == camp.record.store.size()
