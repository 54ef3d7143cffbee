"""The game of a campaign: `game whiskey` is that of sheets for which none is named (issue 37)."""

from __future__ import annotations

from retold.journal.options import GAME, of_the_table
from tests.retold.games.whiskey.spoken import refusal, typed
from tests.scenario import given


def test_Q37_one_of_the_five_may_be_chosen_and_changed() -> None:
    story = typed(given(), "game whiskey", "cast Maren combat=11", "game bruise", "cast Zel clubs=4")

    assert set(story.table.shelves) == {"whiskey", "bruise"}
    assert refusal(story, "game Bruise") == (
        "Bruise is this campaign's game already: cast NAME makes a sheet."
    )


def test_Q37_a_game_in_a_file_takes_the_place_of_one_of_the_five() -> None:
    story = typed(given(), "game whiskey", "game d20", "cast Oda str=4")

    assert of_the_table(story.table, GAME) == "named"
    assert set(story.table.shelves) == {"homebrew"}
