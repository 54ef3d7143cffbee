"""Pages that compare several branches: columns in HTML, consecutive sections in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from retold.projections.comparison.lines import Parting, Side
from retold.projections.exports.blocks import Told
from retold.projections.exports.html import environment, writing
from retold.projections.exports.markdown import MarkdownWriter, quoted, written
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose.phrases import Phrases
from retold.projections.story.document import Paragraph
from retold.projections.texts.markdown_escaping import on_a_line
from retold.projections.texts.templates import filled

TEMPLATE: Final = "parting.html.j2"


def markdown(parting: Parting, place: MechanicsPlace) -> bytes:
    """Returns the comparison as Markdown in UTF-8: each branch's story and its end, then a table of changes.

    Without mechanics there is no table.
    """
    lines = _document(place.shown(parting).running(), MarkdownWriter(place, _phrases(parting)))
    return ("\n".join(lines).rstrip("\n") + "\n").encode()


def html(parting: Parting, place: MechanicsPlace) -> bytes:
    """Returns the comparison as an HTML page: a column for each branch, then a table of changed values."""
    return filled(
        environment().get_template(TEMPLATE),
        parting=place.shown(parting).running(),
        **writing(place, _phrases(parting)),
        leads=lambda side: leads(side, _phrases(parting)),
        parted=parted,
        title=title,
    )


STORIES: Final[Mapping[str, Callable[[Parting, MechanicsPlace], bytes]]] = {
    ".md": markdown,
    ".html": html,
    ".htm": html,
}
"""Writers by file suffix."""


def _phrases(parting: Parting) -> Phrases:
    return parting.sides[0].told.phrases


def title(parting: Parting) -> str:
    """Returns the page's title: subject and number of branches, or the compared moments of a branch."""
    if parting.about is None:
        return _names(parting)
    return _phrases(parting).say("page.ways", about=parting.about, number=len(parting.sides))


def _names(parting: Parting) -> str:
    return _phrases(parting).say("page.lines", names=parting.names)


def parted(parting: Parting) -> str:
    """Returns the page's subtitle: campaign, names of branches, and the scene of the fork."""
    phrases = _phrases(parting)
    they = phrases.say("page.they-part" if parting.words is not None else "page.they-part-first")
    if parting.where:
        they = phrases.say("page.they-part-in", they=they, scene=parting.where)
    lines = None if parting.about is None else _names(parting)
    campaign = None if parting.campaign == parting.about else parting.campaign
    return " · ".join(part for part in (campaign, lines, they) if part)


def leads(side: Side, phrases: Phrases) -> str:
    """Returns the branch that `side` forks from and the reason for the fork; empty if neither is known."""
    leaves = phrases.say("page.leaves", name=side.leaves) if side.leaves else ""
    return f"{phrases.language.colon} ".join(part for part in (leaves, side.why) if part)


def _document(parting: Parting, writer: MarkdownWriter) -> Iterator[str]:
    yield from (f"# {on_a_line(title(parting))}", "", f"*{on_a_line(parted(parting))}*", "")
    yield from _words(parting.words)
    for side in parting.sides:
        yield from (f"## {on_a_line(side.name)}", "")
        why = leads(side, _phrases(parting))
        if why:
            yield from (f"*{on_a_line(why)}*", "")
        yield from _words(side.words)
        yield from writer.lines(writer.blocks.story(side.told.scenes, 2))
        yield from (f"### {on_a_line(_phrases(parting).say('page.how-it-ended'))}", "")
        yield from (*(f"- {on_a_line(ending)}" for ending in side.ended), "")
    yield from _changed(parting)
    yield from writer.collected()


def _words(words: Paragraph | None) -> Iterator[str]:
    if words is not None:
        yield from quoted(written(Told(words)))


def _changed(parting: Parting) -> Iterator[str]:
    if not parting.changed:
        return
    phrases = _phrases(parting)
    what, where = phrases.say("page.what"), phrases.say("page.where-they-part")
    columns = tuple(map(on_a_line, (what, where, *(side.name for side in parting.sides))))
    heading = on_a_line(phrases.say("page.each-changed"))
    yield from (f"## {heading}", "", _row(columns), "|---" * len(columns) + "|")
    for row in parting.changed:
        yield _row(map(on_a_line, (row.about, row.was, *row.now)))
    yield ""


def _row(cells: Iterator[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
