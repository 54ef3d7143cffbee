"""What every format shares: where mechanics stand, how a paragraph is headed, what a page says of its own."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Final, Literal, NamedTuple

from msgspec import Struct, field

from projections import typography
from projections.document import (
    Chapter,
    Conflict,
    End,
    Entry,
    Mechanic,
    Member,
    Missing,
    Paragraph,
    Passage,
    Plate,
    Played,
    Scene,
    Transcript,
    Variation,
)
from projections.prose.phrases import ENGLISH, Phrases
from projections.prose.telling import Tag, reflowed


class MechanicsPlace(StrEnum):
    """Where the mechanics of a transcript stand."""

    INLINE = "inline"
    FOLDED = "folded"
    FOOTNOTES = "footnotes"
    APPENDIX = "appendix"
    NONE = "none"


class Note(NamedTuple):
    """A numbered block of mechanics: its number, the paragraph or heading it belongs to, and its lines."""

    number: int
    id: str
    mechanics: Sequence[Mechanic]


class Notes(Struct):
    """Numbers given out from 1, in the order they are asked for."""

    taken: list[Note] = field(default_factory=list)

    def add(self, id_: str, mechanics: Sequence[Mechanic]) -> int:
        """The number of a new block."""
        self.taken.append(Note(len(self.taken) + 1, id_, mechanics))
        return len(self.taken)


def label(paragraph: Paragraph) -> str:
    """What a paragraph is headed with: `Zel declares`, `Note`; empty for a story's own sentences."""
    if paragraph.label is None:
        return typography.label(ENGLISH, paragraph, paragraph.speaker, paragraph.manner)
    return paragraph.label


def marked_speech(paragraph: Paragraph) -> str:
    """Its text, reflowed: speech in quotation marks, what is nobody's words in brackets."""
    text = reflowed(paragraph.text)
    if paragraph.kind is Tag.SPEECH:
        opening, closing = paragraph.quotes
        return f"{opening}{text}{closing}"
    if paragraph.direction:
        return f"({text})"
    return f"[{text}]" if paragraph.generated else text


def slanted(paragraph: Paragraph) -> bool:
    """True for what stands in italics where a format has them: what is ours, and a stage direction."""
    return paragraph.generated or paragraph.direction or paragraph.kind is Tag.RIBBON


UNDATED = "2000-01-01"
"""Where a file has to have a date and nobody said one; never today's, for then no two files were alike."""


def played(transcript: Transcript) -> str:
    """The day it was played, the last of several, as YYYY-MM-DD."""
    chapters = (scene.chapter for scene in transcript.scenes if scene.chapter)
    return transcript.head.date or max((one.date for one in chapters if one.date), default=UNDATED)


def authors(transcript: Transcript) -> tuple[str, ...]:
    """Who told it: whoever led it, then the players."""
    return tuple(dict.fromkeys((*leaders(transcript), *players(transcript))))


def players(transcript: Transcript) -> tuple[str, ...]:
    """Everybody who played somebody in it, in the order of the cast, whoever played first before the next."""
    return tuple(
        dict.fromkeys(player for one in transcript.head.players for player in (*one.before, one.player))
    )


def leaders(transcript: Transcript) -> tuple[str, ...]:
    """Who led it, in the order of their first sessions."""
    head = transcript.head
    return head.gms if len(head.gms) > 1 else () if head.gm is None else (head.gm,)


_TOLD: Final = frozenset({Tag.NARRATION, Tag.DECLARATION})
_SPOKEN: Final = re.compile(
    r"(?s)\s*(?:\"([^\"]+)\"|\u201c([^\u201d]+)\u201d|\u201e([^\u201c]+)\u201c|\u00bb([^\u00ab]+)\u00ab)"
    r"\s*(.*)"
)


def as_spoken(paragraph: Paragraph) -> tuple[str, str]:
    """What its speaker says at its beginning, in whatever marks, and what follows; all of it if it is speech.

    The first is empty where it begins otherwise, where nobody is known to speak, and in what is struck.
    """
    if paragraph.kind is Tag.SPEECH:
        return paragraph.text, ""
    found = _SPOKEN.fullmatch(paragraph.text)
    if found is None or paragraph.speaker is None or paragraph.kind not in _TOLD or paragraph.struck:
        return "", paragraph.text
    return next(one for one in found.groups()[:-1] if one), found.groups()[-1]


def anchor(session: int) -> str:
    """The id of a session's heading."""
    return f"session-{session}"


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending numbers as runs without a gap, each by its first and last."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def run(numbers: tuple[int, int]) -> str:
    """A run of numbers as an index has it: one alone, or the first and last with a dash between."""
    first, last = numbers
    return str(first) if first == last else f"{first}\u2013{last}"


class IndexedPlaces(NamedTuple):
    """Where an index points: sessions in a row, the whole of each, or some scenes of one session."""

    sessions: tuple[int, int]
    scenes: Sequence[Scene] = ()


def find_indexed(transcript: Transcript, entry: Entry) -> list[IndexedPlaces]:
    """Where an entry of the index is met; the scenes of a session are named unless they are all it has."""
    evenings = _scenes_by_session(transcript)
    met: list[IndexedPlaces] = []
    for session in entry.sessions:
        titled = evenings.get(session, [])
        scenes = [one for one in titled if one.id in entry.scenes]
        if scenes and len(scenes) < len(titled):
            met.append(IndexedPlaces((session, session), scenes))
        elif met and not met[-1].scenes and met[-1].sessions[1] == session - 1:
            met[-1] = IndexedPlaces((met[-1].sessions[0], session))
        else:
            met.append(IndexedPlaces((session, session)))
    return met


def _scenes_by_session(transcript: Transcript) -> dict[int, list[Scene]]:
    """The scenes with a title, session by session."""
    evenings: dict[int, list[Scene]] = {}
    session: int | None = None
    for scene in transcript.scenes:
        session = scene.chapter.session if scene.chapter else session
        if session is not None and scene.title is not None:
            evenings.setdefault(session, []).append(scene)
    return evenings


def where(transcript: Transcript, entry: Entry) -> str:
    """Where an entry of the index is met, on one line: `1, 4 (The stair; The gate)`."""
    return ", ".join(
        f"{run(one.sessions)}{_in_brackets('; '.join(scene.title or '' for scene in one.scenes))}"
        for one in find_indexed(transcript, entry)
    )


def in_order(passage: Passage) -> Iterator[Paragraph | Variation]:
    """The paragraphs of a passage, and the variations where each stands."""
    if not passage.variations:
        yield from passage.paragraphs
        return
    yield from (one for one in passage.variations if one.after is None)
    for paragraph in passage.paragraphs:
        yield paragraph
        yield from (one for one in passage.variations if one.after == paragraph.id)


# --- furniture --------------------------------------------------------------------------------------------

_SOURCES: Final = {
    "dealt": "luck.dealt",
    "called": "luck.called",
    "reconstructed": "luck.reconstructed",
    "imported": "luck.imported",
}


class ClosingPart(NamedTuple):
    """A part of what stands at the end: which, its heading, and its lines."""

    kind: Literal["changed", "open", "quotes", "untold"]
    title: str
    lines: Sequence[str]


class Furniture(Struct, frozen=True):
    """What a page says of its own accord, in the words of one voice: headings, labels, who is who."""

    phrases: Phrases = ENGLISH

    def say(self, key: str) -> str:
        """A heading or label by its phrase."""
        return self.phrases.say(key)

    # --- above the story ---

    def byline(self, transcript: Transcript) -> str:
        """Campaign, date, systems and who ran it, on one line."""
        head = transcript.head
        parts = [
            head.campaign if head.session is not None else None,
            head.date or self.evenings(transcript),
            ", ".join(head.systems) or None,
            self.run_by(leaders(transcript)),
        ]
        return " · ".join(part for part in parts if part)

    def run_by(self, who: Sequence[str]) -> str | None:
        """Who led it; None where nobody is known to have."""
        return self.phrases.say("page.run-by", who=self.phrases.say("page.side", who=who)) if who else None

    def evenings(self, transcript: Transcript) -> str:
        """Which sessions it has, and when they were played, on one line; empty where it has no chapters."""
        chapters = [scene.chapter for scene in transcript.scenes if scene.chapter]
        if not chapters:
            return ""
        dates = sorted({one.date for one in chapters if one.date})
        when = "".join(dates)
        if len(dates) > 1:
            when = self.phrases.say("page.from-to", first=dates[0], last=dates[-1])
        numbers = ", ".join(map(run, runs([one.session for one in chapters])))
        if len(chapters) > 1:
            told = self.phrases.say("page.several-sessions", numbers=numbers)
        else:
            told = self.phrases.say("page.session", number=numbers)
        return f"{told}, {when}" if when else told

    def company(self, transcript: Transcript) -> str:
        """Who played whom, and who was absent, on one line."""
        head = transcript.head
        players = [
            self.phrases.say("page.player", who=self.in_turn(one), characters=one.characters)
            for one in head.players
        ]
        with_ = "page.with-in-turn" if any(one.before for one in head.players) else "page.with"
        parts = [
            self.phrases.say(with_, players=players) if players else "",
            self.phrases.say("page.absent", who=head.absent) if head.absent else "",
        ]
        return " · ".join(part for part in parts if part)

    def in_turn(self, one: Played | Member) -> str:
        """Who played somebody, the last one last: `Kit, then Sol`."""
        return self.phrases.say("page.in-turn", who=[*one.before, one.player or ""])

    def member(self, one: Member) -> str:
        """What is said of somebody in the cast after their name."""
        played = self.phrases.say("page.played-by", who=self.in_turn(one)) if one.player else ""
        return "; ".join(part for part in (one.phrase or "", played) if part)

    # --- in the story ---

    def chapter(self, heading: Chapter) -> str:
        """The heading of a session."""
        title = f": {heading.title}" if heading.title else ""
        beside = [one for one in (heading.date, self.run_by([heading.gm]) if heading.gm else None) if one]
        told = f" ({', '.join(beside)})" if beside else ""
        return f"{self.phrases.say('page.session', number=heading.session)}{title}{told}"

    def scene(self, number: int) -> str:
        """A scene by its number."""
        return self.phrases.say("page.scene", number=number)

    def conflict(self, heading: Conflict) -> str:
        """The heading of a conflict."""
        return f"{heading.title} ({self.say('page.continued')})" if heading.continued else heading.title

    def against(self, heading: Conflict) -> str:
        """Who stands against whom, and what is at stake, on one line."""
        sides = [self.phrases.say("page.side", who=side) for side in heading.sides]
        told = self.phrases.say("page.against", system=heading.system, sides=sides)
        if heading.stakes is None or heading.continued:
            return told
        return f"{told} {self.say('page.at-stake')}: {' '.join(heading.stakes.split())}"

    def asides(self, paragraph: Paragraph) -> list[str]:
        """What stands in brackets beside words: whom they are for, and that they hold no longer."""
        overruled = self.phrases.say("label.overruled") if paragraph.struck else None
        return [one for one in (paragraph.eyes, overruled) if one]

    def other_line(self, variation: Variation) -> str:
        """The heading of a variation: the line's name, and why somebody left for it."""
        why = f": {variation.why}" if variation.why else ""
        return f"{self.phrases.say('page.variation', name=variation.name)}{why}"

    def map_called(self, plate: Plate) -> str:
        """The heading of a map."""
        return f"{self.say('page.map')}: {plate.title}"

    def lie_of(self, plate: Plate) -> Iterator[str]:
        """A map in lines, for a format that draws none: who is where, and what it takes to go on."""
        yield from plate.picture.who_is_where()
        for border in plate.picture.lines:
            yield f"{plate.picture.between(border)}: {plate.picture.passing(border)}"

    def in_words(self, plate: Plate) -> str:
        """What a map shows, for those who do not see it."""
        return f"{self.map_called(plate)}. {' '.join(plate.picture.told())}"

    def drawn(self, plate: Plate, columns: int) -> tuple[str, ...]:
        """A map in letters, no line wider than `columns`; its title first."""
        from projections.maps.terminal import drawn  # noqa: PLC0415 -- it wraps its lines as we do

        return drawn(plate.picture, columns)

    def retold(self, variation: Variation) -> Iterator[str]:
        """A variation as lines, for a format in which it is no part of the story: why, and what is told."""
        yield self.other_line(variation)
        if not variation.scenes:
            yield self.say("page.told-apart")
        for scene in variation.scenes:
            if scene.title is not None:
                yield scene.title
            for passage in scene.passages:
                if passage.conflict is not None:
                    yield self.conflict(passage.conflict)
                for one in in_order(passage):
                    yield from self.retold(one) if isinstance(one, Variation) else self._headed(one)

    def _headed(self, paragraph: Paragraph) -> Iterator[str]:
        lead = label(paragraph)
        if paragraph.text.strip():
            yield f"{lead}: {marked_speech(paragraph)}" if lead else marked_speech(paragraph)
        yield from map(self.line, paragraph.mechanics)

    # --- mechanics ---

    def luck(self, mechanic: Mechanic) -> str:
        """Where its luck came from: `called`, or `dealt 1, called 5`; empty for none."""
        runs = (one.partition(" ") for one in mechanic.luck.split(", "))
        return ", ".join(f"{self._source(source)}{blank}{count}" for source, blank, count in runs)

    def _source(self, source: str) -> str:
        return self.say(_SOURCES[source]) if source in _SOURCES else source

    def line(self, mechanic: Mechanic) -> str:
        """A line of mechanics with where its luck came from."""
        return f"{mechanic.text} [{self.luck(mechanic)}]" if mechanic.luck else mechanic.text

    def folded(self, mechanics: Sequence[Mechanic]) -> str:
        """What stands over mechanics that are folded up: how many they are."""
        return self.phrases.say("page.folded", number=len(mechanics))

    def to_note(self, number: int) -> str:
        """What a mark is called that leads to a note, for those who hear a page."""
        return self.phrases.say("page.to-note", number=number)

    def from_note(self, number: int) -> str:
        """What the way back from a note is called."""
        return self.phrases.say("page.from-note", number=number)

    # --- below the story ---

    def afterwards(self, end: End) -> Iterator[ClosingPart]:
        """The parts of what stands at the end; none that is empty."""
        quotes = [f"{one.quotes[0]}{one.text}{one.quotes[1]}{_in_brackets(one.who)}" for one in end.quotes]
        parts = (
            ClosingPart("changed", self.say("page.changed"), end.changed),
            ClosingPart("open", self.say("page.open"), end.open),
            ClosingPart("quotes", self.say("page.quotes"), quotes),
            ClosingPart("untold", self.say("page.untold"), [missing(one) for one in end.untold]),
        )
        return (part for part in parts if part.lines)

    def index(self, transcript: Transcript) -> Iterator[tuple[str, Sequence[Entry]]]:
        """The parts of a book's index, each with its title; none that is empty."""
        for key, kind in (("page.people", "person"), ("page.things", "thing"), ("page.places", "place")):
            entries = [one for one in transcript.index if one.kind == kind]
            if entries:
                yield self.say(key), entries


def missing(one: Missing) -> str:
    """What nobody told, and whose it is to tell."""
    return f"{one.what}{_in_brackets(', '.join(one.who))}"


def _in_brackets(text: str | None) -> str:
    return f" ({text})" if text else ""


def stable_urn(*told_of: str) -> str:
    """A UUID of version 8 as an address: the same for the same words, and nobody can read them in it."""
    digits = bytearray(hashlib.sha256("\0".join(told_of).encode("utf-8", "surrogatepass")).digest()[:16])
    digits[6] = 0x80 | digits[6] & 0x0F
    digits[8] = 0x80 | digits[8] & 0x3F
    told = digits.hex()
    return f"urn:uuid:{told[:8]}-{told[8:12]}-{told[12:16]}-{told[16:20]}-{told[20:]}"
