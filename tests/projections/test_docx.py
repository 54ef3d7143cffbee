"""The DOCX opens, has real headings and styles, and links that lead somewhere."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from docx import Document
from hypothesis import given, settings
from msgspec.structs import replace

from retold.projections.exports import MECHANICS, export
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.story import transcript
from retold.projections.story.document import End, Head, Mechanic, Paragraph, Passage, Scene, Transcript
from retold.projections.story.transcript.build import of_line
from tests.exploring import tries
from tests.projections.evening import Table
from tests.projections.reading import read
from tests.projections.samples import TEXTS
from tests.projections.test_exports import PAYLOADS
from tests.projections.typed import texts_of, transcript_of

if TYPE_CHECKING:
    from docx.document import Document as Opened

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"


def opened(told: Transcript, place: str = "folded") -> Opened:
    return Document(io.BytesIO(export("docx", told, place)))


def shown(document: Opened) -> list[tuple[str, str]]:
    return [(str(one.style.name), one.text) for one in document.paragraphs if one.style is not None]


def named(document: Opened, tag: str, attribute: str) -> Iterator[str]:
    return (str(one.get(W + attribute)) for one in document.element.iter(W + tag))


def test_everything_has_the_style_of_what_it_is(table: Table) -> None:
    told = shown(opened(transcript.of_session(LineView(table.campaign, 1), 1)))

    assert told[:8] == [
        ("Title", "Session 1: High Water"),
        ("Subtitle", "The Long Ebb · 2026-03-14 · Bruise · run by Rana"),
        ("Subtitle", "With Jon (Zel)"),
        ("Heading 1", "Cast"),
        ("Body Text", "Zel: A smuggler, lately caught; played by Jon"),
        ("Body Text", "Guards"),
        ("Body Text", "Rain, and the tide still out."),
        ("Mechanics Folded", "Zel, bruise sheet: clubs=4 melee=2"),
    ]
    assert ("Heading 1", "The harbour-master\u2019s stair") in told
    assert ("Heading 2", "Out by the stair") in told
    assert ("Stakes", "Bruise: Zel against Guards. At stake: freedom") in told
    assert ("Aside", "Note (for the game master): The captain is her brother") in told
    assert ("Declaration", "Zel declares: I run one of them through and keep going.") in told
    assert ("Speech", "Zel: “Not today.”") in told
    assert ("Generated", "[Guards took the hand against Zel.]") in told


@pytest.mark.parametrize("place", ["inline", "folded", "footnotes", "appendix"])
def test_everything_told_is_in_it(table: Table, place: str) -> None:
    told = of_line(LineView(table.campaign, 1))
    text = read("docx", export("docx", told, place))

    assert [one for one in texts_of(told) if one not in text] == []


def test_what_is_folded_is_one_paragraph_and_what_is_inline_one_a_line() -> None:
    told = transcript_of("4 3")
    folded = [text for style, text in shown(opened(told)) if style == "Mechanics Folded"]
    inline = [text for style, text in shown(opened(told, "inline")) if style == "Mechanics"]

    assert set(folded) == {"4 3 [called] · 4 3"}
    assert inline[:2] == ["\u2013 4 3 [called]", "\u2013 4 3"]
    assert len(inline) == 2 * len(folded)


@pytest.mark.parametrize("place", MECHANICS)
def test_every_link_leads_to_a_place_that_is_there_once(place: str) -> None:
    document = opened(transcript_of("Rain.", book=True), place)
    places = list(named(document, "bookmarkStart", "name"))
    numbers = list(named(document, "bookmarkStart", "id"))

    assert len(places) == len(set(places))
    assert len(numbers) == len(set(numbers))
    assert set(named(document, "hyperlink", "anchor")) <= set(places)
    assert {"session_1", "session_2"} <= set(places)


def test_footnotes_are_the_word_processors_own(table: Table) -> None:
    made = export("docx", transcript.of_session(LineView(table.campaign, 1), 1), "footnotes")
    document = Document(io.BytesIO(made))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        notes = ET.fromstring(archive.read("word/footnotes.xml"))
        settings_ = ET.fromstring(archive.read("word/settings.xml"))
        types = archive.read("[Content_Types].xml").decode()
    texts = {note.get(f"{W}id"): "".join(note.itertext()) for note in notes}
    known = [setting.tag.removeprefix(W) for setting in settings_]
    used = {str(style.get(f"{W}val")) for tag in ("pStyle", "rStyle") for style in notes.iter(f"{W}{tag}")}

    assert list(texts) == ["-1", "0", *map(str, range(1, 7))]
    assert "J♥ J♦ 10♠ 7♣ 4♣ 3♦ [called]" in texts["3"]
    assert list(named(document, "footnoteReference", "id")) == list(texts)[2:]
    assert known.index("footnotePr") + 1 == known.index("compat")
    assert used <= {style.style_id for style in document.styles}
    assert 'PartName="/word/footnotes.xml"' in types
    assert ("Heading 1", "Mechanics") not in shown(document)


def test_an_appendix_is_a_table_that_knows_its_head(table: Table) -> None:
    document = opened(transcript.of_session(LineView(table.campaign, 1), 1), "appendix")
    (appendix,) = document.tables

    assert [cell.text for cell in appendix.rows[0].cells] == ["Note", "What", "From"]
    assert appendix.rows[0]._tr.find(f".//{W}tblHeader") is not None
    assert "J♥ J♦ 10♠ 7♣ 4♣ 3♦" in [cell.text for cell in appendix.columns[1].cells][4]
    assert [cell.text for cell in appendix.columns[2].cells].count("called") == 2


def test_every_struck_paragraph_is_struck_out() -> None:
    told = transcript_of("one\n\ntwo")
    struck = [run.text for one in opened(told).paragraphs for run in one.runs if run.font.strike]

    assert struck == ["one", "two"]


def test_a_book_begins_each_session_on_a_new_page(table: Table) -> None:
    document = opened(of_line(LineView(table.campaign, 1)))
    begins = [one.text for one in document.paragraphs if one.paragraph_format.page_break_before]

    first = shown(document).index(("Session", "Session 1"))

    assert begins == ["Contents", "Session 1", "Session 2"]
    assert shown(document)[first : first + 3] == [
        ("Session", "Session 1"),
        ("Heading 1", "High Water"),
        ("Day", "14 March 2026"),
    ]
    assert ("Body Text", "Zel: 1\u20132") in shown(document)


def test_a_book_has_contents_that_lead_to_its_headings_and_can_be_made_anew(table: Table) -> None:
    document = opened(of_line(LineView(table.campaign, 1)))
    listed = [(style, text) for style, text in shown(document) if style.startswith("toc")]
    fields = [one.get(f"{W}fldCharType") for one in document.element.iter(f"{W}fldChar")]
    (asked,) = (one.text for one in document.element.iter(f"{W}instrText"))

    assert listed == [
        ("toc 1", "Cast"),
        ("toc 1", "High Water"),
        ("toc 2", "The harbour-master\u2019s stair"),
        ("toc 1", "Low Water"),
        ("toc 2", "The flats"),
        *(("toc 1", text) for text in ("Open", "Quotes", "Not told yet")),
        *(("toc 1", text) for text in ("Index of people", "Index of sides and things", "Index of places")),
    ]
    assert fields == ["begin", "separate", "end"]
    assert asked == ' TOC \\o "1-2" \\h \\z '


def test_an_ornament_appears_only_between_told_passages() -> None:
    def passage(number: int, text: str) -> Passage:
        return Passage(None, (Paragraph(f"e{number}", Tag.NARRATION, text),))

    bare = Passage(None, (Paragraph("e4", Tag.MECHANICS, "", mechanics=(Mechanic("m4", "dice", "2d6: 7"),)),))
    scene = Scene("s1", "Dock", None, (bare, passage(1, "Rain."), bare, passage(2, "More rain.")))
    told = [text for _, text in shown(opened(Transcript("report", "gm", Head("Ebb"), (), (scene,), End())))]

    assert told[told.index("Dock") :] == ["Dock", "2d6: 7", "Rain.", "\u2042", "2d6: 7", "More rain."]


def test_an_evening_has_no_contents(table: Table) -> None:
    document = opened(transcript.of_session(LineView(table.campaign, 1), 1))

    assert list(document.element.iter(f"{W}fldChar")) == []


def test_it_says_who_when_and_in_which_language(table: Table) -> None:
    document = opened(replace(transcript.of_session(LineView(table.campaign, 1), 1), lang="de-CH"))
    about = document.core_properties

    assert (about.title, about.author, about.language) == ("Session 1: High Water", "Rana, Jon", "de-CH")
    assert str(about.modified).startswith("2026-03-14")
    assert {one.get(f"{W}val") for one in document.styles.element.iter(f"{W}lang")} == {"de-CH"}


def test_the_archive_never_says_when_it_was_made(table: Table) -> None:
    with zipfile.ZipFile(io.BytesIO(export("docx", of_line(LineView(table.campaign, 1))))) as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@settings(max_examples=tries(10))
@given(TEXTS)
def test_it_opens_whatever_is_typed(text: str) -> None:
    assert opened(transcript_of(text, book=True), "footnotes").paragraphs


def test_the_styles_are_the_same_whatever_is_typed() -> None:
    harmless = [style for style, _ in shown(opened(transcript_of("harmless")))]
    for text in PAYLOADS:
        if "\n\n" not in text:  # which makes another paragraph, and may
            assert [style for style, _ in shown(opened(transcript_of(text)))] == harmless


def test_every_kind_of_paragraph_has_a_style_that_is_there() -> None:
    document = opened(transcript_of("Rain."), "inline")
    styles = {style for style, _ in shown(document)}

    assert {"Speech", "Declaration", "Aside", "Generated", "Notation", "Mechanics", "Body Text"} <= styles
