"""Results of views: values with a JSON form and a table form; bar charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from typing import Any, ClassVar, NamedTuple, Protocol, Self

from msgspec import Struct

from journal.vocabulary.base import Words

NOBODY = "-"
"""Content of an empty cell."""


class Row(Struct, frozen=True):
    """Table row; `key` identifies its subject across moments.

    The first cells display the key, one cell for each part of it.
    """

    key: tuple[str, ...]
    cells: tuple[str, ...]
    pieces: tuple[tuple[str, bool], ...] = ()
    """Last cell in pieces, each with True for a search hit; the cell itself has hits between asterisks."""

    @classmethod
    def keyed(cls, key: tuple[str, ...], *cells: str) -> Self:
        """Row with `key` repeated as its first cells."""
        return cls(key, (*key, *cells))


class Entry(Protocol):
    """Entry of a list that is drawn as one table row."""

    def row(self) -> Row:
        """Table row of this entry."""
        ...


class Sheet(Struct, frozen=True):
    """Table to draw: title, columns, rows, and notes below; texts are unescaped."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()

    @classmethod
    def listing(cls, title: str, columns: tuple[str, ...], entries: Iterable[Entry], *notes: str) -> Self:
        """Table with a row for each entry."""
        return cls(title, columns, tuple(entry.row() for entry in entries), notes)


class Seen(Struct, frozen=True):
    """Result of a view; its fields become JSON, with the view's name and version.

    Its table has a row for each entry of its first field, unless `rows` says otherwise.
    """

    view: ClassVar[str]
    title: ClassVar[str]
    columns: ClassVar[tuple[str, ...]]
    version: ClassVar[int] = 1

    def to_json(self) -> dict[str, Any]:
        """JSON form; keys are documented at each view, and only ever added within a version."""
        own = {name: plain(getattr(self, name)) for name in self.__struct_fields__}
        return {"view": self.view, "version": self.version, **own}

    def rows(self) -> Iterable[Row]:
        """Table rows."""
        entries: Iterable[Entry] = getattr(self, self.__struct_fields__[0])
        return (entry.row() for entry in entries)

    def notes(self) -> Iterable[str]:
        """Notes below the table."""
        return ()

    def sheet(self) -> Sheet:
        """Result as a table."""
        return Sheet(self.title, self.columns, tuple(self.rows()), tuple(self.notes()))


class Change(NamedTuple):
    """Old and new value of one cell of a view; None if absent."""

    view: str
    about: str
    was: str | None
    now: str | None

    def sentence(self) -> str:
        """Short form, such as `Ana, stress: 1 → 2`."""
        if self.was is None:
            return f"{self.about}: {self.now}"
        return f"{self.about}: {self.was} → {self.now}" if self.now is not None else f"{self.about}: gone"


def plain(value: object) -> Any:  # noqa: ANN401 -- JSON is anything
    """Converts to JSON values: structs and dataclasses to objects, words to text (null once redacted).

    Dataclass fields with `compare=False`, and struct fields named in `beside`, are left out.
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
    """Mapping form of a mapping, named tuple, struct or dataclass; None for other values."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        named: dict[str, Any] = value._asdict()
        return named
    if isinstance(value, Struct):
        left = getattr(value, "beside", ())
        return {name: getattr(value, name) for name in value.__struct_fields__ if name not in left}
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value) if field.compare}
    return None


def changes(before: Seen, after: Seen) -> tuple[Change, ...]:
    """Differences between two results of one view, cell by cell, in the later one's order."""
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
    """Bar of a chart: length, text beside it, and expected length, if any."""

    label: str
    value: float
    said: str
    expected: float | None = None


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars on a common scale, measured in `unit`."""

    title: str
    unit: str
    bars: tuple[Bar, ...]

    @property
    def longest(self) -> float:
        """Length of the longest bar or expectation; 1 if all are 0."""
        return max((max(bar.value, bar.expected or 0) for bar in self.bars), default=0) or 1

    def sheet(self) -> Sheet:
        """Table form of the chart."""
        rows = tuple(Row((bar.label,), (bar.label, bar.said)) for bar in self.bars)
        return Sheet(self.title, ("Bar", self.unit.capitalize()), rows)
