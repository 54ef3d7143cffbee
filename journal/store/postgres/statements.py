"""SQL statements on a campaign's events: read, lock, append, and notify followers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from retold.journal.store.contract.event_store import SIGNPOSTS, Row
from retold.journal.store.postgres import batch, schema
from retold.journal.store.postgres.batch import Call, Statement
from retold.journal.store.postgres.known import LAST_HASH


def insertion(campaign: int, size: int, rows: Sequence[Row]) -> Call:
    """Returns the call that stores rows which follow the first `size` events."""
    lines, positions, kinds, bodies, words, hashes = zip(*rows, strict=True)
    return Call(
        _INSERT,
        (
            batch.integer(campaign),
            batch.bigint(size),
            batch.array(batch.INTEGER, map(batch.integer, lines)),
            batch.array(batch.BIGINT, map(batch.bigint, positions)),
            batch.array(batch.TEXT, map(str.encode, kinds)),
            batch.array(batch.TEXT, map(str.encode, bodies)),
            batch.array(batch.TEXT, (None if word is None else word.encode() for word in words)),
            batch.array(batch.BYTES, hashes),
        ),
    )


def notification(campaign: int) -> Call:
    """Returns the call that notifies followers of an act, in a transaction without a wait for the disk.

    PostgreSQL holds one lock of the whole server while a notification is committed.
    """
    return Call(_NOTIFY, (str(campaign).encode(),))


def of_kinds(kinds: Sequence[str]) -> str:
    """Returns the SQL condition for rows of these kinds.

    PostgreSQL uses a partial index only where the query repeats the index's own condition.
    """
    if not kinds:
        return "true"
    asked = "kind = ANY(%(kinds)s)"
    return f"{schema.IS_SIGNPOST} AND {asked}" if set(kinds) <= set(SIGNPOSTS) else asked


def page(key: str, condition: str, last: str, *, backwards: bool = False, before: bool = False) -> str:
    """Returns the query for a page of rows: key, the last key of all if no end is given, and the row.

    If `before`, the hash of the event before it on its line is the last column.
    """
    columns = f"{schema.ROW}, {_HASH_BEFORE}" if before else schema.ROW
    return f"""
        SELECT {key}, CASE WHEN %(upto)s::bigint IS NULL THEN {last} END, {columns} FROM retold.event
        WHERE campaign = %(campaign)s AND {key} > %(after)s
          AND {key} <= coalesce(%(upto)s::bigint, {_NO_END}) AND {condition}
        ORDER BY {key} {"DESC" if backwards else "ASC"} LIMIT %(many)s
    """  # noqa: S608 -- our own columns


_NO_END: Final = 2**63 - 1
HASH: Final = "SELECT hash FROM retold.event WHERE campaign = %s AND line = %s AND position = %s"
_HASH_BEFORE: Final = """
(SELECT before.hash FROM retold.event AS before
 WHERE before.campaign = event.campaign AND before.line = event.line AND before.position = event.position - 1)
"""
BEGIN_READING: Final = (
    Call(Statement("retold_read", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")),
    Call(Statement("retold_read_long", "SET LOCAL idle_in_transaction_session_timeout = '10min'")),
)
AT: Final = f"""
SELECT {schema.ROW} FROM retold.event WHERE campaign = %s AND line = %s AND position = %s
"""  # noqa: S608 -- our own columns
TAKE_NAME: Final = "INSERT INTO retold.campaign (name, format) VALUES (%s, %s) ON CONFLICT (name) DO NOTHING"
NEW: Final = "INSERT INTO retold.campaign (name, format) VALUES (%s, %s) RETURNING id"
HEAD: Final = f"""
SELECT campaign.size, campaign.stamp, {LAST_HASH}, last.position, last.hash
FROM retold.campaign LEFT JOIN LATERAL (
  SELECT position, hash FROM retold.event
  WHERE event.campaign = campaign.id AND line = %(line)s ORDER BY position DESC LIMIT 1) AS last ON true
WHERE campaign.id = %(campaign)s
"""  # noqa: S608 -- our own columns
SKIP_SCAN: Final = """
WITH RECURSIVE leap (line) AS (
  SELECT min(line) FROM retold.event WHERE campaign = %(campaign)s
  UNION ALL SELECT (SELECT min(line) FROM retold.event WHERE campaign = %(campaign)s AND line > leap.line)
  FROM leap WHERE line IS NOT NULL)
SELECT line FROM leap WHERE line IS NOT NULL
"""
BEGIN: Final = Call(Statement("retold_begin", "BEGIN"))
COMMIT: Final = Call(Statement("retold_commit", "COMMIT"))
LOCK: Final = Statement(
    "retold_lock",
    f"SELECT size, stamp, {LAST_HASH} FROM retold.campaign WHERE id = $1 FOR NO KEY UPDATE",  # noqa: S608 -- our own
    (batch.INTEGER,),
)
"""Locks a campaign; the hash of its last event is null or an older one if the lock had to be waited for."""
_INSERT: Final = Statement(
    "retold_insert",
    """
INSERT INTO retold.event (campaign, seq, line, position, kind, body, words, hash)
SELECT $1, $2 + nth, line, position, kind, body, words, hash
FROM unnest($3, $4, $5, $6, $7, $8)
  WITH ORDINALITY AS added (line, position, kind, body, words, hash, nth)
""",
    (
        batch.INTEGER,
        batch.BIGINT,
        *(
            batch.ARRAY_OF[sort]
            for sort in (batch.INTEGER, batch.BIGINT, batch.TEXT, batch.TEXT, batch.TEXT, batch.BYTES)
        ),
    ),
)
_NOTIFY: Final = Statement(
    "retold_notify",
    f"SELECT set_config('synchronous_commit', 'off', true), pg_notify('{schema.CHANNEL}', $1)",
    (batch.TEXT,),
)
HOLDER: Final = """
SELECT activity.application_name FROM retold.campaign
JOIN pg_locks ON locktype = 'transactionid' AND granted AND transactionid = campaign.xmax
JOIN pg_stat_activity AS activity USING (pid)
WHERE campaign.id = %s
"""
DELETE_TEXTS: Final = """
UPDATE retold.event SET words = %s WHERE campaign = %s AND line = %s AND position = %s
"""
