"""Reader of tables of any program: CSV with a first row of headings, or a list of objects in JSON."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Final

from retold.journal.encodings import with_line_feeds
from retold.journal.refused import Refused
from retold.sources.conventions import sorted_speech
from retold.sources.encodings import keepable
from retold.sources.json_objects import json_value
from retold.sources.keys import Ordinals
from retold.sources.opening import Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.times import reader_of, stamp_of
from retold.sources.unit import Place, Reason, Sort, Unit

COLUMNS: Final = ("name", "words", "time", "day", "channel")
"""What a column may hold; `words` is needed."""
_USUAL: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name", "author", "speaker", "user", "character", "from", "sender", "who"),
    "words": ("words", "content", "message", "text", "body", "line"),
    "time": ("time", "date", "timestamp", "datetime", "when"),
    "day": ("date", "day"),
    "channel": ("channel", "room", "tab", "thread"),
}
"""Headings that mostly stand above such a column."""
_OF_VIBER: Final = ("Date", "Time", "Name", "Message")
"""Columns of the table that Viber sends, which has no headings, and a column for numbers of telephones."""
_SIGNS: Final = (",", ";", "\t")
_QUOTED: Final = {sign: re.compile(rf'(?m)(?:(?<={sign})|^)"(?:[^"]|"")*"?') for sign in _SIGNS}
_JSON: Final = re.compile(r"\ufeff?\s*[\[{]")
MOST_FIELD: Final = 10_000_000


def look(head: Head) -> Likeness:
    """Likeness to a table: perhaps, if its first row has usual headings for a name and for words.

    Surely for Viber's, whose rows begin with a day and an hour. JSON is read where the user says so.
    """
    if _JSON.match(head.text):
        return Likeness.NO
    first = head.text.lstrip("\ufeff").partition("\n")[0]
    found = proposed(next((row for _, _, row in rows_of(_headed(first))), []))
    is_table = {"name", "words"} <= found.keys()
    return Likeness.SURELY if _headed(first) != first else Likeness.PERHAPS if is_table else Likeness.NO


def proposed(headings: Sequence[str]) -> dict[str, str]:
    """Columns proposed by their usual headings: `name`, `words` and others, each with its heading."""
    named = {heading.strip().casefold(): heading for heading in headings}
    found: dict[str, str] = {}
    for column, usual in _USUAL.items():
        heading = next((named[name] for name in usual if name in named), None)
        if heading is not None and heading not in found.values():
            found[column] = heading
    return found


def _headed(text: str) -> str:
    """Text of a table with its headings; a list of objects in JSON is one of their fields."""
    value = json_value(text) if _JSON.match(text) else None
    lists = value.values() if isinstance(value, dict) else [value]
    objects = next((one for one in lists if isinstance(one, list) and one and isinstance(one[0], dict)), None)
    if objects is not None:
        written = io.StringIO()
        rows = [one for one in objects if isinstance(one, dict)]
        table = csv.DictWriter(written, dict.fromkeys(name for row in rows for name in row))
        table.writeheader()
        table.writerows(rows)
        return written.getvalue()
    first = next(rows_of(text), (0, 0, []))[2]
    stamp = stamp_of(" ".join(first[:2])) if len(first) in (4, 5) else None
    if stamp is None or stamp.date is None or stamp.clock is None:
        return text
    *columns, words = _OF_VIBER
    return f"{_sign(text).join((*columns, *['Phone'] * (len(first) - 4), words))}\n{text}"


def headings(stream: Stream) -> list[str]:
    """Headings of a table: the cells of its first row."""
    return next(rows_of(_headed(stream.text)), (0, 0, []))[2]


def count(stream: Stream) -> int:
    """Number of rows below the headings: filled lines, not counting line ends inside quotes."""
    text = with_line_feeds(_headed(stream.text))
    return max(sum(bool(line) for line in _QUOTED[_sign(text)].sub("x", text).split("\n")) - 1, 0)


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a table, a row each.

    Raises Refused if a column is missing that the user named, or the usual ones if none is named.
    """
    rows = rows_of(_headed(keepable(stream.text, tally)))
    heads = next(rows, (0, 0, []))[2]
    columns = dict(stream.hints.columns) or proposed(heads)
    places = _places(stream.name, heads, columns)
    tally.fields.update(head for head in heads if head not in columns.values())
    found = [
        (first, last, defaultdict(str, {name: row[at] for name, at in places.items() if at < len(row)}))
        for first, last, row in rows
    ]
    written = [f"{row['day']} {row['time']}".strip() for _, _, row in found]
    stamps = list(filter(None, written))
    time_of = reader_of(stamps, stream.hints.dates)
    if stamps and all(time_of(stamp) is None for stamp in stamps):
        tally.dates_unclear = True
    ordinals = Ordinals()
    for (first, last, row), stamp in zip(found, written, strict=True):
        words = row["words"].strip()
        unit = Unit(
            Place(first, last),
            ordinals.key(row["channel"], row["time"], row["name"], words),
            Sort.SAID,
            words,
            time_of(stamp) if stamp else None,
            channel=row["channel"],
            speaker=row["name"].strip(),
        )
        yield _understood(unit)


def _understood(unit: Unit) -> Unit:
    if not unit.text:
        return replace(unit, left_out=Reason.EMPTY)
    if not unit.speaker:
        return replace(unit, text="", raw=unit.text, unread=True)
    sort, words, throws = sorted_speech(unit.text)
    return replace(unit, sort=sort, text=words, throws=throws)


def _places(name: str, heads: Sequence[str], columns: Mapping[str, str]) -> dict[str, int]:
    missing = [heading for heading in columns.values() if heading not in heads]
    if missing or "words" not in columns:
        there = ", ".join(heads) or "none"
        what = f"no column {missing[0]!r}" if missing else "no column that is known to hold the words"
        raise Refused(
            f"{name} has {what}; its columns are {there}. In {PurePath(name).stem}.import.toml beside it,"
            ' write [columns] and below it name = "Who" and words = "Said", with the headings that it has.'
        )
    return {column: heads.index(heading) for column, heading in columns.items()}


def _sign(text: str) -> str:
    """Separator of columns: the most frequent candidate in the first row."""
    return max(_SIGNS, key=text.partition("\n")[0].count)


def rows_of(text: str, sign: str = "") -> Iterator[tuple[int, int, list[str]]]:
    """First line, last line and cells of each row that is not blank; `sign` separates the cells.

    Raises Refused for a damaged table.
    """
    csv.field_size_limit(MOST_FIELD)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=sign or _sign(text))
    before = 0
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise Refused(
                f"The table is damaged after line {rows.line_num:,} ({error}); export it again."
            ) from None
        if row is None:
            return
        first, before = before + 1, rows.line_num
        if row:
            yield first, before, row
