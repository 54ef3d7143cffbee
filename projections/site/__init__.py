"""Static website of a campaign: pages for sessions, people, places, threads and things; search; a feed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from markupsafe import Markup
from msgspec import Struct, field
from msgspec.structs import replace

from retold.projections.dossiers import Dossiers, description
from retold.projections.exports import blocks as b
from retold.projections.exports import html
from retold.projections.exports.colours import colours_of, rules
from retold.projections.exports.page_elements import UNDATED, MechanicsPlace, authors, stable_urn
from retold.projections.exports.typesetting import DISPLAY_FILE
from retold.projections.prose import Voice
from retold.projections.reading import LineView, source_of
from retold.projections.reading.kept_sessions import kept_page
from retold.projections.reading.pictures import Image, pictures_of
from retold.projections.site import addresses as a
from retold.projections.site import dossier_pages as k
from retold.projections.site import session_pages as e
from retold.projections.site.addresses import WHERE, base
from retold.projections.site.frame import PageFrame, SiteFile, SiteLink, SiteLinker, SitePage, brief
from retold.projections.site.front import front_page
from retold.projections.site.session_pages import SessionPage
from retold.projections.site.settings import SiteSettings, styled
from retold.projections.story.document import End, Head, Transcript
from retold.projections.story.transcript.page_texts import own_texts
from retold.projections.story.typography import typesetter_of
from retold.projections.texts import emphasis, safe, templates

__all__ = ["WHERE", "SiteFile", "base", "files_of"]


LAST: Final = 30
"""Most sessions in a feed."""


class FeedEntry(NamedTuple):
    """Entry of the Atom feed for one session: its page, dates, and first words."""

    id: str
    title: str
    published: str
    updated: str
    href: str
    words: str


def feed_of(frame: PageFrame, reading: LineView, evenings: Sequence[SessionPage]) -> SiteFile:
    """Returns the Atom feed, newest session first; its links are absolute if the site's address is known."""
    viewer = reading.viewer
    told_to = (source_of(reading.campaign), "site", "gm" if viewer.gm else str(viewer.person or "table"))
    entries = [
        FeedEntry(
            stable_urn(*told_to, page.path),
            page.title,
            page.published,
            page.updated,
            frame.address(page.path) or page.path,
            brief(page.words),
        )
        for page in reversed(evenings[-LAST:])
    ]
    told_by = dict.fromkeys(name for page in evenings for name in authors(page.told))
    content = frame.filled(
        "feed.xml.j2",
        id=stable_urn(*told_to),
        updated=max((entry.updated for entry in entries), default=f"{UNDATED}T00:00:00Z"),
        contents=frame.address(a.CONTENTS) or a.CONTENTS,
        address=frame.address(a.FEED),
        authors=tuple(told_by) or (frame.title,),
        entries=entries,
    )
    return SiteFile(a.FEED, content)


SEARCHED_AT_ONCE: Final = 60_000
"""Letters from which a file of the search ends."""
_IN_A_PAGE: Final = str.maketrans({"<": r"\u003c", ">": r"\u003e", "&": r"\u0026"})


class SearchedTexts(Struct):
    """Texts of the site's pages, collected in files for the search page, which loads them once it is used."""

    pages: list[tuple[str, str, list[tuple[str, str]]]] = field(default_factory=list)
    """Path, title, and texts, each with its anchor (or empty)."""

    def add(self, path: str, title: str, texts: Iterable[tuple[str, str]]) -> None:
        """Adds a page; `texts` are pairs of page anchor (possibly empty) and searchable text."""
        lines = [
            (anchor, safe.line(" ".join(emphasis.words(text).split()))) for anchor, text in texts if text
        ]
        self.pages.append((path, safe.line(title), lines))

    def files(self) -> Iterator[SiteFile]:
        """Yields the pages in scripts of about `SEARCHED_AT_ONCE` letters, so that a new page changes few.

        A page that is opened as a file may load scripts, but no data.
        """
        parts: list[list[str]] = [[]]
        for page in self.pages:
            if sum(map(len, parts[-1])) > SEARCHED_AT_ONCE:
                parts.append([])
            told = json.dumps(page, ensure_ascii=False, separators=(",", ":"))
            parts[-1].append(safe.in_json(told).translate(_IN_A_PAGE))
        for number, part in enumerate(parts):
            yield SiteFile(f"{a.SEARCHED}{number}.js", f"searched({number}, [{','.join(part)}]);\n".encode())


def texts_of(transcript: Transcript) -> Iterator[tuple[str, str]]:
    """Yields (anchor, text) for each scene, conflict, variation and paragraph, without dice and cards."""
    blocks = b.Blocks(MechanicsPlace.NONE, transcript.phrases)
    return _texts(blocks, blocks.story(transcript.scenes))


def _texts(blocks: b.Blocks, story: Iterable[b.Block]) -> Iterator[tuple[str, str]]:
    for block in story:
        match block:
            case b.Told(paragraph) if paragraph.text.strip():
                yield paragraph.id, block.headed
            case b.Heading("scene", text, _, id_):
                yield id_, text
            case b.Conflict(heading, text, against) if not heading.continued:
                yield heading.id, f"{text} · {against}"
            case b.Branch(variation, text):
                yield variation.id, text
                yield from _texts(blocks, blocks.within(block))
            case _:
                pass


_HERE: Final = Path(__file__).parent
_USUAL: Final = SiteSettings()


def files_of(
    reading: LineView,
    told: Iterable[Transcript],
    voice: Voice,
    place: MechanicsPlace,
    base: str | None = None,
    *,
    settings: SiteSettings = _USUAL,
    cover: Image | None = None,
) -> Iterator[SiteFile]:
    """Yields every file of the site; `told` are the sessions' transcripts in order, told by `voice`.

    `base` is the site's public address; with it, external links become absolute. `cover` is the picture that
    the settings name, in place of the campaign's.
    """
    front = _front(reading, voice, settings, cover)
    own = (_with_its_own(reading, transcript, voice) for transcript in told)
    evenings = [e.evening(transcript, place) for transcript in own]
    known = dict(a.placed(Dossiers(reading, language=voice.phrases.language)))
    frame = _frame(settings.title or reading.title, voice, base, known, front.cover)
    anchors: dict[str, frozenset[str]] = {}
    said = SearchedTexts()
    portraits = _portraits(reading)
    shown = (
        *(image for page in evenings for image in page.told.images()),
        *front.images(),
        *portraits.values(),
    )
    images = {image.file: image for image in shown}
    yield SiteFile(a.STYLE, styled(_style(evenings, with_pictures=bool(images)), settings).encode())
    yield SiteFile(a.FONT, DISPLAY_FILE.read_bytes())
    for name, image in images.items():
        yield SiteFile(f"{a.PICTURES}{name}", image.data)
    cards = dict(e.cards_of(frame, evenings))
    frame = replace(frame, picture=frame.picture or next((card.path for card in cards.values()), None))
    yield from {card.path: card for card in cards.values()}.values()
    names = {path: dossier.names for path, dossier in known.items()}
    manner = frame.title, voice, base, frame.bar, frame.picture, names, settings
    kept = partial(kept_page, reading, manner)
    for page in e.pages_of(frame, evenings, place, cards, kept):
        anchors[page.path] = e.anchors(page.data)
        yield page
    for evening in evenings:
        said.add(evening.path, evening.title, texts_of(evening.told))
    yield from e.replays_of(frame, evenings, settings, cards, kept)
    rows = {path: k.row_of(frame, path, dossier, portraits) for path, dossier in known.items()}
    for path, dossier in known.items():
        parts = k.parts_of(frame, dossier, anchors, numbers=place is not MechanicsPlace.NONE)
        what = description(dossier, voice.phrases)
        alone = (line.text for part in parts for line in part.lines if not line.is_there)
        said.add(path, frame.letter(dossier.called), (("", text) for text in (what, *alone)))
        yield k.page_of(frame, dossier, parts, rows[path])
    for path, to in a.moved(known):
        yield k.moved_page(frame, path, to, known[to].called)
    for path, of_sort in k.sorts_of(known):
        title = next(link.title for link in frame.bar if link.path == path)
        yield k.sort_page(frame, path, title, [rows[at] for at, _ in of_sort])
    if front.pages:
        said.add(a.CONTENTS, frame.title, (("", text) for text in front.pages.texts()))
    yield front_page(frame, evenings, front, known, rows)
    yield feed_of(frame, reading, evenings)
    searched = list(said.files())
    yield from searched
    yield _search(frame, len(searched))
    if base is not None:
        lost = SitePage(a.LOST, frame.say("site.lost"), root=f"{base}/", styles=f"'self' {base}/{a.STYLE}")
        yield frame.page("lost.html.j2", lost)


def _front(reading: LineView, voice: Voice, settings: SiteSettings, cover: Image | None) -> Transcript:
    """Returns a transcript with cover and texts of the settings, else the campaign's, and without a story."""
    pages = own_texts(reading, None, voice)
    return Transcript(
        voice.name,
        "",
        Head(None),
        (),
        (),
        End(),
        phrases=voice.phrases,
        pages=pages if settings.blurb is None else replace(pages, blurb=settings.blurb),
        cover=cover or pictures_of(reading).cover,
    )


def _with_its_own(reading: LineView, told: Transcript, voice: Voice) -> Transcript:
    """Returns a session's transcript without the campaign's cover and texts, which the first page has."""
    number = told.head.session
    pages = told.pages if number is None else own_texts(reading, number, voice)
    return replace(told, cover=None, pages=pages)


def _portraits(reading: LineView) -> dict[str, Image]:
    """Returns the portraits that the viewer may see, by the names of their people."""
    table = reading.table
    return {table.name(person): image for person, image in pictures_of(reading).portraits.items()}


def _style(evenings: Iterable[SessionPage], *, with_pictures: bool) -> str:
    colours = [colour for page in evenings for colour in colours_of(page.told).values()]
    pictures = html.style_of_pictures() if with_pictures else b""
    return b"".join((html.style(), pictures, (_HERE / a.STYLE).read_bytes())).decode() + rules(colours)


def _frame(
    title: str, voice: Voice, base: str | None, known: Mapping[str, a.Known], cover: Image | None
) -> PageFrame:
    called = typesetter_of(voice)(title)
    sorts = (
        SiteLink(path, voice.phrases.say(k.SORTS[of_sort[0][1].kind])) for path, of_sort in k.sorts_of(known)
    )
    bar = (SiteLink(a.CONTENTS, called), *sorts, SiteLink(a.SEARCH, voice.phrases.say("site.search")))
    linker = SiteLinker({path: dossier.names for path, dossier in known.items()})
    return PageFrame(called, voice, base, bar, linker, None if cover is None else f"{a.PICTURES}{cover.file}")


def _search(frame: PageFrame, files: int) -> SiteFile:
    """Returns the search page with its script inside it: a page that is opened as a file loads no modules.

    `files` is the number of files that it looks through.
    """
    script = _script()
    page = SitePage(a.SEARCH, frame.say("site.search"), scripts=f"'sha256-{templates.sha256(script)}' 'self'")
    return frame.page(
        "search.html.j2",
        page,
        files=files,
        script=Markup(script),  # noqa: S704 -- our own
        found=frame.say("site.found", number="#"),
        found_many=frame.say("site.found-many", number="#"),
    )


@cache
def _script() -> str:
    return (_HERE / "search.js").read_text("utf-8")
