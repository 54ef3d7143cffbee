"""A time of play is a day, or a day and a time, to the precision somebody gave; slips are one sentence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from retold.journal.played_time import is_played_time, played_day, played_instant, read_played_time
from retold.journal.refused import Refused


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("2026-03-14", "2026-03-14"),
        ("2026-03-14T19:42", "2026-03-14T19:42"),
        ("2026-03-14 19:42", "2026-03-14T19:42"),
        (" 2026-03-14t19:42:05 ", "2026-03-14T19:42:05"),
        ("2026-03-14T19:42:05.120", "2026-03-14T19:42:05.120"),
        ("2026-03-14T19:42:05.123456+01:00", "2026-03-14T19:42:05.123456+01:00"),
        ("2026-03-14T19:42-0330", "2026-03-14T19:42-03:30"),
        ("2026-03-14T19:42 +01", "2026-03-14T19:42+01:00"),
        ("2026-03-14T19:42z", "2026-03-14T19:42Z"),
        ("2026-03-14T19:42+00:00", "2026-03-14T19:42Z"),
        ("2024-02-29", "2024-02-29"),
    ],
)
def test_what_is_typed_is_kept_to_its_precision(typed: str, kept: str) -> None:
    assert read_played_time(typed) == kept
    assert read_played_time(kept) == kept
    assert is_played_time(kept)
    assert is_played_time(typed) == (typed == kept)


@pytest.mark.parametrize(
    ("typed", "begins"),
    [
        ("yesterday", "--when takes a day or a day and a time, such as 2026-03-14, 2026-03-14T19:42"),
        ("", "--when takes a day or a day and a time"),
        ("19:42", "--when takes a day or a day and a time"),
        ("14.3.2026", "--when takes a day or a day and a time"),
        ("2026-03-14T19", "--when takes a day or a day and a time"),
        ("٢٠٢٦-٠٣-١٤", "--when takes a day or a day and a time"),
        ("2026-02-29", "There is no day 2026-02-29: --when takes the year, the month and the day."),
        ("2026-13-01", "There is no day 2026-13-01"),
        ("0026-03-14", "--when takes a year from 1900 to 2999, not 0026."),
        ("3000-01-01", "--when takes a year from 1900 to 2999, not 3000."),
        ("2026-03-14T24:00", "There is no time 24:00: --when takes 00:00 to 23:59, seconds below 60."),
        ("2026-03-14T19:42:60", "There is no time 19:42:60"),
        ("2026-03-14T19:42:05.1234567", "--when takes up to 6 digits of a second, not 19:42:05.1234567."),
        ("2026-03-14T19:42CET", "--when knows no time zone CET: give the offset from UTC"),
        ("2026-03-14T19:42[Europe/Lisbon]", "--when knows no time zone [Europe/Lisbon]"),
        ("2026-03-14T19:42+24:00", "No clock is +24:00 from UTC: --when takes offsets up to 23:59."),
        ("2026-03-14T19:42-01:60", "No clock is -01:60 from UTC"),
    ],
)
def test_a_slip_is_one_sentence(typed: str, begins: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_played_time(typed)

    assert refusal.value.sentence.startswith(begins)
    assert not is_played_time(typed)


def test_the_day_is_that_of_the_clock_on_the_wall() -> None:
    assert played_day("2026-03-14T00:30+01:00") == "2026-03-14"
    assert played_day("2026-03-14") == "2026-03-14"


@pytest.mark.parametrize(
    ("written", "offset", "hour", "minute", "microsecond"),
    [
        ("2026-03-14T19:42", 60, 18, 42, 0),
        ("2026-03-14T19:42Z", 60, 19, 42, 0),
        ("2026-03-14T19:42-03:30", 60, 23, 12, 0),
        ("2026-03-14T19:42:00.5", -60, 20, 42, 500_000),
    ],
)
def test_a_local_time_is_that_of_the_tables_clock(
    written: str, offset: int, hour: int, minute: int, microsecond: int
) -> None:
    assert played_instant(written, offset) == datetime(2026, 3, 14, hour, minute, 0, microsecond, tzinfo=UTC)


def test_a_day_alone_is_no_instant() -> None:
    assert played_instant("2026-03-14", 60) is None


@pytest.mark.parametrize("written", ["1900-01-01T00:00+23:59", "2999-12-31T23:59-23:59"])
def test_the_ends_of_the_calendar_are_out_of_reach(written: str) -> None:
    assert played_instant(read_played_time(written), 0) is not None
