"""Verbs are offered where they are played: one rule for help, completion and suggestions."""

from collections.abc import Collection

import pytest

from retold.journal.games import BUILT_IN
from retold.journal.language.verbs import UnknownVerb, added_commands, guest_verbs, verbs_of
from retold.journal.offered_verbs import EVERYWHERE, offered_verbs
from retold.journal.store.events.kinds import COMMANDS
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.vocabulary.commands import LINE_VERBS, OF_SOME_GAMES, SHARED


def playing(*games: str) -> Table:
    return Table(shelves={game: SYSTEMS[game].shelf() for game in games})


def test_the_verbs_of_every_table_are_the_shared_ones_but_for_those_of_some_games() -> None:
    everywhere = [command for command in (*SHARED, *LINE_VERBS) if command not in OF_SOME_GAMES]

    assert [command.verb for command in everywhere] == list(EVERYWHERE)


@pytest.mark.parametrize("game", BUILT_IN)
def test_the_file_in_a_games_folder_lists_the_verbs_that_the_game_adds(game: str) -> None:
    added = dict.fromkeys(command.verb for command in added_commands(SYSTEMS[game]))

    assert offered_verbs({game}, lambda _games: ()) == (*EVERYWHERE, *added)


def test_a_table_without_a_game_is_offered_every_verb() -> None:
    assert set(verbs_of(Table())) == set(COMMANDS)


@pytest.mark.parametrize(
    ("games", "offered", "kept_back"),
    [
        (
            {"homebrew"},
            {"initiative", "track", "roll"},
            {"compel", "concede", "continue", "condition", "draw"},
        ),
        ({"edgerunner"}, {"compel", "accept", "maneuver"}, {"initiative", "draw", "quality"}),
        ({"whiskey"}, {"clash", "shuffle"}, {"draw", "compel", "concede", "accept"}),
        ({"bruise", "edgerunner"}, {"compel", "draw", "colour", "maneuver"}, {"initiative", "raise"}),
    ],
)
def test_a_table_is_offered_the_verbs_of_its_games_and_of_no_other(
    games: Collection[str], offered: set[str], kept_back: set[str]
) -> None:
    verbs = set(verbs_of(playing(*games)))

    assert offered <= verbs
    assert not kept_back & verbs


def test_a_mistyped_verb_is_not_answered_with_another_games() -> None:
    assert "Did you mean compel" in str(UnknownVerb("compell", table=playing("edgerunner")))
    assert "compel" not in str(UnknownVerb("compell", table=playing("homebrew"))).partition(".")[2]


def test_without_guests_no_verb_is_theirs() -> None:
    assert list(guest_verbs(BUILT_IN)) == []
