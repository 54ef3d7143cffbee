"""Every example is valid HTML to a strict reader: in every voice, the mechanics in every place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice, pairwise
from xml.etree import ElementTree as ET

import html5lib
import pytest
from html5lib.html5parser import ParseError

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports import MECHANICS, export
from retold.projections.prose import VOICES
from retold.projections.reading import EVERYBODY, LineView
from retold.projections.story.document import Transcript
from retold.projections.story.transcript import of_session
from retold.projections.story.transcript.build import of_line
from tests.projections.played import FEW, named, played, sessions
from tests.projections.typed import transcript_of


@pytest.fixture(scope="module", params=FEW, ids=named)
def campaign(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[CampaignStore]:
    with played(request.param, tmp_path_factory.mktemp("played")) as one:
        yield one


def parsed(page: bytes) -> ET.Element:
    """The page as HTML5 has it; ParseError at its first mistake."""
    reader = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False)
    root = reader.parse(page)
    assert isinstance(root, ET.Element)
    return root


def told(campaign: CampaignStore, voice: str) -> Iterator[Transcript]:
    """Its evenings, with all that may stand beside them, what the table sees of each, and the book."""
    for number in sessions(campaign):
        yield of_session(LineView(campaign, 1), number, voice=voice, variations=True, ribbon=True)
        yield of_session(LineView(campaign, 1, viewer=EVERYBODY), number, voice=voice)
    yield of_line(LineView(campaign, 1), voice=voice)


def check(root: ET.Element) -> None:
    """What is wrong with a page though it can be parsed: ids, links, headings, and what has no name."""
    ids = Counter(one.get("id") for one in root.iter() if one.get("id"))
    links = [one.get("href", "") for one in root.iter("a")]
    levels = [int(one.tag[1]) for one in root.iter() if one.tag in ("h1", "h2", "h3", "h4", "h5", "h6")]
    named_by = [name for one in root.iter() for name in one.get("aria-labelledby", "").split()]

    assert [one for one, count in ids.items() if count > 1] == []
    assert {one[1:] for one in links} <= set(ids)
    assert all(one.startswith("#") for one in links)
    assert set(named_by) <= set(ids)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    assert all("".join(one.itertext()).strip() for one in root.iter() if one.tag in ("p", "li", "dt", "a"))


@pytest.mark.parametrize("voice", VOICES)
def test_every_page_of_an_example_is_valid(
    campaign: CampaignStore, voice: str, request: pytest.FixtureRequest
) -> None:
    """Mechanics are in another place from page to page, from voice to voice, and from example to example."""
    example = request.node.callspec.params["campaign"]
    places = islice(cycle(MECHANICS), list(VOICES).index(voice) + FEW.index(example), None)
    for transcript, place in zip(reversed([*told(campaign, voice)]), places, strict=False):
        check(parsed(export("html", transcript, place)))


@pytest.mark.parametrize("place", MECHANICS)
@pytest.mark.parametrize("book", [False, True])
def test_a_page_with_everything_a_transcript_may_have_is_valid(place: str, book: bool) -> None:
    check(
        parsed(
            export("html", transcript_of("</p><b>&lt; \x0c\x7f\ufdd0 two\n\nparagraphs", book=book), place)
        )
    )


def test_a_strict_reader_finds_what_is_wrong() -> None:
    page = export("html", transcript_of("Rain."))

    with pytest.raises(ParseError):
        parsed(page.replace(b"</h1>", b"</h2>"))
    with pytest.raises(AssertionError):
        check(parsed(page.replace(b'href="#', b'href="#no')))
