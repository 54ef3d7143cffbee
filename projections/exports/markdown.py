"""Markdown exports: CommonMark for blogs and forums, and notes for Obsidian; typed text is escaped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from retold.projections.exports import blocks as b
from retold.projections.exports import page_elements
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.spool import BlockWriter
from retold.projections.story.document import Mechanic, Paragraph, Transcript
from retold.projections.texts import emphasis, safe
from retold.projections.texts.markdown_escaping import emphasised, on_a_line

DEEPEST: Final = 6
"""The deepest heading there is."""

PLATE: Final = 72
"""Columns of a map, narrow enough for a quotation."""


def in_paragraphs(text: str) -> str:
    """Returns typed text as escaped Markdown: its paragraphs stay paragraphs, its line ends line breaks."""
    told = map(emphasised, emphasis.paragraphs(text))
    return "\n\n".join(paragraph.replace("\n", "  \n") for paragraph in told)


def properties(transcript: Transcript) -> Iterator[str]:
    """Yields a transcript's YAML front matter: campaign, session, date, players, voice, viewer."""
    head = transcript.head
    pairs: dict[str, object] = {
        "campaign": head.campaign,
        "session": head.session,
        "title": head.title,
        "date": head.date,
        "systems": list(head.systems),
        "gm": head.gm if len(head.gms) < 2 else list(head.gms),  # noqa: PLR2004 -- one alone is not a list
        "players": [*page_elements.players(transcript)],
        "absent": list(head.absent),
        "voice": transcript.voice,
        "for": transcript.viewer,
    }
    yield from front_matter(pairs)


_NO_TAG: Final = r"\u003c"


def front_matter(pairs: Mapping[str, object]) -> Iterator[str]:
    """Yields `pairs` as the text lines of a YAML block; every text is a JSON string, which is valid YAML.

    Empty values are left out. Tags are escaped, since readers without YAML show the block as a paragraph.
    """
    yield "---"
    for key, value in pairs.items():
        if value not in (None, [], ""):
            yield f"{key}: {safe.in_json(json.dumps(value, ensure_ascii=False)).replace('<', _NO_TAG)}"
    yield from ("---", "")


class MarkdownWriter(BlockWriter):
    """Writer of one document in CommonMark, as any blog or forum takes it."""

    words: Callable[[str], str] = staticmethod(in_paragraphs)
    """Escapes text of one or more paragraphs."""
    named: Callable[[str], str] = staticmethod(on_a_line)
    """Escapes text with names for one line."""

    def block(self, block: b.Block) -> Iterable[str]:  # noqa: C901, PLR0911, PLR0912 -- one case for each block
        """Returns the Markdown lines of a block, usually with an empty line after it.

        Returns none for a block that is not shown.
        """
        match block:
            case b.Told():
                return self.told(block)
            case b.Beneath(mechanics):
                return self.beneath(mechanics)
            case b.Heading():
                return _heading(block.level, block.text)
            case b.Line(text):
                return f"*{on_a_line(text)}*", ""
            case b.Foretold(_, label, text):
                return quoted(f"**{on_a_line(label)}.** {self.words(text)}")
            case b.Epigraph(quote):
                who = f" — {on_a_line(quote.who)}" if quote.who else ""
                return quoted(f"{self.words(quote.text)}{who}")
            case b.Conflict():
                against = f"*{on_a_line(block.against)}*{self.mark(block.note)}"
                return *_heading(block.level, block.text), against, ""
            case b.Branch():
                story = "\n".join(self.lines(self.blocks.within(block, block.level + 1))).strip()
                story = story or self.say("page.told-apart")  # its numbers may have been left out
                return quoted(f"{self.branch(on_a_line(block.text))}\n\n{story}")
            case b.Apart(text):
                return (on_a_line(text),)
            case b.Picture():
                return f"*{on_a_line(block.in_words)}*", ""
            case b.Map(plate):
                return _code(self.blocks.furniture.drawn(plate, PLATE))
            case b.Part():
                return self.part(block)
            case b.Break():
                return ()

    def branch(self, title: str) -> str:
        """Returns the heading of a variation (another branch's story)."""
        return f"**{title}**"

    def told(self, block: b.Told) -> Iterable[str]:
        """Returns a paragraph of the story; only its note mark if it has dice or cards and no words."""
        mark = self.mark(block.note)
        if not block.is_bare:
            return self.linked(block.source, written(block, self.words, self.named) + mark), ""
        return (f"*{self.say('page.mechanics')}*{mark}", "") if mark else ()

    def linked(self, paragraph: Paragraph, text: str) -> str:  # noqa: ARG002 -- other writers have links
        """Returns `text` unchanged, since CommonMark has no target for links into a paragraph."""
        return text

    def mark(self, note: int | None) -> str:
        """Returns a note's number in brackets, `(3)`; empty for None."""
        return "" if note is None else f" ({note})"

    def beneath(self, mechanics: Sequence[Mechanic]) -> Iterable[str]:
        """Returns the dice, cards and numbers under a paragraph as a list, in a quotation if folded."""
        listed = tuple(f"- {self.mechanic(mechanic)}" for mechanic in mechanics)
        if self.blocks.place is MechanicsPlace.INLINE:
            return *listed, ""
        return *self.folded(on_a_line(self.blocks.furniture.folded(mechanics))), *quoted("\n".join(listed))

    def folded(self, title: str) -> Iterable[str]:
        """Returns the lines above folded mechanics, with their title."""
        return f"> *{title}*", ">"

    def part(self, part: b.Part) -> Iterable[str]:
        """Yields a titled part around the story: cast, quotations, or a list of text lines."""
        yield from _heading(1, part.title)
        if part.sort == "cast":
            for member in part.members:
                about = self.blocks.furniture.member(member)
                colon = self.blocks.furniture.colon
                yield f"- **{self.named(member.name)}**{f'{colon} {self.named(about)}' if about else ''}"
        elif part.sort == "quotes":
            for quote in part.quotes:
                who = f" — {on_a_line(quote.who)}" if quote.who else ""
                yield from quoted(f"{self.words(quote.text)}{who}")
            return
        else:
            yield from (f"- {on_a_line(line)}" for line in part.lines)
        yield ""

    def collected(self) -> Iterable[str]:
        """Yields the notes of the document under a heading, each with its number in brackets."""
        notes = self.blocks.notes.taken
        if notes:
            yield from _heading(1, self.blocks.furniture.say("page.mechanics"))
        for note in notes:
            yield from (f"({note.number}) {' · '.join(map(self.mechanic, note.mechanics))}", "")

    def say(self, key: str) -> str:
        """Returns the heading or label with this phrase key (`page.cast`), escaped."""
        return on_a_line(self.blocks.furniture.say(key))

    def mechanic(self, mechanic: Mechanic) -> str:
        """Returns one mechanic with its source of luck as escaped text, such as a roll and `[dealt]`."""
        return on_a_line(self.blocks.furniture.line(mechanic))


class ObsidianWriter(MarkdownWriter):
    """Writer of one note for Obsidian: front matter, block ids, callouts, footnotes and a table."""

    def properties(self, transcript: Transcript) -> Iterable[str]:
        """Returns the lines of the YAML front matter."""
        return properties(transcript)

    def branch(self, title: str) -> str:
        """Returns the heading of a variation (another branch's story) as an open callout."""
        return f"[!branch]+ {title}"

    def linked(self, paragraph: Paragraph, text: str) -> str:
        """Returns `text` with the paragraph's block id after it."""
        return f"{text} ^{paragraph.id}"

    def mark(self, note: int | None) -> str:
        """Returns a note's mark: `[^3]` among footnotes, `(m3)` with an appendix; empty for None."""
        if note is None:
            return ""
        return f"[^{note}]" if self.blocks.place is MechanicsPlace.FOOTNOTES else f" (m{note})"

    def folded(self, title: str) -> Iterable[str]:
        """Returns the head of a closed callout."""
        return (f"> [!dice]- {title}",)

    def collected(self) -> Iterable[str]:
        """Yields the notes of dice, cards and numbers at the end: footnotes, or a table for the appendix."""
        notes = self.blocks.notes.taken
        if self.blocks.place is MechanicsPlace.FOOTNOTES:
            for note in notes:
                yield f"[^{note.number}]: {' · '.join(map(self.mechanic, note.mechanics))}"
        elif notes:
            yield from _heading(1, self.blocks.furniture.say("page.mechanics"))
            yield f"| | {self.say('page.at')} | {self.say('page.what')} | {self.say('page.from')} |"
            yield "|---|---|---|---|"
            for note in notes:
                for mechanic in note.mechanics:
                    luck = on_a_line(self.blocks.furniture.luck(mechanic))
                    yield f"| m{note.number} | {mechanic.id} | {on_a_line(mechanic.text)} | {luck} |"


def _heading(level: int, text: str) -> tuple[str, str]:
    return f"{'#' * min(level + 1, DEEPEST)} {on_a_line(text)}", ""


def _code(lines: Sequence[str]) -> Iterable[str]:
    """Returns text lines inside a code block, whose fence is longer than any run of backticks in them."""
    ticks = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(ticks + 1, 3)
    return f"{fence}text", *lines, fence, ""


def written(
    block: b.Told, words: Callable[[str], str] = in_paragraphs, named: Callable[[str], str] = on_a_line
) -> str:
    """Returns a paragraph of the story with its label in bold, generated text and directions in italics.

    `words` escapes text of several paragraphs, `named` text on one line.
    """
    label = block.label
    lead = f"**{named(label)}{block.colon}** " if label else ""
    if block.source.generated:
        return f"{lead}*{named(emphasis.words(block.text))}*"
    if not block.is_slanted:
        return lead + words(block.text)
    upright = words(emphasis.words(block.text))
    return lead + "\n\n".join(f"*{paragraph}*" for paragraph in upright.split("\n\n") if paragraph)


def quoted(text: str) -> Iterable[str]:
    """Returns Markdown text as a quotation: its lines after `> `, then an empty line."""
    return *(f"> {line}" if line else ">" for line in text.split("\n")), ""
