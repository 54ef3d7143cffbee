"""Boards lay out what an event's game changed, and nothing else: no event of one changes another's state."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from retold.journal.capabilities import Row
from retold.journal.copying import copied
from retold.journal.line import LiveEvent, evolve, game_changed
from retold.journal.refused import Refused
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words, fields_of, kinds
from retold.projections.reading import LineView
from retold.projections.replay import steps
from retold.projections.replay.board import Layout
from tests.exploring import seeds
from tests.projections import samples
from tests.projections.replay.stepping import whole
from tests.projections.test_tracks import Counts
from tests.wandering.evening import Evening, evening
from tests.wandering.lines import CAST, OPENINGS

KINDS = (*kinds(vars(e)), *(kind for game in CAST for kind in SYSTEMS[game].events))
"""Every kind that there is, of every game of ours."""

DOES_NOT_FIT = (LookupError, AttributeError, TypeError, ValueError, AssertionError, StopIteration)
"""What a game raises at an event that could not have happened; it may be half heard by then."""


@pytest.fixture(scope="module")
def night() -> Iterator[Evening]:
    """An evening at which every game is played, and a conflict of each is open."""
    with evening([line for lines in CAST.values() for line in lines]) as begun:
        for line in ("session A night", "scene A room"):
            begun.type(line)
        for game, lines in OPENINGS.items():
            assert begun.type(f'conflict "{game}" {game} Zel vs Ned+"Two Guards"+Rats: the keys')
            for line in lines:
                begun.type(line)
        yield begun


@pytest.mark.explored
@pytest.mark.parametrize("seed", seeds(1))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: str(kind.kind))
def test_no_event_of_a_game_changes_anothers_state(night: Evening, kind: type[Event], seed: int) -> None:
    luck, before = Random(seed), states(night.table)
    for drawn in samples.events(kind, seed, 6):
        event, table = drawn, copied(night.table)
        if "conflict" in fields_of(kind):
            fresh = table.conflicts_ever + 1  # no number is given twice
            open_ = [fresh] if kind is e.ConflictOpened else list(table.conflicts)
            event = event.but({"conflict": luck.choice(open_)})
        with suppress(Refused, *DOES_NOT_FIT):
            evolve(table, LiveEvent(table.position + 1, event))

        game = game_changed(table, event)

        assert game is None or others(before, game) == others(states(table), game)
        assert kind.kind.startswith(("table.", f"{game}."))


def test_an_event_that_reaches_into_another_game_is_noticed(night: Evening) -> None:
    table = copied(night.table)
    before = states(table)
    shelf: Any = table.shelves["whiskey"]
    shelf.down.add(1)

    assert others(before, "bruise") != others(states(table), "bruise")
    assert others(before, "whiskey") == others(states(table), "whiskey")


def test_what_any_game_hears_of_may_change_any(night: Evening) -> None:
    here = {one.system: one.id for one in night.table.conflicts.values()}

    assert game_changed(night.table, e.SessionClosed(session=1)) is None
    assert game_changed(night.table, e.Narrated(who=1, text=Words("Rain."))) is None
    in_whiskey = e.Narrated(who=1, text=Words("Rain."), conflict=here["whiskey"])
    assert game_changed(night.table, in_whiskey) == "whiskey"
    assert game_changed(night.table, e.Narrated(who=1, text=Words("Rain."), conflict=99)) is None


class Asked(Counts):
    """A shelf that counts how often it is asked what it counts."""

    times = 0

    def rows(self) -> list[Row]:
        self.times += 1
        return []


def test_only_the_shelf_and_the_conflicts_of_the_game_that_changed_are_laid_out() -> None:
    one, other, state = Asked(), Asked(), Asked()
    conflict = OpenConflict(1, "ones", ((1,), (2,)), {}, Words("The ford"), None, 1, state)
    table = Table(shelves={"ones": one, "others": other}, conflicts={1: conflict})
    layout, asked = Layout(), []
    for changed in (None, "ones", "others", None):
        layout.board(table, None, None, changed)
        asked.append((one.times, state.times, other.times))

    assert asked == [(1, 1, 1), (2, 2, 1), (2, 2, 2), (3, 3, 3)]


@pytest.mark.parametrize("viewer", ["gm", "table"])
def test_a_replay_of_every_game_is_the_same_as_one_whose_boards_are_laid_out_anew(
    night: Evening, viewer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = json.dumps(whole(LineView(night.scribe.campaign, 1).called(viewer)).to_json())
    monkeypatch.setattr(steps, "game_changed", lambda _table, _event: None)

    assert json.dumps(whole(LineView(night.scribe.campaign, 1).called(viewer)).to_json()) == told


def states(table: Table) -> dict[tuple[str, int], object]:
    """What every game keeps, by its name and the number of its conflict, 0 for its shelf."""
    shelves = {(game, 0): copied(shelf) for game, shelf in table.shelves.items()}
    return shelves | {(one.system, one.id): copied(one.state) for one in table.conflicts.values()}


def others(kept: dict[tuple[str, int], object], game: str) -> dict[tuple[str, int], object]:
    """What the other games keep."""
    return {key: one for key, one in kept.items() if key[0] != game}
