"""Transcripts as documents for word processors: what DOCX and ODT share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, Protocol, assert_never

from retold.projections.exports import blocks as b
from retold.projections.exports import page_elements
from retold.projections.exports.looks import LABEL, MARK, PARAGRAPHS, continued
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.typesetting import drawn
from retold.projections.prose.phrases import Phrases
from retold.projections.prose.telling import Tag
from retold.projections.story.document import Chapter, Mechanic, Member, Plate, Quote, Transcript
from retold.projections.texts import emphasis, safe

STYLES: Final = {
    Tag.SPEECH: "Speech",
    Tag.DECLARATION: "Declaration",
    Tag.NOTE: "Aside",
    Tag.RULING: "Aside",
    Tag.EDIT: "Aside",
    Tag.ASIDE: "Aside",
    Tag.GENERATED: "Generated",
    Tag.NOTATION: "Notation",
    Tag.MECHANICS: "Mechanics",
    Tag.RIBBON: "Ribbon",
}
"""Styles of paragraph kinds other than plain text."""

INDENT: Final = 18
"""Indent in points for each enclosing variation."""

COLUMNS: Final = ("page.note", "page.what", "page.from")
"""Column headings of the appendix, by phrase key."""


ORNAMENT: Final = "⁂"
"""Separator of parts of a scene."""

LISTED: Final = ("Heading 1", "Heading 2")
"""Styles of headings that the contents list, from level 1."""

TALLEST: Final = 560
"""Greatest height of a map in points, about a page without margins."""


POINTS: Final = 0.5
"""Points for each pixel of a picture, if there is room."""

PORTRAIT: Final = 54
"""Width of a portrait in points; it is no higher than twice that."""


class Face(NamedTuple):
    """Appearance of some words in a paragraph; `italic` is None for that of the paragraph's style."""

    italic: bool | None = None
    bold: bool = False
    struck: bool = False


PLAIN: Final = Face()
BOLD: Final = Face(bold=True)
ITALIC: Final = Face(italic=True)
_ITALIC_STYLES: Final = frozenset(look.name for look in PARAGRAPHS if look.italic)


class Words(Protocol):
    """Paragraph of a document that is being written."""

    def add(self, text: str, face: Face = PLAIN, style: str | None = None) -> None:
        """Appends text, in a character style (LABEL, MARK) if it is given."""

    def add_link(self, text: str, name: str, style: str | None = None) -> None:
        """Appends a link with this text to the place `name`."""

    def add_place(self, name: str) -> None:
        """Adds a bookmark for links; its name is unique in the document."""

    def add_footnote(self, text: str) -> None:
        """Appends the mark of a footnote with this text."""

    def add_picture(self, png: bytes, size: tuple[float, float], alt: str) -> None:
        """Appends a PNG or JPEG of a width and height in points, with its alternative text."""

    def speak(self, lang: str | None) -> None:
        """Sets the language of all words so far; unchanged for None."""

    def close_up(self) -> None:
        """Reduces the space after the paragraph to one point."""

    def begin_page(self) -> None:
        """Makes the paragraph the first of a page."""


class ListedHeading(NamedTuple):
    """Heading listed in the contents: its level from 1, its text and the name of its place."""

    level: int
    text: str
    place: str


class Paper(Protocol):
    """Document of a word processor that is being written."""

    @property
    def line_width(self) -> float:
        """Width of a line of text in points."""

    def add(self, style: str, indent: float = 0) -> Words:
        """Appends an empty paragraph in a style of PARAGRAPHS, with more indent in points, and returns it."""

    def set_running(self, header: str) -> None:
        """Sets the header of every page but the first, and page numbers in the footer."""

    def add_table(self, titles: Sequence[str]) -> Callable[[], Sequence[Words]]:
        """Appends a table with a row of titles; the function that is returned adds a row of empty cells."""

    def reserve_contents(self) -> None:
        """Appends a place for the table of contents."""

    def write_contents(self, title: str, headings: Sequence[ListedHeading]) -> None:
        """Writes the table of contents, on a page of its own, in the place that was reserved for it."""


class BookWriter:
    """Writer that fills a document with the blocks of a transcript."""

    def __init__(self, paper: Paper, place: MechanicsPlace, phrases: Phrases) -> None:
        self.paper = paper
        self.blocks = b.Blocks(place, phrases)
        self.furniture = self.blocks.furniture
        self.own = phrases.lang
        """Language of Retold's own words; None if it is that of the document."""
        self.within = 0
        self.has_told = False
        """True if words of the story follow the last heading or ornament."""
        self.headings: list[ListedHeading] = []

    def document_of(self, transcript: Transcript) -> None:
        """Appends the whole transcript to the document, from title to notes, with a table of contents.

        Only a transcript with sessions has a table of contents.
        """
        campaign = transcript.head.campaign if transcript.head.session is not None else None
        self.paper.set_running(safe.line(" · ".join(filter(None, (campaign, transcript.title)))))
        above, cast = [*self.blocks.above(transcript)], []
        if transcript.cast:
            cast = [above.pop()]
        self.write(above)
        if transcript.chapters:
            self.paper.reserve_contents()
        self.write(cast)
        self.write(self.blocks.story(transcript.scenes))
        self.write(self.blocks.below(transcript))
        self.collected()
        owed = self.furniture.owed(transcript.head.credits)
        if owed:
            self.add("Imprint", owed)
        if transcript.chapters:
            self.paper.write_contents(safe.line(self.furniture.say("page.contents")), self.headings)

    def write(self, blocks: Iterable[b.Block]) -> None:
        """Appends several blocks to the document."""
        for block in blocks:
            self.block(block)

    def block(self, block: b.Block) -> None:  # noqa: C901, PLR0912 -- one case for each block
        """Appends a story block to the document, in the style of its kind."""
        match block:
            case b.Told():
                self.paragraph(block)
            case b.Beneath(mechanics):
                self.mechanics(mechanics)
            case b.Heading():
                self.heading(block)
            case b.Conflict(_, text, against, level):
                self.add("Variation" if self.within else f"Heading {level}", text)
                self.mark(self.add("Stakes", against), block.note)
            case b.Branch():
                self.add("Variation", block.text)
                self.within += 1
                self.write(self.blocks.within(block))
                self.within -= 1
            case b.Apart(text):
                self.add("Body Text", text)
            case b.Map(plate):
                self.plate(plate)
            case b.Picture():
                self.picture(block)
            case b.Line(text):
                self.add("Subtitle", text)
            case b.Foretold(_, label, text):
                self.told("Previously", text, label)
            case b.Epigraph(quote):
                self.quoted(quote)
            case b.Part():
                self.part(block)
            case b.Break():
                self.ornament()
            case _:
                assert_never(block)

    # --- blocks -------------------------------------------------------------------------------------------

    def add(self, style: str, text: str = "") -> Words:
        """Appends a paragraph in `style` and returns it; `text` is joined to one line.

        Inside variations it is indented; headings listed in the contents get a bookmark.
        """
        block = self.paper.add(style, self.within * INDENT)
        if text:
            block.add(safe.line(text))
        if style in LISTED:
            place = f"_Toc{len(self.headings) + 1:06}"
            block.add_place(place)
            self.headings.append(ListedHeading(LISTED.index(style) + 1, safe.line(text), place))
        return block

    def told(
        self, style: str, text: str, label: str = "", *, struck: bool = False, slanted: bool = False
    ) -> Words:
        """Appends typed text as paragraphs, the first after its label; returns the last paragraph."""
        block = self.add(style)
        if label:
            block.add(f"{safe.line(label)}{self.furniture.colon}", style=LABEL)
            block.add(" ")
        for number, part in enumerate(emphasis.paragraphs(text)):
            if number:
                block.close_up()
                block = self.add(continued(style))
            for words in emphasis.runs(part):
                is_slanted = slanted or words.emphasis
                italic = (slanted or style in _ITALIC_STYLES) != words.emphasis if is_slanted else None
                block.add(words.text, Face(italic, words.strong, struck))
        return block

    # --- the pages ----------------------------------------------------------------------------------------

    def heading(self, heading: b.Heading) -> None:
        """Appends a heading; headings inside variations are left out of the contents."""
        if self.within:
            self.add("Variation", heading.text)
            return
        self.has_told = False
        if heading.chapter is not None:
            self.session(heading, heading.chapter)
            return
        block = self.add("Title" if heading.sort == "title" else f"Heading {heading.level}", heading.text)
        if heading.id:
            block.add_place(_place(heading.id))

    def session(self, heading: b.Heading, chapter: Chapter) -> None:
        """Appends the heading of a session: its number, its title, and its day and game master below."""
        opening = self.furniture.chapter_opening(chapter)
        above = [self.add("Session", opening.above)] if opening.above else []
        block = self.add(f"Heading {heading.level}", opening.title)
        (above or [block])[0].begin_page()
        block.add_place(_place(heading.id))
        if opening.below:
            self.add("Day", opening.below)

    def ornament(self) -> None:
        """Appends the ornament between parts of a scene; none in variations, and none if nothing was told."""
        if self.has_told and not self.within:
            self.add("Break", ORNAMENT)
            self.has_told = False

    def plate(self, plate: Plate) -> None:
        """Appends a map with alternative text; as text only if no picture can be drawn here."""
        found = drawn(plate.picture)
        if found is None:
            self.add("Aside").add(safe.line(self.furniture.map_called(plate)), BOLD)
            for text in self.furniture.lie_of(plate):
                self.add("Aside", text)
            return
        size = self.fitting(found.width, found.height)
        self.add("Plate").add_picture(found.png, size, safe.line(self.furniture.in_words(plate)))

    def picture(self, block: b.Picture) -> None:
        """Appends a picture with alternative text, and its caption below it."""
        image = block.image
        size = self.fitting(image.width * POINTS, image.height * POINTS)
        self.add("Plate").add_picture(image.data, size, safe.line(image.alt))
        if block.caption:
            self.add("Plate").add(safe.line(block.caption), ITALIC)

    def fitting(self, width: float, height: float) -> tuple[float, float]:
        """Returns a picture's size in points, made smaller where a page has no room for it."""
        room = self.paper.line_width - self.within * INDENT
        fitted = min(width, room, width * TALLEST / height)
        return fitted, fitted * height / width

    def paragraph(self, told: b.Told) -> None:
        """Appends a paragraph of the story with its note mark.

        A paragraph with mechanics (dice, cards, numbers) but no words is appended only if notes hold these.
        """
        if not told.is_bare:
            style, struck = _style(told), told.source.struck
            block = self.told(style, told.text, told.label, struck=struck, slanted=told.is_slanted)
            if told.source.generated:
                block.speak(self.own)
            self.mark(block, told.note)
            self.has_told = True
        elif self.blocks.place in b.NUMBERED:
            self.mark(self.add("Mechanics", self.furniture.say("page.mechanics")), told.note)

    # --- mechanics ----------------------------------------------------------------------------------------

    def mark(self, block: Words, note: int | None) -> None:
        """Appends the mark of a note to a paragraph; nothing if `note` is None.

        The mark is a footnote with the note's text, or a link to the note if that is in the appendix.
        """
        if note is None:
            return
        if self.blocks.place is MechanicsPlace.FOOTNOTES:
            mechanics = self.blocks.notes.taken[note - 1].mechanics
            block.add_footnote(safe.line(" · ".join(map(self.furniture.line, mechanics))))
        else:
            block.add_place(f"r{note}")
            block.add_link(str(note), f"m{note}", MARK)

    def mechanics(self, mechanics: Sequence[Mechanic]) -> None:
        """Appends mechanics (dice, cards, numbers) under their paragraph.

        Folded ones share one small paragraph; else each has a paragraph of its own.
        """
        if self.blocks.place is MechanicsPlace.FOLDED:
            folded = self.add("Mechanics Folded", " · ".join(map(self.furniture.line, mechanics)))
            folded.speak(self.own)
        else:
            for mechanic in mechanics:
                line = self.add("Mechanics", f"\u2013 {self.furniture.line(mechanic)}")
                line.speak(self.own)

    def collected(self) -> None:
        """Appends the appendix of mechanics (dice, cards, numbers), if that is their place."""
        if self.blocks.notes.taken and self.blocks.place is MechanicsPlace.APPENDIX:
            self.add("Heading 1", self.furniture.say("page.mechanics"))
            self.appendix()

    def appendix(self) -> None:
        """Appends a table of the noted mechanics: note number, text and source of luck, with a header row."""
        add_row = self.paper.add_table([safe.line(self.furniture.say(title)) for title in COLUMNS])
        for note in self.blocks.notes.taken:
            for one in note.mechanics:
                number, what, luck = add_row()
                if one is note.mechanics[0]:
                    number.add_place(f"m{note.number}")
                number.add_link(str(note.number), f"r{note.number}")
                what.add(safe.line(one.text))
                luck.add(safe.line(self.furniture.luck(one)))

    # --- around the story ---------------------------------------------------------------------------------

    def part(self, part: b.Part) -> None:
        """Appends a part around the story: cast and index with names in bold, quotes, or a list."""
        self.add("Heading 1", part.title).speak(self.own)
        match part.sort:
            case "cast":
                for member in part.members:
                    about = self.furniture.member(member)
                    self.portrait(member)
                    described = f"{self.furniture.colon} {about}" if about else ""
                    self.named(member.name).add(safe.line(described))
                made = self.furniture.portraits_by(part.members)
                if made:
                    self.add("Body Text").add(safe.line(made), ITALIC)
            case "quotes":
                for quote in part.quotes:
                    self.quoted(quote)
            case "index":
                for name, places in part.entries:
                    block = self.named(name)
                    for number, found in enumerate(places):
                        block.add(", " if number else f"{self.furniture.colon} ")
                        self.found(block, found)
            case _:
                for line in part.lines:
                    self.add("List Bullet", line).speak(self.own)

    def portrait(self, member: Member) -> None:
        """Appends the portrait of a cast member, if there is one."""
        image = member.portrait
        if image is not None:
            width = min(PORTRAIT, 2 * PORTRAIT * image.width / image.height)
            size = width, width * image.height / image.width
            self.add("Body Text").add_picture(image.data, size, safe.line(image.alt))

    def quoted(self, quote: Quote) -> None:
        """Appends a quote, with the name of its speaker."""
        self.told("Quote", quote.text).add(safe.line(f" — {quote.who}" if quote.who else ""))

    def named(self, name: str) -> Words:
        """Appends a paragraph that begins with a name in bold, and returns it."""
        block = self.add("Body Text")
        block.add(safe.line(name), BOLD)
        return block

    def found(self, block: Words, found: page_elements.IndexedPlaces) -> None:
        """Appends links for an index entry to `block`: to sessions, or to named scenes of a session."""
        if not found.is_only:
            block.add_link(page_elements.run(found.sessions), _place(page_elements.anchor(found.sessions[0])))
        for number, scene in enumerate(found.scenes):
            block.add("; " if number else "" if found.is_only else " (")
            block.add_link(safe.line(scene.title or ""), _place(scene.id or ""))
        if found.scenes and not found.is_only:
            block.add(")")


def _style(told: b.Told) -> str:
    """Returns the name of the style for a paragraph of the story."""
    if told.source.eyes:
        return "Aside"
    return STYLES.get(told.source.kind, "Told" if told.label else "Body Text")


def _place(id_: str) -> str:
    """Returns the bookmark name for a heading's id, with `_` for each hyphen."""
    return id_.replace("-", "_")
