"""Under a conflict played on a map stands the map, as it was when the conflict or the scene was over."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from docx import Document
from msgspec.structs import replace
from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

from retold.journal.extras import Extra
from retold.journal.vocabulary import commands as c
from retold.projections.exports import export
from retold.projections.exports.page_elements import Furniture
from retold.projections.maps.picture import Figure, Line, Picture, Spot
from retold.projections.maps.svg import svg
from retold.projections.prose.telling import Tag
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.story import transcript
from retold.projections.story.document import End, Head, Paragraph, Passage, Plate, Scene, Transcript
from retold.projections.story.transcript.build import of_line
from retold.projections.texts import safe
from tests.projections.evening import Table, w
from tests.projections.plans import HOSTILE
from tests.projections.played import played
from tests.projections.reading import read, squeezed
from tests.projections.warehouse import BEGUN, EVENING, RUN, recorded

XHTML = "{http://www.w3.org/1999/xhtml}"
OPF = "{http://www.idpf.org/2007/opf}"
SVG = "{http://www.w3.org/2000/svg}"
EXAMPLES_FOLDER = Path(__file__).parents[2] / "examples" / "edgerunner"


@pytest.fixture
def over(tmp_path: Path) -> Iterator[Table]:
    """An evening in the warehouse, to its end."""
    table = recorded(tmp_path / "steam.retold", EVENING)
    yield table
    table.campaign.close()


def told(table: Table) -> Transcript:
    return transcript.of_session(LineView(table.campaign, 1), 1)


def plates(transcript_: Transcript) -> list[tuple[str | None, Plate]]:
    """Each map and the scene it stands in."""
    return [
        (scene.title, passage.plate)
        for scene in transcript_.scenes
        for passage in scene.passages
        if passage.plate
    ]


def test_the_map_is_that_of_the_moment_before_the_end(over: Table) -> None:
    """Gatto and Jade never left the dock, and Hargan never his office."""
    ((_, plate),) = plates(told(over))

    assert (plate.id, plate.title) == ("c1-map", "The warehouse")
    assert list(plate.picture.who_is_where()) == [
        "Dock: Gatto (out), Jade",
        "Aisle: nobody",
        "Office: Hargan",
    ]


def test_if_nothing_is_played_on_a_map_there_is_none(table: Table) -> None:
    assert plates(transcript.of_range(LineView(table.campaign, 1))) == []


def test_a_scene_that_ends_in_the_middle_of_a_conflict_has_its_own(tmp_path: Path) -> None:
    table = recorded(tmp_path / "open.retold", RUN)
    table.do(c.SetScene(title=w("The street")))
    table.do(c.Say(who=1, text=w("Not that way.")))
    found = plates(told(table))

    assert [(scene, plate.id) for scene, plate in found] == [(None, "c1-map"), ("The street", "c1-2-map")]
    table.campaign.close()


def test_text_and_markdown_draw_it_in_letters(over: Table) -> None:
    drawing = (
        "The warehouse",
        "",
        "┌ Dock ───────────────┐          ┌ Aisle ───┐          ┌ Office ──┐",
        "│ Gatto (out), Jade   ├─────3────┤          ├─────a────┤ Hargan   │",
        "└─────────────────────┘          └──────────┘          └──────────┘",
        "",
        "a) Aisle - Office: open 1, smash 4",
    )
    ((_, plate),) = plates(told(over))

    assert Furniture().drawn(plate, 72) == drawing
    shown = {name: export(name, told(over)).decode() for name in ("markdown", "text")}
    assert "\n\n```text\n" + "\n".join(drawing) + "\n```\n\n" in shown["markdown"]
    assert "\n\n" + "\n".join(Furniture().drawn(plate, 80)) + "\n\n" in shown["text"]


def test_html_has_it_as_a_picture_whose_ids_are_its_own(over: Table) -> None:
    shown = export("html", told(over)).decode()
    figure = shown[shown.index('<figure class="plate" id="c1-map">') : shown.index("</figure>")]

    assert figure.count("<svg ") > 1
    assert '<title id="c1-map-title">The warehouse</title>' in figure
    assert set(re.findall(r' id="([^"]+)"', figure)) == {
        *("c1-map", "c1-map-title", "c1-map-desc"),
        *("c1-map-z-dock", "c1-map-z-aisle", "c1-map-z-office"),
    }


IN_WORDS = (
    "Map: The warehouse. Dock: Gatto (out), Jade. Aisle: nobody. Office: Hargan."
    " Dock - Aisle: 3. Aisle - Office: open 1, smash 4."
)


def files(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_epub_has_it_as_a_file_that_its_chapter_shows_and_tells(over: Table) -> None:
    made = files(export("epub", told(over)))
    shown = [
        (name, one.get("src"), one.get("alt"))
        for name, page in made.items()
        if "chapter" in name
        for one in ET.fromstring(page).iter(f"{XHTML}img")
    ]
    listed = {one.get("href"): one.get("media-type") for one in package(made).iter(f"{OPF}item")}

    assert shown == [("book/chapter-1.xhtml", "maps/c1-map.svg", IN_WORDS)]
    assert listed["maps/c1-map.svg"] == "image/svg+xml"
    assert ET.fromstring(made["book/maps/c1-map.svg"]).findtext(f"{SVG}title") == "The warehouse"


def test_an_epub_says_that_its_maps_can_be_read(over: Table, table: Table) -> None:
    def said(transcript_: Transcript) -> set[str]:
        metas = package(files(export("epub", transcript_))).iter(f"{OPF}meta")
        return {str(one.text) for one in metas if str(one.get("property")).startswith("schema:access")}

    without = said(transcript.of_session(LineView(table.campaign, 1), 1))

    assert {"visual", "alternativeText", "textual"} <= said(told(over))
    assert {"visual", "alternativeText"} & without == set()


def package(made: dict[str, bytes]) -> ET.Element:
    return ET.fromstring(made["book/package.opf"])


def test_pdf_has_it_as_a_figure_that_is_read_out(over: Table) -> None:
    made = export("pdf", told(over))
    found = [one for one in structure(PdfReader(io.BytesIO(made))) if one.get("/S") == "/Figure"]
    text = squeezed(read("pdf", made))

    assert [str(one["/Alt"]) for one in found] == [IN_WORDS]
    assert squeezed("Gatto") in text
    assert squeezed("smash 4") in text


def structure(reader: PdfReader) -> Iterator[DictionaryObject]:
    return _elements(DictionaryObject(reader.root_object)["/StructTreeRoot"])


def _elements(one: object) -> Iterator[DictionaryObject]:
    if isinstance(one, IndirectObject):
        yield from _elements(one.get_object())
    elif isinstance(one, list):
        for each in one:
            yield from _elements(each)
    elif isinstance(one, DictionaryObject):
        yield one
        yield from _elements(one.get("/K", ()))


def test_docx_has_it_as_a_picture_with_a_description(over: Table) -> None:
    made = export("docx", told(over))
    document = Document(io.BytesIO(made))
    (shape,) = document.inline_shapes

    assert shape._inline.docPr.get("descr") == IN_WORDS
    assert shape.width.inches <= 6  # a page of 8.5 less two margins of 1.25
    assert files(made)["word/media/image1.png"].startswith(b"\x89PNG")
    assert not any(one.text.startswith("Map") for one in document.paragraphs)


def test_docx_says_who_is_where_if_there_is_nothing_to_draw_it_with(
    over: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "retold.projections.exports.typesetting.TYPST", Extra("typst", "typst_is_not_here", "pdf")
    )
    made = export("docx", told(over))
    text = read("docx", made)

    assert [name for name in files(made) if name.endswith(".png")] == []
    for line in ("Map: The warehouse", "Dock: Gatto (out), Jade", "Aisle - Office: open 1, smash 4"):
        assert line in text


@pytest.mark.parametrize("name", ["epub", "docx", "pdf"])
def test_the_same_map_gives_the_same_bytes(over: Table, name: str) -> None:
    assert export(name, told(over)) == export(name, told(over))


@pytest.mark.parametrize("printed", [True, False])
def test_a_map_loads_nothing(over: Table, printed: bool) -> None:
    ((_, plate),) = plates(told(over))
    drawing = svg(plate.picture, printed=printed).replace('"http://www.w3.org/2000/svg"', "")

    assert not re.search(r"http|url\(|href|@import|@font-face|<image|<script|<foreignObject", drawing)


def test_a_printed_map_is_never_dark_and_names_the_fonts_it_is_set_in(over: Table) -> None:
    ((_, plate),) = plates(told(over))

    assert "dark" in svg(plate.picture)
    assert "dark" not in svg(plate.picture, printed=True)
    assert "Libertinus Serif" in svg(plate.picture, printed=True)


def test_C14_a_map_in_an_e_book_is_light_whatever_the_screen_is(over: Table) -> None:
    drawings = [
        data.decode() for name, data in files(export("epub", told(over))).items() if name.endswith("svg")
    ]

    assert drawings
    assert not any("dark" in one for one in drawings)


def with_plate(text: str) -> Transcript:
    """A transcript with nothing but a map on which everything is called so."""
    called = safe.line(text)
    spots = (Spot(called, 0.0, 0.0, (Figure(called),)), Spot(f"{called}2", 1.0, 0.0))
    picture = Picture(called, spots, (Line(0, 1, (called,), (called,), called),))
    passage = Passage(None, (Paragraph("e1", Tag.NARRATION, "Rain."),), plate=Plate("c1-map", text, picture))
    scene = Scene("s1", "The yard", None, (passage,))
    return Transcript("report", "gm", Head("The Long Ebb", 1), (), (scene,), End())


@pytest.mark.parametrize("name", ["epub", "docx", "pdf"])
def test_whatever_is_typed_on_a_map_is_text(name: str) -> None:
    for text in HOSTILE:
        made = export(name, with_plate(text))
        if name == "docx":
            (shape,) = Document(io.BytesIO(made)).inline_shapes
            assert safe.line(text) in shape._inline.docPr.get("descr")
        if name == "epub":
            page = ET.fromstring(files(made)["book/chapter-1.xhtml"])
            assert [str(one.get("alt")).count(safe.line(text)) > 3 for one in page.iter(f"{XHTML}img")] == [
                True
            ]
            assert ET.fromstring(files(made)["book/maps/c1-map.svg"]).tag == f"{SVG}svg"


@pytest.mark.parametrize("text", ["שָׁלוֹם", "q\u0301", "\u0301\u0301 x"])
def test_letters_with_marks_of_their_own_are_drawn_where_typst_would_refuse_to_set_them(text: str) -> None:
    (figure,) = (
        one
        for one in structure(PdfReader(io.BytesIO(export("pdf", with_plate(text)))))
        if one.get("/S") == "/Figure"
    )

    assert safe.line(text) in str(figure["/Alt"])


def test_a_character_no_font_has_is_shown_by_its_number_on_a_map_too() -> None:
    made = read("pdf", export("pdf", with_plate("骰子")))

    assert "⟦U+9AB0⟧" in made
    assert squeezed("shown by number") in squeezed(made)
    assert drawn_for_docx(with_plate("骰子")) == drawn_for_docx(with_plate("⟦U+9AB0⟧⟦U+5B50⟧"))


def drawn_for_docx(told_: Transcript) -> bytes:
    return files(export("docx", told_))["word/media/image1.png"]


def row(zones: int) -> Transcript:
    """A transcript with a map of so many zones in a row, each a border of 190 pixels from the next."""
    spots = tuple(Spot(f"Zone {number}", float(number), 0.0) for number in range(zones))
    ways = tuple(Line(number, number + 1, ("3",), ("3",)) for number in range(zones - 1))
    told_ = with_plate("x")
    passage = replace(told_.scenes[0].passages[0], plate=Plate("c1-map", "x", Picture("x", spots, ways)))
    return replace(told_, scenes=(replace(told_.scenes[0], passages=(passage,)),))


def box(made: bytes) -> tuple[float, float]:
    """How wide and how high its one picture is."""
    (figure,) = (one for one in structure(PdfReader(io.BytesIO(made))) if one.get("/S") == "/Figure")
    layout = figure["/A"]
    assert isinstance(layout, ArrayObject)
    left, bottom, right, top = map(float, layout[0]["/BBox"])
    return right - left, top - bottom


@pytest.mark.parametrize(
    ("zones", "turned", "told_too"), [(2, False, False), (5, True, False), (9, True, True)]
)
def test_a_map_too_wide_to_be_read_upright_is_turned_and_if_that_is_not_enough_told_too(
    zones: int, turned: bool, told_too: bool
) -> None:
    """A line is 112 mm long: 423 pixels. Smaller than 0.6, nobody reads it: wider than 705, it is turned."""
    made = export("pdf", row(zones))
    width, height = box(made)

    assert (width < height) is turned
    assert (squeezed("Zone 0 - Zone 1: 3") in squeezed(read("pdf", made))) is told_too


def test_each_chapter_of_a_book_has_its_own_maps(tmp_path: Path) -> None:
    """Two evenings of the examples in one campaign, the second of other people in another place."""
    first, second = (
        (EXAMPLES_FOLDER / f"{name}.session").read_text("utf-8") for name in ("warehouse", "netrun")
    )
    script = tmp_path / "two.session"
    script.write_text(first + re.sub(r"^campaign .*$", "", second, flags=re.MULTILINE), "utf-8")
    with played(script, tmp_path) as campaign:
        book = of_line(LineView(campaign, 1))
        made = {name: export(name, book) for name in ("epub", "docx", "pdf")}

    assert [one.title for one in book.plates()] == ["Past the giants", "Wiping her feet"]
    pages_ = {name: page.decode() for name, page in files(made["epub"]).items() if "chapter" in name}
    assert [re.findall(r'src="([^"]+)"', page) for _, page in sorted(pages_.items())] == [
        ["maps/c1-map.svg"],
        ["maps/c2-map.svg"],
    ]
    assert len(Document(io.BytesIO(made["docx"])).inline_shapes) == 2
    figures = [one for one in structure(PdfReader(io.BytesIO(made["pdf"]))) if one.get("/S") == "/Figure"]
    assert [str(one["/Alt"]).partition(".")[0] for one in figures] == [
        "Map: Past the giants",
        "Map: Wiping her feet",
    ]


def test_json_has_what_it_is_drawn_from(over: Table) -> None:
    value = json.loads(export("json", told(over)))
    (plate,) = (
        passage["plate"] for scene in value["scenes"] for passage in scene["passages"] if passage["plate"]
    )

    assert [spot["name"] for spot in plate["picture"]["spots"]] == ["Dock", "Aisle", "Office"]
    assert plate["picture"]["lines"][0]["there"] == ["3"]


def test_it_has_numbers_and_leaves_with_them(over: Table) -> None:
    assert plates(told(over).without_mechanics()) == []


def test_players_see_the_same_map(over: Table) -> None:
    ((_, plate),) = plates(transcript.of_session(LineView(over.campaign, 1, viewer=EVERYBODY), 1))

    assert plate == plates(told(over))[0][1]


def test_a_fence_is_longer_than_any_in_it(tmp_path: Path) -> None:
    opened = BEGUN[: BEGUN.index(next(one for one in BEGUN if one.kind == "edgerunner.zones-mapped"))]
    zones = BEGUN[len(opened)].but({"zones": ("````", "b"), "borders": ()})
    table = recorded(tmp_path / "ticks.retold", [], (*opened, zones))
    shown = export("markdown", told(table)).decode()

    assert "\n`````text\n" in shown
    assert shown.count("\n`````\n") == 1
    table.campaign.close()
