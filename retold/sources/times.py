"""Times that tools write for people, whose order of day and month the whole file tells."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from enum import StrEnum
from itertools import pairwise
from typing import Final

from retold.sources.unit import Precision, When

MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_BLANK: Final = "[ \u00a0\u202f]"
_CLOCK: Final = (
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d{2})(?:[:.](?P<second>\d{2}))?"
    rf"(?:{_BLANK}?(?P<half>[AaPp])\.?{_BLANK}?[Mm]\.?)?"
)
_NUMBERS: Final = re.compile(
    rf"(?P<first>\d{{1,4}})(?P<sign>[/.-]){_BLANK}?(?P<second_part>\d{{1,2}})(?P=sign){_BLANK}?(?P<third>\d{{1,4}})"
    rf"[.,]?{_BLANK}+(?:at{_BLANK})?{_CLOCK}"
)
_NAMED: Final = re.compile(
    rf"(?P<day>\d{{1,2}})-(?P<month>[A-Za-z]{{3}})-(?P<year>\d{{2,4}}){_BLANK}+{_CLOCK}"
)
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?")


class Order(StrEnum):
    """Order of day and month in a date of numbers; a year in front needs none."""

    DAY_FIRST = "day first"
    MONTH_FIRST = "month first"


def reading(text: str, order: Order) -> When | None:
    """Time in one of the known shapes; `order` decides about dates of numbers. None for any other text."""
    text = text.strip()
    if _ISO.fullmatch(text):
        return _iso(text)
    numbers = _NUMBERS.fullmatch(text)
    if numbers:
        first, second, third = (int(numbers[part]) for part in ("first", "second_part", "third"))
        if len(numbers["first"]) == 4:
            return _made(numbers, first, second, third)
        day, month = (first, second) if order is Order.DAY_FIRST else (second, first)
        return _made(numbers, _year(third), month, day)
    named = _NAMED.fullmatch(text)
    if named and named["month"].casefold() in MONTHS:
        month = MONTHS.index(named["month"].casefold()) + 1
        return _made(named, _year(int(named["year"])), month, int(named["day"]))
    return None


def is_time(text: str) -> bool:
    """True if the text is a time in one of the known shapes, in any order of day and month."""
    return any(reading(text, order) is not None for order in Order)


def order_of(texts: Iterable[str]) -> Order | None:
    """Order of day and month that all times of a file allow; None if that leaves several.

    A number above 12 decides, or else the only order in which the times never run backwards.
    """
    found = list(texts)
    orders = [Order.MONTH_FIRST, Order.DAY_FIRST]
    possible = [order for order in orders if _fits(found, order)]
    if len(possible) != 1:
        forwards = [order for order in possible if not _backwards(found, order)]
        possible = forwards or possible
    readings = {tuple(reading(text, order) for text in found) for order in possible}
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


def _fits(texts: Sequence[str], order: Order) -> bool:
    return all(reading(text, order) is not None for text in texts if is_time(text))


def _backwards(texts: Sequence[str], order: Order) -> bool:
    times = [when.time for text in texts if (when := reading(text, order)) and not when.is_instant]
    return any(later < earlier for earlier, later in pairwise(times))


def _iso(text: str) -> When | None:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    precise = Precision.MILLISECOND if "." in text else Precision.SECOND
    return When(time, precise if text.count(":") > 1 else Precision.MINUTE)


def _year(number: int) -> int:
    return number + 2000 if number < 100 else number


def _made(found: re.Match[str], year: int, month: int, day: int) -> When | None:
    hour = int(found["hour"])
    if found["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if found["half"] in "Pp" else 0)
    try:
        time = datetime(year, month, day, hour, int(found["minute"]), int(found["second"] or 0))  # noqa: DTZ001
    except ValueError:
        return None
    return When(time, Precision.SECOND if found["second"] else Precision.MINUTE)
