"""A file that is made is there whole or not at all; what a killed process left is in nobody's way."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from retold.journal.store.contract.errors import AlreadyThere, CannotWrite
from retold.journal.store.copies.dump import dump, load
from retold.journal.store.disk import unfinished_files
from retold.journal.store.disk.flushing import flush_path
from retold.journal.store.verify import verify
from retold.journal.store.writing.campaign import CampaignStore
from tests.files import needs_links
from tests.journal.store.played import on_disk, played

KILLED = textwrap.dedent("""
    import os, sys
    from pathlib import Path
    from retold.journal.store.writing.campaign import CampaignStore
    from retold.journal.store.copies.dump import load
    from retold.journal.store.disk import unfinished_files
    from retold.journal.store.sqlite import file

    def killed(*_):
        os._exit(9)

    what, path, source = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    unfinished_files.publish = file.publish = killed
    match what:
        case "new": CampaignStore.create(path)
        case "load": load((source / "a.jsonl").read_bytes().splitlines(), path)
        case "backup": file.CampaignFile.open(source / "a.retold").backup(path)
""")
WAYS = pytest.mark.parametrize("what", ["new", "load", "backup"])


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A folder with a campaign and its dump."""
    folder = tmp_path / "from"
    folder.mkdir()
    with played(folder / "a.retold") as camp:
        (folder / "a.jsonl").write_text("\n".join(dump(camp.record)), "utf-8")
    return folder


def make(what: str, path: Path, source: Path) -> None:
    """Makes a campaign in one of the ways there are."""
    if what == "new":
        CampaignStore.create(path).close()
    elif what == "load":
        load((source / "a.jsonl").read_bytes().splitlines(), path)
    else:
        with CampaignStore.open(source / "a.retold", read_only=True) as camp:
            on_disk(camp).backup(path)


def verified(path: Path) -> bool:
    with CampaignStore.open(path, read_only=True) as camp:
        return verify(camp.record).whole


@WAYS
def test_S18_what_a_killed_process_left_is_in_nobodys_way_and_goes(
    what: str, tmp_path: Path, source: Path
) -> None:
    folder = tmp_path / "to"
    folder.mkdir()
    path = folder / "b.retold"
    command = [sys.executable, "-c", KILLED, what, str(path), str(source)]
    assert subprocess.run(command, cwd=Path(__file__).parents[3], check=False).returncode == 9
    left = list(folder.iterdir())
    assert len(left) == 1  # the control: something was left
    assert left[0].name.endswith(".part")

    make(what, path, source)

    assert [one.name for one in folder.iterdir()] == ["b.retold"]
    assert verified(path)


def test_F11_what_a_living_process_is_writing_stays(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as living:
        other = tmp_path / f".retold-{living.pid}-0.part"
        other.touch()
        CampaignStore.create(tmp_path / "b.retold").close()
        stayed = other.exists()

    assert stayed
    CampaignStore.create(tmp_path / "c.retold").close()
    assert not other.exists()


@WAYS
def test_S18_what_cannot_be_given_its_name_is_not_there_and_leaves_nothing(
    what: str, tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise OSError(5, "Input/output error")

    folder = tmp_path / "to"
    folder.mkdir()
    with monkeypatch.context() as failing:
        failing.setattr(os, "fsync", fails)
        with pytest.raises(CannotWrite, match=r"b\.retold cannot be made: input/output error"):
            make(what, folder / "b.retold", source)

    assert list(folder.iterdir()) == []


@WAYS
def test_S18_what_has_its_name_is_not_said_to_be_missing(
    what: str, tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the name it had before cannot be taken away."""

    def fails(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as failing:
        failing.setattr(Path, "unlink", fails)
        make(what, tmp_path / "b.retold", source)

    assert verified(tmp_path / "b.retold")


@needs_links
@WAYS
def test_S11_no_link_is_followed_where_a_part_would_lie(what: str, tmp_path: Path, source: Path) -> None:
    victim = tmp_path / "victim.retold"
    played(victim).close()
    before = victim.read_bytes()
    for name in (f".retold-{os.getpid()}-0.part", "b.retold.part", f"b.retold.part-{os.getpid()}"):
        (tmp_path / name).symlink_to(victim)

    make(what, tmp_path / "b.retold", source)

    assert victim.read_bytes() == before
    assert verified(tmp_path / "b.retold")


@needs_links
@WAYS
def test_a_dangling_link_counts_as_an_existing_file(what: str, tmp_path: Path, source: Path) -> None:
    path = tmp_path / "b.retold"
    path.symlink_to(tmp_path / "nowhere")

    with pytest.raises(AlreadyThere):
        make(what, path, source)

    assert not (tmp_path / "nowhere").exists()


@WAYS
def test_a_file_of_no_bytes_is_nothing(what: str, tmp_path: Path, source: Path) -> None:
    path = tmp_path / "b.retold"
    path.touch()

    make(what, path, source)

    assert verified(path)


@WAYS
def test_a_file_that_appeared_meanwhile_stays(
    what: str, tmp_path: Path, source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.retold"

    def meanwhile(part: Path) -> None:
        path.write_text("mine")
        flush_path(part)

    monkeypatch.setattr(unfinished_files, "flush_path", meanwhile)
    with pytest.raises(AlreadyThere):
        make(what, path, source)

    assert path.read_text() == "mine"
    assert [one.name for one in tmp_path.iterdir() if one.suffix == ".part"] == []
