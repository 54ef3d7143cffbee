"""`verify` at the shell, where a record is whole and what lies beside it is not."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from retold.games.bruise import rules
from retold.journal import RELEASE
from retold.journal.store.events import acts
from tests import data
from tests.cli.shell import Shell
from tests.conftest import EVENING

REMOVED_OPTIONS = Path(data.__file__).parent / "removed-options.jsonl"
REFUSED = "The snapshot of line 1 at position"


@pytest.fixture
def spoilt(shell: Shell) -> Shell:
    """A campaign that has a snapshot, whose seal is broken."""
    shell.play("".join(f"note: {number}\n" for number in range(300)))
    shell.done("note:", "one more")
    (cache,) = Path(shell.folder).rglob("*.cache")
    with closing(sqlite3.connect(cache)) as db, db:
        assert db.execute("UPDATE snapshot SET state = CAST(state || 'x' AS BLOB)").rowcount
    return shell


def test_F1_verify_says_of_a_snapshot_that_it_is_refused(spoilt: Shell) -> None:
    said = spoilt.say("verify")

    assert said.code == 0
    assert "The record is whole" in said.out
    assert f"{REFUSED} 326 is not used: its seal is broken." in said.out


def test_F1_for_machines_too(spoilt: Shell) -> None:
    (said,) = json.loads(spoilt.done("verify", "--json"))["cache"]

    assert said.startswith(REFUSED)


def test_F1_debugging_one_hears_of_it_wherever_it_was_wanted(spoilt: Shell) -> None:
    assert spoilt.say("--debug", "show").err.startswith(REFUSED)


def test_F1_other_verbs_do_not_report_a_broken_cache(spoilt: Shell) -> None:
    assert spoilt.say("show").err == ""


def test_F1_a_cache_in_order_is_not_spoken_of(shell: Shell) -> None:
    assert "snapshot" not in shell.done("verify")
    assert json.loads(shell.done("verify", "--json"))["cache"] == []


@pytest.mark.skipif(os.name == "nt", reason="modes of a POSIX system")
def test_S18_a_cache_is_for_its_owners_eyes(shell: Shell) -> None:
    shell.play("".join(f"note: {number}\n" for number in range(300)))
    shell.done("note:", "one more")
    shell.done("search", "one")
    (cache,) = Path(shell.folder).rglob("*.cache")

    assert cache.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("decided", "code"), [(None, 0), ("0.1.9", 0), (RELEASE, 1)], ids=["not named", "earlier", "this one"]
)
def test_X11_what_older_rules_decided_is_no_fault_of_the_record(
    shell: Shell, decided: str | None, code: int
) -> None:
    with patch.object(acts, "RELEASE", decided):
        shell.done("run", "--new", "-c", "old", "-q", "-", stdin=EVENING.encode())
    with patch.object(rules, "quantity_range", return_value=(7, 7)):
        said, told = (shell.say("-c", "old", "verify", "--rules", *json_) for json_ in ((), ("--json",)))

    assert (said.code, told.code) == (code, code)
    assert ("other rules do not mean that it was changed." in said.out) is (code == 0)
    one, *_ = json.loads(told.out)["decided"]
    assert one == {
        "position": one["position"],
        "verb": "quality",
        "release": decided,
        "game": None,
        "by_these_rules": code == 1,
    }


def test_verify_says_which_removed_options_an_act_was_decided_by(shell: Shell) -> None:
    shell.done("load", str(REMOVED_OPTIONS), "old.retold")

    said = shell.done("-c", "old.retold", "verify", "--rules")

    assert (
        "81 (approach): recorded guenask.approach-chosen, table.dice-rolled, table.dice-rolled,"
        " guenask.turn-order-set; today: the same with other values."
        " Options removed since: guenask.joining=end.\n"
    ) in said
    log = shell.done("-c", "old.retold", "log", "-n", "0")
    assert "option whiskey.leaving=free: “As at the last table.”" in log


def test_a_retcon_names_removed_options_that_no_longer_hold(shell: Shell) -> None:
    shell.done("load", str(REMOVED_OPTIONS), "old.retold")

    said = shell.done("-c", "old.retold", "retcon", "2", "--check", "--as", "cast Ann whiskey combat=5")

    assert (
        "No longer holds: 10, option whiskey.leaving=free: As at the last table. (There is no option leaving."
    ) in said
