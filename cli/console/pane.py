"""The pane above the toolbar, on a key: what may be done now, or the sheet of whoever acts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import Enum

from cli.screen.columns import hung
from cli.screen.stepping import cropped
from cli.verbs.can import lines as what_may_be_done
from journal.language.naming import person
from journal.language.proposed import seen_at
from journal.names import Unknown
from journal.table import Table
from projections import safe
from projections.wrapping import width as columns_of

NOBODY = "Nobody is waited for. as NAME says whose lines, and whose sheet, these are."


class Pane(Enum):
    """What the pane shows; its value is the key that opens and shuts it."""

    SHEET = "f2"
    CAN = "f3"


def content(pane: Pane, table: Table, speaker: str | None) -> list[str]:
    """The lines of a pane as the table stands, safe to show."""
    found = _sheets(table, speaker) if pane is Pane.SHEET else _can(table)
    return [safe.line(line) for line in found]


def laid_out(lines: Iterable[str], width: int, most: int) -> str:
    """The lines broken at words, each as wide as the pane, in at most so many rows."""
    broken = [row for line in lines for row in (hung(line, width) if columns_of(line) > width else [line])]
    rows = cropped(broken, most, width)
    return "".join(f"{row}{' ' * (width - columns_of(row))}\n" for row in rows)


def _can(table: Table) -> Iterator[str]:
    return what_may_be_done(table, seen_at(table), None)


def _sheets(table: Table, speaker: str | None) -> Iterator[str]:
    acting = _acting(table, speaker)
    if not acting:
        yield NOBODY
    for who in acting:
        yield from _sheet(table, who)


def _acting(table: Table, speaker: str | None) -> list[int]:
    """Whose the lines are; else everybody who is waited for, in order."""
    if speaker is not None:
        try:
            return [person(table, speaker)]
        except Unknown:  # an undo took them back
            return []
    found = [
        who
        for seen in seen_at(table)
        for who in (*(one.person for one in seen.moves), *(one.who for one in seen.choices))
    ]
    return list(dict.fromkeys(found))


def _sheet(table: Table, who: int) -> Iterator[str]:
    """Who it is, how they stand now, and what is on their sheets."""
    from projections.dossiers import standing
    from projections.views import cast

    one = cast.person(table, table.people[who])
    yield " · ".join(
        filter(None, (table.name(who), "" if one.player is None else one.player.name, one.phrase))
    )
    yield from (f"  {what}: {now}" for what, now in standing(table, who))
    yield from (f"  {cast.flat(sheet)}" for sheet in one.sheets.values())
