"""A transcript as Markdown for Obsidian and its kin; everything typed is escaped, so that it stays text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from projections import safe
from projections.document import End, Mechanic, Paragraph, Passage, Scene, Transcript, Variation
from projections.exports import page_elements
from projections.exports.page_elements import Furniture, MechanicsPlace, Notes
from projections.exports.spool import ended, lined
from projections.markdown_escaping import escape, on_a_line
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag

DEEPEST: Final = 6
"""The deepest heading there is."""

PLATE: Final = 72
"""The columns of a map: it also fits where it stands quoted."""


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """The transcript in UTF-8."""
    return MarkdownWriter(place, transcript.phrases).text(transcript).encode()


def commonmark(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """The transcript in UTF-8, with nothing in it that only some readers of Markdown know."""
    return CommonMarkWriter(place, transcript.phrases).text(transcript).encode()


def in_paragraph(text: str) -> str:
    """Typed text, escaped, each of its line ends a line break.

    Its own paragraphs are lines that begin further in, so that all of it is one block, and one person's.
    """
    return "\\\n&emsp;".join(escape(one).replace("\n", "\\\n") for one in safe.paragraphs(text))


def properties(transcript: Transcript) -> Iterator[str]:
    """What programs read of a transcript."""
    head = transcript.head
    pairs: dict[str, object] = {
        "campaign": head.campaign,
        "session": head.session,
        "title": head.title,
        "date": head.date,
        "systems": list(head.systems),
        "gm": head.gm if len(head.gms) < 2 else list(head.gms),  # noqa: PLR2004 -- one alone is no list
        "players": [*page_elements.players(transcript)],
        "absent": list(head.absent),
        "voice": transcript.voice,
        "for": transcript.viewer,
    }
    yield from front_matter(pairs)


_NO_TAG: Final = r"\u003c"


def front_matter(pairs: Mapping[str, object]) -> Iterator[str]:
    """The YAML block at the top; every text a JSON string, which YAML reads as it is.

    What is empty is left out. A reader that knows no YAML shows it as a paragraph: nothing in it opens a tag.
    """
    yield "---"
    for key, value in pairs.items():
        if value not in (None, [], ""):
            yield f"{key}: {safe.in_json(json.dumps(value, ensure_ascii=False)).replace('<', _NO_TAG)}"
    yield from ("---", "")


class MarkdownWriter:
    """Writes one document, block by block, each followed by an empty line."""

    def __init__(self, place: MechanicsPlace, phrases: Phrases) -> None:
        self.place = place
        self.deep = False
        """True where sessions begin among the scenes, so that these stand under their headings."""
        self.furniture = Furniture(phrases)
        self.notes = Notes()
        self.words: Callable[[str], str] = in_paragraph
        """How a text is written in one paragraph."""
        self.named: Callable[[str], str] = on_a_line
        """How what holds a name is written on one line."""

    def text(self, transcript: Transcript) -> str:
        """All of a transcript, with one end of line behind it."""
        self.deep = any(scene.chapter for scene in transcript.scenes)
        scenes = [self.scene(one) for one in transcript.scenes]
        return "".join(self.document(transcript, scenes))

    def scene(self, scene: Scene) -> str:
        """All that stands in a scene, under the heading of its session; nothing where nothing does."""
        return "".join(lined(self.told_in(scene, "###" if self.deep else "##")))

    def document(self, transcript: Transcript, scenes: Iterable[str]) -> Iterator[str]:
        """All of it, part by part, around its scenes, which have been written before in their order."""
        return ended(self._document(transcript, scenes))

    def _document(self, transcript: Transcript, scenes: Iterable[str]) -> Iterator[str]:
        yield from lined(self._above(transcript))
        for scene, written in zip(transcript.scenes, scenes, strict=True):
            yield from lined(self.chapter(scene, "##"))
            yield written
        yield from lined(self._below(transcript))

    def _above(self, transcript: Transcript) -> Iterator[str]:
        yield from self.properties(transcript)
        yield from (f"# {on_a_line(transcript.title)}", "")
        for line in (self.furniture.byline(transcript), self.furniture.company(transcript)):
            if line:
                yield from (f"*{on_a_line(line)}*", "")
        if transcript.head.previously:
            yield from self.foretold("page.previously", transcript.head.previously)
        if transcript.head.summary:
            yield from self.foretold("page.in-short", transcript.head.summary)
        if transcript.cast:
            yield from self.headed("page.cast")
            for one in transcript.cast:
                about = self.furniture.member(one)
                yield f"- **{self.named(one.name)}**{': ' + self.named(about) if about else ''}"
            yield ""

    def _below(self, transcript: Transcript) -> Iterator[str]:
        yield from self.end(transcript.end)
        yield from self.index(transcript)
        yield from self.collected()

    def properties(self, transcript: Transcript) -> Iterator[str]:
        """What programs read of it."""
        yield from properties(transcript)

    def foretold(self, key: str, text: str) -> Iterator[str]:
        """Something that stands before the story, under a heading of its own."""
        yield from quoted(f"**{self.say(key)}.** {self.words(text)}")

    def headed(self, key: str) -> Iterator[str]:
        """The heading of a part."""
        yield from (f"## {self.say(key)}", "")

    def say(self, key: str) -> str:
        """A heading or label by its phrase, escaped."""
        return on_a_line(self.furniture.say(key))

    def scenes(self, scenes: Sequence[Scene], level: str) -> Iterator[str]:
        """Scenes under headings of that level; where sessions begin among them, these have it."""
        deep = any(scene.chapter for scene in scenes)
        for scene in scenes:
            yield from self.chapter(scene, level)
            yield from self.told_in(scene, level + "#" if deep else level)

    def chapter(self, scene: Scene, level: str) -> Iterator[str]:
        """The heading of the session that begins with a scene, if one does."""
        if scene.chapter:
            yield from _heading(level, self.furniture.chapter(scene.chapter))

    def told_in(self, scene: Scene, level: str) -> Iterator[str]:
        """A scene, its heading of that level."""
        if scene.title is not None:
            yield from _heading(level, scene.title)
        for passage in scene.passages:
            yield from self.passage(passage, level + "#" if scene.title is not None else level)

    def passage(self, passage: Passage, level: str) -> Iterator[str]:
        """What was told of a conflict, or outside of any, and what stands between and beneath it."""
        heading = passage.conflict
        if heading is not None:
            yield from _heading(level, self.furniture.conflict(heading))
            told = f"*{on_a_line(self.furniture.against(heading))}*"
            yield from (told + self.mark(heading.id, heading.mechanics), "")
            yield from self.block(heading.mechanics)
        for one in page_elements.in_order(passage):
            if isinstance(one, Variation):
                yield from self.variation(one, level)
            else:
                yield from self.paragraph(one)
        if passage.plate is not None:
            yield from _plate(self.furniture.drawn(passage.plate, PLATE))

    def variation(self, one: Variation, level: str) -> Iterator[str]:
        """Another line, quoted, so that it stands indented under the event where it leaves."""
        told = "\n".join(self.scenes(one.scenes, level + "#")) or self.say("page.told-apart")
        yield from quoted(f"{self.branch(on_a_line(self.furniture.other_line(one)))}\n\n{told.strip()}")

    def branch(self, title: str) -> str:
        """What stands above another line."""
        return f"[!branch]+ {title}"

    def paragraph(self, paragraph: Paragraph) -> Iterator[str]:
        """Something told, with its mechanics where they are wanted."""
        mark = self.mark(paragraph.id, paragraph.mechanics)
        if paragraph.kind is not Tag.MECHANICS:
            yield from (
                self.linked(paragraph, f"{written_paragraph(paragraph, self.words, self.named)}{mark}"),
                "",
            )
        elif mark:
            yield from (f"*{self.say('page.mechanics')}*{mark}", "")
        yield from self.block(paragraph.mechanics)

    def linked(self, paragraph: Paragraph, text: str) -> str:
        """A paragraph that can be pointed at, and those that went on in it."""
        others = "".join(f'<a id="{one}"></a>' for one in paragraph.others)
        return f"{others}{text} ^{paragraph.id}"

    def mark(self, id_: str, mechanics: Sequence[Mechanic]) -> str:
        """What points at a paragraph's mechanics, where they stand elsewhere."""
        if not mechanics or self.place not in (MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX):
            return ""
        number = self.notes.add(id_, mechanics)
        return f"[^{number}]" if self.place is MechanicsPlace.FOOTNOTES else f" (m{number})"

    def block(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """A paragraph's mechanics, where they stand beneath it."""
        if not mechanics or self.place not in (MechanicsPlace.INLINE, MechanicsPlace.FOLDED):
            return
        if self.place is MechanicsPlace.FOLDED:
            yield f"> [!dice]- {on_a_line(self.furniture.folded(mechanics))}"
        before = "> - " if self.place is MechanicsPlace.FOLDED else "- "
        yield from (f"{before}{self.line(one)}" for one in mechanics)
        yield ""

    def collected(self) -> Iterator[str]:
        """What stands at the very end: footnotes, or one table."""
        if not self.notes.taken:
            return
        if self.place is MechanicsPlace.FOOTNOTES:
            for note in self.notes.taken:
                yield f"[^{note.number}]: {' · '.join(map(self.line, note.mechanics))}"
            return
        yield from self.headed("page.mechanics")
        yield f"| | {self.say('page.at')} | {self.say('page.what')} | {self.say('page.from')} |"
        yield "|---|---|---|---|"
        for note in self.notes.taken:
            for one in note.mechanics:
                luck = on_a_line(self.furniture.luck(one))
                yield f"| m{note.number} | {one.id} | {on_a_line(one.text)} | {luck} |"

    def line(self, mechanic: Mechanic) -> str:
        """A line of mechanics, escaped."""
        return on_a_line(self.furniture.line(mechanic))

    def end(self, end: End) -> Iterator[str]:
        """What changed, what is open, what was said, and what is told by nobody yet."""
        for part in self.furniture.afterwards(end):
            if part.kind == "quotes":
                yield from (f"## {on_a_line(part.title)}", "")
                for quote in end.quotes:
                    who = f" — {on_a_line(quote.who)}" if quote.who else ""
                    yield from quoted(f"{self.words(quote.text)}{who}")
            else:
                yield from _listed(part.title, part.lines)

    def index(self, transcript: Transcript) -> Iterator[str]:
        """Who and what is where."""
        for title, entries in self.furniture.index(transcript):
            yield from _listed(
                title, (f"{one.name}: {page_elements.where(transcript, one)}" for one in entries)
            )


class CommonMarkWriter(MarkdownWriter):
    """Writes one document for forums: no properties, block ids, callouts, footnotes or tables."""

    def properties(self, transcript: Transcript) -> Iterator[str]:  # noqa: ARG002 -- as above
        """None: where they are not known they are shown."""
        yield from ()

    def branch(self, title: str) -> str:
        """What stands above another line."""
        return f"**{title}**"

    def linked(self, paragraph: Paragraph, text: str) -> str:  # noqa: ARG002 -- as above
        """The paragraph as it is."""
        return text

    def mark(self, id_: str, mechanics: Sequence[Mechanic]) -> str:
        """What points at a paragraph's mechanics, where they stand elsewhere."""
        if not mechanics or self.place not in (MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX):
            return ""
        return f" ({self.notes.add(id_, mechanics)})"

    def block(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """A paragraph's mechanics, where they stand beneath it; folded ones as a quotation."""
        if self.place is not MechanicsPlace.FOLDED or not mechanics:
            yield from super().block(mechanics)
            return
        yield from (f"> *{on_a_line(self.furniture.folded(mechanics))}*", ">")
        yield from (*(f"> - {self.line(one)}" for one in mechanics), "")

    def collected(self) -> Iterator[str]:
        """What stands at the very end: every note under its number."""
        if not self.notes.taken:
            return
        yield from self.headed("page.mechanics")
        for note in self.notes.taken:
            lines = " · ".join(map(self.line, note.mechanics))
            yield from (f"({note.number}) {lines}", "")


def _heading(level: str, text: str) -> Iterator[str]:
    yield from (f"{level[:DEEPEST]} {on_a_line(text)}", "")


def _plate(lines: Sequence[str]) -> Iterator[str]:
    """A map as letters in a block of code, which shows them as they are."""
    ticks = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(ticks + 1, 3)
    yield from (f"{fence}text", *lines, fence, "")


def written_paragraph(
    paragraph: Paragraph,
    words: Callable[[str], str] = in_paragraph,
    named: Callable[[str], str] = on_a_line,
) -> str:
    """A paragraph with its label, without mechanics; `words` and `named` as a writer has them."""
    label = page_elements.label(paragraph)
    lead = f"**{named(label)}:** " if label else ""
    if paragraph.generated:
        return f"{lead}*{named(page_elements.marked_speech(paragraph))}*"
    if paragraph.kind is Tag.NOTATION:
        return lead + named(paragraph.text)
    text = words(page_elements.marked_speech(paragraph))
    return lead + (f"*{text}*" if page_elements.slanted(paragraph) and text else text)


def quoted(text: str) -> Iterator[str]:
    """Markdown as a quotation."""
    yield from (f"> {line}".rstrip() for line in text.split("\n"))
    yield ""


def _listed(title: str, lines: Iterable[str]) -> Iterator[str]:
    shown = [f"- {on_a_line(line)}" for line in lines]
    if shown:
        yield from (f"## {title}", "", *shown, "")
