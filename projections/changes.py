"""What changed between two tables, as far as a story cares: who joined, and the numbers of some views."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from journal.table import Table
from projections.views import table_changes
from projections.views.cast import sheet_changes
from projections.views.sheet import Change

TOLD: Final = frozenset({"points", "balance", "fallout", "health", "stress"})
"""The views whose changes over an evening a reader wants to know."""


def newcomers(before: Table, after: Table) -> tuple[str, ...]:
    """The names of those who joined the cast."""
    new = sorted(after.people.keys() - before.people.keys())
    return tuple(after.name(one) for one in new if after.people[one].role != "player")


def numbers(before: Table, after: Table) -> Iterator[Change]:
    """What the views that a story cares for say has changed; a newcomer's numbers are no change."""
    new = {after.name(person) for person in after.people.keys() - before.people.keys()}
    for change in table_changes(before, after):
        known = change.about.split(", ")[0] not in new
        if known and (change.view in TOLD or _is_about_them(change)):
            yield change
    yield from sheet_changes(before, after)


def _is_about_them(change: Change) -> bool:
    """True for somebody's role, player or phrase; their sheet is told number by number."""
    return change.view == "cast" and change.was is not None and not change.about.endswith(", sheet")
