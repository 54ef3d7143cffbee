"""The order in which the people of a conflict go, on one line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from journal.capabilities import InOrder
from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table

BETWEEN: Final = " · "


def of(table: Table, conflict: OpenConflict) -> tuple[InOrder, ...]:
    """Everybody in the order in which they go; nobody where the game has no order, or none yet."""
    return SYSTEMS[conflict.system].order(table, conflict)


def told(table: Table, conflict: OpenConflict, beside: Mapping[int, str] | None = None) -> str:
    """`Order: Ana 17 (now) · Bo 12 (next) · Wolf 3 (out)`; empty where there is no order.

    `beside` has what else is said of somebody.
    """
    places = of(table, conflict)
    each = BETWEEN.join(_place(table, one, (beside or {}).get(one.who, "")) for one in places)
    return f"Order: {each}" if each else ""


def _place(table: Table, one: InOrder, beside: str) -> str:
    number = "" if one.number is None else f" {one.number}"
    marks = ", ".join(filter(None, (beside, *_marks(one))))
    return f"{table.name(one.who)}{number}{f' ({marks})' if marks else ''}"


def _marks(one: InOrder) -> Iterator[str]:
    if one.now:
        yield "now"
    if one.next and not one.now:
        yield "next"
    if one.out:
        yield "out"
