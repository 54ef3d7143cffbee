"""Writer of an OpenDocument text: paragraphs in styles, and the archive of its parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from retold.projections.exports import ODT_MEDIA
from retold.projections.exports.looks import ASIAN, COMPLEX, LABEL, MARK, PARAGRAPHS, Look
from retold.projections.exports.packing import pack
from retold.projections.exports.word_processing import PLAIN, Face, ListedHeading
from retold.projections.prose import primary
from retold.projections.texts.safe import is_right_to_left

LINE_WIDTH: Final = 432.0
"""Width of a line in points: a page of 8.5 by 11 inches, as of a DOCX, less margins of 1.25 inches."""

_NAMESPACES: Final = {
    **{
        short: f"urn:oasis:names:tc:opendocument:xmlns:{long}:1.0"
        for short, long in (
            *(("office", "office"), ("style", "style"), ("text", "text"), ("table", "table")),
            *(("draw", "drawing"), ("fo", "xsl-fo-compatible"), ("svg", "svg-compatible"), ("meta", "meta")),
        )
    },
    "xlink": "http://www.w3.org/1999/xlink",
    "dc": "http://purl.org/dc/elements/1.1/",
}
_HEAD: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_ROOT: Final = "".join(f' xmlns:{short}="{long}"' for short, long in _NAMESPACES.items())
_MANIFEST: Final = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
_BLANKS: Final = re.compile(r"^ | (?= )| $|[\t\n]")
_BREAKS: Final = {" ": "<text:s/>", "\t": "<text:tab/>", "\n": "<text:line-break/>"}
_LEVEL: Final = re.compile(r"Heading ([1-9])")
_COUNTRY: Final = re.compile(r"-([A-Z]{2}|\d{3})\b")
_THEIRS: Final = {
    "Normal": "Standard",
    "Body Text": "Text body",
    "Quote": "Quotations",
    "TOC Heading": "Contents Heading",
    "toc 1": "Contents 1",
    "toc 2": "Contents 2",
    "footnote text": "Footnote",
}
"""OpenDocument's own names for some styles."""
_FIRST: Final = "First_20_Page"
_LINK: Final = "Index_20_Link"
"""Style of links that look like the words around them."""
_ENTRY: Final = (
    "<text:index-entry-link-start/><text:index-entry-text/>"
    '<text:index-entry-tab-stop style:type="right" style:leader-char="."/>'
    "<text:index-entry-page-number/><text:index-entry-link-end/>"
)
_LOOKS: Final = {look.name: look for look in PARAGRAPHS}
_PAGE: Final = (
    '<style:page-layout style:name="page"><style:page-layout-properties fo:page-width="612pt"'
    ' fo:page-height="792pt" fo:margin-left="90pt" fo:margin-right="90pt" fo:margin-top="36pt"'
    ' fo:margin-bottom="36pt" style:print-orientation="portrait"/>'
    '<style:header-style><style:header-footer-properties fo:min-height="36pt"/></style:header-style>'
    '<style:footer-style><style:header-footer-properties fo:min-height="36pt"/></style:footer-style>'
    '</style:page-layout><style:page-layout style:name="first"><style:page-layout-properties'
    ' fo:page-width="612pt" fo:page-height="792pt" fo:margin-left="90pt" fo:margin-right="90pt"'
    ' fo:margin-top="72pt" fo:margin-bottom="72pt" style:print-orientation="portrait"/></style:page-layout>'
)


class OdtWords:
    """Paragraph of an ODT that is being written."""

    def __init__(self, paper: OdtPaper, style: str, indent: float, shape: Mapping[str, str]) -> None:
        self._paper = paper
        self._style = style
        self._look = _LOOKS.get(style)
        self._shape = dict(shape)
        self._lang: str | None = None
        self._parts: list[str] = []
        self._words: dict[bool, str] = {True: "", False: ""}
        """Words in the label, and outside of it."""
        if indent and self._look is not None:
            self._shape |= {
                "fo:margin-left": f"{self._look.left + indent:g}pt",
                "fo:text-indent": f"{-self._look.hanging:g}pt",
            }

    def add(self, text: str, face: Face = PLAIN, style: str | None = None) -> None:
        """Appends text, in a character style if its name is given."""
        self._words[style == LABEL] += text
        self._parts.append(self._spanned(text, face, style))

    def _spanned(self, text: str, face: Face = PLAIN, style: str | None = None) -> str:
        name = self._paper.face(face) if style is None else style_name(style)
        return f'<text:span text:style-name="{name}">{shown(text)}</text:span>' if name else shown(text)

    def add_link(self, text: str, name: str, style: str | None = None) -> None:
        """Appends a link with this text to the bookmark `name`."""
        self._words[False] += text
        inside = self._spanned(text, style=style)
        self._parts.append(
            f'<text:a xlink:type="simple" xlink:href="#{name}" text:style-name="{_LINK}"'
            f' text:visited-style-name="{_LINK}">{inside}</text:a>'
        )

    def add_place(self, name: str) -> None:
        """Adds a bookmark."""
        self._parts.append(f'<text:bookmark text:name="{name}"/>')

    def add_footnote(self, text: str) -> None:
        """Appends a footnote with this text."""
        self._paper.notes += 1
        number = self._paper.notes
        self._parts.append(
            f'<text:note text:id="ftn{number}" text:note-class="footnote">'
            f"<text:note-citation>{number}</text:note-citation><text:note-body>"
            f'<text:p text:style-name="{style_name("footnote text")}">{shown(f" {text}")}</text:p>'
            "</text:note-body></text:note>"
        )

    def add_picture(self, png: bytes, size: tuple[float, float], alt: str) -> None:
        """Appends a picture."""
        name = self._paper.picture(png)
        width, height = size
        self._parts.append(
            f'<draw:frame text:anchor-type="as-char" svg:width="{width:.2f}pt" svg:height="{height:.2f}pt">'
            f'<draw:image xlink:type="simple" xlink:href="{name}"/><svg:desc>{escape(alt)}</svg:desc>'
            "</draw:frame>"
        )

    def speak(self, lang: str | None) -> None:
        """Sets the language of the paragraph; unchanged for None."""
        self._lang = lang or self._lang

    def close_up(self) -> None:
        """Reduces the space after the paragraph to one point."""
        before = 0.0 if self._look is None else self._look.before
        self._shape |= {"fo:margin-top": f"{before:g}pt", "fo:margin-bottom": "1pt"}

    def begin_page(self) -> None:
        """Makes the paragraph the first of a page."""
        self._shape["fo:break-before"] = "page"

    def xml(self, master: str = "") -> str:
        """Returns the paragraph as an element; `master` is the page that begins with it."""
        outside = self._words[False]
        has_letters = any(map(str.isalpha, outside))
        shape = dict(self._shape)
        if is_right_to_left(outside if has_letters else self._words[True] + outside):
            shape["style:writing-mode"] = "rl-tb"
        style = self._paper.shape(self._style, shape, self._lang, master)
        inside = "".join(self._parts)
        level = _LEVEL.fullmatch(self._style)
        if level is not None:
            return f'<text:h text:style-name="{style}" text:outline-level="{level[1]}">{inside}</text:h>'
        return f'<text:p text:style-name="{style}">{inside}</text:p>'


class _Table:
    """Table whose first row is repeated on each page."""

    def __init__(self, rows: list[list[OdtWords]]) -> None:
        self._rows = rows

    def xml(self, master: str = "") -> str:  # noqa: ARG002 -- as of a paragraph
        """Returns the table as an element; no document begins with it."""
        head, *rows = map(_cells, self._rows)
        columns = f'<table:table-column table:number-columns-repeated="{len(self._rows[0])}"/>'
        return (
            f"<table:table>{columns}<table:table-header-rows>{head}</table:table-header-rows>"
            f"{''.join(rows)}</table:table>"
        )


class OdtPaper:
    """ODT that is being written; `own` are looks beside those of PARAGRAPHS."""

    line_width = LINE_WIDTH

    def __init__(self, lang: str, own: Iterable[Look] = ()) -> None:
        self.notes = 0
        """Number of footnotes so far."""
        self._lang = lang
        self._own = tuple(own)
        self._body: list[OdtWords | _Table | str] = []
        self._automatic: dict[str, str] = {}
        """Names of styles of single paragraphs and runs, by the XML behind their names."""
        self._pictures: dict[bytes, str] = {}
        self._header: str | None = None
        self._contents_at = 0

    def add(self, style: str, indent: float = 0, shape: Mapping[str, str] | None = None) -> OdtWords:
        """Appends an empty paragraph; `shape` are properties that it has beside those of its style."""
        words = OdtWords(self, style, indent, shape or {})
        self._body.append(words)
        return words

    def set_running(self, header: str) -> None:
        """Sets header and footer of every page except the first."""
        self._header = header

    def add_table(self, titles: Sequence[str]) -> Callable[[], Sequence[OdtWords]]:
        """Appends a table; the first row has the titles, in the style of labels."""
        rows: list[list[OdtWords]] = []
        self._body.append(_Table(rows))

        def add_row() -> Sequence[OdtWords]:
            rows.append([OdtWords(self, "Normal", 0, {}) for _ in titles])
            return rows[-1]

        for cell, title in zip(add_row(), titles, strict=True):
            cell.add(title, style=LABEL)
        return add_row

    def reserve_contents(self) -> None:
        """Notes the place of the contents."""
        self._contents_at = len(self._body)

    def write_contents(self, title: str, headings: Sequence[ListedHeading]) -> None:
        """Writes a table of contents; the word processor adds page numbers."""
        head = OdtWords(self, "TOC Heading", 0, {})
        head.begin_page()
        head.add(title)
        entries = []
        for one in headings:
            entry = OdtWords(self, f"toc {one.level}", 0, {})
            entry.add_link(one.text, one.place)
            entries.append(entry.xml())
        levels = "".join(
            f'<text:table-of-content-entry-template text:outline-level="{level}"'
            f' text:style-name="{style_name(f"toc {level}")}">{_ENTRY}</text:table-of-content-entry-template>'
            for level in sorted({one.level for one in headings})
        )
        contents = (
            '<text:table-of-content text:name="Contents">'
            f'<text:table-of-content-source text:outline-level="2">{levels}</text:table-of-content-source>'
            f'<text:index-body><text:index-title text:name="Contents_Head">{head.xml()}</text:index-title>'
            f"{''.join(entries)}</text:index-body></text:table-of-content>"
        )
        self._body.insert(self._contents_at, contents)

    # --- styles and parts, for the paragraphs -------------------------------------------------------------

    def shape(self, style: str, shape: Mapping[str, str], lang: str | None, master: str) -> str:
        """Returns the name of a style for one paragraph that has more properties than `style`."""
        name = style_name(style)
        if not (shape or lang or master):
            return name
        page = f' style:master-page-name="{master}"' if master else ""
        own = f"<style:paragraph-properties{_attributes(shape)}/>" if shape else ""
        spoken = f"<style:text-properties{_attributes(_language(lang))}/>" if lang else ""
        return self._named(
            "P",
            f' style:family="paragraph" style:parent-style-name="{name}"{page}>{own}{spoken}</style:style>',
        )

    def face(self, face: Face) -> str:
        """Returns the name of a style for words in a face; empty if they look like their paragraph."""
        if face == PLAIN:
            return ""
        look: dict[str, str] = {}
        if face.italic is not None:
            look |= _every_script("fo:font-style", "italic" if face.italic else "normal")
        if face.bold:
            look |= _every_script("fo:font-weight", "bold")
        if face.struck:
            look["style:text-line-through-style"] = "solid"
        return self._named(
            "T", f' style:family="text"><style:text-properties{_attributes(look)}/></style:style>'
        )

    def _named(self, letter: str, rest: str) -> str:
        return self._automatic.setdefault(rest, f"{letter}{len(self._automatic) + 1}")

    def picture(self, data: bytes) -> str:
        """Returns the name of a picture among the parts."""
        kind = "png" if data.startswith(b"\x89PNG") else "jpg"
        return self._pictures.setdefault(data, f"Pictures/{len(self._pictures) + 1}.{kind}")

    # --- the archive --------------------------------------------------------------------------------------

    def packed(
        self, title: str, date: str, author: str = "", properties: Mapping[str, str] | None = None
    ) -> bytes:
        """Returns the document as bytes, the same for the same content; `date` is YYYY-MM-DD.

        `properties` are the document's own, by their names.
        """
        first = "" if self._header is None else _FIRST
        body = "".join(
            one if isinstance(one, str) else one.xml("" if number else first)
            for number, one in enumerate(self._body)
        )
        automatic = "".join(
            f'<style:style style:name="{name}"{rest}' for rest, name in self._automatic.items()
        )
        about = (
            f"<dc:title>{escape(title)}</dc:title>"
            + (f"<meta:initial-creator>{escape(author)}</meta:initial-creator>" if author else "")
            + f"<meta:creation-date>{date}T00:00:00</meta:creation-date><dc:date>{date}T00:00:00</dc:date>"
            f"<dc:language>{escape(self._lang)}</dc:language>"
            + "".join(
                f"<meta:user-defined meta:name={quoteattr(name)}>{escape(value)}</meta:user-defined>"
                for name, value in (properties or {}).items()
            )
        )
        parts = {
            "content.xml": _part(
                "document-content",
                f"<office:automatic-styles>{automatic}</office:automatic-styles>"
                f"<office:body><office:text>{body}</office:text></office:body>",
            ),
            "styles.xml": _part("document-styles", self._styles()),
            "meta.xml": _part("document-meta", f"<office:meta>{about}</office:meta>"),
        }
        files = {name: (data.encode(), "text/xml") for name, data in parts.items()}
        files |= {
            name: (data, "image/png" if name.endswith("png") else "image/jpeg")
            for data, name in self._pictures.items()
        }
        listed = "".join(
            f'<manifest:file-entry manifest:full-path="{name}" manifest:media-type="{media}"/>'
            for name, media in (("/", ODT_MEDIA), *((name, media) for name, (_, media) in files.items()))
        )
        manifest = (
            f'{_HEAD}<manifest:manifest xmlns:manifest="{_MANIFEST}" manifest:version="1.2">'
            f"{listed}</manifest:manifest>"
        )
        return pack(
            (
                ("mimetype", ODT_MEDIA.encode()),
                *((name, data) for name, (data, _) in files.items()),
                ("META-INF/manifest.xml", manifest.encode()),
            )
        )

    def _styles(self) -> str:
        pages = '<style:master-page style:name="Standard" style:page-layout-name="page"/>'
        if self._header is not None:
            pages = (
                '<style:master-page style:name="Standard" style:page-layout-name="page"><style:header>'
                f'<text:p text:style-name="Header">{shown(self._header)}</text:p></style:header>'
                '<style:footer><text:p text:style-name="Footer"><text:page-number'
                ' text:select-page="current">1</text:page-number></text:p></style:footer></style:master-page>'
                f'<style:master-page style:name="{_FIRST}" style:display-name="First Page"'
                ' style:page-layout-name="first" style:next-style-name="Standard"/>'
            )
        spoken = _attributes(_language(self._lang))
        return (
            '<office:styles><style:default-style style:family="paragraph">'
            f"<style:text-properties{spoken}/></style:default-style>"
            f"{''.join(map(_named_look, (*PARAGRAPHS, *self._own)))}"
            f'<style:style style:name="{_LINK}" style:display-name="Index Link" style:family="text"/>'
            f"{_character(LABEL, 'fo:font-variant', 'small-caps')}"
            f"{_character(MARK, 'style:text-position', 'super 58%')}</office:styles>"
            f"<office:automatic-styles>{_PAGE}</office:automatic-styles>"
            f"<office:master-styles>{pages}</office:master-styles>"
        )


def style_name(name: str) -> str:
    """Returns the name of a style as written in the file."""
    return _THEIRS.get(name, name).replace(" ", "_20_")


def shown(text: str) -> str:
    """Returns text as XML in which blanks, tabs and line ends are kept."""
    return _BLANKS.sub(lambda found: _BREAKS[found[0]], escape(text))


def _cells(row: Iterable[OdtWords]) -> str:
    cells = (f'<table:table-cell office:value-type="string">{cell.xml()}</table:table-cell>' for cell in row)
    return f"<table:table-row>{''.join(cells)}</table:table-row>"


def _part(name: str, inside: str) -> str:
    return f'{_HEAD}<office:{name}{_ROOT} office:version="1.2">{inside}</office:{name}>'


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())


def _every_script(name: str, value: str) -> dict[str, str]:
    """Returns a property of letters for all scripts: those of Latin, Asian and complex letters."""
    bare = name.partition(":")[2]
    return {name: value, f"style:{bare}-asian": value, f"style:{bare}-complex": value}


def _language(tag: str) -> dict[str, str]:
    """Returns the language of words as properties, with those of its script."""
    language, country = primary(tag), next(iter(_COUNTRY.findall(tag)), "none")
    if language in COMPLEX | ASIAN:
        script = "complex" if language in COMPLEX else "asian"
        return {f"style:language-{script}": language, f"style:country-{script}": country}
    return {"fo:language": language, "fo:country": country}


def _character(name: str, key: str, value: str) -> str:
    return (
        f'<style:style style:name="{style_name(name)}" style:display-name="{name}" style:family="text">'
        f'<style:text-properties {key}="{value}"/></style:style>'
    )


def _named_look(look: Look) -> str:
    """Returns the style of a look."""
    parent = f' style:parent-style-name="{style_name(look.base)}"' if look.base else ""
    level = _LEVEL.fullmatch(look.name)
    outline = f' style:default-outline-level="{level[1]}"' if level else ""
    shape = {
        "fo:margin-left": f"{look.left:g}pt",
        "fo:margin-right": "0pt",
        "fo:text-indent": f"{-look.hanging:g}pt",
        "fo:margin-top": f"{look.before:g}pt",
        "fo:margin-bottom": f"{look.after:g}pt",
        "fo:line-height": "120%",
        "fo:text-align": "center" if look.centred else "start",
        "fo:keep-with-next": "always" if look.with_next else "auto",
        "fo:orphans": "2",
        "fo:widows": "2",
    }
    letters = {
        "fo:font-family": f"'{look.font}'",
        "style:font-family-complex": f"'{look.font}'",
        "fo:color": f"#{look.colour}",
        **_every_script("fo:font-size", f"{look.size:g}pt"),
        **_every_script("fo:font-style", "italic" if look.italic else "normal"),
        **_every_script("fo:font-weight", "bold" if look.bold else "normal"),
    }
    name = f' style:name="{style_name(look.name)}" style:display-name="{_THEIRS.get(look.name, look.name)}"'
    return (
        f'<style:style{name} style:family="paragraph"{parent}{outline}>'
        f"<style:paragraph-properties{_attributes(shape)}/><style:text-properties{_attributes(letters)}/>"
        "</style:style>"
    )
