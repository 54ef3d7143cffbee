"""A page says nothing of its own accord but in the words of its voice, whatever the format.

All that is typed here is Greek and every phrase is Cyrillic, so that any Latin word left on a page is English
that nobody could translate.
"""

from __future__ import annotations

import html
import io
import re
import zipfile
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from retold.projections.exports import EXPORTS, export
from retold.projections.exports.page_elements import Furniture, MechanicsPlace
from retold.projections.maps.picture import Line, Move, Picture, Spot
from retold.projections.maps.svg import svg
from retold.projections.maps.terminal import drawn
from retold.projections.prose.phrases import Phrases, table, values
from retold.projections.story import document
from retold.projections.story.document import Mechanic, Passage, Scene, Transcript
from tests.projections.reading import parts, read
from tests.projections.typed import transcript_of

TYPED = "ζήλος"
MARKED = Phrases(
    lambda: {key: "жж" + "".join(f" {{{{ {one} }}}}" for one in sorted(values(key))) for key in table()}
)
PICTURE = Picture(
    TYPED,
    (Spot(TYPED, 0, 0), Spot(TYPED * 12, 1, 0), Spot(TYPED, 2, 0)),
    (Line(0, 1, (), ()), Line(1, 2, ("1",), ()), Line(0, 2, ("1",), ("2",))),
    (
        Move((TYPED, TYPED), 0, 1),
        Move((TYPED,), None, 2),
        Move((TYPED,), 2, None),
        Move((TYPED,), None, None),
    ),
    phrases=MARKED,
)
APART = document.Variation("v1", None, TYPED, TYPED, ())

NOTATION = {
    "markdown": {"text"},
    "obsidian": {
        *("campaign", "session", "title", "date", "systems", "gm", "players", "absent", "voice", "for"),
        *("report", "dice", "branch", "text"),
    },
    "fountain": {"Title", "Credit", "Author", "Source", "Notes"},
}
"""Keys and names that belong to a format and not to the page."""


def everything(*, book: bool) -> Transcript:
    """A transcript with all that one may have, in which every word is typed or a phrase."""
    told = transcript_of(TYPED, book=book)
    head = replace(told.head, systems=(TYPED,), summary=TYPED)
    return replace(told, head=head, scenes=tuple(map(_scene, told.scenes)), phrases=MARKED)


def _scene(scene: Scene) -> Scene:
    return replace(scene, passages=tuple(map(_passage, scene.passages)))


def _passage(passage: Passage) -> Passage:
    paragraphs = tuple(
        replace(one, label=TYPED, manner=TYPED, eyes=TYPED if one.eyes else None)
        for one in passage.paragraphs
    )
    heading = passage.conflict
    if heading is None:
        return replace(passage, paragraphs=paragraphs)
    plate = document.Plate(f"{heading.id}-map", TYPED, PICTURE)
    variations = (replace(APART, id=f"{heading.id}-v"),)
    return Passage(replace(heading, system=TYPED), paragraphs, variations, plate)


def shown(name: str, data: bytes) -> str:
    """What a reader of the format sees or hears, without its markup."""
    if name in ("html", "fragment"):
        return "\n".join(seen(data.decode()))
    if name == "epub":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            texts = [one for one in archive.namelist() if not one.endswith(".otf")]
            files = {one: archive.read(one).decode() for one in texts}
        summary = re.findall(r'"schema:accessibilitySummary">(.*?)<', files["book/package.opf"])
        told = (text for one, text in files.items() if one.endswith((".xhtml", ".svg")))
        return "\n".join((*summary, *(line for text in told for line in seen(text))))
    if name == "docx":
        text = read(name, data)
        return "\n".join(
            (*re.findall(r"<w:t(?: [^>]*)?>([^<]*)</w:t>", text), *re.findall(r'descr="([^"]*)"', text))
        )
    if name == "odt":
        return "\n".join(
            re.findall(
                r"(?<!language)>([^<]+)<", "\n".join(each.decode() for each in parts(name, data).values())
            )
        )
    return re.sub(r"\^e[\w-]+|\be\d+-\d+\b|\bm\d+b?\b", "", read(name, data))


def seen(markup: str) -> Iterator[str]:
    """The text of HTML, and what is read out to those who do not see it."""
    body = re.sub(r"(?s)<style>.*?</style>|<\?.*?\?>|<!.*?>", "", markup)
    yield from map(html.unescape, re.findall(r'(?:aria-label|alt)="([^"]*)"', body))
    yield html.unescape(re.sub(r"(?s)<[^>]*>", " ", body))


def latin(name: str, data: bytes) -> set[str]:
    return set(re.findall(r"[A-Za-z]{2,}", shown(name, data))) - NOTATION.get(name, set())


@pytest.mark.parametrize(
    ("place", "book"),
    [(MechanicsPlace.FOLDED, False), (MechanicsPlace.FOOTNOTES, True), (MechanicsPlace.APPENDIX, True)],
)
@pytest.mark.parametrize(
    "name", ["markdown", "obsidian", "html", "fragment", "text", "fountain", "epub", "docx", "odt", "pdf"]
)
def test_no_english_is_left_on_a_page_of_a_voice_without_any(
    name: str, place: MechanicsPlace, book: bool
) -> None:
    if (needs := EXPORTS[name].needs) is not None:
        pytest.importorskip(needs.module)
    data = export(name, everything(book=book), place)

    assert "жж" in shown(name, data)
    assert latin(name, data) == set()


def test_C16_the_key_of_a_map_and_who_moved_are_in_the_words_of_the_voice() -> None:
    german = Phrases(
        lambda: {
            **table(),
            "names.and": "und",
            "map.key": "{{ shown }} heißt {{ name }}",
            "map.went": "{{ who|listed }} ging von {{ start }} nach {{ end }}.",
        }
    )
    place = Spot("Am Ufer der großen Schleuse", 1, 0)
    quay = Picture("Kai", (Spot("Kai", 0, 0), place), (), (Move(("Kit", "Sol"), 0, 1),), german)

    under = "\n".join(drawn(quay))
    assert re.search(r"^Am Ufer.*… heißt Am Ufer der großen Schleuse$", under, re.MULTILINE)
    assert "Kit und Sol ging von Kai nach Am Ufer der großen Schleuse." in under
    assert "Kit und Sol ging von Kai nach Am Ufer der großen Schleuse." in svg(quay)


def test_what_is_looked_for_would_be_found() -> None:
    english = replace(everything(book=False), phrases=Phrases())

    assert {"Cast", "changed", "Mechanics", "against", "played"} <= latin("html", export("html", english))


@pytest.mark.parametrize(
    ("luck", "told"),
    [("", ""), ("called", "ausgerufen"), ("dealt 1, called 5", "gegeben 1, ausgerufen 5"), ("?", "?")],
)
def test_where_luck_came_from_is_said_in_the_words_of_the_voice(luck: str, told: str) -> None:
    furniture = Furniture(Phrases(lambda: {"luck.called": "ausgerufen", "luck.dealt": "gegeben"}))

    assert furniture.luck(Mechanic("e1", "table.rolled", "1d6: 4", luck)) == told
