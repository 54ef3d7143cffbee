"""EPUB 3 export, with a chapter for each session or scene."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field

from projections import templates
from projections.document import Scene, Transcript
from projections.exports import page_elements
from projections.exports.markup import EpubWriter, map_file, picture_file
from projections.exports.packing import pack
from projections.exports.page_elements import Furniture, MechanicsPlace, Note, Notes, stable_urn
from projections.maps.svg import svg

if TYPE_CHECKING:
    from jinja2 import Environment


class EpubChapter(Struct, frozen=True):
    """A chapter: its file name, heading, heading id and scenes.

    `headed` is true if its scenes have headings of their own.
    """

    file: str
    title: str
    id: str
    scenes: tuple[Scene, ...]
    headed: bool


def chapters(transcript: Transcript) -> tuple[EpubChapter, ...]:
    """Returns the chapters of a book: one per session if the scenes have sessions, else one per scene."""
    runs = list(_runs(transcript))
    width = len(str(len(runs)))
    furniture = Furniture(transcript.phrases)
    before = "page.before-sessions" if transcript.chapters else "page.before-scenes"
    untitled = furniture.say(before if len(runs) > 1 else "page.story")
    return tuple(
        _chapter(f"chapter-{number:0{width}}.xhtml", scenes, untitled, furniture)
        for number, scenes in enumerate(runs, 1)
    )


def _runs(transcript: Transcript) -> Iterator[tuple[Scene, ...]]:
    """Yields the scenes of each chapter; scenes before the first session form a chapter."""
    run: list[Scene] = []
    in_sessions = bool(transcript.chapters)
    for scene in transcript.scenes:
        if run and (scene.chapter or not in_sessions):
            yield tuple(run)
            run = []
        run.append(scene)
    if run:
        yield tuple(run)


def _chapter(file: str, scenes: tuple[Scene, ...], untitled: str, furniture: Furniture) -> EpubChapter:
    first = scenes[0]
    if first.chapter:
        anchor = page_elements.anchor(first.chapter.session)
        return EpubChapter(file, furniture.chapter(first.chapter), anchor, scenes, headed=True)
    if first.title is not None and first.id is not None and len(scenes) == 1:
        return EpubChapter(file, first.title, first.id, scenes, headed=False)
    return EpubChapter(file, untitled, "before", scenes, headed=True)


MEDIA: Final = "application/epub+zip"
_HERE: Final = Path(__file__).parent
_CONTAINER: Final = """\
<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Returns the transcript as EPUB, in which folded mechanics (dice, cards, numbers) are pop-up notes."""
    return pack(_Book(transcript, place).files())


class EpubPage(NamedTuple):
    """Page of the book: file name, title in the contents, and XHTML."""

    file: str
    title: str
    content: bytes
    scenes: tuple[Scene, ...] = ()
    """Scenes with a line of their own below it in the contents."""


class Noted(NamedTuple):
    """Note in the appendix, and the chapter file that refers to it."""

    file: str
    note: Note


class _Book(Struct):
    """Renderer of a book's pages in order, since the appendix lists notes of the chapters before it."""

    transcript: Transcript
    place: MechanicsPlace
    appendix: Notes = field(default_factory=Notes)
    noted: list[Noted] = field(default_factory=list)

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yields (path, content) of the archive's files; EPUB requires `mimetype` to be the first."""
        pages = list(self.pages())
        yield "mimetype", MEDIA.encode()
        yield "META-INF/container.xml", _CONTAINER.encode()
        yield (
            "book/package.opf",
            self.filled(
                "package.opf.j2",
                pages=pages,
                maps=[map_file(plate.id) for plate in self.transcript.plates()],
                pictures=list(self.transcript.images()),
                picture_file=picture_file,
                identifier=_identifier(self.transcript),
            ),
        )
        yield "book/nav.xhtml", self.filled("nav.xhtml.j2", pages=pages, title=self.say("page.contents"))
        yield "book/book.css", (_HERE / "book.css").read_bytes()
        for page in pages:
            yield f"book/{page.file}", page.content
        for plate in self.transcript.plates():
            yield f"book/{map_file(plate.id)}", svg(plate.picture, dark=False).encode()
        for image in self.transcript.images():
            yield f"book/{picture_file(image)}", image.data

    def say(self, key: str) -> str:
        """Returns the heading with the phrase key `key`."""
        return self.transcript.phrases.say(key)

    def pages(self) -> Iterator[EpubPage]:
        """Yields the pages: title, cast, chapters, closing parts, index, appendix; empty ones are skipped."""
        transcript = self.transcript
        told = chapters(transcript)
        writer = EpubWriter(self.place, transcript.phrases, _files(told))
        if transcript.cover is not None:
            yield self.page("cover", self.say("page.cover"), writer=writer)
        yield self.page("title", transcript.title, writer=writer)
        if transcript.cast:
            yield self.page("cast", self.say("page.cast"), writer=writer)
        for chapter in told:
            yield self.chapter(chapter)
        end = transcript.end
        if end.changed or end.open or end.quotes or end.untold:
            yield self.page("afterwards", self.say("page.afterwards"), writer=writer)
        if transcript.index:
            yield self.page("index", self.say("page.index"), writer=writer)
        if self.noted:
            yield self.page("mechanics", self.say("page.mechanics"), noted=self.noted)

    def page(self, name: str, title: str, **more: object) -> EpubPage:
        """Returns the page `name`, rendered from its template with the variables `more`."""
        return EpubPage(f"{name}.xhtml", title, self.filled(f"{name}.xhtml.j2", title=title, **more))

    def chapter(self, chapter: EpubChapter) -> EpubPage:
        """Returns a rendered chapter with its notes; appendix notes are added to `noted` instead.

        Appendix notes are numbered across chapters.
        """
        writer = EpubWriter(self.place, self.transcript.phrases, {})
        if self.place is MechanicsPlace.APPENDIX:
            writer.blocks.notes = self.appendix
        notes, before = writer.blocks.notes, len(writer.blocks.notes.taken)
        content = self.filled(
            "chapter.xhtml.j2", title=chapter.title, chapter=chapter, writer=writer, notes=notes.taken
        )
        if self.place is MechanicsPlace.APPENDIX:
            self.noted += (Noted(chapter.file, note) for note in notes.taken[before:])
        within = (scene for scene in chapter.scenes if chapter.headed and scene.title is not None)
        return EpubPage(chapter.file, chapter.title, content, tuple(within))

    def filled(self, template: str, **values: object) -> bytes:
        """Returns a template filled with `values` and the book's own variables, in UTF-8."""
        return templates.filled(
            _environment().get_template(template),
            transcript=self.transcript,
            layout=page_elements,
            furniture=Furniture(self.transcript.phrases),
            **values,
        )


def _files(told: tuple[EpubChapter, ...]) -> dict[str | int, str]:
    """Returns the chapter file of each paragraph id and of each session number."""
    files: dict[str | int, str] = {}
    for chapter in told:
        for scene in chapter.scenes:
            if scene.chapter:
                files[scene.chapter.session] = chapter.file
            files.update((paragraph.id, chapter.file) for paragraph in scene.paragraphs())
    return files


def _identifier(transcript: Transcript) -> str:
    """Returns the book's identifier, hashed from campaign, session, voice and viewer.

    Titles are not part of it, since they may change; `source` is a digest that reveals nothing.
    """
    return stable_urn(
        transcript.source, str(transcript.head.session or ""), transcript.voice, transcript.viewer
    )


@cache
def _environment() -> Environment:
    return templates.environment(_HERE)
