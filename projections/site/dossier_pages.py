"""Pages for people and matters, and an index page for each sort."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from projections.dossiers import MENTIONED, DossierLine, DossierSection, MatterKnown, heading, sections
from projections.site import addresses as a
from projections.site.frame import PageFrame, SiteFile, SiteLink, SitePage, brief

MENTIONS: Final = 12
"""How many mentions of somebody are shown: the last ones; of the others it is said where they are."""

SORTS: Final = {
    "person": "page.cast",
    "place": "site.places",
    "thread": "site.threads",
    "thing": "site.things",
}
"""The phrase that each sort is headed with."""

Anchors = Mapping[str, Container[str]]
"""What can be pointed at on each page."""


class ShownLine(NamedTuple):
    """Dossier line with a link; `begins` is the link text, such as `s3`."""

    text: str
    begins: str = ""
    path: str = ""
    is_there: bool = False
    """True where the same words stand at the end of the link."""


class DossierPart(NamedTuple):
    """Dossier section; if lines are left out, `how_many` counts all and `met` links to them."""

    title: str
    lines: list[ShownLine]
    how_many: str = ""
    met: Sequence[SiteLink] = ()


class SortRow(NamedTuple):
    """Row of an index page: path, title, description and a few words."""

    path: str
    title: str
    what: str
    words: str


def parts_of(frame: PageFrame, one: a.Known, anchors: Anchors, *, numbers: bool) -> list[DossierPart]:
    """Dossier sections of a person or matter, with links to sessions; counters only with `numbers`."""
    told = sections(one, numbers=numbers, phrases=frame.voice.phrases)
    return [_part(frame, section, anchors) for section in told]


def _part(frame: PageFrame, section: DossierSection, anchors: Anchors) -> DossierPart:
    lines = [line._replace(text=frame.letter(line.text)) for line in section.lines]
    if section.title != frame.say(MENTIONED) or len(lines) <= MENTIONS:
        return DossierPart(section.title, [_shown(line, anchors) for line in lines])
    firsts = {line.session: line for line in reversed(lines) if line.session is not None}
    met = [SiteLink(_shown(one, anchors).path, f"s{session}") for session, one in sorted(firsts.items())]
    how_many = frame.say("site.in-places", number=len(lines))
    last = [_shown(line, anchors) for line in lines[-MENTIONS:]]
    return DossierPart(section.title, last, how_many, [one for one in met if one.path])


def _shown(line: DossierLine, anchors: Anchors) -> ShownLine:
    page = a.session(line.session)
    if line.session is None or page not in anchors:
        return ShownLine(line.text)
    begins = f"s{line.session}"
    is_there = line.id is not None and line.id in anchors[page]
    path = f"{page}#{line.id}" if is_there else page
    return ShownLine(line.text.removeprefix(begins), begins, path, is_there)


def page_of(frame: PageFrame, path: str, one: a.Known, parts: Sequence[DossierPart]) -> SiteFile:
    """Dossier page of a person or matter."""
    what = frame.letter(what_of(one))
    page = SitePage(
        path, frame.letter(one.called), brief([" · ".join((what, *map(frame.letter, _words(one))))])
    )
    return frame.page("one.html.j2", page, what=what, parts=parts)


def moved_page(frame: PageFrame, path: str, to: str, called: str) -> SiteFile:
    """Redirect page from an old name's path to `to`."""
    return frame.page("moved.html.j2", SitePage(path, frame.letter(called)), to=to)


def what_of(one: a.Known) -> str:
    """One-line description of a person or matter, without the name."""
    return heading(one).removeprefix(one.called).removeprefix(" · ")


def _words(one: a.Known) -> Iterator[str]:
    """Yields a few words about a person or matter: the description, or the last note."""
    if isinstance(one, MatterKnown):
        last = one.closed if one.closed is not None and one.closed.text else None
        noted = [entry.text for entry in (*one.notes, *((last,) if last else ())) if entry.text]
        yield from noted[-1:]
    elif one.phrase is not None:
        yield one.phrase


def sorts_of(known: Mapping[str, a.Known]) -> Iterator[tuple[str, list[tuple[str, a.Known]]]]:
    """Yields path and members of each sort's index page; empty sorts are skipped."""
    for kind, folder in a.FOLDERS.items():
        of_kind = [(path, one) for path, one in known.items() if one.kind == kind]
        if of_kind:
            yield f"{folder}/{a.CONTENTS}", sorted(of_kind, key=lambda pair: _is_past(pair[1]))


def _is_past(one: a.Known) -> bool:
    """True for closed matters and retired people, which are listed last."""
    return one.closed is not None if isinstance(one, MatterKnown) else one.retired


def sort_page(frame: PageFrame, path: str, title: str, known: Iterable[tuple[str, a.Known]]) -> SiteFile:
    """Index page of a sort."""
    set_ = frame.letter
    rows = [SortRow(at, set_(one.called), set_(what_of(one)), set_(brief(_words(one)))) for at, one in known]
    return frame.page(
        "sort.html.j2", SitePage(path, title, brief([", ".join(one.title for one in rows)])), known=rows
    )
