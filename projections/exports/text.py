"""Plain text export, eighty columns wide, without markup."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from retold.projections.exports import blocks as b
from retold.projections.exports.page_elements import MechanicsPlace, Note
from retold.projections.exports.spool import BlockWriter, lined
from retold.projections.prose.phrases import Phrases
from retold.projections.story.document import Mechanic, Scene
from retold.projections.texts import emphasis, safe
from retold.projections.texts.wrapping import width, wrap

COLUMNS: Final = 80
_INDENT: Final = "    "
_FURTHER: Final = "  "
_STROKE: Final = "  | "


class TextWriter(BlockWriter):
    """Writer of one plain text document, with headings underlined and text wrapped."""

    def __init__(self, place: MechanicsPlace, phrases: Phrases) -> None:
        super().__init__(place, phrases)
        self.columns = COLUMNS
        self.shown = 0
        """Number of footnotes already written."""

    def scene(self, scene: Scene) -> str:
        """Returns the text of a scene, with its footnotes under it."""
        lines = self.lines(self.blocks.scene(scene))
        return lined(chain(lines, self.footnotes()))

    def block(self, block: b.Block) -> Iterable[str]:  # noqa: C901, PLR0911 -- one case for each block
        """Returns the text lines of a block, with an empty line after it."""
        match block:
            case b.Told():
                return self.told(block)
            case b.Beneath(mechanics):
                return self.beneath(mechanics)
            case b.Heading(sort, text):
                heading = self.heading(text, "-" if sort == "scene" else "=")
                return heading if sort == "title" else ("", *heading)
            case b.Conflict(_, text, against):
                return *self.heading(text, "~"), *self.paragraph(f"{against}{_mark(block.note)}")
            case b.Picture():
                return self.paragraph(f"[{block.in_words}]")
            case b.Line(text) | b.Apart(text):
                return self.paragraph(text)
            case b.Foretold(_, label, text):
                return self.typed(f"{label}{self.blocks.furniture.colon} {text}", labelled=True)
            case b.Epigraph(quote):
                who = f"{_INDENT}— {safe.line(quote.who)}\n" if quote.who else ""
                parts = _paragraphs(quote.text)
                return *(gap + wrap(part, self.columns, _INDENT, _INDENT) for gap, part in parts), who
            case b.Branch():
                return self.branch(block)
            case b.Map(plate):
                return *self.blocks.furniture.drawn(plate, self.columns), ""
            case b.Part():
                return self.part(block)
            case b.Break():
                return ()

    def heading(self, text: str, under: str) -> tuple[str, ...]:
        """Returns a heading with a line of `under` signs below it, and an empty line."""
        shown = wrap(safe.line(text), self.columns)
        return shown, under * max(width(line) for line in shown.split("\n")), ""

    def paragraph(self, text: str) -> tuple[str, ...]:
        """Returns a text wrapped to the page's width, and an empty line."""
        return wrap(safe.text(text), self.columns), ""

    def typed(self, text: str, *, labelled: bool) -> Iterator[str]:
        """Yields the paragraphs of a typed text, wrapped; the second and later ones are indented.

        With `labelled` every line of these is indented, as are all lines of verse, else only the first.
        """
        for number, (gap, part) in enumerate(_paragraphs(text)):
            following = _FURTHER if number and (labelled or "\n" in part) else ""
            yield gap + wrap(part, self.columns, _FURTHER if number else "", following)
        yield ""

    def told(self, block: b.Told) -> Iterable[str]:
        """Returns a paragraph of the story; only its note mark if it has dice or cards and no words."""
        mark, label = _mark(block.note), block.label
        if not block.is_bare:
            lead = f"{label}{block.colon} " if label else ""
            return self.typed(f"{lead}{block.text}{mark}", labelled=bool(label))
        return self.paragraph(self.blocks.furniture.say("page.mechanics") + mark) if mark else ()

    def beneath(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """Yields dice, cards and numbers as an indented list under their paragraph."""
        if self.blocks.place is MechanicsPlace.FOLDED:
            yield wrap(safe.line(self.blocks.furniture.folded(mechanics)), self.columns, _INDENT)
        for mechanic in mechanics:
            yield wrap(f"- {self.blocks.furniture.line(mechanic)}", self.columns, _INDENT, _INDENT + "  ")
        yield ""

    def branch(self, block: b.Branch) -> Iterable[str]:
        """Returns a variation (another branch's story), with a stroke before each text line."""
        self.columns -= len(_STROKE)
        shown = [*self.heading(block.text, "."), *self.lines(self.blocks.within(block))]
        self.columns += len(_STROKE)
        lines = "\n".join(shown).rstrip("\n").split("\n")
        return *((_STROKE + line).rstrip() for line in lines), ""

    def part(self, part: b.Part) -> Iterable[str]:
        """Returns a titled part around the story (cast, changes, quotes, …) as a list."""
        heading = self.heading(part.title, "-")
        if part.sort == "cast":
            return *heading, *(wrap(safe.line(line), COLUMNS, hanging=_INDENT) for line in part.lines), ""
        items = (wrap(f"- {safe.line(line)}", COLUMNS, hanging="  ") for line in part.lines)
        return "", *heading, *items, ""

    def footnotes(self) -> Iterator[str]:
        """Yields the footnotes not yet written, and counts them as written."""
        if self.blocks.place is MechanicsPlace.FOOTNOTES:
            notes = self.blocks.notes.taken[self.shown :]
            self.shown += len(notes)
            yield from self.numbered(notes)

    def collected(self) -> Iterable[str]:
        """Returns the appendix with dice, cards and numbers; no lines if their place is not the appendix."""
        if self.blocks.place is not MechanicsPlace.APPENDIX or not self.blocks.notes.taken:
            return ()
        heading = self.heading(self.blocks.furniture.say("page.mechanics"), "-")
        return "", *heading, *self.numbered(self.blocks.notes.taken)

    def numbered(self, notes: Sequence[Note]) -> Iterator[str]:
        """Yields notes as text lines: `[3]` before the first roll or draw of note 3, the others below it."""
        for note in notes:
            number = f"[{note.number}] "
            for i, mechanic in enumerate(note.mechanics):
                lead = " " * len(number) if i else number
                told = lead.lstrip() + self.blocks.furniture.line(mechanic)
                yield wrap(told, COLUMNS, lead if i else "", " " * (len(number) + 2))
        if notes:
            yield ""


def _paragraphs(text: str) -> Iterator[tuple[str, str]]:
    """Yields the paragraphs of a typed text, each behind its separator: a line end beside verse."""
    parts = safe.paragraphs(emphasis.words(text))
    for before, part in pairwise(("", *parts)):
        yield "\n" if before and "\n" in f"{before}{part}" else "", part


def _mark(note: int | None) -> str:
    return "" if note is None else f" [{note}]"
