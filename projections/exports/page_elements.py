"""Parts of a document that all formats share: labels, headings, notes, the index, standard phrases.

"Mechanics" are the dice, cards and numbers behind the story.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, Protocol, Self, TypeVar

from msgspec import Struct, field

from retold.journal.grouping import grouped
from retold.journal.system import Credit
from retold.projections.prose.phrases import ENGLISH, Phrases
from retold.projections.prose.sentences import BETWEEN_PARAGRAPHS, with_question_mark
from retold.projections.prose.telling import Tag
from retold.projections.reading.pictures import Image
from retold.projections.story import labelling
from retold.projections.story.document import (
    Chapter,
    Conflict,
    Entry,
    Mechanic,
    Member,
    Missing,
    Paragraph,
    Plate,
    Played,
    Scene,
    Transcript,
    Variation,
)
from retold.projections.texts import emphasis, safe
from retold.projections.texts.line_ends import reflowed


class _WithMechanics(Protocol):
    def without_mechanics(self) -> Self: ...


Told = TypeVar("Told", bound=_WithMechanics)


class MechanicsPlace(StrEnum):
    """Place of mechanics (dice, cards, numbers) in a document."""

    INLINE = "inline"
    FOLDED = "folded"
    FOOTNOTES = "footnotes"
    APPENDIX = "appendix"
    NONE = "none"

    def shown(self, told: Told) -> Told:
        """Returns a transcript, or part of one, as it is told: without mechanics if their place is `none`."""
        return told.without_mechanics() if self is MechanicsPlace.NONE else told


class Note(NamedTuple):
    """Numbered note with dice, cards and numbers; `id` is that of its paragraph or heading."""

    number: int
    id: str
    mechanics: Sequence[Mechanic]


class Notes(Struct):
    """List of a document's numbered notes with dice, cards and numbers, counted from 1."""

    taken: list[Note] = field(default_factory=list)

    def add(self, id_: str, mechanics: Sequence[Mechanic]) -> int:
        """Appends a note for the paragraph or heading `id_` and returns the note's number."""
        self.taken.append(Note(len(self.taken) + 1, id_, mechanics))
        return len(self.taken)


def label(paragraph: Paragraph) -> str:
    """Returns a paragraph's label, such as `Zel declares` or `Note`; empty for plain narration."""
    if paragraph.label is None:
        return labelling.label(ENGLISH, paragraph, paragraph.speaker, paragraph.manner)
    return paragraph.label


def marked_speech(paragraph: Paragraph) -> str:
    """Returns a paragraph's text: speech in quotes, stage directions and generated text in brackets."""
    text = paragraph.text
    if paragraph.kind is Tag.SPEECH:
        opening, closing = paragraph.quotes
        return f"{opening}{text}{closing}"
    if paragraph.direction:
        return f"({text})"
    return f"[{text}]" if paragraph.generated else text


def paragraph_lines(text: str) -> list[str]:
    """Returns the paragraphs of a text, each joined to one line without emphasis; empty ones are dropped."""
    told = reflowed(emphasis.words(text)).split(BETWEEN_PARAGRAPHS)
    lines = (safe.line(paragraph).strip() for paragraph in told)
    return [line for line in lines if line]


UNDATED = "2000-01-01"
"""Date of undated files; not today's, so that the same transcript gives the same bytes."""


def played(transcript: Transcript) -> str:
    """Returns the last day of play as YYYY-MM-DD; UNDATED if no date is known."""
    dates = (chapter.date for chapter in transcript.chapters if chapter.date)
    return transcript.head.date or max(dates, default=UNDATED)


def authors(transcript: Transcript) -> tuple[str, ...]:
    """Returns the names of game masters, then of players, each once."""
    return tuple(dict.fromkeys((*leaders(transcript), *players(transcript))))


def players(transcript: Transcript) -> tuple[str, ...]:
    """Returns the names of all players in cast order, a character's earlier players before the latest."""
    return tuple(
        dict.fromkeys(
            player
            for character in transcript.head.players
            for player in (*character.before, character.player)
        )
    )


def leaders(transcript: Transcript) -> tuple[str, ...]:
    """Returns the names of game masters, in order of their first sessions."""
    head = transcript.head
    return head.gms if len(head.gms) > 1 else () if head.gm is None else (head.gm,)


_TOLD: Final = frozenset({Tag.NARRATION, Tag.DECLARATION})
_SPOKEN: Final = re.compile(
    r"(?s)\s*(?:\"([^\"]+)\"|\u201c([^\u201d]+)\u201d|\u201e([^\u201c]+)\u201c|\u00bb([^\u00ab]+)\u00ab)"
    r"\s*(.*)"
)


def as_spoken(paragraph: Paragraph) -> tuple[str, str]:
    """Splits a paragraph into its leading speech, without quotation marks, and the rest of the text.

    Speech is empty if the text begins otherwise, the speaker is unknown, or the paragraph is struck.
    """
    if paragraph.kind is Tag.SPEECH:
        return paragraph.text, ""
    found = _SPOKEN.fullmatch(paragraph.text)
    if found is None or paragraph.speaker is None or paragraph.kind not in _TOLD or paragraph.struck:
        return "", paragraph.text
    said = next(group for group in found.groups()[:-1] if group)
    return emphasis.parted(said, found.groups()[-1])


def anchor(session: int) -> str:
    """Returns the id of a session's heading: 3 → `session-3`."""
    return f"session-{session}"


def runs(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Groups an ascending sequence into runs of consecutive numbers: 1, 2, 3, 7 → (1, 3), (7, 7)."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found


def run(numbers: tuple[int, int]) -> str:
    """Returns a run of numbers (first, last) as text: `4`, or both with a dash between."""
    first, last = numbers
    return str(first) if first == last else f"{first}\u2013{last}"


class IndexedPlaces(NamedTuple):
    """Target of an index entry: a run of sessions (first, last), or some scenes of one session."""

    sessions: tuple[int, int]
    scenes: Sequence[Scene] = ()
    is_only: bool = False
    """True in a book of one session, whose number says nothing."""


def find_indexed(transcript: Transcript, entry: Entry) -> list[IndexedPlaces]:
    """Returns the targets of an index entry: runs of sessions, or some scenes of a session.

    Scenes are listed only if the entry is not in all titled scenes of their session. In a book of one session
    nothing else is: an entry without scenes, and a place, which has a scene of its name, has no targets.
    """
    evenings = _scenes_by_session(transcript)
    if len(transcript.chapters) == 1:
        (titled,) = evenings.values() or ((),)
        scenes = [scene for scene in titled if scene.id in entry.scenes]
        says_something = scenes and len(scenes) < len(titled) and entry.kind != "place"
        first = transcript.chapters[0].session
        return [IndexedPlaces((first, first), scenes, is_only=True)] if says_something else []
    met: list[IndexedPlaces] = []
    for session in entry.sessions:
        titled = evenings.get(session, [])
        scenes = [scene for scene in titled if scene.id in entry.scenes]
        if scenes and len(scenes) < len(titled):
            met.append(IndexedPlaces((session, session), scenes))
        elif met and not met[-1].scenes and met[-1].sessions[1] == session - 1:
            met[-1] = IndexedPlaces((met[-1].sessions[0], session))
        else:
            met.append(IndexedPlaces((session, session)))
    return met


def _scenes_by_session(transcript: Transcript) -> dict[int, list[Scene]]:
    """Returns the titled scenes of each session, by session number."""
    evenings: dict[int, list[Scene]] = {}
    session: int | None = None
    for scene in transcript.scenes:
        session = scene.chapter.session if scene.chapter else session
        if session is not None and scene.title is not None:
            evenings.setdefault(session, []).append(scene)
    return evenings


def where(places: Iterable[IndexedPlaces]) -> str:
    """Returns the targets of an index entry as text: `1, 4 (The stair; The gate)`."""
    titled = ((target, "; ".join(scene.title or "" for scene in target.scenes)) for target in places)
    return ", ".join(
        scenes if target.is_only else f"{run(target.sessions)}{in_brackets(scenes)}"
        for target, scenes in titled
    )


# --- furniture --------------------------------------------------------------------------------------------

_SOURCES: Final = {
    "dealt": "luck.dealt",
    "called": "luck.called",
    "reconstructed": "luck.reconstructed",
    "imported": "luck.imported",
}


class Opening(NamedTuple):
    """Heading of a session in a book: the lines above and below its title; these may be empty."""

    above: str
    title: str
    below: str


class Furniture(Struct, frozen=True):
    """Standard texts around a story, in the words of one voice: headings, labels, cast."""

    phrases: Phrases = ENGLISH

    def say(self, key: str, **values: int) -> str:
        """Returns the heading or label with the phrase key `key`; `values` fill its gaps."""
        return self.phrases.say(key, **values)

    @property
    def colon(self) -> str:
        """Colon, with the no-break space before it that some languages set."""
        return self.phrases.language.colon

    def day(self, date: str) -> str:
        """Returns a date as the language writes it: `2026-06-13` in English, `13. Juni 2026` in German."""
        return self.phrases.date(date)

    # --- above the story ---

    def byline(self, transcript: Transcript) -> str:
        """Returns the text line under the title: campaign, date, systems and game masters."""
        head = transcript.head
        parts = [
            head.campaign if head.session is not None else None,
            self.day(head.date) if head.date else self.evenings(transcript),
            ", ".join(head.systems) or None,
            self.run_by(leaders(transcript)),
        ]
        return " · ".join(part for part in parts if part)

    def run_by(self, who: Sequence[str]) -> str | None:
        """Returns a phrase that names the game masters `who`; None if there are none."""
        return self.phrases.say("page.run-by", who=self.phrases.say("page.side", who=who)) if who else None

    def evenings(self, transcript: Transcript) -> str:
        """Returns session numbers and dates as text; empty if the transcript has no session headings."""
        chapters = transcript.chapters
        if not chapters:
            return ""
        dates = sorted({chapter.date for chapter in chapters if chapter.date})
        when = "".join(map(self.day, dates))
        if len(dates) > 1:
            when = self.phrases.say("page.from-to", first=self.day(dates[0]), last=self.day(dates[-1]))
        numbers = ", ".join(map(run, runs([chapter.session for chapter in chapters])))
        if len(chapters) > 1:
            told = self.phrases.say("page.several-sessions", numbers=numbers)
        else:
            told = self.phrases.say("page.session", number=numbers)
        return f"{told}, {when}" if when else told

    def opening(self, transcript: Transcript) -> Opening:
        """Returns the opening of an evening, or of a stretch without sessions, as in a printed book."""
        head = transcript.head
        if head.session is None:
            return Opening("", transcript.title, self.days(transcript))
        session = self.phrases.say("page.session", number=head.session)
        above = [head.campaign if head.campaign != head.title else None, session if head.title else None]
        return Opening(" · ".join(filter(None, above)), head.title or session, self.days(transcript))

    def chapter_opening(self, heading: Chapter) -> Opening:
        """Returns the heading of a session as in a printed book."""
        session = self.phrases.say("page.session", number=heading.session)
        below = [
            self.phrases.printed_day(heading.date) if heading.date else None,
            self.run_by([heading.gm]) if heading.gm else None,
        ]
        above = session if heading.title else ""
        return Opening(above, heading.title or session, " · ".join(filter(None, below)))

    def days(self, transcript: Transcript) -> str:
        """Returns the day of play, or the first and the last, as in a printed book; may be empty."""
        chapters = (chapter.date for chapter in transcript.chapters)
        dates = sorted({date for date in (transcript.head.date, *chapters) if date})
        if len(dates) > 1:
            first, last = self.phrases.printed_day(dates[0]), self.phrases.printed_day(dates[-1])
            return self.phrases.say("page.from-to", first=first, last=last)
        return self.phrases.printed_day(dates[0]) if dates else ""

    def credits(self, transcript: Transcript) -> list[str]:
        """Returns the lines of an imprint: systems and game masters, players, and the fonts of a PDF."""
        by = [self.listed(transcript.head.credits), self.run_by(leaders(transcript))]
        lines = " · ".join(part for part in by if part), self.company(transcript), self.say("page.set-in")
        return [line for line in lines if line]

    def credit(self, system: Credit) -> str:
        """Returns a game with its author and licence, as far as known: `Tides by Ann Lee (CC BY 4.0)`."""
        told = system.title
        if system.author:
            told = self.phrases.say("page.system-by", system=told, who=system.author)
        return f"{told} ({system.licence})" if system.licence else told

    def listed(self, systems: Iterable[Credit]) -> str:
        """Returns games as one text line, each with its author and licence, as far as known."""
        return f"{self.phrases.language.semicolon} ".join(map(self.credit, systems))

    def owed(self, systems: Iterable[Credit]) -> str:
        """Returns a line of games with their authors and licences; empty if none are known."""
        known = (system for system in dict.fromkeys(systems) if system.author or system.licence)
        return self.listed(known)

    def colophon(self, transcript: Transcript) -> list[str]:
        """Returns the lines of an imprint in an EPUB: games with author and licence, and the titles' font."""
        return [line for line in (self.owed(transcript.head.credits), self.say("page.titles-in")) if line]

    def company(self, transcript: Transcript) -> str:
        """Returns the text line with players, their characters, and absent players; may be empty."""
        head = transcript.head
        players = [
            self.phrases.say("page.player", who=self.in_turn(player), characters=player.characters)
            for player in head.players
        ]
        with_ = "page.with-in-turn" if any(player.before for player in head.players) else "page.with"
        parts = [
            self.phrases.say(with_, players=players) if players else "",
            self.phrases.say("page.absent", who=head.absent) if head.absent else "",
        ]
        return " · ".join(part for part in parts if part)

    def players_of(self, transcript: Transcript) -> list[str]:
        """Returns players with their characters in brackets: `Kit, then Sol (Zel, Mo)`."""
        played = transcript.head.players
        return [f"{self.in_turn(player)} ({', '.join(player.characters)})" for player in played]

    def in_turn(self, character: Played | Member) -> str:
        """Returns the successive players of a character: `Kit, then Sol`."""
        return self.phrases.say("page.in-turn", who=[*character.before, character.player or ""])

    def member(self, one: Member) -> str:
        """Returns a cast member's description and players as text, without the name; may be empty."""
        played = self.phrases.say("page.played-by", who=self.in_turn(one)) if one.player else ""
        return f"{self.phrases.language.semicolon} ".join(filter(None, (one.phrase, played)))

    def portraits_by(self, members: Iterable[Member]) -> str:
        """Returns who made whose portraits, `Portraits: Zel (Mara Lind)`; empty if that is not known."""
        shown = grouped(
            (member.portrait.credit, member.name)
            for member in members
            if member.portrait is not None and member.portrait.credit is not None
        )
        made = [f"{', '.join(names)} ({credit})" for credit, names in shown.items()]
        return self.phrases.say("page.portraits", made=made) if made else ""

    # --- in the story ---

    def chapter(self, heading: Chapter) -> str:
        """Returns the heading of a session: number and title, then date and game master in brackets."""
        title = f"{self.colon} {heading.title}" if heading.title else ""
        date = self.day(heading.date) if heading.date else None
        beside = [detail for detail in (date, self.run_by([heading.gm]) if heading.gm else None) if detail]
        told = f" ({', '.join(beside)})" if beside else ""
        return f"{self.phrases.say('page.session', number=heading.session)}{title}{told}"

    def conflict(self, heading: Conflict) -> str:
        """Returns the heading of a conflict: its title, with "(continued)" if it was told before."""
        return f"{heading.title} ({self.say('page.continued')})" if heading.continued else heading.title

    def against(self, heading: Conflict) -> str:
        """Returns the text line under a conflict's heading: system, sides and, at its beginning, stakes."""
        sides = [self.phrases.say("page.side", who=side) for side in heading.sides]
        told = self.phrases.say("page.against", system=heading.system, sides=sides)
        if heading.stakes is None or heading.continued:
            return told
        stakes = with_question_mark(" ".join(heading.stakes.split()))
        return f"{told} {self.say('page.at-stake')}{self.colon} {stakes}"

    def asides(self, paragraph: Paragraph) -> list[str]:
        """Returns remarks to put in brackets: for whose eyes the text is, and "overruled" if it is struck."""
        overruled = self.phrases.say("label.overruled") if paragraph.struck else None
        return [aside for aside in (paragraph.eyes, overruled) if aside]

    def picture(self, image: Image) -> str:
        """Returns what a picture shows, in words that stand in its place."""
        return self.phrases.say("page.picture", alt=" ".join(image.alt.split()))

    def caption(self, image: Image, paragraph: Paragraph | None = None) -> str:
        """Returns the line under a picture: who may see it, and who made it. May be empty."""
        asides = [] if paragraph is None else self.asides(paragraph)
        made = [] if image.credit is None else [self.phrases.say("page.picture-by", who=image.credit)]
        return " · ".join((*asides, *made))

    def other_line(self, variation: Variation) -> str:
        """Returns the heading of a variation: the branch's name, and the reason for it if one is known."""
        why = f"{self.colon} {variation.why}" if variation.why else ""
        return f"{self.phrases.say('page.variation', name=variation.name)}{why}"

    def map_called(self, plate: Plate) -> str:
        """Returns the heading of a conflict's map: `Map: ` and the map's title."""
        return f"{self.say('page.map')}{self.colon} {plate.title}"

    def lie_of(self, plate: Plate) -> Iterator[str]:
        """Yields a map as text lines: first the people in each zone, then the borders between zones."""
        yield from plate.picture.who_is_where()
        for border in plate.picture.lines:
            yield f"{plate.picture.between(border)}{self.colon} {plate.picture.passing(border)}"

    def in_words(self, plate: Plate) -> str:
        """Returns a map described in words, as the alternative text of its picture."""
        return f"{self.map_called(plate)}. {' '.join(plate.picture.told())}"

    def drawn(self, plate: Plate, columns: int) -> tuple[str, ...]:
        """Returns a map drawn with characters, as text lines of at most `columns`, its title included."""
        from retold.projections.maps.terminal import drawn  # noqa: PLC0415 -- it wraps its lines as we do

        return drawn(plate.picture, columns)

    # --- mechanics ---

    def luck(self, mechanic: Mechanic) -> str:
        """Returns where a roll's or draw's luck came from: `called`, or `dealt 1, called 5`; may be empty."""
        runs = (part.partition(" ") for part in mechanic.luck.split(", "))
        return ", ".join(f"{self._source(source)}{blank}{count}" for source, blank, count in runs)

    def _source(self, source: str) -> str:
        return self.say(_SOURCES[source]) if source in _SOURCES else source

    def line(self, mechanic: Mechanic) -> str:
        """Returns a roll, draw or number as a text line, with the source of its luck in brackets."""
        return f"{mechanic.text} [{self.luck(mechanic)}]" if mechanic.luck else mechanic.text

    def folded(self, mechanics: Sequence[Mechanic]) -> str:
        """Returns the summary shown while dice, cards and numbers are folded away, with their count."""
        return self.phrases.say("page.folded", number=len(mechanics))


def missing(one: Missing) -> str:
    """Returns a text line for a result that no player has told, with possible narrators in brackets."""
    return f"{one.what}{in_brackets(', '.join(one.who))}"


def in_brackets(text: str | None) -> str:
    """Returns ` (text)`, with a blank before it; empty for an empty text."""
    return f" ({text})" if text else ""


def stable_urn(*told_of: str) -> str:
    """Returns a UUID URN (version 8) hashed from the given texts, the same for the same texts."""
    digits = bytearray(hashlib.sha256("\0".join(told_of).encode("utf-8", "surrogatepass")).digest()[:16])
    digits[6] = 0x80 | digits[6] & 0x0F
    digits[8] = 0x80 | digits[8] & 0x3F
    told = digits.hex()
    return f"urn:uuid:{told[:8]}-{told[8:12]}-{told[12:16]}-{told[16:20]}-{told[20:]}"
