"""What is written is there whole or not at all: exports, settings and the console's history alike."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from cli.console.history import forget
from cli.settings import Settings
from cli.writing_files import output_meant, replaced, write_bytes, written_to
from journal.refused import Refused


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
    forget(folder / "told", ["old"], [])


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize("write", [export, settings, history])
def test_where_nothing_can_be_written_the_old_is_there_and_nothing_else(
    tmp_path: Path, write: Callable[[Path], None]
) -> None:
    (tmp_path / "told").write_text("\n# then\n+old\n")
    with suppress(OSError, Refused):
        write(tmp_path)

    assert (tmp_path / "told").read_text() == "\n# then\n+old\n"
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["told"]


def test_who_stops_in_the_middle_leaves_nothing_behind(tmp_path: Path) -> None:
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
