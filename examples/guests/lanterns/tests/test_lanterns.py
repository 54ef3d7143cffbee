"""Its evening plays through, tells what stands beside it, and would be decided the same way again."""

import os
from pathlib import Path

import pytest
from retold_lanterns.rules import result

from cli.__main__ import main

EVENING = Path(__file__).with_name("evening.session")


@pytest.fixture
def campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))
    path = str(tmp_path / "evening.retold")
    assert main(["run", "--new", "-q", "-c", path, str(EVENING)]) == 0
    return path


def test_a_total_comes_to_what_the_rules_say() -> None:
    assert [result(total) for total in (6, 7, 9, 10, 11, 12)] == "dark price price clear clear bright".split()


def test_the_evening_is_told_as_it_stands_here_and_would_be_decided_so_again(
    campaign: str, tmp_path: Path
) -> None:
    told, golden = tmp_path / "told.md", EVENING.with_suffix(".md")
    assert main(["-c", campaign, "export", "-o", str(told)]) == 0
    if os.environ.get("RETOLD_GOLDEN") == "write":
        golden.write_bytes(told.read_bytes())

    assert told.read_text("utf-8") == golden.read_text("utf-8")
    assert main(["-c", campaign, "verify", "--rules"]) == 0
