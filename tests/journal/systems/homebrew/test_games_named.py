"""The game of a campaign: `game whiskey` is that of sheets for which none is named (issue 37)."""

from __future__ import annotations

from journal.options import GAME, of_the_table
from journal.refused import refusal_of
from tests.scenario import given


def test_Q37_one_of_the_five_may_be_chosen_and_changed() -> None:
    table = given("game whiskey", "cast Maren combat=11", "game bruise", "cast Zel clubs=4")

    assert set(table.shelves) == {"whiskey", "bruise"}
    assert refusal_of(lambda: given("game bruise", "game Bruise")) == (
        "Bruise is this campaign's game already: cast NAME gives somebody a sheet."
    )


def test_Q37_a_game_in_a_file_takes_the_place_of_one_of_the_five() -> None:
    table = given("game whiskey", "game d20", "cast Oda str=4")

    assert of_the_table(table, GAME) == "named"
    assert set(table.shelves) == {"homebrew"}
