"""What a game counts that no view of ours knows: seen, told of when it changes, and in the ribbon."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from retold.journal.capabilities import Picture, Row
from retold.journal.table import OpenConflict, Somebody, Table
from retold.journal.vocabulary.base import Words
from retold.projections.prose.phrases import ENGLISH
from retold.projections.story import status_line
from retold.projections.story.state_changes import sentences
from retold.projections.texts.wrapping import width
from retold.projections.views import cast, stress, tracks
from retold.projections.views.tracks import of
from tests.projections.plans import HOSTILE

WICK, BOAT = 1, 2
PEOPLE = {
    WICK: Somebody(WICK, Words("Wick"), "character"),
    BOAT: Somebody(BOAT, Words("Boat"), "side"),
}


@dataclass
class Counts:
    """A shelf, or a state, that knows nothing but rows."""

    counted: Sequence[Row] = ()

    def rows(self) -> Sequence[Row]:
        return self.counted


def table(shelf: Sequence[Row] = (), state: Sequence[Row] | None = None) -> Table:
    """A table of a game that is nobody's, perhaps with a conflict in which something is counted."""
    open_ = {
        1: OpenConflict(1, "guenask", ((WICK,), (BOAT,)), {}, Words("The ford"), None, 1, Counts(state or ()))
    }
    return Table(people=PEOPLE, shelves={"guenask": Counts(shelf)}, conflicts={} if state is None else open_)


def changed(one: Table, other: Table) -> list[str]:
    return list(sentences(one, other, ENGLISH))


def drawn(*rows: Row) -> list[tuple[str, ...]]:
    return [row.cells for row in of(table(rows)).sheet().rows]


def test_each_track_is_listed_with_its_owner_and_picture() -> None:
    assert drawn(
        Row(WICK, "torches", 3, picture=Picture.COUNTER),
        Row(WICK, "ammunition", 4, 6, Picture.BOXES),
        Row(WICK, "luck", 2, 5, Picture.BOXES, boxes=(2, 5)),
        Row("the boat", "hull", 0, 3, Picture.HEALTH, out=True),
        Row(None, "guard", 1, 4, Picture.CLOCK),
        Row(WICK, "sanity", 55),
    ) == [
        ("Wick", "torches", "3"),
        ("Wick", "ammunition", "[x][x][x][x][ ][ ]"),
        ("Wick", "luck", "[ ][x][ ][ ][x]"),
        ("the boat", "hull", "0/3 (out)"),
        ("The Emissaries of Guenašk", "guard", "1/4"),
        ("Wick", "sanity", "55"),
    ]


def test_a_counter_of_a_conflict_is_listed_under_its_title() -> None:
    (seen,) = of(table(state=[Row(None, "guard", 1, 4, Picture.CLOCK)])).to_json()["tracks"]

    assert (seen["conflict"], seen["title"], seen["who"]) == (1, "The ford", None)
    assert of(table(state=[Row(None, "guard", 1, 4, Picture.CLOCK)])).sheet().rows[0].cells == (
        *("The ford", "guard", "1/4"),
    )


def test_points_health_stress_and_fallout_are_left_to_other_views() -> None:
    shown = (Picture.POINTS, Picture.HEALTH, Picture.STRESS, Picture.FALLOUT, Picture.SLOT)

    assert drawn(*(Row(WICK, "x", 1, 2, picture) for picture in shown)) == []


def test_a_change_of_each_is_a_sentence() -> None:
    one = [
        Row(WICK, "torches", 3, picture=Picture.COUNTER),
        Row(WICK, "luck", 1, 5, Picture.BOXES),
        Row("the boat", "hull", 2, 3, Picture.HEALTH),
        Row(None, "guard", 1, 4, Picture.CLOCK),
        Row(WICK, "sanity", 55),
        Row(None, "storm", 2),
    ]
    other = [
        Row(WICK, "torches", 2, picture=Picture.COUNTER),
        Row(WICK, "luck", 2, 5, Picture.BOXES, boxes=(2, 5)),
        Row("the boat", "hull", 0, 3, Picture.HEALTH, out=True),
        Row(None, "guard", 2, 4, Picture.CLOCK),
        Row(WICK, "sanity", 55),
        Row(WICK, "coin", 7, picture=Picture.COUNTER),
        Row(WICK, "arrows", 0, 12, Picture.COUNTER),
        Row(None, "fire", 1, 4, Picture.CLOCK),
    ]

    assert changed(table(one), table(other)) == [
        "Wick: torches 3 → 2.",
        "Wick: luck 1 → boxes 2, 5 of 5.",
        "Wick: coin is now 7.",
        "the boat was put out of the fight (hull 2 → 0).",
        "Guard: 1 → 2 of 4.",
        "Fire is now 1 of 4.",
        "Storm: 2 → nothing.",
    ]


def test_what_a_conflict_counted_goes_with_it() -> None:
    clock = Row(None, "guard", 3, 4, Picture.CLOCK)

    assert changed(table(), table(state=[clock])) == ["Guard is now 3 of 4."]
    assert changed(table(state=[clock]), table()) == []


def test_the_ribbon_has_what_is_neither_full_nor_none() -> None:
    here = table(
        [
            Row(WICK, "arrows", 12, 12, Picture.COUNTER),
            Row(WICK, "torches", 1, picture=Picture.COUNTER),
            Row(WICK, "fear", 0, 3, Picture.CLOCK),
        ],
        [Row(None, "guard", 1, 4, Picture.CLOCK), Row("the boat", "hull", 2, 3, Picture.BOXES)],
    )

    assert status_line.of(here, here.conflicts[1]) == ("guard 1/4 · the boat hull [x][x][ ] · Wick torches 1")


texts = st.sampled_from(HOSTILE)
rows_ = st.builds(
    Row,
    st.one_of(st.sampled_from((WICK, BOAT, None)), texts),
    texts,
    st.integers(0, 20),
    st.none() | st.integers(0, 20),
    st.sampled_from(Picture),
    st.booleans(),
    st.none() | st.frozensets(st.integers(1, 30), max_size=5).map(lambda one: tuple(sorted(one))),
    st.integers(1, 5),
    st.lists(st.none() | texts, max_size=3).map(tuple),
)


@given(st.lists(rows_, max_size=5), st.lists(rows_, max_size=5))
def test_whatever_a_game_counts_is_shown_and_told(one: list[Row], other: list[Row]) -> None:
    was, now = table(one, one), table(other, other)
    for view in (cast, tracks, tracks, stress, tracks, tracks):
        json.dumps(view.of(now).to_json())
        view.of(now).sheet()

    assert changed(was, was) == []
    assert all(said.endswith((".", "!", "?", "…", "”")) for said in changed(was, now))
    assert width(status_line.of(now, now.conflicts[1])) <= status_line.LONGEST
