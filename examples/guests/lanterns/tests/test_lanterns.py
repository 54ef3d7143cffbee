"""Its evening plays through, tells what stands beside it, and would be decided the same way again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from retold_lanterns.rules import result

from retold.game import check

EVENING = Path(__file__).with_name("evening.session")


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    path = tmp_path / "evening.retold"
    run(path, "run", "--new", "-q", str(EVENING))
    return path


def run(campaign: Path, *words: str) -> bytes:
    command = [sys.executable, "-m", "retold", "-c", str(campaign), *words]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def test_nothing_of_the_game_misfits() -> None:
    assert check("lanterns") == ()


def test_a_total_comes_to_what_the_rules_say() -> None:
    assert [result(total) for total in (6, 7, 9, 10, 11, 12)] == "dark price price clear clear bright".split()


def test_the_evening_is_told_as_it_stands_here_and_would_be_decided_so_again(campaign: Path) -> None:
    told, golden = run(campaign, "export", "-o", "-"), EVENING.with_suffix(".md")
    if os.environ.get("RETOLD_GOLDEN") == "write":
        golden.write_bytes(told)

    assert told.decode() == golden.read_text("utf-8")
    run(campaign, "verify", "--rules")
