"""Every file of a site, one after another, for what comes later points at what stands in an earlier one."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from markupsafe import Markup

from projections.dossiers import Dossiers
from projections.exports import html
from projections.exports.layout import Place
from projections.pages import Transcript
from projections.prose import Voice
from projections.prose.lettering import letter
from projections.reading import Reading
from projections.site import addresses as a
from projections.site import evenings as e
from projections.site import knowing as k
from projections.site.feed import feed_of
from projections.site.frame import File, Frame, Link, Page
from projections.site.linking import Linker
from projections.site.searching import Said, texts_of

_HERE: Final = Path(__file__).parent


def files_of(
    reading: Reading, told: Iterable[Transcript], voice: Voice, place: Place, base: str | None = None
) -> Iterator[File]:
    """Every file of the site of a reading; `told` are its sessions in order, as that voice tells them.

    With a `base`, the address where it will lie, links from elsewhere lead there.
    """
    evenings = [e.evening(reading, one, voice, place) for one in told]
    known = dict(a.placed(Dossiers(reading)))
    frame = _frame(reading, voice, base, known)
    anchors: dict[str, frozenset[str]] = {}
    said = Said()
    yield File(a.STYLE, html.style() + (_HERE / a.STYLE).read_bytes())
    for page in e.pages_of(frame, evenings, place):
        anchors[page.path] = e.anchors(page.data)
        yield page
    for evening in evenings:
        said.add(evening.path, evening.title, texts_of(evening.told))
    yield from e.replays_of(frame, evenings)
    for path, one in known.items():
        parts = k.parts_of(frame, one, anchors, numbers=place is not Place.NONE)
        alone = (line.text for part in parts for line in part.lines if not line.is_there)
        said.add(path, frame.letter(one.called), (("", text) for text in (k.what_of(one), *alone)))
        yield k.page_of(frame, path, one, parts)
    for path, to in a.moved(known):
        yield k.moved_page(frame, path, to, known[to].called)
    for path, of_sort in k.sorts_of(known):
        title = next(link.title for link in frame.bar if link.path == path)
        yield k.sort_page(frame, path, title, of_sort)
    yield e.contents(frame, evenings)
    yield feed_of(frame, reading, evenings)
    yield _search(frame, said)
    if base is not None:
        lost = Page(a.LOST, frame.say("site.lost"), root=f"{base}/", styles=f"'self' {base}/{a.STYLE}")
        yield frame.page("lost.html.j2", lost)


def _frame(reading: Reading, voice: Voice, base: str | None, known: Mapping[str, a.Known]) -> Frame:
    title = reading.table.title
    called = voice.phrases.say("page.campaign") if title is None else letter(voice)(str(title))
    sorts = (
        Link(path, voice.phrases.say(k.SORTS[of_sort[0][1].kind])) for path, of_sort in k.sorts_of(known)
    )
    bar = (Link(a.CONTENTS, called), *sorts, Link(a.SEARCH, voice.phrases.say("site.search")))
    return Frame(called, voice, base, bar, Linker({path: one.names for path, one in known.items()}))


def _search(frame: Frame, said: Said) -> File:
    """The page of the search: all it looks through stands in it, and the module that looks.

    A browser that opens a file hands it neither a module nor any data that lies beside it.
    """
    script = _script()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = Page(a.SEARCH, frame.say("site.search"), scripts=f"'sha256-{digest}'")
    index = Markup(said.json())  # noqa: S704 -- what a page would obey is escaped in it
    return frame.page(
        "search.html.j2",
        page,
        index=index,
        script=Markup(script),  # noqa: S704 -- our own
        found=frame.say("site.found", number="#"),
        found_many=frame.say("site.found-many", number="#"),
    )


@cache
def _script() -> str:
    return (_HERE / "search.js").read_text("utf-8")
