"""EPUB 3 export, with a chapter for each session."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct, field

from retold.projections.exports import page_elements
from retold.projections.exports.epub.cover import COVER, cover
from retold.projections.exports.markup import EpubWriter, map_file, picture_file
from retold.projections.exports.packing import pack
from retold.projections.exports.page_elements import Furniture, MechanicsPlace, Note, Notes, stable_urn
from retold.projections.exports.typesetting import DISPLAY_FILE
from retold.projections.maps.svg import svg
from retold.projections.story.document import Scene, Transcript
from retold.projections.texts import templates

if TYPE_CHECKING:
    from jinja2 import Environment


class EpubChapter(Struct, frozen=True):
    """A chapter: its file name, heading, heading id and scenes."""

    file: str
    opening: page_elements.Opening
    id: str
    scenes: tuple[Scene, ...]


def chapters(transcript: Transcript) -> tuple[EpubChapter, ...]:
    """Returns the chapters of a book: one per session; scenes before the first session form a chapter."""
    runs = list(_runs(transcript))
    width = len(str(len(runs)))
    furniture = Furniture(transcript.phrases)
    if transcript.chapters:
        before = page_elements.Opening("", furniture.say("page.before-sessions"), "")
    else:
        before = furniture.opening(transcript)
    return tuple(
        _chapter(f"chapter-{number:0{width}}.xhtml", scenes, before, furniture)
        for number, scenes in enumerate(runs, 1)
    )


def _runs(transcript: Transcript) -> Iterator[tuple[Scene, ...]]:
    """Yields the scenes of each chapter."""
    run: list[Scene] = []
    for scene in transcript.scenes:
        if run and scene.chapter:
            yield tuple(run)
            run = []
        run.append(scene)
    if run:
        yield tuple(run)


def _chapter(
    file: str, scenes: tuple[Scene, ...], before: page_elements.Opening, furniture: Furniture
) -> EpubChapter:
    """Returns a chapter; `before` heads one that no session opens."""
    begun = scenes[0].chapter
    if begun is None:
        return EpubChapter(file, before, "before", scenes)
    return EpubChapter(file, furniture.chapter_opening(begun), page_elements.anchor(begun.session), scenes)


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
    within: tuple[tuple[str, str], ...] = ()
    """Lines below it in the contents, each with the id and the title of a scene."""


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
                cover=COVER,
                font=DISPLAY_FILE.name,
            ),
        )
        yield "book/nav.xhtml", self.filled("nav.xhtml.j2", pages=pages, title=self.say("page.contents"))
        yield "book/book.css", (_HERE / "book.css").read_bytes()
        yield f"book/{DISPLAY_FILE.name}", DISPLAY_FILE.read_bytes()
        if self.transcript.cover is None:
            yield f"book/{COVER}", cover(self.transcript).encode()
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
        yield self.page("cover", self.say("page.cover"), writer=writer, drawn=COVER)
        yield self.page("title", transcript.title, writer=writer)
        if transcript.cast:
            yield self.page("cast", self.say("page.cast"), writer=writer)
        for chapter in told:
            yield self.chapter(chapter)
        if any(part.sort != "index" for part in writer.blocks.below(transcript)):
            yield self.page("afterwards", self.say("page.afterwards"), writer=writer)
        if any(part.sort == "index" for part in writer.blocks.below(transcript)):
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
            "chapter.xhtml.j2",
            title=chapter.opening.title,
            chapter=chapter,
            writer=writer,
            notes=notes.taken,
        )
        if self.place is MechanicsPlace.APPENDIX:
            self.noted += (Noted(chapter.file, note) for note in notes.taken[before:])
        within = [(scene.id or "", scene.title) for scene in chapter.scenes if scene.title is not None]
        if within and chapter.scenes[0].title is None and not self.transcript.chapters:
            within.insert(0, (chapter.id, self.say("page.before-scenes")))
        return EpubPage(chapter.file, chapter.opening.title, content, tuple(within))

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
