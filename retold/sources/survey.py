"""Survey of sources before anything is recorded: speakers, number of units, sample words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING, Final

from retold.sources import table
from retold.sources.answers import Answers, Use, folded_label, is_open, story_channel
from retold.sources.discord import bots
from retold.sources.evenings import START, Clock, Moment, Standing, orders, rooms
from retold.sources.languages import Heard
from retold.sources.recording import answered
from retold.sources.reporting import Report
from retold.sources.table_talk import announced
from retold.sources.unit import Sort, Unit

if TYPE_CHECKING:
    from retold.sources import Source

NO_ANSWERS: Final = Answers()
SAMPLES: Final = 2
"""Number of lines that are kept of each speaker."""
TRIED: Final = 10
"""Number of units that are kept to be shown."""
FEW: Final = 3
"""Units up to which a speaker is asked about together with others."""
TOLD_EVERY: Final = 1_000
"""Units between two reports of how far the look is."""


@dataclass
class Speaker:
    """Speaker in a source, identified by the label in front of the words."""

    label: str
    """Label in its most common form; others may differ from it in case or signs."""
    labels: Counter[str] = field(default_factory=Counter)
    accounts: Counter[str] = field(default_factory=Counter)
    units: int = 0
    throws: int = 0
    whispers: int = 0
    """Number of hidden units that were for it, if it never speaks."""
    letters: int = 0
    """Length of everything said or told in character, in characters."""
    samples: list[str] = field(default_factory=list)
    sampled: dict[str, str] = field(default_factory=dict)
    """First words of each account."""

    def add(self, unit: Unit) -> None:
        """Counts a unit of this speaker."""
        self.labels[unit.speaker] += 1
        self.units += 1
        self.throws += len(unit.throws)
        if unit.account:
            self.accounts[unit.account] += 1
        if unit.throws or not unit.text:
            return
        if unit.sort is not Sort.ASIDE:
            self.letters += len(unit.text)
        self.sampled.setdefault(unit.account, unit.text)
        if len(self.samples) < SAMPLES:
            self.samples.append(unit.text)

    @property
    def account(self) -> str:
        """Account with most of its units; empty if the source has none."""
        return self.accounts.most_common(1)[0][0] if self.accounts else ""

    @property
    def is_bot(self) -> bool:
        """True if the label is a known bot's."""
        return bots.is_known(self.label)


@dataclass(frozen=True)
class Known:
    """Person in the campaign's cast."""

    name: str
    player: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cast:
    """People in the campaign, and its game master's name."""

    game_master: str = ""
    """The game master's players."""
    people: tuple[Known, ...] = ()
    has_language: bool = False
    """True if the campaign says in which language its words are."""


@dataclass
class Survey:
    """Result of a first look at sources that are imported together."""

    report: Report
    titles: tuple[str, ...]
    """What the files are, such as `Discord (JSON)`."""
    can_mark: bool
    has_channels: bool = True
    """False if its channels are colours or files."""
    is_solo: bool = False
    """True if such logs are mostly of games without a game master."""
    speakers: dict[str, Speaker] = field(default_factory=dict)
    """By their label as labels are compared, in order of appearance."""
    addressed: Counter[str] = field(default_factory=Counter)
    """Labels of readers of hidden units, with their number."""
    moments: list[Moment] = field(default_factory=list)
    """Public units, in the order in which they would be recorded."""
    first: list[Unit] = field(default_factory=list)
    """First units that are not left out."""
    heard: Heard = field(default_factory=Heard)
    """Public words, for their language."""
    cast: Cast = Cast()
    acts: list[str] = field(default_factory=list)
    """Public words that may announce an act, and that players do not mark as one."""
    headings: dict[str, str] = field(default_factory=dict)
    """Headings of a table's columns by their probable content."""
    all_headings: list[str] = field(default_factory=list)

    def add(self, unit: Unit, *, is_for_all: bool) -> None:
        """Counts a unit that is not left out; `is_for_all` says that it will be public."""
        if len(self.first) < TRIED:
            self.first.append(unit)
        if unit.speaker:
            self.speakers.setdefault(folded_label(unit.speaker), Speaker(unit.speaker)).add(unit)
        if is_for_all and unit.sort is not Sort.ROLL:
            self.heard.add(unit.text)
            if unit.sort is Sort.SAID and announced(unit.text):
                self.acts.append(unit.text)
        if unit.hidden:
            self.addressed.update(unit.to)

    @property
    def by_size(self) -> list[Speaker]:
        """Speakers, those with most units first."""
        return sorted(self.speakers.values(), key=lambda one: -one.units)

    def labels_of(self, account: str) -> list[str]:
        """Labels under which an account speaks."""
        return [one.label for one in self.speakers.values() if account in one.accounts]


def survey_of(report: Report, accounts: Mapping[str, str], *, can_mark: bool, has_channels: bool) -> Survey:
    """Survey made from a report alone, enough to find open questions.

    `accounts` has an account of the source for each label that has one.
    """
    found = Survey(report, (), can_mark, has_channels=has_channels)
    for label, units in report.labels.items():
        heard = found.speakers.setdefault(folded_label(label), Speaker(label))
        heard.units += units
        if label in accounts:
            heard.accounts[accounts[label]] += units
    return found


def survey(
    sources: Sequence[Source],
    answers: Answers = NO_ANSWERS,
    *,
    tell: Callable[[int, None], None] | None = None,
) -> Survey:
    """Reads all sources once and returns their survey; raises Refused as reading does.

    Local times are in UTC where `answers` have no zone; `tell` gets the number of units read so far.
    """
    readers = {reader.name: reader for source in sources for _, reader in source.files}
    families = tuple(dict.fromkeys(source.family for source in sources))
    found = Survey(
        Report(", ".join(families), ignored=[name for source in sources for name in source.ignored]),
        tuple(reader.title for reader in readers.values()),
        all(reader.can_mark for reader in readers.values()),
        has_channels=any(reader.has_channels for reader in readers.values()),
        is_solo=all(reader.is_solo for reader in readers.values()),
    )
    for source in sources:
        for stream, reader in source.files:
            if reader.name == "table":
                found.all_headings = table.headings(stream)
                found.headings = table.proposed(found.all_headings)
    timing = _Timing(answers)
    units = chain.from_iterable(source.units(found.report) for source in sources)
    for number, (stream, reader, unit) in enumerate(units, start=1):
        one = answered(unit, answers)
        found.report.add(one, stream.name)
        if tell is not None and number % TOLD_EVERY == 0:
            tell(number, None)
        if one.left_out is None:
            is_taken = answers.channels.get(one.channel) is not Use.SKIP
            found.add(one, is_for_all=is_taken and is_open(answers, one, can_mark=reader.can_mark))
            timing.add(stream.name, one, can_mark=reader.can_mark, has_rooms=reader.has_channels)
    found.moments, found.report.ran_back = timing.moments()
    for speaker in found.speakers.values():
        speaker.label = speaker.labels.most_common(1)[0][0]
    return found


class _Timing:
    """Times and rooms of units, for the order in which they would be recorded."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._files: dict[str, tuple[int, Clock]] = {}
        self._times: list[tuple[int, datetime | None]] = []
        self._units: list[tuple[datetime | None, Standing, str]] = []
        """Local time, place, and heading of the session."""

    def add(self, file: str, unit: Unit, *, can_mark: bool, has_rooms: bool) -> None:
        """Adds the next unit of a file, unless its channel is skipped."""
        if self._answers.channels.get(unit.channel) is Use.SKIP:
            return
        if file not in self._files:
            self._files[file] = len(self._files), Clock(self._answers.zone or "UTC")
        number, clock = self._files[file]
        instant = clock.instant(unit.when) if unit.when else None
        channel = story_channel(self._answers, unit) if has_rooms and instant else ""
        is_for_all = is_open(self._answers, unit, can_mark=can_mark)
        self._times.append((number, instant))
        standing = Standing(channel, unit.speaker, is_for_all)
        self._units.append((clock.shown(instant), standing, unit.session))

    def moments(self) -> tuple[list[Moment], int]:
        """Moments of the public units, in order, and the number of times that run back."""
        times, back = orders(self._times)
        first: dict[int, datetime | None] = {}
        for (file, _), (local, *_) in zip(self._times, self._units, strict=True):
            if local is not None:
                first.setdefault(file, local)
        places = sorted(range(len(times)), key=times.__getitem__)
        found = []
        for place, room in zip(places, rooms([self._units[place][1] for place in places]), strict=True):
            local, standing, session = self._units[place]
            if standing.is_open:
                early = times[place] == START
                found.append(Moment(first.get(self._times[place][0]) if early else local, room, session))
        return found, back
