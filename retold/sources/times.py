"""Times that tools write for people, whose order of day and month the whole file tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta, timezone, tzinfo
from enum import StrEnum
from functools import cache, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from retold.sources.time_words import one_of, plain, time_words, without_direction
from retold.sources.unit import Precision, When

_NUMBERS: Final = (
    r"(?P<first>\d{1,4})(?P<sign>[/.\-\u2010\u2011]|[年년]) ?(?P<second>\d{1,2}) ?"
    r"(?:(?P=sign)|[月월]) ?(?P<third>\d{1,4})(?P<end>[日일.])?"
)
_SHORT: Final = (
    r"(?<![\d/.])(?P<first_>\d{1,2})(?P<sign_>[/.])(?P<second_>\d{1,2})(?:(?P=sign_)|(?![/.\d]))"
    r"(?=[.,]?[ ]{1,2}(?:[^\W\d_]{1,3} )?(?:[ap]\.? ?m\.? )?\d{1,2}(?:[:h]| h )\d\d)"
)
"""Day and month in front of a clock, without a year."""
_DAY_NAMED: Final = (
    r"(?P<day>\d{1,2})(?:\.|st|nd|rd|th|er)?[ -](?:de )?(?P<month>[^\W\d_]{3,12})\.?"
    r"(?:[ ,-]{1,2}(?:de )?(?P<year>\d{4}|\d{2})(?![\d:.]))?"
)
_MONTH_NAMED: Final = (
    r"(?P<month_>[^\W\d_]{3,12})\.? {1,2}(?P<day_>\d{1,2})(?![\d:.])(?:st|nd|rd|th)?"
    r"(?:,? (?P<year_>\d{4})(?![\d:]))?"
)
_HOUR: Final = (
    r"(?P<hour>\d{1,2})(?:(?:[:.]| ?h ?|[時时시点點] ?)(?P<minute>\d{2})[分분]?"
    r"(?:(?::|(?<!:\d\d)\.| ?)(?P<seconds>\d{2})秒?(?:[.,](?P<fraction>\d{1,9}))?(?!\d)"
    r"|(?<=:\d\d)\.(?P<thousandths>\d{1,3})(?!\d))?(?!\d)"
    r"|(?P<alone> ?(?:h|uhr)(?!\w)|[時时시点點](?!\w)|(?= ?[ap]\.? ?m\b)))"
)
_BEHIND: Final = (
    r"(?: (?:uhr|hrs|น\.|ч\.|gmt|bst|w?est|cest|cet|eest|eet|msk|[ecmp][sd]t|jst|a?e[sd]t)(?!\w))?"
    r"(?P<offset>z(?!\w)| ?[+-]\d\d:?\d\d(?!\d)| utc(?!\w))?"
)
_COLON: Final = re.compile(r"\d{1,2}:")
"""Beginning of what is a clock and no date."""
_BEFORE_BUDDHA: Final = 543
"""Years between the Thai count and the common one."""
_EASTERN: Final = frozenset("오上下午")
_THAI: Final = range(2500, 2700)
_PERSIAN: Final = range(1300, 1500)
_BEFORE_PERSIA: Final = 226_894
"""Days of the common count before the first day of the Persian one."""


class Order(StrEnum):
    """Order of day and month in a date of numbers; a year in front needs none."""

    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"


class Stamp(NamedTuple):
    """Time as it is written: a date, whose order of day and month may be open, a clock, or both."""

    date: tuple[int, int, int] | None = None
    """Year (0 if it is not said), month, day; with `is_open` the year, then both as they are written."""
    is_open: bool = False
    """True if the order of day and month is to be found."""
    clock: timedelta | None = None
    """Time since midnight, or since a recording began; None for a day alone."""
    precision: Precision = Precision.DAY
    numbers: int = 0
    """Number of numbers in the clock: `19:42` has two."""
    is_half: bool = False
    """True if the clock has a word such as `pm`."""
    zone: tzinfo | None = None
    relative: int | None = None
    """Day as a number of days from today, for words such as `yesterday`."""
    is_dotted: bool = False
    """True if dots stand between the numbers of its date, which nobody writes with the month first."""

    def when(self, order: Order, year: int = 0) -> When | None:
        """Time in that order of day and month; `year` serves a date without one.

        None without a day or a clock, or if there is no such day.
        """
        day = self.day(order, year)
        if day is None or self.clock is None:
            return None
        return When((day + self.clock).replace(tzinfo=self.zone), self.precision)

    def day(self, order: Order, year: int = 0) -> datetime | None:
        """Midnight at which the day begins in that order; None without a day, or if there is no such day."""
        if self.date is None:
            return None
        written, first, second = self.date
        month, day = (second, first) if self.is_open and order is Order.DAY_FIRST else (first, second)
        try:
            return datetime(written or year, month, day)  # noqa: DTZ001 - the file's own day
        except ValueError:
            return None

    @property
    def is_day(self) -> bool:
        """True if it is a day of some order."""
        return self.date is None or any(self.day(order, 2000) is not None for order in Order)


def stamp_at(text: str, start: int = 0) -> tuple[Stamp, int] | None:
    """Time that begins at a place of a text, and the place where it ends; None if none begins there.

    The text is one that `plain` returned, without marks of direction.
    """
    shapes = _shapes()
    for number in (1,) if _COLON.match(text, start) else (0, 1):
        found = shapes[number].match(text, start)
        read = _read(number, found.groups()) if found else None
        if found is not None and read is not None:
            stamp, is_day = read
            return (stamp, found.end()) if is_day else None
    return None


@lru_cache(maxsize=4_096)
def _read(number: int, parts: tuple[str | None, ...]) -> tuple[Stamp, bool] | None:
    """Time of the parts that a shape found, and whether it is of some day; None if it is no time.

    Lines of one minute share it.
    """
    stamp = _stamp(dict(zip(_shapes()[number].groupindex, parts, strict=True)))
    return (stamp, stamp.is_day) if stamp else None


@cache
def _shapes() -> tuple[re.Pattern[str], ...]:
    """Shapes of times, made when the first is looked for: a time of a day, and one without a day."""
    words = time_words()
    weekday = rf"\(?(?:{one_of(words.weekdays)})(?!\w)\.?\)?"
    date = (
        rf"(?:{weekday},? {{1,2}})?(?:{_SHORT}|{_NUMBERS}|{_DAY_NAMED}|{_MONTH_NAMED})(?:[,.]? ?{weekday})?"
    )
    at = "|".join(map(re.escape, words.at))
    join = rf"(?:t(?=\d)|/(?=\d\d:)|[.,]? {{0,2}}(?:(?:{at})\.?,? ){{0,2}})"
    halves = one_of(set(words.halves) - {"am", "pm"})
    clock = (
        rf"(?:(?P<early>(?:{halves})\.?|[ap]\.? ?m\.?) ?)?{_HOUR}"
        rf"(?: ?(?P<late>[ap]\.? ?m\.?(?!\w)|(?:{halves})\.?(?= ?(?:$|[\])>,|])| [-\u2013\u2014])))?{_BEHIND}"
    )
    relative = rf"(?P<relative>{'|'.join(map(re.escape, words.relative))})"
    dated = rf"{date}(?:(?<=\S){join}(?<!\d){clock}(?: (?P<last>\d{{4}})(?!\d))?)?"
    undated = rf"(?:(?:{relative}|{weekday}){join}(?<=[\s,]))?{clock}(?:, {date})?"
    return re.compile(dated, re.IGNORECASE), re.compile(undated, re.IGNORECASE)


@lru_cache(maxsize=4_096)
def stamp_of(text: str) -> Stamp | None:
    """Time that a whole text is, in one of the known shapes; None for any other text."""
    known = without_direction(plain(text.strip())).strip()
    found = stamp_at(known)
    return found[0] if found and found[1] == len(known) else None


def reading(text: str, order: Order) -> When | None:
    """Time of a day in one of the known shapes; `order` decides about dates of numbers. None for others."""
    stamp = stamp_of(text)
    return stamp.when(order) if stamp else None


def is_time(text: str) -> bool:
    """True if the text is a time in one of the known shapes, in any order of day and month."""
    return any(reading(text, order) is not None for order in Order)


def order_of(texts: Iterable[str]) -> Order | None:
    """Order of day and month that all times of a file allow; None if that leaves several.

    A number above 12 decides, or else the only order in which the times never run backwards, or dots.
    """
    return order_of_stamps([stamp for text in texts if (stamp := stamp_of(text))])


def order_of_stamps(stamps: Iterable[Stamp]) -> Order | None:
    """Order of day and month that all times of a file allow, as `order_of` finds it."""
    found = [stamp for stamp in stamps if stamp.date is not None]
    orders = [Order.MONTH_FIRST, Order.DAY_FIRST]
    possible = [order for order in orders if all(stamp.day(order, 2000) is not None for stamp in found)]
    if len(possible) != 1:
        possible = [order for order in possible if not _backwards(found, order)] or possible
    readings = {tuple(_moment(stamp, order) for stamp in found) for order in possible}
    if len(readings) > 1 and all(stamp.is_dotted for stamp in found if stamp.is_open):
        return Order.DAY_FIRST
    return possible[0] if len(readings) == 1 and possible else None


def reader_of(texts: Sequence[str], wanted: Order | None) -> Callable[[str], When | None]:
    """Function that reads the times of a file in the order wanted, or the one that the file tells.

    Where neither decides, it reads only the times that are the same in every order.
    """
    order = wanted or order_of(texts)

    def read(text: str) -> When | None:
        if order is not None:
            return reading(text, order)
        readings = {reading(text, one) for one in (Order.DAY_FIRST, Order.MONTH_FIRST)}
        return readings.pop() if len(readings) == 1 else None

    return read


def _moment(stamp: Stamp, order: Order) -> datetime | None:
    day = stamp.day(order, 2000)
    return day + (stamp.clock or timedelta()) if day else None


def _backwards(stamps: Sequence[Stamp], order: Order) -> bool:
    times = [moment for stamp in stamps if stamp.zone is None and (moment := _moment(stamp, order))]
    return any(later < earlier for earlier, later in pairwise(times))


def _stamp(groups: dict[str, str | None]) -> Stamp | None:
    """Time of a match; None if its numbers are those of no time."""
    date, is_open = _date(groups)
    if date is None and any(groups.get(part) for part in ("first", "first_", "month", "month_")):
        return None
    if groups["hour"] is None:
        return Stamp(date, is_open)
    half = groups["early"] or groups["late"]
    hour, minute, second = (int(groups[part] or 0) for part in ("hour", "minute", "seconds"))
    if minute > 59 or second > 59 or hour > (12 if half else 24 if date else 99):
        return None
    if half:
        hour = hour % 12 + (12 if time_words().is_afternoon(half) else 0)
    fraction = groups["fraction"] or groups["thousandths"] or ""
    parts = 60 if groups["thousandths"] else 1  # behind two numbers, which are minutes and seconds
    precision = (
        Precision.MILLISECOND if fraction else Precision.SECOND if groups["seconds"] else Precision.MINUTE
    )
    return Stamp(
        date,
        is_open,
        timedelta(
            hours=hour, minutes=minute, seconds=second, microseconds=parts * int(fraction[:6].ljust(6, "0"))
        ),
        precision,
        1 + bool(groups["minute"]) + bool(groups["seconds"]),
        bool(half),
        _zone(groups["offset"]),
        time_words().relative[relative.casefold()] if (relative := groups.get("relative")) else None,
        is_open and "." in (groups.get("sign"), groups.get("sign_")),
    )


def _date(groups: dict[str, str | None]) -> tuple[tuple[int, int, int] | None, bool]:
    """Date of a match, and whether the order of its day and month is open."""
    first, second, third = groups.get("first"), groups.get("second"), groups.get("third")
    if first and second and third:
        is_eastern = groups["sign"] in ("年", "년") or (
            len(first) == 2 >= len(third) and bool(groups["end"] or set(groups["early"] or "") & _EASTERN)
        )
        if len(first) > 2 or is_eastern:
            return _common(_year(first), int(second), int(third)), False
        return (_year(third), int(first), int(second)), True
    short = groups.get("first_"), groups.get("second_")
    if short[0] and short[1]:
        return (0, int(short[0]), int(short[1])), True
    month = groups.get("month") or groups.get("month_")
    months = time_words().months
    if not month or month.casefold() not in months:
        return None, False
    year = groups["year"] or groups["year_"] or groups.get("last") or "0"
    return (
        _year(year) if year != "0" else 0,
        months[month.casefold()],
        int(groups["day"] or groups["day_"] or 0),
    ), False


def _common(year: int, month: int, day: int) -> tuple[int, int, int]:
    """Date in the common count; of the years 1300 to 1499, which no chat knows, it is one of Persia's."""
    if year not in _PERSIAN or not 1 <= month <= 12 or not 1 <= day <= 31:
        return year, month, day
    before = 31 * (month - 1) if month < 8 else 186 + 30 * (month - 7)
    found = date.fromordinal(_BEFORE_PERSIA + (365 * (year - 1) + (8 * year + 21) // 33 + before + day))
    return found.year, found.month, found.day


def _year(digits: str) -> int:
    year = int(digits)
    if year in _THAI:
        return year - _BEFORE_BUDDHA
    return year + 2000 if len(digits) <= 2 else year


def _zone(offset: str | None) -> tzinfo | None:
    if not offset:
        return None
    digits = re.sub(r"\D", "", offset)
    if not digits:
        return timezone.utc  # noqa: UP017 - one zone class for every offset
    away = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-away if "-" in offset else away) if away < timedelta(days=1) else None
