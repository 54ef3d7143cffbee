"""Footnotes of a DOCX: the part that python-docx cannot write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from retold.projections.exports.docx.styles import element

if TYPE_CHECKING:
    from docx.document import Document
    from docx.oxml.xmlchemy import BaseOxmlElement
    from docx.text.paragraph import Paragraph as Block

TEXT: Final = "footnote text"
REFERENCE: Final = "footnote reference"
"""Names of the paragraph style and the character style that word processors use for footnotes."""

_PART: Final = "/word/footnotes.xml"
_MEDIA: Final = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
_SEPARATORS: Final = {"-1": "separator", "0": "continuationSeparator"}
"""Lines above footnotes by the ids that a document's settings name; without them Word finds a fault."""

_BEHIND: Final = ("w:endnotePr", "w:compat")
"""Elements of the settings that stand behind those of footnotes."""


class Footnotes:
    """Collector of a document's footnotes, numbered from 1; `styles` are style ids by style name."""

    def __init__(self, styles: dict[str, str]) -> None:
        self.styles = styles
        self.root = element("w:footnotes", {})
        self.count = 0
        for id_, kind in _SEPARATORS.items():
            self.root.append(_note({"w:type": kind, "w:id": id_}, element("w:p", {}), _run(f"w:{kind}")))

    def add(self, block: Block, text: str) -> None:
        """Appends a footnote with this text, and its number to a paragraph."""
        self.count += 1
        number = {"w:id": str(self.count)}
        block._p.append(_run("w:footnoteReference", self.styles[REFERENCE], number))  # noqa: SLF001 -- the element itself
        paragraph = element("w:p", {})
        shape = element("w:pPr", {})
        shape.append(element("w:pStyle", {"w:val": self.styles[TEXT]}))
        paragraph.append(shape)
        said = element("w:r", {})
        words = element("w:t", {"xml:space": "preserve"})
        words.text = f" {text}"
        said.append(words)
        self.root.append(_note(number, paragraph, _run("w:footnoteRef", self.styles[REFERENCE]), said))

    def write(self, document: Document) -> None:
        """Adds the footnotes to the document's parts and settings; nothing if there are none."""
        from docx.opc.constants import RELATIONSHIP_TYPE  # noqa: PLC0415 -- an extra
        from docx.opc.packuri import PackURI  # noqa: PLC0415 -- as above
        from docx.opc.part import XmlPart  # noqa: PLC0415 -- as above

        if not self.count:
            return
        part = XmlPart(PackURI(_PART), _MEDIA, self.root, document.part.package)
        document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
        known = element("w:footnotePr", {})
        for id_ in _SEPARATORS:
            known.append(element("w:footnote", {"w:id": id_}))
        settings = document.settings.element
        settings.insert_element_before(known, *_BEHIND)


def _note(attributes: dict[str, str], paragraph: BaseOxmlElement, *runs: BaseOxmlElement) -> BaseOxmlElement:
    """Returns a footnote of one paragraph with these runs."""
    made = element("w:footnote", attributes)
    for run in runs:
        paragraph.append(run)
    made.append(paragraph)
    return made


def _run(
    inside: str, style_id: str | None = None, attributes: dict[str, str] | None = None
) -> BaseOxmlElement:
    """Returns a run with one element in it, in a character style if its id is given."""
    made = element("w:r", {})
    if style_id is not None:
        look = element("w:rPr", {})
        look.append(element("w:rStyle", {"w:val": style_id}))
        made.append(look)
    made.append(element(inside, attributes or {}))
    return made
