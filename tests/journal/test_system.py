"""A game says only what it has; for all the rest the house has an answer."""

from __future__ import annotations

import pytest
from msgspec.structs import fields

from retold.journal.decks.chance import Luck, StackedDealer
from retold.journal.refused import Refused
from retold.journal.system import Situation, StateAccess, System
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words

UNO = System(
    name="uno",
    title="Uno",
    about="whoever has no card left has won",
    commands=(),
    events=(),
    decide={},
    evolve={},
    shelf=set,
)
CONFLICT = OpenConflict(1, "uno", ((1,), (2,)), {}, None, None, 1, [])
RULING = e.RulingMade(conflict=1, text=Words("Because."))


def there() -> Situation:
    return Situation(Table(conflicts={1: CONFLICT}), Luck(StackedDealer(())), {"uno": UNO}, CONFLICT)


def test_eight_things_are_asked_of_every_game() -> None:
    asked = [one.name for one in fields(System) if one.required]

    assert asked == ["name", "title", "about", "commands", "events", "decide", "evolve", "shelf"]


def test_a_game_without_more_leaves_nothing_open_and_ends_when_it_is_ended() -> None:
    table = there().table

    assert UNO.pending(table, CONFLICT) == UNO.waiting(table) == ()
    assert UNO.close(there(), "ended") == UNO.session(there()) == []
    assert (UNO.turn(table, CONFLICT), UNO.outlook(there()), UNO.things(table, CONFLICT)) == (
        "open",
        None,
        {},
    )


@pytest.mark.parametrize(
    ("sentence", "asked"),
    [
        (
            "Uno has no way into an open conflict.",
            lambda: UNO.join(there(), e.Joined(conflict=1, people=(3,))),
        ),
        (
            "Uno has no way out of an open conflict.",
            lambda: UNO.leave(there(), e.Left(conflict=1, people=(2,), side=2)),
        ),
        ("This game has nothing that a ruling answers or sets.", lambda: UNO.set_number(there(), RULING)),
        ("This game has nothing that a ruling answers or sets.", lambda: UNO.answer(there(), RULING)),
        ("No sheet is kept in this game, so there is no luck=3.", lambda: UNO.read_sheet("luck", "3")),
    ],
)
def test_a_game_without_more_refuses_in_a_sentence(sentence: str, asked: object) -> None:
    assert callable(asked)
    with pytest.raises(Refused, match=sentence):
        asked()


def test_what_a_game_keeps_is_found_at_its_place() -> None:
    table, place = there().table, StateAccess("uno", set, list)

    assert place.shelf(table) == set()
    assert place.own(table) is place.shelf(table)
    assert place.play(CONFLICT) == []
