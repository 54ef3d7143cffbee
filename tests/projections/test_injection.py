"""Whatever is typed, in every field of every game, every format shows it as text and nothing but text.

An example is played twice with other words: once with harmless ones, each with a number, and once with what
could hurt. A reader of the format that is not ours has to find the same parts in both, and the hostile text
has to be the harmless one with each number's words in its place.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator

import pytest
from fountain.elements import ElementType
from msgspec.structs import replace
from pypdf import PdfReader

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import EXPORTS, MECHANICS, export
from retold.projections.maps.drawings import DRAWINGS
from retold.projections.prose import VOICES
from retold.projections.reading import LineView
from retold.projections.statistics import TOPICS, count, page
from retold.projections.story import document
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from tests.projections.payloads import PAYLOADS
from tests.projections.played import named, sessions
from tests.projections.readers import MAP_READERS, READERS, from_fountain, from_html
from tests.projections.test_pdf import tags
from tests.projections.twins import PLAYED, TOKEN, Twins, squeezed, twins_of
from tests.projections.typed import texts_of, transcript_of


def bare(transcript: document.Transcript) -> document.Transcript:
    """Without maps, which shorten what is long (as ribbons do); they are looked at by themselves."""
    scenes = [
        replace(scene, passages=tuple(replace(one, plate=None) for one in scene.passages))
        for scene in transcript.scenes
    ]
    return replace(transcript, scenes=tuple(scenes))


@pytest.fixture(scope="module", params=PLAYED, ids=named)
def twins(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    with twins_of(request.param, tmp_path_factory.mktemp("twins")) as both:
        yield both


Told = list[tuple[document.Transcript, document.Transcript]]


@pytest.fixture(scope="module")
def told(twins: Twins) -> Told:
    """An evening, and the book in another voice; each harmless and hostile."""
    voice = tuple(VOICES)[twins.number % len(VOICES)]
    number = sessions(twins.harmless)[0]
    both = (twins.harmless, twins.hostile)
    evening, hostile_evening = (bare(of_session(LineView(one, 1), number)) for one in both)
    book, hostile_book = (bare(of_line(LineView(one, 1), voice=voice)) for one in both)
    unordered = replace(book, index=()), replace(hostile_book, index=())  # the index is in order of the names
    return [(evening, hostile_evening), unordered]


def of_format(told: Told, twins: Twins, name: str) -> tuple[document.Transcript, document.Transcript]:
    """The evening or the book: every format meets both, and every example every format."""
    return told[([*EXPORTS].index(name) + twins.number) % 2]


# --- what is typed is text --------------------------------------------------------------------------------


def test_there_is_a_reader_for_every_format() -> None:
    assert {*READERS, "pdf"} == set(EXPORTS)


@pytest.mark.parametrize("name", READERS)
def test_a_reader_finds_the_same_parts_and_every_word_in_its_place(
    twins: Twins, told: Told, name: str
) -> None:
    place = MECHANICS[twins.number % len(MECHANICS)]
    good, bad = ([*READERS[name](export(name, one, place))] for one in of_format(told, twins, name))

    assert [kind for kind, _ in bad] == [kind for kind, _ in good]
    # A full stop stands between two texts of a paragraph as they end and begin.
    seen, wanted = [squeezed(text) for _, text in bad], [twins.expected(text) for _, text in good]
    assert [one.replace(".", "") for one in seen] == [one.replace(".", "") for one in wanted]


@pytest.mark.parametrize("name", ["markdown", "obsidian", "text", "lonelog", "partylog"])
def test_if_a_line_means_something_by_how_it_begins_no_payload_does(name: str) -> None:
    token = "harmless0000x"
    good = [(kind, squeezed(shown)) for kind, shown in READERS[name](export(name, begins_lines(token)))]
    for text in PAYLOADS:
        bad = READERS[name](export(name, begins_lines(text)))
        typed = squeezed(text)

        assert [(kind, squeezed(shown)) for kind, shown in bad] == [
            (kind, shown.replace(token, typed)) for kind, shown in good
        ]


def begins_lines(text: str) -> document.Transcript:
    """Everything that a book may have, its second session without a story."""
    told = transcript_of(text, book=True)
    _, second = (one for one in told.scenes if one.chapter is not None)
    scenes = told.scenes[: told.scenes.index(second)]
    return replace(told, scenes=(*scenes, replace(second, passages=())))


def test_a_reader_of_scripts_finds_as_many_scenes_and_no_marks_whatever_is_typed() -> None:
    for text in PAYLOADS:
        kinds = Counter(kind for kind, _ in from_fountain(export("fountain", transcript_of(text))))

        assert kinds[str(ElementType.SCENE_HEADING)] == 1
        assert kinds[str(ElementType.TRANSITION)] == 0


def test_a_page_of_paper_has_every_word_is_tagged_as_before_and_leads_nowhere(
    twins: Twins, told: Told
) -> None:
    place = MECHANICS[twins.number % len(MECHANICS)]
    transcripts = of_format(told, twins, "pdf")
    harmless, hostile = (PdfReader(io.BytesIO(export("pdf", one, place))) for one in transcripts)
    shown = on_paper("".join(page.extract_text() for page in hostile.pages))
    tokens = {token for one in texts_of(transcripts[0]) for token in TOKEN.findall(one)}
    words = {twins.typed[token] for token in tokens}

    assert {
        one for one in words if one.isascii() and one.isprintable() and on_paper(one) not in shown
    } == set()
    assert {*tags(hostile)} == {*tags(harmless)}
    assert {*actions(hostile)} <= {"/GoTo"}


def on_paper(text: str) -> str:
    """A text without what may stand where a line ends."""
    return squeezed(re.sub("[-\u200b\u2060]", "", text))


def actions(reader: PdfReader) -> Iterator[str]:
    """What a click on each link does."""
    for leaf in reader.pages:
        for note in leaf.annotations or ():
            action = note.get_object().get("/A")
            yield "/GoTo" if action is None else str(action.get_object()["/S"])


def test_the_page_of_statistics_has_the_same_parts(twins: Twins) -> None:
    good, bad = ([*from_html(counted(one))] for one in (twins.harmless, twins.hostile))

    assert [kind for kind, _ in bad] == [kind for kind, _ in good]


def counted(campaign: CampaignStore) -> bytes:
    """The statistics of a campaign as a page."""
    asked = LineView(campaign, 1)
    return page(f"{asked.table.title}", [str(asked.table.title)], count(asked, tuple(TOPICS)))


# --- maps -------------------------------------------------------------------------------------------------


def drawn(twins: Twins, kind: str) -> Iterator[tuple[str, str]]:
    """Every map of the book, drawn of the harmless and of the hostile."""
    for harmless, hostile in zip(
        *(plates(of_line(LineView(one, 1))) for one in (twins.harmless, twins.hostile)), strict=True
    ):
        yield DRAWINGS[kind].draw(harmless.picture), DRAWINGS[kind].draw(hostile.picture)


def plates(transcript: document.Transcript) -> list[document.Plate]:
    told = (passage.plate for scene in transcript.scenes for passage in scene.passages)
    return [plate for plate in told if plate is not None]


def test_there_is_a_reader_for_every_drawing_that_is_not_letters() -> None:
    assert {*MAP_READERS, "text", "ascii"} == set(DRAWINGS)


@pytest.mark.parametrize("kind", MAP_READERS)
def test_a_reader_of_maps_finds_the_same_parts_and_every_word(twins: Twins, kind: str) -> None:
    pairs = [*drawn(twins, kind)]

    assert bool(pairs) == (twins.game == "edgerunner")
    for harmless, hostile in pairs:
        good, bad = ([*MAP_READERS[kind](one)] for one in (harmless, hostile))

        assert [part for part, _ in bad] == [part for part, _ in good]
        # A full stop stands between two texts of a paragraph as they end and begin.
        seen, wanted = [squeezed(text) for _, text in bad], [twins.expected(text) for _, text in good]
        assert [one.replace(".", "") for one in seen] == [one.replace(".", "") for one in wanted]
