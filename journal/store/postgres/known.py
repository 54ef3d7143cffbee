"""Cache of a server campaign's rows, valid for one end of its record, that saves queries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from retold.journal.store.contract.event_store import AMENDING_KINDS, Head, Row
from retold.journal.store.postgres import batch, schema
from retold.journal.store.postgres.batch import Call, Statement

if TYPE_CHECKING:
    from psycopg.pq.abc import PGresult

KINDS: Final = (*AMENDING_KINDS, "table.forked", "table.promoted")
"""Kinds that are read again and again: what was undone, reworded or redacted, and the branches."""

MOST_ROWS: Final = 1000
"""The most events of these kinds that are kept."""

MOST_LINES: Final = 50
"""The most branches whose beginnings and ends are kept."""

MOST_HASHES: Final = 10_000
"""The most hashes that are kept of events before those that were asked for by kind."""


class End(NamedTuple):
    """The end of a record at one moment: its size, its stamp, and the hash of its last event.

    Not the size alone: a server that took over may lack the last acts, and have as many others.
    """

    size: int
    stamp: int
    last: bytes | None


_NO_END: Final = End(-1, -1, None)


class Known:
    """Rows, hashes and kinds of a campaign, known for the record's end `end`."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forgets everything."""
        self.end: End | None = None
        self.heads: dict[int, Head] = {}
        self.hashes: dict[tuple[int, int], bytes] = {}
        """Hashes of events before those that were asked for by kind, by line and position."""
        self.has_every_head = False
        """True if every branch with events is in `heads`."""
        self.rows: dict[tuple[int, int], Row] = {}
        """The first and the last two events of each branch, by line and position."""
        self.are_too_many = False
        """True if there are more than `MOST_ROWS` events of `KINDS`."""
        self._of_kinds: list[tuple[int, Row]] | None = None
        self._is_learned = False

    def move_to(self, end: End) -> None:
        """Sets the known end; forgets everything if it differs from the last."""
        if end != self.end:
            self.forget()
            self.end = end

    def begin(self) -> None:
        """Sets the end of an empty record."""
        self.forget()
        self.end, self.has_every_head, self._of_kinds, self._is_learned = End(0, 0, None), True, [], True

    # --- rows ---

    def of_kinds(self, kinds: Sequence[str]) -> Iterator[tuple[int, Row]] | None:
        """Returns the sequence numbers and rows of these kinds in order, if they are known."""
        if not kinds or self._of_kinds is None or not set(kinds) <= set(KINDS):
            return None
        return (found for found in list(self._of_kinds) if found[1].kind in kinds)

    def may_learn(self, kinds: Sequence[str]) -> bool:
        """True if events of these kinds would be kept by `learn_kinds`."""
        return bool(kinds) and set(kinds) <= set(KINDS) and not self.are_too_many

    def keep_hash(self, line: int, position: int, hash_: bytes) -> None:
        """Keeps the hash of an event."""
        if len(self.hashes) >= MOST_HASHES:
            self.hashes.clear()
        self.hashes[line, position] = hash_

    def add(self, number: int, row: Row) -> None:
        """Adds a row that is appended with a sequence number."""
        before = self.heads.get(row.line)
        self.heads[row.line] = row.head
        if row.kind not in KINDS:
            return
        if before is not None and before.position == row.position - 1:
            self.keep_hash(row.line, before.position, before.hash)
        if self._of_kinds is not None:
            self._of_kinds.append((number, row))
            self._drop_if_too_many()

    def forget_texts(self) -> None:
        """Forgets rows after the deletion of a text."""
        self._of_kinds, self.rows, self._is_learned = None, {}, False

    def _drop_if_too_many(self) -> None:
        if self._of_kinds is not None and len(self._of_kinds) > MOST_ROWS:
            self._of_kinds, self.are_too_many = None, True

    # --- learning ---

    def look(self, campaign: int) -> tuple[Call, ...]:
        """Returns the calls that ask for everything unknown; `learn` takes their results."""
        size, stamp, last = self.end if self.end is not None and self._is_learned else _NO_END
        known = (batch.integer(campaign), batch.bigint(size), batch.bigint(stamp), last or b"")
        return Call(_END, known[:1]), Call(_ENDS, known), Call(_NEW_OF_KINDS, known)

    def learn(self, end: PGresult, ends: PGresult, of_kinds: PGresult) -> None:
        """Keeps the results of the calls that `look` returned."""
        found = end_of(end)
        if found == self.end and self._is_learned:
            return
        self.move_to(found)
        self._is_learned = True
        rows = [_row(ends, at) for at in range(ends.ntuples)]
        self.has_every_head = len({row.line for row in rows}) <= MOST_LINES
        for row in sorted(rows):
            self.rows[row.line, row.position] = row
            self.heads[row.line] = row.head
        self.learn_kinds(of_kinds)

    def learn_kinds(self, found: PGresult) -> None:
        """Keeps the events that the statement about kinds found, and the hash before each."""
        self._of_kinds = []
        for at in range(found.ntuples):
            row, before = _row(found, at), found.get_value(at, 7)
            self._of_kinds.append((batch.number(found.get_value(at, 6)), row))
            if before is not None:
                self.keep_hash(row.line, row.position - 1, before)
        self._drop_if_too_many()


def ask_kinds(campaign: int) -> Call:
    """Returns the call that asks for the events of `KINDS`."""
    return Call(_OF_KINDS, (batch.integer(campaign),))


def end_of(found: PGresult) -> End:
    """Returns the end in the first row of a result: size, stamp, hash of the last event."""
    if not found.ntuples:
        return _NO_END
    size, stamp = batch.number(found.get_value(0, 0)), batch.number(found.get_value(0, 1))
    return End(size, stamp, found.get_value(0, 2))


def _row(found: PGresult, at: int) -> Row:
    line, position, kind, body, words, hash_ = (found.get_value(at, column) for column in range(6))
    return Row(
        batch.number(line),
        batch.number(position),
        (kind or b"").decode(),
        (body or b"").decode(),
        None if words is None else words.decode(),
        hash_ or b"",
    )


LAST_HASH: Final = (
    "(SELECT hash FROM retold.event WHERE event.campaign = campaign.id AND event.seq = campaign.size)"
)
_IS_OTHER: Final = f"""NOT EXISTS (SELECT FROM retold.campaign
  WHERE id = $1 AND size = $2 AND stamp = $3 AND coalesce({LAST_HASH}, '') = $4)
"""
_KNOWN: Final = (batch.INTEGER, batch.BIGINT, batch.BIGINT, batch.BYTES)
_END: Final = Statement(
    "retold_end",
    f"SELECT size, stamp, {LAST_HASH} FROM retold.campaign WHERE id = $1",  # noqa: S608
    (batch.INTEGER,),
)
_ENDS: Final = Statement(
    "retold_ends",
    f"""
WITH RECURSIVE leap (line) AS (
  SELECT min(line) FROM retold.event WHERE campaign = $1 AND {_IS_OTHER}
  UNION ALL SELECT (SELECT min(line) FROM retold.event WHERE campaign = $1 AND line > leap.line)
  FROM leap WHERE line IS NOT NULL)
SELECT {schema.ROW}
FROM (SELECT line AS stream FROM leap WHERE line IS NOT NULL LIMIT {MOST_LINES + 1}) AS streams, LATERAL (
  (SELECT {schema.ROW} FROM retold.event WHERE campaign = $1 AND line = stream ORDER BY position LIMIT 1)
  UNION (SELECT {schema.ROW} FROM retold.event WHERE campaign = $1 AND line = stream
    ORDER BY position DESC LIMIT 2)
) AS found
""",  # noqa: S608
    _KNOWN,
)
"""The first and the last two events of each branch, if the record has another end than the one given."""
_SELECT_KINDS: Final = f"""
SELECT {schema.ROW}, seq, (SELECT hash FROM retold.event AS before WHERE before.campaign = event.campaign
  AND before.line = event.line AND before.position = event.position - 1)
FROM retold.event
WHERE campaign = $1 AND {schema.IS_SIGNPOST} AND kind IN ({", ".join(map(repr, KINDS))})
"""  # noqa: S608
_ORDER: Final = f" ORDER BY seq LIMIT {MOST_ROWS + 1}"
_OF_KINDS: Final = Statement("retold_kinds", f"{_SELECT_KINDS}{_ORDER}", (batch.INTEGER,))
_NEW_OF_KINDS: Final = Statement("retold_new_kinds", f"{_SELECT_KINDS} AND {_IS_OTHER}{_ORDER}", _KNOWN)
