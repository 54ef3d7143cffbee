"""Opponents as players see them: a word and a bar in place of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold

DEN = """\
cast Wolf dex=2 health=7 ac=11 damage=1d6
cast Thia by=Ann str=3 health=14 ac=15
session One
conflict Den Thia vs Wolf
"""


@pytest.fixture
def den(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "den.retold", seed="a seed") as campaign:
        campaign.play(f"game d20\n{DEN}")
        yield campaign


def told(campaign: retold.Campaign, viewer: str = "Ann", last: int = 1) -> list[str]:
    return [one.told for one in campaign.seen_by(viewer).happened()][-last:]


def test_W7_a_player_that_nobody_knows_of_shows_no_number(den: retold.Campaign) -> None:
    den.say("hp Wolf -3")
    before = [den.seen_by(viewer).happened() for viewer in ("table", "Ann")]
    den.say("cast Wolf by=Ann --gm")

    assert [den.seen_by(viewer).happened() for viewer in ("table", "Ann")] == before


def test_W7_a_player_reads_no_number_of_an_opponent(den: retold.Campaign) -> None:
    den.say("roll Thia attack str vs Wolf = 15")
    den.say("hp Wolf -3")

    assert told(den, last=4) == [
        "Thia rolls 1d20: 15 [called]",
        "Thia: 1d20+3[str] is 18",
        "Thia: attack with str 3 against Wolf's ac: a hit",
        "Wolf is hurt",
    ]
    assert "Wolf, d20 sheet: numbers=hidden" in told(den, last=99)
    assert told(den, "gm") == ["Wolf's hp 7 → 4 of 7"]


@pytest.mark.parametrize(
    ("lost", "word"), [(1, "hurt"), (3, "hurt"), (4, "badly hurt"), (6, "badly hurt"), (7, "out"), (9, "out")]
)
def test_W7_half_of_the_hit_points_or_less_is_badly_hurt(den: retold.Campaign, lost: int, word: str) -> None:
    den.say(f"hp Wolf -{lost}")

    assert told(den) == [f"Wolf is {word}"]


def test_W7_a_healed_opponent_is_unhurt_again(den: retold.Campaign) -> None:
    den.say("hp Wolf -3")
    den.say("hp Wolf +3")

    assert told(den) == ["Wolf is unhurt"]


def test_W7_an_example_roll_shows_no_number_to_reach(den: retold.Campaign) -> None:
    line = "roll Thia attack str vs Wolf = 15"

    assert list(den.sentences(den.check(line, by="Ann"), by="Ann")) == [
        "Thia rolls 1d20: 15",
        "Thia: 1d20+3[str] is 18",
    ]


def test_W7_the_board_has_a_bar_with_a_word(den: retold.Campaign) -> None:
    den.say("hp Wolf -3")

    row = den.seen_by("Ann").board()["row:homebrew:-:1:hp"]

    assert (row["value"], row["most"], row["words"]) == (4, 6, ("hurt",))


@pytest.mark.parametrize(
    ("before", "says"),
    [
        ("game d20\noption table.opponents=shown\n", "Wolf's hp 7 → 4 of 7"),
        ("game fate\noption table.opponents=shown\n", "Wolf's stress 0 → 1 of 3"),
        ("game fate\n", "Wolf's stress 0 → 1 of 3"),
        ("game fate\noption table.opponents=hidden\n", "Wolf is hurt"),
    ],
)
def test_W7_the_table_chooses(tmp_path: Path, before: str, says: str) -> None:
    with retold.new(tmp_path / "chosen.retold", seed="a seed") as campaign:
        campaign.play(f"{before}cast Wolf\ncast Thia by=Ann\nsession One\n")
        if "d20" in before:
            campaign.say("cast Wolf health=7")
        campaign.say("hp Wolf -3" if "d20" in before else "stress Wolf +1")

        assert told(campaign) == [says]


def test_W7_without_players_there_are_no_opponents(tmp_path: Path) -> None:
    with retold.new(tmp_path / "alone.retold", seed="a seed") as campaign:
        campaign.play(f"game d20\n{DEN.replace(' by=Ann', '')}")
        campaign.say("hp Wolf -3")

        assert told(campaign, "table") == ["Wolf's hp 7 → 4 of 7"]


def test_W7_a_person_with_a_player_is_no_opponent(den: retold.Campaign) -> None:
    den.say("hp Wolf -3")
    den.say("cast Wolf by=Bea")

    assert "Wolf's hp 7 → 4 of 7" in told(den, last=9)
