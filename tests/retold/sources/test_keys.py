"""Keys of units: the same again, and never the same for two."""

from __future__ import annotations

from retold.sources.keys import Ordinals


def test_equal_units_are_told_apart_by_their_order() -> None:
    ordinals = Ordinals()
    keys = [ordinals.key("19:42", "Zel", words) for words in ("Yes.", "Yes.", "No.")]

    assert len(set(keys)) == 3
    assert [key.rpartition(".")[2] for key in keys] == ["1", "2", "1"]


def test_blanks_that_a_tool_changes_make_no_other_unit() -> None:
    assert Ordinals().key("Zel", "Not  today.\n") == Ordinals().key("Zel", "Not today.")
