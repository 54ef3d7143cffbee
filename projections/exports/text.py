"""Plain text export, eighty columns wide, without markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from projections import safe
from projections.document import Mechanic, Member, Paragraph, Passage, Scene, Transcript, Variation
from projections.exports import page_elements
from projections.exports.page_elements import Furniture, MechanicsPlace, Note, Notes
from projections.exports.spool import ended, lined
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag
from projections.wrapping import width, wrap

COLUMNS: Final = 80
_INDENT: Final = "    "
_FURTHER: Final = "  "
_STROKE: Final = "  | "


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Transcript as plain text in UTF-8; folded mechanics are indented under their paragraph."""
    writer = TextWriter(place, transcript.phrases)
    scenes = [writer.scene(one) for one in transcript.scenes]
    return "".join(writer.document(transcript, scenes)).encode()


def _heading(text: str, under: str, columns: int = COLUMNS) -> Iterator[str]:
    shown = wrap(safe.line(text), columns)
    yield from (shown, under * max(width(line) for line in shown.split("\n")), "")


def _paragraph(text: str, columns: int = COLUMNS) -> Iterator[str]:
    yield from (wrap(safe.text(text), columns), "")


class TextWriter:
    """Writer of one text document; every block ends with an empty line."""

    deep = False
    """Headings look the same with and without sessions."""

    def __init__(self, place: MechanicsPlace, phrases: Phrases) -> None:
        self.place = place
        self.furniture = Furniture(phrases)
        self.columns = COLUMNS
        self.notes = Notes()
        self.shown = 0

    def scene(self, scene: Scene) -> str:
        """Text of a scene, without its session's heading; empty for an empty scene."""
        notes = self.footnotes() if self.place is MechanicsPlace.FOOTNOTES else ()
        return "".join(lined(chain(self.told_in(scene), notes)))

    def document(self, transcript: Transcript, scenes: Iterable[str]) -> Iterator[str]:
        """Yields the document in parts; `scenes` are the already written texts of its scenes."""
        return ended(self._document(transcript, scenes))

    def _document(self, transcript: Transcript, scenes: Iterable[str]) -> Iterator[str]:
        yield from lined(self._above(transcript))
        for scene, written in zip(transcript.scenes, scenes, strict=True):
            yield from lined(self.chapter(scene))
            yield written
        yield from lined(self._below(transcript))

    def _above(self, transcript: Transcript) -> Iterator[str]:
        yield from _heading(transcript.title, "=")
        for line in (self.furniture.byline(transcript), self.furniture.company(transcript)):
            if line:
                yield from _paragraph(line)
        if transcript.head.previously:
            yield from self.told(
                f"{self.furniture.say('page.previously')}: {transcript.head.previously}", labelled=True
            )
        if transcript.head.summary:
            yield from self.told(
                f"{self.furniture.say('page.in-short')}: {transcript.head.summary}", labelled=True
            )
        yield from self.cast(transcript.cast)

    def _below(self, transcript: Transcript) -> Iterator[str]:
        for part in self.furniture.afterwards(transcript.end):
            yield from _listed(part.title, part.lines)
        for title, entries in self.furniture.index(transcript):
            yield from _listed(
                title, (f"{one.name}: {page_elements.where(transcript, one)}" for one in entries)
            )
        yield from self.collected()

    def cast(self, cast: Sequence[Member]) -> Iterator[str]:
        """Yields the cast list; nothing if it is empty."""
        if not cast:
            return
        yield from _heading(self.furniture.say("page.cast"), "-")
        for one in cast:
            about = self.furniture.member(one)
            told = safe.line(f"{one.name}: {about}" if about else one.name)
            yield wrap(told, COLUMNS, hanging=_INDENT)
        yield ""

    def chapter(self, scene: Scene) -> Iterator[str]:
        """Yields the heading of a session, if the scene begins one."""
        if scene.chapter:
            yield from ("", *_heading(self.furniture.chapter(scene.chapter), "=", self.columns))

    def told_in(self, scene: Scene) -> Iterator[str]:
        """Yields a scene under its heading."""
        if scene.title is not None:
            yield from ("", *_heading(scene.title, "-", self.columns))
        for passage in scene.passages:
            yield from self.passage(passage)

    def passage(self, passage: Passage) -> Iterator[str]:
        """Yields a passage with its conflict's heading, variations and map."""
        heading = passage.conflict
        if heading is not None:
            yield from _heading(self.furniture.conflict(heading), "~", self.columns)
            against = self.furniture.against(heading) + self.mark(heading.id, heading.mechanics)
            yield from _paragraph(against, self.columns)
            yield from self.block(heading.mechanics)
        for one in page_elements.in_order(passage):
            yield from self.variation(one) if isinstance(one, Variation) else self.paragraph(one)
        if passage.plate is not None:
            yield from (*self.furniture.drawn(passage.plate, self.columns), "")

    def variation(self, one: Variation) -> Iterator[str]:
        """Yields another line's story, with a stroke before each line."""
        self.columns -= len(_STROKE)
        shown = list(_heading(self.furniture.other_line(one), ".", self.columns))
        for scene in one.scenes:
            shown += (*self.chapter(scene), *self.told_in(scene))
        if not one.scenes:
            shown += _paragraph(self.furniture.say("page.told-apart"), self.columns)
        self.columns += len(_STROKE)
        lines = "\n".join(shown).rstrip("\n").split("\n")
        yield from (*((_STROKE + line).rstrip() for line in lines), "")

    def paragraph(self, paragraph: Paragraph) -> Iterator[str]:
        """Yields a told paragraph, with mechanics beneath it or a note mark."""
        mark = self.mark(paragraph.id, paragraph.mechanics)
        if paragraph.kind is not Tag.MECHANICS:
            label = page_elements.label(paragraph)
            lead = f"{label}: " if label else ""
            yield from self.told(
                f"{lead}{page_elements.marked_speech(paragraph)}{mark}", labelled=bool(label)
            )
        elif mark:
            yield from _paragraph(f"{self.furniture.say('page.mechanics')}{mark}", self.columns)
        yield from self.block(paragraph.mechanics)

    def told(self, text: str, *, labelled: bool) -> Iterator[str]:
        """Yields wrapped paragraphs; further ones are indented, fully if the text is labelled."""
        for number, one in enumerate(safe.paragraphs(text)):
            following = _FURTHER if labelled and number else ""
            yield wrap(one, self.columns, _FURTHER if number else "", following)
        yield ""

    def mark(self, id_: str, mechanics: Sequence[Mechanic]) -> str:
        """Note mark for a paragraph's mechanics; empty if they stand beneath it."""
        if not mechanics or self.place not in (MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX):
            return ""
        return f" [{self.notes.add(id_, mechanics)}]"

    def block(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """Yields mechanics beneath a paragraph, if they stand there."""
        if not mechanics or self.place not in (MechanicsPlace.INLINE, MechanicsPlace.FOLDED):
            return
        if self.place is MechanicsPlace.FOLDED:
            yield wrap(safe.line(self.furniture.folded(mechanics)), self.columns, _INDENT)
        for one in mechanics:
            yield wrap(f"- {self.furniture.line(one)}", self.columns, _INDENT, _INDENT + "  ")
        yield ""

    def footnotes(self) -> Iterator[str]:
        """Yields the footnotes of a scene."""
        yield from self.numbered(self.notes.taken[self.shown :])
        self.shown = len(self.notes.taken)

    def collected(self) -> Iterator[str]:
        """Yields the appendix."""
        if self.place is MechanicsPlace.APPENDIX and self.notes.taken:
            yield from ("", *_heading(self.furniture.say("page.mechanics"), "-"))
            yield from self.numbered(self.notes.taken)

    def numbered(self, notes: Sequence[Note]) -> Iterator[str]:
        """Yields numbered notes of mechanics."""
        for note in notes:
            number = f"[{note.number}] "
            for i, one in enumerate(note.mechanics):
                lead = " " * len(number) if i else number
                told = lead.lstrip() + self.furniture.line(one)
                yield wrap(told, COLUMNS, lead if i else "", " " * (len(number) + 2))
        if notes:
            yield ""


def _listed(title: str, lines: Iterable[str]) -> Iterator[str]:
    shown = [wrap(f"- {safe.line(line)}", COLUMNS, hanging="  ") for line in lines]
    if shown:
        yield from ("", *_heading(title, "-"), *shown, "")
