"""Logs in lines of text: heads of any parts, IRC, phones, meetings, and whatever pattern the user names."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from heapq import merge
from itertools import pairwise
from pathlib import PurePath
from typing import Final, NamedTuple, TypeAlias

from retold.journal.encodings import with_line_feeds
from retold.journal.refused import Refused
from retold.sources.chat_marks import of_whatsapp, with_marks
from retold.sources.comments import without_comments
from retold.sources.conventions import sorted_speech
from retold.sources.dice import Throw
from retold.sources.dice.generic import throws as generic_throws
from retold.sources.dice.throw import MOST_WORDS
from retold.sources.discord import bots
from retold.sources.encodings import keepable, unknown_user
from retold.sources.evenings import LATE, session_of
from retold.sources.heads import (
    MOST_TRIED,
    Form,
    LineHead,
    Mark,
    cleaned,
    day_of,
    form_of,
    is_frame,
    parsed,
    thrown_in,
    time_alone,
)
from retold.sources.keys import Ordinals
from retold.sources.opening import Hints, Stream
from retold.sources.placeholders import OWN, without_edit_marks, without_placeholders
from retold.sources.reporting import Tally
from retold.sources.sniffing import Head, Likeness, beginning
from retold.sources.time_words import DIRECTION
from retold.sources.times import Order, Stamp, order_of_stamps, stamp_of
from retold.sources.unit import NO_DAY, Place, Precision, Reason, Sort, Unit, When

SPEAKS: Final = 3
"""Number of lines that a name without a time has to stand in front of before it is a speaker."""
SPEAKS_AT: Final = 2
"""The same for a name with a time that prose may have too, such as `Mary 19:42`."""
SHAPES: Final = tuple(
    form.example()
    for form in (
        Form(Mark.COLON),
        Form(Mark.BOLD),
        Form(Mark.CAPITALS),
        Form(Mark.ANGLE),
        Form(Mark.ANGLE, "[]", "clock"),
        Form(Mark.COLON, "", "clock"),
        Form(Mark.COLON, "[]", "day"),
        Form(Mark.COLON, "", "day", "-"),
        Form(Mark.AFTER),
        Form(Mark.AFTER, "[]", "", ","),
    )
)
"""Examples of shapes, to be shown: any line with `Name` and `words` in their places is one."""
_OF_WHATSAPP: Final = (Form(Mark.COLON, "", "day", "-"), Form(Mark.COLON, "[]", "day"))
"""Shapes of the logs of WhatsApp, whose marks are its own."""
_BELOW: Final = 12
"""Lines for each head that a log may have whose words stand below the names."""
_LISTED: Final = ("Attendees", "SPEAKERS")
"""Lines above the names of those who speak in a transcript of Google Meet or Otter."""
_ABOVE_A_LIST: Final = (*_LISTED, "SUMMARY KEYWORDS")
_IN_A_RECORDING: Final = timedelta(hours=6)
_AT_ITS_BEGINNING: Final = timedelta(minutes=10)
_HEADING: Final = re.compile(r"#{1,6} +(?P<words>.+?)[ #]*")
_SUBTITLED: Final = re.compile(r"(?:\d{1,9}\s{1,8})?\d{1,4}:\d{1,2}:\d{1,2}[,.]\d{1,3} {0,8}-->")
"""Beginning of subtitles, whose words may have any shape."""
_DAY_IN_NAME: Final = re.compile(r"(?:#.{0,80}?[._-])?(\d{4})[-._]?(\d\d)[-._]?(\d\d)(?!\d)")
_COMMAND: Final = re.compile(r"[.\u3002\uff0e][a-z]{1,8}(?: |$)")
_FORMERLY: Final = (
    re.compile(
        r"\u200e?(?:\[[^\]\n]{10,30}\]|[\d/.-]{6,10}[.,]? [\d:.]{4,8}(?:[ \u202f\u00a0]?[APap]\.?[Mm]\.?)? -)"
        r" (?P<name>[^:\n]{1,80}): (?P<words>.*)"
    ),
    re.compile(r"(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? )?<[ @+%&~]?(?P<name>[^<>\n]{1,60})> ?(?P<words>.*)"),
    re.compile(r"(?:\[?\d{1,2}:\d\d(?::\d\d)?\]? +)?\* (?P<name>\S{1,60}) (?P<words>.+)"),
)
"""Lines of phones and IRC as earlier releases read them, with marks of direction and colours."""
_DAY_CHANGED: Final = re.compile(r"--- (?:Log opened|Day changed) ")
"""Line whose day was part of the keys of earlier releases."""
_TELEPHONE: Final = re.compile(r"(?:~ ?)?\+\d[\d\u00a0 ()-]{6,20}")
"""Name that a phone writes for somebody who is not among its contacts."""
_NO_SPEAKERS: Final = frozenset(
    {
        *(
            "from",
            "sent",
            "type",
            "received",
            "note",
            "http",
            "https",
            "ps",
            "time",
            "date",
            "dice",
            "total",
            "result",
            "round",
            "stakes",
        ),
        *("initiative", "damage", "hp", "mp", "xp", "ac", "dc", "str", "dex", "con", "int", "wis", "cha"),
    }
)
_VALUE: Final = re.compile(r"[\W\d_]{1,40}")
"""Words of a term with its value: `Coin: 3/7`. A name before others has said something."""
Parsed: TypeAlias = Sequence[tuple[LineHead, ...]]
"""Heads of each line."""


@dataclass(slots=True)
class _Found:
    """Unit that is being put together from lines."""

    first: int
    last: int
    sort: Sort | None
    """None for lines before the first speaker."""
    name: str
    lines: list[str]
    stamp: Stamp | None = None
    written: str = ""
    """The time as written there."""
    to: str = ""
    pieces: int = 1


@dataclass(frozen=True)
class _Text:
    """Lines of a file, each with its heads, and the form of its heads."""

    lines: Sequence[str]
    parsed: Parsed
    form: Form
    example: str
    speakers: frozenset[str]
    heads: int
    """Number of lines with a speaker."""

    @property
    def filled(self) -> int:
        """Number of lines that are not blank."""
        return sum(1 for line in self.lines if line.strip())

    @property
    def framed(self) -> int:
        """Number of lines that begin as those of this form do, notices too."""
        frame = (self.form.brackets, self.form.time)
        return sum(any(one.form.is_timed and one.frame == frame for one in heads) for heads in self.parsed)


def look(head: Head) -> Likeness:
    """Likeness to a log in lines: surely for the shapes of IRC, phones and meetings, otherwise perhaps."""
    start = head.text.lstrip("\ufeff \n\r\t")
    if "\x00" in start or start.startswith("{") or (start.startswith("<") and "</" in start):
        return Likeness.NO
    if start.startswith("WEBVTT") or _SUBTITLED.match(start):
        return Likeness.NO
    text = _text(head.text.splitlines()[:2_000], Hints())
    if text is None:
        return Likeness.NO
    if text.form.words_follow and text.form.is_timed:
        is_log = text.heads * _BELOW >= text.filled
        is_sure = text.form.is_sure and text.heads > 1
        return Likeness.SURELY if is_log and (is_sure or _is_transcript(text)) else Likeness(is_log)
    if text.form.is_sure and max(text.heads, text.framed) * 2 >= text.filled:
        return Likeness.SURELY
    return Likeness.PERHAPS if text.heads * 5 >= text.filled else Likeness.NO


def _is_transcript(text: _Text) -> bool:
    """True for paragraphs with a name and a time above each, and no command to a dice bot among them."""
    places = [place for place, heads in enumerate(text.parsed) if _said(heads, text)]
    return (
        text.heads >= SPEAKS
        and all(place == 0 or not text.lines[place - 1].strip() for place in places)
        and not any(_COMMAND.match(line) for line in text.lines)
    )


def count(stream: Stream) -> int:
    """Number of lines that are not blank."""
    return sum(1 for line in with_line_feeds(stream.text).split("\n") if line.strip())


def read(stream: Stream, tally: Tally) -> Iterator[Unit]:
    """Units of a log; comments in a page of Markdown are the game master's.

    A line of another shape goes on with the unit above it, or is unread before the first. Raises Refused if
    no shape fits, or if the user's own is none.
    """
    words = with_line_feeds(keepable(stream.text, tally))
    is_page = stream.name.casefold().endswith(".md")
    lines, comments = without_comments(words) if is_page else (words.split("\n"), [])
    ordinals = Ordinals()
    notes = (
        Unit(
            Place(one.first, one.last),
            ordinals.key("comment", one.raw),
            Sort.NOTE,
            one.words,
            hidden=True,
            pieces=one.pieces,
            left_out=None if one.words else Reason.EMPTY,
        )
        for one in comments
    )
    yield from merge(_units(lines, stream, tally), notes, key=lambda unit: unit.place.first)


def _units(lines: Sequence[str], stream: Stream, tally: Tally) -> Iterator[Unit]:
    text = _text(lines, stream.hints)
    if text is None:
        raise Refused(
            f"No line of {stream.name} begins with a name that speaks {SPEAKS} times, such as `Zel: words`;"
            f" say how its lines look in {PurePath(stream.name).stem}.import.toml beside it, such as"
            r" pattern = '(?P<name>\w+) \| (?P<words>.*)', or who speaks, such as [people.Zel].",
            *beginning(stream.text),
        )
    tally.pattern = f"`{text.example}`"
    found = list(_found(text))
    timing = _Timing(text.form, found, stream.hints.dates, _day_in(stream.name))
    if timing.is_unclear:
        tally.dates_unclear = True
        tally.warn(f"The first number of a date in {stream.name} may be the day or the month; say which.")
    ordinals = Ordinals()
    former_keys = _FormerKeys(text, found)
    heading = session = ""
    has_marks, mark = text.form in _OF_WHATSAPP, text.form.mark
    may_be_phone = mark is not Mark.ANGLE and not timing.is_recording
    for place, one in enumerate(found):
        before = session
        if one.sort is Sort.SCENE:
            heading, session = one.lines[0], session_of(one.lines[0], session)
        unit = replace(_unit(one, timing, heading, ordinals), session=session)
        if _TELEPHONE.fullmatch(unit.speaker) and unit.speaker not in stream.hints.names:
            unit = replace(unit, speaker=unknown_user(unit.speaker))
        unit = unit if session is before else replace(unit, left_out=Reason.FRAME)
        former = former_keys.key(place, timing.marked)
        unit = unit if former == unit.key else replace(unit, former=former)
        if may_be_phone and one.stamp is not None:
            unit = without_placeholders(unit, has_bare_words=mark is Mark.BEFORE)
        yield with_marks(unit, of_whatsapp) if has_marks and not unit.throws else unit


def _unit(found: _Found, timing: _Timing, heading: str, ordinals: Ordinals) -> Unit:
    words = "\n".join(found.lines).strip()
    is_edited = False
    if timing.form.mark is Mark.AFTER:
        words, is_edited = without_edit_marks(words)
    day = timing.day_before(found)
    is_unread = found.sort is None
    sort, text, throws = _sorted(found.sort or Sort.TOLD, words, is_recording=timing.is_recording)
    if timing.form.mark is Mark.DICE and len(words) <= MOST_WORDS:
        thrown, purpose = thrown_in(words)
        throws = tuple(replace(one, text=purpose) for one in generic_throws(thrown))
        sort, text = (Sort.ROLL, "") if throws else (sort, text)
    when, clock, undated = timing.time_of(found)
    name, through = found.name, ""
    if bots.is_known(name) and (of_bot := bots.throws(name, words)):
        asker = bots.MENTION.match(words)
        name, through = ((asker["name"] or asker["bold"] or "").strip() if asker else ""), name
        sort, text, throws = Sort.ROLL, "", of_bot
    return Unit(
        Place(found.first, found.last),
        ordinals.key(heading, day, found.written, found.name, words.removeprefix(OWN)),
        sort,
        "" if is_unread else text,
        when,
        clock,
        undated,
        speaker=name,
        through=through,
        to=(found.to,) if found.to else (),
        hidden=bool(found.to),
        edited=is_edited,
        throws=throws,
        raw=words if is_unread else "",
        pieces=found.pieces,
        unread=is_unread,
        left_out=Reason.NOTICE if sort is Sort.NOTICE else None if words else Reason.EMPTY,
    )


def _sorted(sort: Sort, words: str, *, is_recording: bool) -> tuple[Sort, str, tuple[Throw, ...]]:
    """Kind of a unit by its words, the words without the sign that told it, and the throws among them."""
    if sort not in (Sort.SAID, Sort.TOLD) or not words or len(words) > MOST_WORDS:
        return sort, words, ()
    told, plain, throws = sorted_speech(words)
    if sort is Sort.TOLD and not throws:
        return sort, words, ()
    return Sort.ASIDE if is_recording and told is Sort.SAID and not throws else told, plain, throws


class _FormerKeys:
    """Keys of a log's units as earlier releases made them, in file order.

    They knew fewer lines: one that they took for more words of the unit above has the key of that unit.
    """

    def __init__(self, text: _Text, found: Sequence[_Found]) -> None:
        self._lines, self._found = text.lines, found
        self._is_of_chats = text.form.mark is Mark.ANGLE or text.form in _OF_WHATSAPP
        names = Counter(one.name for one in found)
        is_strict = text.form.mark is Mark.COLON and not self._is_of_chats
        self._below = {name for name in names if names[name] < SPEAKS} if is_strict else set()
        self._ordinals = Ordinals()
        self._heading = self._day = self._last = ""
        self._is_open = False

    def key(self, place: int, day: str) -> str:
        """Key of a unit by its place; `day` is that of the last line that states one."""
        found = self._found[place]
        if self._is_open and self._was_below(found):
            return self._last
        line, name, lines = self._lines[found.first - 1], found.name, list(found.lines)
        if found.sort in (Sort.NOTICE, Sort.SCENE):
            headed = _HEADING.fullmatch(line[:MOST_TRIED])
            if headed:
                lines[0] = self._heading = headed["words"] + line[MOST_TRIED:]
            self._day = day if _DAY_CHANGED.match(line) else self._day
        elif self._is_of_chats and name:
            said = next(filter(None, (shape.fullmatch(line[:MOST_TRIED]) for shape in _FORMERLY)), None)
            if said:
                name, lines[:1] = said["name"].strip(), [said["words"] + line[MOST_TRIED:]]
        self._is_open = not self._is_of_chats and not line.startswith(_ENDED)
        while self._is_open and (place := place + 1) < len(self._found):
            if not self._was_below(self._found[place]):
                break
            below = self._found[place]
            lines += [self._lines[below.first - 1], *below.lines[1:]]
        words = "\n".join(lines).strip()
        self._last = self._ordinals.key(self._heading, self._day, found.written, name, words)
        return self._last

    def _was_below(self, found: _Found) -> bool:
        """True if earlier releases took a unit for more words of the one above."""
        if self._lines[found.first - 1].startswith(_ENDED):
            return False
        return found.name in self._below or (not found.name and found.sort in (Sort.NOTICE, Sort.TOLD))


_ENDED: Final = ("#", "--- ")
"""Beginnings of lines that nothing went on with."""


# --- Lines ---


def _found(text: _Text) -> Iterator[_Found]:
    """Units in their order, each with its continuation lines."""
    current: _Found | None = None
    ends = text.form.mark is Mark.CAPITALS
    is_over = is_behind_blank = False
    skipped = 0
    for number, line in enumerate(text.lines, start=1):
        if number <= skipped:
            continue
        if not line.strip():
            is_over, is_behind_blank = is_over or ends, True
            if current is not None and current.lines:
                current.lines.append("")
            continue
        begun = _begun(text, number, is_behind_blank=is_behind_blank or number == 1)
        if begun is None and is_over and current is not None:
            begun = _Found(number, number, Sort.TOLD, "", [line])
        is_over = is_behind_blank = False
        is_of_page = begun is None and current is not None and _is_of_page(line, text.form, current.lines)
        if (
            begun is None
            and current is not None
            and (is_of_page or current.sort not in (Sort.NOTICE, Sort.SCENE))
        ):
            if not is_of_page:
                current.lines.append(line.removeprefix("|   ") if text.form.gap == "@" else line)
            current.last, current.pieces = number, current.pieces + 1
            continue
        if current is not None:
            yield current
        current = begun or _Found(number, number, None, "", [line])
        skipped = current.last
    if current is not None:
        yield current


def _is_of_page(line: str, form: Form, above: list[str]) -> bool:
    """True if a line among words copied out of Discord or Slack is the page's own.

    Such as the hour of the next message, or the number of a reaction, whose picture is taken from `above`.
    """
    if form.mark is not Mark.DICE and form.gap not in ("\u2014", "below", "#", "\u00bb"):
        return False
    if line.strip().isdecimal() and above and _PICTURE.fullmatch(above[-1].strip()):
        above.pop()
        return True
    alone = time_alone(cleaned(line))
    is_hour = alone is not None and (bool(alone[0].brackets) or form.gap in ("below", ""))
    is_of_forum = form.gap in ("#", "\u00bb", "") and _OF_FORUM.fullmatch(line.strip()) is not None
    return is_hour or is_of_forum or line.strip() in ("(edited)", "NEW", "Image")


_OF_FORUM: Final = re.compile(
    r"just now|.{1,20} ago|Rolled with .{1,80}|Top|Quote|Reply|Like|Report|Attachments|Re: .{1,150}"
    r"|Reactions: ?.{1,150}|Last edited(?: by .{1,60})?: .{4,60}"
)
"""Line of a forum's page below a post, or its subject; or the time below a throw."""
_PICTURE: Final = re.compile(r":[\w+-]{1,32}:|[^\w\s!-/:-@\[-`{-~\u2026\u201c\u201d]{1,8}")
"""Picture of a reaction."""


def _begun(text: _Text, number: int, *, is_behind_blank: bool) -> _Found | None:
    """Unit that a line begins; None if it goes on with the one above."""
    line, heads = text.lines[number - 1], text.parsed[number - 1]
    said = _said(heads, text, is_behind_blank=is_behind_blank)
    if said is not None:
        last = number + said.lines - 1
        words = [_as_written(line, said.words)] if said.words or said.lines == 1 else []
        many = sum(bool(one.strip()) for one in text.lines[number - 1 : last])
        return _Found(number, last, said.sort, said.name, words, said.stamp, said.written, said.to, many)
    return _noticed(text, number) or _headed(line, number)


def _headed(line: str, number: int) -> _Found | None:
    """Scene that a heading in Markdown begins."""
    heading = _HEADING.fullmatch(line[:MOST_TRIED])
    if heading is None:
        return None
    return _Found(number, number, Sort.SCENE, "", [heading["words"] + line[MOST_TRIED:]])


def _noticed(text: _Text, number: int) -> _Found | None:
    """Unit of a line that states a day or begins with a time, and has no speaker; else None."""
    line, form = text.lines[number - 1], text.form
    plain = cleaned(line)
    day = day_of(plain)
    if day is not None or is_frame(plain) or (number > 1 and text.lines[number - 2] in _ABOVE_A_LIST):
        return _Found(number, number, Sort.NOTICE, "", [line], day)
    for head in text.parsed[number - 1]:
        day = day_of(head.words) if head.sort is Sort.NOTICE else None
        if day is not None:
            return _Found(number, number, Sort.NOTICE, "", [line], day)
        if head.sort is Sort.NOTICE and form.mark is Mark.ANGLE and head.form == form:
            return _Found(number, number, Sort.NOTICE, "", [line], head.stamp, head.written)
        if head.form.time and form.time and head.frame == (form.brackets, form.time):
            is_prose = not form.is_sure and bool(head.words)
            sort, words = (Sort.TOLD, _as_written(line, head.words)) if is_prose else (Sort.NOTICE, line)
            return _Found(number, number, sort, "", [words], head.stamp, head.written)
    alone = time_alone(plain)
    if form.is_timed and (form.gap == "below" or alone is None or alone[0].stamp.date is None):
        return None
    return _Found(number, number, Sort.NOTICE, "", [line], alone[0].stamp) if alone else None


def _said(heads: Sequence[LineHead], text: _Text, *, is_behind_blank: bool = False) -> LineHead | None:
    """Head of a line in which a speaker of the text speaks or does something; None if there is none."""
    for head in heads:
        if head.sort is Sort.NOTICE or not head.name:
            continue
        is_emote = head.sort is Sort.TOLD and head.frame == (text.form.brackets, text.form.time)
        if head.form != text.form and not (is_emote and (head.form.time or text.form.mark is Mark.ANGLE)):
            continue
        if is_emote:  # of a speaker whose name has several words
            whole = f"{head.name} {head.words}"
            name = max(
                (one for one in text.speakers if whole.startswith(f"{one} ")), key=len, default=head.name
            )
            head = head._replace(name=name, words=whole[len(name) + 1 :])  # noqa: PLW2901
        is_paragraph = is_behind_blank and text.form.words_follow and text.form.is_timed
        if head.name in text.speakers or is_paragraph or (is_emote and text.form.is_sure):
            return head
    return None


def _as_written(line: str, words: str) -> str:
    """Words at the end of a cleaned line, with the marks of direction that the line itself has among them.

    The mark in front of what a chat writes itself stays.
    """
    if words and line.endswith(f"{OWN}{words}"):
        return f"{OWN}{words}"
    if not words or line.endswith(words):
        return words
    kept = [place for place, sign in enumerate(line) if sign not in DIRECTION]
    start = kept[-len(words)] if len(words) <= len(kept) else 0
    found = line[start:]
    return (OWN if line[start - 1 : start] == OWN else "") + (found if cleaned(found) == words else words)


def _text(lines: Sequence[str], hints: Hints) -> _Text | None:
    """Lines with the form that most heads have, or the user names; None without a speaker."""
    own = None if not hints.pattern or form_of(hints.pattern) else _own(hints.pattern)
    if own is not None:
        heads: Parsed = [tuple(_own_heads(own, line)) for line in lines]
        called = frozenset(head.name for one in heads for head in one)
        return _Text(lines, heads, Form(Mark.OWN), hints.pattern, called, len(lines))
    heads = parsed([cleaned(line) for line in lines])
    listed = [below for line, below in pairwise(lines[:_BELOW]) if line in _LISTED]
    hints = replace(hints, names=hints.names.union(*(line.split(", ") for line in listed)))
    names_of: dict[Form, Counter[str]] = {}
    tellers: dict[Form, set[str]] = {}
    for head in (head for one in heads for head in one):
        if head.name:
            names_of.setdefault(head.form, Counter())[head.name] += 1
            if not (_VALUE.fullmatch(head.words) and any(map(str.isdecimal, head.words))):
                tellers.setdefault(head.form, set()).add(head.name)
    best: _Text | None = None
    wanted = form_of(hints.pattern) if hints.pattern else None
    for form, names in names_of.items():
        if wanted is not None and (form.mark, bool(form.time)) != (wanted.mark, bool(wanted.time)):
            continue
        speakers = _speakers(names, form, hints, tellers.get(form, set()))
        number = sum(names[name] for name in speakers)
        if best is None or (number, form.is_timed) > (best.heads, best.form.is_timed):
            best = _Text(lines, heads, form, form.example(), speakers, number)
    if best is None or not best.heads:
        return None
    first = next(head for one in heads for head in one if head.form == best.form)
    return replace(best, example=best.form.example(first.written))


def _speakers(names: Counter[str], form: Form, hints: Hints, tellers: Collection[str]) -> frozenset[str]:
    """Names that speak often enough, and once more than a number, or that the answers have."""
    if form.is_sure or form == Form(Mark.COLON, "", "clock"):
        return frozenset(names)
    least = SPEAKS_AT if form.is_timed else SPEAKS
    heard = {
        name
        for name in names
        if names[name] >= least and name in tellers and name.casefold() not in _NO_SPEAKERS
    }
    if form.mark is Mark.AFTER and heard:  # the whole line is a name and a time
        heard = set(names)
    return frozenset(heard | (hints.names & names.keys()))


# --- The user's own pattern ---


def check_pattern(text: str) -> str:
    """Returns the user's pattern, an example line or a regular expression; raises Refused for others."""
    if form_of(text) is None:
        _own(text)
    return text


def _own(pattern: str) -> re.Pattern[str]:
    try:
        shape = re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        raise Refused(
            f"The pattern {pattern!r} is neither a line with Name and words in their places nor a regular"
            " expression."
        ) from None
    if not {"name", "words"} <= set(shape.groupindex):
        raise Refused(
            f"The pattern {pattern!r} needs the groups (?P<name>…) and (?P<words>…), or Name and words in"
            " their places."
        )
    return shape


def _own_heads(shape: re.Pattern[str], line: str) -> Iterator[LineHead]:
    found = shape.fullmatch(line[:MOST_TRIED])
    if found is None or not (found["name"] or "").strip():
        return
    written = found.groupdict().get("time")
    stamp = stamp_of(written) if written else None
    if written is None or (stamp is not None and stamp.clock is not None):
        words = (found["words"] or "") + line[MOST_TRIED:]
        yield LineHead(Form(Mark.OWN), Sort.SAID, found["name"].strip(), words, stamp, written or "")


# --- Times ---


def _day_in(name: str) -> date | None:
    """Day that a file's name begins with, or has behind a channel's name, as IRC clients call their logs."""
    found = _DAY_IN_NAME.match(PurePath(name).name)
    try:
        return date(*map(int, found.groups())) if found else None
    except ValueError:
        return None


class _Times(NamedTuple):
    """Time of a unit, as its fields have it."""

    when: When | None = None
    clock: timedelta | None = None
    undated: When | None = None


_LEAP_YEAR: Final = 2000
_DAYS: Final = 366


@dataclass
class _Timing:
    """Times of a file's units, in its order: days as they stand there, and hours that pass midnight."""

    form: Form
    found: Sequence[_Found]
    wanted: Order | None
    named_day: date | None
    """Day in the file's name, which is that of the first line."""
    order: Order | None = None
    is_recording: bool = False
    """True if its clock counts from the beginning of a recording."""
    _day: date | None = None
    marked: str = ""
    """Day of the last line that states one."""
    _days: int = 0
    """Number of days since then, or since the first line."""
    _last: timedelta | None = None
    _relative: int | None = None
    _first: datetime | None = None
    """First day, in a log whose days have no year."""
    _above: Stamp | None = None
    """Time alone in a line above, in a log whose heads have none."""
    _began: When | None = None
    """Time at which a recording began, as a line above its words says."""

    def __post_init__(self) -> None:
        stamps = [one.stamp for one in self.found if one.stamp is not None]
        self.order = self.wanted or order_of_stamps(stamps)
        has_began = (
            bool(self.form.mark is Mark.AFTER and not self.form.brackets and stamps and stamps[0].date)
            and stamps[0].clock is not None
        )
        self.is_recording = self.named_day is None and _counts_from_a_beginning(self.form, stamps[has_began:])
        self._began = self._dated(stamps[0]) if has_began and self.is_recording else None
        self._day = self.named_day

    @property
    def is_unclear(self) -> bool:
        """True if nothing tells the order of day and month in any of its dates."""
        stamps = [one.stamp for one in self.found if one.stamp is not None and one.stamp.is_open]
        dates = {stamp.date for stamp in stamps if stamp.date}
        if len(dates) == 1 and not next(iter(dates))[0]:
            return False  # one day of an unknown year
        return bool(stamps) and self.order is None and all(self._dated(stamp) is None for stamp in stamps)

    def day_before(self, found: _Found) -> str:
        """Day of the last line that states one, as the key of a unit without a date of its own has it."""
        stamp = found.stamp
        if stamp is None or stamp.date is None:
            return self.marked
        if not found.written:  # the line states a day and has no speaker
            self._begin_day(stamp)
            return self.marked
        return ""

    def time_of(self, found: _Found) -> _Times:
        """Time of a unit: of a day, since a recording began, or of an unknown day."""
        stamp = found.stamp
        if not self.form.is_timed and found.sort is Sort.NOTICE and stamp is not None and stamp.date is None:
            self._above = stamp
        stamp = stamp or self._above
        if stamp is None or stamp.clock is None:
            return _Times()
        if self.is_recording:
            elapsed = _elapsed(stamp)
            when = self._began and When(self._began.time + elapsed, Precision.SECOND)
            return _Times() if stamp.date else _Times(when, elapsed)
        if stamp.date is None or (stamp.date[0] == 0 and self._day is None):
            return self._at_hour(stamp)
        return _Times(self._dated(stamp))

    def _at_hour(self, stamp: Stamp) -> _Times:
        clock = stamp.clock or timedelta()
        if clock >= timedelta(days=1):
            return _Times()
        day = stamp.day(self.order or Order.MONTH_FIRST, _LEAP_YEAR)
        if day is not None:
            self._first = self._first or day
            self._days, self._last = (day - self._first).days % _DAYS, None
        elif stamp.relative is not None and self._relative is not None and stamp.relative != self._relative:
            self._days += stamp.relative - self._relative
        elif self._last is not None and clock < self._last - LATE:
            self._days += 1
        self._relative = self._relative if stamp.relative is None else stamp.relative
        self._last = clock
        passed = timedelta(days=self._days) + clock
        if self._day is None:
            return _Times(undated=When(NO_DAY + passed, stamp.precision))
        return _Times(When(datetime.combine(self._day, time()) + passed, stamp.precision))

    def _begin_day(self, stamp: Stamp) -> None:
        midnight = stamp.day(self.order or Order.MONTH_FIRST, 0 if self._day is None else self._day.year)
        if midnight is None or (stamp.is_open and self.order is None):
            return
        self._day, self.marked = midnight.date(), midnight.date().isoformat()
        self._days, self._last = 0, None

    def _dated(self, stamp: Stamp) -> When | None:
        year = self._day.year if self._day is not None else 0
        if self.order is not None:
            return stamp.when(self.order, year)
        readings = {stamp.when(order, year) for order in Order}
        return readings.pop() if len(readings) == 1 else None


def _counts_from_a_beginning(form: Form, stamps: Sequence[Stamp]) -> bool:
    """True if clocks count from the beginning of a recording: they begin early and never run back."""
    clocks = [stamp for stamp in stamps if stamp.clock is not None]
    if not clocks or any(
        stamp.date or stamp.is_half or stamp.zone or stamp.relative is not None for stamp in stamps
    ):
        return False
    times = [_elapsed(stamp) for stamp in clocks]
    if any(later < earlier for earlier, later in pairwise(times)):
        return False
    if any((stamp.clock or timedelta()) >= timedelta(days=1) for stamp in clocks):
        return True
    if form.mark is Mark.AFTER and form.gap in ("", ":", "below"):
        return times[0] < _IN_A_RECORDING
    return form.mark is not Mark.ANGLE and form.brackets != "()" and times[0] < _AT_ITS_BEGINNING


def _elapsed(stamp: Stamp) -> timedelta:
    """Time since a recording began; two numbers are minutes and seconds."""
    clock = stamp.clock or timedelta()
    return clock / 60 if stamp.numbers == 2 else clock
