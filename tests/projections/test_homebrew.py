"""A table's own game as it is told: who goes when, and a throw that takes another's place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import retold


@pytest.fixture
def campaign(tmp_path: Path) -> Iterator[retold.Campaign]:
    with retold.new(tmp_path / "bridge.retold") as made:
        made.play(
            "\n".join(
                (
                    *("game d20", "cast Thia str=3 dex=2 health=12", "cast Orc dex=1 health=9"),
                    *("session The bridge", "scene The ford: Fog."),
                )
            )
        )
        yield made


def told(campaign: retold.Campaign, voice: str = "report", mechanics: str = "inline") -> str:
    """The page, its lines joined."""
    return " ".join(campaign.export("text", voice=voice, mechanics=mechanics).decode().split())


# --- what came out, told or not ---------------------------------------------------------------------------


@pytest.mark.parametrize(("between", "ours"), [("", False), ("end session\nsession Another\n", True)])
def test_what_came_out_outside_of_a_conflict_is_told_in_its_own_evening(
    campaign: retold.Campaign, between: str, *, ours: bool
) -> None:
    campaign.play(f"roll Thia check str vs 15 = 14\n{between}narrate Thia: The chain gives.")

    assert ("[Thia, check: a success.]" in campaign.export("text", "book").decode()) is ours


# --- contests ---------------------------------------------------------------------------------------------


def test_a_throw_that_takes_the_place_of_another_says_so_on_the_screen_and_on_the_page(
    campaign: retold.Campaign,
) -> None:
    campaign.say("roll Thia d20+3 vs Orc = 11")
    campaign.say("roll Thia d20+3 vs Orc = 6")

    said = "Thia: 1d20+3 is 9 against Orc, who has yet to throw; the 14 before it counts no longer"
    assert campaign.happened()[-1].told == said
    assert said in told(campaign)


# --- who goes when ----------------------------------------------------------------------------------------

FIGHT = (
    'conflict "The ford" Thia vs Orc',
    "initiative Thia 12",
    "initiative = 9",
    "turn",
    "roll Thia attack str vs 12 = 15: I go for its eyes.",
)


def in_order(page: str, *parts: str) -> bool:
    places = [page.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


@pytest.mark.parametrize("voice", ["report", "script", "plain"])
def test_who_goes_first_stands_before_the_first_words_of_the_round(
    campaign: retold.Campaign, voice: str
) -> None:
    """Nine and one dexterity are ten: Thia, with twelve, begins."""
    campaign.play("\n".join(FIGHT))

    assert told(campaign, voice).count("Orc goes at 10") == 1
    assert in_order(
        told(campaign, voice),
        *("Thia goes at 12", "Orc: 1d20+1[dex] is 10", "Orc goes at 10", "round 1: Thia's turn"),
        *("I go for its eyes.", "attack with str 3: a hit"),
    )


def test_whose_turn_it_is_stands_with_what_was_told_before_and_not_with_what_is_told_next(
    campaign: retold.Campaign,
) -> None:
    campaign.play(
        "\n".join((*FIGHT, "turn", "initiative Thia 3", "narrate Orc: I howl.", "turn Thia: I run."))
    )

    assert in_order(
        told(campaign),
        *("I go for its eyes.", "a hit", "round 1: Orc's turn", "Thia goes at 3", "I howl."),
        *("I run.", "round 2: Thia's turn"),
    )


def test_a_note_between_takes_no_numbers(campaign: retold.Campaign) -> None:
    campaign.play("\n".join((*FIGHT[:1], "note --to table: Pizza is here.", *FIGHT[1:])))

    assert in_order(told(campaign), "Thia goes at 12", "Orc goes at 10", "Pizza", "I go for its eyes.")


# --- what came out more than once -------------------------------------------------------------------------


def test_N17_two_moves_that_came_out_alike_are_told_apart_and_the_same_one_once(
    campaign: retold.Campaign,
) -> None:
    campaign.play("roll Thia check str vs 15 = 14\n" * 2 + "roll Thia attack str vs 15 = 14\nend session\n")

    page = campaign.export("text", "book").decode()

    assert "[Thia, check: a success. Thia, attack: a hit.]" in page
    assert page.count("Thia: check with str") == 2  # the control: the numbers say that it came twice
