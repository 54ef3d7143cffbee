"""Redactions recorded for events that are recorded again after their texts were redacted."""

from __future__ import annotations

import json
from collections.abc import Sequence

from retold.journal.store.contract.event_store import Head, Row
from retold.journal.store.events.acts import Manner, draft_rows
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.codec import decode
from retold.journal.store.events.record import Record
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e


def record_redactions(record: Record, clock: Clock, line: int, head: Head, rows: Sequence[Row]) -> list[Row]:
    """Appends redaction events to `line` for those of its new `rows` that lack texts redacted before.

    Returns the rows of these events. Call it inside `record.writing()`.
    """
    gone = [(row, words) for row in rows if (words := _gone_from(row))]
    if not gone:
        return []
    events = [e.Redacted(about=row.position, words=words, runs="") for row, words in gone]
    hidden = any(decode(row).envelope.visible_to != TABLE for row, _ in gone)
    manner = Manner(visible_to="gm" if hidden else TABLE)
    drafts = draft_rows(clock, events, c.Redact(at=events[0].about), [], manner)
    return record.append(line, head, drafts)


def _gone_from(row: Row) -> tuple[int, ...]:
    """Returns the numbers of the texts that a row lacks."""
    kept = [] if row.words is None else json.loads(row.words)
    return tuple(number for number, word in enumerate(kept) if word is None)
