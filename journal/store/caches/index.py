"""Full-text search index of a record, in a cache file that may be deleted at any time."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from retold.journal.games import BUILT_IN
from retold.journal.store.caches.snapshots import code_of
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.contract.event_store import Row, Segment
from retold.journal.store.contract.progress import Progress
from retold.journal.store.disk.unfinished_files import remove
from retold.journal.store.events.record import Record
from retold.journal.store.events.text_matching import Term
from retold.journal.store.events.texts import IndexEntry, index_entries
from retold.journal.visibility import VisibleTo

_DDL: Final = (
    """
    CREATE TABLE text (
      id INTEGER PRIMARY KEY, line INTEGER NOT NULL, since INTEGER NOT NULL, position INTEGER NOT NULL,
      place INTEGER NOT NULL, belongs INTEGER NOT NULL, kind TEXT NOT NULL, people TEXT NOT NULL,
      see TEXT NOT NULL, told INTEGER NOT NULL, folded TEXT NOT NULL
    )
    """,
    # Marks count as parts of words: otherwise a Hindi word would be split at each vowel.
    """
    CREATE VIRTUAL TABLE spelled USING fts5 (
      folded, content='text', content_rowid='id', prefix='2 3',
      tokenize="unicode61 remove_diacritics 2 categories 'L* N* M* Co'"
    )
    """,
    """
    CREATE VIRTUAL TABLE within USING fts5 (
      folded, content='text', content_rowid='id', tokenize='trigram', detail='none'
    )
    """,
    """
    CREATE TABLE indexed (
      key BLOB NOT NULL, campaign TEXT NOT NULL, seq INTEGER NOT NULL, hash BLOB NOT NULL,
      guests TEXT NOT NULL
    )
    """,
)
_TABLES: Final = ("indexed", "within", "spelled", "text")
_VERSION: Final = 2
"""To be raised when `texts` finds other texts, or `text_matching` normalises differently."""
_KEY: Final = hashlib.sha256("\0".join((*_DDL, str(_VERSION))).encode()).digest()

_TRIGRAM: Final = 3
_MOST_TRIGRAMS: Final = 24
_BATCH: Final = 5000
"""Events indexed in one transaction: an interruption loses no more work than that."""


class TextQuery(NamedTuple):
    """A search: texts that match every term and were recorded within these segments of a branch."""

    terms: Sequence[Term]
    segments: Sequence[Segment]
    """Empty for the whole index."""
    upto: int
    kinds: Sequence[str] = ()
    """Stored names of kinds; empty for any kind."""
    people: Sequence[int] | None = None
    """The text must be by or about one of these people; None for any person."""
    belongs: tuple[int, int] | None = None
    """The first and last position of the moments it may belong to."""
    apart_from: Sequence[tuple[int, int]] = ()
    """Stretches (first to last position) excluded from the search."""
    at: Sequence[int] | None = None
    """Restricts the search to these positions; None for all."""


class PhraseQuery(NamedTuple):
    """A phrase search: texts of a branch with any phrase of `phrases`.

    If `beside` is not empty, the text must also have a phrase of `beside`.
    """

    phrases: Sequence[str]
    beside: Sequence[str]
    segments: Sequence[Segment]
    upto: int


IndexedText = tuple[int, int, int, str]
"""A text's number in the index, position of its wording, position of its event, and that event's kind."""


class Hit(NamedTuple):
    """A text found by a search, with its event.

    It was recorded by the event at position `since`, stored with branch `line`, and is text number `place` of
    the event at `position`: the same event, or an earlier one whose text `since` replaced. `belongs` is the
    position of the moment that it tells: an earlier one if it was told later.
    """

    id: int
    line: int
    since: int
    position: int
    place: int
    belongs: int
    kind: str
    people: tuple[int, ...]
    visible_to: VisibleTo


def _guests(rows: Iterable[Row]) -> set[str]:
    """Returns the names of the games in the rows' kinds that are not built in: `coins.flipped` → coins."""
    return {row.kind.partition(".")[0] for row in rows}.difference(BUILT_IN, ("table",))


def _code(guest: str) -> str:
    """Returns a hex digest of an installed game's code, which changes with the code; "" if not installed."""
    return (code_of((guest,)) or b"").hex()


class Index:
    """The full-text index of one campaign, in a cache file, or in memory if no file can be written."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        """Closes the connection to the cache file; the next search opens it again."""
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None

    # --- keeping it up ------------------------------------------------------------------------------------

    def catch_up(
        self, record: Record, campaign: str, *, anew: bool = False, progress: Progress | None = None
    ) -> int:
        """Adds the events recorded since the last call to the index; returns the number of indexed texts.

        The index is rebuilt if `anew` is set, if it belongs to another campaign or version, or if an event
        was redacted since: then no old text stays in the file. An unusable file is replaced; if none can be
        written, the index is built in memory. Raises StoreError if SQLite has no full-text search.
        """
        try:
            return self._catch_up(record, campaign, progress, anew=anew)
        except (sqlite3.OperationalError, OSError):
            self.close()
            self._path = None
        except sqlite3.DatabaseError:
            self.close()
            self._delete_file()
        try:
            return self._catch_up(record, campaign, progress, anew=anew)
        except sqlite3.Error as error:
            raise StoreError(f"There is no searching here: SQLite says “{error}”.") from None

    def _delete_file(self) -> None:
        try:
            if self._path is not None:
                remove(self._path)
        except OSError:
            self._path = None

    def _catch_up(self, record: Record, campaign: str, progress: Progress | None, *, anew: bool) -> int:
        db = self._open()
        seq = 0 if anew else self._indexed_upto(record, campaign)
        if seq == 0 or self._redacted_since(record, seq):
            self._clear(campaign)
        size = record.store.size()
        while (seq := self._seq()) < size:
            if progress:
                progress(seq, size)
            self._index_batch(record, seq)
        found: int = db.execute("SELECT coalesce(max(id), 0) FROM text").fetchone()[0]
        return found

    def _open(self) -> sqlite3.Connection:
        if self._db is None:
            if self._path is not None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.touch(0o600)  # it holds secrets
            where = self._path or ":memory:"
            self._db = sqlite3.connect(where, isolation_level=None, timeout=5.0, check_same_thread=False)
            for pragma in ("journal_mode = WAL", "synchronous = OFF", "secure_delete = ON"):
                self._db.execute(f"PRAGMA {pragma}")
            self._db.execute("PRAGMA trusted_schema = OFF")
        return self._db

    def _indexed_upto(self, record: Record, campaign: str) -> int:
        """Returns the sequence number of the last indexed event; 0 if the index must be rebuilt.

        It must be if it belongs to another campaign, another version of the index or of a game, or is
        unreadable.
        """
        try:
            key, owner, seq, hash_, guests = self._open().execute("SELECT * FROM indexed").fetchone()
            read_by = json.loads(guests)
        except (sqlite3.OperationalError, TypeError, ValueError):
            return 0
        row = next(record.store.log(seq - 1, seq), None)
        known = row is not None and (key, owner, hash_) == (_KEY, campaign, row[1].hash)
        return seq if known and read_by == {game: _code(game) for game in read_by} else 0

    def _redacted_since(self, record: Record, seq: int) -> bool:
        return next(record.store.log(seq, kinds=("table.redacted",)), None) is not None

    def _clear(self, campaign: str) -> None:
        """Deletes the index's content and creates its database tables again, empty.

        Zeros overwrite the dropped content in the file and its write-ahead log.
        """
        db = self._open()
        with self._transaction():
            for table in _TABLES:
                db.execute(f"DROP TABLE IF EXISTS {table}")
            for statement in _DDL:
                db.execute(statement)
            db.execute("INSERT INTO indexed VALUES (?, ?, 0, x'', '{}')", (_KEY, campaign))
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _seq(self) -> int:
        found: int = self._open().execute("SELECT seq FROM indexed").fetchone()[0]
        return found

    def _index_batch(self, record: Record, after: int) -> None:
        db = self._open()
        with self._transaction():
            if self._seq() != after:  # another process has just done it
                return
            rows = list(record.log(after, after + _BATCH))
            first = 1 + db.execute("SELECT coalesce(max(id), 0) FROM text").fetchone()[0]
            taken = [
                _stored(id_, entry)
                for id_, entry in enumerate(index_entries(record, (row for _, row in rows)), first)
            ]
            db.executemany("INSERT INTO text VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", taken)
            for table in ("spelled", "within"):
                db.executemany(
                    f"INSERT INTO {table} (rowid, folded) VALUES (?, ?)",  # noqa: S608 -- one of these two
                    ((values[0], values[-1]) for values in taken),
                )
            (guests,) = db.execute("SELECT guests FROM indexed").fetchone()
            read_by = json.loads(guests) | {game: _code(game) for game in _guests(row for _, row in rows)}
            db.execute(
                "UPDATE indexed SET seq = ?, hash = ?, guests = ?",
                (rows[-1][0], rows[-1][1].hash, json.dumps(read_by)),
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        db = self._open()
        db.execute("BEGIN IMMEDIATE")
        try:
            yield
            db.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                db.execute("ROLLBACK")
            raise

    # --- asking it ----------------------------------------------------------------------------------------

    def hits(self, sought: TextQuery) -> Iterator[Hit]:
        """Yields the texts that match the search, last recorded first.

        Raises StoreError if the cache file is broken.
        """
        question = _search_sql(sought)
        sql = (
            f"SELECT {_HIT} FROM {question.texts} WHERE {question.conditions} ORDER BY {question.order} DESC"  # noqa: S608 -- ours
        )
        return self._hits(sql, question.given)

    def naming(self, named: PhraseQuery) -> Iterator[Hit]:
        """Yields the free texts that contain a phrase of the search, in the order recorded.

        Texts that are names are left out. Raises StoreError if the cache file is broken.
        """
        return self._hits(*_phrase_sql(_HIT, named))

    def places(self, named: PhraseQuery) -> Sequence[IndexedText]:
        """Returns the texts that `naming` would yield, as short tuples, in a third of its time."""
        with _broken_as_store_error():
            found: list[IndexedText] = self._open().execute(*_phrase_sql(_PLACE, named)).fetchall()
            return found

    def _hits(self, sql: str, given: Sequence[int | str]) -> Iterator[Hit]:
        with _broken_as_store_error():
            for *plain, people, see in self._open().execute(sql, given):
                yield Hit._make((*plain, _numbers(people), _audience(see)))

    def count(self, sought: TextQuery) -> int:
        """Returns the number of texts that match; StoreError if the cache file is broken."""
        question = _search_sql(sought)
        sql = f"SELECT count(*) FROM {question.least} WHERE {question.conditions}"  # noqa: S608 -- ours
        with _broken_as_store_error():
            found: int = self._open().execute(sql, question.given).fetchone()[0]
        return found


_HIT: Final = "id, line, since, position, place, belongs, kind, people, see"
_PLACE: Final = "id, since, position, kind"


@contextmanager
def _broken_as_store_error() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StoreError(
            f"The search index is broken ({error}): make it anew with search --rebuild."
        ) from None


def _stored(id_: int, entry: IndexEntry) -> tuple[int | str, ...]:
    see = entry.visible_to if isinstance(entry.visible_to, str) else _spaced(entry.visible_to)
    return (id_, *entry[:5], entry.kind, _spaced(entry.people), see, entry.told, entry.folded)


def _spaced(people: Sequence[int]) -> str:
    """Returns ids joined by spaces, with one on both sides: a search for ` 3 ` then finds id 3 alone."""
    return f" {' '.join(map(str, people))} "


@lru_cache(maxsize=1024)
def _numbers(spaced: str) -> tuple[int, ...]:
    return tuple(map(int, spaced.split()))


@lru_cache(maxsize=1024)
def _audience(see: str) -> str | tuple[int, ...]:
    return see if see.isalpha() else _numbers(see)


class _SearchSql(NamedTuple):
    """Clauses of the SQL query for a search, and the query's parameters."""

    texts: str
    """The FROM clause, led by the table that narrows the search most."""
    least: str
    """The shortest FROM clause that covers the conditions, for counting."""
    conditions: str
    given: Sequence[int | str]
    order: str
    """The column for recording order, of the leading table, so that the first hit comes at once."""


def _search_sql(sought: TextQuery) -> _SearchSql:
    whole = [term.text for term in sought.terms if not term.part]
    parts = [term.text for term in sought.terms if term.part]
    trigrams = [_trigrams(part) for part in parts if len(part) >= _TRIGRAM]
    table = ""
    asked: list[tuple[str, Sequence[int | str]]] = []
    if whole:
        table = "spelled"
        # A star makes the last word of a quoted term match as a prefix.
        asked.append(("spelled MATCH ?", (" AND ".join(f"{_quoted(text)} *" for text in whole),)))
        asked += [
            ("spelled.rowid IN (SELECT rowid FROM within WHERE within MATCH ?)", (trigram,))
            for trigram in trigrams
        ]
    elif trigrams:
        table = "within"
        asked.append(("within MATCH ?", (" AND ".join(trigrams),)))
    of_the_text = [*(("instr(text.folded, ?)", (part,)) for part in parts), *_limits(sought)]
    texts = f"{table} CROSS JOIN text ON id = {table}.rowid" if table else "text"
    conditions = [*asked, *of_the_text]
    return _SearchSql(
        texts,
        texts if of_the_text else table,
        " AND ".join(condition for condition, _ in conditions),
        [value for _, given in conditions for value in given],
        f"{table}.rowid" if table else "id",
    )


def _phrase_sql(columns: str, named: PhraseQuery) -> tuple[str, Sequence[int | str]]:
    """Returns the SQL query of a phrase search that selects `columns`, and the query's parameters."""
    asked = [
        f"({' OR '.join(map(_quoted, phrases))})" for phrases in (named.phrases, named.beside) if phrases
    ]
    within = list(_within(named.segments, named.upto))
    conditions = " AND ".join(["spelled MATCH ?", "told", *(condition for condition, _ in within)])
    given = [" AND ".join(asked), *(value for _, given in within for value in given)]
    texts = "spelled CROSS JOIN text ON id = spelled.rowid"
    return f"SELECT {columns} FROM {texts} WHERE {conditions} ORDER BY id", given  # noqa: S608 -- ours


def _trigrams(text: str) -> str:
    """Returns an FTS5 query for texts that contain the first trigrams (three letters in sequence) of `text`.

    A GLOB pattern would work on a trigram table too, but SQLite 3.40 crashes on some.
    """
    starts = range(min(len(text) - _TRIGRAM + 1, _MOST_TRIGRAMS))
    return " AND ".join(dict.fromkeys(_quoted(text[start : start + _TRIGRAM]) for start in starts))


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _within(segments: Sequence[Segment], upto: int) -> Iterator[tuple[str, Sequence[int | str]]]:
    within = [
        (segment.line, segment.after, min(upto, segment.upto) if segment.upto is not None else upto)
        for segment in segments
    ]
    if within:
        stretches = " OR ".join("(line = ? AND since > ? AND since <= ?)" for _ in within)
        yield f"({stretches})", [number for stretch in within for number in stretch]


def _limits(sought: TextQuery) -> Iterator[tuple[str, Sequence[int | str]]]:
    yield from _within(sought.segments, sought.upto)
    for stretch in sought.apart_from:
        yield "position NOT BETWEEN ? AND ? AND since NOT BETWEEN ? AND ?", (*stretch, *stretch)
    if sought.at is not None:
        yield f"position IN ({', '.join('?' * len(sought.at))})", sought.at
    if sought.kinds:
        yield f"kind IN ({', '.join('?' * len(sought.kinds))})", sought.kinds
    if sought.people is not None:
        either = " OR ".join("instr(people, ?)" for _ in sought.people)
        yield f"({either or 'FALSE'})", [f" {person} " for person in sought.people]
    if sought.belongs is not None:
        yield "belongs BETWEEN ? AND ?", sought.belongs
