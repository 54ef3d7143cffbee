"""What is written is there whole or not at all: exports, settings and the console's history alike."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from retold.cli.campaigns.asking import remove_from_history
from retold.cli.campaigns.settings import Settings
from retold.cli.output.writing_files import (
    beside,
    output_meant,
    replaced,
    write_bytes,
    write_parts,
    written_to,
)
from retold.journal.refused import Refused
from retold.journal.store.disk.unfinished_files import _OWN_PARTS, create_part, leftovers, part_of


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk on which nothing takes the place of anything any more."""

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)


def export(folder: Path) -> None:
    write_bytes(b"new", folder / "told", force=True)


def settings(folder: Path) -> None:
    Settings(folder, {}).keep_seed("told", "eight and more")


def history(folder: Path) -> None:
    remove_from_history(folder / "told", ["old"], [])


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("write", [export, settings, history])
def test_a_failed_write_keeps_the_old_file(tmp_path: Path, write: Callable[[Path], None]) -> None:
    (tmp_path / "told").write_text("\n# then\n+old\n")
    with suppress(OSError, Refused):
        write(tmp_path)

    assert (tmp_path / "told").read_text() == "\n# then\n+old\n"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["told"]


def test_an_interrupted_write_leaves_no_file(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replaced(tmp_path / "told", parts(), 0o600)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_file_has_the_mode_it_is_given_and_a_link_is_replaced_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_text("as it was")
    (tmp_path / "told").symlink_to(tmp_path / "elsewhere")
    replaced(tmp_path / "told", [b"one, ", b"two"], 0o600)

    assert (tmp_path / "told").read_text() == "one, two"
    assert (tmp_path / "told").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "elsewhere").read_text() == "as it was"


@pytest.mark.parametrize("force", [False, True])
def test_no_file_takes_the_place_of_a_folder(tmp_path: Path, force: bool) -> None:
    with pytest.raises(Refused, match=r" is a folder: name a file in it\.$"):
        write_bytes(b"", tmp_path, force=force)


def test_a_dash_is_standard_output_and_nothing_is_said_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert (output_meant(None), output_meant("-"), output_meant("a.md")) == (None, None, Path("a.md"))
    written_to(None)
    written_to(Path("a\x1b.md"))

    assert capsys.readouterr().err == "Written to a␛.md.\n"


@pytest.mark.parametrize("name", ["told.txt", "."])
def test_a_file_without_a_name_is_empty_and_gone_when_it_has_been_used(tmp_path: Path, name: str) -> None:
    with beside(tmp_path / name) as file:
        assert file.read() == b""
        file.write(b"a scene")
        file.seek(0)
        write_parts(iter([file.read(), b" and its end"]), tmp_path / "told.md")

    assert [path.name for path in tmp_path.iterdir()] == ["told.md"]
    assert (tmp_path / "told.md").read_bytes() == b"a scene and its end"


def test_a_disk_error_names_the_target_file(tmp_path: Path) -> None:
    full = OSError(28, "No space left on device")
    said = pytest.raises(Refused, match=r"told\.txt cannot be written: no space left on device\.")
    with said, beside(tmp_path / "told.txt"):
        raise full
    with pytest.raises(OSError, match="No space left") as raised, beside(None):
        raise full

    assert raised.value is full


def test_a_reader_who_left_is_no_full_disk(tmp_path: Path) -> None:
    with pytest.raises(BrokenPipeError), beside(tmp_path / "told.txt"):
        raise BrokenPipeError


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="here nothing but files and folders has a name")
def test_devices_and_pipes_are_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refused, match="pipe is no file: name another, or leave out -o"):
        write_bytes(b"new", tmp_path / "pipe", force=True)

    assert (tmp_path / "pipe").is_fifo()


def test_S10_leftovers_of_a_killed_process_are_removed(
    tmp_path: Path,
) -> None:
    """In a container the next process has the number of the one before it."""
    left = tmp_path / f".retold-{os.getpid()}-0.part"
    left.write_bytes(b"half of")
    write_bytes(b"new", tmp_path / "told.md")
    write_bytes(b"newer", tmp_path / "told.md", force=True)

    assert (tmp_path / "told.md").read_bytes() == b"newer"
    assert {path.name for path in tmp_path.iterdir()} == {"told.md"}


def test_leftovers_of_other_programs_are_reported_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as another:
        another.setattr(os, "getpid", lambda: 2**22 + 1)  # one more than there ever are
        part = create_part(tmp_path / "told.md")
    _OWN_PARTS.discard(part)

    assert list(leftovers(tmp_path)) == [part]
    with part_of(tmp_path / "a.retold"):
        assert not part.exists()


def test_an_error_of_a_full_disk_names_the_file(tmp_path: Path) -> None:
    def parts() -> Iterator[bytes]:
        yield b"half of"
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left") as raised:
        replaced(tmp_path / "kept.json", parts(), 0o600)

    assert raised.value.filename == str(tmp_path / "kept.json")
    assert list(tmp_path.iterdir()) == []
