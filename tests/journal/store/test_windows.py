r"""What is different on Windows about a campaign's file: its address, its names, and who may have it open."""

from __future__ import annotations

import errno
import os
from contextlib import closing
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from retold.journal.store.contract.errors import CannotWrite
from retold.journal.store.disk import unfinished_files
from retold.journal.store.disk.unfinished_files import (
    create_part,
    exchange,
    part_of,
    patiently,
    publish,
    reason,
)
from retold.journal.store.sqlite.connection import SHORT_PATH, file_uri
from retold.journal.store.sqlite.location import is_of_server
from retold.journal.store.writing.campaign import CampaignStore
from tests.journal.store.played import played

HELD = PermissionError(errno.EACCES, "The process cannot access the file")


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PureWindowsPath(r"C:\games\salt road.retold"), "file:///C:/games/salt road.retold?mode=rw"),
        (PureWindowsPath("C:/games/x"), "file:///C:/games/x?mode=rw"),
        (PureWindowsPath(r"C:\50%\a#b;c&d=e"), "file:///C:/50%25/a%23b;c&d=e?mode=rw"),
        (PureWindowsPath("C:x"), "file:///C:x?mode=rw"),
        (PureWindowsPath(r"C:\games\\\\x"), "file:///C:/games/x?mode=rw"),
        (PureWindowsPath(r"\\server\share\x"), "file:////server/share/x?mode=rw"),
        (PureWindowsPath("//server/share/x"), "file:////server/share/x?mode=rw"),
        (PureWindowsPath(r"\\?\C:\a#b\c%d"), "file:///%5c%5c%3f%5cC:%5ca%23b%5cc%25d?mode=rw"),
        (PureWindowsPath(r"\\?\UNC\server\share\x"), "file:///%5c%5c%3f%5cUNC%5cserver%5cshare%5cx?mode=rw"),
        (PurePosixPath("/games/what?#50%41.retold"), "file:///games/what%3f%2350%2541.retold?mode=rw"),
        (PurePosixPath(r"/games/a\b"), r"file:///games/a\b?mode=rw"),
        (PurePosixPath("//games/x"), "file:////games/x?mode=rw"),
    ],
    ids=str,
)
def test_F1_a_file_has_an_address_in_every_way_to_write_its_path(path: PurePath, uri: str) -> None:
    assert file_uri(path, "rw") == uri


def test_F1_sqlite_is_told_of_a_long_path_on_windows_alone() -> None:
    long = "d" * SHORT_PATH

    assert file_uri(PureWindowsPath(f"C:/{long}"), "ro") == f"file:///C:/{long}?mode=ro&vfs=win32-longpath"
    assert file_uri(PurePosixPath(f"/{long}"), "ro") == f"file:///{long}?mode=ro"


@pytest.mark.parametrize("written", ["{}//a.retold", "{}/./a.retold", "{}/b/../a.retold", "/{}/a.retold"])
def test_F1_a_path_is_opened_as_it_is_written(written: str, tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    played(tmp_path / "a.retold").close()

    with CampaignStore.open(
        written.format(tmp_path).removeprefix("/" if os.name == "nt" else "")
    ) as campaign:
        assert campaign.mainline() == 1


@pytest.mark.parametrize(
    ("path", "is_elsewhere"),
    [
        (r"\\server\share\x", True),
        ("//server/share/x", True),
        (r"\\?\UNC\server\share\x", True),
        (r"\\?\C:\x", False),
        (r"C:\x", False),
        ("C:x", False),
        ("x", False),
    ],
)
def test_F1_a_path_of_a_server_is_told_from_one_with_a_mark_in_front(
    path: str, *, is_elsewhere: bool
) -> None:
    assert is_of_server(PureWindowsPath(path)) is is_elsewhere


# --- files that other programs have open ------------------------------------------------------------------


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Windows' way with open files, at a clock that stands still but for waiting: the list of waits."""
    waits: list[float] = []
    monkeypatch.setattr(unfinished_files, "IS_WINDOWS", True)
    monkeypatch.setattr(f"{unfinished_files.__name__}.time.monotonic", lambda: sum(waits))
    monkeypatch.setattr(f"{unfinished_files.__name__}.time.sleep", waits.append)
    return waits


def test_a_file_that_another_program_holds_for_a_moment_is_renamed(windows: list[float]) -> None:
    held = iter([HELD, HELD, None])

    def rename() -> str:
        if (error := next(held)) is not None:
            raise error
        return "renamed"

    assert patiently(rename) == "renamed"
    assert len(windows) == 2


def test_a_file_that_stays_held_is_given_up_with_a_sentence(
    windows: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def held(*_: object) -> None:
        raise HELD

    monkeypatch.setattr(Path, "rename", held)
    with pytest.raises(
        CannotWrite, match=r"a\.retold cannot be made: another program has it open, or you may not"
    ):
        CampaignStore.create(tmp_path / "a.retold")

    assert sum(windows) == pytest.approx(2)
    assert list(tmp_path.iterdir()) == []


def test_other_systems_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfinished_files, "IS_WINDOWS", False)
    monkeypatch.delattr(f"{unfinished_files.__name__}.time.sleep")

    def denied() -> None:
        raise HELD

    with pytest.raises(PermissionError):
        patiently(denied)


@pytest.mark.parametrize("is_windows", [True, False])
def test_F10_a_published_file_has_one_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_windows: bool
) -> None:
    """Before it is opened: on Windows no name of an open file can be deleted."""
    monkeypatch.setattr(unfinished_files, "IS_WINDOWS", is_windows)
    with part_of(tmp_path / "a.retold") as part:
        part.write_bytes(b"whole")
        publish(part, tmp_path / "a.retold")

        assert [path.name for path in tmp_path.iterdir()] == ["a.retold"]
    assert (tmp_path / "a.retold").read_bytes() == b"whole"


@pytest.mark.parametrize("has_links", [True, False])
def test_F10_if_an_exchange_fails_each_file_keeps_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    def fails(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    path, kept = tmp_path / "a.retold", tmp_path / "a.before.retold"
    path.write_bytes(b"old")
    part = create_part(path)
    monkeypatch.setattr(Path, "replace", fails)
    if not has_links:
        monkeypatch.setattr(os, "link", fails)

    with pytest.raises(CannotWrite, match=r"a\.retold cannot be made anew: input/output error"):
        exchange(part, path, kept)

    assert sorted(file.name for file in tmp_path.iterdir()) == [part.name, "a.retold"]
    assert path.read_bytes() == b"old"
    unfinished_files.discard(part)


@pytest.mark.parametrize("name", ["Book: one.retold", "con.retold", "what?.md", "x.", "a|b"])
def test_B28_windows_makes_no_file_of_a_name_that_is_another_stream_or_a_device(
    name: str, windows: list[float], tmp_path: Path
) -> None:
    with (
        pytest.raises(CannotWrite, match=r"cannot be made: (no file|a device)"),
        closing(CampaignStore.create(tmp_path / name)),
    ):
        pass

    assert list(tmp_path.iterdir()) == []


def test_a_path_that_is_too_long_for_windows_is_said_to_be(windows: list[float]) -> None:
    missing = FileNotFoundError(errno.ENOENT, "No such file or directory", "/" + "x" * 299)
    absent = FileNotFoundError(errno.ENOENT, "No such file or directory", "/x")

    assert reason(missing).startswith("its path would have 30")
    assert reason(absent) == "no such file or directory"
