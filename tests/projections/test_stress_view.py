"""What the view of stress sees."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec.structs import replace

from retold.journal.capabilities import HasAspects, HasRows, InPlay
from retold.projections.views.sheet import changes
from retold.projections.views.stress import boxes, of
from tests.projections.plans import Strained, slot, strain, table

GATTO, JADE = ({"id": 1, "name": "Gatto"}, {"id": 2, "name": "Jade"})


def shelf(*marked: int, threshold: int = 3, by: int | None = None) -> Strained:
    """Gatto's cool, two slots of his, and aspects on him and on a zone."""
    return Strained(
        [strain(1, "cool", marked, threshold, 3, by)],
        [slot(1, "mild", 1, None), slot(1, "severe", 4, "Broken ribs")],
        [
            InPlay(7, 1, "Old sneakers", True, 0, None, 0),
            InPlay(8, "Dock", "Slippery", False, 2, 2, 2, (1,)),
            InPlay(9, "Dock", "Slippery", False, 1, None, 0),
        ],
    )


def told(one: Strained, two: Strained) -> list[str]:
    return [change.sentence() for change in changes(of(table(stress=one)), of(table(stress=two)))]


def test_a_made_up_shelf_has_stress() -> None:
    assert isinstance(shelf(), HasRows)
    assert isinstance(shelf(), HasAspects)


def test_stress_is_tracks_consequences_and_aspects() -> None:
    assert of(table(stress=shelf(1, 2, threshold=4, by=2))).to_json() == {
        "view": "stress",
        "version": 1,
        "tracks": [
            {
                "system": "made-up",
                "who": GATTO,
                "track": "cool",
                "marked": [1, 2],
                "threshold": 4,
                "own": 3,
                "by": JADE,
            }
        ],
        "consequences": [
            {"who": GATTO, "severity": "mild", "worth": 1, "aspect": None},
            {"who": GATTO, "severity": "severe", "worth": 4, "aspect": "Broken ribs"},
        ],
        "aspects": [
            {
                "id": 7,
                "on": GATTO,
                "wording": "Old sneakers",
                "lasting": True,
                "free": 0,
                "holder": None,
                "boxes": 0,
                "marked": [],
            },
            {
                "id": 8,
                "on": "Dock",
                "wording": "Slippery",
                "lasting": False,
                "free": 2,
                "holder": JADE,
                "boxes": 2,
                "marked": [1],
            },
            {
                "id": 9,
                "on": "Dock",
                "wording": "Slippery",
                "lasting": False,
                "free": 1,
                "holder": None,
                "boxes": 0,
                "marked": [],
            },
        ],
        "out": [],
    }


def test_its_sheet_draws_boxes_and_says_what_is_free() -> None:
    rows = of(table(stress=shelf(1, 2, threshold=4, by=2))).sheet().rows

    assert [row.cells for row in rows] == [
        ("Gatto", "cool", "[x][x][ ][ ] (own 3, Jade defends)"),
        ("Gatto", "mild consequence (1)", "-"),
        ("Gatto", "severe consequence (4)", "Broken ribs"),
        ("Gatto", "“Old sneakers”", "lasting"),
        ("Dock", "“Slippery”", "for now · 2 free for Jade · [x][ ]"),
        ("Dock", "“Slippery” (9)", "for now · 1 free"),
    ]


@pytest.mark.parametrize(
    ("marked", "threshold", "drawn"),
    [
        ((), 3, "[ ][ ][ ]"),
        ((1, 2), 3, "[x][x][ ]"),
        ((2,), 3, "[ ][x][ ]"),
        ((1, 4), 2, "[x][ ]|[ ][x]"),
        ((), 0, "none of 0"),
        ((1,), 0, "|[x]"),
        ((), 12, "[ ]" * 12),
        ((), 30, "none of 30"),
        ((1, 2, 3, 7), 30, "1-3, 7 of 30"),
        ((40,), 2, "40 of 2"),
        (tuple(range(1, 14, 2)), 30, "1, 3, 5, 7, 9, 11, 13 of 30"),
        (tuple(range(1, 30, 2)), 30, "15 marked up to 29 of 30"),
    ],
)
def test_boxes_are_drawn_while_they_are_few(marked: tuple[int, ...], threshold: int, drawn: str) -> None:
    assert boxes(marked, threshold) == drawn


@given(st.sets(st.integers(1, 40)), st.integers(0, 40))
@example(marked={1, 2, 3, 4, 5, 7, 8, 10, 11, 13, 14, 16, 17, 19, 20}, threshold=0)  # F3: 41 columns
def test_no_track_is_wider_than_a_column(marked: set[int], threshold: int) -> None:
    assert 0 < len(boxes(sorted(marked), threshold)) <= 40


def test_a_marked_track_reads_as_it_would_on_paper() -> None:
    assert told(shelf(), shelf(1, 2)) == ["Gatto, cool: [ ][ ][ ] → [x][x][ ]"]


def test_a_defence_and_its_end_are_changes_of_the_track() -> None:
    assert told(shelf(1), shelf(1, threshold=4, by=2)) == [
        "Gatto, cool: [x][ ][ ] → [x][ ][ ][ ] (own 3, Jade defends)"
    ]


def test_a_consequence_an_aspect_and_a_used_invoke_are_changes() -> None:
    before, after = shelf(), shelf()
    after.slots[0] = replace(after.slots[0], words=("Winded",))
    after.aspects[1] = replace(after.aspects[1], free=1)
    after.aspects[2:] = [InPlay(10, 2, "Cornered", False, 1, 1, 0)]

    assert told(before, after) == [
        "Gatto, mild consequence (1): - → Winded",
        "Dock, “Slippery”: for now · 2 free for Jade · [x][ ] → for now · 1 free for Jade · [x][ ]",
        "Jade, “Cornered”: for now · 1 free for Gatto",
        "Dock, “Slippery” (9): gone",
    ]


def test_the_rows_of_a_person_are_grouped() -> None:
    two = Strained(
        [strain(1, "cool", (), 3, 3), strain(2, "cool", (), 3, 3)],
        [slot(1, "mild", 1, None), slot(2, "mild", 1, None)],
        [InPlay(7, 1, "Old sneakers", True, 0, None, 0)],
    )

    assert [row.key[0] for row in of(table(stress=two)).sheet().rows] == ["Gatto"] * 3 + ["Jade"] * 2


def test_two_slots_alike_are_two_rows() -> None:
    twice = Strained(slots=[slot(1, "mild", 1, None), slot(1, "mild", 1, "Winded")])

    assert [row.key for row in of(table(stress=twice)).sheet().rows] == [
        ("Gatto", "mild consequence (1)"),
        ("Gatto", "mild consequence (1) #2"),
    ]


def test_without_stress_there_is_nothing_to_see() -> None:
    value = of(table())

    assert (value.tracks, value.consequences, value.aspects) == ((), (), ())
    assert json.loads(json.dumps(value.to_json())) == value.to_json()
