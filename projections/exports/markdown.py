"""A transcript as Markdown for Obsidian and its kin; everything typed is escaped, so that it stays text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from projections import safe
from projections.exports import layout
from projections.exports.layout import Notes, Place
from projections.pages import End, Mechanic, Paragraph, Passage, Plate, Scene, Transcript, Variation
from projections.prose.telling import Tag

_SPECIAL: Final = re.compile(r"([\\`*_{}\[\]<>#|~$^&@]|=(?==)|(?<==)=|%(?=%)|(?<=%)%)")
_LINE_START: Final = re.compile(r"^([ \t]*)([-:+=]|\d+(?=[.)]))?", re.MULTILINE)
_LINK: Final = re.compile(r"(?i)\b(https?|ftp|file|mailto|obsidian|www)([:.])")

DEEPEST: Final = 6
"""The deepest heading there is."""

PLATE: Final = 72
"""The columns of a map: it also fits where it stands quoted."""


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript in UTF-8."""
    writer = Writer(place)
    return ("\n".join(writer.document(transcript)).rstrip("\n") + "\n").encode()


def escape(text: str) -> str:
    """Typed text, so that Markdown shows it as it is; line ends stay."""
    escaped = _SPECIAL.sub(r"\\\1", safe.text(text))
    return _LINK.sub(_unlinked, _LINE_START.sub(_unstarted, escaped))


def _unlinked(found: re.Match[str]) -> str:
    return f"{found[1]}\\{found[2]}"


def _unstarted(found: re.Match[str]) -> str:
    """A line's beginning that begins nothing: no list, no indented code."""
    blanks = "&nbsp;" * len(found[1].expandtabs(4))
    started = found[2] or ""
    if started.isdecimal():
        return f"{blanks}{started}\\"
    return f"{blanks}\\{started}" if started else blanks


def on_a_line(text: str) -> str:
    """Typed text, escaped and on one line: for a heading or a cell."""
    return escape(safe.line(text).strip())


def _in_paragraph(text: str) -> str:
    """Typed text, escaped, each of its line ends a line break."""
    paragraphs = re.split(r"\n\s*\n", safe.text(text).strip())
    return "\n\n".join("\\\n".join(escape(one).split("\n")) for one in paragraphs)


def properties(transcript: Transcript) -> Iterator[str]:
    """The YAML block at the top; every text a JSON string, which YAML reads as it is."""
    head = transcript.head
    pairs: dict[str, object] = {
        "campaign": head.campaign,
        "session": head.session,
        "title": head.title,
        "date": head.date,
        "systems": list(head.systems),
        "gm": head.gm,
        "players": [one.player for one in head.players],
        "absent": list(head.absent),
        "voice": transcript.voice,
        "for": transcript.viewer,
    }
    yield "---"
    for key, value in pairs.items():
        if value not in (None, []):
            yield f"{key}: {safe.in_json(json.dumps(value, ensure_ascii=False))}"
    yield "---"
    yield ""


class Writer:
    """Writes one document, block by block, each followed by an empty line."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.notes = Notes()

    def document(self, transcript: Transcript) -> Iterator[str]:
        """All of a transcript."""
        yield from properties(transcript)
        yield from (f"# {on_a_line(transcript.title)}", "")
        for line in (layout.byline(transcript), layout.company(transcript)):
            if line:
                yield from (f"*{on_a_line(line)}*", "")
        if transcript.head.previously:
            yield from quoted(f"**Previously.** {_in_paragraph(transcript.head.previously)}")
        if transcript.head.summary:
            yield from quoted(f"**In short.** {_in_paragraph(transcript.head.summary)}")
        if transcript.cast:
            yield from ("## Cast", "")
            for one in transcript.cast:
                about = layout.member(one)
                yield f"- **{on_a_line(one.name)}**{': ' + on_a_line(about) if about else ''}"
            yield ""
        yield from self.scenes(transcript.scenes, "##")
        yield from _end(transcript.end)
        yield from _index(transcript)
        yield from self.collected()

    def scenes(self, scenes: Sequence[Scene], level: str) -> Iterator[str]:
        """Scenes under headings of that level; where sessions begin among them, these have it."""
        deep = any(scene.chapter for scene in scenes)
        for scene in scenes:
            if scene.chapter:
                yield from _heading(level, layout.chapter(scene.chapter))
            yield from self.scene(scene, level + "#" if deep else level)

    def scene(self, scene: Scene, level: str) -> Iterator[str]:
        """A scene, its heading of that level."""
        if scene.title is not None:
            yield from _heading(level, scene.title)
        for passage in scene.passages:
            yield from self.passage(passage, level + "#" if scene.title is not None else level)

    def passage(self, passage: Passage, level: str) -> Iterator[str]:
        """What was told of a conflict, or outside of any, and what stands between and beneath it."""
        heading = passage.conflict
        if heading is not None:
            yield from _heading(level, layout.conflict(heading))
            told = f"*{on_a_line(layout.against(heading))}*"
            yield from (told + self.mark(heading.id, heading.mechanics), "")
            yield from self.block(heading.mechanics)
        for one in layout.in_order(passage):
            if isinstance(one, Variation):
                yield from self.variation(one, level)
            else:
                yield from self.paragraph(one)
        if passage.plate is not None:
            yield from _plate(passage.plate)

    def variation(self, one: Variation, level: str) -> Iterator[str]:
        """Another line, quoted, so that it stands indented under the event where it leaves."""
        told = "\n".join(self.scenes(one.scenes, level + "#")) or layout.TOLD_APART
        yield from quoted(f"[!branch]+ {on_a_line(layout.other_line(one))}\n\n{told.strip()}")

    def paragraph(self, paragraph: Paragraph) -> Iterator[str]:
        """Something told, with its mechanics where they are wanted."""
        mark = self.mark(paragraph.id, paragraph.mechanics)
        if paragraph.kind is not Tag.MECHANICS:
            yield from (f"{told(paragraph)}{mark} ^{paragraph.id}", "")
        elif mark:
            yield from (f"*Mechanics*{mark}", "")
        yield from self.block(paragraph.mechanics)

    def mark(self, id_: str, mechanics: Sequence[Mechanic]) -> str:
        """What points at a paragraph's mechanics, where they stand elsewhere."""
        if not mechanics or self.place not in (Place.FOOTNOTES, Place.APPENDIX):
            return ""
        number = self.notes.add(id_, mechanics)
        return f"[^{number}]" if self.place is Place.FOOTNOTES else f" (m{number})"

    def block(self, mechanics: Sequence[Mechanic]) -> Iterator[str]:
        """A paragraph's mechanics, where they stand beneath it."""
        if not mechanics or self.place not in (Place.INLINE, Place.FOLDED):
            return
        if self.place is Place.FOLDED:
            yield f"> [!dice]- Mechanics ({len(mechanics)})"
        before = "> - " if self.place is Place.FOLDED else "- "
        yield from (f"{before}{on_a_line(layout.line(one))}" for one in mechanics)
        yield ""

    def collected(self) -> Iterator[str]:
        """What stands at the very end: footnotes, or one table."""
        if not self.notes.taken:
            return
        if self.place is Place.FOOTNOTES:
            for note in self.notes.taken:
                yield f"[^{note.number}]: {' · '.join(on_a_line(layout.line(one)) for one in note.mechanics)}"
            return
        yield from ("## Mechanics", "", "| | at | what | from |", "|---|---|---|---|")
        for note in self.notes.taken:
            for one in note.mechanics:
                yield f"| m{note.number} | {one.id} | {on_a_line(one.text)} | {one.luck} |"


def _heading(level: str, text: str) -> Iterator[str]:
    yield from (f"{level[:DEEPEST]} {on_a_line(text)}", "")


def _plate(one: Plate) -> Iterator[str]:
    """A map as letters in a block of code, which shows them as they are."""
    lines = layout.drawn(one, PLATE)
    ticks = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(ticks + 1, 3)
    yield from (f"{fence}text", *lines, fence, "")


def told(paragraph: Paragraph) -> str:
    """A paragraph with its label, without mechanics."""
    label = layout.label(paragraph)
    lead = f"**{on_a_line(label)}:** " if label else ""
    if paragraph.generated:
        return f"{lead}*{on_a_line(layout.said(paragraph))}*"
    if paragraph.kind is Tag.NOTATION:
        return lead + on_a_line(paragraph.text)
    text = _in_paragraph(layout.said(paragraph))
    return lead + (_slanted(text) if layout.slanted(paragraph) else text)


def _slanted(text: str) -> str:
    """Escaped paragraphs, each of them in italics."""
    return "\n\n".join(f"*{one.strip()}*" for one in text.split("\n\n"))


def quoted(text: str) -> Iterator[str]:
    """Markdown as a quotation."""
    yield from (f"> {line}".rstrip() for line in text.split("\n"))
    yield ""


def _end(end: End) -> Iterator[str]:
    yield from _listed("What changed", end.changed)
    yield from _listed("Open", end.open)
    if end.quotes:
        yield from ("## Quotes", "")
        for quote in end.quotes:
            who = f" — {on_a_line(quote.who)}" if quote.who else ""
            yield from quoted(f"{_in_paragraph(quote.text)}{who}")
    untold = (f"{one.what} ({', '.join(one.who)})" if one.who else one.what for one in end.untold)
    yield from _listed("Not told yet", untold)


def _index(transcript: Transcript) -> Iterator[str]:
    for title, entries in layout.index(transcript):
        yield from _listed(title, (f"{one.name}: {layout.sessions(one)}" for one in entries))


def _listed(title: str, lines: Iterable[str]) -> Iterator[str]:
    shown = [f"- {on_a_line(line)}" for line in lines]
    if shown:
        yield from (f"## {title}", "", *shown, "")
