"""Reports of a source: units by fate, the balance against a second count, throws, people and fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from retold.journal.refused import Refused
from retold.sources.dice import Rung
from retold.sources.unit import Place, Precision, Reason, Sort, Unit, When

SHOWN: int = 8
"""Number of labels and fields that the printed report names."""


@dataclass
class Tally:
    """Counts that a reader keeps beside its units."""

    fields: Counter[str] = field(default_factory=Counter)
    """Filled fields that are not read, by name."""
    replaced: int = 0
    """Number of characters replaced by U+FFFD."""
    title: str = ""
    """Title that the source has for the game; a proposal for the campaign's."""
    pattern: str = ""
    """Shape of the lines of a text, as an example."""
    game_masters: set[str] = field(default_factory=set)
    """Labels that the source marks as the game master's; a proposal for the answers."""
    characters: dict[str, str] = field(default_factory=dict)
    """Players by the labels of their characters, as the source tells; a proposal for the answers."""
    users: dict[str, str] = field(default_factory=dict)
    """Names of the source's users by their accounts."""
    bots: set[str] = field(default_factory=set)
    """Labels that the source marks as a program's; a proposal for the answers."""
    dates_unclear: bool = False
    """True if the day and the month of the dates cannot be told apart."""
    warnings: list[str] = field(default_factory=list)
    """Sentences for the user, such as that the file is cut off."""

    def count_fields(self, of: str, item: Mapping[str, object], read: Container[str]) -> None:
        """Counts the filled fields of an object that are not among those read."""
        for name, value in item.items():
            if value and name not in read:
                self.fields[f"{of}.{name}"[:80]] += 1

    def warn(self, sentence: str) -> None:
        """Adds a sentence, once."""
        if sentence not in self.warnings:
            self.warnings.append(sentence)

    def join(self, other: Tally) -> None:
        """Adds the counts and sentences of another."""
        self.fields.update(other.fields)
        self.replaced += other.replaced
        self.pattern = other.pattern or self.pattern
        self.title = self.title or other.title
        for name in ("game_masters", "characters", "users", "bots"):
            getattr(self, name).update(getattr(other, name))
        self.dates_unclear = self.dates_unclear or other.dates_unclear
        for sentence in other.warnings:
            self.warn(sentence)


@dataclass(frozen=True)
class Unread:
    """Unit that was not understood, for the report's list."""

    stream: str
    place: Place
    raw: str


@dataclass
class Report:
    """Counts over all units of a source."""

    family: str
    streams: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    """Files beside the log that no reader reads."""
    pieces: int = 0
    """Number of lines, or of other pieces, in all units."""
    counted: int = 0
    """Number of pieces by the second counter."""
    read: Counter[Sort] = field(default_factory=Counter)
    left_out: Counter[Reason] = field(default_factory=Counter)
    passed: Counter[Reason] = field(default_factory=Counter)
    """Parts of units that were left out while the rest was read."""
    unread: list[Unread] = field(default_factory=list)
    throws: Counter[Rung] = field(default_factory=Counter)
    differing: int = 0
    """Number of throws whose total is not the sum of their faces."""
    shortened: int = 0
    """Number of units that were too long, so that a part of them is unread."""
    hidden: int = 0
    edited: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    """Number of read units by speaker."""
    channels: Counter[str] = field(default_factory=Counter)
    without_hour: int = 0
    """Number of units whose only time is that since a recording began."""
    without_day: int = 0
    """Number of units with an hour in a log that never says the day."""
    files_without_day: set[str] = field(default_factory=set)
    ran_back: int = 0
    """Number of units with a time before that of one above them in their file."""
    hidden_in: Counter[str] = field(default_factory=Counter)
    """Number of hidden units by channel."""
    instants: int = 0
    """Number of units whose time has an offset."""
    local_days: int = 0
    """Number of units of which the local day alone is known."""
    local_hours: int = 0
    """Number of units whose time is local, with its hour."""
    first: When | None = None
    last: When | None = None
    tally: Tally = field(default_factory=Tally)
    _clocks: tuple[datetime, datetime] | None = None
    """Local times of the first and the last."""

    @property
    def units(self) -> int:
        """Number of units: read, unread and left out."""
        return self.read.total() + len(self.unread) + self.left_out.total()

    @property
    def needs_zone(self) -> bool:
        """True if local times cannot be recorded, or not be ordered among others, without their time zone."""
        return bool(self.local_hours or (self.local_days and self.instants))

    @property
    def hidden_channels(self) -> list[str]:
        """Channels in which every unit is hidden, as the tabs of single players are."""
        return [
            channel
            for channel, number in self.channels.items()
            if channel and self.hidden_in[channel] == number
        ]

    def join(self, read: Report) -> None:
        """Takes over what a reading of the source counted beside its units."""
        self.streams += read.streams
        self.counted += read.counted
        self.tally.join(read.tally)

    def add(self, unit: Unit, stream: str) -> None:
        """Counts one unit of a stream."""
        self.pieces += unit.pieces
        if unit.left_out is not None:
            self.left_out[unit.left_out] += 1
            return
        if unit.unread:
            self.unread.append(Unread(stream, unit.place, unit.raw))
        else:
            self.read[unit.sort] += 1
        self.passed.update(unit.passed)
        self.throws.update(throw.rung for throw in unit.throws)
        self.differing += sum(throw.difference != 0 for throw in unit.throws)
        self.shortened += unit.is_read and bool(unit.raw)
        self.hidden += unit.hidden
        self.edited += unit.edited
        self.without_hour += unit.clock is not None and unit.when is None
        if unit.undated is not None and unit.when is None:
            self.without_day += 1
            self.files_without_day.add(stream)
        if unit.speaker:
            self.labels[unit.speaker] += 1
        self.channels[unit.channel] += 1
        self.hidden_in[unit.channel] += unit.hidden
        self._see(unit.when)

    def _see(self, when: When | None) -> None:
        if when is None:
            return
        self.instants += when.is_instant
        self.local_days += not when.is_instant and when.precision is Precision.DAY
        self.local_hours += not when.is_instant and when.precision is not Precision.DAY
        clock = _clock(when)
        earliest, latest = self._clocks or (clock, clock)
        self.first = when if self.first is None or clock < earliest else self.first
        self.last = when if self.last is None or clock > latest else self.last
        self._clocks = min(clock, earliest), max(clock, latest)

    def as_json(self) -> dict[str, object]:
        """Report as plain values, the same for the same source."""
        return {
            "family": self.family,
            "streams": self.streams,
            "ignored": self.ignored,
            "units": self.units,
            "pieces": self.pieces,
            "counted": self.counted,
            "read": _sorted(self.read),
            "left out": _sorted(self.left_out),
            "parts left out": _sorted(self.passed),
            "unread": [
                {"file": unit.stream, "place": str(unit.place), "words": unit.raw} for unit in self.unread
            ],
            "throws": {rung.value: self.throws[rung] for rung in Rung},
            "totals that differ": self.differing,
            "shortened": self.shortened,
            "hidden": self.hidden,
            "edited": self.edited,
            "speakers": dict(self.labels.most_common()),
            "channels": dict(self.channels.most_common()),
            "first": self.first.time.isoformat() if self.first else None,
            "last": self.last.time.isoformat() if self.last else None,
            "pattern": self.tally.pattern,
            "fields not read": _sorted(self.tally.fields),
            "characters replaced": self.tally.replaced,
            "warnings": self.tally.warnings,
        }

    def check_told(self) -> None:
        """Raises Refused, with the reason, if all units are left out."""
        if self.read or self.unread or not self.left_out:
            return
        reasons = ", ".join(f"{reason.value} {number:,}" for reason, number in self.left_out.most_common())
        why = self.why_blank or "See the answers: they may skip all of it."
        raise Refused(
            f"Nothing in {' and '.join(self.streams)} can be told: all is left out ({reasons}). {why}"
        )

    @property
    def why_blank(self) -> str:
        """Why most units have no words, and the way to have them; empty if most have some."""
        if self.left_out[Reason.EMPTY] * 2 <= self.units:
            return ""
        return (
            "The account that exported the log may not read the words (a bot of Discord needs the intent"
            " “message content”): export it again with one that may."
        )

    def lines(self) -> Iterator[str]:
        """Report for the console, one sentence or count on a line."""
        tally, first = self.tally, written(self.first) if self.first else ""
        last = written(self.last) if self.last else ""
        rungs = ", ".join(f"{self.throws[rung]:,} {RUNGS[rung]}" for rung in Rung)
        masters = ", ".join(sorted(tally.game_masters))
        yield f"{counted(self.units, 'unit')} in {counted(len(self.streams), 'file')} ({self.family})."
        yield f"Read: {self.read.total():,}{_listed(self.read)}."
        yield f"Unread: {len(self.unread):,}."
        yield f"Left out: {self.left_out.total():,}{_listed(self.left_out)}."
        yield from told(
            (self.passed, f"Left out of what is read: {self.passed.total():,}{_listed(self.passed)}."),
            (self.why_blank, self.why_blank),
            (self.shortened, f"Too long, so that their ends are unread: {counted(self.shortened, 'unit')}."),
            (self.throws, f"Throws: {self.throws.total():,} ({rungs})."),
            (self.differing, f"Throws whose total is not the sum of their faces: {self.differing:,}."),
            (self.labels, f"Speakers: {_named(self.labels)}."),
            (masters, f"Game master, as the source says: {masters}."),
            (first, f"Of {first}." if first == last else f"From {first} to {last}."),
        )
        yield from self.lines_on_hours()
        yield from told(
            (tally.pattern, f"Lines are read as {tally.pattern}."),
            (tally.fields, f"Fields not read: {_named(tally.fields)}."),
            (tally.replaced, f"Characters that no text can hold, replaced by U+FFFD: {tally.replaced:,}."),
            (self.ignored, f"Files not read: {counted(len(self.ignored), 'file')}."),
        )
        yield from tally.warnings

    def lines_on_hours(self) -> Iterator[str]:
        """Sentences on hours that cannot be taken as they stand."""
        return told(
            (
                self.without_day,
                f"Hours that are not kept, for the log never says the day: {self.without_day:,}.",
            ),
            (self.ran_back, f"Times that run back, where the order of the file is kept: {self.ran_back:,}."),
        )


def told(*sentences: tuple[object, str]) -> Iterator[str]:
    """Sentences behind a count or a text that is not empty."""
    return (sentence for what, sentence in sentences if what)


RUNGS = {Rung.FACES: "with faces", Rung.TOTAL: "with a total", Rung.WORDS: "in words"}


def _clock(when: When) -> datetime:
    """Local time of a unit, which orders the units of one source."""
    offset = when.time.utcoffset()
    return when.time if offset is None else when.time.replace(tzinfo=None) - offset


def _sorted(counts: Counter[str] | Counter[Sort] | Counter[Reason]) -> dict[str, int]:
    return {str(name): counts[name] for name in sorted(counts)}  # type: ignore[index]


def counted(number: int, noun: str) -> str:
    """Number with its noun, such as `1 file` or `2 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _listed(counts: Counter[Sort] | Counter[Reason]) -> str:
    if not counts:
        return ""
    return " (" + ", ".join(f"{number:,} {name}" for name, number in _sorted(counts).items()) + ")"


def _named(counts: Counter[str]) -> str:
    names = [f"{name} {number:,}" for name, number in counts.most_common(SHOWN)]
    more = len(counts) - SHOWN
    return ", ".join(names) + (f" and {more:,} more" if more > 0 else "")


def written(when: When) -> str:
    """Day of a time, with its minute if the source gives one."""
    return f"{when.time:%Y-%m-%d}" if when.precision is Precision.DAY else f"{when.time:%Y-%m-%d %H:%M}"
