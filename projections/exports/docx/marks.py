"""What python-docx has no words for, or slow ones: styles by id, places, links, contents, page numbers."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from docx.document import Document
    from docx.oxml.xmlchemy import BaseOxmlElement
    from docx.table import _Row as Row
    from docx.text.paragraph import Paragraph as Block
    from docx.text.run import Run


def style(block: Block, id_: str) -> None:
    """Gives a paragraph a style by its id, which need not be looked for."""
    block._p.style = id_  # noqa: SLF001 -- the element itself, as its documentation shows


def run(block: Block, text: str, style_id: str | None = None) -> Run:
    """Ends a paragraph with some text, in the style with that id if one is given."""
    made = block.add_run(text)
    made._r.style = style_id  # noqa: SLF001 -- as above
    return made


def indent(block: Block, points: float) -> None:
    """Moves a paragraph in by so much more than its style does."""
    from docx.shared import Pt  # noqa: PLC0415 -- an extra

    styled = block.style.paragraph_format.left_indent if block.style is not None else None
    block.paragraph_format.left_indent = Pt(points + (styled.pt if styled is not None else 0))


def close_up(block: Block) -> None:
    """Has what follows a paragraph stand close under it."""
    from docx.shared import Pt  # noqa: PLC0415 -- an extra

    block.paragraph_format.space_after = Pt(1)


def bookmark(block: Block, name: str, number: int) -> None:
    """Makes a paragraph a place that links lead to; `number` is one no other place has."""
    begins = _element("w:bookmarkStart", {"w:id": str(number), "w:name": name})
    block._p.append(begins)  # noqa: SLF001 -- as above
    block._p.append(_element("w:bookmarkEnd", {"w:id": str(number)}))  # noqa: SLF001 -- as above


def link(block: Block, text: str, name: str, style_id: str | None = None) -> None:
    """Ends a paragraph with a link to a place of this document."""
    leads = _element("w:hyperlink", {"w:anchor": name, "w:history": "1"})
    leads.append(run(block, text, style_id)._r)  # noqa: SLF001 -- as above
    block._p.append(leads)  # noqa: SLF001 -- as above


def room(document: Document) -> float:
    """How many points wide a line of a document is."""
    from docx.shared import Emu  # noqa: PLC0415 -- an extra

    page = document.sections[0]
    return float(Emu((page.page_width or 0) - (page.left_margin or 0) - (page.right_margin or 0)).pt)


def picture(block: Block, png: bytes, width: float, alt: str) -> None:
    """Ends a paragraph with a picture, so many points wide; `alt` says in words what it shows."""
    from docx.shared import Pt  # noqa: PLC0415 -- an extra

    shape = block.add_run().add_picture(io.BytesIO(png), width=Pt(width))
    shape._inline.docPr.set("descr", alt)  # noqa: SLF001 -- as above


def contents(entries: Sequence[tuple[Block, str, str]], levels: str) -> None:
    """Makes a table of contents of some paragraphs, each with its text and the name of the place it leads to.

    A word processor makes it anew from the headings of these levels (`1-2`), when it is asked to.
    """
    for number, (block, text, name) in enumerate(entries):
        if not number:
            for part in (("begin", ""), ("", f' TOC \\o "{levels}" \\h \\z '), ("separate", "")):
                _part_of_field(block, *part)
        link(block, text, name)
    _part_of_field(entries[-1][0], "end", "")


def _part_of_field(block: Block, kind: str, instruction: str) -> None:
    if kind:
        part = _element("w:fldChar", {"w:fldCharType": kind})
    else:
        part = _element("w:instrText", {"xml:space": "preserve"})
        part.text = instruction
    block.add_run()._r.append(part)  # noqa: SLF001 -- as above


def page_number(block: Block) -> None:
    """Ends a paragraph with the number of the page it stands on."""
    field = _element("w:fldSimple", {"w:instr": "PAGE"})
    field.append(block.add_run("1")._r)  # noqa: SLF001 -- as above
    block._p.append(field)  # noqa: SLF001 -- as above


def head_of_table(row: Row) -> None:
    """Makes a table's first row its head, which every page repeats and a screen reader knows."""
    row._tr.get_or_add_trPr().append(_element("w:tblHeader", {}))  # noqa: SLF001 -- as above


def _element(name: str, attributes: dict[str, str]) -> BaseOxmlElement:
    from docx.oxml import OxmlElement  # noqa: PLC0415 -- an extra
    from docx.oxml.ns import qn  # noqa: PLC0415 -- an extra

    made = OxmlElement(name)
    for key, value in attributes.items():
        made.set(qn(key), value)
    return made
