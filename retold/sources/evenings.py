"""Evenings: where the sessions of a log begin and end, and which instant a local time is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo
from itertools import pairwise
from statistics import median_high
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from retold.journal.refused import Refused
from retold.sources.unit import When

GAP: Final = timedelta(hours=4)
"""Silence after which a new session begins, unless the answers say otherwise."""
BY_POST: Final = timedelta(days=1)
"""Time between most messages from which a log is play by post."""
START: Final = datetime(1, 1, 1, tzinfo=UTC)
"""Time of units before the first that has a time."""
LATE: Final = timedelta(minutes=1)
"""Time by which the clock of a log may run back."""
NUMBER: Final = re.compile(
    r"\A(?:session|sitzung|spielabend|séance|sesión|sessione|sessão|sesja|sessie|сессия|セッション)"
    r"(?:\s*#?\d{1,4}|\Z)?",
    re.IGNORECASE,
)
"""Beginning of a session's heading, with its number."""
HOW: Final = 'write "gap 4h", "gap 4h least 10", "day", "week", "thread", "one" or "at 2026-03-01T19:00"'


class Evening(NamedTuple):
    """One session: places of its first and last unit, counting from 0, and the local day it began on."""

    first: int
    last: int
    date: date | None


@dataclass(frozen=True)
class Rule:
    """Rule by which a log is cut into sessions."""

    name: str
    gap: timedelta = GAP
    least: int = 0
    """Number of units below which an evening belongs to the one before, with the rule `gap`."""
    starts: tuple[datetime, ...] = ()
    """Local times at which a session begins, with the rule `at`."""


class Moment(NamedTuple):
    """Local time of a unit (None if unknown), its room, and the heading of its session."""

    time: datetime | None
    room: str = ""
    session: str = ""


def session_of(heading: str, before: str) -> str:
    """Heading of the session that begins with a heading, such as `Session 3`; `before` for any other."""
    return heading if (found := NUMBER.match(heading)) and found[0][-1:].isdecimal() else before


def rule_of(text: str) -> Rule:
    """Rule written as text. Raises Refused for any other text."""
    name, _, rest = text.strip().partition(" ")
    if name in ("day", "week", "thread", "one") and not rest:
        return Rule(name)
    gap = re.fullmatch(r"(\d{1,3})\s*(h|min)(?:\s+least\s+(\d{1,4}))?", rest.strip())
    if name == "gap" and gap and int(gap[1]):
        silence = timedelta(hours=int(gap[1])) if gap[2] == "h" else timedelta(minutes=int(gap[1]))
        return Rule("gap", silence, int(gap[3] or 0))
    if name == "at" and rest.strip():
        try:
            starts = tuple(
                sorted(datetime.fromisoformat(start) for start in re.split(r"[,\s]+", rest.strip()))
            )
        except (ValueError, TypeError):
            starts = ()
        if starts and all(start.tzinfo is None for start in starts):
            return Rule("at", starts=starts)
    raise Refused(f"There is no rule {text!r} for sessions; {HOW}.")


def evenings(moments: Sequence[Moment], rule: Rule) -> list[Evening]:
    """Sessions of units, in the order given; each unit belongs to exactly one session.

    A unit without a time belongs to the session of the unit before it. Where the source has headings of
    sessions, these decide, unless the rule is `one`, `thread` or `at`.
    """
    if not moments:
        return []
    starts = _large([0, *_starts(moments, rule)], len(moments), rule.least)
    ends = [*starts[1:], len(moments)]
    days = [moment.time.date() if moment.time else None for moment in moments]
    return [
        Evening(start, end - 1, next(filter(None, days[start:end]), None))
        for start, end in zip(starts, ends, strict=True)
    ]


def _large(starts: Sequence[int], end: int, least: int) -> list[int]:
    """Beginnings of evenings, without those of too few units; the first of all stays."""
    sizes = [later - start for start, later in pairwise((*starts, end))]
    return [start for start, size in zip(starts, sizes, strict=True) if size >= least or start == 0]


def is_by_post(moments: Iterable[Moment]) -> bool:
    """True if days pass between most messages of a room, so that a gap of hours makes no sessions."""
    times: dict[str, list[datetime]] = {}
    for moment in moments:
        if moment.time:
            times.setdefault(moment.room, []).append(moment.time)
    gaps = [later - earlier for one in times.values() for earlier, later in pairwise(one)]
    return bool(gaps) and median_high(gaps) >= BY_POST


def orders(units: Sequence[tuple[int, datetime | None]]) -> tuple[list[datetime], int]:
    """Times by which units are merged, and how many units have times that run back in their file.

    A unit is given by the number of its file and its instant, in the order of the files. Within a file none
    comes before another above it. A file without times comes where it was named.
    """
    timed = {file for file, instant in units if instant is not None}
    latest: dict[int, datetime] = {}
    last, found, back = START, [], 0
    for file, instant in units:
        time = latest.get(file, START if file in timed else last)
        if instant is not None:
            back += instant < time - LATE if time > START else 0
            time = max(time, instant)
        latest[file] = time
        last = max(last, time)
        found.append(time)
    return found, back


class Standing(NamedTuple):
    """Place of a unit: its story channel (empty in another), its speaker, and who sees it."""

    channel: str
    speaker: str
    is_open: bool = True
    """True if it is public."""


def rooms(units: Sequence[Standing]) -> list[str]:
    """Rooms of units, which are the story channels and threads.

    Text in another channel is in the room where its speaker was last, or else in that of the unit before it.
    A hidden unit moves no one to another room, and makes none.
    """
    last = next((unit.channel for unit in units if unit.channel and unit.is_open), "")
    entered = {unit.channel for unit in units if unit.is_open}
    of_speaker: dict[str, str] = {}
    found = []
    for channel, speaker, is_open in units:
        known = channel if channel in entered else ""
        room = known or of_speaker.get(speaker) or last
        if known and is_open:
            last = of_speaker[speaker] = room
        found.append(room)
    return found


def by_room(found: Sequence[str], entered: Iterable[str]) -> list[int]:
    """Places of units, given their rooms, so that each room is whole, in the order of `entered`."""
    order = {room: number for number, room in enumerate(dict.fromkeys(entered))}
    return sorted(range(len(found)), key=lambda place: order.get(found[place], 0))


def _starts(moments: Sequence[Moment], rule: Rule) -> Iterator[int]:
    """Places at which a session begins, after the first.

    Where times ran back, one that is later than all before it is compared with the latest of these.
    """
    known = moments[0]
    latest = known.time
    for place, moment in enumerate(moments[1:], start=1):
        if moment.time is None:
            moment = moment._replace(time=known.time)  # noqa: PLW2901 - it takes the time before it
        is_ahead = moment.time is not None and (latest is None or moment.time >= latest)
        if _begins(known._replace(time=latest) if is_ahead else known, moment, rule):
            yield place
        known = moment
        latest = moment.time if is_ahead else latest


def _begins(before: Moment, moment: Moment, rule: Rule) -> bool:
    if rule.name == "thread":
        return before.room != moment.room
    if rule.name in ("one", "at") or not (before.session or moment.session):
        return _is_later(before, moment, rule)
    return bool(before.session) and before.session != moment.session


def _is_later(before: Moment, moment: Moment, rule: Rule) -> bool:
    """True if a session begins between two moments, judged by their times alone."""
    if before.time is None or moment.time is None:
        return before.time is not moment.time and rule.name != "one"
    earlier, later = before.time, moment.time
    if rule.name == "gap":
        return later - earlier >= rule.gap
    if rule.name == "day":
        return later.date() > earlier.date()
    if rule.name == "week":
        return later.isocalendar()[:2] > earlier.isocalendar()[:2]
    return any(earlier < start <= later for start in rule.starts)


class Clock:
    """Local clock of a log: turns times of the source, in its order, into instants and local times."""

    def __init__(self, zone: str) -> None:
        """Raises Refused if there is no such zone."""
        self._zone = zone_of(zone)
        self._latest: datetime | None = None

    def instant(self, when: When) -> datetime:
        """Instant of a time in UTC.

        A local time that happens twice in autumn takes the first reading that does not run backwards; a time
        that spring leaves out is an hour later.
        """
        if when.is_instant:
            return self._seen(when.time.astimezone(UTC))
        first, second = (when.time.replace(tzinfo=self._zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        if first < second and self._latest and first < self._latest <= second:
            return self._seen(second)
        return self._seen(first)

    def local(self, when: When) -> datetime:
        """Local time of a time, without an offset."""
        return self.instant(when).astimezone(self._zone).replace(tzinfo=None)

    def shown(self, instant: datetime | None) -> datetime | None:
        """Local time of an instant, without an offset; None for none."""
        return None if instant is None else instant.astimezone(self._zone).replace(tzinfo=None)

    def _seen(self, instant: datetime) -> datetime:
        self._latest = instant
        return instant


def zone_of(name: str) -> tzinfo:
    """Time zone of an IANA name. Raises Refused if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refused(f"There is no time zone {name!r}; write one such as Europe/Lisbon.") from None
