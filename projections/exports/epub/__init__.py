"""A transcript as EPUB 3: a chapter for each session or scene, written by hand and valid."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field

from projections import templates
from projections.exports import layout
from projections.exports.epub.parts import Chapter, chapters
from projections.exports.identifying import urn
from projections.exports.layout import Furniture, Note, Notes, Place
from projections.exports.packing import pack
from projections.maps.svg import svg
from projections.pages import Plate, Scene, Transcript, Variation

if TYPE_CHECKING:
    from jinja2 import Environment

MEDIA: Final = "application/epub+zip"
_HERE: Final = Path(__file__).parent
_CONTAINER: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript as an EPUB; what is folded stands in a note that opens where it is asked for."""
    return pack(_Book(transcript, place).files())


class Page(NamedTuple):
    """One file of the book, and its line in the contents."""

    file: str
    title: str
    content: bytes
    scenes: tuple[Scene, ...] = ()
    """Those that have a line of their own under it."""


class Noted(NamedTuple):
    """A note of the appendix and the file in which it is pointed at."""

    file: str
    note: Note


class _Book(Struct):
    """Writes the pages one after another, for a later one may speak of what stands in an earlier."""

    transcript: Transcript
    place: Place
    appendix: Notes = field(default_factory=Notes)
    noted: list[Noted] = field(default_factory=list)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """What the archive holds; `mimetype` has to be the first."""
        pages = list(self.pages())
        yield "mimetype", MEDIA.encode()
        yield "META-INF/container.xml", _CONTAINER.encode()
        yield (
            "book/package.opf",
            self.filled(
                "package.opf.j2",
                pages=pages,
                maps=[_map(plate) for plate in self.transcript.plates()],
                identifier=_identifier(self.transcript),
            ),
        )
        yield "book/nav.xhtml", self.filled("nav.xhtml.j2", pages=pages, title=self.say("page.contents"))
        yield "book/book.css", (_HERE / "book.css").read_bytes()
        for page in pages:
            yield f"book/{page.file}", page.content
        for plate in self.transcript.plates():
            yield f"book/{_map(plate)}", svg(plate.picture, dark=False).encode()

    def say(self, key: str) -> str:
        """A heading by its phrase."""
        return self.transcript.phrases.say(key)

    def pages(self) -> Iterator[Page]:
        """Title, cast, chapters, and what stands at the end, as far as it is there."""
        transcript = self.transcript
        told = chapters(transcript)
        yield self.page("title", transcript.title)
        if transcript.cast:
            yield self.page("cast", self.say("page.cast"))
        for chapter in told:
            yield self.chapter(chapter)
        end = transcript.end
        if end.changed or end.open or end.quotes or end.untold:
            yield self.page("afterwards", self.say("page.afterwards"), files=_files(told))
        if transcript.index:
            sessions = {
                scene.chapter.session: one.file for one in told for scene in one.scenes if scene.chapter
            }
            yield self.page("index", self.say("page.index"), files=sessions)
        if self.noted:
            yield self.page("mechanics", self.say("page.mechanics"), noted=self.noted)

    def page(self, name: str, title: str, **more: object) -> Page:
        """One page by its template."""
        return Page(f"{name}.xhtml", title, self.filled(f"{name}.xhtml.j2", title=title, **more))

    def chapter(self, chapter: Chapter) -> Page:
        """A chapter with its own notes; those of the appendix are numbered through all of them."""
        notes = self.appendix if self.place is Place.APPENDIX else Notes()
        before = len(notes.taken)
        content = self.filled("chapter.xhtml.j2", title=chapter.title, chapter=chapter, notes=notes)
        if self.place is Place.APPENDIX:
            self.noted += (Noted(chapter.file, note) for note in notes.taken[before:])
        within = (one for one in chapter.scenes if chapter.headed and one.title is not None)
        return Page(chapter.file, chapter.title, content, tuple(within))

    def filled(self, template: str, **values: object) -> bytes:
        """A template with these values in it."""
        text = (
            _environment()
            .get_template(template)
            .render(
                transcript=self.transcript,
                place=self.place,
                layout=layout,
                furniture=Furniture(self.transcript.phrases),
                Place=Place,
                **values,
            )
        )
        return (text.rstrip("\n") + "\n").encode()


def _map(plate: Plate) -> str:
    """The file of a map."""
    return f"maps/{plate.id}.svg"


def _files(told: tuple[Chapter, ...]) -> dict[str, str]:
    """Where each paragraph stands."""
    return {
        paragraph.id: chapter.file
        for chapter in told
        for scene in chapter.scenes
        for passage in scene.passages
        for paragraph in passage.paragraphs
    }


def _identifier(transcript: Transcript) -> str:
    """The same campaign, session, voice and reader have the same, for ever.

    Not its titles, which may change; and nothing of the record but its `source`, in which nobody can read.
    """
    return urn(transcript.source, str(transcript.head.session or ""), transcript.voice, transcript.viewer)


@cache
def _environment() -> Environment:
    environment = templates.environment(_HERE)
    environment.filters["map_file"] = _map
    environment.tests["variation"] = lambda one: isinstance(one, Variation)
    return environment
