"""Whose each sentence is, read back from every format: each text has two paragraphs, and nobody may ask."""

from __future__ import annotations

import html
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

import html5lib
import pytest
import webvtt
from docx import Document
from fountain.elements import ElementType
from fountain.parser import FountainParser
from pypdf import PageObject, PdfReader

from retold.__main__ import main
from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import EXPORTS, export
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.projections.story import transcript
from tests.projections.reading import odt_paragraphs, parts
from tests.projections.test_lonelog import line as line_of_notation
from tests.projections.test_lonelog import notation

XHTML: Final = "{http://www.w3.org/1999/xhtml}"

NOBODY: Final = ""

SPEAKERS: Final = {
    "scene The quay": NOBODY,
    "narrate gm": NOBODY,
    "narrate Jon": "Jon",
    "narrate Ada": "Ada",
    "narrate Wolf": "Wolf",
    "say gm": "gm",
    "say Ada": "Ada",
    "say Wolf": "Wolf",
    "declare Ada": "Ada",
    "narrate Bo": "Bo",
    "note": "Note",
    "note Ada": "Note",
    "note Ada --quote": "Ada",
    "note --gm": "Note",
    "say Ada --to Bo": "Ada",
    "narrate Ada --gm": "Ada",
    "aside Jon": "Jon",
    "ruling": "Ruling",
    'compel Ada "Owes the harbour"': "gm",
    "accept Ada": "Ada",
    "compel Bo reckless": "gm",
    "refuse Bo": "Bo",
    "conflict edgerunner Ada vs Bo": None,
    "concede Ada": "Ada",
    "refuse Bo ": "Bo",
    "roll Wolf 1d6 = 4": "Wolf",
    "concede Ada ": "Ada",
    "accept Bo": "Bo",
    "narrate Ada --at @": "Ada",
    "end scene": NOBODY,
    "conflict spacetime Jon vs Ilse": None,
    "outcome Jon": "Jon",
    "outcome Ilse": "Ilse",
    "postpone Jon": "Jon",
    "end session": NOBODY,
}
"""Every kind of line with words, and whose they are; None where they stand in a heading."""

TOLD_BY_GM: Final = ("narrate Wolf", "roll Wolf 1d6 = 4")
"""Lines in third person for somebody without a player: running text tells them as the game master's."""

CAST: Final = """\
campaign Whose Words
cast gm by=Rana
cast Ada edgerunner by=Jon cool=4 guns=4 aspect.debt="Owes the harbour"
cast Bo edgerunner by=Ilse cool=3 guns=3 aspect.trait="reckless"
cast Wolf edgerunner cool=3
session "Low Water" --date 2026-03-14
"""

GOES_ON: Final = "and the harbour light goes round above it all, while nobody on the quay has said any more"


def typed() -> str:
    """The evening, as somebody types it; words of ours at the beginning of each paragraph mark it."""
    lines = (
        f"{line.strip()}:\n    {first(number)} {GOES_ON}.\n    .\n    {second(number)} {GOES_ON}.\n"
        for number, line in enumerate(SPEAKERS)
    )
    return CAST + "".join(lines)


def first(number: int) -> str:
    return f"Alpha{number:02}"


def second(number: int) -> str:
    return f"Omega{number:02}"


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CampaignStore]:
    """All of them at one table."""
    folder = tmp_path_factory.mktemp("speakers")
    lines, path = folder / "all.session", folder / "all.retold"
    lines.write_text(typed(), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RETOLD_HOME", str(folder / "home"))
        assert main(["run", "--new", "-q", "-c", str(path), str(lines)]) == 0
    with CampaignStore.open(path, read_only=True) as campaign:
        yield campaign


# --- what a reader sees -----------------------------------------------------------------------------------


class Block(NamedTuple):
    """Words that stand together, and the name they stand under; empty for none."""

    label: str
    text: str


def labelled(text: str) -> Block:
    """A block whose label, if any, is what stands before its first colon and before our marks."""
    lead, colon, rest = text.partition(": ")
    return Block(lead, rest) if colon and "Alpha" not in lead and "Omega" not in lead else Block("", text)


def together(lines: Iterator[tuple[bool, str]]) -> Iterator[Block]:
    """Blocks made of lines, each with whether it begins at the margin; what does not goes on."""
    block = ""
    for begins, text in lines:
        if begins and block:
            yield labelled(block)
            block = ""
        block = f"{block} {text}"
    yield labelled(block)


def from_markdown(data: bytes) -> Iterator[Block]:
    for block in data.decode().split("\n\n"):
        text = re.sub(r"\*\*|\\(?=\W)|^> ", "", block).strip(" *(")
        quoted = re.search(r" — (\w+)$", text)
        yield Block(quoted[1], text) if quoted else labelled(text)


def from_text(data: bytes) -> Iterator[Block]:
    for block in data.decode().split("\n\n"):
        for one in re.split(r"\n(?=- )", block):
            quoted = re.search(r"\((\w+)\)$", one) if one.startswith("- ") else None
            lines = one.strip("\n").split("\n")
            yield Block(quoted[1], one) if quoted else labelled(" ".join(map(str.strip, lines)).lstrip("("))


def from_json(data: bytes) -> Iterator[Block]:
    told = json.loads(data)
    for scene in told["scenes"]:
        for passage in scene["passages"]:
            yield from (Block(one["label"] or "", one["text"]) for one in passage["paragraphs"])
    yield from (Block(one["who"], one["text"]) for one in told["end"]["quotes"])


def from_elements(root: ET.Element, ns: str = "") -> Iterator[Block]:
    """Blocks of a page: a paragraph in one is under the label of its first."""
    for one in root.iter(f"{ns}div"):
        if "told" in (one.get("class") or "").split():
            label = "".join(
                "".join(each.itertext()) for each in one.iter(f"{ns}span") if each.get("class") == "label"
            )
            yield Block(label, "".join(one.itertext()))
    for one in root.iter(f"{ns}blockquote"):
        last = [each for each in one if each.tag in (f"{ns}footer", f"{ns}p")][-1]
        yield Block("".join(last.itertext()), "".join(one.itertext()))


def from_html(data: bytes) -> Iterator[Block]:
    reader = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), namespaceHTMLElements=False)
    return from_elements(reader.parse(data))


def from_fragment(data: bytes) -> Iterator[Block]:
    for one in re.findall(
        r"(?s)<blockquote>.*?</blockquote>|<(?:p|li|h\d)>.*?</(?:p|li|h\d)>", data.decode()
    ):
        text = html.unescape(re.sub("<[^>]*>", "", one)).strip()
        quoted = re.search(r" — (\w+)$", text)
        yield Block(quoted[1], text) if quoted else labelled(text.lstrip("("))


def from_epub(data: bytes) -> Iterator[Block]:
    for name, part in sorted(parts("epub", data).items()):
        if name.endswith(".xhtml"):
            yield from from_elements(ET.fromstring(part), XHTML)


def from_docx(data: bytes) -> Iterator[Block]:
    """By how far each paragraph begins from the margin of its kind, as its style has it."""
    lines: list[tuple[bool, str]] = []
    for one in Document(io.BytesIO(data)).paragraphs:
        assert one.style is not None
        shape = one.style.paragraph_format
        begins = (shape.left_indent or 0) + (shape.first_line_indent or 0)
        kind = one.style.base_style if one.style.name.endswith(" Continued") else one.style
        margin = (kind.paragraph_format.left_indent or 0) + (kind.paragraph_format.first_line_indent or 0)
        lines.append((begins <= margin, one.text))
    for block in together(iter(lines)):
        quoted = re.search(r" — (\w+)$", block.text)
        yield Block(quoted[1], block.text) if quoted else block


def from_odt(data: bytes) -> Iterator[Block]:
    """By the style of each paragraph, which says whether it goes on."""
    lines = ((not style.endswith(" Continued"), text) for style, text in odt_paragraphs(data))
    for block in together(lines):
        quoted = re.search(r" — (\w+)$", block.text)
        yield Block(quoted[1], block.text) if quoted else block


def from_pdf(data: bytes) -> Iterator[Block]:
    """By how far each line begins from the margin: no more than a paragraph does, or under a name."""
    lines = [line for page in PdfReader(io.BytesIO(data)).pages for line in _lines_of(page)]
    for block in together(iter(lines)):
        quoted = re.search(r" — (\w+)$", block.text)
        yield Block(quoted[1], block.text) if quoted else block


def _lines_of(page: PageObject) -> Iterator[tuple[bool, str]]:
    """Lines of a page; True for one that begins a text, by its indent or since a heading is above it."""
    found: dict[int, list[tuple[float, str]]] = {}

    def visit(text: str, cm: list[float], tm: list[float], *_: object) -> None:
        if text.strip():
            found.setdefault(round(tm[5] * cm[3] + cm[5]), []).append(
                (tm[4] * cm[0] + cm[4], text.strip("\n"))
            )

    page.extract_text(visitor_text=visit)
    margin = min((runs[0][0] for runs in found.values()), default=0)
    is_under_heading = False
    for height in sorted((height for height in found if PAGE_FOOT < height < PAGE_HEAD), reverse=True):
        line = "".join(text for _, text in found[height]).strip()
        indent = found[height][0][0] - margin
        is_heading = indent > CENTRED and not line.startswith("—")
        is_new = is_heading or is_under_heading or 5 < indent < UNDER_A_NAME or bool(labelled(line).label)
        yield is_new, line
        is_under_heading = is_heading


UNDER_A_NAME: Final = 15
"""Points from the margin: a new text begins nearer."""

CENTRED: Final = 60
"""Points from the margin at which only headings begin, and the names behind quotes."""

PAGE_FOOT, PAGE_HEAD = 55, 545
"""Points from the edge of a page: the number stands below, the running head above."""


def from_fountain(data: bytes) -> Iterator[Block]:
    cue = ""
    for one in FountainParser().parse(data.decode()).elements:
        if one.type is ElementType.CHARACTER:
            cue = one.text
        elif one.type is ElementType.DIALOGUE:
            yield Block(cue, one.text)
        elif one.type is ElementType.NOTE and one.text.rstrip("]").endswith(")"):
            yield Block(one.text.rpartition("(")[2], one.text)
        else:
            yield labelled(one.text.lstrip("[(!"))


def from_srt(data: bytes) -> Iterator[Block]:
    for one in webvtt.from_buffer(io.BytesIO(data), format="srt").captions:
        yield labelled(" ".join(one.lines))


def from_webvtt(data: bytes) -> Iterator[Block]:
    return (Block(one.voice or "", one.text) for one in webvtt.from_string(data.decode()).captions)


def from_log(data: bytes) -> Iterator[Block]:
    for written in notation(data):
        said = line_of_notation(written)
        block = labelled(said.text)
        yield Block(said.who if said.kind in ("act", "speech") else block.label or said.kind, said.text)


READERS: Final[Mapping[str, Callable[[bytes], Iterator[Block]]]] = {
    "markdown": from_markdown,
    "obsidian": from_markdown,
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
    "pdf": from_pdf,
}


def test_there_is_a_reader_of_every_format() -> None:
    assert set(READERS) == set(EXPORTS)


@pytest.mark.parametrize("voice", [name for name in VOICES if name != "plain"])
@pytest.mark.parametrize("name", EXPORTS)
def test_C1_both_paragraphs_of_a_text_are_seen_to_be_the_same_person_s(
    evening: CampaignStore, name: str, voice: str
) -> None:
    told = transcript.of_session(LineView(evening, 1), 1, voice=voice)
    blocks = list(READERS[name](export(name, told, "none")))

    for number, (line, who) in enumerate(SPEAKERS.items()):
        begins, goes_on = (
            [one for one in blocks if re.search(rf"\b{mark(number)}\b", one.text)] for mark in (first, second)
        )
        if who is None or not begins:
            assert not goes_on or who is None, line
            continue
        ((label, _),) = begins
        assert goes_on, line
        if name not in (
            "markdown",
            "obsidian",
            "fragment",
        ):  # two paragraphs are two, and the first has the label
            assert goes_on[0].label == label, line
        if name not in ("lonelog", "partylog"):  # whose signs are looked at by test_lonelog
            is_gms = who == "gm" or (voice == "prose" and EXPORTS[name].runs_on and line in TOLD_BY_GM)
            assert named(label) == (NOBODY if is_gms else who), line


NAMES: Final = re.compile(r"game master|GM|Ada|Bo|Jon|Ilse|Wolf|Note|Ruling", re.IGNORECASE)


def named(label: str) -> str:
    """The first whom a label names; nobody for the game master, who may be named or not."""
    found = NAMES.search(label)
    return "" if found is None or found[0].casefold() in ("gm", "game master") else found[0].title()


# --- how pages look ---------------------------------------------------------------------------------------


def rules(style: str) -> dict[str, dict[str, str]]:
    """A style sheet's declarations by their selector; of one that stands there twice, all of them."""
    found: dict[str, dict[str, str]] = {}
    for selectors, block in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        for selector in selectors.split(","):
            known = found.setdefault(" ".join(selector.split()), {})
            pairs = (pair.partition(":") for pair in block.split(";") if ":" in pair)
            known.update({key.strip(): value.strip() for key, _, value in pairs})
    return found


def test_C1_an_e_book_has_all_that_goes_on_under_a_name_further_in_than_a_new_text(
    evening: CampaignStore,
) -> None:
    book = export("epub", transcript.of_session(LineView(evening, 1), 1), "none")
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        style = rules(archive.read("book/book.css").decode())

    new, goes_on = (
        float(style[selector][shift].removesuffix("em"))
        for selector, shift in (
            (".told + .told > p:first-of-type", "text-indent"),
            (".labelled > p + p", "padding-inline-start"),
        )
    )
    assert 0 < new < goes_on
    assert style[".told > p"] == {"margin": "0", "text-indent": "0"}


def test_C1_a_page_has_all_that_goes_on_under_a_name_further_in(evening: CampaignStore) -> None:
    page = export("html", transcript.of_session(LineView(evening, 1), 1), "none").decode()
    style = rules(page.partition("<style>")[2].partition("</style>")[0])

    assert float(style[".labelled p + p"]["margin-inline-start"].removesuffix("em")) > 0
