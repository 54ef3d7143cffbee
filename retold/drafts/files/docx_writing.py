"""DOCX of a draft as it is sent, and of two revisions as tracked changes."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import escape

from rapidfuzz.distance import Indel

from retold.drafts.files.docx_reading import PROPERTY
from retold.drafts.files.kept_words import going, mark, place, title_of, worded
from retold.drafts.manuscript import BREAK, Coming, Manuscript
from retold.journal import marks
from retold.journal.extras import Extra
from retold.journal.vocabulary.drafts import Sort
from retold.projections.exports.docx import styles
from retold.projections.exports.packing import pack
from retold.projections.texts import safe

if TYPE_CHECKING:
    from docx.document import Document
    from docx.oxml.xmlchemy import BaseOxmlElement
    from docx.text.paragraph import Paragraph

_CUSTOM: Final = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_RELATED: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties"
_PROPERTIES: Final = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<Properties xmlns="http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"'
    ' xmlns:vt="http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes">'
    '<property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="2" name="{name}">'
    "<vt:lpwstr>{value}</vt:lpwstr></property></Properties>"
)
_DEEPEST_HEADING: Final = 3
_LONGEST_PROPERTY: Final = 255
_EARLIEST: Final = datetime(1980, 1, 1, tzinfo=UTC)
_WORDS: Final = re.compile(r"\w+|\s+|[^\w\s]")


class _Shape(NamedTuple):
    """Direct formatting of a paragraph, which word processors keep when they drop named styles."""

    style: str = "Normal"
    italic: bool = False
    bold: bool = False
    indent: float = 0
    """Points on both sides."""
    is_centred: bool = False


_SHAPES: Final[dict[Sort, _Shape]] = {
    "break": _Shape(is_centred=True),
    "epigraph": _Shape("Epigraph", italic=True, indent=36),
    "pull-quote": _Shape("Pull Quote", bold=True, indent=36),
}


class _Piece(NamedTuple):
    """Words of a paragraph: in both revisions, added, or removed."""

    text: str
    change: str = ""
    """`ins`, `del` or empty."""
    emphasis: bool = False
    strong: bool = False


def written(manuscript: Manuscript) -> bytes:
    """Returns a manuscript as DOCX; every paragraph has a bookmark, a document property names the draft."""
    writer = _Writer(manuscript)
    for block in going(manuscript):
        writer.paragraph(block, _pieces(block))
    return writer.packed()


def changed(before: Manuscript, after: Manuscript, author: str, at: datetime) -> bytes:
    """Returns a DOCX of `after` whose differences from `before` are tracked changes, word by word.

    The author of a change is the writer of its block; `author` where none is known. Blocks with the same id
    are compared; a block that moved is taken out and added. Accepting all changes gives `after`, rejecting
    all gives `before`.
    """
    writer = _Writer(after, safe.line(author), at)
    for old, new in _pairs(going(before), going(after)):
        if old is None or new is None:
            block, change = (old, "del") if new is None else (new, "ins")
            if block is not None:
                writer.paragraph(block, _pieces(block, change), change)
        elif new.sort == "break":
            writer.paragraph(new, [_Piece(BREAK)])
        else:
            writer.paragraph(new, list(_compared(old, new)))
    return writer.packed()


def _pairs(
    before: Sequence[Coming], after: Sequence[Coming]
) -> Iterator[tuple[Coming | None, Coming | None]]:
    """Yields the blocks of both revisions in order, the same block of both together."""
    old, new = ([(block.id, block.sort) for block in blocks] for blocks in (before, after))
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    for what, first, last, start, end in matcher.get_opcodes():
        if what == "equal":
            yield from zip(before[first:last], after[start:end], strict=True)
        else:
            yield from ((block, None) for block in before[first:last])
            yield from ((None, block) for block in after[start:end])


def _pieces(block: Coming, change: str = "") -> list[_Piece]:
    """Returns the words of a block by their marks."""
    if block.sort == "break":
        return [_Piece(BREAK, change)]
    return [_Piece(run.text, change, *run[1:]) for run in marks.runs(worded(block))]


def _compared(before: Coming, after: Coming) -> Iterator[_Piece]:
    """Yields the words of two blocks in order, and which of them were taken out or added."""
    old, new = (
        [piece._replace(text=word) for piece in _pieces(block) for word in _WORDS.findall(piece.text)]
        for block in (before, after)
    )
    for step in Indel.opcodes(old, new):
        taken, given = old[step.src_start : step.src_end], new[step.dest_start : step.dest_end]
        if step.tag == "equal":
            yield from _joined(taken, "")
        else:
            yield from (*_joined(taken, "del"), *_joined(given, "ins"))


def _joined(words: Iterable[_Piece], change: str) -> Iterator[_Piece]:
    for look, same in groupby(words, key=lambda piece: piece[2:]):
        yield _Piece("".join(piece.text for piece in same), change, *look)


class _Writer:
    """Writer of one DOCX, from its title to its properties."""

    def __init__(self, manuscript: Manuscript, author: str = "", at: datetime = _EARLIEST) -> None:
        Extra("python-docx", "docx", "docx").load("DOCX")
        self.document: Document = styles.dressed(manuscript.lang)
        self.manuscript = manuscript
        self._levels = {block.id: block.level for block in manuscript.blocks}
        self._author = author or "Retold"
        self._writers = {block.id: safe.line(block.writer) for block in manuscript.blocks if block.writer}
        self._date = at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        self._number = 0
        for shape in _SHAPES.values():
            self._add_style(shape)
        self._describe(title_of(manuscript))
        if title := title_of(manuscript):
            self.document.add_paragraph(title, "Title")

    def _add_style(self, shape: _Shape) -> None:
        from docx.enum.style import WD_STYLE_TYPE  # noqa: PLC0415 -- an extra

        if shape.style not in {style.name for style in self.document.styles}:
            made = self.document.styles.add_style(shape.style, WD_STYLE_TYPE.PARAGRAPH)
            made.base_style = self.document.styles["Normal"]

    def paragraph(self, block: Coming, pieces: Iterable[_Piece], change: str = "") -> None:
        """Appends a block as a paragraph; `change` is `ins` or `del` if the whole paragraph is."""
        from docx.enum.text import WD_ALIGN_PARAGRAPH  # noqa: PLC0415 -- an extra
        from docx.shared import Pt  # noqa: PLC0415 -- an extra

        shape = _SHAPES.get(block.sort, _Shape())
        if block.sort == "heading":
            level = min(self._levels.get(block.id or 0, 1), _DEEPEST_HEADING)
            shape = _Shape(f"Heading {level}")
        added = self.document.add_paragraph(style=shape.style)
        if shape.indent:
            added.paragraph_format.left_indent = added.paragraph_format.right_indent = Pt(shape.indent)
        if shape.is_centred:
            added.alignment = WD_ALIGN_PARAGRAPH.CENTER
        if change:
            self._mark_paragraph(added, self._change(change, block.id))
        begins, ends = self._bookmark(block.id) if change != "del" and block.id is not None else (None, None)
        if begins is not None:
            added._p.append(begins)  # noqa: SLF001 -- the element itself, as its documentation shows
        for piece in pieces:
            self._run(added, piece, shape, block.id)
        if ends is not None:
            added._p.append(ends)  # noqa: SLF001 -- as above

    def _run(self, added: Paragraph, piece: _Piece, shape: _Shape, block: int | None) -> None:
        run = added.add_run(piece.text)
        if shape.italic or piece.emphasis:
            run.italic = True
        if shape.bold or piece.strong:
            run.bold = True
        if piece.change:
            holder = self._change(piece.change, block)
            added._p.append(holder)  # noqa: SLF001 -- as above
            holder.append(run._r)  # noqa: SLF001 -- as above
        if piece.change == "del":
            for text in run._r.findall(styles.named("w:t")):  # noqa: SLF001 -- as above
                text.tag = styles.named("w:delText")

    def _mark_paragraph(self, added: Paragraph, change: BaseOxmlElement) -> None:
        """Marks the end of a paragraph as added or taken out."""
        properties = added._p.get_or_add_pPr()  # noqa: SLF001 -- as above
        signs = styles.element("w:rPr", {})
        signs.append(change)
        properties.append(signs)

    def _change(self, change: str, block: int | None) -> BaseOxmlElement:
        self._number += 1
        author = self._writers.get(block or 0, self._author)
        about = {"w:id": str(self._number), "w:author": author, "w:date": self._date}
        return styles.element(f"w:{change}", about)

    def _bookmark(self, id_: int) -> tuple[BaseOxmlElement, BaseOxmlElement]:
        self._number += 1
        number = {"w:id": str(self._number)}
        begins = styles.element("w:bookmarkStart", {**number, "w:name": place(id_)})
        return begins, styles.element("w:bookmarkEnd", number)

    def _describe(self, title: str) -> None:
        from docx.opc.packuri import PackURI  # noqa: PLC0415 -- an extra
        from docx.opc.part import Part  # noqa: PLC0415 -- an extra

        about = self.document.core_properties
        about.title = title[:_LONGEST_PROPERTY]
        about.author = about.comments = about.last_modified_by = ""
        about.language = self.manuscript.lang
        about.created = about.modified = _EARLIEST.replace(tzinfo=None)
        value = escape(mark(self.manuscript))
        data = _PROPERTIES.format(name=PROPERTY, value=value).encode()
        package = self.document.part.package
        package.relate_to(Part(PackURI("/docProps/custom.xml"), _CUSTOM, data, package), _RELATED)

    def packed(self) -> bytes:
        """Returns the document as bytes, the same for the same manuscript."""
        styles.set_directions(self.document)
        saved = io.BytesIO()
        self.document.save(saved)
        with zipfile.ZipFile(saved) as archive:
            return pack((name, archive.read(name)) for name in archive.namelist())
