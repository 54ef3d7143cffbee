"""The styles of a DOCX: what a word processor offers to change, one for each thing a transcript has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from docx.document import Document
    from docx.styles.style import ParagraphStyle

SERIF: Final = "Georgia"
SANS: Final = "Arial"
MONO: Final = "Courier New"
INK: Final = "000000"
SOFT: Final = "595959"
"""Grey enough to stand back, and dark enough to be read on white (7 to 1)."""


class Look(NamedTuple):
    """How a style looks; lengths in points. `hanging` is how far its first line stands out to the left."""

    name: str
    base: str | None = "Normal"
    font: str = SERIF
    size: float = 11
    bold: bool = False
    italic: bool = False
    colour: str = INK
    before: float = 0
    after: float = 6
    left: float = 0
    hanging: float = 0
    centred: bool = False
    with_next: bool = False


_LOOKS: Final = (
    Look("Normal", None),
    Look("Title", size=26, after=8, centred=True, with_next=True),
    Look("Subtitle", size=10.5, colour=SOFT, after=2, centred=True),
    Look("Heading 1", size=18, bold=True, before=26, after=10, with_next=True),
    Look("Heading 2", size=14, bold=True, before=20, after=6, with_next=True),
    Look("Heading 3", size=11.5, bold=True, italic=True, before=14, after=4, with_next=True),
    Look("TOC Heading", size=14, bold=True, before=26, after=8, with_next=True),
    Look("toc 1", after=3),
    Look("toc 2", size=10, after=2, left=18),
    Look("Header", size=9, colour=SOFT, after=0, centred=True),
    Look("Footer", size=9, colour=SOFT, after=0, centred=True),
    Look("Body Text"),
    Look("Told", left=18, hanging=18),
    Look("List Bullet", after=3, left=18, hanging=18),
    Look("Quote", italic=True, left=18),
    Look("Previously", italic=True, before=14, after=14, left=36, hanging=18),
    Look("Stakes", italic=True, colour=SOFT, with_next=True),
    Look("Speech", left=18, hanging=18),
    Look("Declaration", left=18, hanging=18),
    Look("Aside", size=10, left=42, hanging=18),
    Look("Generated", italic=True, colour=SOFT),
    Look("Notation", font=MONO, size=9, after=3),
    Look("Variation", bold=True, italic=True, before=10, after=4, with_next=True),
    Look("Plate", before=10, after=12, centred=True),
    Look("Ribbon", font=SANS, size=8.5, colour=SOFT, after=8),
    Look("Mechanics", font=SANS, size=8.5, after=2, left=30, hanging=12),
    Look("Mechanics Folded", font=SANS, size=8, colour=SOFT, after=8, left=30),
)
"""The styles of what stands first; those Word has already are made to look so too."""

FURTHER_IN: Final = 18
"""In points: how far what goes on in a text begins from where the text began."""

GOING_ON: Final = frozenset(
    {
        "Body Text",
        "Told",
        "Speech",
        "Declaration",
        "Aside",
        "Generated",
        "Notation",
        "Ribbon",
        "Quote",
        "Previously",
    }
)
"""The styles of texts that may have several paragraphs."""


def going_on(name: str) -> str:
    """The style of every paragraph of a text but the first: further in, so that it is seen whose."""
    return f"{name} Continued"


def _going_on(look: Look) -> Look:
    """Its lines stand under those of a text that hangs, the first a little in; else only the first is in."""
    stands_in = FURTHER_IN if look.hanging <= 0 else FURTHER_IN / 2
    return look._replace(name=going_on(look.name), base=look.name, before=0, hanging=-stands_in)


PARAGRAPHS: Final = (*_LOOKS, *(_going_on(look) for look in _LOOKS if look.name in GOING_ON))
"""Every style of a paragraph."""

LABEL: Final = "Label"
MARK: Final = "Note Mark"
TABLE: Final = "Table Grid"


def dress(document: Document, lang: str) -> None:
    """Gives a new document the styles and the language of a transcript."""
    from docx.enum.style import WD_STYLE_TYPE  # noqa: PLC0415 -- an extra

    _drop_tables(document)
    known = {style.name for style in document.styles}
    for look in PARAGRAPHS:
        if look.name not in known:
            document.styles.add_style(look.name, WD_STYLE_TYPE.PARAGRAPH)
        _apply(document.styles[look.name], look, document)
    label = document.styles.add_style(LABEL, WD_STYLE_TYPE.CHARACTER)
    label.font.bold = label.font.small_caps = True
    document.styles.add_style(MARK, WD_STYLE_TYPE.CHARACTER).font.superscript = True
    _speak(document, lang)


def _drop_tables(document: Document) -> None:
    """Takes out what the template has for tables nobody draws here, which is most of it."""
    for style in list(document.styles):
        if style.element.get(_named("w:type")) == "table" and style.name not in (TABLE, "Normal Table"):
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
    """One font for every script; the template's, which come from its theme, would win over any other."""
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    fonts.attrib.clear()
    for script in ("ascii", "hAnsi", "cs"):
        fonts.set(_named(f"w:{script}"), name)


def _drop_rule(style: ParagraphStyle) -> None:
    """No line under it; the template's title has one."""
    shape = style.element.get_or_add_pPr()
    for rule in shape.findall(_named("w:pBdr")):
        shape.remove(rule)


def _speak(document: Document, lang: str) -> None:
    """Says which language the text is in, for spelling, hyphens and voices that read it out."""
    for known in document.styles.element.iter(_named("w:lang")):
        known.set(_named("w:val"), lang)


def _named(tag: str) -> str:
    from docx.oxml.ns import qn  # noqa: PLC0415 -- an extra

    return str(qn(tag))
