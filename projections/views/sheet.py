"""Base of views' answers, with a JSON form and a table form; differences between answers; bar charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from msgspec import Struct

from retold.journal.vocabulary.base import Words

NOBODY = "-"
"""Content of an empty cell."""


class Row(Struct, frozen=True):
    """A table row; `key` identifies its subject (such as a person and a track) when two tables are compared.

    The first cells display the key, one cell for each part of it.
    """

    key: tuple[str, ...]
    cells: tuple[str, ...]
    pieces: tuple[tuple[str, bool], ...] = ()
    """Last cell in pieces, each with True for a search hit; the cell itself has hits between asterisks."""

    @classmethod
    def keyed(cls, key: tuple[str, ...], *cells: str) -> Self:
        """Returns a row whose first cells repeat `key`, followed by `cells`."""
        return cls(key, (*key, *cells))


class Entry(Protocol):
    """Object that a list view shows as one table row."""

    def row(self) -> Row:
        """Returns this entry as a table row."""
        ...


class Sheet(Struct, frozen=True):
    """A table to print: title, column heads, rows, and notes below; its texts are not yet escaped."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def listing(cls, title: str, columns: tuple[str, ...], entries: Iterable[Entry], *notes: str) -> Self:
        """Returns a table with one row for each entry."""
        return cls(title, columns, tuple(entry.row() for entry in entries), notes)


class Seen(Struct, frozen=True):
    """Answer of a view; its fields become JSON, with the view's name and version.

    Its table has a row for each entry of its first field, unless a subclass overrides `rows`.
    """

    view: ClassVar[str]
    title: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    version: ClassVar[int] = 1

    def to_json(self) -> dict[str, Any]:
        """Returns the answer as JSON values; keys are only ever added within a version.

        Each view's docstring lists its keys.
        """
        own = {name: plain(getattr(self, name)) for name in self.__struct_fields__}
        return {"view": self.view, "version": self.version, **own}

    def rows(self) -> Iterable[Row]:
        """Returns the answer's table rows."""
        entries: Iterable[Entry] = getattr(self, self.__struct_fields__[0])
        return (entry.row() for entry in entries)

    def notes(self) -> Iterable[str]:
        """Returns texts to print below the table; none by default."""
        return ()

    def sheet(self) -> Sheet:
        """Returns the answer as a table: title, columns, rows and notes."""
        return Sheet(self.title, self.columns, tuple(self.rows()), tuple(self.notes()))


class Change(NamedTuple):
    """Old and new text of one cell in a view's table; None where the cell was absent."""

    view: str
    about: str
    was: str | None
    now: str | None

    def sentence(self) -> str:
        """Returns the change as text, such as `Ana, stress: 1 → 2`."""
        if self.was is None:
            return f"{self.about}: {self.now}"
        return f"{self.about}: {self.was} → {self.now}" if self.now is not None else f"{self.about}: gone"


def plain(value: object) -> Any:  # noqa: ANN401 -- JSON is anything
    """Returns `value` as JSON values: structs and dataclasses as objects, words as text (null once redacted).

    Dataclass fields with `compare=False`, and struct fields named in `beside`, are left out; so are those
    named in `rare` that are None.
    """
    if value is None or type(value) in (str, int, bool):
        return value
    if isinstance(value, Words):
        return value.text
    if isinstance(value, Enum):
        return value.value
    held = _fields(value)
    if held is not None:
        return {str(plain(key)): plain(part) for key, part in held.items()}
    if isinstance(value, set | frozenset):
        return sorted(plain(part) for part in value)
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def _fields(value: object) -> Mapping[Any, Any] | None:
    """Returns names and values held by a mapping, named tuple, struct or dataclass; None for other values."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        named: dict[str, Any] = value._asdict()
        return named
    if isinstance(value, Struct):
        left, rare = getattr(value, "beside", ()), getattr(value, "rare", ())
        held = {name: getattr(value, name) for name in value.__struct_fields__ if name not in left}
        return {name: part for name, part in held.items() if part is not None or name not in rare}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    return None


def changes(before: Seen, after: Seen) -> tuple[Change, ...]:
    """Returns differences between two answers of one view, cell by cell, in the order of the later answer."""
    was, now = before.sheet(), after.sheet()
    old, new = {row.key: row for row in was.rows}, {row.key: row for row in now.rows}
    return tuple(
        change
        for key in dict.fromkeys((*new, *old))
        for change in _row_changes(after.view, now, old.get(key), new.get(key))
    )


def _row_changes(view: str, sheet: Sheet, old: Row | None, new: Row | None) -> Iterator[Change]:
    row = new or old
    if row is None or old == new:
        return
    named = len(row.key)
    about = ", ".join(row.cells[:named])
    if old is None or new is None:
        was_there, is_there = (None if row_ is None else _joined(sheet, row_) for row_ in (old, new))
        yield Change(view, about, was_there, is_there)
        return
    alone = len(sheet.columns) == named + 1
    for column, was, now in list(zip(sheet.columns, old.cells, new.cells, strict=True))[named:]:
        if was != now:
            yield Change(view, about if alone else f"{about}, {column.lower()}", was, now)


def _joined(sheet: Sheet, row: Row) -> str:
    rest = zip(sheet.columns[len(row.key) :], row.cells[len(row.key) :], strict=True)
    filled = [(column, cell) for column, cell in rest if cell != NOBODY]
    return (
        filled[0][1]
        if len(filled) == 1
        else " · ".join(f"{column.lower()} {cell}" for column, cell in filled)
    )


class Bar(NamedTuple):
    """A bar of a chart: its length (`value`), text beside it (`said`), and expected length, if any."""

    label: str
    value: float
    said: str
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Bar chart; its bars have a common scale, measured in `unit`."""

    title: str
    unit: str
    bars: tuple[Bar, ...]

    @property
    def longest(self) -> float:
        """Length of the longest bar or expected length; 1 if every length is 0."""
        return max((max(bar.value, bar.expected or 0) for bar in self.bars), default=0) or 1

    def sheet(self) -> Sheet:
        """Returns the chart as a table: a row for each bar, with its label and its text."""
        rows = tuple(Row((bar.label,), (bar.label, bar.said)) for bar in self.bars)
        return Sheet(self.title, ("Bar", self.unit.capitalize()), rows)
