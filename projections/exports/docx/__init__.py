"""DOCX export with real headings and styles, for further editing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from projections import safe
from projections.document import End, Mechanic, Paragraph, Passage, Plate, Scene, Transcript, Variation
from projections.exports import page_elements
from projections.exports.docx import styles
from projections.exports.docx.styles import LABEL, MARK, TABLE, dress, going_on
from projections.exports.packing import pack
from projections.exports.page_elements import Furniture, MechanicsPlace, Notes
from projections.exports.typesetting import drawn
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph as Block


STYLES: Final = {
    Tag.SPEECH: "Speech",
    Tag.DECLARATION: "Declaration",
    Tag.NOTE: "Aside",
    Tag.RULING: "Aside",
    Tag.EDIT: "Aside",
    Tag.ASIDE: "Aside",
    Tag.GENERATED: "Generated",
    Tag.NOTATION: "Notation",
    Tag.MECHANICS: "Mechanics",
    Tag.RIBBON: "Ribbon",
}
"""Styles of paragraph kinds other than plain text."""

INDENT: Final = 18
"""Indent in points for each enclosing variation."""

COLUMNS: Final = ("page.note", "page.what", "page.from")
"""Column headings of the appendix, by phrase key."""


LISTED: Final = {"Heading 1": "toc 1", "Heading 2": "toc 2"}
"""Heading styles listed in the contents, with their styles there."""

TALLEST: Final = 560
"""Greatest height of a map in points, about a page without margins."""


class Heading(NamedTuple):
    """Heading listed in the contents: style, text and bookmark name."""

    style: str
    text: str
    place: str


class DocxWriter:
    """Writer of one DOCX document."""

    def __init__(self, document: Document, place: MechanicsPlace, phrases: Phrases) -> None:
        self.document = document
        self.place = place
        self.furniture = Furniture(phrases)
        self.notes = Notes()
        self.styles = {style.name: style.style_id for style in document.styles}
        self.bookmarks = 0
        self.within = 0
        self.headings: list[Heading] = []

    def document_of(self, transcript: Transcript) -> None:
        """Writes the whole transcript, from title to notes."""
        deep = any(scene.chapter for scene in transcript.scenes)
        self.running(transcript)
        self.head(transcript)
        begins = self.add("Body Text") if deep else None
        self.cast(transcript)
        for scene in transcript.scenes:
            self.scene(scene, 2 if deep else 1)
        self.end(transcript.end)
        self.index(transcript)
        self.collected()
        if begins is not None:
            self.contents(begins)

    # --- blocks -------------------------------------------------------------------------------------------

    def add(self, style: str, text: str = "") -> Block:
        """Appends a paragraph of one line."""
        block = self.document.add_paragraph(safe.line(text))
        styles.set_style(block, self.styles[style])
        if self.within:
            styles.indent_more(block, self.within * INDENT)
        if style in LISTED:
            place = f"_Toc{len(self.headings) + 1:06}"
            self.place_named(block, place)
            self.headings.append(Heading(style, block.text, place))
        return block

    def told(
        self, style: str, text: str, label: str = "", *, struck: bool = False, slanted: bool = False
    ) -> Block:
        """Appends typed text, the first paragraph after its label; returns the last paragraph."""
        block = self.add(style)
        if label:
            styles.add_run(block, f"{safe.line(label)}:", self.styles[LABEL])
            block.add_run(" ")
        for number, part in enumerate(safe.paragraphs(text)):
            if number:
                styles.close_up(block)
                block = self.add(going_on(style))
            run = block.add_run(part)
            run.font.strike, run.font.italic = struck or None, slanted or None
        return block

    def place_named(self, block: Block, name: str) -> None:
        """Adds a bookmark to a paragraph."""
        self.bookmarks += 1
        styles.add_bookmark(block, name, self.bookmarks)

    def listed(self, title: str, lines: Iterable[str]) -> None:
        """Appends a heading with bullet points; nothing if there are no lines."""
        for number, text in enumerate(lines):
            if not number:
                self.add("Heading 1", title)
            self.add("List Bullet", text)

    # --- the pages ----------------------------------------------------------------------------------------

    def running(self, transcript: Transcript) -> None:
        """Sets header and footer of every page except the first."""
        section = self.document.sections[0]
        section.different_first_page_header_footer = True
        campaign = transcript.head.campaign if transcript.head.session is not None else None
        section.header.paragraphs[0].text = safe.line(" · ".join(filter(None, (campaign, transcript.title))))
        styles.add_page_number(section.footer.paragraphs[0])

    def head(self, transcript: Transcript) -> None:
        """Writes title, subtitle lines, previous events and summary."""
        self.add("Title", transcript.title)
        for text in (self.furniture.byline(transcript), self.furniture.company(transcript)):
            if text:
                self.add("Subtitle", text)
        if transcript.head.previously:
            self.told("Previously", transcript.head.previously, self.furniture.say("page.previously"))
        if transcript.head.summary:
            self.told("Previously", transcript.head.summary, self.furniture.say("page.in-short"))

    def contents(self, begins: Block) -> None:
        """Replaces a paragraph by a table of contents; the word processor adds page numbers."""
        begins.insert_paragraph_before(safe.line(self.furniture.say("page.contents")), "TOC Heading")
        entries: list[tuple[Block, str, str]] = []
        for one in self.headings:
            block = begins if one is self.headings[-1] else begins.insert_paragraph_before()
            styles.set_style(block, self.styles[LISTED[one.style]])
            entries.append((block, one.text, one.place))
        styles.add_contents(entries, "1-2")

    def cast(self, transcript: Transcript) -> None:
        """Writes the cast list."""
        if transcript.cast:
            self.add("Heading 1", self.furniture.say("page.cast"))
        for one in transcript.cast:
            block = self.add("Body Text")
            block.add_run(safe.line(one.name)).bold = True
            about = self.furniture.member(one)
            block.add_run(safe.line(f": {about}" if about else ""))

    def scene(self, scene: Scene, level: int) -> None:
        """Writes a scene, preceded by its session's heading."""
        if scene.chapter:
            block = self.add("Heading 1", self.furniture.chapter(scene.chapter))
            block.paragraph_format.page_break_before = True
            self.place_named(block, _place(page_elements.anchor(scene.chapter.session)))
        if scene.title is not None:
            block = self.add(f"Heading {level}", scene.title)
            if scene.id is not None:
                self.place_named(block, _place(scene.id))
        for passage in scene.passages:
            self.passage(passage, level + 1 if scene.title is not None else level)

    def passage(self, passage: Passage, level: int) -> None:
        """Writes a passage with its conflict's heading and its map."""
        heading = passage.conflict
        if heading is not None:
            self.add("Variation" if self.within else f"Heading {level}", self.furniture.conflict(heading))
            self.mark(self.add("Stakes", self.furniture.against(heading)), heading.id, heading.mechanics)
            self.mechanics(heading.mechanics)
        for one in page_elements.in_order(passage):
            if isinstance(one, Variation):
                self.variation(one, level)
            else:
                self.paragraph(one)
        if passage.plate is not None:
            self.plate(passage.plate)

    def plate(self, plate: Plate) -> None:
        """Writes a map with alternative text; as text only if no picture can be drawn here."""
        found = drawn(plate.picture)
        if found is None:
            self.add("Aside").add_run(safe.line(self.furniture.map_called(plate))).bold = True
            for text in self.furniture.lie_of(plate):
                self.add("Aside", text)
            return
        room = styles.line_width(self.document) - self.within * INDENT
        width = min(found.width, room, found.width * TALLEST / found.height)
        styles.add_picture(self.add("Plate"), found.png, width, safe.line(self.furniture.in_words(plate)))

    def variation(self, one: Variation, level: int) -> None:
        """Writes another line's story, indented; its headings are left out of the contents."""
        self.add("Variation", self.furniture.other_line(one))
        self.within += 1
        for scene in one.scenes:
            for title in (self.furniture.chapter(scene.chapter) if scene.chapter else None, scene.title):
                if title is not None:
                    self.add("Variation", title)
            for passage in scene.passages:
                self.passage(passage, level)
        if not one.scenes:
            self.add("Body Text", self.furniture.say("page.told-apart"))
        self.within -= 1

    def paragraph(self, paragraph: Paragraph) -> None:
        """Writes a told paragraph, with mechanics beneath it or a note mark."""
        if paragraph.kind is Tag.MECHANICS:
            if self.place in (MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX):
                self.mark(
                    self.add("Mechanics", self.furniture.say("page.mechanics")),
                    paragraph.id,
                    paragraph.mechanics,
                )
        else:
            label = page_elements.label(paragraph)
            block = self.told(
                _style(paragraph, label),
                page_elements.marked_speech(paragraph),
                label,
                struck=paragraph.struck,
                slanted=page_elements.slanted(paragraph),
            )
            self.mark(block, paragraph.id, paragraph.mechanics)
        self.mechanics(paragraph.mechanics)

    # --- mechanics ----------------------------------------------------------------------------------------

    def mark(self, block: Block, id_: str, mechanics: Sequence[Mechanic]) -> None:
        """Adds a note mark to a paragraph, if mechanics stand at the end."""
        if mechanics and self.place in (MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX):
            number = self.notes.add(id_, mechanics)
            self.place_named(block, f"r{number}")
            styles.add_link(block, str(number), f"m{number}", self.styles[MARK])

    def mechanics(self, mechanics: Sequence[Mechanic]) -> None:
        """Writes mechanics beneath their paragraph, if they stand there."""
        if mechanics and self.place is MechanicsPlace.FOLDED:
            self.add("Mechanics Folded", " · ".join(map(self.furniture.line, mechanics)))
        elif self.place is MechanicsPlace.INLINE:
            for one in mechanics:
                self.add("Mechanics", f"\u2013 {self.furniture.line(one)}")

    def collected(self) -> None:
        """Writes the collected mechanics at the end: numbered notes, or one table."""
        if not self.notes.taken:
            return
        self.add("Heading 1", self.furniture.say("page.mechanics"))
        if self.place is MechanicsPlace.APPENDIX:
            self.appendix()
            return
        for note in self.notes.taken:
            block = self.add("Mechanics")
            self.place_named(block, f"m{note.number}")
            styles.add_link(block, f"{note.number}.", f"r{note.number}")
            block.add_run(safe.line(" " + " · ".join(map(self.furniture.line, note.mechanics))))

    def appendix(self) -> None:
        """Writes all mechanics as a table with a header row."""
        table = self.document.add_table(1, len(COLUMNS), TABLE)
        styles.mark_table_head(table.rows[0])
        for cell, title in zip(table.rows[0].cells, COLUMNS, strict=True):
            styles.add_run(cell.paragraphs[0], safe.line(self.furniture.say(title)), self.styles[LABEL])
        for note in self.notes.taken:
            for one in note.mechanics:
                number, what, luck = (cell.paragraphs[0] for cell in table.add_row().cells)
                if one is note.mechanics[0]:
                    self.place_named(number, f"m{note.number}")
                styles.add_link(number, str(note.number), f"r{note.number}")
                what.add_run(safe.line(one.text))
                luck.add_run(safe.line(self.furniture.luck(one)))

    # --- the end ------------------------------------------------------------------------------------------

    def end(self, end: End) -> None:
        """Writes changes, open matters, quotes and untold mechanics."""
        for part in self.furniture.afterwards(end):
            if part.kind == "quotes":
                self.add("Heading 1", part.title)
                for quote in end.quotes:
                    block = self.told("Quote", quote.text)
                    block.add_run(safe.line(f" — {quote.who}" if quote.who else ""))
            else:
                self.listed(part.title, part.lines)

    def index(self, transcript: Transcript) -> None:
        """Writes the index; each session number is a link."""
        for title, entries in self.furniture.index(transcript):
            self.add("Heading 1", title)
            for one in entries:
                block = self.add("Body Text")
                block.add_run(safe.line(one.name)).bold = True
                for number, found in enumerate(page_elements.find_indexed(transcript, one)):
                    block.add_run(", " if number else ": ")
                    self.found(block, found)

    def found(self, block: Block, found: page_elements.IndexedPlaces) -> None:
        """Appends links to sessions, or to named scenes of a session."""
        styles.add_link(
            block, page_elements.run(found.sessions), _place(page_elements.anchor(found.sessions[0]))
        )
        for number, scene in enumerate(found.scenes):
            block.add_run("; " if number else " (")
            styles.add_link(block, safe.line(scene.title or ""), _place(scene.id or ""))
        if found.scenes:
            block.add_run(")")


def _style(paragraph: Paragraph, label: str) -> str:
    """Style name for a told paragraph."""
    if paragraph.eyes:
        return "Aside"
    return STYLES.get(paragraph.kind, "Told" if label else "Body Text")


def _place(id_: str) -> str:
    """Bookmark name for a heading's id."""
    return id_.replace("-", "_")


_LONGEST_PROPERTY: Final = 255


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Transcript as DOCX; footnotes stand at the end, folded mechanics in one small paragraph."""
    from docx import Document  # noqa: PLC0415 -- an extra

    document = Document()
    _drop_leftovers(document)
    dress(document, transcript.lang)
    _describe(document, transcript)
    DocxWriter(document, place, transcript.phrases).document_of(transcript)
    return _packed(document)


def _describe(document: Document, transcript: Transcript) -> None:
    """Sets document properties: title, authors, language and date of play."""
    about = document.core_properties
    about.title = safe.line(transcript.title)[:_LONGEST_PROPERTY]
    about.author = safe.line(", ".join(page_elements.authors(transcript)))[:_LONGEST_PROPERTY]
    about.comments = about.last_modified_by = ""
    about.language = transcript.lang
    about.created = about.modified = datetime.fromisoformat(page_elements.played(transcript))


def _drop_leftovers(document: Document) -> None:
    """Removes the template's thumbnail and its duplicate styles for old versions of Word."""
    for related in (document.part.package.rels, document.part.rels):
        for key, one in list(related.items()):
            if one.reltype.endswith(("/thumbnail", "/stylesWithEffects")):
                del related[key]


def _packed(document: Document) -> bytes:
    """DOCX bytes without a saving time."""
    saved = io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as archive:
        return pack((name, archive.read(name)) for name in archive.namelist())
