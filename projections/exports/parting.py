"""Lines told from where they part: in HTML side by side, in Markdown one after the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from projections import safe
from projections.exports import layout
from projections.exports.html import environment
from projections.exports.layout import Notes, Place
from projections.exports.markdown import Writer, on_a_line, quoted, told
from projections.pages import Paragraph
from projections.parting import Parting, Side

TEMPLATE: Final = "parting.html.j2"


def markdown(parting: Parting, place: Place) -> bytes:
    """The lines one after the other, then a table of what each changed; in UTF-8."""
    writer = Writer(place)
    shown = parting.without_mechanics() if place is Place.NONE else parting
    return ("\n".join(_document(shown, writer)).rstrip("\n") + "\n").encode()


def html(parting: Parting, place: Place) -> bytes:
    """The lines in columns, one under the other on a phone and on paper, and the table; in UTF-8."""
    page = (
        environment()
        .get_template(TEMPLATE)
        .render(
            parting=parting.without_mechanics() if place is Place.NONE else parting,
            place=place,
            notes=Notes(),
            layout=layout,
            Place=Place,
            leads=leads,
            parted=parted,
        )
    )
    return (page.rstrip("\n") + "\n").encode()


STORIES: Final[Mapping[str, Callable[[Parting, Place], bytes]]] = {
    ".md": markdown,
    ".html": html,
    ".htm": html,
}
"""How a file is written, by its ending."""


def parted(parting: Parting) -> str:
    """Where they part, on one line."""
    where = f" in “{parting.where}”" if parting.where else ""
    they = "They part" if parting.words is not None else "They part before anything is told"
    return " · ".join(part for part in (parting.campaign, f"{they}{where}") if part)


def leads(side: Side) -> str:
    """Why a line leaves, and which, if not all at once; empty where there is nothing to say."""
    leaves = f"It leaves {side.leaves}" if side.leaves else ""
    return ": ".join(part for part in (leaves, side.why) if part)


def _document(parting: Parting, writer: Writer) -> Iterator[str]:
    yield from _properties(parting)
    yield from (f"# {on_a_line(parting.title)}", "", f"*{on_a_line(parted(parting))}*", "")
    yield from _words(parting.words)
    for side in parting.sides:
        yield from (f"## {on_a_line(side.name)}", "")
        if leads(side):
            yield from (f"*{on_a_line(leads(side))}*", "")
        yield from _words(side.words)
        yield from writer.scenes(side.told.scenes, "###")
    yield from _changed(parting)
    yield from writer.collected()


def _properties(parting: Parting) -> Iterator[str]:
    first = parting.sides[0].told
    pairs: dict[str, object] = {
        "campaign": parting.campaign,
        "lines": [side.name for side in parting.sides],
        "voice": first.voice,
        "for": first.viewer,
    }
    yield "---"
    for key, value in pairs.items():
        if value is not None:
            yield f"{key}: {safe.in_json(json.dumps(value, ensure_ascii=False))}"
    yield from ("---", "")


def _words(words: Paragraph | None) -> Iterator[str]:
    if words is not None:
        yield from quoted(told(words))


def _changed(parting: Parting) -> Iterator[str]:
    if not parting.changed:
        return
    columns = ("", "where they part", *(on_a_line(side.name) for side in parting.sides))
    yield from ("## What each changed", "", _row(columns), "|---" * len(columns) + "|")
    for one in parting.changed:
        yield _row(map(on_a_line, (one.about, one.was, *one.now)))
    yield ""


def _row(cells: Iterator[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"
