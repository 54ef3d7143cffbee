"""No test rests on luck: what is dealt and tried at random is the same each time, unless one explores."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from retold.journal.decks.chance import SystemDealer
from tests.exploring import seeds

HERE = Path(__file__).parent
LUCK = re.compile(
    r"\b(import secrets|from secrets|urandom|uuid4|SystemRandom|Random\(\)|use_true_random=True)"
)
CASES = ["1", "2", "3", "4", "5", "6"]


def explored(number: str, *arguments: str) -> str:
    """What pytest says of these tests while it explores from a number."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *arguments]
    environment = {**os.environ, "RETOLD_EXPLORE": number}
    done = subprocess.run(
        command, cwd=HERE.parent, env=environment, capture_output=True, text=True, check=False
    )
    return done.stdout


def test_properties_are_tried_at_the_same_cases_each_time() -> None:
    assert settings().derandomize


def test_what_is_dealt_without_a_seed_is_dealt_alike(request: pytest.FixtureRequest) -> None:
    luck = Random(f" {request.node.nodeid}")

    assert [SystemDealer().pick("d6", CASES) for _ in range(20)] == [luck.choice(CASES) for _ in range(20)]


def test_no_test_takes_luck_from_anywhere_else() -> None:
    files = set(HERE.rglob("*.py")) - {Path(__file__), HERE / "test_architecture.py"}  # which speak of it

    assert [path.name for path in files if LUCK.search(path.read_text("utf-8"))] == []


def test_seeds_are_the_same_each_time_and_cases_come_first() -> None:
    assert seeds(3, 4711) == [4711, 0, 1, 2]


def test_exploring_properties_are_tried_and_nothing_that_is_always_the_same() -> None:
    said = explored("7", "--collect-only", "tests/projections/test_stress_view.py")

    assert "test_no_track_is_wider_than_a_column" in said
    assert "test_a_marked_track_reads_as_it_would_on_paper" not in said


def test_exploring_seeds_are_fresh_and_follow_from_the_number() -> None:
    def found(number: str) -> str:
        script = "from tests.exploring import seeds; print(seeds(3, 4711))"
        environment = {**os.environ, "RETOLD_EXPLORE": number}
        return subprocess.check_output(
            [sys.executable, "-c", script], cwd=HERE.parent, env=environment, text=True
        )

    assert found("7") == found("7") != found("8")
    assert "4711" not in found("7")
