"""Readers that are not ours: what each finds in a file of its format, part by part."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from xml.etree import ElementTree as ET

import html5lib
import webvtt
from docx import Document
from fountain.elements import ElementType
from fountain.parser import FountainParser
from markdown_it import MarkdownIt

from retold.projections.texts.wrapping import width
from tests.projections.reading import OF_ODF, odt_paragraphs, parts
from tests.projections.test_lonelog import line as line_of_notation
from tests.projections.test_lonelog import notation

Part = tuple[str, str]
"""What a reader finds: a kind of thing, and its text."""


def elements(root: ET.Element) -> Iterator[Part]:
    """Every element with its attributes and texts, in order."""
    for one in root.iter():
        yield one.tag, one.text or ""
        yield from ((f"{one.tag}@{key}", value) for key, value in sorted(one.attrib.items()))
        yield "tail", one.tail or ""


def from_html(data: bytes) -> Iterator[Part]:
    reader = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False)
    return elements(reader.parse(data))


def from_fragment(data: bytes) -> Iterator[Part]:
    """The elements of a fragment; paragraphs that follow one another are one, as in Markdown."""
    reader = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False)
    running: list[str] = []
    for tag, text in elements(reader.parseFragment(data.decode())):
        if tag in RUNNING:
            running.append(text)
            continue
        if running:
            yield "p", "".join(running)
            running.clear()
        yield tag, text
    if running:
        yield "p", "".join(running)


RUNNING = ("p", "em", "strong", "br")


def from_obsidian(data: bytes) -> Iterator[Part]:
    properties, text = data.decode().removeprefix("---\n").split("\n---\n", 1)
    for one in properties.split("\n"):
        key, _, value = one.partition(": ")
        yield from values(json.loads(value), key)
    yield from marked_up(text)


def marked_up(text: str) -> Iterator[Part]:
    """The blocks of a Markdown text, each line with the marks a reader finds in it.

    Paragraphs that follow one another are one block, since a typed text may have several.
    """
    reader = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    running: list[str] = []
    for token in reader.parse(text):
        found = (one.content if one.type in WRITTEN else f"<{one.type}>" for one in token.children or [])
        if token.type in ("paragraph_open", "paragraph_close"):
            continue
        if token.type == "inline":
            running.append("".join(found))
            continue
        if running:
            yield "inline", "".join(running)
            running.clear()
        yield token.type, ""
    if running:
        yield "inline", "".join(running)


WRITTEN = ("text", "text_special")


def from_json(data: bytes) -> Iterator[Part]:
    return values(json.loads(data), "")


def values(value: object, path: str) -> Iterator[Part]:
    """Every value in a JSON value, by where it is."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from values(part, f"{path}.{key}")
    elif isinstance(value, list):
        for part in value:
            yield from values(part, f"{path}[]")
    else:
        yield path, str(value)


def from_epub(data: bytes) -> Iterator[Part]:
    for name, part in sorted(parts("epub", data).items()):
        yield name, ""
        yield from (one for one in elements(ET.fromstring(part)) if not one[0].endswith("identifier"))


def from_docx(data: bytes) -> Iterator[Part]:
    document = Document(io.BytesIO(data))
    for one in document.paragraphs:
        yield str(one.style.name if one.style else ""), one.text
    for table in document.tables:
        yield from (("cell", cell.text) for row in table.rows for cell in row.cells)
    about = document.core_properties
    yield from (("title", about.title), ("author", about.author), ("subject", about.subject))
    yield from (
        (one.tag, "") for one in document.element.iter() if one.tag.endswith(("hyperlink", "drawing"))
    )


def from_odt(data: bytes) -> Iterator[Part]:
    yield from odt_paragraphs(data)
    found = parts("odt", data)
    yield from elements(ET.fromstring(found["meta.xml"]))
    for one in ET.fromstring(found["content.xml"]).iter():
        if one.tag.endswith(("}a", "}image", "}note")):
            yield one.tag, ""
        if one.tag == f"{OF_ODF['svg']}desc":
            yield one.tag, one.text or ""


def from_text(data: bytes) -> Iterator[Part]:
    lines = data.decode().split("\n")
    underlined = (one for number, one in enumerate(lines) if not _underlines(one, lines[number - 1]))
    yield "text", "\n".join(underlined)


def _underlines(line: str, heading: str) -> bool:
    """True for a line under a heading, which is as long as it is."""
    return len(set(line)) == 1 and line[0] in "=-~." and width(line) >= width(heading) > 0


def from_fountain(data: bytes) -> Iterator[Part]:
    document = FountainParser().parse(data.decode())
    assert not document.issues
    assert not any(one.formatting for one in document.elements)
    for one in document.elements:
        heading = one.type is ElementType.SCENE_HEADING
        yield str(one.type), re.sub(r"^Scene \d+: ", "", one.text) if heading else one.text
    yield from ((f"title page {key}", "") for key in document.metadata)


def from_srt(data: bytes) -> Iterator[Part]:
    captions = webvtt.from_buffer(io.BytesIO(data), format="srt").captions if data else []
    text = "\n".join(GOES_ON.sub("", "\n".join(one.lines)) for one in captions)
    assert not set(text) & set("<>{}\\")
    yield "text", text


GOES_ON = re.compile("^.{1,16}: …")
"""Whose the rest of a text is, where it takes several cues."""


def from_webvtt(data: bytes) -> Iterator[Part]:
    captions = webvtt.from_string(data.decode(), strict=True).captions
    yield "text", "\n".join(html.unescape(one.text) for one in captions)
    yield from (("voice", html.unescape(one)) for one, _ in groupby(one.voice or "" for one in captions))


def from_log(data: bytes) -> Iterator[Part]:
    for written in notation(data):
        said = line_of_notation(written)
        yield said.kind, f"{said.who} {said.text}"
    yield from (one for one in marked_up(data.decode().split("\n---\n", 1)[1]) if one[0] != "fence")


READERS: Mapping[str, Callable[[bytes], Iterator[Part]]] = {
    "markdown": lambda data: marked_up(data.decode()),
    "obsidian": from_obsidian,
    "html": from_html,
    "fragment": from_fragment,
    "text": from_text,
    "json": from_json,
    "fountain": from_fountain,
    "srt": from_srt,
    "webvtt": from_webvtt,
    "lonelog": from_log,
    "partylog": from_log,
    "epub": from_epub,
    "docx": from_docx,
    "odt": from_odt,
}


# --- maps -------------------------------------------------------------------------------------------------


def from_svg(text: str) -> Iterator[Part]:
    """What it says to who cannot see it, and what it is drawn with; names are shortened and folded on it."""
    root = ET.fromstring(text)
    html5lib.HTMLParser(strict=True).parse(f"<!DOCTYPE html><title>A map</title>{text}")
    yield from (("told", one.text or "") for one in root.iter() if one.tag in (f"{SVG}title", f"{SVG}desc"))
    yield from sorted({(one.tag, " ".join(sorted(one.attrib))) for one in root.iter()})


SVG = "{http://www.w3.org/2000/svg}"


def from_dot(text: str) -> Iterator[Part]:
    yield from quoted(
        text, lambda label: re.sub(r"\\(.)", lambda one: "\n" if one[1] == "n" else one[1], label)
    )


def from_mermaid(text: str) -> Iterator[Part]:
    _, properties, graph = text.split("---\n", 2)
    key, _, title = properties.partition(": ")
    yield key, str(json.loads(title))
    yield from quoted(graph, lambda label: re.sub(r"#(\d+);", lambda one: chr(int(one[1])), label))


def quoted(text: str, meant: Callable[[str], str]) -> Iterator[Part]:
    """The labels in quotation marks, and what stands around them; a place is a label of numbers."""
    yield "outside", QUOTED.sub('""', text)
    yield from (("label", meant(label)) for label in QUOTED.findall(text) if not label.endswith("!"))


QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')


def from_canvas(text: str) -> Iterator[Part]:
    for path, value in values(json.loads(text), ""):
        if path.endswith("text"):
            yield from marked_up(value)
        elif not path.endswith(("x", "y", "width", "height")):
            yield path, value


MAP_READERS: Mapping[str, Callable[[str], Iterator[Part]]] = {
    "svg": from_svg,
    "dot": from_dot,
    "mermaid": from_mermaid,
    "canvas": from_canvas,
}
