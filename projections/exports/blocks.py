"""Blocks of a document: a transcript as one stream of headings, paragraphs and lists for all formats.

The stream is lazy, and notes are numbered as their blocks come, so that a writer may take a scene at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from retold.projections.exports import page_elements
from retold.projections.exports.page_elements import Furniture, IndexedPlaces, MechanicsPlace, Notes
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.telling import Tag
from retold.projections.reading.pictures import Image
from retold.projections.story import document
from retold.projections.story.document import Mechanic, Paragraph, Scene, Transcript, Variation
from retold.projections.texts import emphasis


class Heading(Struct, frozen=True, gc=False):
    """Heading of the document, a session or a scene; `level` counts from 1, the document's title has 0.

    `chapter` is the session of a session's heading.
    """

    sort: Literal["title", "session", "scene"]
    text: str
    level: int
    id: str = ""
    chapter: document.Chapter | None = None


class Line(Struct, frozen=True, gc=False):
    """Line of text under the title, such as the names of the players."""

    text: str


class Foretold(Struct, frozen=True, gc=False):
    """Labelled text before the story: blurb, content notes, previous events, or summary."""

    sort: Literal["previously", "summary", "blurb", "content"]
    label: str
    text: str


class Epigraph(Struct, frozen=True, gc=False):
    """Quotation before the story: a motto, or a pull quote with its speaker."""

    quote: document.Quote


class Conflict(Struct, frozen=True, gc=False):
    """Heading of a conflict; `against` has game, sides and stakes on one line, `note` its note's number."""

    source: document.Conflict
    text: str
    against: str
    level: int
    note: int | None


_SLANTED: Final = frozenset({Tag.RIBBON})
"""Kinds of paragraphs in italics."""


class Told(Struct, frozen=True, gc=False):
    """Paragraph of the story; `note` is its note's number, None if dice and cards stand elsewhere."""

    source: Paragraph
    note: int | None = None
    colon: str = ":"
    """Colon after the label; in some languages after a space."""

    @property
    def label(self) -> str:
        """Label before the paragraph, such as `Zel declares`; may be empty."""
        return page_elements.label(self.source)

    @property
    def text(self) -> str:
        """Text: speech in quotation marks, stage directions and generated text in brackets."""
        return page_elements.marked_speech(self.source)

    @property
    def headed(self) -> str:
        """Label and text, as `label: text`."""
        label = self.label
        return f"{label}{self.colon} {self.text}" if label else self.text

    @property
    def is_slanted(self) -> bool:
        """True if the paragraph is set in italics: generated text, stage directions, a point of view."""
        return self.source.generated or self.source.direction or self.source.kind in _SLANTED

    @property
    def is_bare(self) -> bool:
        """True if the paragraph has no words, only mechanics (dice, cards, numbers)."""
        return self.source.kind is Tag.MECHANICS


class Beneath(Struct, frozen=True, gc=False):
    """Mechanics (dice, cards, numbers) to be shown under the conflict heading or paragraph before them."""

    mechanics: tuple[Mechanic, ...]


class Branch(Struct, frozen=True, gc=False):
    """Heading of a variation, the story of another branch told at its fork.

    `level` is that of the passage around it; `Blocks.within` yields the story.
    """

    source: Variation
    text: str
    level: int
    is_in_conflict: bool


class Apart(Struct, frozen=True, gc=False):
    """One sentence in place of a variation's story, which is told in a separate file."""

    text: str


class Map(Struct, frozen=True, gc=False):
    """Map of a conflict, to be shown as a picture or drawn with characters."""

    plate: document.Plate


class Picture(Struct, frozen=True, gc=False):
    """Picture in the story, or the cover; `caption` is the line under it, `source` its paragraph."""

    image: Image
    caption: str
    words: str
    """Text for formats without pictures: what it shows."""
    source: Paragraph | None = None

    @property
    def in_words(self) -> str:
        """The words, and the caption in brackets."""
        return f"{self.words}{page_elements.in_brackets(self.caption)}"


class Break(Struct, frozen=True, gc=False):
    """Break between a conflict and the next passage outside of conflicts."""


class Part(Struct, frozen=True, gc=False):
    """Titled list around the story: cast, changes, open matters, quotes, untold results or index.

    `lines` are its items as text; `members`, `quotes`, `untold` and `entries` are their sources.
    """

    sort: Literal["cast", "changed", "open", "quotes", "untold", "index"]
    title: str
    lines: Sequence[str]
    members: Sequence[document.Member] = ()
    quotes: Sequence[document.Quote] = ()
    untold: Sequence[document.Missing] = ()
    entries: Sequence[tuple[str, Sequence[IndexedPlaces]]] = ()
    """Name and targets of each index entry."""


Block: TypeAlias = (
    Heading
    | Line
    | Foretold
    | Epigraph
    | Conflict
    | Told
    | Beneath
    | Branch
    | Apart
    | Map
    | Picture
    | Break
    | Part
)

NUMBERED: Final = frozenset({MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX})
BENEATH: Final = frozenset({MechanicsPlace.INLINE, MechanicsPlace.FOLDED})


class Blocks:
    """Converter of a transcript into blocks.

    Mechanics (dice, cards, numbers) get numbered notes if their place is in `numbered`.
    """

    def __init__(
        self, place: MechanicsPlace, phrases: Phrases, numbered: frozenset[MechanicsPlace] = NUMBERED
    ) -> None:
        self.place = place
        self.furniture = Furniture(phrases)
        self.notes = Notes()
        self._is_numbered = place in numbered
        self._is_beneath = place in BENEATH

    def above(self, transcript: Transcript) -> Iterator[Block]:
        """Yields the blocks above the story: title, lines under it, previous events, summary and cast."""
        furniture, head = self.furniture, transcript.head
        yield Heading("title", transcript.title, 0)
        lines = furniture.byline(transcript), furniture.company(transcript)
        yield from (Line(text) for text in lines if text)
        pages = transcript.pages
        if pages.blurb:
            yield Foretold("blurb", furniture.say("page.blurb"), pages.blurb)
        if pages.content:
            yield Foretold("content", furniture.say("page.content"), pages.content)
        if pages.epigraph:
            yield Epigraph(document.Quote("epigraph", pages.epigraph, quotes=("", "")))
        if pages.pull:
            yield Epigraph(replace(pages.pull, id="pull"))
        if transcript.cover is not None:
            yield self.picture(transcript.cover)
        if head.previously:
            yield Foretold("previously", furniture.say("page.previously"), head.previously)
        if head.summary:
            yield Foretold("summary", furniture.say("page.in-short"), head.summary)
        if transcript.cast:
            described = ((member.name, furniture.member(member)) for member in transcript.cast)
            cast = [f"{name}{furniture.colon} {about}" if about else name for name, about in described]
            yield Part("cast", furniture.say("page.cast"), cast, members=transcript.cast)

    def story(self, scenes: Sequence[Scene], level: int = 1) -> Iterator[Block]:
        """Yields the blocks of scenes, headed at `level`, or one deeper if sessions begin among them."""
        deep = any(scene.chapter for scene in scenes)
        for scene in scenes:
            yield from self.session(scene, level)
            yield from self.scene(scene, level + deep)

    def session(self, scene: Scene, level: int = 1) -> Iterator[Block]:
        """Yields a session's heading if the scene begins a session, and how the one before it ended."""
        if scene.chapter:
            anchor = page_elements.anchor(scene.chapter.session)
            yield Heading("session", self.furniture.chapter(scene.chapter), level, anchor, scene.chapter)
            yield from self.previously(scene)

    def previously(self, scene: Scene) -> Iterator[Block]:
        """Yields how the session before the one that begins with a scene ended, if its heading has it."""
        if scene.chapter and scene.chapter.previously:
            yield Foretold("previously", self.furniture.say("page.previously"), scene.chapter.previously)

    def scene(self, scene: Scene, level: int = 1) -> Iterator[Block]:
        """Yields the blocks of a scene: its heading if it has a title, then its passages.

        The heading of a session that begins with it is left out.
        """
        if scene.title is not None:
            yield Heading("scene", scene.title, level, scene.id or "")
            level += 1
        for number, passage in enumerate(scene.passages):
            if number and passage.conflict is None:
                yield Break()
            yield from self._passage(passage, level)

    def within(self, branch: Branch, level: int = 1) -> Iterator[Block]:
        """Yields the blocks of a variation's story, or one sentence if it is told in a separate file."""
        if branch.source.scenes:
            yield from self.story(branch.source.scenes, level)
        else:
            yield Apart(self.furniture.say("page.told-apart"))

    def retold(self, branch: Branch) -> Iterator[str]:
        """Yields a variation as plain text lines, its heading first, for formats that print it in a note."""
        yield branch.text
        for block in self.within(branch):
            match block:
                case Told(paragraph):
                    yield from (block.headed,) if paragraph.text.strip() else ()
                    yield from map(self.furniture.line, paragraph.mechanics)
                case Branch():
                    yield from self.retold(block)
                case Heading("scene") | Conflict() | Apart():
                    yield block.text
                case Picture():
                    yield block.in_words
                case _:
                    pass

    def below(self, transcript: Transcript) -> Iterator[Part]:
        """Yields the lists below the story: changes, open matters, quotes, untold results, index.

        Empty lists are left out.
        """
        end, say = transcript.end, self.furniture.say
        quotes = [
            f"{quote.quotes[0]}{emphasis.words(quote.text)}{quote.quotes[1]}{page_elements.in_brackets(quote.who)}"
            for quote in end.quotes
        ]
        untold = [page_elements.missing(each) for each in end.untold]
        parts = (
            Part("changed", say("page.changed"), end.changed),
            Part("open", say("page.open"), end.open),
            Part("quotes", say("page.quotes"), quotes, quotes=end.quotes),
            Part("untold", say("page.untold"), untold, untold=end.untold),
        )
        yield from (part for part in parts if part.lines)
        reflections = transcript.pages.reflections
        if reflections:
            told = [
                f"{emphasis.words(quote.text)}{page_elements.in_brackets(quote.who)}" for quote in reflections
            ]
            yield Part("quotes", say("page.reflections"), told, quotes=reflections)
        for key, kind in (("page.people", "person"), ("page.things", "thing"), ("page.places", "place")):
            entries = [entry for entry in transcript.index if entry.kind == kind]
            found = [(entry.name, page_elements.find_indexed(transcript, entry)) for entry in entries]
            found = [(name, places) for name, places in found if places]
            lines = [f"{name}{self.furniture.colon} {page_elements.where(places)}" for name, places in found]
            if lines:
                yield Part("index", say(key), lines, entries=found)

    def picture(self, image: Image, source: Paragraph | None = None) -> Picture:
        """Returns a picture as a block. `source` is its paragraph; None for the cover."""
        furniture = self.furniture
        return Picture(image, furniture.caption(image, source), furniture.picture(image), source)

    def _passage(self, passage: document.Passage, level: int) -> Iterator[Block]:
        furniture, heading = self.furniture, passage.conflict
        if heading is not None:
            against, note = furniture.against(heading), self._note(heading.id, heading.mechanics)
            yield Conflict(heading, furniture.conflict(heading), against, level, note)
            if heading.mechanics and self._is_beneath:
                yield Beneath(heading.mechanics)
        for element in in_order(passage) if passage.variations else passage.paragraphs:
            if isinstance(element, Variation):
                yield Branch(element, furniture.other_line(element), level, heading is not None)
            elif element.image is not None:
                yield self.picture(element.image, element)
            else:
                mechanics = element.mechanics
                note = self._note(element.id, mechanics) if mechanics else None
                yield Told(element, note, self.furniture.colon)
                if mechanics and self._is_beneath:
                    yield Beneath(mechanics)
        if passage.plate is not None:
            yield Map(passage.plate)

    def _note(self, id_: str, mechanics: Sequence[Mechanic]) -> int | None:
        return self.notes.add(id_, mechanics) if mechanics and self._is_numbered else None


def in_order(passage: document.Passage) -> Iterator[Paragraph | Variation]:
    """Yields variations forking before the first paragraph, then each paragraph and those forking behind."""
    yield from (variation for variation in passage.variations if variation.after is None)
    for paragraph in passage.paragraphs:
        yield paragraph
        yield from (variation for variation in passage.variations if variation.after == paragraph.id)
