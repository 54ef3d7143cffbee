"""Promises of every reader: any file gives units or one sentence, and no unit is lost."""

from __future__ import annotations

import contextlib
import gzip
import importlib.util
import io
import os
import re
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources import READERS, Hints, Source, Unit, opening, read
from retold.sources.opening import streams
from tests.retold.importing.test_planted_secrets import PLANTED
from tests.retold.sources import made_up
from tests.retold.sources.made_up import EVENING, EXAMPLES, FILES, GOLDEN, LOGS, NAMED
from tests.retold.sources.test_heads import FORUMS
from tests.retold.sources.test_quotations import FORUM

CAN_READ_HTML = importlib.util.find_spec("selectolax") is not None
IN_FOLDERS = {
    "foundry": "foundry/messages.db",
    "foundry-world": "foundry-world/data/messages/000090.log",
    "iron-vault": "iron-vault/2026-03-01 The ferry.md",
    "craig": "craig/2-zel.srt",
    "sealdice": "sealdice/sealdice-standard-log.json",
}
"""One file of each example that is a folder."""
OF_PROSE = {"iron-vault"}
"""Formats that any words are, once the user names them."""
READABLE = [
    reader for reader in READERS if importlib.util.find_spec("selectolax") or "html" not in reader.name
]
READ = [name for name in LOGS if CAN_READ_HTML or name != "discord.html"]
SMALL = {path.name: path.read_bytes() for path in (EXAMPLES / IN_FOLDERS.get(name, name) for name in READ)}
SPOILT = {
    **SMALL,
    **{name: text.encode() for name, text in PLANTED.values()},
    "thread.txt": FORUM.encode(),
    "posts.txt": "\n".join(FORUMS).encode(),
}
"""The same and smaller texts of other shapes, by name."""


def known(name: str) -> Source:
    """Example of that name; where no reader is sure, its format is named."""
    return read(EXAMPLES / name, format=NAMED.get(name, ""))


def refusal_or_units(data: bytes, format_name: str = "", name: str = "chat") -> int | str:
    """Number of units in a file, or the sentence that refuses it; any other exception fails the test."""
    with TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        try:
            source = read(path, format=format_name)
            report = source.report()
        except Refused as refusal:
            return str(refusal)
    assert report.pieces == report.counted
    return report.units


@st.composite
def prefixes(draw: st.DrawFn) -> tuple[str, bytes]:
    name = draw(st.sampled_from(sorted(SPOILT)))
    return name, SPOILT[name][: draw(st.integers(0, len(SPOILT[name])))]


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    name = draw(st.sampled_from(sorted(SPOILT)))
    data = bytearray(SPOILT[name])
    for _ in range(draw(st.integers(1, 3))):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return name, bytes(data)


@settings(max_examples=150, deadline=None)
@given(prefixes())
def test_any_prefix_gives_units_or_a_sentence(file: tuple[str, bytes]) -> None:
    name, data = file

    assert refusal_or_units(data, name=name) is not None


@settings(max_examples=250, deadline=None)
@given(damaged())
def test_any_changed_byte_gives_units_or_a_sentence(file: tuple[str, bytes]) -> None:
    name, data = file

    assert refusal_or_units(data, name=name) is not None


@pytest.mark.parametrize("number", [b"1e400", b"1" + b"0" * 400, b"-1e400", b"true", b"null"])
@pytest.mark.parametrize(
    "name", [name for name in SMALL if IN_FOLDERS.get(name, name).endswith((".json", ".db"))]
)
def test_numbers_out_of_range_give_units_or_a_sentence(name: str, number: bytes) -> None:
    damaged, replaced = re.subn(rb"([:,\[]\s*)-?\d+(?:\.\d+)?(?=\s*[,}\]])", rb"\g<1>" + number, SMALL[name])

    assert replaced
    assert refusal_or_units(damaged) is not None


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([reader.name for reader in READABLE]),
    st.sampled_from(sorted(SMALL)) | st.binary(max_size=300),
)
@example("discord-json", b"[" * 200_000)
@example("discord-json", b'{"messages":[' + b'{"a":' * 100_000)
@example("discord-json", b"")
@example("discord-csv", b'"')
def test_a_wrong_format_gives_units_or_a_sentence(name: str, data: str | bytes) -> None:
    assert refusal_or_units(SMALL[data] if isinstance(data, str) else data, name) is not None


@pytest.mark.parametrize("name", [reader.name for reader in READABLE if reader.name not in OF_PROSE])
def test_a_file_of_another_kind_is_refused_and_not_read_as_nothing(tmp_path: Path, name: str) -> None:
    path = tmp_path / "story.txt"
    path.write_text("Once upon a time there was a ferry.\nIt had a lamp.\n", "utf-8")

    found: list[Unit] = []
    with contextlib.suppress(Refused):
        found = list(read(path, format=name))
    assert [unit.raw for unit in found if unit.unread] == [unit.raw for unit in found]
    assert len(found) == (2 if name == "foundry-db" else 0)


@pytest.mark.parametrize("name", READ)
def test_a_source_is_the_same_when_read_again(name: str) -> None:
    source = known(name)

    assert list(source) == list(source)


@pytest.mark.parametrize("name", READ)
def test_keys_are_one_for_each_unit(name: str) -> None:
    keys = [(unit.channel, unit.key) for unit in known(name) if unit.left_out != "repeat"]

    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("name", READ)
def test_the_report_is_a_few_sentences(name: str) -> None:
    lines = list(known(name).report().lines())

    assert re.fullmatch(r"\d+ units in \d files? \([a-z0-9-]+\)\.", lines[0])
    assert all(line.endswith(".") for line in lines)


@pytest.mark.parametrize("name", FILES)
def test_the_examples_are_what_their_program_writes(name: str) -> None:
    assert (EXAMPLES / name).read_bytes().decode() == FILES[name](EVENING)


@pytest.mark.parametrize("name", READ)
def test_every_unit_of_the_example_is_read_as_before(name: str) -> None:
    seen = made_up.seen(EXAMPLES / name)

    assert "\n".join(seen.lines) + "\n" == (GOLDEN / f"{name}.units").read_text("utf-8")
    assert seen.report == (GOLDEN / f"{name}.report").read_text("utf-8")


# --- Folders and archives ---


def zipped(path: Path, *entries: tuple[str | zipfile.ZipInfo, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def test_a_folder_a_zip_and_a_gz_file_are_the_same_source(tmp_path: Path) -> None:
    data = SMALL["discord.json"]
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "chat.json").write_bytes(data)
    (folder / "map.png").write_bytes(b"\x89PNG")
    (tmp_path / "chat.json.gz").write_bytes(gzip.compress(data))
    archive = zipped(tmp_path / "logs.zip", ("chat.json", data), ("inner.zip", b"PK"))

    alone = list(read(EXAMPLES / "discord.json"))
    assert list(read(folder)) == list(read(archive)) == list(read(tmp_path / "chat.json.gz")) == alone
    assert read(folder).ignored == ("map.png",)
    assert read(archive).ignored == ("inner.zip",)


@pytest.mark.parametrize(
    "name", ["../chat.json", "/etc/chat.json", "a/../../chat.json", "..\\chat.json", "C:\\chat.json"]
)
def test_a_name_that_leads_out_of_an_archive_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(Refused, match="leads out of it"):
        read(zipped(tmp_path / "logs.zip", (name, b"{}")))


def test_a_link_in_an_archive_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"holds a link, 'chat\.json'"):
        read(zipped(tmp_path / "logs.zip", (link("chat.json"), b"/etc/passwd")))


def test_an_archive_with_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOST_FILES", 2)

    with pytest.raises(Refused, match="more than 2 files"):
        read(zipped(tmp_path / "logs.zip", *((f"{number}.txt", b"") for number in range(3))))


def test_an_archive_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MOST_UNPACKED", 1_000)

    with pytest.raises(Refused, match="larger than 2 GB"):
        read(zipped(tmp_path / "logs.zip", ("chat.json", b" " * 5_000)))


def test_a_gz_file_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "MOST_BYTES", 100_000)
    path = tmp_path / "chat.json.gz"
    path.write_bytes(gzip.compress(SMALL["discord.json"] + b" " * 1_000_000))

    with pytest.raises(Refused, match="larger than 1 GB"):
        list(read(path))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]), st.data())
def test_a_damaged_archive_gives_units_or_a_sentence(how: int, data: st.DataObject) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", how) as archive:
        archive.writestr("chat.csv", SMALL["discord.csv"])
    whole = data.draw(st.sampled_from([packed.getvalue(), gzip.compress(SMALL["discord.csv"], mtime=0)]))
    place = data.draw(st.integers(0, len(whole) - 1))
    changed = whole[:place] + bytes([data.draw(st.integers(0, 255))]) + whole[place + 1 :]

    assert refusal_or_units(changed) is not None
    assert refusal_or_units(whole[:place]) is not None


def test_nothing_at_the_path_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(Refused, match=r"^There is no file .*chat\.json\.$"):
        read(tmp_path / "chat.json")


def test_an_empty_folder_is_no_log(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="is no log that can be read"):
        read(tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    make_pipe: Callable[[Path], None] = os.mkfifo
    make_pipe(tmp_path / "chat.json")

    with pytest.raises(Refused, match="neither a file nor a folder"):
        streams(tmp_path / "chat.json")


def test_another_encoding_is_read_once_it_is_named(tmp_path: Path) -> None:
    path = tmp_path / "chat.csv"
    path.write_bytes(SMALL["discord.csv"].decode().replace("ferry", "fähre").encode("cp1252"))

    with pytest.raises(Refused, match="is not UTF-8 at byte"):
        list(read(path))
    assert "fähre" in next(iter(read(path, hints=Hints(encoding="cp1252")))).text


def test_notes_beside_a_log_are_not_asked_about(tmp_path: Path) -> None:
    (tmp_path / "chat.json").write_bytes(SMALL["discord.json"])
    (tmp_path / "notes.txt").write_bytes(SMALL["plain.txt"])

    assert read(tmp_path).ignored == ("notes.txt",)
