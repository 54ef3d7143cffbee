"""What a game declares: commands to try, numbers that a ruling sets, and the keys of a sheet."""

from __future__ import annotations

import pytest

from retold.games.edgerunner.commands.verbs import Attack, Boost
from retold.journal.refused import Refused
from retold.journal.shared.rulings import RulingKey
from retold.journal.shared.sheets import sheet_reader
from retold.journal.system import SheetKey, Trial
from retold.journal.vocabulary.base import Command


def commands(trial: Trial) -> list[Command]:
    return list(trial.commands())


# --- trials -----------------------------------------------------------------------------------------------


def test_a_trial_fills_each_field_with_each_value_in_order() -> None:
    trial = Trial(Attack, {"who": (1,), "thing": (2, "Dock-Aisle"), "skill": ("firearms", None)}, "stress")

    assert commands(trial) == [
        Attack(who=1, thing=2, skill="firearms"),
        Attack(who=1, thing=2),
        Attack(who=1, thing="Dock-Aisle", skill="firearms"),
        Attack(who=1, thing="Dock-Aisle"),
    ]


def test_a_mapping_fills_several_fields_at_once() -> None:
    harm = ({"mild": "…"}, {"tracks": ("cool",), "amounts": (2,)})

    assert commands(Trial(Boost, {"who": (1,), "harm": harm}, "more shifts")) == [
        Boost(who=1, mild="…"),
        Boost(who=1, tracks=("cool",), amounts=(2,)),
    ]


def test_a_field_without_a_value_leaves_nothing_to_try() -> None:
    assert commands(Trial(Attack, {"who": (1,), "thing": ()}, "stress")) == []


# --- what a ruling may set --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "typed", "name"),
    [
        ("points", "points", ""),
        ("points", "point", None),
        ("TRACK stress", "cool stress", "cool"),
        ("TRACK stress", "stress", ""),
        ("TRACK stress", "cool threshold", None),
        ("TRACK stress", "distress", None),
        ("TRAIT", "quick tongue", "quick tongue"),
    ],
)
def test_a_ruling_key_matches_what_is_typed(key: str, typed: str, name: str | None) -> None:
    assert RulingKey(key, lambda _change: []).names(typed) == name


# --- what a sheet may hold --------------------------------------------------------------------------------

ROWS = (
    SheetKey("rank", "a rank", "rank=2", 1, 3, refusal="A rank is {least} to {most}, not {value}."),
    SheetKey("kind", "what it is", "kind=crow", words=("crow", "owl"), refusal="{key} is {words}."),
    SheetKey("trait.NAME", "a trait called as another key is", "trait.rank=1", 0, 9, same_as=("NAME",)),
)
EVERY = (*ROWS, SheetKey("NAME", "a trait", "sly=1", 0, 9))


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("rank", "3", ("rank", 3)),
        ("kind", "Owl", ("kind", "owl")),
        ("sly", "+4", ("sly", 4)),
        ("trait.sly", "4", ("sly", 4)),
        ("trait.rank", "4", ("trait.rank", 4)),
    ],
)
def test_a_sheet_is_read_by_its_table(key: str, value: str, read: tuple[str, int | str]) -> None:
    assert sheet_reader(EVERY)(key, value) == read


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("rank", "4", "A rank is 1 to 3, not 4."),
        ("kind", "fox", "kind is crow or owl."),
        ("trait.", "4", "trait. has no name: write it like trait.rank=1."),
        ("sly", "much", "sly is 0 to 9, not much."),
    ],
)
def test_a_value_beside_the_table_is_refused(key: str, value: str, sentence: str) -> None:
    with pytest.raises(Refused) as refused:
        sheet_reader(EVERY)(key, value)

    assert refused.value.sentence == sentence


def test_without_a_row_for_any_name_an_unknown_key_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refused, match=r"There is no sly on a sheet; it has rank, kind, trait\.NAME\."):
        sheet_reader(ROWS)("sly", "1")
