"""What is recorded stays recorded: several writers, deaths in the middle, full disks, what cannot be kept."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from retold.games.bruise import commands as b
from retold.journal.refused import Refused
from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import CannotWrite, NotACampaign
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner
from retold.journal.store.sqlite.connection import lock_holder, transaction
from retold.journal.store.sqlite.file import CampaignFile, create
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.files import file_of
from tests.journal.store.played import campaign, evening, in_a_file, notes, on_disk, play, played
from tests.patience import PATIENCE


@pytest.fixture
def camp(place: Address) -> Iterator[CampaignStore]:
    with campaign(place) as made:
        yield made


def noted(camp: CampaignStore, line: int = 1) -> list[str]:
    lives = line_events.live_events(camp.record, line)
    return [str(one.event.text) for one in lives if isinstance(one.event, e.Noted)]


def commits(camp: CampaignStore, act: Iterator[object] | None = None) -> list[str]:
    """Every transaction from now on, if the campaign is in a file."""
    found: list[str] = []
    if camp.place.file is None:
        return found
    on_disk(camp)._db.set_trace_callback(
        lambda sql: found.append(sql) if sql.split()[0] in ("BEGIN", "COMMIT", "ROLLBACK") else None
    )
    return found


# --- one writer ---


@in_a_file
def test_an_act_is_one_transaction(camp: CampaignStore) -> None:
    writer = camp.writer(1)
    seen = commits(camp)

    for command in evening():
        writer.record(command)

    assert seen == ["BEGIN IMMEDIATE", "COMMIT"] * len(evening())


@in_a_file
def test_a_refused_command_leaves_nothing_behind(camp: CampaignStore) -> None:
    writer = camp.writer(1)
    head, seen = camp.record.head(1), commits(camp)

    with pytest.raises(Refused):
        writer.record(c.Draw(who=7))

    assert camp.record.head(1) == head == writer.head
    assert seen == ["BEGIN IMMEDIATE", "ROLLBACK"]


def test_unfoldable_events_are_not_recorded(camp: CampaignStore) -> None:
    writer = camp.writer(1)
    before = camp.table_at(1)

    with pytest.raises(CannotWrite, match="does not fit the state of this line"):
        writer.record(c.Cast(who=7, name=Words("nobody they met")))

    assert writer.table == before == camp.table_at(1)
    assert writer.head == camp.record.head(1)
    notes(writer, "play goes on")


@in_a_file
def test_the_connection_is_set_as_the_record_asks(camp: CampaignStore) -> None:
    settings = {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
    }

    found = {name: on_disk(camp)._db.execute(f"PRAGMA {name}").fetchone()[0] for name in settings}

    assert found == settings


def test_the_record_is_append_only_save_for_words_taken_away(tmp_path: Path) -> None:
    played(tmp_path / "a.retold").close()
    refused = [
        "DELETE FROM event",
        "DELETE FROM event WHERE seq = 3",
        "UPDATE event SET body = body || ' '",
        "UPDATE event SET kind = 'x' WHERE seq = 3",
        "UPDATE event SET position = 99 WHERE seq = 3",
        "UPDATE event SET line = 2 WHERE seq = 3",
        "UPDATE event SET hash = zeroblob(32)",
        "UPDATE event SET seq = 99 WHERE seq = 3",
        "UPDATE event SET words = replace(words, 'Zel', 'Zol') WHERE seq = 5",
        "UPDATE event SET words = '[null]' WHERE seq = 5",
        "UPDATE event SET words = '[]' WHERE seq = 4",
        'UPDATE event SET words = \'[["AA","x"]]\' WHERE seq = 7',
    ]
    allowed = [
        "UPDATE event SET words = json_set(words, '$[1]', NULL) WHERE seq = 5",
        "UPDATE event SET words = NULL WHERE seq = 5",
        "UPDATE event SET words = NULL WHERE seq = 3",
    ]
    with closing(sqlite3.connect(tmp_path / "a.retold")) as db:
        for statement in refused:
            with pytest.raises(sqlite3.DatabaseError, match=r"append-only|UNIQUE"):
                db.execute(statement)
        for statement in allowed:
            db.execute(statement)
        with pytest.raises(sqlite3.DatabaseError, match="append-only"):
            db.execute('UPDATE event SET words = \'[["AA","back"]]\' WHERE seq = 3')


# --- what cannot be kept ---


def test_a_megabyte_of_text_is_kept(camp: CampaignStore) -> None:
    text = "Rain. " * 180_000

    camp.writer(1).record(c.Note(text=Words(text)))

    assert noted(camp) == [text]


def test_64_megabytes_are_refused_before_anything_is_written(camp: CampaignStore) -> None:
    writer, seen = camp.writer(1), commits(camp)

    with pytest.raises(Refused, match="longer than 16 MB"):
        writer.record(c.Note(text=Words("x" * 64 * 2**20)))

    assert seen == []


@pytest.mark.parametrize("bad", ["a\0b", "half \ud800 of one"])
@pytest.mark.parametrize(
    "command",
    [
        lambda bad: c.Note(text=Words(bad)),
        lambda bad: c.Cast(who=Words("Zel"), system="bruise", values={bad: 4}),
        lambda bad: c.Cast(who=Words("Zel"), system="bruise", values={"clubs": bad}),
        lambda bad: b.ChooseColour(suit=bad),
        lambda bad: c.Draw(results=(bad,)),
        lambda bad: c.OpenConflict(sides=((Words(bad),),)),
    ],
)
def test_nul_and_half_characters_are_refused(command, bad: str, camp: CampaignStore) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
    writer, seen = camp.writer(1), commits(camp)

    with pytest.raises(Refused, match="cannot be kept"):
        writer.record(command(bad))

    assert seen == []


@pytest.mark.parametrize("number", [2**53 + 1, -(2**64), 10**4000])
def test_numbers_other_readers_would_not_see_right_are_refused(number: int, camp: CampaignStore) -> None:
    setting = e.Setting(person=1, what="legacy", op="=", value=number)

    with pytest.raises(Refused, match="too large a number"):
        camp.writer(1).record(c.Rule(text=Words("why"), sets=(setting,)))


def test_everything_else_is_kept_exactly(camp: CampaignStore) -> None:
    texts = ["\u202eabc\u2028", "tab\tand\nline", "e\u0301 é", "\x1b[31m", "😀", "\ufeff", '"quoted\\"']

    notes(camp.writer(1), *texts)

    assert noted(camp) == texts


# --- Ctrl-C ---


class _Interrupted:
    """A connection at which somebody presses Ctrl-C just as the lock has been taken."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def execute(self, sql: str) -> sqlite3.Cursor:
        done = self.connection.execute(sql)
        if sql.startswith("BEGIN"):
            raise KeyboardInterrupt
        return done


@in_a_file
def test_R17_a_person_who_is_interrupted_as_the_lock_is_taken_lets_go_of_it(camp: CampaignStore) -> None:
    connection = on_disk(camp)._db

    with pytest.raises(KeyboardInterrupt):
        transaction(_Interrupted(connection)).__enter__()  # type: ignore[arg-type]

    assert not connection.in_transaction


@in_a_file
def test_R17_a_person_who_is_interrupted_as_an_act_is_kept_goes_on_from_what_is_kept(
    camp: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, head = camp.writer(1), camp.record.head(1)
    kept: list[object] = []

    @contextmanager
    def interrupted() -> Iterator[None]:
        begun = transaction(on_disk(camp)._db)
        kept.append(begun)  # as the traceback keeps it
        begun.__enter__()
        yield
        raise KeyboardInterrupt

    with monkeypatch.context() as interrupting:
        interrupting.setattr(type(camp.record), "writing", lambda _: interrupted())
        with pytest.raises(KeyboardInterrupt):
            notes(writer, "half said")

    assert writer.head == camp.record.head(1) == head
    notes(writer, "and on")
    assert noted(camp) == ["and on"]
    assert verify(camp.record).whole


# --- several writers ---


def test_an_act_of_another_writer_is_folded_before_deciding(place: Address, camp: CampaignStore) -> None:
    with CampaignStore.open(place) as other:
        mine, theirs = camp.writer(1), other.writer(1)
        notes(theirs, "theirs")

        done = mine.record(c.Note(text=Words("mine")))

        assert done.others == 1
        assert noted(camp) == ["theirs", "mine"]


def test_a_decision_changed_by_another_writers_act_is_refused(place: Address, camp: CampaignStore) -> None:
    with CampaignStore.open(place) as other:
        mine, theirs = camp.writer(1), other.writer(1)
        theirs.record(c.Cast(who=Words("Ana")))

        with pytest.raises(Refused, match="1 act came in first and changed what this does"):
            mine.record(c.Cast(who=Words("Bea")))

        assert mine.record(c.Cast(who=Words("Bea"))).events == (
            e.CastIntroduced(person=2, name=Words("Bea")),
        )


def test_a_person_who_still_writes_to_a_line_that_was_left_is_told_where_play_went(
    place: Address, camp: CampaignStore
) -> None:
    with CampaignStore.open(place) as other:
        mine = camp.writer(1)
        line = other.fork(1, 2, Words("kinder"))
        other.promote(line)

        with pytest.raises(Refused, match="Play went on elsewhere"):
            notes(mine, "too late")


def test_the_same_act_id_is_recorded_once(place: Address, camp: CampaignStore) -> None:
    with CampaignStore.open(place) as other:
        mine, theirs = camp.writer(1), other.writer(1)
        command, manner = c.Note(text=Words("once")), Manner(act="an-id-of-mine")

        first = theirs.record(command, manner)
        again = mine.record(command, manner)  # this writer has not seen it yet
        third = theirs.record(command, manner)

        assert (again.first, again.events, again.again) == (first.first, first.events, True)
        assert third.again
        assert noted(camp) == ["once"]


def test_an_act_id_that_another_recorded_meanwhile_is_found(place: Address, camp: CampaignStore) -> None:
    with CampaignStore.open(place) as other:
        mine, theirs = camp.writer(1), other.writer(1)
        assert mine.already("theirs") is None

        first = theirs.record(c.Note(text=Words("once")), Manner(act="theirs"))
        own = mine.record(c.Note(text=Words("mine")), Manner(act="mine"))

        assert [found and found.first for found in map(mine.already, ("theirs", "mine", "nobody's"))] == [
            first.first,
            own.first,
            None,
        ]


WRITES = textwrap.dedent("""
    import sys
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.journal.vocabulary import commands as c
    from retold.journal.vocabulary.base import Words

    with CampaignStore.open(sys.argv[1]) as camp:
        writer = camp.writer(1)
        for number in range(int(sys.argv[3])):
            writer.record(c.Note(text=Words(f"{sys.argv[2]}{number}")))
""")


def test_writers_in_several_processes_lose_nothing(camp: CampaignStore) -> None:
    each, names = 33, "abc"
    started = [
        subprocess.Popen(
            [sys.executable, "-c", WRITES, str(camp.place), name, str(each)], cwd=Path(__file__).parents[3]
        )
        for name in names
    ]

    assert [process.wait(PATIENCE) for process in started] == [0] * len(names)
    found = noted(camp)
    assert sorted(found) == sorted(f"{name}{number}" for name in names for number in range(each))
    for name in names:
        assert [one for one in found if one[0] == name] == [f"{name}{number}" for number in range(each)]
    assert verify(camp.record).whole


# --- deaths ---

KILLED = textwrap.dedent("""
    import sys
    from pathlib import Path
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.journal.vocabulary import commands as c
    from retold.journal.vocabulary.base import Words

    with CampaignStore.open(sys.argv[1]) as camp:
        writer = camp.writer(1)
        for number in range(int(sys.argv[2]), 10**9):
            writer.record(c.Note(text=Words(f"n{number}")))
            sys.stdout.write(f"{number}\\n")
            sys.stdout.flush()
""")

KILLS = 5


def test_kill_9_in_the_middle_of_appends_loses_nothing_acknowledged(
    place: Address, camp: CampaignStore
) -> None:
    acknowledged = -1
    for kill in range(KILLS):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(camp.place), str(acknowledged + 1)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )
        assert process.stdout is not None
        for _ in range(3 + kill * 9):
            acknowledged = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        process.wait()
        for line in process.stdout.read().splitlines():
            acknowledged = int(line)
        process.stdout.close()

        found = [int(one[1:]) for one in noted(camp)]
        assert found[: acknowledged + 1] == list(range(acknowledged + 1))
        assert len(found) <= acknowledged + 2  # at most one recorded and not acknowledged
        acknowledged = found[-1]
    assert verify(camp.record).whole


FULL = textwrap.dedent("""
    import resource, signal, sys
    from pathlib import Path
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.journal.store.contract.errors import CannotWrite, NotACampaign
    from retold.journal.vocabulary import commands as c
    from retold.journal.vocabulary.base import Words

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with CampaignStore.open(Path(sys.argv[1])) as camp:
        writer = camp.writer(1)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), hard))
        number = 0
        try:
            while True:
                writer.record(c.Note(text=Words(f"n{number}" + "x" * 500)))
                number += 1
        except CannotWrite as error:
            print(number, error)
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        writer.record(c.Note(text=Words("after")))  # room again: no repair is needed
""")


@in_a_file
@pytest.mark.skipif(sys.platform == "win32", reason="a limit on the size of a file is POSIX's")
@pytest.mark.parametrize("limit", [60_000, 100_001, 262_144])
def test_a_full_disk_is_one_sentence_and_loses_nothing(limit: int, camp: CampaignStore) -> None:
    told = subprocess.run(
        [sys.executable, "-c", FULL, str(camp.place), str(limit)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[3],
    )

    assert told.stderr == ""
    number, _, sentence = told.stdout.partition(" ")
    assert sentence.startswith("Nothing was recorded: the disk does not take it")
    assert "bytes are free" in sentence
    found = noted(camp)
    assert [one.rstrip("x") for one in found[:-1]] == [f"n{one}" for one in range(int(number))]
    assert found[-1] == "after"
    assert verify(camp.record).whole


@in_a_file
def test_a_hung_writer_is_waited_for_and_then_named(
    camp: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("retold.journal.store.sqlite.connection.BUSY_SECONDS", 0.1)
    with (
        closing(sqlite3.connect(file_of(camp), isolation_level=None)) as hung,
        CampaignFile.open(file_of(camp)) as file,
    ):
        hung.execute("BEGIN IMMEDIATE")

        with pytest.raises(CannotWrite, match="has held"):
            writing(file)
        hung.execute("ROLLBACK")
        writing(file)


def writing(file: CampaignFile) -> None:
    with file.writing():
        pass


@contextmanager
def held(path: Path) -> Iterator[None]:
    """The file, locked for writing by another connection."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield
        other.execute("ROLLBACK")


@in_a_file
@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux lists who holds which lock")
def test_S18_the_holder_of_the_lock_is_named(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retold.journal.store.sqlite.connection.BUSY_SECONDS", 0.0)
    with held(file_of(camp)), CampaignFile.open(file_of(camp)) as file:
        with pytest.raises(CannotWrite, match=rf"process {os.getpid()} \(.+\) has held .*a\.retold for 0"):
            writing(file)
        assert lock_holder(file_of(camp)) is not None
    with CampaignFile.open(file_of(camp)):
        assert lock_holder(file_of(camp)) is None


@in_a_file
@pytest.mark.skipif(sys.platform == "win32", reason="there is no alarm there")
def test_S18_ctrl_c_ends_the_wait_for_a_lock(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Waited for within SQLite, it would be heard after all of `BUSY_SECONDS` (and this test not end)."""
    monkeypatch.setattr("retold.journal.store.sqlite.connection.BUSY_SECONDS", 1e6)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with held(file_of(camp)), CampaignFile.open(file_of(camp)) as file:
            signal.setitimer(signal.ITIMER_REAL, 0.01)
            with pytest.raises(KeyboardInterrupt):
                writing(file)
        with CampaignFile.open(file_of(camp)) as file:
            writing(file)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_S18_a_list_of_locks_is_read_as_linux_writes_it(tmp_path: Path) -> None:
    path = tmp_path / "a.retold"
    shared = tmp_path / "a.retold-shm"
    shared.touch()
    inode = shared.stat().st_ino
    (tmp_path / "locks").write_text(
        f"1: POSIX  ADVISORY  READ 11 fd:01:{inode} 120 120\n"
        f"2: POSIX  ADVISORY  WRITE 12 fd:01:{inode} 123 123\n"
        f"3: POSIX  ADVISORY  WRITE 13 fd:01:{inode + 1} 120 120\n"
        f"4: OFDLCK ADVISORY  WRITE 4711 fd:01:{inode} 120 120\n"
    )
    assert lock_holder(path, tmp_path) == "process 4711"

    (tmp_path / "4711").mkdir()
    (tmp_path / "4711" / "cmdline").write_bytes(b"/usr/bin/retold\0play\0" + b"x" * 80 + b"\0")
    assert lock_holder(path, tmp_path) == f"process 4711 (retold play {'x' * 48}…)"


def test_nothing_is_written_through_a_file_opened_for_reading(camp: CampaignStore) -> None:
    with CampaignStore.open(camp.place, read_only=True) as reader:
        writer = reader.writer(1)
        with pytest.raises(CannotWrite, match="for reading only"):
            notes(writer, "no")


def as_nobody(script: str, *arguments: str) -> str:
    """What a script prints that is run without the powers of root, whom no permission holds back.

    Where nobody else may read this Python or these sources, what it was to show cannot be shown, and the test
    that asks is skipped.
    """
    trial = _as_nobody("import retold.journal.store.writing.campaign; print('well')")
    if trial != "well\n":
        reason = trial.strip().rpartition("\n")[2]
        pytest.skip(f"an unprivileged user cannot run Retold with this Python: {reason}")
    return _as_nobody(script, *arguments)


def _as_nobody(script: str, *arguments: str) -> str:
    try:
        told = subprocess.run(
            [sys.executable, "-c", script, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parents[3],
            user=65534 if os.getuid() == 0 else None,
            env={"PATH": os.environ["PATH"], "TMPDIR": "/tmp", "PYTHONDONTWRITEBYTECODE": "1"},
        )
    except PermissionError as error:
        return str(error)
    return told.stdout + told.stderr


def test_F4_tests_that_need_an_unprivileged_python_skip_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "python"
    mine.write_text("")
    mine.chmod(0)
    monkeypatch.setattr(sys, "executable", str(mine))

    with pytest.raises(pytest.skip.Exception, match="Permission denied"):
        as_nobody(READ_ONLY)


READ_ONLY = textwrap.dedent("""
    import sys
    from pathlib import Path
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.journal.store.contract.errors import StoreError
    from retold.journal.vocabulary import commands as c
    from retold.journal.vocabulary.base import Words

    with CampaignStore.open(Path(sys.argv[1]), read_only=True) as camp:
        print(camp.record.head(1).position, camp.table_at(1).title)
    try:
        with CampaignStore.open(Path(sys.argv[1])) as camp:
            camp.writer(1).record(c.Note(text=Words("x")))
    except StoreError as error:
        print(error)
""")


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_may_only_be_read_is_read_and_not_written(
    what: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    path = folder / "a.retold"
    try:
        with campaign(path) as camp:
            notes(camp.writer(1), "one")
        folder.chmod(0o777)
        path.chmod(0o444)
        if what == "folder":
            folder.chmod(0o555)

        told = as_nobody(READ_ONLY, str(path))

        assert told.splitlines()[0] == "3 The Salt Road"
        assert "read-only" in told.splitlines()[1]
    finally:
        folder.chmod(0o777)
        for left in folder.iterdir():
            left.unlink()
        folder.rmdir()


def test_a_log_beside_a_file_in_a_read_only_folder_is_read_as_well(tmp_path: Path) -> None:
    folder = Path(subprocess.check_output(["mktemp", "-d"], text=True).strip())
    path = tmp_path / "a.retold"
    try:
        with campaign(path) as camp:
            notes(camp.writer(1), "one")
            for suffix in ("", "-wal"):
                (folder / f"a.retold{suffix}").write_bytes(Path(f"{path}{suffix}").read_bytes())
        for left in folder.iterdir():
            left.chmod(0o444)
        folder.chmod(0o555)

        told = as_nobody(READ_ONLY, str(folder / "a.retold"))

        assert told.splitlines()[0] == "3 The Salt Road"
    finally:
        folder.chmod(0o777)
        for left in folder.iterdir():
            left.unlink()
        folder.rmdir()


def test_no_room_for_a_new_campaign_leaves_no_file(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource", reason="a limit on the size of a file is POSIX's")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    was = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        with pytest.raises(CannotWrite, match="cannot be written"):
            create(tmp_path / "a.retold", CampaignFile.close)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, was)

    assert list(tmp_path.iterdir()) == []


KILLED_AT_BIRTH = textwrap.dedent("""
    import os, sys
    from pathlib import Path
    from retold.journal.store.sqlite import file
    from retold.journal.store.writing.campaign import CampaignStore

    append, left = file.CampaignFile.append, int(sys.argv[2])

    def killed(self, rows):
        global left
        append(self, rows)
        left -= 1
        if not left:
            os._exit(9)

    file.CampaignFile.append = killed
    CampaignStore.create(Path(sys.argv[1]), title="The Salt Road").close()
""")


@pytest.mark.parametrize("inserts", [1, 2])
def test_a_campaign_killed_while_it_is_made_is_none_and_can_be_made(inserts: int, tmp_path: Path) -> None:
    path = tmp_path / "a.retold"
    command = [sys.executable, "-c", KILLED_AT_BIRTH, str(path), str(inserts)]

    assert subprocess.run(command, cwd=Path(__file__).parents[3], check=False).returncode == 9
    with pytest.raises(NotACampaign):
        CampaignStore.open(path, read_only=True)
    with CampaignStore.create(path, title="The Salt Road") as camp:
        lives = line_events.live_events(camp.record, 1)
        assert [type(one.event) for one in lives] == [e.CampaignBegun, e.CampaignNamed]
        assert verify(camp.record).whole


def test_a_title_that_cannot_be_kept_makes_no_campaign(place: Address, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="That text is longer than 16 MB"):
        CampaignStore.create(place, title="x" * (16 * 2**20 + 1))

    assert list(tmp_path.iterdir()) == []


# --- branches ---


def test_a_branch_shares_what_came_before_it_and_nothing_after(camp: CampaignStore) -> None:
    writer = camp.writer(1)
    notes(writer, "a", "b")
    branch = camp.writer(camp.fork(1, 3, Words("other")))
    notes(branch, "c")
    notes(writer, "d")

    assert noted(camp, 1) == ["a", "b", "d"]
    assert noted(camp, branch.line) == ["a", "c"]


def test_a_branch_does_not_begin_in_the_middle_of_an_act(camp: CampaignStore) -> None:
    play(camp.writer(1), evening()[:3])

    with pytest.raises(Refused, match="in the middle of an act: fork at 8, after it, or at 4"):
        camp.fork(1, 6, Words("other"))


def test_two_branches_of_one_name_are_refused(camp: CampaignStore) -> None:
    camp.fork(1, 2, Words("kinder"))

    with pytest.raises(Refused, match="There is a branch Kinder already"):
        camp.fork(1, 2, Words("Kinder"))


def test_many_nested_forks_are_followed(camp: CampaignStore) -> None:
    line: LineWriter = camp.writer(1)
    for number in range(300):
        line = LineWriter(
            camp,
            camp.fork(line.line, camp.record.head(line.line).position, Words(f"b{number}")),
            line.table,
            line.head,
            line.amendments,
        )

    assert len(camp.record.lineage(line.line)) == 301
    with CampaignStore.open(camp.place, read_only=True) as fresh:
        assert fresh.record.store.head(301).position == 302
        assert fresh.record.store.streams() == tuple(range(1, 302))
