"""Dossier pages (everything known about one person, place, thread or thing), and an index page per kind."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from retold.journal.names import EVERY_ARTICLE
from retold.projections.dossiers import (
    MENTIONED,
    DossierLine,
    DossierSection,
    MatterKnown,
    PersonKnown,
    description,
    sections,
)
from retold.projections.reading.pictures import Image
from retold.projections.site import addresses as a
from retold.projections.site.frame import PageFrame, SiteFile, SiteLink, SitePage, brief
from retold.projections.views.mentions import Spot

MENTIONS: Final = 12
"""Mentions shown in full; earlier ones become links."""

QUOTES: Final = 2
LONGEST_QUOTE: Final = 140
"""Most quotes on top of a person's page, and the letters up to which one is better the longer it is."""

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
    """Row of an index page: path and title of a dossier page, its description and a few words.

    A person without a portrait is drawn as the `initials` of their name.
    """

    path: str
    title: str
    what: str
    words: str
    portrait: Image | None = None

    @property
    def initials(self) -> str:
        """First letters of the first and the last word of the title, in capitals."""
        words = [word for word in re.findall(r"\w+", self.title) if word.lower() not in EVERY_ARTICLE] or "?"
        return "".join(dict.fromkeys(word[0].upper() for word in (words[0], words[-1])))


def row_of(frame: PageFrame, path: str, dossier: a.Known, portraits: Mapping[str, Image]) -> SortRow:
    """Returns the row of a dossier; `portraits` are those of people, by name."""
    return SortRow(
        path,
        frame.letter(dossier.called),
        frame.letter(description(dossier, frame.voice.phrases)),
        frame.letter(brief(_words(dossier))),
        portraits.get(dossier.called) if dossier.kind == "person" else None,
    )


def parts_of(frame: PageFrame, dossier: a.Known, anchors: Anchors, *, numbers: bool) -> list[DossierPart]:
    """Returns the sections of a dossier, with links to session pages; counters only with `numbers`.

    A person's best words come first, without a title. `anchors` are the ids on each page, which links may
    point to.
    """
    marks = frame.voice.phrases.language.quotes
    best = {spot.id: spot for spot in _best(dossier)}
    quotes = [DossierLine(spot.text.join(marks), spot.session, spot.id) for spot in best.values()]
    told = [DossierSection("", tuple(quotes))]
    for section in sections(dossier, numbers=numbers, phrases=frame.voice.phrases):
        told += [section._replace(lines=tuple(line for line in section.lines if line.id not in best))]
    return [_part(frame, section, anchors) for section in told if section.lines]


def _best(dossier: a.Known) -> Sequence[Spot]:
    """Returns a person's longest short quotes among those kept at the table, else among their last words."""
    said = (dossier.quotes or dossier.spoken) if isinstance(dossier, PersonKnown) else ()
    shown = {spot.text: spot for spot in said if spot.session is not None}
    return sorted(shown.values(), key=lambda spot: (len(spot.text) <= LONGEST_QUOTE, len(spot.text)))[
        -QUOTES:
    ]


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


def page_of(frame: PageFrame, dossier: a.Known, parts: Sequence[DossierPart], row: SortRow) -> SiteFile:
    """Returns the page of a person, place, thread or thing; `parts` are its sections."""
    page = SitePage(
        row.path,
        row.title,
        brief([" · ".join((row.what, *map(frame.letter, _words(dossier))))]),
        images="'none'" if row.portrait is None else "'self'",
        picture=None if row.portrait is None else f"{a.PICTURES}{row.portrait.file}",
    )
    pictures = f"{a.root(row.path)}{a.PICTURES}"
    return frame.page("one.html.j2", page, row=row, parts=parts, many=MENTIONS, pictures=pictures)


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


def sort_page(frame: PageFrame, path: str, title: str, rows: Sequence[SortRow]) -> SiteFile:
    """Returns an index page that lists the dossiers in `rows`, such as all people or all places."""
    images = "'self'" if any(row.portrait for row in rows) else "'none'"
    page = SitePage(path, title, brief([", ".join(row.title for row in rows)]), images=images)
    return frame.page("sort.html.j2", page, known=rows, pictures=f"{a.root(path)}{a.PICTURES}")
