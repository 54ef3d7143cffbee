"""What a table has chosen of a game is read in one place, as what it is; the default is said once."""

from __future__ import annotations

from enum import StrEnum

import pytest

from retold.journal.options import Chosen, Option
from retold.journal.system import separate_table
from retold.journal.table import OpenConflict, Table


class Deal(StrEnum):
    """Which way the cards go round."""

    LEFT = "left"
    RIGHT = "right"


chosen = Chosen(
    "uno",
    (
        Option("deal", tuple(Deal), Deal.LEFT, "which way the cards go round"),
        Option("cards", ("7",), "7", "how many cards each begins with", number=True),
        Option("bluff", ("no", "yes"), "no", "whether one may bluff"),
    ),
)


def test_the_default_holds_until_an_option_is_chosen() -> None:
    table = Table()

    assert (chosen(table, "deal"), chosen.number(table, "cards"), chosen.yes(table, "bluff")) == (
        "left",
        7,
        False,
    )
    assert chosen.default("cards") == "7"


def test_what_was_chosen_holds_in_its_own_game() -> None:
    table = Table(options={"uno": {"deal": "right", "cards": "5", "bluff": "yes"}, "whist": {"deal": "left"}})

    assert chosen.kind(table, "deal", Deal) is Deal.RIGHT
    assert (chosen.number(table, "cards"), chosen.yes(table, "bluff")) == (5, True)


def test_an_option_that_is_none_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        chosen(Table(options={"uno": {"trump": "red"}}), "trump")


def test_a_table_set_apart_changes_nothing_of_the_table_now() -> None:
    ours, theirs = (
        OpenConflict(n, game, ((1,), (2,)), {}, None, None, 1, []) for n, game in ((1, "uno"), (2, "whist"))
    )
    table = Table(conflicts={1: ours, 2: theirs}, shelves={"uno": [], "whist": []}, options={"uno": {}})

    then = separate_table(table, "uno")
    then.options["uno"]["deal"] = "right"
    then.conflicts[1].sides = ((1,),)
    for kept in (then.shelves["uno"], then.conflicts[1].state):
        assert isinstance(kept, list)
        kept.append("a card")

    assert (table.options, table.shelves["uno"], ours.state, len(ours.sides)) == ({"uno": {}}, [], [], 2)
    assert then.conflicts[2] is theirs
    assert then.shelves["whist"] is table.shelves["whist"]
