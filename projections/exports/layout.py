"""What every format shares: where mechanics stand, how a paragraph is headed, the lines of a head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from projections.pages import Chapter, Conflict, Mechanic, Member, Paragraph, Transcript
from projections.plain.ink import listed
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


_NOTES = {Tag.NOTE: "Note", Tag.RULING: "Ruling"}


def label(paragraph: Paragraph) -> str:
    """What a paragraph is headed with: `Zel declares`, `Note`; empty for a story's own sentences."""
    parts = [_speaker(paragraph)]
    if paragraph.eyes:
        parts.append(f"({paragraph.eyes})")
    if paragraph.struck:
        parts.append("(overruled)")
    return " ".join(part for part in parts if part)


def _speaker(paragraph: Paragraph) -> str:
    speaker = paragraph.speaker or ""
    if paragraph.kind in _NOTES:
        return f"{_NOTES[paragraph.kind]} on {speaker}" if speaker else _NOTES[paragraph.kind]
    if paragraph.kind is Tag.NARRATION:
        return f"{speaker}, {paragraph.manner}" if paragraph.manner else speaker
    return f"{speaker} {paragraph.manner}".strip()


def said(paragraph: Paragraph) -> str:
    """Its text, reflowed: speech in quotation marks, a sentence of ours in square brackets."""
    text = reflowed(paragraph.text)
    if paragraph.kind is Tag.SPEECH:
        return f"“{text}”"
    return f"[{text}]" if paragraph.generated else text


def byline(transcript: Transcript) -> str:
    """Campaign, date, systems and who ran it, on one line."""
    head = transcript.head
    parts = [
        head.campaign if head.session is not None else None,
        head.date,
        ", ".join(head.systems) or None,
        None if head.gm is None else f"run by {head.gm}",
    ]
    return " · ".join(part for part in parts if part)


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
