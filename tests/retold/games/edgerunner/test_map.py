"""The map is drawn and people are put on it: `docs/rules/edgerunner.md` §4."""

from __future__ import annotations

import pytest

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands.verbs import MapZones, Place
from retold.games.edgerunner.system import SYSTEM as EDGERUNNER
from retold.journal.table import Table
from retold.journal.vocabulary.base import GM, Value
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    JADE,
    PEOPLE,
    SHEETS,
    TEXT,
    begun,
    mapped,
    opened,
    placed,
    state,
)
from tests.scenario import Story, given

EMPTY = given(*PEOPLE, *SHEETS, opened())
"""A conflict without a map."""

DRAWN = EMPTY.given(mapped(3, 1))
"""Dock, Aisle and Office in a row, with borders of 3 and of 1."""


def line(*words: str, **setup: Value) -> MapZones:
    """`map Dock 3 Aisle`: zones and passes by turns."""
    return MapZones(zones=words[::2], passes=words[1::2], setup=setup, text=TEXT)


def border(one: str, other: str, **passes: int) -> g.BorderDrawn:
    """A border; a way without a name is `_`."""
    return g.BorderDrawn(
        one=one, other=other, passes={way.strip("_"): value for way, value in passes.items()}
    )


def ways(story: Story, start: str, end: str) -> dict[str, int] | None:
    return state(story).ways(start, end)


# --- drawing ----------------------------------------------------------------------------------------------


def test_zones_and_borders_are_drawn_in_one_line() -> None:
    story = EMPTY.when(line("Dock", "3", "Aisle", "open:1,break:4", "Office")).then(
        g.ZonesMapped(
            conflict=1,
            zones=("Dock", "Aisle", "Office"),
            borders=(border("Dock", "Aisle", _=3), border("Aisle", "Office", open=1, **{"break": 4})),
            text=TEXT,
        )
    )

    assert ways(story, "Aisle", "Dock") == {"": 3}
    assert ways(story, "Office", "Aisle") == {"open": 1, "break": 4}


def test_a_known_zone_is_known_by_its_whole_name_only() -> None:
    story = DRAWN.when(line("dock", "1", "Do")).then(
        g.ZonesMapped(conflict=1, zones=("Do",), borders=(border("Dock", "Do", _=1),), text=TEXT)
    )

    assert state(story).zones == ["Dock", "Aisle", "Office", "Do"]


def test_a_zone_is_new_once_on_a_line() -> None:
    EMPTY.when(line("Dock", "1", "Aisle", "2", "DOCK")).then(
        g.ZonesMapped(
            conflict=1,
            zones=("Dock", "Aisle"),
            borders=(border("Dock", "Aisle", _=1), border("Aisle", "Dock", _=2)),
            text=TEXT,
        )
    )


def test_the_direction_is_that_of_writing_and_the_way_back_the_same_until_it_is_written() -> None:
    """ED-24: a slope of 1 downhill and 3 uphill."""
    story = EMPTY.given(line("Ridge", "1", "Vale"))
    assert (ways(story, "Ridge", "Vale"), ways(story, "Vale", "Ridge")) == ({"": 1}, {"": 1})

    story = story.given(line("Vale", "3", "Ridge"))
    assert (ways(story, "Ridge", "Vale"), ways(story, "Vale", "Ridge")) == ({"": 1}, {"": 3})

    story = story.given(line("Ridge", "2", "Vale"))
    assert (ways(story, "Ridge", "Vale"), ways(story, "Vale", "Ridge")) == ({"": 2}, {"": 3})


def test_a_door_has_several_ways() -> None:
    """ED-24: an open door takes 1, to open or close it 2 more, to break it 4, to break the wall 7."""
    story = EMPTY.given(line("Hall", "open:1,close:3,break:4,wall:7", "Cell"))
    story = story.given(line("Hall", "2", "Yard", "3", "Street"))

    assert ways(story, "Cell", "Hall") == {"open": 1, "close": 3, "break": 4, "wall": 7}
    assert (ways(story, "Hall", "Yard"), ways(story, "Yard", "Street")) == ({"": 2}, {"": 3})


def test_a_border_may_take_nothing_to_pass_but_not_more_than_99() -> None:
    assert ways(EMPTY.given(line("Dock", "0", "Aisle")), "Dock", "Aisle") == {"": 0}

    for typed in ("100", "12345", "9" * 30):
        EMPTY.when(line("Dock", typed, "Aisle")).then_refused(
            f"A border takes 0 to 99 shifts to pass, not {typed}."
        )


def test_a_line_may_say_what_its_borders_can_take_and_where_its_zones_are_drawn() -> None:
    story = EMPTY.when(line("Dock", "3", "Aisle", threshold="4", dock="0,0", aisle="1,0")).then(
        g.ZonesMapped(
            conflict=1,
            zones=("Dock", "Aisle"),
            borders=(border("Dock", "Aisle", _=3),),
            pins={"Dock": (0, 0), "Aisle": (1, 0)},
            threshold=4,
            text=TEXT,
        )
    )

    assert state(story).borders["Dock", "Aisle"].threshold == 4
    story.when(line("Dock", aisle="2,2")).then(
        g.ZonesMapped(conflict=1, zones=(), pins={"Aisle": (2, 2)}, text=TEXT)
    )


def test_what_was_taken_out_is_drawn_anew_both_ways() -> None:
    story = DRAWN.given(
        g.ZonesMapped(conflict=1, zones=(), borders=(border("Aisle", "Dock", _=5),)),
        g.TakenOut(conflict=1, on="Dock-Aisle", by=GATTO, over=3),
    )

    story = story.when(line("Aisle", "1", "Dock")).then(
        g.ZonesMapped(
            conflict=1,
            zones=(),
            borders=(border("Aisle", "Dock", _=1), border("Dock", "Aisle", _=1)),
            text=TEXT,
        )
    )
    assert state(story).broken == {}
    assert (ways(story, "Dock", "Aisle"), ways(story, "Aisle", "Dock")) == ({"": 1}, {"": 1})


def test_a_line_with_both_ways_says_all_of_what_was_taken_out() -> None:
    story = DRAWN.given(g.TakenOut(conflict=1, on="Dock-Aisle", by=GATTO, over=3))

    story.when(line("Dock", "1", "Aisle", "2", "Dock")).then(
        g.ZonesMapped(
            conflict=1,
            zones=(),
            borders=(border("Dock", "Aisle", _=1), border("Aisle", "Dock", _=2)),
            text=TEXT,
        )
    )


def test_a_border_is_found_by_its_name_either_way_round() -> None:
    found = [state(DRAWN).border_named(name) for name in ("Dock-Aisle", "aisle-dock", "Dock Aisle")]

    assert found == [state(DRAWN).borders["Dock", "Aisle"]] * 3
    assert state(DRAWN).border_named("Dock-Office") is None


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (line("Dock", "1", "dock"), "A border lies between two zones, and Dock is one."),
        (
            line("Dock", "1", "Aisle", "1", "Dock", "2", "Aisle"),
            "The way from Dock to Aisle is on this line twice.",
        ),
        (
            line("Cell:break"),
            "“Cell:break” cannot be a zone: a colon says by which way one goes there (Cell:break).",
        ),
        (line("3"), "“3” cannot be a zone: a number is what a border takes to pass."),
        (line("-"), "“-” is no name: it needs a letter."),
        (line("Dock"), "Dock is on the map already: map Dock 1 ZONE draws a border from it."),
        (
            line("Dock", "open:1,OPEN:2", "Aisle"),
            "Each way over a border has a name of its own: open:1,OPEN:2.",
        ),
        (
            line("Dock", "2:1", "Aisle"),
            "A way over a border is called by a word, such as open:1, and not 2.",
        ),
        (
            line("Dock", "1", "Aisle", threshold="much"),
            "A border's threshold is a number from 0 to 99, not much.",
        ),
        (
            line("Dock", "1", "Aisle", threshold="-1"),
            "A border's threshold is a number from 0 to 99, not -1.",
        ),
        (
            line("Yard", threshold="4"),
            "threshold= is what the borders of this line can take, and it draws none.",
        ),
        (line("Dock", rooftop="1,1"), "There is no “rooftop” here."),
        (
            line("Dock", dock="left"),
            "A zone is pinned by two numbers from 0 to 99, to the right and down: Dock=0,1, not left.",
        ),
        (line("Dock", dock="0,1", aisle="0,1"), "Dock and Aisle cannot both be drawn at 0,1."),
    ],
)
def test_a_line_is_refused(typed: MapZones, sentence: str) -> None:
    DRAWN.when(typed).then_refused(sentence)


def test_two_zones_are_never_drawn_in_one_place() -> None:
    DRAWN.given(line("Dock", dock="0,1")).when(line("Dock", aisle="0,1")).then_refused(
        "Dock and Aisle cannot both be drawn at 0,1."
    )


# --- people -----------------------------------------------------------------------------------------------


def test_people_are_placed_in_a_zone() -> None:
    story = DRAWN.when(Place(who=(GATTO, JADE, GATTO), zone="ais", text=TEXT)).then(
        g.Placed(conflict=1, who=(GATTO, JADE), zone="Aisle", text=TEXT)
    )

    assert state(story).places == {GATTO: "Aisle", JADE: "Aisle"}


def test_placing_may_include_people_already_there() -> None:
    DRAWN.given(placed("Dock", GATTO)).when(Place(who=(GATTO, HARGAN), zone="Dock")).then(
        g.Placed(conflict=1, who=(GATTO, HARGAN), zone="Dock")
    )


@pytest.mark.parametrize(
    ("story", "command", "sentence"),
    [
        (
            EMPTY,
            Place(who=(GATTO,), zone="Dock"),
            "There is no map yet: map Dock 1 Aisle draws two zones and a border of 1.",
        ),
        (DRAWN, Place(who=(GATTO,), zone="Dick"), "There is no “Dick” here. Did you mean Dock?"),
        (DRAWN, Place(who=(GM,), zone="Dock"), "The game master is in no zone: place who is there."),
        (begun(), Place(who=(GATTO,), zone="Dock"), "Gatto is in Dock already."),
        (begun(), Place(who=(GATTO, JADE), zone="Dock"), "Gatto, Jade are in Dock already."),
    ],
)
def test_a_place_is_refused(story: Story, command: Place, sentence: str) -> None:
    story.when(command).then_refused(sentence)


def test_a_map_is_drawn_for_the_conflict_that_comes() -> None:
    given(*PEOPLE).when(line("Dock")).then(g.ZonesMapped(zones=("Dock",), text=TEXT))


def test_zones_borders_and_aspects_can_be_named() -> None:
    def named(table: Table) -> list[str]:
        return list(EDGERUNNER.things(table, table.in_play()))

    said = g.AspectPlaced(conflict=1, aspect=4, on="Dock", wording="Oil", how="said")
    on_sheets = ["Only if this @#! gun fired once in a while", "Light on her feet", "Never lets go"]

    assert named(given(*PEOPLE, *SHEETS).table) == on_sheets
    assert named(DRAWN.given(said).table) == [
        *("Dock", "Aisle", "Office", "Dock-Aisle", "Aisle-Office"),
        *on_sheets,
        "Oil",
    ]
