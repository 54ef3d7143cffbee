"""The PDF holds every word, is tagged to be read out, and is the same on every machine."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from pypdf import PageObject, PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

from retold.journal.refused import Refused
from retold.projections.exports import export, pdf, typesetting
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.pdf import page_data
from retold.projections.prose.telling import Tag
from retold.projections.reading import LineView
from retold.projections.reading.pictures import Image
from retold.projections.story import transcript
from retold.projections.story.document import (
    Chapter,
    End,
    Entry,
    Head,
    PageTexts,
    Paragraph,
    Passage,
    Scene,
    Transcript,
)
from retold.projections.story.transcript.build import of_line
from tests.exploring import tries
from tests.projections.evening import Table
from tests.projections.reading import read, squeezed
from tests.projections.samples import TEXTS
from tests.projections.test_exports import PAYLOADS
from tests.projections.typed import scenes_of, texts_of, transcript_of


def opened(told: Transcript, place: str = "folded") -> PdfReader:
    return PdfReader(io.BytesIO(export("pdf", told, place)))


def text_of(told: Transcript, place: str = "folded") -> str:
    return squeezed(read("pdf", export("pdf", told, place)))


def tags(reader: PdfReader) -> list[str]:
    """The kinds of all the elements of its structure."""
    return [str(element["/S"]) for element in structure(reader)]


def structure(reader: PdfReader) -> list[DictionaryObject]:
    """Elements of a PDF's structure tree, in order."""
    return list(_elements(root(reader)["/StructTreeRoot"]))


def root(reader: PdfReader) -> DictionaryObject:
    return DictionaryObject(reader.root_object)


def _elements(element: object) -> Iterator[DictionaryObject]:
    if isinstance(element, IndirectObject):
        yield from _elements(element.get_object())
    elif isinstance(element, list):
        for inner in element:
            yield from _elements(inner)
    elif isinstance(element, DictionaryObject):
        if "/S" in element:
            yield element
        yield from _elements(element.get("/K", ()))


@pytest.mark.parametrize("place", ["inline", "folded", "footnotes", "appendix"])
def test_everything_told_is_in_it(table: Table, place: str) -> None:
    for told in (of_line(LineView(table.campaign, 1)), transcript.of_session(LineView(table.campaign, 1), 1)):
        text = text_of(told, place)
        title, *others = texts_of(told)

        assert [one for one in (*title.split(": "), *others) if squeezed(one) not in text] == []


def test_nothing_typed_is_markup() -> None:
    typed = [*PAYLOADS, "#pagebreak()", "$x^2$ = _a_ *b* @label <label> #sys.inputs", '#read("/etc/passwd")']
    texts = [one for one in typed if one.isascii() and one.isprintable()]
    scenes = [scene for number, text in enumerate(texts) for scene in scenes_of(text, number, None)]
    shown = text_of(replace(transcript_of(texts[0]), scenes=tuple(scenes)))

    assert [text for text in texts if squeezed(text) not in shown] == []


def test_it_is_tagged_and_says_its_title_language_and_authors(table: Table) -> None:
    reader = opened(replace(transcript.of_session(LineView(table.campaign, 1), 1), lang="de-CH"))
    told = reader.metadata
    about = reader.xmp_metadata

    assert "/Marked': True" in repr(root(reader)["/MarkInfo"])
    assert str(root(reader)["/Lang"]) == "de-CH"
    assert told is not None
    assert about is not None
    assert told.title == "Session 1: High Water"
    assert told.author == "Rana, Jon"
    assert "pdfuaid:part>1<" in str(about.stream.get_data(), "utf-8")
    assert {"/Title", "/H1", "/H2", "/P", "/L", "/LI"} <= set(tags(reader))


def test_a_long_name_is_spelled_in_its_properties_as_it_was_typed(table: Table) -> None:
    """On the page it may be broken where a line ends; the properties are read by programs."""
    told = transcript.of_session(LineView(table.campaign, 1), 1)
    long = "Wolfeschlegelsteinhausenbergerdorff"
    reader = opened(replace(told, head=replace(told.head, title=long, gm=long, players=())))

    assert reader.metadata is not None
    assert (reader.metadata.title, reader.metadata.author) == (f"Session 1: {long}", long)


def test_its_date_is_the_evenings_and_never_todays(table: Table) -> None:
    dated, undated = transcript.of_session(LineView(table.campaign, 1), 1), transcript_of("Rain.")
    undated = replace(undated, head=replace(undated.head, date=None))

    for told, date in (
        (dated, datetime(2026, 3, 14, tzinfo=UTC)),
        (undated, datetime(2000, 1, 1, tzinfo=UTC)),
    ):
        known = opened(told).metadata
        assert known is not None
        assert known.creation_date == date


def test_footnotes_are_real_ones_on_the_page_that_points_at_them(table: Table) -> None:
    reader = opened(of_line(LineView(table.campaign, 1)), "footnotes")
    pages = [squeezed(page.extract_text()) for page in reader.pages]
    first = next(page for page in pages if squeezed("I run one of them through and keep going.") in page)

    assert squeezed("J♥ J♦ 10♠ 7♣ 4♣ 3♦ [called]") in first
    assert tags(reader).count("/Note") == 11


def test_an_appendix_is_a_table_with_a_head(table: Table) -> None:
    found = tags(opened(of_line(LineView(table.campaign, 1)), "appendix"))

    assert found.count("/TH") == 2
    assert "/Note" not in found


def long_book() -> Transcript:
    told = Paragraph("e1", Tag.NARRATION, "Rain, and the tide still out. " * 200)
    scene = Scene(None, None, Chapter(1, "High Water", None), (Passage(None, (told,)),))
    return Transcript("report", "gm", Head("The Long Ebb"), (), (scene,), End())


def _placed(page: PageObject) -> Iterator[tuple[float, str]]:
    """Where on the line each run of a page begins, in points."""
    found: list[tuple[float, str]] = []
    page.extract_text(visitor_text=lambda text, cm, tm, *_: found.append((tm[4] * cm[0] + cm[4], text)))
    yield from found


def pages_of(told: Transcript, place: str = "none") -> list[str]:
    texts = (page.extract_text().replace("\u2060", "") for page in opened(told, place).pages)
    return [" ".join(text.split()) for text in texts]


def test_a_short_book_has_a_title_page_an_imprint_and_running_heads() -> None:
    title, imprint, begins, left, right, *_ = pages_of(long_book())

    assert title == "The Long Ebb"
    assert imprint.startswith("Set in Libertinus")
    assert begins.startswith("Session 1 High Water R ain, and the tide still out.")
    assert begins.endswith(" 3")
    assert left.startswith("4 The Long Ebb ")
    assert right.startswith("High Water 5 ")


def short_chapters(count: int) -> Transcript:
    """A book of `count` chapters, each with one scene on one page."""
    scenes = [
        Scene(
            f"s{number}",
            f"The stair {number}",
            Chapter(number, f"High Water {number}", f"2026-03-0{number}"),
            (Passage(None, (Paragraph(f"e{number}", Tag.NARRATION, "Rain."),)),),
        )
        for number in range(1, count + 1)
    ]
    return replace(long_book(), scenes=tuple(scenes))


def test_a_book_of_three_chapters_has_a_half_title_and_contents_and_each_begins_on_the_right() -> None:
    half_title, blank, title, _, contents, _, first, after, second, *_ = pages_of(short_chapters(3))
    lines = re.findall(r"([A-Z][a-zA-Z ]+ \d)[ .]+(\d+)", contents.removeprefix("Contents "))

    assert half_title == "The Long Ebb"
    assert blank == after == ""
    assert title == "The Long Ebb 1 March 2026 to 3 March 2026"
    assert lines == [
        *(("High Water 1", "7"), ("The stair 1", "7"), ("High Water 2", "9"), ("The stair 2", "9")),
        *(("High Water 3", "11"), ("The stair 3", "11")),
    ]
    assert first == "Session 1 High Water 1 1 March 2026 The stair 1 Rain. 7"
    assert second.startswith("Session 2 High Water 2 2 March 2026")


DOT = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
)
"""A PNG of one pixel."""


def test_a_cover_is_the_first_page_and_texts_about_the_book_and_quotes_stand_before_the_first_chapter() -> (
    None
):
    cover = Image("cover", "image/png", 1, 1, "0" * 64, "A road", "Mara Lind", None, DOT)
    around = PageTexts(blurb="Two smugglers.", content="Rats.", epigraph="The sea keeps no books.")
    told = replace(short_chapters(1), cover=cover, pages=around)
    first, behind, title, imprint, about, epigraph, chapter, *_ = pages_of(told)

    assert (first, behind, title) == ("", "", "The Long Ebb 1 March 2026")
    assert imprint.startswith("Cover: Picture by Mara Lind")
    assert (about, epigraph) == ("About: Two smugglers. Content notes: Rats.", "The sea keeps no books.")
    assert chapter.startswith("Session 1 High Water 1")
    assert tags(opened(told)).count("/Figure") == 1


def of_lines(count: int) -> Transcript:
    """A chapter that begins with four lines, and so many paragraphs of one line behind them."""
    first = Paragraph("e1", Tag.NARRATION, "Rain, and the tide still out. " * 8)
    lines = (Paragraph(f"f{number}", Tag.NARRATION, "Nothing rang.") for number in range(count))
    scene = Scene(None, None, Chapter(1, "High Water", None), (Passage(None, (first, *lines)),))
    return replace(long_book(), scenes=(scene,))


def test_a_drop_cap_is_read_out_with_the_word_it_begins() -> None:
    """The drop cap is the first text in the element of its paragraph."""
    reader = opened(of_lines(2), "none")
    marks = [element["/K"] for element in structure(reader) if element.get("/S") == "/P"]
    first = max((mark for mark in marks if isinstance(mark, ArrayObject)), key=len)
    sizes: list[float] = []
    reader.pages[2].extract_text(visitor_text=lambda *found: sizes.append(found[-1]))

    assert max(sizes) > 40
    assert len(first) == len("R") + 4  # lines
    assert [int(mark) for mark in first] == [*range(int(first[0]), int(first[0]) + len(first))]


def test_tabs_in_the_first_paragraph_are_blanks() -> None:
    for text in ("A\tstair. ", "A stair.\t" * 30):
        told = replace(
            of_lines(1).scenes[0], passages=(Passage(None, (Paragraph("e1", Tag.NARRATION, text),)),)
        )

        assert "stair." in pages_of(replace(long_book(), scenes=(told,)))[2]


def test_a_chapter_never_ends_with_a_page_of_fewer_than_five_lines() -> None:
    for count in range(14, 24):
        *_, last = [page.count("Nothing rang.") for page in pages_of(of_lines(count))]

        assert last >= 5


def test_a_heading_is_followed_by_three_lines_on_its_page() -> None:
    after = Passage(None, (Paragraph("g1", Tag.NARRATION, "They wait. " * 60),))
    for count in range(5, 20, 2):
        told = of_lines(count)
        told = replace(told, scenes=(*told.scenes, Scene("s1", "The flats", None, (after,))))
        page = next(page for page in pages_of(told) if "The flats" in page)

        assert page.count("They wait.") > 15


def test_paragraphs_are_indented_but_the_first_behind_a_heading() -> None:
    told = of_lines(3)
    lines = (Paragraph(f"h{number}", Tag.NARRATION, "They wait.") for number in range(3))
    told = replace(
        told, scenes=(*told.scenes, Scene("s1", "The flats", None, (Passage(None, tuple(lines)),)))
    )
    (page,) = (page for page in opened(told, "none").pages if "The flats" in page.extract_text())
    begins = [x for x, text in _placed(page) if "They wait" in text]

    assert len(begins) == 3
    assert begins[0] + 9 < begins[1] == begins[2]


def test_pages_are_a5_or_half_letter() -> None:
    sizes = []
    for paper in (None, "half-letter"):
        page = PdfReader(io.BytesIO(export("pdf", transcript_of("Rain."), "none", paper))).pages[0]
        sizes.append((round(page.mediabox.width / 72, 1), round(page.mediabox.height / 72, 1)))

    assert sizes == [(5.8, 8.3), (5.5, 8.5)]


def _scale_of_picture(page: PageObject) -> float:
    """Width in points at which the first picture of a page is drawn."""
    contents = page.get_contents()
    assert contents is not None
    return next(float(given[0]) for given, operator in contents.operations if operator == b"cm")


def test_a_bleed_is_around_every_page_and_the_cover_fills_it() -> None:
    cover = Image("cover", "image/png", 1480, 2100, "0" * 64, "A road", None, None, DOT)
    told = replace(long_book(), cover=cover)
    cut, whole = (
        PdfReader(io.BytesIO(export("pdf", told, "none", paper))).pages for paper in ("a5", "a5-bleed")
    )

    assert [page.extract_text() for page in whole] == [page.extract_text() for page in cut]
    assert len({(*page.mediabox, *page.bleedbox, *page.trimbox) for page in whole}) == 1
    for pages, edges in ((cut, 0), (whole, 6)):
        width = float(pages[0].mediabox.width)
        assert width - float(pages[0].trimbox.width) == pytest.approx(edges * 72 / 25.4, abs=0.01)
        assert _scale_of_picture(pages[0]) == pytest.approx(width, abs=0.01)
    with pytest.raises(
        Refused, match="Only the cover of a book is printed beyond the edges, and here is none"
    ):
        export("pdf", long_book(), "none", "half-letter-bleed")


def test_a_book_too_thick_for_staples_has_a_wider_inner_margin() -> None:
    def glued(letters: int) -> object:
        story = Paragraph("e1", Tag.NARRATION, "x" * letters)
        scene = Scene(None, None, None, (Passage(None, (story,)),))
        return page_data(replace(long_book(), scenes=(scene,)), MechanicsPlace.NONE)["glued"]

    assert [glued(letters) for letters in (100, pdf.MOST_STAPLED, pdf.MOST_STAPLED + 1)] == [
        False,
        False,
        True,
    ]


def test_titles_are_set_in_the_display_font_and_what_it_lacks_in_that_of_the_text() -> None:
    told = replace(long_book(), head=Head("The Long Ebb Прилив"))
    reader = opened(told)
    resources = reader.pages[0]["/Resources"].get_object()
    assert isinstance(resources, DictionaryObject)
    fonts = resources["/Font"].get_object()
    assert isinstance(fonts, DictionaryObject)
    named = {str(font.get_object()["/BaseFont"]).partition("+")[2] for font in fonts.values()}

    assert named == {"LibreCaslonDisplay-Regular-Identity-H", "LibertinusSerif-Regular-Identity-H"}
    assert "The Long Ebb Прилив" in reader.pages[0].extract_text()
    assert "Set in Libertinus and Libre Caslon Display" in reader.pages[1].extract_text()


def test_C14_an_index_that_has_room_is_as_wide_as_the_page() -> None:
    entries = (Entry("Whatever waits beneath the customs stair, and its brother", "person", (1,)),)
    told = replace(
        short_chapters(3), index=(*entries, *(Entry(f"No. {n}", "place", (1,)) for n in range(120)))
    )
    pages = opened(told).pages
    people = next(page for page in pages if "No. 0" in page.extract_text())
    first = _begins(pages, 1)

    assert f"customs stair, and its brother: {first}\n" in people.extract_text() + "\n"
    # A hundred and twenty lines of 9 points are more than a page of A5: two columns, both of them begun.
    assert len({round(x / 50) for x, text in _placed(people) if text.startswith("No.")}) == len("ab")


def test_T5_a_printed_index_has_page_numbers() -> None:
    told = replace(short_chapters(4), index=(Entry("Zel", "person", (1, 2, 4)),))
    pages = opened(told).pages
    places = [_begins(pages, chapter) for chapter in (1, 2, 4)]

    assert f"Zel: {', '.join(map(str, places))}" in pages[-1].extract_text()


def test_T5_a_printed_index_joins_pages_in_a_row() -> None:
    book = long_book()
    (scene,) = book.scenes
    scenes = tuple(
        replace(scene, id=f"s{number}", chapter=Chapter(number, f"No. {number}", None))
        for number in (1, 2, 3)
    )
    pages = opened(replace(book, scenes=scenes, index=(Entry("Zel", "person", (1, 2)),))).pages
    found = re.search(r"Zel: (\d+)\u2013(\d+)", pages[-1].extract_text())

    assert found
    assert int(found[1]) < int(found[2])


def test_T5_a_book_under_three_chapters_has_no_index() -> None:
    told = replace(short_chapters(2), index=(Entry("Zel", "person", (1,)),))

    assert not any("Index" in page.extract_text() for page in opened(told).pages)


def _begins(pages: Sequence[PageObject], chapter: int) -> int:
    """Returns the number of the page on which a chapter begins."""
    heads = (page.extract_text().upper() for page in pages)
    return next(number for number, text in enumerate(heads, 1) if f"SESSION {chapter}" in text)


def test_C14_no_day_is_parted_at_a_hyphen_and_the_notice_is_never_alone() -> None:
    for width in range(10, 22):
        chapter = Chapter(1, f"{'W' * width} {'w' * width} 2026-03-14", None)
        scene = Scene(None, None, chapter, (Passage(None, (Paragraph("e1", Tag.NARRATION, "骰"),)),))
        told = replace(long_book(), scenes=(scene,))
        first, *others = [page.extract_text() for page in opened(told).pages]

        assert "2026-03-14" in others[1]
        assert "No font of this PDF has" in first


# --- characters -------------------------------------------------------------------------------------------


def test_a_character_no_font_has_is_shown_by_its_number_and_named_at_the_beginning() -> None:
    text = read("pdf", export("pdf", transcript_of("He rolls 🎲 for 骰子.")))
    flat = " ".join(text.split())

    assert "⟦U+1F3B2⟧" in flat
    assert (
        "No font of this PDF has these characters, shown by number: U+5B50 cjk unified ideograph-5b50,"
        " U+9AB0 cjk unified ideograph-9ab0, U+1F3B2 game die." in flat
    )


def test_C14_what_its_own_fonts_lack_is_set_in_those_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def set_in(source: bytes, _inputs: object, _date: object, fonts: str) -> bytes | set[str]:
        asked.append(fonts)
        return {"\u6797"} if fonts == "its own" and b"\xe6\x9e\x97" in source else b"%PDF"

    monkeypatch.setattr(typesetting, "_set_pdf", set_in)
    monkeypatch.setattr(typesetting, "_fonts", lambda: "its own")
    monkeypatch.setattr(typesetting, "_fonts_of_this_machine", lambda: "the machine's")

    assert [typesetting.set_pdf(text.encode(), {}) for text in ("Lin", "\u6797")] == [b"%PDF", b"%PDF"]
    assert asked == ["its own", "its own", "the machine's"]


def test_a_text_is_set_in_fonts_of_its_language() -> None:
    def first(text: str, lang: str = "en") -> str:
        return typesetting.fonts_for(text, lang)[len(typesetting.FONTS) :][0]

    assert typesetting.fonts_for("Zoë, δ, Ж", "ja") == [*typesetting.FONTS]
    assert [first(text) for text in ("骰子。", "サイコロ。", "주사위")] == [
        *("Noto Serif CJK SC", "Noto Serif CJK JP", "Noto Serif CJK KR"),
    ]
    assert [first("骰。", lang) for lang in ("ja-JP", "zh-Hant-TW", "de")] == [
        *("Noto Serif CJK JP", "Noto Serif CJK TC", "Noto Serif CJK SC"),
    ]


def test_what_every_font_has_is_named_nowhere() -> None:
    assert squeezed("shown by number") not in text_of(transcript_of("Zoë Ó Dálaigh, Ж, δ, ♠♥♦♣, →, שלום"))


def test_a_pdf_that_can_never_be_set_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetting, "set_pdf", lambda _page, _inputs, _date: {"é"})

    with pytest.raises(Refused, match=r"no installed font shows U\+00E9 latin small letter e with acute\.$"):
        pdf.render(transcript_of("é"), MechanicsPlace.FOLDED)


def test_what_typst_refuses_is_told_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = tmp_path / "page.typ"
    page.write_text("#sys.inputs.nothing")
    monkeypatch.setattr(pdf, "PAGE", page)

    with pytest.raises(Refused, match=r"^Typst cannot make a PDF of this: .*nothing"):
        pdf.render(transcript_of("Rain."), MechanicsPlace.FOLDED)


def test_a_word_longer_than_a_line_may_break() -> None:
    told = page_data(transcript_of("x" * 100), MechanicsPlace.FOLDED)

    assert "\u200b".join(["x" * 24] * 4 + ["xxxx"]) in told["blocks"][0]["texts"]


@settings(max_examples=tries(4))
@given(TEXTS)
def test_it_is_set_whatever_is_typed(text: str) -> None:
    for place in ("folded", "footnotes"):
        assert export("pdf", transcript_of(text, book=True), place).startswith(b"%PDF")
