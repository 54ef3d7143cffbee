"""The PDF holds every word, is tagged to be read out, and is the same on every machine."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from msgspec.structs import replace
from pypdf import PageObject, PdfReader
from pypdf.generic import DictionaryObject, IndirectObject

from journal.refused import Refused
from projections import transcript
from projections.document import Chapter, End, Entry, Head, Paragraph, Passage, Scene, Transcript
from projections.exports import export, pdf, typesetting
from projections.exports.page_elements import MechanicsPlace
from projections.exports.pdf import page_data
from projections.prose.telling import Tag
from projections.reading import LineView
from projections.transcript.build import of_line
from tests.exploring import tries
from tests.projections.evening import Table
from tests.projections.reading import read, squeezed
from tests.projections.samples import TEXTS
from tests.projections.test_exports import PAYLOADS
from tests.projections.typed import texts_of, transcript_of


def opened(told: Transcript, place: str = "folded") -> PdfReader:
    return PdfReader(io.BytesIO(export("pdf", told, place)))


def text_of(told: Transcript, place: str = "folded") -> str:
    return squeezed(read("pdf", export("pdf", told, place)))


def tags(reader: PdfReader) -> list[str]:
    """The kinds of all the elements of its structure."""
    return list(_tags(root(reader)["/StructTreeRoot"]))


def root(reader: PdfReader) -> DictionaryObject:
    return DictionaryObject(reader.root_object)


def _tags(element: object) -> Iterator[str]:
    if isinstance(element, IndirectObject):
        yield from _tags(element.get_object())
    elif isinstance(element, list):
        for one in element:
            yield from _tags(one)
    elif isinstance(element, dict):
        if "/S" in element:
            yield str(element["/S"])
        yield from _tags(element.get("/K", ()))


@pytest.mark.parametrize("place", ["inline", "folded", "footnotes", "appendix"])
def test_everything_told_is_in_it(table: Table, place: str) -> None:
    for told in (of_line(LineView(table.campaign, 1)), transcript.of_session(LineView(table.campaign, 1), 1)):
        text = text_of(told, place)

        assert [one for one in texts_of(told) if squeezed(one) not in text] == []


def test_nothing_typed_is_markup() -> None:
    typed = [*PAYLOADS, "#pagebreak()", "$x^2$ = _a_ *b* @label <label> #sys.inputs", '#read("/etc/passwd")']
    for text in (one for one in typed if one.isascii() and one.isprintable()):
        assert squeezed(text) in text_of(transcript_of(text))


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
    first = next(page for page in pages if squeezed("One last cry, and the line breaks.") in page)

    assert squeezed("J♥ J♦ 10♠ 7♣ 4♣ 3♦ [called]") in first
    assert tags(reader).count("/Note") == 11


def test_an_appendix_is_a_table_with_a_head(table: Table) -> None:
    found = tags(opened(of_line(LineView(table.campaign, 1)), "appendix"))

    assert found.count("/TH") == 3
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


def test_a_book_has_a_title_page_contents_and_running_heads() -> None:
    texts = (page.extract_text().replace("\u2060", "") for page in opened(long_book()).pages)
    pages = [" ".join(text.split()) for text in texts]
    title, contents, begins, left, right, *_ = pages

    assert title == "The Long Ebb Session 1"
    assert contents == "Contents Session 1: High Water 3 2"
    assert begins.startswith("Session 1: High Water Rain,")
    assert begins.endswith(" 3")
    assert left.startswith("4 The Long Ebb ")
    assert right.startswith("Session 1: High Water 5 ")


def test_C14_an_index_that_has_room_is_as_wide_as_the_page() -> None:
    entries = (Entry("Whatever waits beneath the customs stair, and its brother", "person", (1,)),)
    told = replace(long_book(), index=(*entries, *(Entry(f"No. {n}", "place", (1,)) for n in range(120))))
    pages = opened(told).pages
    people = next(page for page in pages if "No. 0" in page.extract_text())

    assert "Whatever waits beneath the customs stair, and its brother: 1\n" in people.extract_text() + "\n"
    # A hundred and twenty lines of 9 points are more than a page of A5: two columns, both of them begun.
    assert len({round(x / 50) for x, text in _placed(people) if text.startswith("No.")}) == len("ab")


def test_C14_no_day_is_parted_at_a_hyphen_and_the_notice_is_never_alone() -> None:
    for width in range(20, 44):
        chapter = Chapter(1, f"{'W' * (width // 2)} {'w' * (width // 2)}", "2026-03-14")
        scene = Scene(None, None, chapter, (Passage(None, (Paragraph("e1", Tag.NARRATION, "骰"),)),))
        told = replace(long_book(), scenes=(scene,))
        first, *others = [page.extract_text() for page in opened(told).pages]

        assert all("2026-03-14" in text for text in others[:2])
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


def test_what_every_font_has_is_named_nowhere() -> None:
    assert squeezed("shown by number") not in text_of(transcript_of("Zoë Ó Dálaigh, Ж, δ, ♠♥♦♣, →, שלום"))


def test_a_pdf_that_can_never_be_set_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "_set", lambda _told, _date: {"é"})

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


@settings(max_examples=tries(12))
@given(TEXTS)
def test_it_is_set_whatever_is_typed(text: str) -> None:
    for place in ("folded", "footnotes"):
        assert export("pdf", transcript_of(text, book=True), place).startswith(b"%PDF")
