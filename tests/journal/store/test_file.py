"""Files that are not campaigns, or not one for us: a sentence for each, and not a byte written."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from retold.journal.store.contract.errors import CannotWrite, Damaged, NotACampaign, StoreError, TooNew
from retold.journal.store.contract.event_store import FORMAT
from retold.journal.store.sqlite import connection, schema
from retold.journal.store.sqlite.file import CampaignFile, create
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import notes, on_disk, played


def sqlite_file(path: Path, application: int = 0, version: int = 0) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE other (x)")
        db.execute(f"PRAGMA application_id = {application}")
        db.execute(f"PRAGMA user_version = {version}")
        db.commit()


def make(kind: str, path: Path) -> None:
    match kind:
        case "a folder":
            path.mkdir()
        case "an empty file":
            path.touch()
        case "a text":
            path.write_text("Once upon a time")
        case "a picture":
            path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
        case "another SQLite file":
            sqlite_file(path)
        case "a later format":
            sqlite_file(path, schema.APPLICATION_ID, FORMAT + 1)
        case "no more than a beginning":
            played(path).close()
            path.write_bytes(path.read_bytes()[:5000])
        case "an image of nothing":
            path.write_bytes(bytes(8192))


SENTENCES = {
    "nothing": (NotACampaign, "There is no campaign"),
    "a folder": (NotACampaign, "is a folder"),
    "an empty file": (NotACampaign, "is not a Retold campaign"),
    "a text": (NotACampaign, "is not a Retold campaign"),
    "a picture": (NotACampaign, "is not a Retold campaign"),
    "another SQLite file": (NotACampaign, "is not a Retold campaign"),
    "an image of nothing": (NotACampaign, "is not a Retold campaign"),
    "a later format": (TooNew, "take a later one"),
    "no more than a beginning": (Damaged, "is damaged"),
}


@pytest.mark.parametrize("read_only", [True, False])
@pytest.mark.parametrize("kind", SENTENCES)
def test_other_files_are_refused_and_left_unchanged(kind: str, read_only: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.retold"
    make(kind, path)
    before = path.read_bytes() if path.is_file() else None
    error, sentence = SENTENCES[kind]

    with pytest.raises(error, match=sentence):
        opened_and_read(path, read_only=read_only)

    assert (path.read_bytes() if path.is_file() else None) == before
    assert {one.name for one in tmp_path.iterdir()} <= {"a.retold", "a.retold-wal", "a.retold-shm"}


def opened_and_read(path: Path, *, read_only: bool) -> None:
    with CampaignStore.open(path, read_only=read_only) as camp:
        camp.writer(1)


def test_what_is_there_already_is_not_written_over(tmp_path: Path) -> None:
    path = tmp_path / "a.retold"
    path.write_text("mine")

    with pytest.raises(StoreError, match="is there already"):
        create(path, CampaignFile.close)
    assert path.read_text() == "mine"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be made: no such file or directory"):
        create(tmp_path / "no" / "a.retold", CampaignFile.close)


ANY_NAMES = ["with space.retold", "100%25.retold", "a#b.retold", "é—.retold", "a;b&c=d.retold", "🦊.retold"]


@pytest.mark.parametrize("name", ANY_NAMES if sys.platform == "win32" else [*ANY_NAMES, "what?.retold"])
def test_any_name_will_do(name: str, tmp_path: Path) -> None:
    played(tmp_path / name).close()

    with CampaignFile.open(tmp_path / name) as file:
        assert file.head(1).position > 1


@pytest.fixture
def archived(tmp_path: Path) -> Path:
    """A campaign that nobody may write, in a folder that anybody may."""
    path = tmp_path / "a.retold"
    played(path).close()
    path.chmod(0o444)
    return path


def left(path: Path) -> list[str]:
    """What lies beside a campaign that was read and closed."""
    with CampaignStore.open(path, read_only=True) as camp:
        assert camp.writer(1).head.position > 1
    return sorted(one.name for one in path.parent.iterdir() if one != path)


@pytest.mark.skipif(sys.platform == "win32", reason="there permissions are others")
def test_S10_reading_a_read_only_file_leaves_nothing_beside_it(archived: Path) -> None:
    assert left(archived) == []
    archived.chmod(0o644)
    with CampaignStore.open(archived) as camp:
        notes(camp.writer(1), "It goes on.")


@pytest.mark.skipif(sys.platform == "win32", reason="there permissions are others")
def test_S10_taken_as_what_may_change_it_would_be_left_with_memory_that_is_read_only(
    archived: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control; somebody who may not write cannot take it away either."""
    monkeypatch.setattr(connection, "_mode", lambda _: "ro")
    monkeypatch.setattr(CampaignFile, "_delete_empty_log", lambda _: None)

    assert "a.retold-shm" in left(archived)
    assert archived.with_name("a.retold-shm").stat().st_mode & 0o222 == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there permissions are others")
def test_S10_memory_that_is_read_only_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.retold"
    played(path).close()
    path.with_name("a.retold-shm").touch(0o444)
    monkeypatch.setattr("os.access", lambda one, _: Path(one) == path)  # as for anybody but root

    said = str(connection.not_opened(path, sqlite3.OperationalError("attempt to write a readonly database")))

    assert "a.retold-shm beside it is read-only" in said


def test_a_copy_of_a_closed_file_is_whole(tmp_path: Path) -> None:
    played(tmp_path / "a.retold").close()

    assert [one.name for one in tmp_path.iterdir()] == ["a.retold"]


def test_a_backup_is_whole_while_a_writer_is_open(tmp_path: Path) -> None:
    with played(tmp_path / "a.retold") as camp:
        notes(camp.writer(1), "not in the file itself yet")
        on_disk(camp).backup(tmp_path / "b.retold")
        head = camp.record.head(1)

    with CampaignFile.open(tmp_path / "b.retold") as copy:
        assert copy.head(1) == head


def test_a_backup_is_never_made_over_something(tmp_path: Path) -> None:
    with played(tmp_path / "a.retold") as camp, pytest.raises(StoreError, match="is there already"):
        on_disk(camp).backup(tmp_path / "a.retold")


@pytest.mark.parametrize("kinds", [("table.undone",), ("table.forked", "table.promoted")])
def test_signposts_are_found_without_reading_the_rest(kinds: tuple[str, ...], tmp_path: Path) -> None:
    with played(tmp_path / "a.retold") as camp:
        asked: list[str] = []
        db = on_disk(camp)._db
        db.set_trace_callback(asked.append)
        list(camp.record.rows(1, 0, None, kinds))
        list(camp.record.everything(kinds))
        db.set_trace_callback(None)
        plans = [db.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall() for sql in asked]

    assert all("signpost" in str(plan[0]) for plan in plans)


def test_a_file_that_cannot_be_folded_now_says_so(tmp_path: Path) -> None:
    with played(tmp_path / "a.retold") as camp:
        store = camp.record.store
        with store.writing(), pytest.raises(CannotWrite, match=r"a\.retold cannot be written: .*locked"):
            store.settle()

        assert store.settle() == ()


def beside(path: Path) -> set[str]:
    return {one.name for one in path.parent.iterdir()} - {path.name}


def test_readers_leave_nothing_beside_the_file_and_write_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.retold"
    played(path).close()
    before, written = path.read_bytes(), path.stat().st_mtime_ns

    with CampaignFile.open(path, read_only=True) as one, CampaignFile.open(path, read_only=True) as other:
        one.size()
        assert beside(path) == {"a.retold-wal", "a.retold-shm"}
        one.close()
        assert beside(path) == {"a.retold-wal", "a.retold-shm"}
        assert other.size()

    assert not beside(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (before, written)


def test_a_reader_that_closes_takes_nothing_from_the_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.retold"
    with played(path) as camp:
        writer = camp.writer(1)
        camp.record.store.settle()
        CampaignFile.open(path, read_only=True).close()
        assert beside(path) == {"a.retold-wal", "a.retold-shm"}
        notes(writer, "and on")

    assert not beside(path)
    with CampaignStore.open(path, read_only=True) as camp:
        assert camp.record.head(1).position == writer.head.position


def test_a_killed_writers_wal_is_kept_for_the_next_writer(tmp_path: Path) -> None:
    path, copy = tmp_path / "a.retold", tmp_path / "copy" / "a.retold"
    copy.parent.mkdir()
    with played(path) as camp:
        notes(camp.writer(1), "the last")
        for suffix in ("", "-wal"):  # as it lies there when its writer is killed
            copy.with_name(f"a.retold{suffix}").write_bytes(path.with_name(f"a.retold{suffix}").read_bytes())
        size = camp.record.store.size()
    log = copy.with_name("a.retold-wal").read_bytes()

    with CampaignFile.open(copy, read_only=True) as file:
        assert file.size() == size

    assert log
    assert copy.with_name("a.retold-wal").read_bytes() == log


def test_a_folder_that_is_read_only_is_named_and_not_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.retold"
    played(path).close()
    readonly = sqlite3.OperationalError("attempt to write a readonly database")
    monkeypatch.setattr("os.access", lambda one, _: Path(one) == path)
    in_folder = str(connection.not_opened(path, readonly))
    monkeypatch.setattr("os.access", lambda _one, _: False)
    itself = str(connection.not_opened(path, readonly))

    assert in_folder == f"{path} cannot be written: its folder is read-only."
    assert itself == f"{path} cannot be written: it is read-only."
