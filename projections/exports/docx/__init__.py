"""DOCX export with real headings and styles, for further editing."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from retold.projections.exports import page_elements
from retold.projections.exports.docx import styles
from retold.projections.exports.docx.footnotes import Footnotes
from retold.projections.exports.docx.styles import TABLE
from retold.projections.exports.looks import LABEL
from retold.projections.exports.packing import pack
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.word_processing import PLAIN, BookWriter, Face, ListedHeading
from retold.projections.story.document import Transcript
from retold.projections.texts import safe

if TYPE_CHECKING:
    from docx.document import Document
    from docx.text.paragraph import Paragraph


class _Words:
    """Paragraph of a DOCX that is being written."""

    def __init__(self, paper: _Paper, block: Paragraph) -> None:
        self._paper = paper
        self._block = block

    def add(self, text: str, face: Face = PLAIN, style: str | None = None) -> None:
        """Appends text, in a character style if its name is given."""
        if style is not None:
            styles.add_run(self._block, text, self._paper.styles[style])
            return
        run = self._block.add_run(text)
        if face != PLAIN:
            run.font.strike, run.font.bold = face.struck or None, face.bold or None
            run.font.italic = face.italic

    def add_link(self, text: str, name: str, style: str | None = None) -> None:
        """Appends a link with this text to the bookmark `name`."""
        styles.add_link(self._block, text, name, None if style is None else self._paper.styles[style])

    def add_place(self, name: str) -> None:
        """Adds a bookmark."""
        self._paper.bookmarks += 1
        styles.add_bookmark(self._block, name, self._paper.bookmarks)

    def add_footnote(self, text: str) -> None:
        """Appends a footnote with this text."""
        self._paper.footnotes.add(self._block, text)

    def add_picture(self, png: bytes, size: tuple[float, float], alt: str) -> None:
        """Appends a picture; its height follows from its width."""
        styles.add_picture(self._block, png, size[0], alt)

    def speak(self, lang: str | None) -> None:
        """Sets the language of all runs so far."""
        styles.speak(self._block, lang)

    def close_up(self) -> None:
        """Reduces the space after the paragraph to one point."""
        styles.close_up(self._block)

    def begin_page(self) -> None:
        """Makes the paragraph the first of a page."""
        self._block.paragraph_format.page_break_before = True


class _Paper:
    """DOCX that is being written."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self.styles = {style.name: style.style_id for style in document.styles}
        self.footnotes = Footnotes(self.styles)
        self.bookmarks = 0
        self._contents: Paragraph | None = None

    @property
    def line_width(self) -> float:
        """Width of a line of text in points."""
        return styles.line_width(self._document)

    def add(self, style: str, indent: float = 0) -> _Words:
        """Appends an empty paragraph."""
        return _Words(self, self._block(style, indent))

    def _block(self, style: str, indent: float = 0) -> Paragraph:
        block = self._document.add_paragraph()
        styles.set_style(block, self.styles[style])
        if indent:
            styles.indent_more(block, indent)
        return block

    def set_running(self, header: str) -> None:
        """Sets header and footer of every page except the first."""
        section = self._document.sections[0]
        section.different_first_page_header_footer = True
        section.header.paragraphs[0].text = header
        styles.add_page_number(section.footer.paragraphs[0])

    def add_table(self, titles: Sequence[str]) -> Callable[[], Sequence[_Words]]:
        """Appends a table whose first row is repeated on each page."""
        table = self._document.add_table(1, len(titles), TABLE)
        styles.mark_table_head(table.rows[0])
        for cell, title in zip(table.rows[0].cells, titles, strict=True):
            styles.add_run(cell.paragraphs[0], title, self.styles[LABEL])
        return lambda: [_Words(self, cell.paragraphs[0]) for cell in table.add_row().cells]

    def reserve_contents(self) -> None:
        """Appends the paragraph before which the contents will stand."""
        self._contents = self._block("Body Text")

    def write_contents(self, title: str, headings: Sequence[ListedHeading]) -> None:
        """Writes a table of contents; the word processor adds page numbers."""
        begins = self._contents
        assert begins is not None  # noqa: S101 -- their place is reserved first
        head = begins.insert_paragraph_before(title, "TOC Heading")
        head.paragraph_format.page_break_before = True
        entries: list[tuple[Paragraph, str, str]] = []
        for one in headings:
            block = begins if one is headings[-1] else begins.insert_paragraph_before()
            styles.set_style(block, self.styles[f"toc {one.level}"])
            entries.append((block, one.text, one.place))
        styles.add_contents(entries, "1-2")


_LONGEST_PROPERTY: Final = 255


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Returns the transcript as DOCX, with mechanics (dice, cards, numbers) at `place`.

    Folded mechanics are one small paragraph.
    """
    document = styles.dressed(transcript.lang)
    _describe(document, transcript)
    paper = _Paper(document)
    BookWriter(paper, place, transcript.phrases).document_of(transcript)
    paper.footnotes.write(document)
    styles.set_directions(document, paper.footnotes.root)
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
