"""What is answered where a line begins with somebody, or with a move and nobody, in a table's own game."""

from __future__ import annotations

import pytest

from retold.games.homebrew.commands import verbs as v
from retold.games.homebrew.events import GameChosen
from retold.games.homebrew.options import built_in_game, game_as_json
from retold.journal.language.binding import Scope, bind
from retold.journal.language.lexing import lex
from retold.journal.refused import Refused
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from tests.proposed import holds
from tests.scenario import Story, cast, given

BRANNOC, THIA, OGRE, ONE, TWO = 1, 2, 3, 4, 5
BANDITS = "There is no “Bandits” here. Did you mean Bandit-1 or Bandit-2?"
D20 = GameChosen(name="d20", definition=game_as_json(built_in_game("d20")))


def tavern() -> Story:
    """Five of the cast, of whom all have a sheet and hit points."""
    return given(
        *cast("Brannoc", "Thia", "Ogre", "Bandit-1", "Bandit-2"),
        D20,
        *(
            e.SheetChanged(person=who, system="homebrew", values={"str": 2, "wis": 1, "ac": 11, "health": 9})
            for who in (BRANNOC, THIA, OGRE, ONE, TWO)
        ),
    )


def on_the_turn_of_brannoc() -> Table:
    sides = ((BRANNOC, THIA), (OGRE, ONE, TWO))
    return tavern().given(c.OpenConflict(sides=sides), v.Turn(who=BRANNOC)).table


def refusal(line: str, table: Table) -> str:
    with pytest.raises(Refused) as refused:
        bind(lex(line), Scope(table, int))
    return str(refused.value)


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        (
            "attack str vs Bandit-2 damage 1d8+3 = 9 6",
            "roll Brannoc attack str vs Bandit-2 damage 1d8+3 = 9 6",
        ),
        (
            "attack Bandit-2 str damage 1d8+3 = 9 6",
            "roll Brannoc attack str vs Bandit-2 damage 1d8+3 = 9 6",
        ),
        ("check wis vs 12", "roll Brannoc check wis vs 12"),
        ("check Thia wis vs 12", "roll Thia check wis vs 12"),
        ("roll attack str vs Bandit-2", "roll Brannoc attack str vs Bandit-2"),
    ],
)
def test_reader_a_move_without_a_subject_suggests_the_current_fighter(line: str, whole: str) -> None:
    table = on_the_turn_of_brannoc()

    said = holds(refusal(line, table), table, decided=False)

    assert said == f"A roll says whose it is: {whole}."


def test_reader_a_move_without_a_subject_outside_turns_is_refused() -> None:
    assert refusal("check wis vs 12", tavern().table) == "A roll says whose it is: roll WHO check wis vs 12."


@pytest.mark.parametrize(
    ("line", "likely"),
    [
        ("Bandit-2 -5", "hp Bandit-2 -5"),
        ("Ogre roll check wis vs 12 --gm", "roll Ogre check wis vs 12 --gm"),
        ("Ogre attacks Brannoc", "roll Ogre attack vs Brannoc"),
        ("Ogre poisned", "poisoned Ogre"),
        ("Bandit-2 runs", None),
    ],
)
def test_reader_a_line_that_begins_with_a_name_suggests_verbs(line: str, likely: str | None) -> None:
    table = tavern().table
    who = line.partition(" ")[0]

    said = holds(refusal(line, table), table, decided=False)

    told = f"narrate {who}: …; or, where they speak, {who}: …"
    lines = told if likely is None else f"{likely}; {told}"
    assert said == f"A line begins with what is done: {lines}"


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("status Brannoc on fire", '“on” does not fit here. Quote it: status Brannoc "on fire".'),
        (
            "hp Bandits -4",
            BANDITS,
        ),
        (
            "roll Thia attack str Ogre dis",
            "The words of a roll have an order: roll Thia attack str dis vs Ogre.",
        ),
    ],
)
def test_reader_what_is_nearly_a_line_of_the_game_is_answered_with_that_line(
    line: str, sentence: str
) -> None:
    table = tavern().table

    assert holds(refusal(line, table), table, decided=False) == sentence


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (
            "roll Thia attack str vs Ogre damage 1d8+3 adv = 6 18 7",
            "roll Thia attack str adv vs Ogre damage 1d8+3 = 6 18 7",
        ),
        ("Thia attack str vs Ogre dis = 9 12 4", "roll Thia attack str dis vs Ogre = 9 12 4"),
    ],
)
def test_adv_and_dis_may_stand_anywhere_behind_the_move(line: str, meant: str) -> None:
    table = tavern().table
    scope = Scope(table, int)

    assert bind(lex(line), scope) == bind(lex(meant), scope)


@pytest.mark.parametrize("line", ["maneuver Ogre", "maneuver Ogre Thia as"])
def test_reader_a_verb_of_a_game_that_is_not_played_shows_no_form(line: str) -> None:
    said = refusal(line, tavern().table)

    assert said.startswith(f"There is no {line.split(maxsplit=1)[0]} in A d20 and a number; it belongs to ")
    assert "The form is" not in said
