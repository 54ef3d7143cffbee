"""The ODT has real headings and styles, links that lead somewhere, and looks as the DOCX does."""

from __future__ import annotations

import importlib.util
import io
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from retold.projections.exports import MECHANICS, export
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.document import Transcript
from retold.projections.story.transcript.build import of_line
from tests.projections.evening import Table
from tests.projections.reading import OF_ODF, odt_paragraphs, parts
from tests.projections.samples import TEXTS
from tests.projections.test_exports import PAYLOADS
from tests.projections.typed import transcript_of

OFFICE, STYLE, TEXT, FO = (OF_ODF[name] for name in ("office", "style", "text", "fo"))
HREF = "{http://www.w3.org/1999/xlink}href"
AS_IN_DOCX = {
    "Normal": "Standard",
    "Body Text": "Text body",
    "Quote": "Quotations",
    "TOC Heading": "Contents Heading",
    "toc 1": "Contents 1",
    "toc 2": "Contents 2",
}
"""Names that OpenDocument has for some styles of a DOCX."""


def content(told: Transcript, place: str = "folded") -> ET.Element:
    return ET.fromstring(parts("odt", export("odt", told, place))["content.xml"])


def values(root: ET.Element, tag: str, attribute: str) -> Iterator[str]:
    return (str(one.get(attribute)) for one in root.iter(tag))


@pytest.mark.skipif(importlib.util.find_spec("docx") is None, reason="needs retold[docx]")
@pytest.mark.parametrize("place", MECHANICS)
def test_T20_the_paragraphs_are_those_of_the_docx_in_the_same_styles(table: Table, place: str) -> None:
    from docx import Document  # noqa: PLC0415 -- an extra

    told = of_line(LineView(table.campaign, 1))
    document = Document(io.BytesIO(export("docx", told, place)))
    rows = [cell.text for each in document.tables for row in each.rows for cell in row.cells]
    wanted = [
        (AS_IN_DOCX.get(str(one.style.name), one.style.name), one.text)
        for one in document.paragraphs
        if one.style is not None
    ]
    found = [one for one in odt_paragraphs(export("odt", told, place)) if one[0] != "Footnote"]

    assert [one for one in found if one[0] != "Standard"] == wanted
    assert [text for style, text in found if style == "Standard"] == rows


def test_headings_are_headings_with_their_levels(table: Table) -> None:
    root = content(of_line(LineView(table.campaign, 1)))
    headings = [(one.get(f"{TEXT}outline-level"), "".join(one.itertext())) for one in root.iter(f"{TEXT}h")]

    assert headings[:4] == [
        ("1", "Cast"),
        ("1", "High Water"),
        ("2", "The harbour-master\u2019s stair"),
        ("3", "Out by the stair"),
    ]


@pytest.mark.parametrize("place", MECHANICS)
def test_every_link_leads_to_a_place_that_is_there_once(place: str) -> None:
    root = content(transcript_of("Rain.", book=True), place)
    places = list(values(root, f"{TEXT}bookmark", f"{TEXT}name"))
    styles = {one.get(f"{STYLE}name") for one in root.iter(f"{STYLE}style")}

    assert len(places) == len(set(places))
    assert {link.removeprefix("#") for link in values(root, f"{TEXT}a", HREF)} <= set(places)
    assert {"session_1", "session_2"} <= set(places)
    assert {name for name in values(root, f"{TEXT}span", f"{TEXT}style-name") if name[1:].isdigit()} <= styles


def test_footnotes_are_the_word_processors_own(table: Table) -> None:
    root = content(transcript.of_session(LineView(table.campaign, 1), 1), "footnotes")
    notes = ["".join(one.itertext()) for one in root.iter(f"{TEXT}note")]

    assert [note.partition(" ")[0][0] for note in notes] == ["1", "2", "3", "4", "5", "6"]
    assert "J♥ J♦ 10♠ 7♣ 4♣ 3♦ [called]" in notes[2]


def test_what_counts_no_longer_is_struck_out_and_emphasis_is_italic() -> None:
    root = content(transcript_of("one"))
    looks = {
        one.get(f"{STYLE}name"): one[0].attrib
        for one in root.iter(f"{STYLE}style")
        if one.get(f"{STYLE}family") == "text"
    }
    struck = [
        one.text
        for one in root.iter(f"{TEXT}span")
        if f"{STYLE}text-line-through-style" in looks.get(one.get(f"{TEXT}style-name"), {})
    ]

    assert struck == ["one"]


def test_a_book_begins_each_session_on_a_new_page(table: Table) -> None:
    root = content(of_line(LineView(table.campaign, 1)))
    breaks = {
        one.get(f"{STYLE}name")
        for one in root.iter(f"{STYLE}style")
        for shape in one.iter(f"{STYLE}paragraph-properties")
        if shape.get(f"{FO}break-before") == "page"
    }
    begins = [
        "".join(one.itertext()) for one in root.iter(f"{TEXT}p") if one.get(f"{TEXT}style-name") in breaks
    ]

    assert begins == ["Contents", "Session 1", "Session 2"]


def test_only_the_pages_behind_the_first_have_a_header(table: Table) -> None:
    data = export("odt", transcript.of_session(LineView(table.campaign, 1), 1))
    styles = ET.fromstring(parts("odt", data)["styles.xml"])
    first, other = sorted(styles.iter(f"{STYLE}master-page"), key=len)
    (page,) = {
        name
        for one in ET.fromstring(parts("odt", data)["content.xml"]).iter(f"{STYLE}style")
        if (name := one.get(f"{STYLE}master-page-name"))
    }

    assert first.get(f"{STYLE}name") == page
    assert first.get(f"{STYLE}next-style-name") == other.get(f"{STYLE}name")
    assert "".join(other.itertext()).startswith("The Long Ebb · Session 1: High Water")


def test_it_says_who_when_and_in_which_language(table: Table) -> None:
    told = replace(transcript.of_session(LineView(table.campaign, 1), 1), lang="de-CH")
    data = export("odt", told)
    about = ET.fromstring(parts("odt", data)["meta.xml"])[0]

    assert {one.tag.partition("}")[2]: one.text for one in about} == {
        "title": "Session 1: High Water",
        "initial-creator": "Rana, Jon",
        "creation-date": "2026-03-14T00:00:00",
        "date": "2026-03-14T00:00:00",
        "language": "de-CH",
    }
    assert b'fo:language="de" fo:country="CH"' in parts("odt", data)["styles.xml"]


def test_an_arabic_paragraph_is_set_from_the_right() -> None:
    arabic, latin = (
        parts("odt", export("odt", transcript_of(text)))["content.xml"] for text in ("مطر", "Rain")
    )

    assert b'style:writing-mode="rl-tb"' in arabic
    assert b"writing-mode" not in latin


def test_the_archive_begins_with_its_type_and_lists_its_parts(table: Table) -> None:
    with zipfile.ZipFile(io.BytesIO(export("odt", of_line(LineView(table.campaign, 1))))) as archive:
        entries = archive.infolist()
        listed = ET.fromstring(archive.read("META-INF/manifest.xml"))
        kind = archive.read("mimetype").decode()
    names = {value for one in listed for key, value in one.attrib.items() if key.endswith("full-path")}

    assert (entries[0].filename, entries[0].compress_type) == ("mimetype", zipfile.ZIP_STORED)
    assert kind == "application/vnd.oasis.opendocument.text"
    assert names - {"/"} == {one.filename for one in entries[1:-1]}
    assert {one.date_time for one in entries} == {(1980, 1, 1, 0, 0, 0)}


@settings(max_examples=25)
@given(TEXTS)
def test_it_is_well_formed_whatever_is_typed(text: str) -> None:
    assert odt_paragraphs(export("odt", transcript_of(text, book=True), "footnotes"))


def test_the_styles_are_the_same_whatever_is_typed() -> None:
    harmless = [style for style, _ in odt_paragraphs(export("odt", transcript_of("harmless")))]
    for text in PAYLOADS:
        if "\n\n" not in text:  # which makes another paragraph, and may
            assert [style for style, _ in odt_paragraphs(export("odt", transcript_of(text)))] == harmless


def test_every_kind_of_paragraph_has_a_style() -> None:
    styles = {style for style, _ in odt_paragraphs(export("odt", transcript_of("Rain."), "inline"))}

    assert {"Speech", "Declaration", "Aside", "Generated", "Notation", "Mechanics", "Text body"} <= styles
