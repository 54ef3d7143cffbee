"""Status line of a conflict: the values of its people (health, stress, dice) after a turn, on one line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple, Self

from msgspec import Struct, field

from retold.journal.capabilities import Picture, Row
from retold.journal.grouping import grouped
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.projections.texts.wrapping import width
from retold.projections.views import balance, decks
from retold.projections.views.naming import Who, who
from retold.projections.views.rows import ANYTHING, out_of, rows
from retold.projections.views.stress import boxes

LONGEST: Final = 78
"""Most columns, so that it fits one line of a text page."""

BETWEEN: Final = " · "
MORE: Final = "…"


class StatusLine(NamedTuple):
    """Status text of a conflict, and the position of the event after which it is true."""

    at: int
    text: str


class StatusLines(Struct):
    """Latest status text of each conflict, and the text last written, so that none is written twice."""

    _said: dict[int, str]
    _now: dict[int, StatusLine] = field(default_factory=dict)

    @classmethod
    def beginning(cls, table: Table) -> Self:
        """Returns a tracker for which the status texts of conflicts in `table` count as already written."""
        return cls({conflict.id: of(table, conflict) for conflict in table.conflicts.values()})

    def see(self, table: Table, position: int, conflict: int | None) -> None:
        """Records the status of `conflict` after the event at `position`; ignores None and ended ones."""
        stands = None if conflict is None else table.conflicts.get(conflict)
        if stands is not None:
            text = of(table, stands)
            self._now[stands.id] = StatusLine(position, text)
            self._said.setdefault(stands.id, text)

    def due(self, conflict: int) -> StatusLine | None:
        """Returns the status line to write at the end of a turn; None if it is empty or unchanged."""
        ribbon = self._now.pop(conflict, None)
        if ribbon is None or ribbon.text in ("", self._said.get(conflict)):
            return None
        self._said[conflict] = ribbon.text
        return ribbon


def of(table: Table, conflict: OpenConflict, longest: int | None = LONGEST) -> str:
    """Returns the status line of a conflict, of at most `longest` columns; may be empty.

    Full health and empty counters are left out. If the text is too long, people who are out of the conflict
    are left out first, and an ellipsis replaces them. The turn count always stays.
    """
    people = set(conflict.people)
    players = {
        person.player for person in table.everybody() if person.id in people and person.player is not None
    }
    counted = list(_rows(table, conflict))
    theirs = grouped(
        (whose.name, stands)
        for whose, stands in _each(table, conflict, counted)
        if whose.id in people | players
    )
    told = {name: f"{name} {', '.join(stands)}" for name, stands in theirs.items()}
    first, last = (*_balance(table, conflict), *_of_nobody(counted)), tuple(_shared(table, conflict))
    count = _count(conflict)
    whole = BETWEEN.join((*first, *told.values(), *last, *count))
    if longest is not None and width(whole) <= longest:
        return whole
    out = {who(table, row.who).name for row in counted if row.out and isinstance(row.who, int)}
    up_first = [told[name] for name in sorted(told, key=lambda name: name in out)]
    if longest is None:
        return BETWEEN.join((*first, *up_first, *last, *count))
    return _fitted([*first, *up_first, *last], count, longest)


def of_party(table: Table) -> str:
    """Returns the status of player characters in games that have no open conflict, as one text line."""
    fought = {conflict.system for conflict in table.conflicts.values()}
    counted = [
        kept.row
        for kept in rows(table)
        if kept.conflict is None and kept.system not in fought and _is_to_say(kept.row)
    ]
    pictures = (Picture.HEALTH, Picture.STRESS, Picture.FALLOUT, Picture.POINTS, *ANYTHING)
    theirs = grouped(
        (whose.name, stands)
        for whose, stands in _pictured(table, counted, pictures)
        if table.people[whose.id].player is not None
    )
    return BETWEEN.join(f"{name} {', '.join(stands)}" for name, stands in theirs.items())


def _fitted(parts: Sequence[str], count: Sequence[str], longest: int = LONGEST) -> str:
    """Joins as many parts as fit in `longest` columns, in order, and then the turn count."""
    for kept in range(len(parts), 0, -1):
        said = BETWEEN.join((*parts[:kept], *([MORE] if kept < len(parts) else []), *count))
        if width(said) <= longest:
            return said
    return BETWEEN.join((*([MORE] if parts else []), *count))


def _each(table: Table, conflict: OpenConflict, counted: Sequence[Row]) -> Iterator[tuple[Who, str]]:
    """Yields each person's values in the conflict's game as text: health, stress, dice, points, decks."""
    yield from _pictured(table, counted, (Picture.HEALTH, Picture.STRESS, Picture.FALLOUT))
    yield from _pools(table, conflict)
    yield from _pictured(table, counted, (Picture.POINTS, *ANYTHING))
    yield from _own_decks(table, conflict.system)


def _pictured(table: Table, counted: Sequence[Row], pictures: Sequence[Picture]) -> Iterator[tuple[Who, str]]:
    """Yields (person, value as text) for people's values drawn as `pictures`, in that order."""
    for picture in pictures:
        for row in counted:
            if row.picture is picture and isinstance(row.who, int):
                yield who(table, row.who), _stands(row)


def _rows(table: Table, conflict: OpenConflict) -> Iterator[Row]:
    """Yields the values of the conflict's game that are worth a word: neither full nor empty."""
    for kept in rows(table):
        there = kept.conflict is None or kept.conflict.id == conflict.id
        if there and kept.system == conflict.system and _is_to_say(kept.row):
            yield kept.row


def _is_to_say(row: Row) -> bool:
    whole = row.picture is Picture.HEALTH or (
        row.most is not None and row.picture in (Picture.POINTS, Picture.COUNTER)
    )
    return row.value != row.most if whole else row.value > 0


def _stands(row: Row) -> str:
    if row.picture in (Picture.STRESS, Picture.BOXES) and row.most is not None:
        return f"{row.what} {boxes(row.marked, row.most)}"
    if row.picture is Picture.POINTS and row.most is None:
        return f"{row.value} {row.what.removesuffix('s') if row.value == 1 else row.what}"
    what = row.what.upper() if len(row.what) == len("hp") else row.what
    return f"{what} {out_of(row.value, row.most)}{' (out)' if row.out else ''}"


def _of_nobody(counted: Iterable[Row]) -> Iterator[str]:
    """Yields as text the values that belong to no person: those of things, and clocks without an owner."""
    for row in counted:
        if not isinstance(row.who, int):
            yield _stands(row) if row.who is None else f"{row.who} {_stands(row)}"


def _pools(table: Table, conflict: OpenConflict) -> Iterator[tuple[Who, str]]:
    for pool in decks.pools_of(table).pools:
        if pool.conflict == conflict.id and not pool.out:
            yield pool.who, f"dice {' '.join(map(str, pool.dice)) or 'none'}"


def _own_decks(table: Table, system: str) -> Iterator[tuple[Who, str]]:
    for deck in decks.of(table).decks:
        if deck.system == system and deck.owner is not None and deck.left < deck.size:
            yield deck.owner, f"deck {deck.left}/{deck.size}"


def _balance(table: Table, conflict: OpenConflict) -> Iterator[str]:
    for standing in balance.of_table(table).open:
        if standing.conflict == conflict.id:
            yield f"Balance: {standing.level}" + (
                f", {standing.advantaged.name}" if standing.advantaged else ""
            )


def _shared(table: Table, conflict: OpenConflict) -> Iterator[str]:
    """Yields the card counts of shared decks from which cards are missing: `deck 40/54`."""
    for deck in decks.of(table).decks:
        if deck.system == conflict.system and deck.owner is None and deck.left < deck.size:
            yield f"{'deck' if deck.name == 'shared' else f'deck of {deck.name}'} {deck.left}/{deck.size}"


def _count(conflict: OpenConflict) -> list[str]:
    """Returns the current exchange, round, phase or turn in a list; empty if the game counts none."""
    counted = SYSTEMS[conflict.system].count(conflict)
    return [] if counted is None else [str(counted)]
