"""DOCX export with real headings and styles, for further editing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple, assert_never

from projections import emphasis, safe
from projections.document import Chapter, Mechanic, Member, Plate, Transcript
from projections.exports import blocks as b
from projections.exports import page_elements
from projections.exports.docx import styles
from projections.exports.docx.footnotes import Footnotes
from projections.exports.docx.styles import LABEL, MARK, TABLE, going_on
from projections.exports.packing import pack
from projections.exports.page_elements import MechanicsPlace
from projections.exports.typesetting import drawn
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph


STYLES: Final = {
    Tag.SPEECH: "Speech",
    Tag.EXCHANGE: "Quote",
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


ORNAMENT: Final = "⁂"
"""Stands between parts of a scene."""

LISTED: Final = {"Heading 1": "toc 1", "Heading 2": "toc 2"}
"""Heading styles listed in the contents, with their styles there."""

TALLEST: Final = 560
"""Greatest height of a map in points, about a page without margins."""


POINTS: Final = 0.5
"""Points for each pixel of a picture, if there is room."""

PORTRAIT: Final = 54
"""Width of a portrait in points; it is no higher than twice that."""


class ListedHeading(NamedTuple):
    """Heading listed in the contents: style, text and bookmark name."""

    style: str
    text: str
    place: str


class DocxWriter:
    """Writer that fills one python-docx document with the blocks of a transcript."""

    def __init__(self, document: Document, place: MechanicsPlace, phrases: Phrases) -> None:
        self.document = document
        self.blocks = b.Blocks(place, phrases)
        self.furniture = self.blocks.furniture
        self.own = phrases.lang
        """Language of Retold's own words; None if it is that of the document."""
        self.styles = {style.name: style.style_id for style in document.styles}
        self.footnotes = Footnotes(self.styles)
        self.bookmarks = 0
        self.within = 0
        self.has_told = False
        """True if words of the story stand behind the last heading or ornament."""
        self.headings: list[ListedHeading] = []

    def document_of(self, transcript: Transcript) -> None:
        """Appends the whole transcript to the document, from title to notes, with a table of contents.

        Only a transcript with sessions has a table of contents.
        """
        self.running(transcript)
        above, cast = [*self.blocks.above(transcript)], []
        if transcript.cast:
            cast = [above.pop()]
        self.write(above)
        begins = self.add("Body Text") if transcript.chapters else None
        self.write(cast)
        self.write(self.blocks.story(transcript.scenes))
        self.write(self.blocks.below(transcript))
        self.collected()
        owed = self.furniture.owed(transcript.head.credits)
        if owed:
            self.add("Imprint", owed)
        if begins is not None:
            self.contents(begins)

    def write(self, blocks: Iterable[b.Block]) -> None:
        """Appends several blocks to the document."""
        for block in blocks:
            self.block(block)

    def block(self, block: b.Block) -> None:  # noqa: C901, PLR0912 -- one case for each block
        """Appends a story block to the document, in the DOCX style of its kind."""
        match block:
            case b.Told():
                self.paragraph(block)
            case b.Beneath(mechanics):
                self.mechanics(mechanics)
            case b.Heading():
                self.heading(block)
            case b.Conflict(_, text, against, level):
                self.add("Variation" if self.within else f"Heading {level}", text)
                self.mark(self.add("Stakes", against), block.note)
            case b.Branch():
                self.add("Variation", block.text)
                self.within += 1
                self.write(self.blocks.within(block))
                self.within -= 1
            case b.Apart(text):
                self.add("Body Text", text)
            case b.Map(plate):
                self.plate(plate)
            case b.Picture():
                self.picture(block)
            case b.Line(text):
                self.add("Subtitle", text)
            case b.Foretold(_, label, text):
                self.told("Previously", text, label)
            case b.Epigraph(quote):
                self.told("Quote", quote.text).add_run(safe.line(f" — {quote.who}" if quote.who else ""))
            case b.Part():
                self.part(block)
            case b.Break():
                self.ornament()
            case _:
                assert_never(block)

    # --- blocks -------------------------------------------------------------------------------------------

    def add(self, style: str, text: str = "") -> Paragraph:
        """Appends a paragraph in `style` and returns it; `text` is joined to one line.

        Inside variations it is indented; headings listed in the contents get a bookmark.
        """
        block = self.document.add_paragraph(safe.line(text))
        styles.set_style(block, self.styles[style])
        if self.within:
            styles.indent_more(block, self.within * INDENT)
        if style in LISTED:
            place = f"_Toc{len(self.headings) + 1:06}"
            self.place_named(block, place)
            self.headings.append(ListedHeading(style, block.text, place))
        return block

    def told(
        self, style: str, text: str, label: str = "", *, struck: bool = False, slanted: bool = False
    ) -> Paragraph:
        """Appends typed text as paragraphs, the first after its label; returns the last paragraph."""
        block = self.add(style)
        if label:
            styles.add_run(block, f"{safe.line(label)}{self.furniture.colon}", self.styles[LABEL])
            block.add_run(" ")
        for number, part in enumerate(emphasis.paragraphs(text)):
            if number:
                styles.close_up(block)
                block = self.add(going_on(style))
            for words in emphasis.runs(part):
                run = block.add_run(words.text)
                run.font.strike, run.font.bold = struck or None, words.strong or None
                if slanted or words.emphasis:
                    run.font.italic = (slanted or self.is_italic(style)) != words.emphasis
        return block

    def is_italic(self, style: str) -> bool:
        """True if a style is italic, so that emphasis in it is upright."""
        return bool(self.document.styles[style].font.italic)

    def place_named(self, block: Paragraph, name: str) -> None:
        """Adds a bookmark called `name` to a paragraph."""
        self.bookmarks += 1
        styles.add_bookmark(block, name, self.bookmarks)

    # --- the pages ----------------------------------------------------------------------------------------

    def running(self, transcript: Transcript) -> None:
        """Sets the header (campaign, title) and footer (page number) of every page except the first."""
        section = self.document.sections[0]
        section.different_first_page_header_footer = True
        campaign = transcript.head.campaign if transcript.head.session is not None else None
        section.header.paragraphs[0].text = safe.line(" · ".join(filter(None, (campaign, transcript.title))))
        styles.add_page_number(section.footer.paragraphs[0])

    def contents(self, begins: Paragraph) -> None:
        """Replaces the paragraph `begins` by a table of contents; the word processor adds page numbers."""
        head = begins.insert_paragraph_before(safe.line(self.furniture.say("page.contents")), "TOC Heading")
        head.paragraph_format.page_break_before = True
        entries: list[tuple[Paragraph, str, str]] = []
        for one in self.headings:
            block = begins if one is self.headings[-1] else begins.insert_paragraph_before()
            styles.set_style(block, self.styles[LISTED[one.style]])
            entries.append((block, one.text, one.place))
        styles.add_contents(entries, "1-2")

    def heading(self, heading: b.Heading) -> None:
        """Appends a heading; headings inside variations are left out of the contents."""
        if self.within:
            self.add("Variation", heading.text)
            return
        self.has_told = False
        if heading.chapter is not None:
            self.session(heading, heading.chapter)
            return
        block = self.add("Title" if heading.sort == "title" else f"Heading {heading.level}", heading.text)
        if heading.id:
            self.place_named(block, _place(heading.id))

    def session(self, heading: b.Heading, chapter: Chapter) -> None:
        """Appends the heading of a session: its number, its title, and its day and game master below."""
        opening = self.furniture.chapter_opening(chapter)
        above = [self.add("Session", opening.above)] if opening.above else []
        block = self.add(f"Heading {heading.level}", opening.title)
        (above or [block])[0].paragraph_format.page_break_before = True
        self.place_named(block, _place(heading.id))
        if opening.below:
            self.add("Day", opening.below)

    def ornament(self) -> None:
        """Appends the ornament between parts of a scene; none in variations, and none if nothing was told."""
        if self.has_told and not self.within:
            self.add("Break", ORNAMENT)
            self.has_told = False

    def plate(self, plate: Plate) -> None:
        """Appends a map with alternative text; as text only if no picture can be drawn here."""
        found = drawn(plate.picture)
        if found is None:
            self.add("Aside").add_run(safe.line(self.furniture.map_called(plate))).bold = True
            for text in self.furniture.lie_of(plate):
                self.add("Aside", text)
            return
        room = styles.line_width(self.document) - self.within * INDENT
        width = min(found.width, room, found.width * TALLEST / found.height)
        styles.add_picture(self.add("Plate"), found.png, width, safe.line(self.furniture.in_words(plate)))

    def picture(self, block: b.Picture) -> None:
        """Appends a picture with alternative text, and its caption below it."""
        image = block.image
        room = styles.line_width(self.document) - self.within * INDENT
        width = min(image.width * POINTS, room, image.width * TALLEST / image.height)
        styles.add_picture(self.add("Plate"), image.data, width, safe.line(image.alt))
        if block.caption:
            self.add("Plate").add_run(safe.line(block.caption)).italic = True

    def paragraph(self, told: b.Told) -> None:
        """Appends a paragraph of the story with its note mark.

        A paragraph with mechanics (dice, cards, numbers) but no words is appended only if notes hold these.
        """
        if not told.is_bare:
            style, struck = _style(told), told.source.struck
            block = self.told(style, told.text, told.label, struck=struck, slanted=told.is_slanted)
            if told.source.generated:
                styles.speak(block, self.own)
            self.mark(block, told.note)
            self.has_told = True
        elif self.blocks.place in b.NUMBERED:
            self.mark(self.add("Mechanics", self.furniture.say("page.mechanics")), told.note)

    # --- mechanics ----------------------------------------------------------------------------------------

    def mark(self, block: Paragraph, note: int | None) -> None:
        """Appends the mark of a note to a paragraph; nothing if `note` is None.

        The mark is a footnote with the note's text, or a link to the note if that is in the appendix.
        """
        if note is None:
            return
        if self.blocks.place is MechanicsPlace.FOOTNOTES:
            mechanics = self.blocks.notes.taken[note - 1].mechanics
            self.footnotes.add(block, safe.line(" · ".join(map(self.furniture.line, mechanics))))
        else:
            self.place_named(block, f"r{note}")
            styles.add_link(block, str(note), f"m{note}", self.styles[MARK])

    def mechanics(self, mechanics: Sequence[Mechanic]) -> None:
        """Appends mechanics (dice, cards, numbers) under their paragraph.

        Folded ones share one small paragraph; else each has a paragraph of its own.
        """
        if self.blocks.place is MechanicsPlace.FOLDED:
            folded = self.add("Mechanics Folded", " · ".join(map(self.furniture.line, mechanics)))
            styles.speak(folded, self.own)
        else:
            for mechanic in mechanics:
                line = self.add("Mechanics", f"\u2013 {self.furniture.line(mechanic)}")
                styles.speak(line, self.own)

    def collected(self) -> None:
        """Appends the appendix of mechanics (dice, cards, numbers), or adds the footnotes to the document."""
        self.footnotes.write(self.document)
        if self.blocks.notes.taken and self.blocks.place is MechanicsPlace.APPENDIX:
            self.add("Heading 1", self.furniture.say("page.mechanics"))
            self.appendix()

    def appendix(self) -> None:
        """Appends a table of the noted mechanics: note number, text and source of luck, with a header row."""
        table = self.document.add_table(1, len(COLUMNS), TABLE)
        styles.mark_table_head(table.rows[0])
        for cell, title in zip(table.rows[0].cells, COLUMNS, strict=True):
            styles.add_run(cell.paragraphs[0], safe.line(self.furniture.say(title)), self.styles[LABEL])
        for note in self.blocks.notes.taken:
            for one in note.mechanics:
                number, what, luck = (cell.paragraphs[0] for cell in table.add_row().cells)
                if one is note.mechanics[0]:
                    self.place_named(number, f"m{note.number}")
                styles.add_link(number, str(note.number), f"r{note.number}")
                what.add_run(safe.line(one.text))
                luck.add_run(safe.line(self.furniture.luck(one)))

    # --- around the story ---------------------------------------------------------------------------------

    def part(self, part: b.Part) -> None:
        """Appends a part around the story: cast and index with names in bold, quotes, or a list."""
        styles.speak(self.add("Heading 1", part.title), self.own)
        match part.sort:
            case "cast":
                for member in part.members:
                    about = self.furniture.member(member)
                    self.portrait(member)
                    described = f"{self.furniture.colon} {about}" if about else ""
                    self.named(member.name).add_run(safe.line(described))
                made = self.furniture.portraits_by(part.members)
                if made:
                    self.add("Body Text").add_run(safe.line(made)).italic = True
            case "quotes":
                for quote in part.quotes:
                    block = self.told("Quote", quote.text)
                    block.add_run(safe.line(f" — {quote.who}" if quote.who else ""))
            case "index":
                for name, places in part.entries:
                    block = self.named(name)
                    for number, found in enumerate(places):
                        block.add_run(", " if number else f"{self.furniture.colon} ")
                        self.found(block, found)
            case _:
                for line in part.lines:
                    styles.speak(self.add("List Bullet", line), self.own)

    def portrait(self, member: Member) -> None:
        """Appends the portrait of a cast member, if there is one."""
        image = member.portrait
        if image is not None:
            width = min(PORTRAIT, 2 * PORTRAIT * image.width / image.height)
            styles.add_picture(self.add("Body Text"), image.data, width, safe.line(image.alt))

    def named(self, name: str) -> Paragraph:
        """Appends a paragraph that begins with a name in bold, and returns it."""
        block = self.add("Body Text")
        block.add_run(safe.line(name)).bold = True
        return block

    def found(self, block: Paragraph, found: page_elements.IndexedPlaces) -> None:
        """Appends links for an index entry to `block`: to sessions, or to named scenes of a session."""
        styles.add_link(
            block, page_elements.run(found.sessions), _place(page_elements.anchor(found.sessions[0]))
        )
        for number, scene in enumerate(found.scenes):
            block.add_run("; " if number else " (")
            styles.add_link(block, safe.line(scene.title or ""), _place(scene.id or ""))
        if found.scenes:
            block.add_run(")")


def _style(told: b.Told) -> str:
    """Returns the name of the DOCX style for a paragraph of the story."""
    if told.source.eyes:
        return "Aside"
    return STYLES.get(told.source.kind, "Told" if told.label else "Body Text")


def _place(id_: str) -> str:
    """Returns the bookmark name for a heading's id, with `_` for each hyphen."""
    return id_.replace("-", "_")


_LONGEST_PROPERTY: Final = 255


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Returns the transcript as DOCX, with mechanics (dice, cards, numbers) at `place`.

    Folded mechanics are one small paragraph.
    """
    document = styles.dressed(transcript.lang)
    _describe(document, transcript)
    writer = DocxWriter(document, place, transcript.phrases)
    writer.document_of(transcript)
    styles.set_directions(document, writer.footnotes.root)
    return _packed(document)


def _describe(document: Document, transcript: Transcript) -> None:
    """Sets document properties: title, authors, language and date of play."""
    about = document.core_properties
    about.title = safe.line(transcript.title)[:_LONGEST_PROPERTY]
    about.author = safe.line(", ".join(page_elements.authors(transcript)))[:_LONGEST_PROPERTY]
    about.comments = about.last_modified_by = ""
    about.language = transcript.lang
    about.created = about.modified = datetime.fromisoformat(page_elements.played(transcript))


def _packed(document: Document) -> bytes:
    """Returns the document as DOCX bytes without a saving time, the same for the same transcript."""
    saved = io.BytesIO()
    document.save(saved)
    with zipfile.ZipFile(saved) as archive:
        return pack((name, archive.read(name)) for name in archive.namelist())
