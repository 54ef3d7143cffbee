"""A transcript as plain text, eighty columns wide, without any markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from projections import safe
from projections.exports import layout
from projections.exports.layout import Note, Notes, Place
from projections.exports.wrapping import width, wrap
from projections.pages import End, Mechanic, Paragraph, Passage, Scene, Transcript, Variation
from projections.prose.telling import Tag

COLUMNS: Final = 80
_INDENT: Final = "    "
_STROKE: Final = "  | "


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript in UTF-8. Nothing folds here: what would be folded stands indented under its heading."""
    writer = _Writer(place)
    return ("\n".join(writer.document(transcript)).rstrip("\n") + "\n").encode()


def _heading(text: str, under: str, columns: int = COLUMNS) -> Iterator[str]:
    shown = wrap(safe.line(text), columns)
    yield from (shown, under * max(width(line) for line in shown.split("\n")), "")


def _paragraph(text: str, columns: int = COLUMNS) -> Iterator[str]:
    yield from (wrap(safe.text(text), columns), "")


class _Writer:
    """Writes one document, block by block, each followed by an empty line."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.columns = COLUMNS
        self.notes = Notes()
        self.shown = 0

    def document(self, transcript: Transcript) -> Iterator[str]:
        yield from _heading(transcript.title, "=")
        for line in (layout.byline(transcript), layout.company(transcript)):
            if line:
                yield from _paragraph(line)
        if transcript.head.previously:
            yield from _paragraph(f"Previously: {transcript.head.previously}")
        if transcript.head.summary:
            yield from _paragraph(f"In short: {transcript.head.summary}")
        if transcript.cast:
            yield from _heading("Cast", "-")
            for one in transcript.cast:
                about = layout.member(one)
                told = safe.line(f"{one.name}: {about}" if about else one.name)
                yield wrap(told, COLUMNS, hanging=_INDENT)
            yield ""
        for scene in transcript.scenes:
            yield from self.scene(scene)
            if self.place is Place.FOOTNOTES:
                yield from self.footnotes()
        yield from _end(transcript.end)
        for title, entries in layout.index(transcript):
            yield from _listed(title, (f"{one.name}: {layout.sessions(one)}" for one in entries))
        yield from self.collected()

    def scene(self, scene: Scene) -> Iterator[str]:
        if scene.chapter:
            yield from ("", *_heading(layout.chapter(scene.chapter), "=", self.columns))
        if scene.title is not None:
            yield from ("", *_heading(scene.title, "-", self.columns))
        for passage in scene.passages:
            yield from self.passage(passage)

    def passage(self, passage: Passage) -> Iterator[str]:
        heading = passage.conflict
        if heading is not None:
            yield from _heading(layout.conflict(heading), "~", self.columns)
            against = layout.against(heading) + self.mark(heading.id, heading.mechanics)
            yield from _paragraph(against, self.columns)
            yield from self.block(heading.mechanics)
        for one in layout.in_order(passage):
            yield from self.variation(one) if isinstance(one, Variation) else self.paragraph(one)
        if passage.plate is not None:
            yield from (*layout.drawn(passage.plate, self.columns), "")

    def variation(self, one: Variation) -> Iterator[str]:
        """Another line, indented under the event where it leaves, with a stroke before each of its lines."""
        self.columns -= len(_STROKE)
        shown = list(_heading(layout.other_line(one), ".", self.columns))
        for scene in one.scenes:
            shown += self.scene(scene)
        if not one.scenes:
            shown += _paragraph(layout.TOLD_APART, self.columns)
        self.columns += len(_STROKE)
        lines = "\n".join(shown).rstrip("\n").split("\n")
        yield from (*((_STROKE + line).rstrip() for line in lines), "")

    def paragraph(self, paragraph: Paragraph) -> Iterator[str]:
        mark = self.mark(paragraph.id, paragraph.mechanics)
        if paragraph.kind is not Tag.MECHANICS:
            label = layout.label(paragraph)
            lead = f"{label}: " if label else ""
            yield from _paragraph(f"{lead}{layout.said(paragraph)}{mark}", self.columns)
        elif mark:
            yield from _paragraph(f"Mechanics{mark}", self.columns)
        yield from self.block(paragraph.mechanics)

    def mark(self, id_: str, mechanics: Sequence[Mechanic]) -> str:
        """What points at a paragraph's mechanics, where they stand elsewhere."""
        if not mechanics or self.place not in (Place.FOOTNOTES, Place.APPENDIX):
            return ""
        return f" [{self.notes.add(id_, mechanics)}]"

    def block(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """A paragraph's mechanics, where they stand beneath it."""
        if not mechanics or self.place not in (Place.INLINE, Place.FOLDED):
            return
        if self.place is Place.FOLDED:
            yield f"{_INDENT}Mechanics ({len(mechanics)})"
        for one in mechanics:
            yield wrap(f"- {layout.line(one)}", self.columns, _INDENT, _INDENT + "  ")
        yield ""

    def footnotes(self) -> Iterator[str]:
        """The footnotes of a scene, under it."""
        yield from _numbered(self.notes.taken[self.shown :])
        self.shown = len(self.notes.taken)

    def collected(self) -> Iterator[str]:
        """The appendix."""
        if self.place is Place.APPENDIX and self.notes.taken:
            yield from ("", *_heading("Mechanics", "-"))
            yield from _numbered(self.notes.taken)


def _numbered(notes: Sequence[Note]) -> Iterator[str]:
    for note in notes:
        number = f"[{note.number}] "
        for i, one in enumerate(note.mechanics):
            lead = " " * len(number) if i else number
            yield wrap(lead.lstrip() + layout.line(one), COLUMNS, lead if i else "", " " * (len(number) + 2))
    if notes:
        yield ""


def _end(end: End) -> Iterator[str]:
    yield from _listed("What changed", end.changed)
    yield from _listed("Open", end.open)
    yield from _listed("Quotes", (f"“{one.text}”{f' ({one.who})' if one.who else ''}" for one in end.quotes))
    untold = (f"{one.what} ({', '.join(one.who)})" if one.who else one.what for one in end.untold)
    yield from _listed("Not told yet", untold)


def _listed(title: str, lines: Iterable[str]) -> Iterator[str]:
    shown = [wrap(f"- {safe.line(line)}", COLUMNS, hanging="  ") for line in lines]
    if shown:
        yield from ("", *_heading(title, "-"), *shown, "")
