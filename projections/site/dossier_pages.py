"""Dossier pages (everything known about one person, place, thread or thing), and an index page per kind."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from retold.projections.dossiers import (
    MENTIONED,
    DossierLine,
    DossierSection,
    MatterKnown,
    description,
    sections,
)
from retold.projections.reading.pictures import Image
from retold.projections.site import addresses as a
from retold.projections.site.frame import PageFrame, SiteFile, SiteLink, SitePage, brief

MENTIONS: Final = 12
"""Mentions shown in full; earlier ones become links."""

SORTS: Final = {
    "person": "page.cast",
    "place": "site.places",
    "thread": "site.threads",
    "thing": "site.things",
}
"""Phrase key of each sort's heading."""

Anchors = Mapping[str, Container[str]]
"""Ids on each page."""


class ShownLine(NamedTuple):
    """Text line of a dossier; `begins` is its link text, such as `s3`, and `path` the link's target."""

    text: str
    begins: str = ""
    path: str = ""
    is_there: bool = False
    """True if the linked page contains the same words."""


class DossierPart(NamedTuple):
    """Section of a dossier: title and text lines.

    If earlier mentions are left out, `how_many` says how many there are in all, and `met` links to each
    session's first.
    """

    title: str
    lines: list[ShownLine]
    how_many: str = ""
    met: Sequence[SiteLink] = ()


class SortRow(NamedTuple):
    """Row of an index page: path and title of a dossier page, its description and a few words."""

    path: str
    title: str
    what: str
    words: str


def parts_of(frame: PageFrame, dossier: a.Known, anchors: Anchors, *, numbers: bool) -> list[DossierPart]:
    """Returns the sections of a dossier, with links to session pages; counters only with `numbers`.

    `anchors` are the ids on each page, which links may point to.
    """
    told = sections(dossier, numbers=numbers, phrases=frame.voice.phrases)
    return [_part(frame, section, anchors) for section in told]


def _part(frame: PageFrame, section: DossierSection, anchors: Anchors) -> DossierPart:
    lines = [line._replace(text=frame.letter(line.text)) for line in section.lines]
    if section.title != frame.say(MENTIONED) or len(lines) <= MENTIONS:
        return DossierPart(section.title, [_shown(line, anchors) for line in lines])
    firsts = {line.session: line for line in reversed(lines) if line.session is not None}
    met = [SiteLink(_shown(line, anchors).path, f"s{session}") for session, line in sorted(firsts.items())]
    how_many = frame.say("site.in-places", number=len(lines))
    last = [_shown(line, anchors) for line in lines[-MENTIONS:]]
    return DossierPart(section.title, last, how_many, [link for link in met if link.path])


def _shown(line: DossierLine, anchors: Anchors) -> ShownLine:
    page = a.session(line.session)
    if line.session is None or page not in anchors:
        return ShownLine(line.text)
    begins = f"s{line.session}"
    is_there = line.id is not None and line.id in anchors[page]
    path = f"{page}#{line.id}" if is_there else page
    return ShownLine(line.text.removeprefix(begins), begins, path, is_there)


def page_of(
    frame: PageFrame, path: str, dossier: a.Known, parts: Sequence[DossierPart], portrait: Image | None = None
) -> SiteFile:
    """Returns the page of a person, place, thread or thing; `parts` are its sections."""
    what = frame.letter(description(dossier, frame.voice.phrases))
    page = SitePage(
        path,
        frame.letter(dossier.called),
        brief([" · ".join((what, *map(frame.letter, _words(dossier))))]),
        images="'none'" if portrait is None else "'self'",
    )
    return frame.page(
        "one.html.j2", page, what=what, parts=parts, portrait=portrait, pictures=f"{a.root(path)}{a.PICTURES}"
    )


def moved_page(frame: PageFrame, path: str, to: str, called: str) -> SiteFile:
    """Returns a page at an old name's path that redirects to the page `to`, titled `called`."""
    return frame.page("moved.html.j2", SitePage(path, frame.letter(called)), to=to)


def _words(dossier: a.Known) -> Iterator[str]:
    """Yields a few words for an index page: a person's description, or a matter's last note."""
    if isinstance(dossier, MatterKnown):
        last = dossier.closed if dossier.closed is not None and dossier.closed.text else None
        noted = [entry.text for entry in (*dossier.notes, *((last,) if last else ())) if entry.text]
        yield from noted[-1:]
    elif dossier.phrase is not None:
        yield dossier.phrase


def sorts_of(known: Mapping[str, a.Known]) -> Iterator[tuple[str, list[tuple[str, a.Known]]]]:
    """Yields (index page path, dossiers) for people, places, threads and things; empty kinds are skipped.

    The dossiers are pairs of page path and dossier; closed matters and retired people come last.
    """
    for kind, folder in a.FOLDERS.items():
        of_kind = [(path, dossier) for path, dossier in known.items() if dossier.kind == kind]
        if of_kind:
            yield f"{folder}/{a.CONTENTS}", sorted(of_kind, key=lambda pair: _is_past(pair[1]))


def _is_past(dossier: a.Known) -> bool:
    """True for the dossier of a retired person or of a closed thread, place or thing, listed last."""
    return dossier.closed is not None if isinstance(dossier, MatterKnown) else dossier.retired


def sort_page(frame: PageFrame, path: str, title: str, known: Iterable[tuple[str, a.Known]]) -> SiteFile:
    """Returns an index page that lists the dossiers `known`, such as all people or all places."""
    set_, phrases = frame.letter, frame.voice.phrases
    rows = [
        SortRow(at, set_(dossier.called), set_(description(dossier, phrases)), set_(brief(_words(dossier))))
        for at, dossier in known
    ]
    return frame.page(
        "sort.html.j2", SitePage(path, title, brief([", ".join(row.title for row in rows)])), known=rows
    )
