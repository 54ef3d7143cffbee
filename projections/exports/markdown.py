"""Markdown export for Obsidian and similar programs, and CommonMark export; typed text is escaped."""

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
from projections.prose.phrases import Phrases
from projections.prose.telling import Tag

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~$^&@]|=(?==)|(?<==)=|%(?=%)|(?<=%)%)")
_LINE_START: Final = re.compile(r"^([ \t]*)([-:+=]|\d+(?=[.)]))?", re.MULTILINE)
_LINK: Final = re.compile(r"(?i)\b(https?|ftp|file|mailto|obsidian|www)([:.])")

DEEPEST: Final = 6
"""The deepest heading there is."""

PLATE: Final = 72
"""Columns of a map, narrow enough for a quotation."""


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Transcript as Markdown in UTF-8."""
    return MarkdownWriter(place, transcript.phrases).text(transcript).encode()


def commonmark(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Transcript as plain CommonMark in UTF-8, without extensions."""
    return CommonMarkWriter(place, transcript.phrases).text(transcript).encode()


def escape(text: str) -> str:
    """Typed text with Markdown escaped; line ends are kept."""
    escaped = _SPECIAL.sub(r"\\\1", safe.text(text))
    return _LINK.sub(_unlinked, _LINE_START.sub(_unstarted, escaped))


def _unlinked(found: re.Match[str]) -> str:
    return f"{found[1]}\\{found[2]}"


def _unstarted(found: re.Match[str]) -> str:
    """Escaped line beginning, so that it starts no list and no indented code."""
    blanks = "&nbsp;" * len(found[1].expandtabs(4))
    started = found[2] or ""
    if started.isdecimal():
        return f"{blanks}{started}\\"
    return f"{blanks}\\{started}" if started else blanks


def on_a_line(text: str) -> str:
    """Typed text on one line, escaped, for headings and cells."""
    return escape(safe.line(text).strip())


def in_paragraph(text: str) -> str:
    """Typed text, escaped, with line ends as line breaks.

    Further paragraphs become indented lines, so that the text stays one block of one person.
    """
    return "\\\n&emsp;".join(escape(one).replace("\n", "\\\n") for one in safe.paragraphs(text))


def properties(transcript: Transcript) -> Iterator[str]:
    """Yields the YAML front matter of a transcript."""
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
    """Yields a YAML block; every text is a JSON string, which is valid YAML.

    Empty values are left out. Tags are escaped, since readers without YAML show the block as a paragraph.
    """
    yield "---"
    for key, value in pairs.items():
        if value not in (None, [], ""):
            yield f"{key}: {safe.in_json(json.dumps(value, ensure_ascii=False)).replace('<', _NO_TAG)}"
    yield from ("---", "")


class MarkdownWriter:
    """Writer of one Markdown document; every block ends with an empty line."""

    def __init__(self, place: MechanicsPlace, phrases: Phrases) -> None:
        self.place = place
        self.deep = False
        """True if sessions begin among the scenes, whose headings then are one level deeper."""
        self.furniture = Furniture(phrases)
        self.notes = Notes()
        self.words: Callable[[str], str] = in_paragraph
        """Escapes text for a paragraph."""
        self.named: Callable[[str], str] = on_a_line
        """Escapes text with names for one line."""

    def text(self, transcript: Transcript) -> str:
        """Complete document of a transcript."""
        self.deep = any(scene.chapter for scene in transcript.scenes)
        scenes = [self.scene(one) for one in transcript.scenes]
        return "".join(self.document(transcript, scenes))

    def scene(self, scene: Scene) -> str:
        """Text of a scene, without its session's heading; empty for an empty scene."""
        return "".join(lined(self.told_in(scene, "###" if self.deep else "##")))

    def document(self, transcript: Transcript, scenes: Iterable[str]) -> Iterator[str]:
        """Yields the document in parts; `scenes` are the already written texts of its scenes."""
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
        """Yields the front matter."""
        yield from properties(transcript)

    def foretold(self, key: str, text: str) -> Iterator[str]:
        """Yields a labelled quotation, for text before the story."""
        yield from quoted(f"**{self.say(key)}.** {self.words(text)}")

    def headed(self, key: str) -> Iterator[str]:
        """Yields a part's heading."""
        yield from (f"## {self.say(key)}", "")

    def say(self, key: str) -> str:
        """Heading or label by its phrase key, escaped."""
        return on_a_line(self.furniture.say(key))

    def scenes(self, scenes: Sequence[Scene], level: str) -> Iterator[str]:
        """Yields scenes at a heading level, one level deeper where sessions begin among them."""
        deep = any(scene.chapter for scene in scenes)
        for scene in scenes:
            yield from self.chapter(scene, level)
            yield from self.told_in(scene, level + "#" if deep else level)

    def chapter(self, scene: Scene, level: str) -> Iterator[str]:
        """Yields the heading of a session, if the scene begins one."""
        if scene.chapter:
            yield from _heading(level, self.furniture.chapter(scene.chapter))

    def told_in(self, scene: Scene, level: str) -> Iterator[str]:
        """Yields a scene under its heading."""
        if scene.title is not None:
            yield from _heading(level, scene.title)
        for passage in scene.passages:
            yield from self.passage(passage, level + "#" if scene.title is not None else level)

    def passage(self, passage: Passage, level: str) -> Iterator[str]:
        """Yields a passage with its conflict's heading, variations and map."""
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
        """Yields another line's story as a quotation, under the event where it forks."""
        told = "\n".join(self.scenes(one.scenes, level + "#")) or self.say("page.told-apart")
        yield from quoted(f"{self.branch(on_a_line(self.furniture.other_line(one)))}\n\n{told.strip()}")

    def branch(self, title: str) -> str:
        """Heading of a variation."""
        return f"[!branch]+ {title}"

    def paragraph(self, paragraph: Paragraph) -> Iterator[str]:
        """Yields a told paragraph, with mechanics beneath it or a note mark."""
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
        """Paragraph text with block id, and anchors for joined paragraphs."""
        others = "".join(f'<a id="{one}"></a>' for one in paragraph.others)
        return f"{others}{text} ^{paragraph.id}"

    def mark(self, id_: str, mechanics: Sequence[Mechanic]) -> str:
        """Note mark for a paragraph's mechanics; empty if they stand beneath it."""
        if not mechanics or self.place not in (MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX):
            return ""
        number = self.notes.add(id_, mechanics)
        return f"[^{number}]" if self.place is MechanicsPlace.FOOTNOTES else f" (m{number})"

    def block(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """Yields mechanics beneath a paragraph, if they stand there."""
        if not mechanics or self.place not in (MechanicsPlace.INLINE, MechanicsPlace.FOLDED):
            return
        if self.place is MechanicsPlace.FOLDED:
            yield f"> [!dice]- {on_a_line(self.furniture.folded(mechanics))}"
        before = "> - " if self.place is MechanicsPlace.FOLDED else "- "
        yield from (f"{before}{self.line(one)}" for one in mechanics)
        yield ""

    def collected(self) -> Iterator[str]:
        """Yields footnotes, or a table of all mechanics, at the end of the document."""
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
        """Line of mechanics, escaped."""
        return on_a_line(self.furniture.line(mechanic))

    def end(self, end: End) -> Iterator[str]:
        """Yields changes, open matters, quotes and untold mechanics."""
        for part in self.furniture.afterwards(end):
            if part.kind == "quotes":
                yield from (f"## {on_a_line(part.title)}", "")
                for quote in end.quotes:
                    who = f" — {on_a_line(quote.who)}" if quote.who else ""
                    yield from quoted(f"{self.words(quote.text)}{who}")
            else:
                yield from _listed(part.title, part.lines)

    def index(self, transcript: Transcript) -> Iterator[str]:
        """Yields the index of a book."""
        for title, entries in self.furniture.index(transcript):
            yield from _listed(
                title, (f"{one.name}: {page_elements.where(transcript, one)}" for one in entries)
            )


class CommonMarkWriter(MarkdownWriter):
    """Writer for forums: no properties, block ids, callouts, footnotes or tables."""

    def properties(self, transcript: Transcript) -> Iterator[str]:  # noqa: ARG002 -- as above
        """Yields nothing, since forums would display front matter."""
        yield from ()

    def branch(self, title: str) -> str:
        """Heading of a variation, in bold."""
        return f"**{title}**"

    def linked(self, paragraph: Paragraph, text: str) -> str:  # noqa: ARG002 -- as above
        """Paragraph text without block id."""
        return text

    def mark(self, id_: str, mechanics: Sequence[Mechanic]) -> str:
        """Note number in brackets; empty if mechanics stand beneath the paragraph."""
        if not mechanics or self.place not in (MechanicsPlace.FOOTNOTES, MechanicsPlace.APPENDIX):
            return ""
        return f" ({self.notes.add(id_, mechanics)})"

    def block(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """Yields mechanics beneath a paragraph, folded ones as a quotation."""
        if self.place is not MechanicsPlace.FOLDED or not mechanics:
            yield from super().block(mechanics)
            return
        yield from (f"> *{on_a_line(self.furniture.folded(mechanics))}*", ">")
        yield from (*(f"> - {self.line(one)}" for one in mechanics), "")

    def collected(self) -> Iterator[str]:
        """Yields numbered notes at the end of the document."""
        if not self.notes.taken:
            return
        yield from self.headed("page.mechanics")
        for note in self.notes.taken:
            lines = " · ".join(map(self.line, note.mechanics))
            yield from (f"({note.number}) {lines}", "")


def _heading(level: str, text: str) -> Iterator[str]:
    yield from (f"{level[:DEEPEST]} {on_a_line(text)}", "")


def _plate(lines: Sequence[str]) -> Iterator[str]:
    """Yields a text map as a code block."""
    ticks = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(ticks + 1, 3)
    yield from (f"{fence}text", *lines, fence, "")


def written_paragraph(
    paragraph: Paragraph,
    words: Callable[[str], str] = in_paragraph,
    named: Callable[[str], str] = on_a_line,
) -> str:
    """Paragraph with its label, without mechanics.

    `words` escapes text of several lines, `named` text on one line.
    """
    label = page_elements.label(paragraph)
    lead = f"**{named(label)}:** " if label else ""
    if paragraph.generated:
        return f"{lead}*{named(page_elements.marked_speech(paragraph))}*"
    if paragraph.kind is Tag.NOTATION:
        return lead + named(paragraph.text)
    text = words(page_elements.marked_speech(paragraph))
    return lead + (f"*{text}*" if page_elements.slanted(paragraph) and text else text)


def quoted(text: str) -> Iterator[str]:
    """Yields Markdown as a quotation."""
    yield from (f"> {line}".rstrip() for line in text.split("\n"))
    yield ""


def _listed(title: str, lines: Iterable[str]) -> Iterator[str]:
    shown = [f"- {on_a_line(line)}" for line in lines]
    if shown:
        yield from (f"## {title}", "", *shown, "")
