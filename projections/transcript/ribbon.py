"""The state ribbon: where the people of a conflict stand after a turn of it, on one line, from the views."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Self

from journal.systems import SYSTEMS
from journal.table import OpenConflict, Table
from projections.views import balance, decks, fallout, health, points, pool, stress
from projections.views.naming import Who
from projections.wrapping import width

LONGEST: Final = 78
"""In columns: it is one line on a page of text too."""

BETWEEN: Final = " · "
MORE: Final = "…"

_COUNTED: Final = re.compile(r"[a-z]+ \d+(?= · )")


class Ribbon(NamedTuple):
    """What is to be said of a conflict, and the position after which it held."""

    at: int
    text: str


@dataclass(slots=True)
class Ribbons:
    """Follows the conflicts of a line, and says of each what its ribbon is when a turn is over."""

    _said: dict[int, str]
    _now: dict[int, Ribbon] = field(default_factory=dict)

    @classmethod
    def beginning(cls, table: Table) -> Self:
        """Those of a stretch that begins at this table."""
        return cls({conflict.id: of(table, conflict) for conflict in table.conflicts.values()})

    def see(self, table: Table, position: int, conflict: int | None) -> None:
        """Notes where a conflict stands after an event of its turn, which is at `position`."""
        stands = None if conflict is None else table.conflicts.get(conflict)
        if stands is not None:
            text = of(table, stands)
            self._now[stands.id] = Ribbon(position, text)
            self._said.setdefault(stands.id, text)

    def due(self, conflict: int) -> Ribbon | None:
        """The ribbon of a conflict whose turn is over; None if nothing came of it, or nothing is to say."""
        ribbon = self._now.pop(conflict, None)
        if ribbon is None or ribbon.text in ("", self._said.get(conflict)):
            return None
        self._said[conflict] = ribbon.text
        return ribbon


def of(table: Table, conflict: OpenConflict) -> str:
    """Where a conflict and its people stand, on a line of at most `LONGEST` columns.

    What is whole, full or none is left out, and so is what no longer fits, for which an ellipsis stands; the
    count of turns stays. It may be that nothing is left.
    """
    people = set(conflict.people)
    players = {one.player for one in table.everybody() if one.id in people and one.player is not None}
    theirs: dict[str, list[str]] = {}
    for who, stands in _each(table, conflict):
        if who.id in people | players:
            theirs.setdefault(who.name, []).append(stands)
    told = (f"{name} {', '.join(stands)}" for name, stands in theirs.items())
    return _fitted([*_balance(table, conflict), *told, *_shared(table, conflict)], _count(table, conflict))


def _fitted(parts: Sequence[str], count: Sequence[str]) -> str:
    """As many of the parts as fit, the first ones first, and the count."""
    for kept in range(len(parts), 0, -1):
        said = BETWEEN.join((*parts[:kept], *([MORE] if kept < len(parts) else []), *count))
        if width(said) <= LONGEST:
            return said
    return BETWEEN.join((*([MORE] if parts else []), *count))


def _each(table: Table, conflict: OpenConflict) -> Iterator[tuple[Who, str]]:
    """What somebody has, bears and holds in the conflict's game."""
    yield from _health(table, conflict.system)
    yield from _stress(table, conflict.system)
    yield from _fallout(table, conflict.system)
    yield from _pools(table, conflict)
    yield from _points(table, conflict.system)
    yield from _own_decks(table, conflict.system)


def _health(table: Table, system: str) -> Iterator[tuple[Who, str]]:
    for one in health.of(table).health:
        if one.system == system and one.value != one.most:
            left = str(one.value) if one.most is None else f"{one.value}/{one.most}"
            yield one.who, f"{_abbreviated(one.what)} {left}{' (out)' if one.out else ''}"


def _abbreviated(what: str) -> str:
    """`HP` as it stands on a sheet; a whole word stays as it is."""
    return what.upper() if len(what) == len("hp") else what


def _stress(table: Table, system: str) -> Iterator[tuple[Who, str]]:
    for one in stress.of(table).tracks:
        if one.system == system and one.marked:
            yield one.who, f"{one.track} {stress.boxes(one.marked, one.threshold)}"


def _fallout(table: Table, system: str) -> Iterator[tuple[Who, str]]:
    for one in fallout.of(table).tracks:
        if one.system == system and one.points:
            borne = str(one.points) if one.boxes is None else f"{one.points}/{one.boxes}"
            yield one.who, f"{one.track} {borne}"


def _pools(table: Table, conflict: OpenConflict) -> Iterator[tuple[Who, str]]:
    for one in pool.of(table).pools:
        if one.conflict == conflict.id and not one.out:
            yield one.who, f"dice {' '.join(map(str, one.dice)) or 'none'}"


def _points(table: Table, system: str) -> Iterator[tuple[Who, str]]:
    for one in points.of(table).purses:
        if one.system != system:
            continue
        if one.most is not None and one.value != one.most:
            yield one.who, f"{one.what} {one.value}/{one.most}"
        elif one.most is None and one.value:
            yield one.who, f"{one.value} {one.what.removesuffix('s') if one.value == 1 else one.what}"


def _own_decks(table: Table, system: str) -> Iterator[tuple[Who, str]]:
    for one in decks.of(table).decks:
        if one.system == system and one.owner is not None and one.left < one.size:
            yield one.owner, f"deck {one.left}/{one.size}"


def _balance(table: Table, conflict: OpenConflict) -> Iterator[str]:
    for one in balance.of_table(table).open:
        if one.conflict == conflict.id:
            yield f"Balance: {one.level}" + (f", {one.advantaged.name}" if one.advantaged else "")


def _shared(table: Table, conflict: OpenConflict) -> Iterator[str]:
    """The decks that are nobody's own."""
    for one in decks.of(table).decks:
        if one.system == conflict.system and one.owner is None and one.left < one.size:
            yield f"{'deck' if one.name == 'shared' else f'deck of {one.name}'} {one.left}/{one.size}"


def _count(table: Table, conflict: OpenConflict) -> list[str]:
    """Which exchange, round, phase or turn it is, where the game counts them."""
    counted = _COUNTED.match(SYSTEMS[conflict.system].turn(table, conflict))
    return [counted[0]] if counted else []
