"""Keys of units and ids of acts: the same again, and never the same for two."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retold.sources.keys import Ordinals, act_id

TEXT = st.text(max_size=8)


def test_equal_units_are_told_apart_by_their_order() -> None:
    ordinals = Ordinals()
    keys = [ordinals.key("19:42", "Zel", words) for words in ("Yes.", "Yes.", "No.")]

    assert len(set(keys)) == 3
    assert [key.rpartition(".")[2] for key in keys] == ["1", "2", "1"]


def test_blanks_that_a_tool_changes_make_no_other_unit() -> None:
    assert Ordinals().key("Zel", "Not  today.\n") == Ordinals().key("Zel", "Not today.")


def test_ids_stay_as_they_are_for_ever() -> None:
    assert act_id("c", "discord", "", "1477752830549819392") == "fbc1c14f44f9b4f76d75e6e36d9e244c"


@given(st.lists(st.tuples(TEXT, TEXT, TEXT, TEXT, st.integers(0, 3)), min_size=2, max_size=6, unique=True))
def test_no_two_units_have_one_id(parts: list[tuple[str, str, str, str, int]]) -> None:
    assert len({act_id(*one) for one in parts}) == len(parts)
