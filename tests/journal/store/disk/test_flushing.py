"""What Retold promises to be on the disk is asked of the system in the way each system has it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from retold.cli.campaigns.attachments import FileAttachments
from retold.cli.campaigns.settings import Settings
from retold.importing.verb.answers import AnswersFile
from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.disk import flushing
from retold.journal.store.disk.unfinished_files import exchange, part_of
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import on_disk, played

F_FULLFSYNC = 51


@dataclass
class Disk:
    """The calls by which files of one folder, or its own names, are flushed to the disk of a Mac."""

    folder: Path
    calls: list[tuple[str, str]] = field(default_factory=list)
    refuses: int | None = None
    """The number of the error that F_FULLFSYNC gives."""

    def fcntl(self, descriptor: int, command: int) -> int:
        assert command == F_FULLFSYNC
        self._note("F_FULLFSYNC", descriptor)
        if self.refuses is not None:
            raise OSError(self.refuses, os.strerror(self.refuses))
        return 0

    def fsync(self, descriptor: int) -> None:
        self._note("fsync", descriptor)

    def _note(self, call: str, descriptor: int) -> None:
        flushed = os.fstat(descriptor)
        for path in (self.folder, *self.folder.rglob("*")):
            if os.path.samestat(path.stat(), flushed):
                self.calls.append((call, "the part" if path.suffix == ".part" else path.name))


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Disk:
    """A folder `state` on a Mac, whose calls are recorded."""
    if os.name == "nt":
        pytest.skip("Windows cannot flush a folder")
    made = Disk(tmp_path / "state")
    made.folder.mkdir()
    locks = {"flock": lambda *_: None, "LOCK_EX": 2}
    mac = SimpleNamespace(F_FULLFSYNC=F_FULLFSYNC, fcntl=made.fcntl, **locks)
    monkeypatch.setattr(flushing, "sys", SimpleNamespace(platform="darwin"))
    monkeypatch.setitem(sys.modules, "fcntl", mac)
    monkeypatch.setattr(os, "fsync", made.fsync)
    return made


def made(path: Path) -> None:
    CampaignStore.create(path).close()


def loaded(path: Path) -> None:
    with played(path.parents[1] / "a.retold") as camp:
        lines = [line.encode() for line in dump(camp.record)]
    load(lines, path)


def backed_up(path: Path) -> None:
    with played(path.parents[1] / "a.retold") as camp:
        on_disk(camp).backup(path)


def exchanged(path: Path) -> None:
    path.write_bytes(b"as it was")
    with part_of(path.with_name("new")) as part:
        exchange(part, path, path.with_name("kept"))


FLUSHED = [("F_FULLFSYNC", "the part"), ("F_FULLFSYNC", "state")]
"""First the content, under its temporary name, then the folder with the new name."""


@pytest.mark.parametrize("make", [made, loaded, backed_up, exchanged])
def test_F6_a_file_and_its_name_reach_the_disk_of_a_mac(make: Callable[[Path], None], disk: Disk) -> None:
    make(disk.folder / "b.retold")

    assert disk.calls == FLUSHED


def attached(folder: Path) -> None:
    FileAttachments(folder).keep("links", b"{}")


def answered(folder: Path) -> None:
    AnswersFile(folder / "answers.toml").write("[people]\n")


def seeded(folder: Path) -> None:
    settings_in(folder).keep_seed("c1", "a long secret, for a test")


def settings_in(state: Path) -> Settings:
    return Settings(state.parent, {})


@pytest.mark.parametrize("keep", [attached, answered, seeded])
def test_F6_what_has_no_second_copy_reaches_the_disk_of_a_mac(
    keep: Callable[[Path], None], disk: Disk
) -> None:
    keep(disk.folder)

    assert disk.calls == FLUSHED


def test_a_seed_stays_on_the_disk_when_another_setting_changes(disk: Disk) -> None:
    settings = settings_in(disk.folder)
    settings.keep_seed("c1", "a long secret, for a test")
    disk.calls.clear()

    settings.keep_real_decks("c1", real=True)

    assert disk.calls == FLUSHED


@pytest.mark.parametrize("refusal", [errno.ENOTSUP, errno.EINVAL, errno.ENOTTY])
def test_F6_a_file_system_without_F_FULLFSYNC_is_asked_with_fsync(refusal: int, disk: Disk) -> None:
    disk.refuses = refusal

    made(disk.folder / "b.retold")

    assert disk.calls == [
        *(("F_FULLFSYNC", "the part"), ("fsync", "the part")),
        *(("F_FULLFSYNC", "state"), ("fsync", "state")),
    ]


def test_F6_a_disk_that_fails_is_not_asked_again(disk: Disk) -> None:
    disk.refuses = errno.EIO

    with pytest.raises(CannotWrite, match=r"b\.retold cannot be made: input/output error"):
        made(disk.folder / "b.retold")

    assert disk.calls == [("F_FULLFSYNC", "the part")]
    assert list(disk.folder.iterdir()) == []


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_other_systems_are_asked_with_fsync(
    platform: str, disk: Disk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(flushing, "sys", SimpleNamespace(platform=platform))

    made(disk.folder / "b.retold")

    assert disk.calls == [("fsync", "the part"), ("fsync", "state")]


def test_F6_a_connection_that_writes_has_full_flushes_on_before_it_writes(tmp_path: Path) -> None:
    """Elsewhere than on macOS the two change nothing, so they are set, and can be read, on every system."""
    path = tmp_path / "a.retold"
    with CampaignStore.create(path) as created:
        assert full_flushes(on_disk(created)) == (1, 1)
    with CampaignStore.open(path) as opened:
        assert full_flushes(on_disk(opened)) == (1, 1)
    with CampaignStore.open(path, read_only=True) as reader:
        assert full_flushes(on_disk(reader)) == (0, 0)


def full_flushes(file: CampaignFile) -> tuple[int, int]:
    with closing(file._db.execute("PRAGMA fullfsync")) as first:
        fullfsync = first.fetchone()[0]
    with closing(file._db.execute("PRAGMA checkpoint_fullfsync")) as second:
        return fullfsync, second.fetchone()[0]
