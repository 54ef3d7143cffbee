"""Rows looked at together: nothing passes that would not pass alone, and what is as it was written does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

import pytest

from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.chain import link
from retold.journal.store.events.record import Record
from retold.journal.store.sqlite.file import CampaignFile
from retold.journal.store.verify import Report, verify
from retold.journal.store.verify.row_check import Inspector, Trail, check_in_bulk
from tests.journal.store.played import notes, played
from tests.journal.store.test_verify import EDITS, behind, path

__all__ = ["path"]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> list[Row]:
    """An evening, and some notes."""
    with played(tmp_path_factory.mktemp("glancing") / "a.retold") as camp:
        notes(camp.writer(1), "a", "", "Zoë, 3.5e7")
        return list(camp.record.rows(1))


def alone(path: Path) -> Report:
    """What is found where every row is looked at by itself."""
    with patch.object(Inspector, "check_batch", return_value=False):
        return together(path)


def together(path: Path) -> Report:
    with CampaignFile.open(path, read_only=True) as file:
        return verify(Record(file))


@pytest.mark.parametrize("what", EDITS)
def test_the_same_is_found_of_an_edited_record(what: str, path: Path) -> None:
    behind(path, *EDITS[what])

    assert together(path) == alone(path)


def test_the_same_is_found_of_a_whole_record(path: Path) -> None:
    assert together(path) == alone(path)


def test_rows_that_are_as_they_were_written_are_looked_at_together_only(rows: list[Row]) -> None:
    inspector = Inspector(lambda _line, _position: None)
    assert inspector.inspect(rows[0]) == []

    with patch.object(Inspector, "inspect", side_effect=AssertionError):
        assert not any(faults for _, faults in inspector.each(rows[1:]))
    assert inspector.heads == {1: rows[-1].head}


def chained(rows: list[Row]) -> list[Row]:
    """The rows sealed anew, as somebody does who knows how."""
    parent, sealed = b"", []
    for row in rows:
        parent = link(parent, row.line, row.position, row.kind, row.body)
        sealed.append(row._replace(hash=parent))
    return sealed


def meddled(rows: list[Row], random: Random) -> Iterator[Row]:
    """The rows up to the one after `chosen`, which is changed in one place."""
    chosen = random.randrange(1, len(rows))
    for number, row in enumerate(rows[: chosen + 2]):
        if number != chosen:
            yield row
            continue
        column = random.choice(("body", "body", "body", "words", "kind"))
        was = getattr(row, column) or ""
        at = random.randrange(len(was) + 1)
        put = random.choice(
            ['"', ",", " ", "1", ".5", "e3", "9999999999999999", "{}", "é", "null", "-", "", "_"]
        )
        changed: Any = {column: was[:at] + put + was[at + random.randrange(3) :]}
        yield row._replace(**changed)


@pytest.mark.parametrize("seed", range(20))
def test_what_passes_together_passes_alone(seed: int, rows: list[Row]) -> None:
    random = Random(seed)
    changed = 0
    for _ in range(60):
        other = chained(list(meddled(rows, random)))
        changed += other != rows[: len(other)]
        inspector = Inspector(lambda _line, _position: None)
        faults = [inspector.inspect(row) for row in other]
        after = check_in_bulk(Trail(1, other[0].hash), other[1:])

        assert after is None or not any(faults)
    assert changed
