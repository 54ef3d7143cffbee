"""HTML fragment export: the story in plain elements, to paste into a blog or a web editor.

It has no head, style, script, class, id or picture: the page it is pasted into says how it looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from retold.projections.exports import blocks as b
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.exports.spool import BlockWriter
from retold.projections.story.document import Mechanic
from retold.projections.texts import emphasis, safe

DEEPEST: Final = 6
COLUMNS: Final = 60
"""Width of a drawn map, narrow enough for a blog."""


class FragmentWriter(BlockWriter):
    """Writer of a story as HTML elements without a page around them."""

    def block(self, block: b.Block) -> Iterable[str]:  # noqa: C901, PLR0911, PLR0912 -- one case for each block
        """Returns the HTML lines of a block; none for a block without a place in a fragment."""
        match block:
            case b.Told():
                return self.told(block)
            case b.Beneath(mechanics):
                return self.beneath(mechanics)
            case b.Heading(_, text, level):
                return (heading(level, text),)
            case b.Conflict():
                against = f"{line(block.against)}{mark(block.note)}"
                return heading(block.level, block.text), f"<p><em>{against}</em></p>"
            case b.Line(text):
                return (f"<p><em>{line(text)}</em></p>",)
            case b.Foretold(_, label, text):
                return quoted(f"<p><strong>{line(label)}.</strong> {paragraphs(text)[3:]}")
            case b.Epigraph(quote):
                who = f" — {line(quote.who)}" if quote.who else ""
                return quoted(f"{paragraphs(quote.text)[:-4]}{who}</p>")
            case b.Branch():
                story = self.lines(self.blocks.within(block, block.level + 1))
                return quoted("\n".join((f"<p><strong>{line(block.text)}</strong></p>", *story)))
            case b.Apart(text):
                return (f"<p>{line(text)}</p>",)
            case b.Picture():
                caption = f"<figcaption>{line(block.caption)}</figcaption>" if block.caption else ""
                alt = escape(safe.line(block.image.alt))
                return (f'<figure><img src="{block.image.uri}" alt="{alt}">{caption}</figure>',)
            case b.Map(plate):
                drawn = "\n".join(self.blocks.furniture.drawn(plate, COLUMNS))
                return (f"<pre>{escape(drawn, quote=False)}</pre>",)
            case b.Part():
                return self.part(block)
            case b.Break():
                return ()

    def told(self, block: b.Told) -> Iterable[str]:
        """Returns a paragraph of the story with its label; only its note mark if it has no words."""
        note = mark(block.note)
        if block.is_bare:
            say = self.blocks.furniture.say("page.mechanics")
            return (f"<p><em>{line(say)}</em>{note}</p>",) if note else ()
        source = block.source
        text = f"<p>{line(emphasis.words(block.text))}</p>" if source.generated else paragraphs(block.text)
        if block.is_slanted:
            text = text.replace("<p>", "<p><em>").replace("</p>", "</em></p>")
        label = f"<strong>{line(block.label)}{block.colon}</strong> " if block.label else ""
        return (f"<p>{label}{text[3:-4]}{note}</p>",)

    def beneath(self, mechanics: Sequence[Mechanic]) -> Iterable[str]:
        """Returns the dice, cards and numbers under a paragraph as a list, in a quotation if folded."""
        items = "\n".join(f"<li>{self.mechanic(mechanic)}</li>" for mechanic in mechanics)
        listed = f"<ul>\n{items}\n</ul>"
        if self.blocks.place is MechanicsPlace.INLINE:
            return (listed,)
        return quoted(f"<p><em>{line(self.blocks.furniture.folded(mechanics))}</em></p>\n{listed}")

    def part(self, part: b.Part) -> Iterable[str]:
        """Yields a titled part around the story: cast, quotations, or a list of text lines."""
        yield heading(1, part.title)
        if part.sort == "quotes":
            for quote in part.quotes:
                who = f" — {line(quote.who)}" if quote.who else ""
                yield from quoted(f"{paragraphs(quote.text)[:-4]}{who}</p>")
            return
        yield "<ul>"
        if part.sort == "cast":
            for member in part.members:
                about = self.blocks.furniture.member(member)
                described = f"{self.blocks.furniture.colon} {line(about)}" if about else ""
                yield f"<li><strong>{line(member.name)}</strong>{described}</li>"
        else:
            yield from (f"<li>{line(text)}</li>" for text in part.lines)
        yield "</ul>"

    def collected(self) -> Iterable[str]:
        """Yields the notes of dice, cards and numbers under a heading, each with its number."""
        notes = self.blocks.notes.taken
        if notes:
            yield heading(1, self.blocks.furniture.say("page.mechanics"))
        for note in notes:
            yield f"<p>({note.number}) {' · '.join(map(self.mechanic, note.mechanics))}</p>"

    def mechanic(self, mechanic: Mechanic) -> str:
        """Returns a mechanic as HTML text, with its source of luck, such as `[dealt]` behind a roll."""
        return line(self.blocks.furniture.line(mechanic))


def line(text: str) -> str:
    """Returns text joined to one line and escaped."""
    return escape(safe.line(text).strip(), quote=False)


def paragraphs(text: str) -> str:
    """Returns typed text as `<p>` elements, with line ends as line breaks."""
    shown = (escape(part, quote=False).replace("\n", "<br>\n") for part in emphasis.paragraphs(text))
    return "\n".join(f"<p>{emphasis.shown(paragraph, emphasis.HTML)}</p>" for paragraph in shown)


def heading(level: int, text: str) -> str:
    """Returns a heading; level 0, the document's title, is `<h1>`."""
    number = min(level + 1, DEEPEST)
    return f"<h{number}>{line(text)}</h{number}>"


def quoted(inside: str) -> Iterable[str]:
    """Returns HTML lines as a quotation."""
    return "<blockquote>", inside, "</blockquote>"


def mark(note: int | None) -> str:
    """Returns a note's number in brackets, `(3)`; empty for None."""
    return "" if note is None else f" ({note})"
