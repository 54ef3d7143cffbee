"""`doctor` says what is wrong and what can be done, and writes nothing; `head` shows a cut-off end."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from journal.store.sqlite.footing import shared_disk, surely_sound
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


def test_of_a_whole_record_it_says_so(shell: Shell) -> None:
    assert "The record is whole: 26 events, every one in its place.\n" in shell.done("doctor")


def test_of_a_damaged_one_it_names_the_first_that_is_wrong_and_what_can_be_done(damaged: Shell) -> None:
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
    assert damaged.bytes("good").splitlines()[1:-1] == damaged.bytes().splitlines()[1 : last + 1]
    damaged.done("-c", "good", "note:", "Play goes on.")


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


def test_where_nothing_is_good_nothing_is_cut(shell: Shell) -> None:
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
    assert surely_sound(version) is sound


@pytest.mark.parametrize(
    ("kind", "shared"),
    [("ext4", False), ("nfs4", True), ("cifs", True), ("9p", True), ("fuse.sshfs", True), ("fuseblk", False)],
)
def test_R15_a_network_disk_is_known(kind: str, shared: bool, tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/x / ext4 rw 0 0\nserver:/x {tmp_path} {kind} rw 0 0\n")

    assert (shared_disk(tmp_path / "a.retold", mounts) is not None) is shared


@pytest.mark.parametrize(
    ("folder", "shared"), [("Dropbox (Home)", True), ("OneDrive", True), ("boxes", False)]
)
def test_R15_a_folder_that_is_copied_elsewhere_is_known(folder: str, shared: bool, tmp_path: Path) -> None:
    path = tmp_path / folder / "deeper" / "a.retold"

    assert (shared_disk(path, tmp_path / "none") is not None) is shared


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
def test_what_is_no_receipt_is_a_wrong_use(typed: str, shell: Shell) -> None:
    assert "is no receipt: it is LINE:POSITION:HASH" in shell.misused("verify", "--head", typed)


def test_a_receipt_comes_with_a_backup_and_with_the_end_of_a_session(shell: Shell) -> None:
    (receipt,) = shell.done("head").splitlines()

    assert shell.say("backup", "copy").err == f"Receipt {receipt}\n"
    ended = shell.say("-c", "evening", "end", "session").err.splitlines()
    assert ended[-1] == f"Receipt {shell.done('-c', 'evening', 'head').strip()}"
