"""Times of play: when an act happened at the table, as stated, to the precision given."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Final

from retold.journal.refused import Refused, none_if_refused

YEARS: Final = range(1900, 3000)
"""Years in which a table may have played; others are slips, and the calendar's ends are out of reach."""

_DAY: Final = r"(?P<day>\d{4}-\d\d-\d\d)"
_WRITTEN: Final = re.compile(
    rf"{_DAY}(?:T\d\d:\d\d(?::\d\d(?:\.\d{{1,6}})?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_TYPED: Final = re.compile(
    rf"{_DAY}(?:[Tt ](?P<time>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?P<zone>.*))?", re.ASCII | re.DOTALL
)
_LIKE: Final = "such as 2026-03-14, 2026-03-14T19:42 or 2026-03-14T19:42:05+01:00"


def read_played_time(typed: str) -> str:
    """Returns a typed time of play as the record keeps it: `2026-03-14`, `2026-03-14T19:42:05+01:00`.

    A day may stand alone; hours and minutes may have seconds and fractions; without an offset from UTC the
    time is the table's local one. Raises Refused for anything else, and for a day or time that does not
    exist.
    """
    found = _TYPED.fullmatch(typed.strip())
    if found is None:
        raise Refused(f"--when takes a day or a day and a time, {_LIKE}, not {typed.strip() or 'nothing'}.")
    day, time, zone = found["day"], found["time"], found["zone"]
    _check_day(day)
    if time is None:
        return day
    _check_time(time)
    return f"{day}T{time}{_offset(zone.strip())}"


def is_played_time(written: str) -> bool:
    """True if `written` is a time of play exactly as `read_played_time` returns it."""
    is_written = _WRITTEN.fullmatch(written) is not None
    return is_written and none_if_refused(lambda: read_played_time(written)) == written


def played_day(written: str) -> str:
    """Returns the local date of a time of play: `2026-03-14`."""
    return written[:10]


def played_instant(written: str, offset: int) -> datetime | None:
    """Returns a time of play as an instant in UTC; None if only the day is known.

    `offset` is the table's clock against UTC in minutes, used for a local time.
    """
    if len(written) == len("2026-03-14"):
        return None
    at = datetime.fromisoformat(_six_digits(written))
    local = timezone(timedelta(minutes=offset))
    return (at if at.tzinfo is not None else at.replace(tzinfo=local)).astimezone(UTC)


def _six_digits(written: str) -> str:
    """Returns the time with its fraction of a second in six digits, the form that every Python reads."""
    return re.sub(r"\.(\d+)", lambda fraction: f".{fraction[1]:0<6}", written)


def _check_day(day: str) -> None:
    try:
        year = date.fromisoformat(day).year
    except ValueError:
        raise Refused(f"There is no day {day}: --when takes the year, the month and the day.") from None
    if year not in YEARS:
        raise Refused(f"--when takes a year from {YEARS[0]} to {YEARS[-1]}, not {day[:4]}.")


def _check_time(time: str) -> None:
    if len(time.partition(".")[2]) > _MOST_DIGITS:
        raise Refused(f"--when takes up to {_MOST_DIGITS} digits of a second, not {time}.")
    try:
        datetime.fromisoformat(f"2000-01-01T{_six_digits(time)}")
    except ValueError:
        raise Refused(f"There is no time {time}: --when takes 00:00 to 23:59, seconds below 60.") from None


def _offset(zone: str) -> str:
    """Returns a typed offset from UTC as the record keeps it; "" without one.

    Raises Refused for the name of a time zone, and for an offset of a day or more.
    """
    if zone in ("", "Z", "z"):
        return zone.upper()
    found = re.fullmatch(r"([+-])(\d\d):?(\d\d)?", zone, re.ASCII)
    if found is None:
        raise Refused(
            f"--when knows no time zone {zone}: give the offset from UTC, as in 2026-03-14T19:42+01:00,"
            " or nothing for local time."
        )
    sign, hours, minutes = found[1], found[2], found[3] or "00"
    if int(hours) > _MOST_HOURS or int(minutes) > _MOST_MINUTES:
        raise Refused(f"No clock is {zone} from UTC: --when takes offsets up to 23:59.")
    return "Z" if hours == minutes == "00" else f"{sign}{hours}:{minutes}"


_MOST_DIGITS: Final = 6
_MOST_HOURS: Final = 23
_MOST_MINUTES: Final = 59
