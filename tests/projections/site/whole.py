"""A site as a test has it: every file by its path, and what is wrong with the links between them."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from functools import lru_cache
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import html5lib
from msgspec.structs import replace

from retold.journal.store.writing.campaign import CampaignStore
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.replay_builder import replay_of
from retold.projections.prose import Voice, voice_of
from retold.projections.reading import EVERYBODY, LineView, Viewer
from retold.projections.site import files_of
from retold.projections.story.transcript import of_session
from tests.projections.played import sessions

BASE = "https://example.org/salt"


def site_of(
    campaign: CampaignStore,
    viewer: Viewer = EVERYBODY,
    *,
    voice: str | Voice = "report",
    place: MechanicsPlace = MechanicsPlace.FOLDED,
    base: str | None = None,
    steps: bool = False,
) -> dict[str, bytes]:
    """Every file of a campaign's site, each session with all that may stand beside it, and its `steps`."""
    reading, speaks = LineView(campaign, 1, viewer=viewer), voice_of(voice)
    told = (
        of_session(reading, number, voice=speaks, variations=True, ribbon=place is not MechanicsPlace.NONE)
        for number in sessions(campaign)
    )
    if steps:
        told = (
            replace(one, replay=replay_of(reading, reading.sessions.stretch(number), one, speaks))
            for number, one in zip(sessions(campaign), told, strict=True)
        )
    files = list(files_of(reading, told, speaks, place, base))
    assert len({one.path for one in files}) == len(files)
    return {one.path: one.data for one in files}


@lru_cache(maxsize=64)
def parsed(page: bytes) -> ET.Element:
    """The page as HTML5 has it; ParseError at its first mistake."""
    reader = html5lib.HTMLParser(html5lib.getTreeBuilder("etree"), strict=True, namespaceHTMLElements=False)
    root = reader.parse(page)
    assert isinstance(root, ET.Element)
    return root


def pages(site: Mapping[str, bytes]) -> dict[str, ET.Element]:
    """Its pages, parsed."""
    return {path: parsed(data) for path, data in site.items() if path.endswith(".html")}


def loose_ends(site: Mapping[str, bytes]) -> list[str]:
    """Links on its pages that lead nowhere, or out of it."""
    roots = pages(site)
    ids = {path: {one.get("id") for one in root.iter()} for path, root in roots.items()}
    return [
        f"{path}: {href}"
        for path, root in roots.items()
        for href in links(root)
        if not _leads(path, href, site, ids)
    ]


def links(root: ET.Element) -> Iterator[str]:
    """Where a page leads, and what it fetches."""
    for one in root.iter():
        if one.tag in ("a", "link") and one.get("rel") != "canonical":
            yield one.get("href", "")


def _leads(path: str, href: str, site: Mapping[str, bytes], ids: Mapping[str, set[str | None]]) -> bool:
    target, _, anchor = href.removeprefix(f"{BASE}/").partition("#")
    if not target:
        there = path
    elif href.startswith(BASE):
        there = target
    else:
        there = posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
    return there in site and (not anchor or unquote(anchor) in ids[there])
