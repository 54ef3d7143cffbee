"""Evenings: sessions by each rule, and local times on days when the clock is changed."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retold.journal.refused import Refused
from retold.sources.evenings import Clock, Evening, Moment, evenings, is_by_post, rule_of
from retold.sources.unit import When


def moments(*texts: str) -> list[Moment]:
    """Moments such as `03-01 19:00`, with a channel behind a blank, or `-` without a time."""
    found = []
    for text in texts:
        day, clock, channel = (*text.split(), "", "")[:3]
        found.append(Moment(None if day == "-" else datetime.fromisoformat(f"2026-{day} {clock}"), channel))
    return found


LOG = moments(
    "03-01 21:00", "03-02 00:30", "-", "03-02 04:29", "03-02 08:29", "03-09 20:00 other", "03-09 20:05"
)


@pytest.mark.parametrize(
    ("rule", "places"),
    [
        ("gap 4h", [(0, 3), (4, 4), (5, 6)]),
        ("gap 30min", [(0, 0), (1, 2), (3, 3), (4, 4), (5, 6)]),
        ("day", [(0, 0), (1, 4), (5, 6)]),
        ("week", [(0, 0), (1, 4), (5, 6)]),
        ("thread", [(0, 4), (5, 5), (6, 6)]),
        ("one", [(0, 6)]),
        ("at 2026-03-02T00:00,2026-03-09T20:05", [(0, 0), (1, 5), (6, 6)]),
    ],
)
def test_sessions_begin_where_the_rule_says(rule: str, places: list[tuple[int, int]]) -> None:
    assert [(one.first, one.last) for one in evenings(LOG, rule_of(rule))] == places


def test_a_session_that_passes_midnight_is_of_the_day_it_began() -> None:
    assert evenings(moments("03-01 21:00", "03-02 00:30"), rule_of("gap 4h")) == [
        Evening(0, 1, date(2026, 3, 1))
    ]


def test_a_log_without_times_is_one_session_without_a_date() -> None:
    assert evenings(moments("-", "-"), rule_of("gap 4h")) == [Evening(0, 1, None)]
    assert evenings([], rule_of("gap 4h")) == []


@pytest.mark.parametrize(
    "text", ["", "gap", "gap 0h", "gap 4 days", "at noon", "at 2026-03-01T19:00+01:00", "day 2"]
)
def test_any_other_rule_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(Refused, match='write "gap 4h", "gap 4h least 10", "day"'):
        rule_of(text)


def test_days_between_most_messages_are_play_by_post() -> None:
    assert is_by_post(moments("03-01 12:00", "03-03 12:00", "03-05 12:00", "03-05 12:01"))
    assert not is_by_post(moments("03-01 19:00", "03-01 19:01", "03-08 19:00", "03-08 19:01"))
    assert not is_by_post(moments("03-01 19:00"))


@given(
    st.lists(
        st.none() | st.datetimes(datetime.fromisoformat("2026-01-01"), datetime.fromisoformat("2026-02-01")),
        max_size=12,
    ),
    st.data(),
)
def test_every_unit_is_in_one_session(times: list[datetime | None], data: st.DataObject) -> None:
    rule = rule_of(
        data.draw(st.sampled_from(["gap 4h", "day", "week", "thread", "one", "at 2026-01-15T12:00"]))
    )
    found = evenings([Moment(time) for time in times], rule)

    assert [place for one in found for place in range(one.first, one.last + 1)] == list(range(len(times)))


def local(text: str) -> When:
    return When(datetime.fromisoformat(f"2026-{text}"))


def test_a_time_that_comes_twice_takes_the_order_of_the_file() -> None:
    clock = Clock("Europe/Lisbon")  # the hour from one to two comes twice on 25 October
    instants = [
        clock.instant(local(f"10-25 {text}")) for text in ("00:50", "01:10", "01:50", "01:20", "02:05")
    ]

    assert [instant.strftime("%d %H:%M") for instant in instants] == [
        "24 23:50",
        "25 00:10",
        "25 00:50",
        "25 01:20",
        "25 02:05",
    ]


def test_a_time_that_spring_leaves_out_is_an_hour_later() -> None:
    clock = Clock("Europe/Lisbon")  # no hour from one to two on 29 March

    assert clock.instant(local("03-29 01:30")) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_an_instant_is_taken_as_it_is() -> None:
    clock = Clock("America/New_York")
    when = When(datetime.fromisoformat("2026-03-01T19:42:10+01:00"))

    assert clock.instant(when) == datetime(2026, 3, 1, 18, 42, 10, tzinfo=UTC)
    assert clock.local(when) == datetime.fromisoformat("2026-03-01T13:42:10")


@given(
    st.datetimes(datetime.fromisoformat("2026-03-01"), datetime.fromisoformat("2026-11-30")),
    st.lists(st.integers(0, 3600), max_size=20),
)
def test_a_log_in_order_stays_in_order(start: datetime, steps: list[int]) -> None:
    written, clock = Clock("Europe/Berlin"), Clock("Europe/Berlin")
    instants = [start.replace(tzinfo=UTC)]
    for step in steps:
        instants.append(instants[-1] + timedelta(seconds=step))
    read = [clock.instant(When(written.local(When(instant)))) for instant in instants]

    assert read == sorted(read)


@pytest.mark.parametrize("name", ["", "Mars/Base", "../etc/passwd", "Europe/Lisbon\0"])
def test_no_such_zone_is_one_sentence(name: str) -> None:
    with pytest.raises(Refused, match="There is no time zone"):
        Clock(name)


@pytest.mark.parametrize(
    ("rule", "places"),
    [
        ("gap 4h", [(0, 2), (3, 4)]),
        ("day", [(0, 2), (3, 4)]),
        ("one", [(0, 4)]),
    ],
)
def test_headings_of_the_source_begin_sessions(rule: str, places: list[tuple[int, int]]) -> None:
    """The front matter belongs to the first session, and two sessions may be of one day."""
    days = [None, datetime(2026, 3, 1), datetime(2026, 3, 2), datetime(2026, 3, 2), None]  # noqa: DTZ001
    headings = ["", "Session 1", "Session 1", "Session 2", "Session 2"]
    log = [Moment(day, "", heading) for day, heading in zip(days, headings, strict=True)]

    assert [(one.first, one.last) for one in evenings(log, rule_of(rule))] == places


def test_I15_an_evening_of_a_few_units_may_belong_to_the_one_before() -> None:
    found = moments("03-01 19:00", "03-01 19:01", "03-02 12:00", "03-08 19:00", "03-08 19:01", "03-09 12:00")

    assert [(one.first, one.last) for one in evenings(found, rule_of("gap 4h"))] == [
        (0, 1),
        (2, 2),
        (3, 4),
        (5, 5),
    ]
    assert [(one.first, one.last) for one in evenings(found, rule_of("gap 4h least 2"))] == [(0, 2), (3, 5)]
    assert [(one.first, one.last) for one in evenings(found, rule_of("gap 4h least 9"))] == [(0, 5)]


def test_I16_times_that_ran_back_begin_no_session_where_they_are_over() -> None:
    july = moments("07-01 19:42", "05-03 20:00", "05-03 20:05", "07-01 19:50")
    later = moments("07-02 20:00")

    assert [(one.first, one.last) for one in evenings([*july, *later], rule_of("gap 4h"))] == [(0, 3), (4, 4)]


def test_I16_one_time_far_ahead_joins_no_evenings_behind_it() -> None:
    found = moments("07-01 19:42", "12-01 19:43", "07-01 19:44", "07-08 19:42")

    assert [one.first for one in evenings(found, rule_of("gap 4h"))] == [0, 1, 3]
