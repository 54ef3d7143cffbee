"""A source that keeps its units: read again from memory, with the same counts, unless it is long."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from retold import sources
from retold.sources import Report, Source, read
from tests.retold.sources.made_up import EXAMPLES

LOG = EXAMPLES / "fantasy-grounds.html"


def counted(source: Source) -> tuple[Source, list[int]]:
    """The source, and a list that gets the length of each reading."""
    ((stream, reader),) = source.files
    readings: list[int] = []

    def reading(most: int) -> bytes:
        readings.append(most)
        return stream.read(most)

    return Source(source.family, ((replace(stream, read=reading), reader),)), readings


def told(source: Source) -> tuple[list[str], dict[str, object]]:
    """The units of a source as text, and the report on them."""
    report = Report(source.family)
    units = []
    for stream, _, unit in source.units(report):
        report.add(unit, stream.name)
        units.append(repr(unit))
    return units, report.as_json()


def test_a_second_iteration_is_the_first_again_and_reads_no_file(tmp_path: Path) -> None:
    path = tmp_path / LOG.name
    path.write_bytes(LOG.read_bytes())
    source, readings = counted(read(path))
    kept = source.keeping()
    first = told(kept)
    number = len(readings)
    path.unlink()

    assert told(kept) == first == told(read(LOG))
    assert kept.files[0][0].digest
    assert len(readings) == number > 0


def test_a_long_log_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "MOST_KEPT", 3)
    source, readings = counted(read(LOG))
    kept = source.keeping()
    first = told(kept)
    number = len(readings)

    assert told(kept) == first
    assert len(readings) > number


def test_a_reading_that_was_left_is_begun_anew() -> None:
    kept = read(LOG).keeping()
    next(iter(kept))

    assert told(kept) == told(read(LOG))
