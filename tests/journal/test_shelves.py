"""A shelf is put up when the fold first needs it, and reading one changes nothing."""

from __future__ import annotations

from dataclasses import dataclass, field

from retold.journal.system import StateAccess
from retold.journal.table import OpenConflict, Table


@dataclass(slots=True)
class Shelf:
    """What a made-up game keeps."""

    coins: list[int] = field(default_factory=list)


UNO = StateAccess("uno", Shelf, Shelf)


def test_reading_an_empty_shelf_puts_up_none() -> None:
    table = Table()

    assert UNO.shelf(table) == Shelf()
    assert table.shelves == {}


def test_what_the_fold_puts_on_a_shelf_is_read_from_it() -> None:
    table = Table()

    UNO.own(table).coins.append(3)
    UNO.own(table).coins.append(4)

    assert UNO.shelf(table) == Shelf([3, 4])
    assert table.shelves == {"uno": Shelf([3, 4])}


def test_the_state_of_a_conflict_is_the_one_its_system_set() -> None:
    state = Shelf([5])
    conflict = OpenConflict(1, "uno", ((1,), (2,)), {}, None, None, 1, state)

    assert UNO.play(conflict) is state
