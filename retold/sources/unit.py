"""Units: the messages, cues, paragraphs or lines that a source is cut into."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Final

from retold.sources.dice import Throw

NO_DAY: Final = datetime(2000, 1, 1)  # noqa: DTZ001 - a day of no zone
"""Midnight at which the first day of a log begins that never says the day."""


class Sort(StrEnum):
    """Kind of a unit, as far as the source tells it."""

    SAID = "said"
    TOLD = "told"
    """Description or emote."""
    DECLARED = "declared"
    """An intent."""
    ASIDE = "aside"
    """Words out of character."""
    NOTE = "note"
    """Remark about the record, such as a heading's details."""
    ROLL = "roll"
    CARD = "card"
    """Titled block of text, such as a spell's description."""
    NOTICE = "notice"
    MARK = "mark"
    SCENE = "scene"


SPOKEN: Final = (Sort.SAID, Sort.TOLD, Sort.ASIDE)
"""Kinds of units that people write, among which commands and a chat's own words stand too."""


class Reason(StrEnum):
    """Reason for leaving a unit out. The list is closed."""

    FRAME = "frame"
    """Heading, footer or markup around the units."""
    BANNER = "banner"
    """Greeting of a program."""
    NOTICE = "notice"
    """Notice of the tool: a user joined, pinned or connected."""
    EMPTY = "empty"
    MEDIA = "media"
    """Picture, voice message or file that the export leaves out."""
    BUTTON = "button"
    REACTION = "reaction"
    DECORATION = "decoration"
    """Avatar or colour."""
    CUT = "cut"
    """Half a message, at which a file that was cut off ends."""
    MARKUP = "markup"
    """Signs of a chat around words that stay: struck, hidden, code or a link."""
    SKIPPED = "skipped"
    """Channel or speaker that the answers leave out."""
    REPEAT = "repeat"
    """Second occurrence of a unit in one source."""
    ANSWERED = "answered"
    """Command to a bot whose answer follows."""
    COMMAND = "command"
    """Command to a bot or a tool that nothing answers."""


class Precision(StrEnum):
    """Smallest part of a time that the source gives."""

    MILLISECOND = "millisecond"
    SECOND = "second"
    MINUTE = "minute"
    DAY = "day"


@dataclass(frozen=True, slots=True)
class Place:
    """First and last line of a unit, or its ordinal; both count from 1."""

    first: int
    last: int

    def __str__(self) -> str:
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class When:
    """Time of a unit: an instant if `time` has an offset, otherwise the local time of an unknown zone."""

    time: datetime
    precision: Precision = Precision.SECOND

    @property
    def is_instant(self) -> bool:
        """True if the time has an offset."""
        return self.time.tzinfo is not None


def instant_of(milliseconds: float, precision: Precision = Precision.MILLISECOND) -> When | None:
    """Instant from milliseconds since 1970; None before the first or after the last year of a calendar."""
    try:
        time = datetime.fromtimestamp(int(milliseconds) // 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return None
    return When(time.replace(microsecond=int(milliseconds) % 1000 * 1000), precision)


class FactKind(StrEnum):
    """Subject of a fact, such as person, place, track or clock."""

    PERSON = "person"
    PLACE = "place"
    THREAD = "thread"
    CLOCK = "clock"
    TRACK = "track"
    TITLE = "title"
    """Title of the campaign."""
    GAME = "game"
    """Ruleset of the campaign."""
    GAME_MASTER = "game master"


@dataclass(frozen=True, slots=True)
class Fact:
    """Statement of a source beside its words: who is there, or how full a clock is."""

    kind: FactKind
    name: str
    """Name of the person, place, thread, clock or track."""
    value: str = ""
    """Its state in the source's words, such as `asleep`, `closed`, `9` or `3/6`."""
    whose: str = ""
    """Label of the person whose track it is; empty for one of the table."""
    player: str = ""
    """Player of the person."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit of a source: read, unread, or left out with a reason."""

    place: Place
    key: str
    """Text that is the same whenever the same unit is read again; unique in its channel."""
    sort: Sort
    text: str = ""
    when: When | None = None
    clock: timedelta | None = None
    """Time since a recording began."""
    undated: When | None = None
    """Hour in a log that never says the day, counted from `NO_DAY`; one that runs back is the next day's."""
    ends: timedelta | None = None
    """Time since a recording began at which its last words end."""
    session: str = ""
    """Heading of the session it is in, such as `Session 3`; empty where the source has none."""
    channel: str = ""
    speaker: str = ""
    """Label that the source puts in front of the words; for a bot's answer the person who asked."""
    account: str = ""
    """Account of the speaker as the source numbers it; it never enters a record.

    Empty where a program speaks for many, so that it identifies no one.
    """
    through: str = ""
    """Label of the bot that answered for the speaker."""
    to: tuple[str, ...] = ()
    """Labels of the people a hidden unit was for, beside its speaker."""
    hidden: bool = False
    blind: bool = False
    """True if not even its speaker may see it, as a throw that the game master alone reads."""
    throws: tuple[Throw, ...] = ()
    facts: tuple[Fact, ...] = ()
    order: tuple[Throw | Fact | str, ...] = ()
    """Throws, facts and words in their order, if words stand between throws; else empty."""
    edited: bool = False
    pinned: bool = False
    answers: str = ""
    """Key of the unit that this one replies to."""
    attached: tuple[str, ...] = ()
    """Pictures and files as `[picture: map.png]`; nothing is opened or fetched."""
    passed: tuple[Reason, ...] = ()
    """Reasons for the parts of this unit that were left out, once for each part."""
    raw: str = ""
    """Words of an unread unit, or the end of one that is too long, without account numbers."""
    secret: str = ""
    """Words of an open unit that the game master alone may read, such as a secret part of a card."""
    pieces: int = 1
    """Number of things in it that the second counter counts, such as the lines of a paragraph."""
    unread: bool = False
    left_out: Reason | None = None
    whole: str = ""
    """Words as earlier releases recorded them, with what is no longer part of the text; else empty."""
    former: str = ""
    """Key that earlier releases gave the unit; empty where it is `key`."""

    @property
    def is_read(self) -> bool:
        """True if the unit was understood and not left out."""
        return not self.unread and self.left_out is None


PICTURES: Final = ("png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "avif", "heic")
_VOICES: Final = ("opus", "m4a", "aac", "amr")
"""Endings of what phones record; a sound with another ending may be music."""


def attached_file(name: str) -> str:
    """File beside a unit's words, by its name: `[picture: map.png]`, `[voice: …]` or `[file: …]`."""
    ending = name.rpartition(".")[2].strip().casefold()
    kind = "picture" if ending in PICTURES else "voice" if ending in _VOICES else "file"
    return f"[{kind}: {name.strip()}]"
