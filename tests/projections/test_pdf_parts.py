"""A long book is set in parts, and is the same book as one that is set at once."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace
from pypdf import PdfReader
from pypdf.generic import Destination, DictionaryObject

from retold.projections.exports import export
from retold.projections.exports.pdf import parts
from retold.projections.prose.telling import Tag
from retold.projections.reading.pictures import Image
from retold.projections.story.document import (
    Chapter,
    Conflict,
    Entry,
    Mechanic,
    Paragraph,
    Passage,
    Scene,
    Transcript,
)
from tests.projections.test_pdf import DOT, long_book, tags

CHAPTERS = 5
BEGINS = 6
"""Pages before the first chapter."""


def told(number: int, text: str) -> Paragraph:
    mechanics = (Mechanic(f"e{number}m", "bruise.drawn", f"Zel: [QH]=12 ({number} 0 R)"),)
    return Paragraph(f"e{number}", Tag.NARRATION, text, mechanics=mechanics)


def book(letters: str = "Rain, and the tide still out. ") -> Transcript:
    """A book whose chapters have one page or two, with a fight in the second."""
    scenes = []
    for number in range(1, CHAPTERS + 1):
        passages = [Passage(None, tuple(told(10 * number + at, letters * 20) for at in range(number)))]
        if number == 2:
            fight = Conflict("c1", 1, "The stair ((5 0 R)", "bruise", (("Zel",), ("Ash",)), None)
            passages.append(Passage(fight, (told(99, "Nobody falls."),)))
        chapter = Chapter(number, f"High \\Water) /Next 4 0 R ({number}", f"2026-03-0{number}")
        scenes.append(Scene(f"s{number}", f"The stair {number}", chapter, tuple(passages)))
    entries = (Entry("Zel", "person", (1, 2, 4)), Entry("The quay", "place", (3, 4, 5)))
    return replace(long_book(), scenes=tuple(scenes), index=entries)


def opened(told: Transcript, place: str, paper: str | None = None) -> PdfReader:
    return PdfReader(io.BytesIO(export("pdf", told, place, paper)))


def in_parts(
    told: Transcript, place: str, monkeypatch: pytest.MonkeyPatch, paper: str | None = None
) -> PdfReader:
    """The book, set in as many parts as there are: each chapter, and each two rows of the appendix."""
    with monkeypatch.context() as patched:
        patched.setattr(parts, "LONGEST", 2)
        return opened(told, place, paper)


def pages(reader: PdfReader) -> list[str]:
    return [page.extract_text() for page in reader.pages]


def outline(
    reader: PdfReader, items: Iterable[object] | None = None, depth: int = 0
) -> Iterator[tuple[int, object, int | None, int]]:
    """Depth, title, page and height of each bookmark."""
    for item in reader.outline if items is None else items:
        if isinstance(item, list):
            yield from outline(reader, item, depth + 1)
        else:
            assert isinstance(item, Destination)
            yield depth, item.title, reader.get_destination_page_number(item), round(float(item.top or 0))


def links(reader: PdfReader) -> Iterator[tuple[int, str, int, int, int]]:
    """The page of each link and what is said of it, and page and place where it leads."""
    for number, page in enumerate(reader.pages):
        for reference in page.get("/Annots", ()):
            link = reference.get_object()
            found = link["/Dest"]
            if isinstance(found, str):
                found = reader.named_destinations[found].dest_array
            where, _, left, top, *_ = found.get_object()
            leads_to = reader.get_page_number(where.get_object())
            assert leads_to is not None
            yield number, link["/Contents"].lower(), leads_to, round(float(left)), round(float(top))


def untrue_parents(reader: PdfReader) -> list[object]:
    """What the tree of parents says otherwise than the pages and links it is about."""
    tree = DictionaryObject(reader.root_object)["/StructTreeRoot"].get_object()
    numbers = tree["/ParentTree"]["/Nums"]  # type: ignore[index]
    known = dict(zip(numbers[::2], numbers[1::2], strict=True))
    found: list[object] = []
    for page in reader.pages:
        marked = known[page["/StructParents"]].get_object() if "/StructParents" in page else ()
        for at, element in enumerate(one.get_object() for one in marked):
            own = at in element["/K"] and element["/Pg"].get_object() == page
            others = (one for one in element["/K"] if isinstance(one, DictionaryObject))
            if not own and not any(
                one.get("/MCID") == at and one["/Pg"].get_object() == page for one in others
            ):
                found.append((page, at))
        for link in (reference.get_object() for reference in page.get("/Annots", ())):
            of = known[link["/StructParent"]].get_object()["/K"]
            if not any(isinstance(one, DictionaryObject) and one["/Obj"].get_object() == link for one in of):
                found.append(link)
    return found


def test_a_book_in_parts_has_the_same_pages_tags_bookmarks_and_links(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, joined = opened(book(), "footnotes"), in_parts(book(), "footnotes", monkeypatch)

    assert pages(joined) == pages(whole)
    assert tags(joined) == tags(whole)
    assert [*outline(joined)] == [*outline(whole)]
    assert sorted(links(joined)) == sorted(links(whole))
    assert untrue_parents(joined) == untrue_parents(whole) == []
    assert joined.metadata == whole.metadata
    assert [page.mediabox for page in joined.pages] == [page.mediabox for page in whole.pages]


def test_notes_of_a_book_in_parts_lead_to_the_appendix_and_back(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = in_parts(book(), "appendix", monkeypatch)
    texts = pages(reader)
    found = [(number, leads_to) for number, _, leads_to, *_ in links(reader)]
    first = next(number for number, text in enumerate(texts) if "Mechanics" in text and number >= BEGINS)
    notes = [link for link in found if link[1] >= first > link[0] >= BEGINS]
    back = [link for link in found if link[0] >= first]

    assert len(notes) == len(back) == CHAPTERS * (CHAPTERS + 1) / 2 + 1
    assert back == [(row, note) for note, row in notes]
    assert all("Zel: [QH]=12" in texts[row] for _, row in notes)
    heads = [text.splitlines()[0] for text in texts[first + 1 :]]
    numbers = range(first + 2, len(texts) + 1)
    assert heads == [f"Mechanics {number}" if number % 2 else f"{number} The Long Ebb" for number in numbers]
    assert untrue_parents(reader) == []


def test_links_of_a_bleeding_book_in_parts_lead_to_the_same_places(monkeypatch: pytest.MonkeyPatch) -> None:
    cover = Image("cover", "image/png", 1480, 2100, "0" * 64, "A road", None, None, DOT)
    bleeding = replace(book(), cover=cover)
    whole = opened(bleeding, "folded", "a5-bleed")

    assert [*outline(in_parts(bleeding, "folded", monkeypatch, "a5-bleed"))] == [*outline(whole)]


def test_characters_without_a_font_are_named_in_a_book_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(pages(in_parts(book("🎲 "), "none", monkeypatch)))

    assert "No font of this PDF has these characters" in " ".join(text.split())
    assert "⟦U+1F3B2⟧" in text


def test_a_book_has_parts_if_it_has_many_paragraphs() -> None:
    blocks: list[object] = [{}] * (3 * parts.LONGEST)

    assert not parts.is_long({"listed": True, "blocks": blocks})
    assert parts.is_long({"listed": True, "blocks": [*blocks, {}]})
    assert not parts.is_long({"listed": False, "blocks": [*blocks, {}]})
