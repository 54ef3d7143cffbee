"""Events that change earlier events of a branch: undo, redo, rewording, and reveal to a larger audience.

Reads the stored bodies as plain JSON and imports next to nothing, so that `log` can use it too.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from retold.journal.store.contract.errors import Damaged
from retold.journal.visibility import TABLE, VisibleTo

if TYPE_CHECKING:
    from retold.journal.store.contract.event_store import Row
    from retold.journal.store.events.record import Record


class UndoneStretch(NamedTuple):
    """Range of event positions taken back by an undo, `first` and `last` included."""

    first: int
    last: int


class Amendments:
    """The undone ranges of positions and the reworded texts on a branch, up to some position."""

    def __init__(self, dead: Iterable[UndoneStretch] = ()) -> None:
        self.dead = list(dead)
        self.rewordings: dict[int, dict[int, str]] = {}
        self.reaches: list[tuple[int, int]] = []
        """For each amending event: the first position it changes, and its own position."""
        self._gone: list[UndoneStretch] | None = None

    def counts(self, position: int) -> bool:
        """True unless the event at `position` has been undone."""
        gone = self.gone()
        before = bisect_right(gone, position, key=_first) - 1
        return before < 0 or position > gone[before].last

    def text(self, row: Row, reference: Mapping[str, int]) -> str | None:
        """Returns the current wording of the text in `row` that `reference` (`{"~": index}`) points to.

        Returns None if the text is redacted and was not reworded.
        """
        return self.rewordings.get(row.position, {}).get(reference["~"]) or text_of(row, reference)

    def holds(self, position: int) -> bool:
        """True if a table state cached at `position` is still valid.

        It is unless a later undo, redo, rewording or redaction changed an event up to there.
        """
        return not any(first <= position < at for first, at in self.reaches)

    def gone(self) -> list[UndoneStretch]:
        """Returns the undone ranges sorted by position; those that touch or overlap are merged into one."""
        if self._gone is None:
            self._gone = []
            for stretch in sorted(self.dead):
                if self._gone and stretch.first <= self._gone[-1].last + 1:
                    before = self._gone.pop()
                    stretch = UndoneStretch(before.first, max(before.last, stretch.last))  # noqa: PLW2901 -- it grows
                self._gone.append(stretch)
        return self._gone


def _first(stretch: UndoneStretch) -> int:
    return stretch.first


_UNDOING: Final = ("table.undone", "table.redone")


def read_amendments(record: Record, line: int, upto: int | None = None) -> Amendments:
    """Returns the undone ranges of positions and the rewordings of branch `line`.

    If `upto` is given, changes recorded after that position are ignored.
    """
    rows = (row for row in record.amendments(line) if upto is None or row.position <= upto)
    changes = [(row, _payload(row)) for row in rows]
    undos = (
        (row.kind, UndoneStretch(data["first"], data["last"]))
        for row, data in changes
        if row.kind in _UNDOING
    )
    found = Amendments(undone_stretches(undos))
    for row, data in changes:
        about = data["first" if row.kind in _UNDOING else "about"]
        found.reaches.append((about, row.position))
        if row.kind == "table.reworded" and found.counts(row.position):
            text = text_of(row, data["text"])
            if text is not None:
                found.rewordings.setdefault(about, {})[data["word"]] = text
    return found


def undone_stretches(changes: Iterable[tuple[str, UndoneStretch]]) -> list[UndoneStretch]:
    """Returns the ranges of positions that were undone and not redone.

    `changes` holds (`table.undone` or `table.redone`, range) pairs in the order recorded.
    """
    dead: list[UndoneStretch] = []
    for kind, stretch in changes:
        if kind == "table.undone":
            dead.append(stretch)
        elif stretch in dead:
            dead.remove(stretch)
    return dead


Reveals = Mapping[int, frozenset[int] | None]
"""By position, the people an event was revealed to; None for the whole table."""


REVEALING: Final = ("table.revealed", "table.shown")
"""Kinds that show a hidden event to more people; `table.shown` may be undone."""


def read_reveals(record: Record, line: int, upto: int | None = None) -> Reveals:
    """Returns the audience that each event of branch `line` was revealed to, by event position.

    None means all. If `upto` is given, reveals recorded after that position are ignored.
    """
    return reveals_in(record.rows(line, 0, upto, REVEALING), read_amendments(record, line, upto))


def reveals_in(rows: Iterable[Row], amendments: Amendments) -> Reveals:
    """Returns, by revealed position, the people that `rows` (of `REVEALING` kinds) name; None means all.

    Undone rows are skipped.
    """
    found: dict[int, frozenset[int] | None] = {}
    for row in rows:
        if not amendments.counts(row.position):
            continue
        data = _payload(row)
        about, to = data["about"], data.get("to")
        known = found.get(about, frozenset())
        found[about] = None if to is None or known is None else known.union(to)
    return found


def current_audience(visible_to: str | Sequence[int], position: int, reveals: Reveals) -> VisibleTo:
    """Returns the audience recorded with the event at `position`, enlarged by the people in `reveals`."""
    recorded_for = visible_to if isinstance(visible_to, str) else tuple(visible_to)
    if recorded_for == TABLE or position not in reveals:
        return recorded_for
    to = reveals[position]
    if to is None:
        return TABLE
    return tuple(dict.fromkeys((*(() if isinstance(visible_to, str) else visible_to), *sorted(to))))


HIDDEN_WITH: Final[Mapping[str, tuple[str, ...]]] = {
    "table.narration-overruled": ("narration",),
    "table.marked": ("at",),
    "table.passage-pulled": ("at",),
    **dict.fromkeys(("table.matter-noted", "table.matter-closed", "table.matter-renamed"), ("about",)),
    "table.matter-merged": ("about", "into"),
}
"""Kinds of events that are hidden with another event, and the fields with that event's position."""


def text_of(row: Row, reference: Mapping[str, int]) -> str | None:
    """Returns the text stored with `row` under the index in `reference` (`{"~": 2}`); None if redacted.

    Raises Damaged if the reference or the row's column `words`, which holds its texts, is broken.
    """
    try:
        (number,) = reference.values()
        kept = None if row.words is None else json.loads(row.words)[number]
        return None if kept is None else str(kept[1])
    except (ValueError, AttributeError, KeyError, TypeError, IndexError):
        raise unreadable_event(row) from None


_NUMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "table.undone": ("first", "last"),
    "table.redone": ("first", "last"),
    "table.reworded": ("about", "word"),
    "table.redacted": ("about",),
    "table.revealed": ("about",),
    "table.shown": ("about",),
}


def _payload(row: Row) -> Mapping[str, Any]:
    """Returns the fields of an undo, redo, rewording, redaction or reveal.

    Raises Damaged if a field with a position or text number holds no integer.
    """
    try:
        data: Mapping[str, Any] = json.loads(row.body)["data"]
        if all(type(data[name]) is int for name in _NUMBERS[row.kind]):
            return data
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    raise unreadable_event(row)


def unreadable_event(row: Row | None) -> Damaged:
    """Returns a Damaged error that names position and branch of `row`; neither if `row` is None."""
    place = "" if row is None else f" at position {row.position} of line {row.line}"
    return Damaged(f"The event{place} is broken.")
