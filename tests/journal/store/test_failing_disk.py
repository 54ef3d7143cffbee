"""A disk that fails at the very last step: what is said of an act is true of the file."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from retold.journal.store.contract.address import Address
from retold.journal.store.contract.errors import CannotWrite, Doubtful, StoreError
from retold.journal.store.events.acts import Manner
from retold.journal.store.sqlite import file as file_
from retold.journal.store.sqlite.connection import unwritten
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.store.writing.redact import plan_redaction, redact
from retold.journal.store.writing.undo import undo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from tests.files import file_of
from tests.journal.store.played import on_disk


@pytest.fixture
def place(tmp_path: Path) -> Address:
    """A file: it is its disk that fails."""
    return Address.of_file(tmp_path / "a.retold")


ACTS: dict[str, Callable[[CampaignStore, LineWriter], object]] = {
    "note": lambda _, writer: writer.record(c.Note(text=Words("Once."))),
    "undo": lambda _, writer: undo(writer),
    "branch": lambda camp, writer: camp.fork(1, writer.head.position, Words("elsewhere")),
    "promote": lambda camp, _: camp.promote(2),
    "redact": lambda _, writer: redact(writer, plan_redaction(writer, c.Redact(at=2))),
}


@dataclass
class Failing:
    """A connection whose COMMIT ends with an error: after it was done, or with nothing done."""

    connection: sqlite3.Connection
    done: bool
    said: str = "disk I/O error"

    def execute(self, sql: str, *given: Any) -> Any:  # noqa: ANN401 -- as the connection has it
        if sql != "COMMIT":
            return self.connection.execute(sql, *given)
        if self.done:
            self.connection.execute(sql)
        raise sqlite3.OperationalError(self.said)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 -- as above
        return getattr(self.connection, name)


def failing(
    camp: CampaignStore, monkeypatch: pytest.MonkeyPatch, *, done: bool, said: str = "disk I/O error"
) -> None:
    """Lets the next commit of a campaign fail."""
    file = on_disk(camp)
    monkeypatch.setattr(file, "_db", Failing(file._db, done, said))


@pytest.fixture
def branched(camp: CampaignStore) -> CampaignStore:
    """A campaign with a second line, that may be promoted."""
    camp.fork(1, 2, Words("other"))
    return camp


def size(camp: CampaignStore) -> int:
    """How many events the next who opens the file finds."""
    with CampaignStore.open(camp.place) as again:
        return again.record.store.size()


@pytest.mark.parametrize("act", ACTS)
def test_an_act_recorded_despite_a_failing_disk_is_reported_as_recorded(
    act: str, branched: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, before = branched.writer(1), size(branched)
    failing(branched, monkeypatch, done=True)

    with pytest.raises(Doubtful, match=r"but it is recorded in .*a\.retold, at \d+: do not say it again\."):
        ACTS[act](branched, writer)

    monkeypatch.undo()
    assert size(branched) > before


@pytest.mark.parametrize("said", ["disk I/O error", "database or disk is full"])
@pytest.mark.parametrize("act", ACTS)
def test_an_unrecorded_act_is_reported_as_unrecorded(
    act: str, said: str, branched: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, before = branched.writer(1), size(branched)
    failing(branched, monkeypatch, done=False, said=said)

    with pytest.raises(CannotWrite, match=r"^Nothing was recorded: the disk does not take it"):
        ACTS[act](branched, writer)

    monkeypatch.undo()
    assert size(branched) == before
    ACTS[act](branched, writer)
    assert size(branched) > before


def unreadable(*_: object, **__: object) -> sqlite3.Connection:
    """Stands for opening a file that cannot be opened."""
    raise sqlite3.OperationalError("disk I/O error")


@pytest.mark.parametrize("done", [True, False])
@pytest.mark.parametrize("act", ACTS)
def test_an_unknown_outcome_is_reported_as_unknown(
    act: str, done: bool, branched: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer, path = branched.writer(1), file_of(branched)
    failing(branched, monkeypatch, done=done)
    monkeypatch.setattr(CampaignFile, "settle", lambda *_: (path,))
    monkeypatch.setattr(file_, "opened", unreadable)

    with pytest.raises(Doubtful, match=r"nobody can say yet whether it was recorded .* look with log -n 1"):
        ACTS[act](branched, writer)


def test_repeating_an_act_id_records_it_once(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    writer, manner = camp.writer(1), Manner(act="mine")
    failing(camp, monkeypatch, done=True)
    with pytest.raises(Doubtful):
        writer.record(c.Note(text=Words("Once.")), manner)

    monkeypatch.undo()
    again = camp.writer(1).record(c.Note(text=Words("Once.")), manner)

    assert again.again
    assert again.last == camp.record.head(1).position


def test_the_writer_continues_from_the_record(camp: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    writer = camp.writer(1)
    for done in (True, False):
        failing(camp, monkeypatch, done=done)
        with pytest.raises((Doubtful, CannotWrite)):
            writer.record(c.Cast(who=Words(f"Ned {done}"), by=Words("Omar")))
        monkeypatch.undo()

    writer.record(c.Note(text=Words("Afterwards.")))

    assert writer.table.called("Ned True") is not None
    assert writer.table.called("Ned False") is None
    assert writer.table == camp.table_at(1)


def test_without_reading_back_the_answer_would_be_wrong(
    camp: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: the same failure, taken at its word."""
    before = size(camp)
    monkeypatch.setattr(
        CampaignFile, "_read_back", lambda file, error: CannotWrite(unwritten(file.path, error))
    )
    writer = camp.writer(1)
    failing(camp, monkeypatch, done=True)

    with pytest.raises(CannotWrite, match="Nothing was recorded"):
        ACTS["note"](camp, writer)

    assert size(camp) > before


def test_a_redaction_names_a_log_it_could_not_empty(
    camp: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: CampaignFile, __: float = 0) -> tuple[Path, ...]:
        raise CannotWrite("a.retold cannot be written: disk I/O error.")

    writer = camp.writer(1)
    monkeypatch.setattr(CampaignFile, "settle", fails)

    done = redact(writer, plan_redaction(writer, c.Redact(at=2)))

    assert done.failed == "a.retold cannot be written: disk I/O error."
    assert done.done.last == camp.record.head(1).position


@pytest.mark.parametrize(
    ("said", "free", "says"),
    [
        ("disk I/O error", 25_000_000_000, "(disk I/O error), though 25,000,000,000 bytes are free for"),
        ("disk I/O error", 4_096, "(4,096 bytes are free for x.retold). Free some space and say it again."),
        ("database or disk is full", 25_000_000_000, "Free some space and say it again."),
    ],
)
def test_X13_a_full_disk_asks_for_space(
    said: str, free: int, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))

    sentence = unwritten(Path("x.retold"), sqlite3.OperationalError(said))

    assert says in sentence
    assert ("make a backup on another one" in sentence) is ("though" in says)


@contextmanager
def no_room() -> Iterator[None]:
    """Context manager: no file takes a byte."""
    resource = pytest.importorskip("resource", reason="a limit on the size of a file is POSIX's")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))  # Python ignores the signal of this limit
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture
def closed(camp: CampaignStore) -> Path:
    """The file of a campaign that nobody has open."""
    camp.close()
    return file_of(camp)


def test_a_campaign_on_a_full_disk_is_read_by_any_thread(closed: Path) -> None:
    with CampaignFile.open(closed, read_only=True) as file:
        expected = file.size()

    with no_room(), CampaignFile.open(closed, read_only=True) as file, ThreadPoolExecutor(1) as threads:
        found = threads.submit(file.size).result()

    assert found == expected > 0


def test_a_campaign_on_a_full_disk_is_not_opened_for_writing_and_says_why(
    closed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=512))

    with no_room(), pytest.raises(StoreError) as refused:
        CampaignFile.open(closed)

    assert str(refused.value) == (
        f"{closed} cannot be opened: its disk is full (512 bytes are free); free some space first."
    )


def test_no_room_in_the_temporary_folder_is_reported(
    camp: CampaignStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file_of(camp)
    killed = path.with_name("killed.retold")  # as a process that was killed leaves it
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", f"{killed}{suffix}")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=512))

    with no_room(), pytest.raises(StoreError, match="its disk is full"):
        CampaignFile.open(killed, read_only=True)


def test_a_campaign_that_fills_the_disk_is_reported_as_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.retold"
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=512))

    def opened(*_: object, **__: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(file_, "opened", opened)
        with pytest.raises(Doubtful) as refused:
            CampaignStore.create(path, title="The Salt Road")

    assert str(refused.value) == (
        f"{path} is made, but cannot be opened: its disk is full (512 bytes are free); free some space first."
    )
    with CampaignStore.open(path) as camp:
        assert camp.record.store.size() > 0
