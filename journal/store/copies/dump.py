"""Writes a record as JSON Lines (a header, one text line for each event, an end line), and restores it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from retold.journal.store import places
from retold.journal.store.contract.address import Place
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import FORMAT, EventStore, Head, Row
from retold.journal.store.contract.progress import STEP, Progress, in_batches
from retold.journal.store.events.amendments import unreadable_event
from retold.journal.store.events.codec import canonical, from_json
from retold.journal.store.events.record import Record
from retold.journal.store.verify.row_check import Inspector
from retold.journal.vocabulary.base import LIMIT

LONGEST_LINE: Final = 128 * 2**20
"""The most characters a dump line may have: far more than any act can hold."""

STORED_AT_ONCE: Final = 500
_BOM: Final = "\ufeff"
_ROW_KEYS: Final = frozenset({"body", "hash", "kind", "line", "position", "words"})


def dump(record: Record, on_progress: Progress | None = None) -> Iterator[str]:
    """Yields the text lines of a dump, without line ends: a header, one for each event, an end.

    The end has the number of events and each branch's last position and hash. Events recorded meanwhile are
    left out. Raises StoreError for a record that cannot be read; `docs/record.md`, Dumps, specifies each text
    line.
    """
    total = record.store.size()
    heads: dict[int, Head] = {}
    count = 0
    for row in record.everything():
        if not count:
            yield canonical({"application": "retold", "campaign": _campaign(row), "format": FORMAT})
        yield _line(row)
        heads[row.line] = row.head
        count += 1
        if on_progress and count % STEP == 0:
            on_progress(count, total)
    ends = {str(line): [head.position, head.hash.hex()] for line, head in heads.items()}
    yield canonical({"count": count, "heads": ends})
    if on_progress:
        on_progress(count, count)


def _campaign(row: Row) -> str:
    try:
        return str(json.loads(row.body)["data"]["campaign"])
    except (ValueError, KeyError, TypeError):
        raise StoreError("The record does not start like a campaign: verify says what is wrong.") from None


def _line(row: Row) -> str:
    if type(row.body) is not str or type(row.kind) is not str or type(row.hash) is not bytes:
        raise unreadable_event(row)  # SQLite reads missing parts of a damaged file as NULL
    return f"{_BEGINNING}{row.body}{_rest(row, 'null' if row.words is None else row.words)}"


_BEGINNING: Final = '{"body":'


def _rest(row: Row, words: str) -> str:
    """Returns an event's dump line from behind its body, `words` as JSON; the body is JSON already."""
    kind = canonical(row.kind)
    return (
        f',"hash":"{row.hash.hex()}","kind":{kind},'
        f'"line":{row.line:d},"position":{row.position:d},"words":{words}}}'
    )


# --- and back ---------------------------------------------------------------------------------------------


class Loaded(NamedTuple):
    """Result of restoring a dump: number of events, and the head (end) of each branch by its number."""

    events: int
    heads: Mapping[int, Head]


def load(lines: Iterable[str | bytes], place: Place, on_progress: Progress | None = None) -> Loaded:
    """Restores a dump, given as text lines, into a new campaign at `place`.

    Raises StoreError with the number of the faulty line; then nothing is left there.
    """
    return places.restored(place, lambda store: load_into(store, lines, on_progress))


def load_into(store: EventStore, lines: Iterable[str | bytes], on_progress: Progress | None = None) -> Loaded:
    """Stores the events of a dump, given as text lines, in the empty `store`.

    Raises StoreError with the number of the faulty line; then nothing is stored.
    """
    return _Loading(Record(store), on_progress).load(_texts(lines))


class Numbered(NamedTuple):
    """A dump line with its line number, from 1."""

    number: int
    text: str


def _texts(lines: Iterable[str | bytes]) -> Iterator[Numbered]:
    """Yields each non-blank dump line with its number, from 1; StoreError if it is not UTF-8 or too long."""
    number = 0
    waiting = iter(lines)
    while True:
        number += 1
        try:
            line = next(waiting, None)
            if line is None:
                return
            text = line.decode() if isinstance(line, bytes) else _checked_utf8(line)
        except UnicodeError:
            raise _dump_error(number, "it is not UTF-8") from None
        if number == 1:
            text = text.removeprefix(_BOM)
        if len(text) > LONGEST_LINE:
            raise _dump_error(number, f"it is longer than {LONGEST_LINE // 2**20} MB")
        text = text.strip(" \t\r\n")
        if text:
            yield Numbered(number, text)


def _checked_utf8(line: str) -> str:
    """Returns the dump line unchanged; UnicodeError if it has lone surrogates, which UTF-8 cannot hold."""
    line.encode()
    return line


def _dump_error(number: int, what: str) -> StoreError:
    return StoreError(f"Line {number} of the dump: {what}. Nothing was restored.")


class _Loading:
    """Restores one dump into one record: checks each dump line and stores rows in batches."""

    def __init__(self, record: Record, on_progress: Progress | None) -> None:
        self._record = record
        self._on_progress = on_progress
        self._inspector = Inspector(self._stored_hash)
        self._unstored: list[Row] = []
        self._events = 0

    def load(self, lines: Iterator[Numbered]) -> Loaded:
        with self._record.writing():
            number, header = next(lines, Numbered(1, ""))
            campaign = _header(number, header)
            end = None
            for batch in in_batches(lines):
                number = batch[-1].number
                if self._events and end is None and self._load_batch(batch):
                    continue
                for number, text in batch:  # to find the faulty line, or to accept another form of JSON
                    end = self._load_line(number, text, campaign, end)
            if end is None:
                raise _dump_error(number, "the dump breaks off here: its end is missing")
            self._check_end(number, end)
            self._store()
        return Loaded(self._events, self._inspector.heads)

    def _load_batch(self, lines: Sequence[Numbered]) -> bool:
        """Stores a batch of dump lines if they are sound events as `dump` writes them; else stores nothing.

        Returns whether it did.
        """
        rows = _rows(lines)
        if rows is None or not self._inspector.check_batch(rows):
            return False
        self._add(rows)
        return True

    def _load_line(
        self, number: int, text: str, campaign: str, end: dict[str, Any] | None
    ) -> dict[str, Any] | None:
        """Checks and stores a dump line with an event, and returns None; returns the content of the end line.

        `end` is the end line's content if it came before; then any further dump line is a StoreError.
        """
        if end is not None:
            raise _dump_error(number, "something follows the end")
        line = _parsed(number, text)
        if line.keys() == {"count", "heads"}:
            _check_once(number, text)
            return line
        self._load_event(number, _row(number, text, line), line["body"], campaign)
        return None

    def _load_event(self, number: int, row: Row, body: object, campaign: str) -> None:
        faults = self._inspector.inspect(row, body)
        if faults:
            raise _dump_error(number, _as_clause(faults[0]))
        if self._events == 0 and f'"campaign":"{campaign}"' not in row.body:
            raise _dump_error(number, "it begins another campaign than the first line says")
        self._add((row,))

    def _add(self, rows: Sequence[Row]) -> None:
        self._unstored += rows
        steps = self._events // STEP
        self._events += len(rows)
        if len(self._unstored) >= STORED_AT_ONCE:
            self._store()
        if self._on_progress and self._events // STEP > steps:
            self._on_progress(self._events, None)

    def _check_end(self, number: int, end: Mapping[str, Any]) -> None:
        heads = {str(line): [head.position, head.hash.hex()] for line, head in self._inspector.heads.items()}
        if end["count"] != self._events or end["heads"] != heads:
            raise _dump_error(number, f"it ends otherwise than it says: {self._events} events came before it")
        fault = next(self._inspector.end(), None)
        if fault is not None:
            raise _dump_error(number, f"line {fault.line}, {fault.position}: {_as_clause(fault.sentence)}")
        if not self._events:
            raise _dump_error(number, "there is no event in it")

    def _stored_hash(self, line: int, position: int) -> bytes | None:
        self._store()
        return self._record.stored_hash(line, position)

    def _store(self) -> None:
        self._record.store.append(self._unstored)
        self._unstored.clear()


def _header(number: int, text: str) -> str:
    header = _parsed(number, text) if text else {}
    _check_once(number, text)
    if header.get("application") != "retold" or not isinstance(header.get("campaign"), str):
        raise _dump_error(number, "this is not a Retold dump")
    form = header.get("format")
    if form != FORMAT:
        raise _dump_error(number, f"it is of format {form}, and this Retold reads {FORMAT}")
    return str(header["campaign"])


def _parsed(number: int, text: str) -> dict[str, Any]:
    try:
        line = from_json(text)
    except (ValueError, RecursionError):
        raise _dump_error(number, "it is no JSON that Retold reads") from None
    if not isinstance(line, dict):
        raise _dump_error(number, "it is not an event")
    return line


class _Event(msgspec.Struct, forbid_unknown_fields=True):
    """A parsed dump line of one event; its body and words stay raw JSON."""

    body: msgspec.Raw
    hash: str
    kind: str
    line: int
    position: int
    words: msgspec.Raw


_EVENT: Final = msgspec.json.Decoder(_Event).decode


def _rows(lines: Sequence[Numbered]) -> list[Row] | None:
    """Returns dump lines as rows; None if a line's text differs from the one `dump` writes for its event.

    None, too, if the events are of several branches.
    """
    try:
        rows = [_as_dumped(text) for _, text in lines]
    except (ValueError, RecursionError):
        return None
    same = all(row.line == rows[0].line for row in rows)
    return (
        rows if same and all(_line(row) == text for row, (_, text) in zip(rows, lines, strict=True)) else None
    )


def _as_dumped(text: str) -> Row:
    event = _EVENT(text)
    words = bytes(event.words)
    kept = None if words == b"null" else canonical(from_json(words))
    return Row(
        event.line, event.position, event.kind, bytes(event.body).decode(), kept, bytes.fromhex(event.hash)
    )


def _row(number: int, text: str, line: Mapping[str, Any]) -> Row:
    """Returns the row of an event's dump line (`text`, parsed as `line`); StoreError if parts are missing.

    The body stays byte for byte if the dump line is as `dump` wrote it; otherwise it is encoded canonically
    again.
    """
    if line.keys() != _ROW_KEYS:
        raise _dump_error(number, "it has not the parts of an event")
    place, position, kind, hash_ = line["line"], line["position"], line["kind"], line["hash"]
    numbers = type(place) is int and type(position) is int and 1 <= place <= LIMIT and position <= LIMIT
    if not numbers or not isinstance(kind, str) or not isinstance(hash_, str) or not _HASH(hash_):
        raise _dump_error(number, "it has not the parts of an event")
    words = None if line["words"] is None else canonical(line["words"])
    row = Row(place, position, kind, "", words, bytes.fromhex(hash_))
    rest = _rest(row, words or "null")
    body = text[len(_BEGINNING) : -len(rest)]
    if text.startswith(_BEGINNING) and text.endswith(rest) and "\\u" not in body:
        return row._replace(body=body)
    _check_once(number, text)
    # Escaped for a terminal, or written by another program: the body is made canonical again.
    return row._replace(body=canonical(line["body"]))


def _check_once(number: int, text: str) -> None:
    try:
        json.loads(text or "{}", object_pairs_hook=_unique_keys)
    except (ValueError, RecursionError):
        raise _dump_error(number, "it has a key twice") from None


_HASH: Final = re.compile("[0-9a-f]{64}").fullmatch


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _as_clause(sentence: str) -> str:
    """Returns the sentence with a small first letter and without its final period, to embed it in another."""
    return sentence[0].lower() + sentence[1:].rstrip(".")
