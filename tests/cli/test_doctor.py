"""`doctor` says what is wrong and what can be done, and writes nothing; `head` shows a cut-off end."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from retold.journal.store import places
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.sqlite.location import is_safe_version, shared_disk
from tests.cli.shell import Shell


def behind(shell: Shell, *statements: str) -> None:
    """Runs SQL on the campaign with its triggers out of the way, and brings them back."""
    with closing(sqlite3.connect(shell.folder / "evening.retold", isolation_level=None)) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            db.execute(statement)
        for _, sql in triggers:
            db.execute(sql)


@pytest.fixture
def damaged(shell: Shell) -> Shell:
    """An evening whose event at 21, the last of its act, is another than was written."""
    behind(shell, "UPDATE event SET body = replace(body, '\"tz\":', '\"tz\":1') WHERE position = 21")
    return shell


def test_a_whole_record_is_reported_as_whole(shell: Shell) -> None:
    assert "The record is whole: 26 events, every one in its place.\n" in shell.done("doctor")


def test_a_damaged_record_names_its_first_error_and_a_remedy(damaged: Shell) -> None:
    before = (damaged.folder / "evening.retold").read_bytes()

    said = damaged.say("doctor")

    assert said.code == 1
    assert (
        "evening.retold is damaged, and nothing is written to it. Line 1, position 21: Its hash" in said.out
    )
    assert "20 of 26 events are good before the first that is not." in said.out
    assert "retold doctor --cut NEW writes what is good into a new file" in said.out
    assert (damaged.folder / "evening.retold").read_bytes() == before


def test_what_is_good_is_cut_into_a_new_file_up_to_the_last_whole_act(damaged: Shell) -> None:
    before = (damaged.folder / "evening.retold").read_bytes()

    said = damaged.done("doctor", "--cut", "good")

    last = int(said.splitlines()[-1].split()[-2])
    assert said.splitlines()[-1] == f"good.retold has the first {last} events."
    assert (damaged.folder / "evening.retold").read_bytes() == before
    assert f"The record is whole: {last} events" in damaged.done("-c", "good", "verify")
    assert rows(damaged.folder / "good.retold") == rows(damaged.folder / "evening.retold")[:last]
    damaged.done("-c", "good", "note:", "Play goes on.")


def rows(path: Path) -> list[tuple[object, ...]]:
    """All that is stored, in the order it was recorded."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT line, position, kind, body, words, hash FROM event ORDER BY seq").fetchall()


def test_a_file_is_never_cut_over_another_nor_a_whole_record_at_all(shell: Shell, damaged: Shell) -> None:
    (damaged.folder / "good.retold").write_text("mine")
    assert "is there already" in damaged.say("-c", "evening", "doctor", "--cut", "good").err
    assert (damaged.folder / "good.retold").read_text() == "mine"

    shell.done("new", "salt")
    assert "nothing to cut off" in shell.say("-c", "salt", "doctor", "--cut", "other").err
    assert not (shell.folder / "other.retold").exists()


def test_doctor_says_it_as_json(damaged: Shell) -> None:
    said = damaged.say("doctor", "--json")
    told = json.loads(said.out)

    assert said.code == 1
    assert (told["retold"], told["version"], told["whole"], told["events"], told["good"]) == (
        *("doctor", 1, False, 26, 20),
    )
    assert (told["findings"][0]["line"], told["findings"][0]["position"]) == (1, 21)
    assert (told["missed"], told["cache"], told["cut"]) == (None, [], None)


def test_what_was_cut_is_told_as_json(damaged: Shell) -> None:
    told = json.loads(damaged.done("doctor", "--json", "--cut", "good"))

    assert (told["whole"], told["cut"]) == (False, {"path": "good.retold", "events": 20, "lacks": []})


def test_a_wholly_damaged_file_is_not_cut(shell: Shell) -> None:
    behind(shell, "UPDATE event SET body = '{' WHERE position = 1")

    assert "--cut" not in shell.say("doctor").out
    assert "not even its first event" in shell.say("doctor", "--cut", "good").err
    assert not (shell.folder / "good.retold").exists()


def test_S5_verify_names_what_is_wrong_with_the_first_event(shell: Shell) -> None:
    behind(shell, "UPDATE event SET body = CAST(body AS BLOB) WHERE position = 1")

    said = shell.say("verify")

    assert (said.code, said.err) == (1, "")
    assert "Line 1, position 1: A part of it is not stored as Retold stores it.\n" in said.out


def test_caches_are_thrown_away_on_demand(shell: Shell) -> None:
    shell.play("".join(f"note: {number}\n" for number in range(300)))
    shell.done("note:", "one more")
    (cache,) = shell.folder.rglob("*.cache")

    shell.done("doctor", "--rebuild")

    assert not cache.exists()
    assert "one more" in shell.done("log", "-n", "1")


def test_what_killed_processes_left_is_named(shell: Shell) -> None:
    (shell.folder / f".retold-{os.getpid()}-7.part").touch()

    assert f".retold-{os.getpid()}-7.part" in shell.done("doctor")


# --- what it stands on ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "sound"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 53, 0), True),
    ],
)
def test_R14_an_sqlite_with_the_wal_reset_bug_is_known(version: tuple[int, int, int], sound: bool) -> None:
    assert is_safe_version(version) is sound


@pytest.mark.parametrize(
    ("kind", "shared"),
    [("ext4", False), ("nfs4", True), ("cifs", True), ("9p", True), ("fuse.sshfs", True), ("fuseblk", False)],
)
def test_R15_a_network_disk_is_known(kind: str, shared: bool, tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/x / ext4 rw 0 0\nserver:/x {tmp_path} {kind} rw 0 0\n")

    found = shared_disk(tmp_path / "a.retold", mounts)
    assert (found is not None and found.is_network) is shared


@pytest.mark.parametrize(
    ("folder", "shared"), [("Dropbox (Home)", True), ("OneDrive", True), ("boxes", False)]
)
def test_R15_a_folder_that_is_copied_elsewhere_is_known(folder: str, shared: bool, tmp_path: Path) -> None:
    path = tmp_path / folder / "deeper" / "a.retold"

    found = shared_disk(path, tmp_path / "none")
    assert (found is not None and not found.is_network) is shared


def test_B24_a_folder_of_syncthing_is_known(tmp_path: Path) -> None:
    (tmp_path / ".stfolder").mkdir()

    found = shared_disk(tmp_path / "deeper" / "a.retold", tmp_path / "none")
    assert found is not None
    assert found.kind == "a folder that is copied elsewhere (Syncthing)"


@pytest.mark.parametrize(
    ("line", "has"),
    [("note --to table: more", "1 event fewer"), ("undo", "1 event fewer"), ("", "as many events")],
)
def test_B24_a_conflicted_copy_beside_it_is_named(shell: Shell, line: str, has: str) -> None:
    name = "evening (conflicted copy 2026-03-01).retold"
    shell.done("backup", name)
    if line:
        shell.done("-c", "evening.retold", *line.split(" "))

    said = shell.done("-c", "evening.retold", "doctor")
    assert f"{name} beside it is a copy of the same campaign, with {has}." in said
    assert "sync " in said.partition("beside it")[2]


def test_B24_another_campaign_beside_it_is_not_asked_about(shell: Shell) -> None:
    shell.done("new", "evening-2")

    assert "beside it" not in shell.done("-c", "evening.retold", "doctor")


@pytest.fixture
def on_a_network(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The evening's folder, on a disk of another computer."""
    mounts = shell.folder.parent / "mounts"
    mounts.write_text(f"/dev/x / ext4 rw 0 0\nserver:/x {shell.folder} nfs4 rw 0 0\n")
    monkeypatch.setattr(places, "shared_disk", lambda place: shared_disk(Path(str(place)), mounts))
    return shell


def test_R15_no_campaign_begins_on_a_network_disk_unasked(on_a_network: Shell) -> None:
    dump = on_a_network.folder / "dump"
    dump.write_bytes(on_a_network.bytes())
    for words in (("new", "salt"), ("load", str(dump), "salt")):
        said = on_a_network.refused(*words)

        assert "salt.retold lies on a network disk (nfs4), where locks do not always hold" in said
        assert "take it elsewhere with backup. If one program at a time opens it, say --shared-disk" in said
        assert not (on_a_network.folder / "salt.retold").exists()
        assert on_a_network.say(*words, "--shared-disk").code == 0
        (on_a_network.folder / "salt.retold").unlink()


def test_R15_a_campaign_that_is_there_is_played_on_and_told_of(on_a_network: Shell) -> None:
    told = on_a_network.say("play", stdin=b"note: It goes on.\n")

    assert told.code == 0
    assert told.err.startswith("evening.retold lies on a network disk (nfs4)")


def test_R15_one_in_a_folder_that_is_copied_elsewhere_may_begin_there_and_is_told_of(shell: Shell) -> None:
    (shell.folder / "Dropbox").mkdir()
    told = shell.say("new", "Dropbox/salt")

    assert told.code == 0
    assert told.err.startswith(
        "Dropbox/salt.retold lies in a folder that is copied elsewhere (Dropbox). Let one computer at a time"
    )


def test_S18_a_log_that_has_grown_large_is_told_of(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("retold.journal.store.sqlite.location.LARGE_LOG", 2**12)
    with CampaignFile.open(shell.folder / "evening.retold", read_only=True) as reader:
        rows = reader.log()
        next(rows)  # an early state, which is read on

        told = shell.say("note:", "While somebody reads.").err
        assert "evening.retold-wal has grown to 0 MB, for a process has had evening.retold open" in told
        assert "evening.retold-wal has grown" in shell.done("doctor")
        del rows
    assert "has grown" not in shell.say("note:", "Nobody reads.").err


# --- receipts ---------------------------------------------------------------------------------------------


def test_R10_an_end_that_was_cut_off_is_found_with_a_receipt_and_only_with_one(shell: Shell) -> None:
    receipt = shell.done("head").strip()
    behind(
        shell,
        "DELETE FROM event WHERE position > (SELECT max(position) - 1 FROM event)",
        "UPDATE sqlite_sequence SET seq = 25",
    )

    assert shell.say("verify").code == 0  # the control: without one nothing shows
    said = shell.say("verify", "--head", receipt)
    assert said.code == 1
    assert "Line 1, position 26: The receipt has an event here, and there is none." in said.out


def test_a_receipt_may_be_written_down_short(shell: Shell) -> None:
    receipt = shell.done("head").strip()
    short = receipt[: len("1:26:") + 16]

    assert shell.say("verify", "--head", short).code == 0
    other = f"1:26:{'0' * 16}"
    assert "not the event the receipt was given for" in shell.say("verify", "--head", other).out


@pytest.mark.parametrize(
    "typed", ["1:26:abcdef", "1:26:xyz" + "0" * 20, "26", f"1:{'9' * 30}:{'0' * 64}", "::"]
)
def test_an_invalid_receipt_is_a_usage_error(typed: str, shell: Shell) -> None:
    assert "is not a receipt: it is LINE:POSITION:HASH" in shell.misused("verify", "--head", typed)


def test_a_receipt_comes_with_a_backup_and_with_the_end_of_a_session(shell: Shell) -> None:
    (receipt,) = shell.done("head").splitlines()

    assert shell.say("backup", "copy").err == f"Receipt {receipt}\n"
    ended = shell.say("-c", "evening", "end", "session").err.splitlines()
    assert ended[-1] == f"Receipt {shell.done('-c', 'evening', 'head').strip()}"


# --- a damaged schema -------------------------------------------------------------------------------------

STATEMENTS = ["TABLE event", "INDEX signpost", "TRIGGER event_stays", "TRIGGER event_is_final"]


def flipped(shell: Shell, statement: str, place: int, bit: int) -> None:
    """Flips a bit in the text of a statement of the file's schema, so many bytes after its beginning."""
    path = shell.folder / "evening.retold"
    data = bytearray(path.read_bytes())
    data[data.index(f"CREATE {statement}".encode()) + place] ^= 1 << bit
    path.write_bytes(data)


@pytest.mark.parametrize(("place", "bit"), [(2, 1), (9, 4), (40, 7), (60, 7)])
@pytest.mark.parametrize("statement", STATEMENTS)
def test_X7_what_is_good_is_cut_out_of_a_file_whose_schema_is_damaged(
    statement: str, place: int, bit: int, shell: Shell
) -> None:
    flipped(shell, statement, place, bit)
    before = (shell.folder / "evening.retold").read_bytes()

    said = shell.say("doctor")
    assert said.code == 1
    assert "evening.retold is damaged, and nothing is written to it. What it says of its own" in said.out
    assert "26 of 26 events are good" in said.out
    assert "retold doctor --cut NEW" in said.out

    assert "good.retold has the first 26 events." in shell.done("doctor", "--cut", "good")
    assert "The record is whole: 26 events" in shell.done("-c", "good", "verify")
    assert (shell.folder / "evening.retold").read_bytes() == before


@pytest.mark.parametrize("statement", STATEMENTS[:2])
def test_X7_opening_a_damaged_file_points_to_the_doctor(statement: str, shell: Shell) -> None:
    flipped(shell, statement, 60, 7)

    for words in (("log",), ("note:", "Rain.")):
        said = shell.refused(*words)
        assert said.startswith("evening.retold is damaged: ")
        assert said.endswith("What can be done: retold doctor.")
        assert "CREATE" not in said


def test_X7_a_foreign_schema_is_not_opened(shell: Shell) -> None:
    behind(shell, "CREATE VIEW mine AS SELECT 1")
    before = (shell.folder / "evening.retold").read_bytes()

    assert "it holds what no campaign has, the view mine, and is not opened" in shell.refused("doctor")
    assert "is not opened" in shell.refused("doctor", "--cut", "good")
    assert not (shell.folder / "good.retold").exists()
    assert (shell.folder / "evening.retold").read_bytes() == before
