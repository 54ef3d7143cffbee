"""A state of one's own: equal, shared where nothing changes, and deaf to what is changed."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec import Struct

from retold.journal.copying import copied
from retold.journal.state_copies import StateCopies, StateTemplate
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary.base import Words
from retold.scribe import Scribe
from retold.script_player import Script, play_script

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*/*.session"))


class Pair(NamedTuple):
    """A tuple with names."""

    left: list[int]
    right: str


@dataclass(frozen=True)
class Frozen:
    """Keeps its fields, though not what is in them."""

    inside: list[int]


@dataclass(slots=True)
class State:
    """Some of everything that states are made of."""

    name: str = "a"
    words: Words = field(default_factory=lambda: Words("as said"))
    numbers: dict[str, list[int]] = field(default_factory=lambda: {"one": [1], "none": []})
    pair: Pair = field(default_factory=lambda: Pair([1], "r"))
    plain: tuple[int, ...] = (1, 2)
    met: set[int] = field(default_factory=lambda: {1})
    frozen: Frozen = field(default_factory=lambda: Frozen([1]))
    last: deque[int] = field(default_factory=lambda: deque([1]))


def test_a_copy_is_equal_and_of_the_same_types() -> None:
    state = State()
    own = copied(state)

    assert own == state
    assert own is not state
    assert isinstance(own.pair, Pair)


def test_what_is_changed_in_the_copy_is_not_heard_of() -> None:
    state = State()
    own = copied(state)
    own.numbers["one"].append(2)
    own.numbers["two"] = []
    own.pair.left.append(2)
    own.met.add(2)
    own.frozen.inside.append(2)
    own.last.append(2)

    assert state == State()


def test_what_never_changes_is_shared() -> None:
    state = State()
    own = copied(state)

    assert own.words is state.words
    assert own.plain is state.plain


def test_one_thing_in_two_places_is_one_thing_in_the_copy() -> None:
    state = State()
    one, (other,) = copied((state, [state]))

    assert one is other
    assert one is not state


def test_a_cast_is_a_copy_of_what_there_was_and_of_no_other_cast() -> None:
    state = State()
    mould = StateTemplate((state, [state]))
    first, (also,) = mould.copy()
    first.numbers["one"].append(2)
    first.frozen.inside.append(2)
    second, _ = mould.copy()

    assert also is first
    assert second == state == State()
    assert second.words is state.words


def test_what_cannot_be_pressed_is_copied() -> None:
    state = State()
    state.numbers = defaultdict(lambda: [0], {"one": [1]})
    first, second = StateTemplate(state).copy(), StateTemplate(state).copy()
    first.numbers["one"].append(2)

    assert second == state
    assert second.numbers["never met"] == [0]


def test_each_thing_has_a_mould_of_its_own() -> None:
    copies = StateCopies()
    made = [copies.copy(what, value) for what, value in (("a", [1]), ("b", [2]), ("a", [1]))]

    assert made == [[1], [2], [1]]
    assert made[0] is not made[2]


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda one: one.stem)
def test_the_table_of_an_example_is_copied_as_deepcopy_does_it(script: Path, tmp_path: Path) -> None:
    with CampaignStore.create(tmp_path / "example.retold") as campaign:
        scribe = Scribe(campaign, 1)
        for _ in play_script(scribe, Script(script.name, script.read_bytes())):
            pass
        table = scribe.table
    for own in (copied(table), StateTemplate(table).copy()):
        assert own == deepcopy(table)
        assert not {id(one) for one in _changing(own)} & {id(one) for one in _changing(table)}


def _changing(value: object) -> Iterator[object]:
    """Whatever in a state can be changed."""
    inside: list[object] = []
    if isinstance(value, dict | list | set):
        yield value
        inside = list(value.values() if isinstance(value, dict) else value)
    elif isinstance(value, tuple):
        inside = list(value)
    elif is_dataclass(value) or isinstance(value, Struct):
        if type(value).__hash__ is None:
            yield value
        named = value.__struct_fields__ if isinstance(value, Struct) else [one.name for one in fields(value)]
        inside = [getattr(value, name) for name in named]
    for one in inside:
        yield from _changing(one)
