"""Anything is typed at any table: no internal error, and what was recorded can be read, checked, replayed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.exploring import seeds
from tests.wandering.evening import evening
from tests.wandering.lines import CAST
from tests.wandering.wander import played, shortened, wandered


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RETOLD_HOME", str(tmp_path / "home"))


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(2))
@pytest.mark.parametrize("game", list(CAST))
def test_whatever_is_typed_the_table_answers(game: str, seed: int) -> None:
    trouble = wandered(game, seed)

    assert trouble is None, f"\n{shortened(trouble)}"


# --- the machine itself -----------------------------------------------------------------------------------


def test_a_rule_that_breaks_is_found_and_shown_in_the_lines_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the machine is for: an error planted in a view comes out, without the lines that do not matter."""

    def sees(night_table: object) -> None:
        if "Ned" in str(night_table):
            raise KeyError("Ned")

    monkeypatch.setattr("tests.wandering.wander.table_answers", sees)
    found = played(("session A night", "cast Zel", "scene A room", "cast Ned", "note: rain"))

    assert found is not None
    assert shortened(found).lines == ("cast Ned",)


def test_a_refusal_is_no_trouble_and_is_kept_beside_its_line() -> None:
    with evening(("raise 4+3", "cast Zel")) as night:
        first, second = night.told()

    assert first.startswith("# raise 4+3   -- ")
    assert second == "cast Zel"
    assert played(("raise 4+3", "cast Zel")) is None
