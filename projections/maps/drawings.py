"""Formats of map files: GraphViz, Mermaid, JSON Canvas, SVG and text; `DRAWINGS` lists them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from retold.projections.maps.fitting import Rect, fitted
from retold.projections.maps.picture import Line, Picture, Spot
from retold.projections.maps.svg import svg
from retold.projections.maps.terminal import ASCII, drawn
from retold.projections.texts import safe
from retold.projections.texts.markdown_escaping import on_a_line

FRESH: Final = "▸"
INCHES: Final = 2.2
"""Length of a border in GraphViz (neato), in inches."""

CANVAS_SCALE: Final = 1.6
"""Ratio of Obsidian's font size to that of our pictures."""

DASHED: Final = "style=dashed, color=firebrick, fontcolor=firebrick"


def _people(spot: Spot) -> tuple[str, ...]:
    return tuple(f"{FRESH} {figure.name}" if figure.fresh else figure.name for figure in spot.people)


def _drawable(picture: Picture) -> Iterator[tuple[int, int, str]]:
    """Yields moves between two zones of the map: index of start zone, of end zone, people's names."""
    for move in picture.moves:
        if move.start is not None and move.end is not None:
            yield move.start, move.end, ", ".join(move.people)


# --- GraphViz ---------------------------------------------------------------------------------------------


def dot(picture: Picture) -> str:
    """Returns the map as GraphViz source; `neato` keeps zones at the positions of our own pictures."""
    title = _dot(picture.title, *picture.beyond())
    lines = [
        "graph map {",
        f"  graph [layout=neato, overlap=false, splines=true, label={title}];",
        '  node [shape=box, style=rounded, fontname="Helvetica"];',
        '  edge [fontname="Helvetica"];',
    ]
    for number, spot in enumerate(picture.spots, 1):
        place = f"{spot.x * INCHES:.2f},{-spot.y * INCHES:.2f}!"
        lines.append(f'  z{number} [label={_dot(spot.name, *_people(spot))}, pos="{place}"];')
    lines += [
        f"  z{line.one + 1} -- z{line.other + 1} [label={_dot(picture.passing(line))}];"
        for line in picture.lines
    ]
    lines += [
        f"  z{start + 1} -- z{end + 1} [dir=forward, {DASHED}, label={_dot(people)}];"
        for start, end, people in _drawable(picture)
    ]
    return "\n".join((*lines, "}", ""))


def _dot(*lines: str) -> str:
    """Returns a quoted GraphViz label of several text lines, with escapes and entities neutralised."""
    escaped = (line.replace("\\", "\\\\").replace("&", "&amp;").replace('"', '\\"') for line in lines if line)
    return '"' + "\\n".join(escaped) + '"'


# --- Mermaid ----------------------------------------------------------------------------------------------

_MARKUP: Final = re.compile(r"[!-+\--/:-@\[-`{-~]")


def mermaid(picture: Picture) -> str:
    """Returns the map as a Mermaid flowchart; Mermaid computes its own layout."""
    lines = ["---", f"title: {json.dumps(picture.title)}", "---", "flowchart LR"]
    lines += [
        f'  z{number}["{_br(spot.name, *_people(spot))}"]' for number, spot in enumerate(picture.spots, 1)
    ]
    lines += [
        f'  z{line.one + 1} ---|"{_br(picture.passing(line))}"| z{line.other + 1}' for line in picture.lines
    ]
    lines += [f'  z{start + 1} -.->|"{_br(people)}"| z{end + 1}' for start, end, people in _drawable(picture)]
    if beyond := tuple(picture.beyond()):
        lines.append(f'  beyond["{_br(*beyond)}"]')
    return "\n".join((*lines, ""))


def _br(*lines: str) -> str:
    """Returns a Mermaid label of several text lines; punctuation becomes character codes, against markup."""
    return "<br>".join(_MARKUP.sub(lambda found: f"#{ord(found[0])};", line) or " " for line in lines)


# --- JSON Canvas ------------------------------------------------------------------------------------------


def canvas(picture: Picture) -> str:
    """Returns the map as JSON Canvas 1.0, a text node for each zone, at the positions of our own pictures."""
    places = [Rect(*(number * CANVAS_SCALE for number in card.place)) for card in fitted(picture).cards]
    nodes = [
        _node(f"z{number}", place, "\n".join((f"**{on_a_line(spot.name)}**", *_items(spot))))
        for number, (spot, place) in enumerate(zip(picture.spots, places, strict=True), 1)
    ]
    if beyond := tuple(picture.beyond()):
        below = max((place.y + place.height for place in places), default=0.0) + 60
        place = Rect(0, below, 480, 60 * len(beyond))
        nodes.append(_node("beyond", place, "\n\n".join(map(on_a_line, beyond))))
    edges = [_border(number, line, picture, places) for number, line in enumerate(picture.lines, 1)]
    edges += [
        {**_edge(f"m{number}", start, end, places), "toEnd": "arrow", "color": "1", "label": people}
        for number, (start, end, people) in enumerate(_drawable(picture), 1)
    ]
    return safe.in_json(json.dumps({"nodes": nodes, "edges": edges}, ensure_ascii=False, indent=1)) + "\n"


def _items(spot: Spot) -> Iterator[str]:
    for person in _people(spot):
        yield f"- {on_a_line(person)}"


def _node(id_: str, place: Rect, text: str) -> dict[str, Any]:
    x, y, width, height = map(round, place)
    return {"id": id_, "type": "text", "x": x, "y": y, "width": width, "height": height, "text": text}


def _border(number: int, line: Line, picture: Picture, places: list[Rect]) -> dict[str, Any]:
    edge = _edge(f"b{number}", line.one, line.other, places)
    return {**edge, "toEnd": "none", "label": picture.passing(line)}


def _edge(id_: str, start: int, other: int, places: list[Rect]) -> dict[str, Any]:
    sides = _sides(places[start], places[other])
    return {
        "id": id_,
        "fromNode": f"z{start + 1}",
        "fromSide": sides[0],
        "toNode": f"z{other + 1}",
        "toSide": sides[1],
    }


def _sides(start: Rect, other: Rect) -> tuple[str, str]:
    """Returns facing sides of two nodes: `right` of the first, `left` of the second."""
    across, down = other.centre[0] - start.centre[0], other.centre[1] - start.centre[1]
    if abs(across) >= abs(down):
        return ("right", "left") if across > 0 else ("left", "right")
    return ("bottom", "top") if down > 0 else ("top", "bottom")


class Drawing(Struct, frozen=True):
    """Map format: name, file extension (`suffix`), and function that draws it."""

    name: str
    suffix: str
    draw: Callable[[Picture], str]


def _text(picture: Picture) -> str:
    return "\n".join((*drawn(picture), ""))


def _ascii(picture: Picture) -> str:
    return "\n".join((*drawn(picture, signs=ASCII), ""))


DRAWINGS: Mapping[str, Drawing] = {
    drawing.name: drawing
    for drawing in (
        Drawing("svg", ".svg", svg),
        Drawing("dot", ".dot", dot),
        Drawing("mermaid", ".mmd", mermaid),
        Drawing("canvas", ".canvas", canvas),
        Drawing("text", ".txt", _text),
        Drawing("ascii", ".asc", _ascii),
    )
}
"""Map formats by name."""
