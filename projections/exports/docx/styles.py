"""DOCX styles with the looks of paragraphs, and low-level helpers for python-docx."""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from retold.projections.exports.looks import ASIAN, COMPLEX, LABEL, MARK, PARAGRAPHS, Look
from retold.projections.prose import primary
from retold.projections.texts.safe import is_right_to_left

if TYPE_CHECKING:
    from docx.document import Document
    from docx.oxml.xmlchemy import BaseOxmlElement
    from docx.styles.style import ParagraphStyle
    from docx.table import _Row as Row
    from docx.text.paragraph import Paragraph as Block
    from docx.text.run import Run


TABLE: Final = "Table Grid"


def dressed(lang: str) -> Document:
    """Returns a new document with the styles of this module and nothing else; its text is in `lang`."""
    from docx import Document  # noqa: PLC0415 -- an extra

    document = Document(io.BytesIO(_blank()))
    _speak_by_default(document, lang)
    return document


@cache
def _blank() -> bytes:
    """Returns an empty DOCX with the styles, kept because making them takes longer than a short document."""
    from docx import Document  # noqa: PLC0415 -- an extra
    from docx.enum.style import WD_STYLE_TYPE  # noqa: PLC0415 -- an extra

    document = Document()
    _drop_leftovers(document)
    _drop_tables(document)
    known = {style.name for style in document.styles}
    for look in PARAGRAPHS:
        if look.name not in known:
            document.styles.add_style(look.name, WD_STYLE_TYPE.PARAGRAPH)
        _apply(document.styles[look.name], look, document)
    label = document.styles.add_style(LABEL, WD_STYLE_TYPE.CHARACTER)
    label.font.small_caps = True
    for name in (MARK, "footnote reference"):
        document.styles.add_style(name, WD_STYLE_TYPE.CHARACTER).font.superscript = True
    saved = io.BytesIO()
    document.save(saved)
    return saved.getvalue()


def _drop_leftovers(document: Document) -> None:
    """Removes python-docx's thumbnail and its duplicate styles for old versions of Word from the document."""
    for related in (document.part.package.rels, document.part.rels):
        for key, one in list(related.items()):
            if one.reltype.endswith(("/thumbnail", "/stylesWithEffects")):
                del related[key]


def _drop_tables(document: Document) -> None:
    """Removes python-docx's unused table styles from the document, which make up most of its size."""
    for style in list(document.styles):
        if style.element.get(named("w:type")) == "table" and style.name not in (TABLE, "Normal Table"):
            style.delete()


def _apply(style: ParagraphStyle, look: Look, document: Document) -> None:
    from docx.shared import Pt, RGBColor  # noqa: PLC0415 -- an extra

    style.base_style = None if look.base is None else document.styles[look.base]
    style.hidden, style.quick_style, style.priority = False, True, 1
    _set_font(style, look.font)
    style.font.size, style.font.bold, style.font.italic = Pt(look.size), look.bold, look.italic
    style.font.color.rgb = RGBColor.from_string(look.colour)
    shape = style.paragraph_format
    shape.space_before, shape.space_after = Pt(look.before), Pt(look.after)
    shape.left_indent, shape.first_line_indent = Pt(look.left), Pt(-look.hanging)
    shape.keep_with_next, shape.widow_control, shape.line_spacing = look.with_next, True, 1.2
    shape.alignment = int(look.centred)
    _drop_rule(style)


def _set_font(style: ParagraphStyle, name: str) -> None:
    """Sets one font of a style for every script; theme fonts would override any other setting."""
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    fonts.attrib.clear()
    for script in ("ascii", "hAnsi", "cs"):
        fonts.set(named(f"w:{script}"), name)


def _drop_rule(style: ParagraphStyle) -> None:
    """Removes the border of a paragraph style, which python-docx's template gives to titles."""
    shape = style.element.get_or_add_pPr()
    for rule in shape.findall(named("w:pBdr")):
        shape.remove(rule)


_ATTRIBUTES: Final = {
    **dict.fromkeys(COMPLEX, "w:bidi"),
    **dict.fromkeys(ASIAN, "w:eastAsia"),
}
"""Attribute of `w:lang` for a language whose letters have one of their own."""


def _speak_by_default(document: Document, lang: str) -> None:
    """Sets the document's language, for spelling, hyphenation and screen readers."""
    for known in document.styles.element.iter(named("w:lang")):
        for attribute, value in _languages(lang).items():
            known.set(named(attribute), value)


def _languages(lang: str) -> dict[str, str]:
    """Returns the attributes of `w:lang` for a language."""
    return {"w:val": lang, _ATTRIBUTES.get(primary(lang), "w:val"): lang}


_AFTER_BIDI: Final = tuple(
    f"w:{name}"
    for name in (
        *("adjustRightInd", "snapToGrid", "spacing", "ind", "contextualSpacing", "mirrorIndents"),
        *("suppressOverlap", "jc", "textDirection", "textAlignment", "textboxTightWrap", "outlineLvl"),
        *("divId", "cnfStyle", "rPr", "sectPr", "pPrChange"),
    )
)
_AFTER_RTL: Final = ("w:cs", "w:em", "w:lang", "w:eastAsianLayout", "w:specVanish", "w:oMath", "w:rPrChange")
"""Elements that stand behind `w:bidi` in a paragraph's properties, and behind `w:rtl` in a run's."""

_AFTER_LANG: Final = _AFTER_RTL[3:]
_OF_COMPLEX_SCRIPTS: Final = {"w:sz": "w:szCs", "w:b": "w:bCs", "w:i": "w:iCs"}
"""Properties of runs, and their counterparts that hold for Hebrew and Arabic."""


def set_directions(document: Document, *more: BaseOxmlElement) -> None:
    """Marks paragraphs as right-to-left if their first letter is Hebrew, Arabic or the like.

    They are those of the body, and of `more` roots such as footnotes. The label counts only if nothing else
    has letters.
    """
    found = False
    label = next((style.style_id for style in document.styles if style.name == LABEL), None)
    for root in (document.element.body, *more):
        for block in root.iter(named("w:p")):
            runs = list(block.iter(named("w:r")))
            words = "".join(_text(run) for run in runs if label is None or run.style != label)
            has_letters = any(map(str.isalpha, words))
            if not is_right_to_left(words if has_letters else "".join(map(_text, runs))):
                continue
            found = True
            block.get_or_add_pPr().insert_element_before(element("w:bidi", {}), *_AFTER_BIDI)
            for run in runs:
                look = run.get_or_add_rPr()
                look.insert_element_before(element("w:rtl", {}), *_AFTER_RTL)
                _add_twins(look)
    for look in document.styles.element.iter(named("w:rPr")) if found else ():
        _add_twins(look)


def _text(run: BaseOxmlElement) -> str:
    return "".join(part.text or "" for part in run if part.tag in (named("w:t"), named("w:delText")))


def _add_twins(look: BaseOxmlElement) -> None:
    """Gives size, weight and slant of a style or run to Hebrew and Arabic letters too."""
    for tag, twin in _OF_COMPLEX_SCRIPTS.items():
        own = look.find(named(tag))
        if own is not None:
            for old in look.findall(named(twin)):
                look.remove(old)
            own.addnext(element(twin, {"w:val": str(own.get(named("w:val"), "1"))}))


def speak(block: Block, lang: str | None) -> None:
    """Sets the language of all runs of a paragraph; unchanged for None."""
    if lang is not None:
        for run in block._p.iter(named("w:r")):  # noqa: SLF001 -- the element itself, as its documentation shows
            look = run.get_or_add_rPr()
            look.insert_element_before(element("w:lang", _languages(lang)), *_AFTER_LANG)


def named(tag: str) -> str:
    """Returns the full name of a tag or attribute: `w:val` with its namespace."""
    from docx.oxml.ns import qn  # noqa: PLC0415 -- an extra

    return str(qn(tag))


def set_style(block: Block, id_: str) -> None:
    """Sets a paragraph's style by its id, without a lookup by name."""
    block._p.style = id_  # noqa: SLF001 -- the element itself, as its documentation shows


def add_run(block: Block, text: str, style_id: str | None = None) -> Run:
    """Appends text to a paragraph, in a character style if its id is given; returns the new run."""
    made = block.add_run(text)
    made._r.style = style_id  # noqa: SLF001 -- as above
    return made


def indent_more(block: Block, points: float) -> None:
    """Indents a paragraph by `points` more than its style does."""
    from docx.shared import Pt  # noqa: PLC0415 -- an extra

    styled = block.style.paragraph_format.left_indent if block.style is not None else None
    block.paragraph_format.left_indent = Pt(points + (styled.pt if styled is not None else 0))


def close_up(block: Block) -> None:
    """Reduces the space after a paragraph to one point."""
    from docx.shared import Pt  # noqa: PLC0415 -- an extra

    block.paragraph_format.space_after = Pt(1)


def add_bookmark(block: Block, name: str, number: int) -> None:
    """Adds a bookmark to a paragraph; `number` must be unique in the document."""
    begins = element("w:bookmarkStart", {"w:id": str(number), "w:name": name})
    block._p.append(begins)  # noqa: SLF001 -- as above
    block._p.append(element("w:bookmarkEnd", {"w:id": str(number)}))  # noqa: SLF001 -- as above


def add_link(block: Block, text: str, name: str, style_id: str | None = None) -> None:
    """Appends a link with this text to a paragraph; it leads to the bookmark `name`."""
    leads = element("w:hyperlink", {"w:anchor": name, "w:history": "1"})
    leads.append(add_run(block, text, style_id)._r)  # noqa: SLF001 -- as above
    block._p.append(leads)  # noqa: SLF001 -- as above


def line_width(document: Document) -> float:
    """Returns the width of a text line on the page, in points."""
    from docx.shared import Emu  # noqa: PLC0415 -- an extra

    page = document.sections[0]
    return float(Emu((page.page_width or 0) - (page.left_margin or 0) - (page.right_margin or 0)).pt)


def add_picture(block: Block, png: bytes, width: float, alt: str) -> None:
    """Appends a PNG to a paragraph, `width` points wide; `alt` is its alternative text."""
    from docx.shared import Pt  # noqa: PLC0415 -- an extra

    shape = block.add_run().add_picture(io.BytesIO(png), width=Pt(width))
    shape._inline.docPr.set("descr", alt)  # noqa: SLF001 -- as above


def add_contents(entries: Sequence[tuple[Block, str, str]], levels: str) -> None:
    """Turns paragraphs into a table of contents; each entry has a paragraph, a text and a bookmark.

    Word processors rebuild it on request from the headings of the given levels (`1-2`).
    """
    for number, (block, text, name) in enumerate(entries):
        if not number:
            for part in (("begin", ""), ("", f' TOC \\o "{levels}" \\h \\z '), ("separate", "")):
                _part_of_field(block, *part)
        add_link(block, text, name)
    _part_of_field(entries[-1][0], "end", "")


def _part_of_field(block: Block, kind: str, instruction: str) -> None:
    if kind:
        part = element("w:fldChar", {"w:fldCharType": kind})
    else:
        part = element("w:instrText", {"xml:space": "preserve"})
        part.text = instruction
    block.add_run()._r.append(part)  # noqa: SLF001 -- as above


def add_page_number(block: Block) -> None:
    """Appends a field to a paragraph that shows the number of its page."""
    field = element("w:fldSimple", {"w:instr": "PAGE"})
    field.append(block.add_run("1")._r)  # noqa: SLF001 -- as above
    block._p.append(field)  # noqa: SLF001 -- as above


def mark_table_head(row: Row) -> None:
    """Marks a row as table header, which pages repeat and screen readers announce."""
    row._tr.get_or_add_trPr().append(element("w:tblHeader", {}))  # noqa: SLF001 -- as above


def element(name: str, attributes: dict[str, str]) -> BaseOxmlElement:
    """Returns an XML element of a document, such as `w:p`, with its attributes."""
    from docx.oxml import OxmlElement  # noqa: PLC0415 -- an extra
    from docx.oxml.ns import qn  # noqa: PLC0415 -- an extra

    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn(key), value)
    return made
