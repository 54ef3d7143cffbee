"""How those in a moment stand: of the rows their games hand over, the few that fit on a card."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from journal.capabilities import Picture, Row
from journal.table import OpenConflict, Table
from projections import safe
from projections.postcards.value import Standing
from projections.prose.phrases import Phrases
from projections.reading import Reading
from projections.views import balance, pool
from projections.views.naming import fallen_by_conflict
from projections.views.rows import rows

MOST: Final = 5
"""Columns on a card."""

ROWS: Final = 2
"""Rows in a column."""

_FIRST: Final = (
    *(Picture.HEALTH, Picture.STRESS, Picture.FALLOUT, Picture.SLOT),
    *(Picture.POINTS, Picture.CLOCK, Picture.BOXES, Picture.COUNTER, Picture.NUMBER),
)
"""What is shown before what."""


def standings(reading: Reading, position: int, acting: Sequence[int], phrases: Phrases) -> Iterator[Standing]:
    """How those who act stand after a position, and those who are in a conflict with them; not too many."""
    table = reading.table_at(position)
    conflict = _fought(table, acting)
    there = () if conflict is None else conflict.people
    people = dict.fromkeys((*(acting if len(there) >= MOST else ()), *there, *acting))
    shown = [*_balanced(table, conflict), *_people(table, conflict, people, phrases)]
    yield from (*shown, *_nobodys(table, conflict, phrases))[:MOST]


def _fought(table: Table, acting: Sequence[int]) -> OpenConflict | None:
    """The conflict they are in, the one spoken of first."""
    spoken = table.in_play()
    found = [one for one in table.conflicts.values() if set(acting) & set(one.people) or not acting]
    return spoken if spoken in found else next(iter(found), None)


def _people(
    table: Table, conflict: OpenConflict | None, people: Iterable[int], phrases: Phrases
) -> Iterator[Standing]:
    out = {one for fallen in fallen_by_conflict(table) for one in fallen}
    lie = {
        one.who.id: one.dice
        for one in pool.of(table).pools
        if conflict is not None and one.conflict == conflict.id
    }
    for number in people:
        whose = table.people.get(number)
        if whose is None:
            continue
        mine = [
            row
            for row in _rows(table, conflict, phrases)
            if row.who is not None and row.who in (whose.id, whose.player)
        ]
        dice = tuple(lie.get(whose.id, ()))
        kept = _worth_most(mine)[: ROWS - bool(dice)]
        if kept or dice:
            fallen = whose.id in out or any(row.out for row in mine)
            yield Standing(safe.line(table.shown(whose.id)), tuple(kept), dice, out=fallen)


def _nobodys(table: Table, conflict: OpenConflict | None, phrases: Phrases) -> Iterator[Standing]:
    """Clocks and the like, and what things have."""
    theirs: dict[str, list[Row]] = {}
    for row in _rows(table, conflict, phrases):
        if not isinstance(row.who, int):
            theirs.setdefault(row.what if row.who is None else safe.line(row.who), []).append(row)
    for name, mine in theirs.items():
        yield Standing(name, tuple(_worth_most(mine)[:ROWS]))


def _rows(table: Table, conflict: OpenConflict | None, phrases: Phrases) -> Iterator[Row]:
    """Every row of the game that is played, or of any where none is, called as a page calls it."""
    for kept in rows(table):
        there = kept.conflict is None or conflict is None or kept.conflict.id == conflict.id
        if there and (conflict is None or kept.system == conflict.system) and _says_something(kept.row):
            words = tuple(None if one is None else safe.line(one) for one in kept.row.words)
            named = safe.line(phrases.named(kept.system, kept.row.what, kept.row.value))
            yield kept.row._replace(what=named, words=words)


def _says_something(row: Row) -> bool:
    if row.picture is Picture.SLOT:
        return any(row.words)
    return row.value > 0 or row.most is not None


def _worth_most(mine: Iterable[Row]) -> list[Row]:
    """What has changed before what is whole, and health before money."""
    return sorted(mine, key=lambda row: (not _is_touched(row), _FIRST.index(row.picture)))


def _is_touched(row: Row) -> bool:
    whole = row.picture is Picture.HEALTH or (row.picture is Picture.POINTS and row.most is not None)
    return row.value != row.most if whole else row.value > 0


def _balanced(table: Table, conflict: OpenConflict | None) -> Iterator[Standing]:
    for one in balance.of_table(table).open:
        if conflict is not None and one.conflict == conflict.id:
            favoured = f": {one.advantaged.name}" if one.advantaged else ""
            yield Standing("Balance", said=safe.line(f"{one.level}{favoured}"))
