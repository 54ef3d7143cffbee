"""What a reader finds in an export, whatever it is packed in."""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from pypdf import PdfReader

INSIDE = {
    "epub": re.compile(r"book/.*\.(xhtml|opf)"),
    "docx": re.compile(r"word/(document|header1|footnotes)\.xml|docProps/core\.xml"),
    "odt": re.compile(r"(content|styles|meta)\.xml"),
}
"""The files of an archive that hold what was told."""


def read(name: str, data: bytes) -> str:
    """The text of an export, with whatever markup stands around it."""
    if name == "pdf":
        return "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(data)).pages)
    if name in INSIDE:
        return html.unescape("\n".join(part.decode() for part in parts(name, data).values()))
    if name == "fountain":
        return re.sub(r" #\d+#$", "", data.decode(), flags=re.MULTILINE)  # the numbers of its scenes
    return data.decode()


def parts(name: str, data: bytes) -> dict[str, bytes]:
    """The files of an EPUB, DOCX or ODT that hold what was told."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {one: archive.read(one) for one in archive.namelist() if INSIDE[name].fullmatch(one)}


ODF = "{urn:oasis:names:tc:opendocument:xmlns:%s:1.0}"
OF_ODF = {name: ODF % name for name in ("office", "style", "text", "table")} | {
    "draw": ODF % "drawing",
    "svg": ODF % "svg-compatible",
    "fo": ODF % "xsl-fo-compatible",
}
"""Namespaces of OpenDocument."""


def odt_paragraphs(data: bytes) -> list[tuple[str, str]]:
    """The paragraphs of an ODT in order, each with the name of its style that a writer sees."""
    made = {name: ET.fromstring(part) for name, part in parts("odt", data).items()}
    style, text = OF_ODF["style"], OF_ODF["text"]
    known = {
        one.get(f"{style}name"): one.get(f"{style}display-name")
        for one in made["styles.xml"].iter(f"{style}style")
    }
    named = {
        one.get(f"{style}name"): known[one.get(f"{style}parent-style-name")]
        for one in made["content.xml"].iter(f"{style}style")
        if one.get(f"{style}family") == "paragraph"
    }
    return [
        (str((known | named)[one.get(f"{text}style-name")]), "".join(_odt_words(one)))
        for one in made["content.xml"].iter()
        if one.tag in (f"{text}p", f"{text}h")
    ]


def _odt_words(holder: ET.Element) -> Iterator[str]:
    yield holder.text or ""
    for one in holder:
        if one.tag not in (f"{OF_ODF['text']}note", f"{OF_ODF['draw']}frame"):
            yield _ODT_BLANKS.get(one.tag, "")
            yield from _odt_words(one)
        yield one.tail or ""


_ODT_BLANKS = {
    f"{OF_ODF['text']}{name}": blank for name, blank in (("s", " "), ("tab", "\t"), ("line-break", "\n"))
}


def squeezed(text: str) -> str:
    """A text without blanks and hyphens, which a page may put where a line ends."""
    return re.sub(r"[\s\u00ad\u200b\u2060-]+", "", text)
