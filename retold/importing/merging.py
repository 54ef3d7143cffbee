"""Units of several sources in one order: by time, with the session that each belongs to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import PurePath
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from retold.importing.people import Part, People
from retold.journal.names import normalise
from retold.journal.played_time import YEARS
from retold.journal.refused import Refused
from retold.sources import Report, Source, Unit
from retold.sources.answers import Answers, Use, folded_label, is_open, story_channel
from retold.sources.commands import asked_in, may_be_command
from retold.sources.dice import Throw
from retold.sources.discord import bots
from retold.sources.discord.messages import ANSWERED_WITHIN
from retold.sources.encodings import MOST_TEXT
from retold.sources.evenings import (
    START,
    Clock,
    Evening,
    Moment,
    Standing,
    by_room,
    evenings,
    orders,
    rooms,
    rule_of,
)
from retold.sources.opening import Stream
from retold.sources.recording import answered
from retold.sources.unit import Place, Precision, Reason, Sort, When

DEFAULT_RULE: Final = "gap 4h"
_DIGITS: Final = {
    Precision.MILLISECOND: "milliseconds",
    Precision.SECOND: "seconds",
    Precision.MINUTE: "minutes",
}


class Identity(NamedTuple):
    """Identity of a unit: its tool, its channel (if keys are unique only there), its key."""

    family: str
    channel: str
    key: str


@dataclass(eq=False, slots=True)
class Log:
    """One file of a source."""

    number: int
    """Place among all files, from 0."""
    name: str
    digest: str
    family: str
    reader: str
    has_ids: bool
    can_mark: bool
    has_rooms: bool = True
    """True if its channels are places where a story is told."""
    is_timed: bool = False
    beginning: str = ""
    """Key of the first unit, which tells one log without ids from another where units have no time."""
    former_beginning: str = ""
    """The same as earlier releases made it."""
    track: str = ""
    """Name of the track, if it is one of several of a recording."""
    stream: Stream | None = None

    def was_cut_off_at(self, place: Place, digest: str) -> bool:
        """True if a file with that SHA-256 was this one up to somewhere in a unit's lines."""
        if self.stream is None:
            return False
        lines = self.stream.data.splitlines(keepends=True)
        self.stream.release()
        seen = hashlib.sha256(b"".join(lines[: place.first - 1]))
        for byte in b"".join(lines[place.first - 1 : place.last])[:MOST_TEXT]:
            seen.update(bytes((byte,)))
            if seen.hexdigest() == digest:
                return True
        return False


@dataclass(eq=False, slots=True)
class Entry:
    """One unit among those of all sources."""

    unit: Unit
    log: Log
    instant: datetime | None = None
    """Time in UTC, as the source gives it."""
    local: datetime | None = None
    """Local time without an offset."""
    when: str | None = None
    """Time of play as the record keeps it."""
    order: datetime = START
    """Time by which units are merged: never before that of the unit before in its file."""
    evening: int = -1
    """Number of the session it belongs to, from 0."""
    room: str = ""
    """Story channel it is in or belongs to; empty where its session has only one."""

    @property
    def identity(self) -> Identity:
        """Identity of the unit among all imported units."""
        return identity_of(self.unit, self.log)

    @property
    def former_identities(self) -> list[Identity]:
        """Identities under which earlier releases, or other answers, may have recorded the unit."""
        return former_identities_of(self.unit, self.log)

    @property
    def source(self) -> tuple[str, int]:
        """SHA-256 of the file, and the unit's place there."""
        return self.log.digest, self.unit.place.first


def identity_of(unit: Unit, log: Log) -> Identity:
    """Identity of a log's unit, which stays equal in later imports.

    A day that an answer gives is not part of it.
    """
    if log.has_ids:
        return Identity(log.family, "", unit.key)
    is_timed = unit.when is not None and unit.undated is None
    return Identity(log.family, unit.channel if is_timed else f"{unit.channel}\x1f{log.beginning}", unit.key)


def former_identities_of(unit: Unit, log: Log) -> list[Identity]:
    """Identities that a log's unit may have had: by its former key, or from when its day was not known.

    None of another log's unit is among them: without a day the beginning of the log is part of it.
    """
    if log.has_ids:
        return []
    channels = [f"{unit.channel}\x1f{one}" for one in (log.beginning, log.former_beginning)]
    keys = [unit.key, unit.former] if unit.former else [unit.key]
    found = [Identity(log.family, channel, key) for channel in channels for key in keys]
    if unit.former and unit.when is not None and unit.undated is None:
        found.append(Identity(log.family, unit.channel, unit.former))
    own = identity_of(unit, log)
    return [one for one in dict.fromkeys(found) if one != own]


@dataclass
class Merged:
    """Units of all sources in one order, without repeats and left-out units."""

    entries: list[Entry] = field(default_factory=list)
    logs: list[Log] = field(default_factory=list)
    left_out: list[Entry] = field(default_factory=list)
    """Units that are left out, which are not gone all the same."""
    accounts: dict[str, str] = field(default_factory=dict)
    """An account for each label that has one."""
    evenings: list[Evening] = field(default_factory=list)
    is_by_room: bool = False
    """True if a session has several rooms, or each room is a session."""

    @property
    def can_mark(self) -> bool:
        """False if a file cannot tell hidden units from others."""
        return all(log.can_mark for log in self.logs)


def read_all(sources: Sequence[Source], answers: Answers, people: People, report: Report) -> Merged:
    """Reads all units, file by file, and counts them; still without times and sessions.

    Raises Refused if a source is damaged or does not balance.
    """
    merged = Merged()
    seen: set[Identity] = set()
    for source in sources:
        report.ignored += source.ignored
        logs: dict[str, Log] = {}
        given: list[Given] = []
        for stream, reader, unit in source.units(report):
            log = logs.get(stream.name)
            if log is None:
                log = logs[stream.name] = Log(
                    len(merged.logs),
                    stream.name,
                    stream.digest,
                    source.family,
                    reader.name,
                    reader.has_ids,
                    reader.can_mark,
                    reader.has_channels,
                    beginning=unit.key,
                    former_beginning=unit.former or unit.key,
                    track="" if reader.joined is None else PurePath(stream.name).stem,
                    stream=stream,
                )
                merged.logs.append(log)
            log.is_timed = log.is_timed or unit.when is not None
            given.append(Given(log, unit))
        for one in _without_commands(_answered(given, answers, people, report.tally.bots)):
            _add(merged, one, seen, report)
    return merged


class Given(NamedTuple):
    """Unit as its reader returned it, with its file."""

    log: Log
    unit: Unit


def _add(merged: Merged, given: Given, seen: set[Identity], report: Report) -> None:
    """Adds one unit, if it is neither left out nor there already."""
    log, unit = given
    entry = Entry(unit, log)
    identity = entry.identity
    if unit.left_out is None and identity in seen:
        unit = replace(unit, left_out=Reason.REPEAT, unread=False)
    report.add(unit, log.name)
    seen.add(identity)
    if unit.left_out is not None:
        entry.unit = unit
        merged.left_out.append(entry)
        return
    if unit.account and unit.speaker:
        merged.accounts.setdefault(unit.speaker, unit.account)
    merged.entries.append(entry)


def _answered(
    given: Iterable[Given], answers: Answers, people: People, read_bots: Collection[str]
) -> Iterator[Given]:
    """Units as the answers want them: skipped channels left out, sorts changed, answers of bots read.

    `read_bots` are labels of bots whose throws the reader knows.
    """
    waiting: list[Given] = []
    for log, unit in given:
        speaker = people.speaker(unit.speaker, unit.account)
        if unit.left_out is None and (speaker.is_skipped or answers.channels.get(unit.channel) is Use.SKIP):
            unit = replace(unit, left_out=Reason.SKIPPED, unread=False)  # noqa: PLW2901
        elif unit.is_read:
            unit = answered(unit, answers)  # noqa: PLW2901
            sort = answers.kinds.get(unit.channel) or answers.kinds.get(unit.sort.value)
            if sort is not None and unit.sort is not Sort.ROLL:
                unit = replace(unit, sort=sort)  # noqa: PLW2901
            if speaker.is_bot and unit.speaker not in read_bots:
                unit = _of_bot(unit, waiting, people)  # noqa: PLW2901
        while waiting and not (_may_be_asked(waiting[0].unit) and _is_near(waiting[0].unit, unit)):
            yield waiting.pop(0)
        waiting.append(Given(log, unit))
    yield from waiting


def _of_bot(unit: Unit, before: list[Given], people: People) -> Unit:
    """Unit of an unknown bot's answer: a roll of who asked, if the answers know them, or else an aside."""
    command = next(
        (
            place
            for place in range(len(before) - 1, -1, -1)
            if _may_be_asked(before[place].unit)
            and before[place].unit.channel == unit.channel
            and may_be_command(before[place].unit.text)
        ),
        None,
    )
    asked = "" if command is None else asked_in(before[command].unit.text)
    throws = bots.throws(unit.speaker, unit.text, asked=asked)
    if not throws:
        return replace(unit, sort=Sort.ASIDE)
    text = _beside(unit.text, throws)
    mentioned = bots.MENTION.match(unit.text)
    named = (mentioned["name"] or "").strip() if mentioned else ""
    is_known = people.speaker(named).part is not Part.NOBODY
    speaker, account = named if is_known else "", ""
    if command is not None:
        log, sent = before[command]
        if people.speaker(sent.speaker, sent.account).part is not Part.NOBODY:
            speaker, account = sent.speaker, sent.account
            text = "" if folded_label(text).removesuffix(" rolled") == folded_label(speaker) else text
        before[command] = Given(log, replace(sent, left_out=Reason.ANSWERED))
    return replace(
        unit, sort=Sort.ROLL, text=text, throws=throws, speaker=speaker, account=account, through=unit.speaker
    )


def _beside(text: str, throws: Sequence[Throw]) -> str:
    """Words of an answer beside its throws and the name it begins with; empty if the throws say what for."""
    if any(throw.text for throw in throws):
        return ""
    for throw in throws:
        text = text.replace(throw.words, " ").replace(throw.words.translate(_NO_MARKS), " ")
    rest = " ".join(bots.MENTION.sub("", text, count=1).split())
    for throw in throws:
        rest = rest.replace(" ".join(throw.words.split()), " ")
    rest = rest.strip(" .,:;*`_-\u2013\u2014()@")
    return rest if re.search(r"\w", rest) else ""


_NO_MARKS: Final = str.maketrans("", "", "*`")


def _may_be_asked(unit: Unit) -> bool:
    return unit.is_read or unit.left_out is Reason.COMMAND


def _without_commands(given: Iterable[Given]) -> Iterator[Given]:
    """Units of a log; those that begin with the sign of commands that a bot answered in it are left out."""
    all_given = list(given)
    signs = {one.unit.text[:1] for one in all_given if one.unit.left_out is Reason.ANSWERED} & _SIGNS
    begins = re.compile(rf"[{re.escape(''.join(signs))}][a-z]+(?![\w'\u2019]|[.,]\w)") if signs else None
    for log, unit in all_given:
        is_speech = unit.is_read and unit.sort in (Sort.SAID, Sort.TOLD, Sort.ASIDE)
        if begins and is_speech and begins.match(unit.text) and "\n" not in unit.text and not unit.attached:
            yield Given(log, replace(unit, left_out=Reason.COMMAND))
        else:
            yield Given(log, unit)


_SIGNS: Final = frozenset("!/$%?;")
"""Signs of commands; a full stop begins words of speech too."""


def _is_near(earlier: Unit, later: Unit) -> bool:
    """True if `later` follows `earlier` soon enough to answer it."""
    if earlier.when is None or later.when is None or earlier.when.is_instant != later.when.is_instant:
        return later.place.first - earlier.place.last < _NEAR_LINES and earlier.when is later.when
    return timedelta(0) <= later.when.time - earlier.when.time <= ANSWERED_WITHIN


_NEAR_LINES: Final = 4


# --- Time ---


def put_in_order(merged: Merged, answers: Answers) -> int:
    """Gives all units their times, puts them into one order, and cuts it into sessions.

    Returns the number of units whose times run back in their file: there the order of the file wins. A file
    without times comes where it was named. Only public units make sessions; another belongs to the session of
    the one before it. Within a session each room is whole.
    """
    clocks: dict[int, _Times] = {}
    first: dict[int, datetime] = {}
    for entry in merged.entries:
        clocks.setdefault(entry.log.number, _Times(answers.zone)).put(entry)
        if entry.local is not None:
            first.setdefault(entry.log.number, entry.local)
    times, back = orders([(entry.log.number, entry.instant) for entry in merged.entries])
    for entry, time in zip(merged.entries, times, strict=True):
        entry.order = time
    merged.entries.sort(key=lambda entry: entry.order)  # stable: the order named, then that of the file
    rule = rule_of(answers.sessions or DEFAULT_RULE)
    if rule.name == "thread":
        merged.entries = _by_room(merged.entries, answers)
    has_rooms = len({entry.unit.channel for entry in merged.entries}) > 1
    places = [place for place, entry in enumerate(merged.entries) if is_open_to_all(entry, answers)]
    found = evenings([_moment(merged.entries[place], first) for place in places], rule)
    starts = [0, *(places[evening.first] for evening in found[1:]), len(merged.entries)]
    merged.evenings = [
        Evening(start, end - 1, evening.date)
        for evening, (start, end) in zip(found, pairwise(starts), strict=False)
    ]
    for number, evening in enumerate(merged.evenings):
        part = slice(evening.first, evening.last + 1)
        if has_rooms:
            merged.entries[part] = _by_room(merged.entries[part], answers)
        several = len({entry.room for entry in merged.entries[part]}) > 1
        merged.is_by_room = merged.is_by_room or several or rule.name == "thread"
        for entry in merged.entries[part]:
            entry.evening, entry.room = number, entry.room if several else ""
    return back


def _by_room(entries: Sequence[Entry], answers: Answers) -> list[Entry]:
    """Entries with their rooms, each room whole; tabs of a log without times stand as the file has them."""
    standing = [
        Standing(
            story_channel(answers, entry.unit) if entry.log.has_rooms and entry.instant else "",
            entry.unit.speaker,
            is_open_to_all(entry, answers),
        )
        for entry in entries
    ]
    found = rooms(standing)
    for entry, room in zip(entries, found, strict=True):
        entry.room = room
    entered = [room for room, one in zip(found, standing, strict=True) if one.is_open]
    return [entries[place] for place in by_room(found, entered)]


def _moment(entry: Entry, first: Mapping[int, datetime]) -> Moment:
    local = first.get(entry.log.number) if entry.order == START else entry.local
    return Moment(local, entry.room, entry.unit.session)


class _Times:
    """Times of a file's units, in file order."""

    def __init__(self, zone: str) -> None:
        self._zone = ZoneInfo(zone) if zone else None
        self._clock = Clock(zone) if zone else None

    def put(self, entry: Entry) -> None:
        """Gives an entry its times, if its unit has one."""
        when = entry.unit.when
        if when is None or when.time.year not in YEARS:
            return
        if self._clock is not None:
            entry.instant = self._clock.instant(when)
            here = entry.instant.astimezone(self._zone)
        elif when.is_instant:
            here = when.time
            entry.instant = here.astimezone(UTC)
        elif when.precision is Precision.DAY:  # days need no zone
            here = entry.instant = when.time.replace(tzinfo=UTC)
        else:
            return
        entry.local = here.replace(tzinfo=None)
        entry.when = _written(here, when)


def _written(here: datetime, when: When) -> str:
    if when.precision is Precision.DAY:
        return here.date().isoformat()
    written = here.isoformat(timespec=_DIGITS[when.precision])
    return written if here.utcoffset() != timedelta(0) else written[: -len("+00:00")] + "Z"


# --- Two shapes of one evening ---


def check_shapes(merged: Merged) -> None:
    """Raises Refused if two files tell the same evening of one channel in two formats."""
    if len({log.reader for log in merged.logs}) == 1:
        return
    spans: dict[tuple[str, str, str], _Span] = {}
    for entry in merged.entries:
        if entry.instant is None:
            continue
        place = (entry.log.family, entry.log.track or entry.unit.channel, entry.log.reader)
        span = spans.setdefault(place, _Span(entry.log.name, entry.instant, entry.instant))
        span.last = max(span.last, entry.instant)
        span.first = min(span.first, entry.instant)
        if entry.unit.text:
            span.said.add(said_at(entry.instant, entry.unit.text))
    for (family, channel, reader), one in spans.items():
        for (family_beside, channel_beside, reader_beside), other in spans.items():
            if family != family_beside or reader >= reader_beside:
                continue
            overlaps = channel == channel_beside and one.first <= other.last and other.first <= one.last
            if overlaps or is_alike(one.said, other.said):
                raise Refused(
                    f"{one.name} and {other.name} tell the same evening in two formats, and their units"
                    " cannot be matched: take one of them."
                )


@dataclass(slots=True)
class _Span:
    """Period that a file covers in one channel, with its words by minute."""

    name: str
    first: datetime
    last: datetime
    said: set[tuple[str, str]] = field(default_factory=set)


def said_at(instant: datetime | None, text: str) -> tuple[str, str]:
    """Minute and words, by which units of two formats are alike; no words that many people say."""
    words = normalise(text)
    minute = "" if instant is None else instant.strftime("%Y%m%d%H%M")
    return minute, words if len(words) >= _TELLING else ""


def is_alike(some: Collection[tuple[str, str]], there: AbstractSet[tuple[str, str]]) -> bool:
    """True if so many of some words stand among others that both are the same evening."""
    told = {one for one in some if one[1]}
    alike = len(told & there)
    return alike >= _LEAST_ALIKE and alike >= _SHARE_ALIKE * len(told)


_TELLING: Final = 8
_LEAST_ALIKE: Final = 3
_SHARE_ALIKE: Final = 0.2


def is_open_to_all(entry: Entry, answers: Answers) -> bool:
    """True if a unit is public."""
    return is_open(answers, entry.unit, can_mark=entry.log.can_mark)
