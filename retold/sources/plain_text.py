"""Logs in lines of text: `Name: words`, IRC, WhatsApp, and whatever pattern the user names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from typing import Final

from journal.refused import Refused
from retold.sources.chat_marks import of_whatsapp
from retold.sources.conventions import sorted_words
from retold.sources.dice import generic
from retold.sources.dice.throw import MOST_WORDS
from retold.sources.encodings import keepable, with_line_feeds
from retold.sources.keys import Ordinals
from retold.sources.opening import Hints, Stream
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness
from retold.sources.times import MONTHS, is_time, reader_of
from retold.sources.unit import Place, Precision, Reason, Sort, Unit, When

SPEAKS: Final = 3
"""Number of lines that a name has to stand in front of before it is a speaker."""
MOST_TRIED: Final = 2_000
"""Length of the part of a line that a pattern sees, in characters; the rest is words."""
_NAME: Final = r"(?P<name>[^\s:<>\[\]*][^:<>\n]{0,59}?)"
_CLOCK: Final = r"(?P<clock>\d{1,2}:\d\d(?::\d\d)?)"
_DATE: Final = r"(?P<time>[\d/.-]{6,10}[.,]? [\d:.]{4,8}(?:[ \u202f\u00a0]?[APap]\.?[Mm]\.?)?)"
_HEADING: Final = re.compile(r"#{1,6} +(?P<words>.+?)[ #]*")
_SUBTITLED: Final = re.compile(r"(?:\d{1,9}\s{1,8})?\d{1,4}:\d\d:\d\d[,.]\d{1,3} {0,8}-->")
"""Beginning of subtitles, whose words may have any shape."""
_NO_SPEAKERS: Final = frozenset(
    {"note", "hp", "http", "https", "ps", "time", "date", "dice", "total", "result"}
)


@dataclass(frozen=True)
class Pattern:
    """Shape of the lines of one kind of log."""

    example: str
    """How a line looks, for the user."""
    said: re.Pattern[str]
    told: re.Pattern[str] | None = None
    """Shape of an emote."""
    notice: re.Pattern[str] | None = None
    day: re.Pattern[str] | None = None
    """Shape of a line that begins a day."""
    is_sure: bool = False
    """True if lines of this shape are of nothing else."""
    ends: bool = False
    """True if a speech ends at a blank line, and prose stands between speeches."""


PATTERNS: Final = (
    Pattern(
        "[19:42] <Name> words",
        re.compile(rf"\[?{_CLOCK}\]? <[ @+%&~]?(?P<name>[^<>\n]{{1,60}})> ?(?P<words>.*)"),
        re.compile(rf"\[?{_CLOCK}\]? +\* (?P<name>\S{{1,60}}) (?P<words>.+)"),
        re.compile(rf"\[?{_CLOCK}\]? (?:-!-|\*\*\*|-->|<--|---|-[^- ]+-) ?(?P<words>.*)"),
        re.compile(
            r"--- (?:Log opened|Day changed) \w{3} (?P<month>\w{3}) (?P<day>\d\d) (?:[\d:]{8} )?"
            r"(?P<year>\d{4})|--- Log closed.*"
        ),
        is_sure=True,
    ),
    Pattern(
        "3/1/26, 19:42 - Name: words",
        re.compile(rf"\u200e?{_DATE} - (?P<name>[^:\n]{{1,80}}): (?P<words>.*)"),
        None,
        re.compile(rf"\u200e?{_DATE} - (?P<words>.*)"),
        is_sure=True,
    ),
    Pattern(
        "[3/1/26, 19:42:10] Name: words",
        re.compile(r"\u200e?\[(?P<time>[^\]\n]{10,30})\] (?P<name>[^:\n]{1,80}): (?P<words>.*)"),
        None,
        re.compile(r"\u200e?\[(?P<time>[^\]\n]{10,30})\] (?P<words>.*)"),
        is_sure=True,
    ),
    Pattern(
        "Name, [01.03.2026 19:42]",
        re.compile(r"(?P<name>[^\n,]{1,60}), \[(?P<time>[^\]\n]{10,30})\](?P<words>)"),
        is_sure=True,
    ),
    Pattern("2026-03-01 19:42 Name: words", re.compile(rf"{_DATE}[ ,-]{{1,3}}{_NAME}: +(?P<words>.+)")),
    Pattern(
        "<Name> words",
        re.compile(r"<[ @+%&~]?(?!\d{4}-\d\d-\d\d )(?P<name>[^<>\n/]{1,60})> ?(?P<words>.*)"),
        re.compile(r"\* (?P<name>\S{1,60}) (?P<words>.+)"),
        re.compile(r"(?:-!-|\*\*\*|-->|<--) ?(?P<words>.*)"),
        is_sure=True,
    ),
    Pattern(
        "NAME, and words below",
        re.compile(r"(?P<name>[^\W\d_a-z][^a-z\n:.]{1,40})[.:]?(?P<words>)"),
        ends=True,
    ),
    Pattern("**Name:** words", re.compile(r"\*\*(?P<name>[^*:\n]{1,60}):?\*\*:? +(?P<words>.+)")),
    Pattern("19:42 Name: words", re.compile(rf"\[?{_CLOCK}\]? +{_NAME}: +(?P<words>.+)")),
    Pattern("Name: words", re.compile(rf"{_NAME}: +(?P<words>.+)")),
)


@dataclass(slots=True)
class _Found:
    """Unit that is being put together from lines."""

    first: int
    last: int
    sort: Sort | None
    """None for lines before the first speaker."""
    name: str
    lines: list[str]
    stamp: str = ""
    clock: str = ""
    day: date | None = None
    pieces: int = 1


def look(head: Head) -> Likeness:
    """Likeness to a log in lines: surely for the shapes of IRC and WhatsApp, otherwise perhaps."""
    start = head.text.lstrip("\ufeff \n\r\t")
    if "\x00" in start or start.startswith("{") or (start.startswith("<") and "</" in start):
        return Likeness.NO
    if start.startswith("WEBVTT") or _SUBTITLED.match(start):
        return Likeness.NO
    lines = [line for line in head.text.splitlines()[:2_000] if line.strip()]
    best = _best(lines, Hints())
    if best is None:
        return Likeness.NO
    pattern, number = best
    if pattern.is_sure and number * 2 >= len(lines):
        return Likeness.SURELY
    return Likeness.PERHAPS if number * 5 >= len(lines) else Likeness.NO


def count(stream: Stream) -> int:
    """Number of lines that are not blank."""
    text = with_line_feeds(stream.text)
    return sum(1 for line in text.split("\n") if line.strip())


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a log.

    A line of another shape goes on with the unit above it, or is unread before the first. Raises Refused if
    no pattern fits, or if the user's own is none.
    """
    text = with_line_feeds(keepable(stream.text, tally))
    lines = text.split("\n")
    best = _best(lines, stream.hints)
    if best is None:
        raise Refused(
            f"No line of {stream.name} begins with a name that speaks {SPEAKS} times, such as `Zel: words`;"
            " name the pattern of its lines, or the people."
        )
    pattern = best[0]
    tally.pattern = f"`{pattern.example}`"
    speakers = _speakers(lines, pattern, stream.hints)
    found = list(_found(lines, pattern, speakers))
    stamps = [unit.stamp for unit in found if unit.stamp]
    time_of = reader_of(stamps, stream.hints.dates)
    if stamps and all(time_of(stamp) is None for stamp in stamps):
        tally.dates_unclear = True
        tally.warn(f"The first number of a date in {stream.name} may be the day or the month; say which.")
    ordinals = Ordinals()
    heading = ""
    for unit in found:
        when = time_of(unit.stamp) if unit.stamp else _at(unit.day, unit.clock)
        heading = unit.lines[0] if unit.sort is Sort.SCENE else heading
        read_ = _unit(unit, when, heading, ordinals)
        yield _with_marks(read_) if pattern.example in _WHATSAPP else read_


def _unit(found: _Found, when: When | None, heading: str, ordinals: Ordinals) -> Unit:
    words = "\n".join(found.lines).strip()
    key = ordinals.key(heading, str(found.day or ""), found.stamp or found.clock, found.name, words)
    unit = Unit(
        Place(found.first, found.last),
        key,
        found.sort or Sort.TOLD,
        words,
        when,
        speaker=found.name,
        pieces=found.pieces,
    )
    if found.sort is None:
        return replace(unit, text="", raw=words, unread=True)
    if found.sort is Sort.NOTICE:
        return replace(unit, left_out=Reason.NOTICE)
    if not words:
        return replace(unit, left_out=Reason.EMPTY)
    if found.sort is not Sort.SAID or len(words) > MOST_WORDS:
        return unit
    throws = generic.throws(words)
    if throws:
        rest = words
        for throw in throws:
            rest = rest.replace(throw.words, "", 1)
        sort = Sort.SAID if re.search(r"[^\W\d_]", rest) else Sort.ROLL
        return replace(unit, sort=sort, throws=throws)
    sort, plain = sorted_words(words)
    return replace(unit, sort=sort, text=plain)


_WHATSAPP: Final = ("3/1/26, 19:42 - Name: words", "[3/1/26, 19:42:10] Name: words")
"""Patterns of the logs of WhatsApp, whose marks are its own."""


def _with_marks(unit: Unit) -> Unit:
    if unit.unread or unit.left_out is not None or unit.throws:
        return unit
    text, taken_off = of_whatsapp(unit.text)
    return replace(unit, text=text, passed=unit.passed + (Reason.MARKUP,) * taken_off)


def _found(lines: Sequence[str], pattern: Pattern, speakers: frozenset[str]) -> Iterator[_Found]:
    """Units in their order, each with its continuation lines."""
    current: _Found | None = None
    day: date | None = None
    is_over = False
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            is_over = is_over or pattern.ends
            if current is not None and current.lines:
                current.lines.append("")
            continue
        begun = _begun(line, number, pattern, speakers)
        if begun is None and is_over and current is not None:
            begun = _Found(number, number, Sort.TOLD, "", [line])
        is_over = False
        if begun is None and current is not None and current.sort not in (Sort.NOTICE, Sort.SCENE):
            current.lines.append(line)
            current.last, current.pieces = number, current.pieces + 1
            continue
        if current is not None:
            yield current
        current = begun or _Found(number, number, None, "", [line])
        day = current.day or day
        current.day = day
    if current is not None:
        yield current


def _begun(line: str, number: int, pattern: Pattern, speakers: frozenset[str]) -> _Found | None:
    """Unit that a line begins; None if it goes on with the one above."""
    tried, rest = line[:MOST_TRIED], line[MOST_TRIED:]
    for sort, shape in ((Sort.SAID, pattern.said), (Sort.TOLD, pattern.told)):
        match = shape.fullmatch(tried) if shape else None
        name = (match["name"] or "").strip() if match else ""
        if match and name in speakers and _has_time(match):
            groups = match.groupdict()
            words = (groups.get("words") or "") + rest
            stamp, clock = groups.get("time") or "", groups.get("clock") or ""
            return _Found(number, number, sort, name, [words], stamp, clock)
    day = pattern.day.fullmatch(tried) if pattern.day else None
    if day:
        return _Found(number, number, Sort.NOTICE, "", [line], day=_day(day))
    notice = pattern.notice.fullmatch(tried) if pattern.notice else None
    if notice and _has_time(notice):
        return _Found(number, number, Sort.NOTICE, "", [line], notice.groupdict().get("time") or "")
    heading = _HEADING.fullmatch(tried)
    return _Found(number, number, Sort.SCENE, "", [heading["words"] + rest]) if heading else None


def _best(lines: Sequence[str], hints: Hints) -> tuple[Pattern, int] | None:
    """Pattern that most lines fit, with their number; the user's own if one is named. None if none fits."""
    if hints.pattern:
        known = next((pattern for pattern in PATTERNS if pattern.example == hints.pattern), None)
        return known or _own(hints.pattern), len(lines)
    found = [(pattern, _fitting(lines, pattern, hints)) for pattern in PATTERNS]
    best = max(found, key=lambda choice: choice[1])
    return best if best[1] else None


def check_pattern(text: str) -> str:
    """Returns the user's pattern: a known shape or a regular expression; raises Refused if it is neither."""
    if all(pattern.example != text for pattern in PATTERNS):
        _own(text)
    return text


def _own(pattern: str) -> Pattern:
    try:
        shape = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        raise Refused(f"The pattern {pattern!r} is no regular expression.") from None
    if not {"name", "words"} <= set(shape.groupindex):
        raise Refused(f"The pattern {pattern!r} needs the groups (?P<name>…) and (?P<words>…).")
    return Pattern(pattern, shape)


def _names(lines: Sequence[str], pattern: Pattern) -> Counter[str]:
    """Number of lines for each name at the beginning of lines."""
    names: Counter[str] = Counter()
    for line in lines:
        for shape in (pattern.said, pattern.told):
            match = shape.fullmatch(line[:MOST_TRIED]) if shape else None
            if match and match["name"] and _has_time(match):
                names[match["name"].strip()] += 1
                break
    return names


def _speakers(lines: Sequence[str], pattern: Pattern, hints: Hints) -> frozenset[str]:
    names = _names(lines, pattern)
    if pattern.is_sure or pattern not in PATTERNS:
        return frozenset(names)
    heard = {name for name in names if names[name] >= SPEAKS and name.casefold() not in _NO_SPEAKERS}
    return frozenset(heard | (hints.names & names.keys()))


def _fitting(lines: Sequence[str], pattern: Pattern, hints: Hints) -> int:
    names = _names(lines, pattern)
    return sum(names[name] for name in _speakers(lines, pattern, hints))


def _has_time(match: re.Match[str]) -> bool:
    """True if the line's time is one, where the pattern has a time."""
    return "time" not in match.groupdict() or match["time"] is None or is_time(match["time"])


def _day(found: re.Match[str]) -> date | None:
    month = (found["month"] or "").casefold()
    if month not in MONTHS:
        return None
    try:
        return date(int(found["year"]), MONTHS.index(month) + 1, int(found["day"]))
    except ValueError:
        return None


def _at(day: date | None, clock: str) -> When | None:
    """Time of a clock on a day; None if the log never said the day."""
    if day is None or not clock:
        return None
    hour, minute, second = (*map(int, clock.split(":")), 0)[:3]
    try:
        moment = datetime.combine(day, time(hour, minute, second))
    except ValueError:
        return None
    return When(moment, Precision.SECOND if clock.count(":") > 1 else Precision.MINUTE)
