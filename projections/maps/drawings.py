"""The ways to draw a map: a picture in, text out; one explicit list of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from projections.maps import graphs
from projections.maps.picture import Picture
from projections.maps.svg import svg
from projections.maps.terminal import ASCII, drawn


class Drawing(Struct, frozen=True):
    """One way of drawing; `suffix` is what its files end in."""

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
        Drawing("dot", ".dot", graphs.dot),
        Drawing("mermaid", ".mmd", graphs.mermaid),
        Drawing("canvas", ".canvas", graphs.canvas),
        Drawing("text", ".txt", _text),
        Drawing("ascii", ".asc", _ascii),
    )
}
"""Every way of drawing by its name."""
