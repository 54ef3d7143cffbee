"""What a line that opens a conflict may say of it: who has no sheet, and what the map is of."""

from __future__ import annotations

import pytest

from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Value, Words
from tests.retold.games.edgerunner.at_rest import TABLE
from tests.retold.games.edgerunner.at_the_warehouse import (
    CORP,
    GATTO,
    HARGAN,
    exchange,
    kept,
    mapped,
    move,
    place,
    placed,
    sheet,
    simple,
)

STORM = 11
"""Nobody has heard of it yet."""


def opening(*others: int | Words, **setup: Value) -> c.OpenConflict:
    return c.OpenConflict(system="edgerunner", sides=((GATTO,), tuple(others)), setup=setup)


def opened(*others: int, **setup: Value) -> e.ConflictOpened:
    return e.ConflictOpened(conflict=1, system="edgerunner", sides=((GATTO,), others), setup=setup)


@pytest.mark.parametrize(
    ("key", "typed", "kind", "value", "threshold"),
    [("threshold", 4, "problem", 4, 4), ("takes", "an hour", "problem", 7, 6), ("tl", 3, "mook", 3, 3)],
)
def test_A60_a_side_without_a_sheet_gets_one_with_the_conflict(
    key: str, typed: Value, kind: str, value: int, threshold: int
) -> None:
    story = TABLE.when(opening(Words("Storm"), **{key: typed})).then(
        e.CastIntroduced(person=STORM, name=Words("Storm"), role="side"),
        sheet(STORM, kind=kind, **{key: value}),
        opened(STORM, **{key: typed}),
    )

    story = story.given(exchange("a few moments"))
    assert kept(story).threshold(STORM, "stress") == threshold


def test_A60_a_person_who_has_a_sheet_keeps_it() -> None:
    TABLE.when(opening(HARGAN, threshold=4)).then_refused(
        "threshold= is for opponents without a sheet, and all have one:"
        " cast NAME edgerunner kind=problem threshold=4."
    )
    TABLE.when(opening(Words("Storm"), threshold=4, tl=3)).then_refused(
        "threshold= cannot be combined with another key: cast NAME edgerunner kind=problem threshold=4."
    )
    TABLE.when(opening(Words("Storm"), threshold="high")).then_refused(
        "A threshold is a number from 0 to 99: threshold=2, not high."
    )


def test_on_a_map_that_is_a_metaphor_factions_move() -> None:
    story = TABLE.given(opening(CORP, map="metaphor"), mapped(1, 1), placed("Dock", GATTO, CORP), exchange())

    assert place(story.given(move(CORP, "Aisle", free=True)), CORP) == "Aisle"
    assert place(story.given(simple(GATTO), move(GATTO, "Aisle", free=True)), GATTO) == "Aisle"
    assert story.when(move(CORP, "Aisle", faces="0000")).events


def test_on_any_other_they_do_not() -> None:
    story = TABLE.given(opening(CORP), mapped(1, 1), placed("Dock", GATTO, CORP), exchange())

    story.when(move(CORP, "Aisle", faces="0000")).then_refused(
        "Corp is a faction among people: it may deploy, maneuver, or do what is simple."
    )
    TABLE.when(opening(CORP, map="ideas")).then_refused(
        "A map is of places or a metaphor: map=metaphor, not ideas."
    )
