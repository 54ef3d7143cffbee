"""`can` lists what the dice allow, and chooses nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.__main__ import main

EVENING = """\
campaign Dice on the table
cast Hana guenask mind=3 hard=3 body=3 soft=3
cast Thoss guenask mind=3 hard=3 body=3 soft=3 stages=5
conflict "The egg" guenask Hana vs Thoss first=Hana: the egg
ruling boxes=3: As offered.
approach Hana opposed neutral = 1 2 2 3 4 4
approach Thoss opposed neutral = 1 1 3 4 5 6
mark rolled
raise 4+3: Hand it over.
mark raised
see 6+1: No.
raise 1+3: Leave.
mark small
see 4: You leave.
mark reversed
"""


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """A quarrel, played up to a reversal."""
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RETOLD_CAMPAIGN", raising=False)
    script = tmp_path / "evening.session"
    script.write_text(EVENING, "utf-8")
    path = str(tmp_path / "dice.retold")
    assert main(["run", "--new", "-q", "-c", path, str(script)]) == 0
    capsys.readouterr()
    return path


def test_every_raise_is_listed_by_what_it_comes_to(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "can", "--at", "rolled"]) == 0

    assert capsys.readouterr().out == (
        "Hana to raise (The egg)\n"
        "  Raises:\n"
        "    4+4 = 8 · 4+3 = 7 · 4+2 = 6 · 4+1 = 5 · 3+2 = 5 · 3+1 = 4 · and 2 more\n"
        "  Also: escalate, bring something in, give, or raise none.\n"
    )


def test_a_see_is_listed_by_what_it_would_be(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "can", "--at", "raised"]) == 0

    assert capsys.readouterr().out == (
        "Thoss to see 7 (The egg)\n"
        "  Block (two dice):\n"
        "    4+3 = 7 · 6+1 = 7 · 5+3 = 8 · 5+4 = 9 · 6+3 = 9 · 6+4 = 10 · and 1 more\n"
        "  Take the blow (three dice or more), 2 fallout, resisted by a die of 3 or more:\n"
        "    5+1+1 = 7 · 4+3+1+1 = 9 · 5+4+3+1+1 = 14 · 6+5+4+3+1+1 = 20\n"
        "  Also: escalate, bring something in, give, or see none.\n"
    )


def test_a_reversal_is_named_and_a_kept_die_is_in_every_raise(
    campaign: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-c", campaign, "can", "--at", "small"]) == 0
    assert "  Reverse the blow (one die, kept for the next raise):\n    4\n" in capsys.readouterr().out

    assert main(["-c", campaign, "can"]) == 0
    assert capsys.readouterr().out.startswith(
        "Hana to raise, with the 4 kept (The egg)\n  Raises:\n    4+2 = 6 · 4+1 = 5\n"
    )


def test_for_machines_all_of_them_are_told(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "can", "Thoss", "--at", "raised", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    (moves,) = said["moves"]

    assert (said["retold"], said["version"], moves["task"], moves["against"]) == ("can", 1, "see", 7)
    assert moves["who"]["name"] == "Thoss"
    assert {"what": "block", "dice": [6, 5], "total": 11, "fallout": None} in moves["ways"]
    assert {"what": "blow", "dice": [5, 1, 1], "total": 7, "fallout": 2} in moves["ways"]


def test_who_is_not_to_act_is_told_who_is(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "can", "Thoss"]) == 1

    assert capsys.readouterr().err == (
        "There is nothing to raise or see for Thoss now: it is for Hana to act.\n"
    )


def test_without_dice_it_is_refused(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["-c", campaign, "give", "Thoss"]) == 0
    assert main(["-c", campaign, "can"]) == 1

    assert capsys.readouterr().err.endswith(
        "No dice are on the table: can speaks of a conflict with pools.\n"
    )


def test_it_records_nothing(campaign: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(campaign).read_bytes()
    main(["-c", campaign, "can"])

    assert Path(campaign).read_bytes() == before
    assert capsys.readouterr().err == ""
