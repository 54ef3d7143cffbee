"""A shelf is put up when the fold first needs it, and reading one changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from journal.shelves import kept, put_up, state_of
from journal.table import OpenConflict, Table


@dataclass(slots=True)
class Shelf:
    """What a made-up game keeps."""

    coins: list[int] = field(default_factory=list)


def test_reading_an_empty_shelf_puts_up_none() -> None:
    table = Table()

    assert kept(table, "uno", Shelf) == Shelf()
    assert table.shelves == {}


def test_what_the_fold_puts_on_a_shelf_is_read_from_it() -> None:
    table = Table()

    put_up(table, "uno", Shelf).coins.append(3)
    put_up(table, "uno", Shelf).coins.append(4)

    assert kept(table, "uno", Shelf) == Shelf([3, 4])
    assert table.shelves == {"uno": Shelf([3, 4])}


def test_the_state_of_a_conflict_is_the_one_its_system_set() -> None:
    state = Shelf([5])
    conflict = OpenConflict(1, "uno", ((1,), (2,)), {}, None, None, 1, state)

    assert state_of(conflict, Shelf) is state
