"""What every format shares: where mechanics stand, how a paragraph is headed, the lines of a head."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from projections.pages import (
    Chapter,
    Conflict,
    End,
    Entry,
    Mechanic,
    Member,
    Paragraph,
    Passage,
    Plate,
    Transcript,
    Variation,
)
from projections.plain.ink import listed
from projections.prose import labels
from projections.prose.phrases import ENGLISH
from projections.prose.telling import Tag, reflowed


class Place(StrEnum):
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


@dataclass(slots=True)
class Notes:
    """Numbers given out from 1, in the order they are asked for."""

    taken: list[Note] = field(default_factory=list)

    def add(self, id_: str, mechanics: Sequence[Mechanic]) -> int:
        """The number of a new block."""
        self.taken.append(Note(len(self.taken) + 1, id_, mechanics))
        return len(self.taken)


def line(mechanic: Mechanic) -> str:
    """A line of mechanics with where its luck came from."""
    return f"{mechanic.text} [{mechanic.luck}]" if mechanic.luck else mechanic.text


def label(paragraph: Paragraph) -> str:
    """What a paragraph is headed with: `Zel declares`, `Note`; empty for a story's own sentences."""
    if paragraph.label is None:
        return labels.label(ENGLISH, paragraph, paragraph.speaker, paragraph.manner)
    return paragraph.label


def said(paragraph: Paragraph) -> str:
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


def byline(transcript: Transcript) -> str:
    """Campaign, date, systems and who ran it, on one line."""
    head = transcript.head
    parts = [
        head.campaign if head.session is not None else None,
        head.date or evenings(transcript),
        ", ".join(head.systems) or None,
        None if head.gm is None else f"run by {head.gm}",
    ]
    return " · ".join(part for part in parts if part)


def evenings(transcript: Transcript) -> str:
    """Which sessions it has, and when they were played, on one line; empty where it has no chapters."""
    chapters = [scene.chapter for scene in transcript.scenes if scene.chapter]
    if not chapters:
        return ""
    dates = sorted({one.date for one in chapters if one.date})
    played = " to ".join(dates if len(dates) <= 1 else (dates[0], dates[-1]))
    numbers = runs([one.session for one in chapters])
    told = f"Session{'s' if len(chapters) > 1 else ''} {', '.join(map(run, numbers))}"
    return f"{told}, {played}" if played else told


UNDATED = "2000-01-01"
"""Where a file has to have a date and nobody said one; never today's, for then no two files were alike."""


def played(transcript: Transcript) -> str:
    """The day it was played, the last of several, as YYYY-MM-DD."""
    chapters = (scene.chapter for scene in transcript.scenes if scene.chapter)
    return transcript.head.date or max((one.date for one in chapters if one.date), default=UNDATED)


def authors(transcript: Transcript) -> tuple[str, ...]:
    """Who told it: the game master, then the players."""
    head = transcript.head
    return tuple(dict.fromkeys((*([head.gm] if head.gm else ()), *(one.player for one in head.players))))


def company(transcript: Transcript) -> str:
    """Who played whom, and who was absent, on one line."""
    head = transcript.head
    played = ", ".join(f"{one.player} ({listed(one.characters)})" for one in head.players)
    absent = ", ".join(head.absent)
    parts = [f"With {played}" if played else "", f"absent: {absent}" if absent else ""]
    return " · ".join(part for part in parts if part)


def chapter(heading: Chapter) -> str:
    """The heading of a session."""
    title = f": {heading.title}" if heading.title else ""
    date = f" ({heading.date})" if heading.date else ""
    return f"Session {heading.session}{title}{date}"


def anchor(session: int) -> str:
    """The id of a session's heading."""
    return f"session-{session}"


def afterwards(end: End) -> Iterator[tuple[str, Sequence[str]]]:
    """The parts of what stands at the end, each a title and its lines; none that is empty."""
    parts = (
        ("What changed", end.changed),
        ("Open", end.open),
        ("Quotes", [f"“{one.text}”{f' ({one.who})' if one.who else ''}" for one in end.quotes]),
        (
            "Not told yet",
            [f"{one.what} ({', '.join(one.who)})" if one.who else one.what for one in end.untold],
        ),
    )
    return (part for part in parts if part[1])


def index(transcript: Transcript) -> Iterator[tuple[str, Sequence[Entry]]]:
    """The parts of a book's index, each with its title; none that is empty."""
    for title, kind in (("Index of people", "person"), ("Index of places", "place")):
        entries = [one for one in transcript.index if one.kind == kind]
        if entries:
            yield title, entries


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


def sessions(entry: Entry) -> str:
    """The sessions of an entry on one line."""
    return ", ".join(map(run, runs(entry.sessions)))


def conflict(heading: Conflict) -> str:
    """The heading of a conflict."""
    return f"{heading.title} (continued)" if heading.continued else heading.title


def against(heading: Conflict) -> str:
    """Who stands against whom, and what is at stake, on one line."""
    sides = " against ".join(listed(side) for side in heading.sides)
    stakes = "" if heading.stakes is None or heading.continued else f" At stake: {heading.stakes}"
    return f"{heading.system}: {sides}.{stakes}"


def member(one: Member) -> str:
    """What is said of somebody in the cast after their name."""
    played = f"played by {one.player}" if one.player else ""
    return "; ".join(part for part in (one.phrase or "", played) if part)


def in_order(passage: Passage) -> Iterator[Paragraph | Variation]:
    """The paragraphs of a passage, and the variations where each stands."""
    yield from (one for one in passage.variations if one.after is None)
    for paragraph in passage.paragraphs:
        yield paragraph
        yield from (one for one in passage.variations if one.after == paragraph.id)


def other_line(variation: Variation) -> str:
    """The heading of a variation: the line's name, and why somebody left for it."""
    return f"Variation {variation.name}{': ' + variation.why if variation.why else ''}"


TOLD_APART = "It is told apart, as a line of its own."
"""Stands for the scenes of a variation that has none."""


def drawn(plate: Plate, columns: int) -> tuple[str, ...]:
    """A map in letters, no line wider than `columns`; its title first."""
    from projections.maps.terminal import drawn as lines  # noqa: PLC0415 -- it wraps its lines as we do

    return lines(plate.picture, columns)


def map_called(plate: Plate) -> str:
    """The heading of a map."""
    return f"Map: {plate.title}"


def lie_of(plate: Plate) -> Iterator[str]:
    """A map in lines, for a format that draws none: who is where, and what it takes to go on."""
    yield from plate.picture.who_is_where()
    for border in plate.picture.lines:
        yield f"{plate.picture.between(border)}: {plate.picture.passing(border)}"


def retold(variation: Variation) -> Iterator[str]:
    """A variation as lines, for a format in which it is no part of the story: why it is, and what is told."""
    yield other_line(variation)
    if not variation.scenes:
        yield TOLD_APART
    for scene in variation.scenes:
        if scene.title is not None:
            yield scene.title
        for passage in scene.passages:
            if passage.conflict is not None:
                yield conflict(passage.conflict)
            for one in in_order(passage):
                yield from retold(one) if isinstance(one, Variation) else _headed(one)


def _headed(paragraph: Paragraph) -> Iterator[str]:
    lead = label(paragraph)
    if paragraph.text.strip():
        yield f"{lead}: {said(paragraph)}" if lead else said(paragraph)
    yield from map(line, paragraph.mechanics)
