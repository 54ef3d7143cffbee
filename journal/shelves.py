"""Where a table keeps what a system knows: its shelf, which outlives a conflict, and a conflict's state."""

from __future__ import annotations

from typing import TypeVar

from journal.table import OpenConflict, Table

S = TypeVar("S")


def kept(table: Table, name: str, kind: type[S]) -> S:
    """The shelf of that system on this table, to be read; an empty one where it was never played."""
    found = table.shelves.get(name)
    if found is None:
        return kind()
    assert isinstance(found, kind)  # noqa: S101 -- the name is the system's alone
    return found


def put_up(table: Table, name: str, kind: type[S]) -> S:
    """The shelf of that system for the fold to change, put up when it is first needed."""
    if name not in table.shelves:
        table.shelves[name] = kind()
    return kept(table, name, kind)


def state_of(conflict: OpenConflict, kind: type[S]) -> S:
    """The state of a conflict, which is of the kind its system set when it opened."""
    assert isinstance(conflict.state, kind)  # noqa: S101 -- no other system sees this conflict
    return conflict.state
