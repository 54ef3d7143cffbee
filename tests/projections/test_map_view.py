"""What the view of maps sees."""

from __future__ import annotations

import json

from hypothesis import given

from retold.journal.capabilities import HasMap, Plan
from retold.projections.views import VIEWS
from retold.projections.views.map import Maps, of
from retold.projections.views.sheet import changes
from tests.projections.plans import Mapped, border, passing, plan, plans, table

GATTO, JADE, HARGAN = ({"id": 1, "name": "Gatto"}, {"id": 2, "name": "Jade"}, {"id": 3, "name": "Hargan"})


def docks(**places: str) -> Plan:
    people = {"gatto": 1, "jade": 2, "hargan": 3}
    return plan(
        [border("Dock", "Aisle", 3), border("Aisle", "Office", ("stairs", 1), back=passing(2))],
        {people[name]: zone for name, zone in places.items()},
        zones=("Dock", "Aisle", "Office", "Roof"),
        pins={"Roof": (4, 0)},
    )


def seen(one: Plan) -> Maps:
    return of(table(one))


def test_a_made_up_state_is_a_map() -> None:
    assert isinstance(Mapped(docks()), HasMap)


def test_a_map_has_its_zones_its_borders_and_how_far_apart_people_are() -> None:
    value = seen(docks(gatto="Dock", jade="Dock", hargan="Office")).to_json()

    assert value == {
        "view": "map",
        "version": 1,
        "open": [
            {
                "conflict": 1,
                "title": "Out by stair 1",
                "zones": [
                    {"name": "Dock", "who": [GATTO, JADE], "pin": None, "things": []},
                    {"name": "Aisle", "who": [], "pin": None, "things": []},
                    {"name": "Office", "who": [HARGAN], "pin": None, "things": []},
                    {"name": "Roof", "who": [], "pin": [4, 0], "things": []},
                ],
                "borders": [
                    {
                        "one": "Dock",
                        "other": "Aisle",
                        "there": [{"way": None, "value": 3}],
                        "back": [{"way": None, "value": 3}],
                        "threshold": None,
                        "marked": [],
                    },
                    {
                        "one": "Aisle",
                        "other": "Office",
                        "there": [{"way": "stairs", "value": 1}],
                        "back": [{"way": None, "value": 2}],
                        "threshold": None,
                        "marked": [],
                    },
                ],
                "ranges": [
                    {"one": GATTO, "other": JADE, "borders": 0},
                    {"one": GATTO, "other": HARGAN, "borders": 2},
                    {"one": JADE, "other": HARGAN, "borders": 2},
                ],
                "out": [],
            }
        ],
    }


def test_range_takes_the_shortest_path_and_no_way_is_no_range() -> None:
    ring = plan(
        [*(border(one, other) for one, other in ("AB", "BC", "CD", "DE", "EA")), border("E", "F", back=())],
        {1: "A", 2: "D", 3: "F"},
        zones="ABCDEFG",
    )
    (one,) = seen(ring).open
    (walled,) = seen(plan([border("A", "B", back=())._replace(there=())], {1: "A", 2: "B"})).open

    assert [(each.one.name, each.other.name, each.borders) for each in one.ranges] == [
        ("Gatto", "Jade", 2),  # A E D, not A B C D
        ("Gatto", "Hargan", 2),  # one way suffices
        ("Jade", "Hargan", 2),
    ]
    assert [each.borders for each in walled.ranges] == [None]


def test_its_sheet_has_people_and_borders_and_says_ranges_beneath() -> None:
    wall = border("Hall", "Cell", ("open", 1), ("break", 4))._replace(threshold=4, marked=(1, 2))
    sheet = seen(plan([wall], {1: "Hall", 3: "Cell"})).sheet()

    assert [row.cells for row in sheet.rows] == [
        ("Out by stair 1 (1)", "Gatto", "Hall"),
        ("Out by stair 1 (1)", "Hargan", "Cell"),
        ("Out by stair 1 (1)", "border Hall - Cell", "open 1, break 4; marked 1 2 of 4"),
    ]
    assert sheet.notes == ("Out by stair 1: Hall, Cell", "Gatto to Hargan: 1")


def test_between_two_moments_it_says_who_went_where() -> None:
    before = table(docks(gatto="Dock", hargan="Office"))
    after = table(docks(gatto="Aisle", jade="Dock"))

    assert [change.sentence() for change in changes(of(before), of(after))] == [
        "Out by stair 1 (1), Jade: Dock",
        "Out by stair 1 (1), Gatto: Dock → Aisle",
        "Out by stair 1 (1), Hargan: gone",
    ]


def test_a_border_that_changes_says_so() -> None:
    shut, broken = border("A", "B", ("open", 1), ("break", 4)), border("A", "B", 1)

    assert [change.sentence() for change in changes(seen(plan([shut])), seen(plan([broken])))] == [
        "Out by stair 1 (1), border A - B: open 1, break 4 → 1"
    ]


def test_a_conflict_without_zones_is_no_map() -> None:
    assert seen(plan()).open == ()


def test_the_map_is_one_of_the_views_of_a_table() -> None:
    of_table = VIEWS["map"].of_table
    assert of_table is not None
    assert of_table(table(docks())) == seen(docks())


@given(plans())
def test_any_map_is_json_and_a_sheet_of_rows_that_are_told_apart(one: Plan) -> None:
    value = seen(one)
    sheet = value.sheet()

    assert json.loads(json.dumps(value.to_json())) == value.to_json()
    assert len({row.key for row in sheet.rows}) == len(sheet.rows)
    assert all(len(row.cells) == len(sheet.columns) for row in sheet.rows)
