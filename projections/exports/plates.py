"""Maps and cards as Typst draws them: for a PDF as an SVG it can set, else as a PNG."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable
from typing import Final, NamedTuple

from journal.refused import Refused
from projections.exports import typesetting
from projections.exports.extras import TYPST
from projections.maps.picture import Picture
from projections.maps.svg import svg

PPI: Final = 220.0
"""Pixels to the inch: sharp on paper."""

_SHEET: Final = b"""\
#set document(title: "Map")
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", alt: "Map")
"""
_SIZE: Final = slice(16, 24)
"""Where a PNG says how wide and how high it is."""
_ATTEMPTS: Final = 3


Spell = Callable[[str], str]
"""How a text is written where some of its characters have no font."""


class Drawn(NamedTuple):
    """A PNG, and how large it is as drawn, in points."""

    png: bytes
    width: float
    height: float


def drawn(picture: Picture) -> Drawn | None:
    """A map as a PNG, the same on every machine; None where Typst is not installed, or has no font for it."""
    if not TYPST.is_here():
        return None
    return _pictured(lambda spell: svg(picture.spelled(spell), printed=True), PPI)


def pictured(draw: Callable[[Spell], str], ppi: float) -> Drawn:
    """The SVG that `draw` makes, its texts spelled as they are to be, as a PNG; Refused if no font does."""
    made = _pictured(draw, ppi)
    if made is None:
        raise Refused("No font that Typst has here can letter this: take SVG.")
    return made


def _pictured(draw: Callable[[Spell], str], ppi: float) -> Drawn | None:
    missing: set[str] = set()
    for _ in range(_ATTEMPTS):
        drawing = draw(typesetting.spelling(missing))
        found = _missing(drawing)  # for a PNG would leave out in silence what no font has
        if not found:
            return _png(drawing, ppi)
        missing |= found
    return None


def settable(picture: Picture, spell: Spell) -> str:
    """A map as an SVG that Typst can set in a PDF, its texts as `spell` writes them.

    Typst refuses letters with marks of their own in an SVG, as vocalised Hebrew has, though it sets them
    anywhere else: there the letters are part of a picture in the SVG.
    """
    drawing = svg(picture.spelled(spell), printed=True)
    if _missing(drawing) is not None:
        return drawing
    png, width, height = _png(drawing, PPI)
    size = f'width="{width * 96 / 72:.1f}" height="{height * 96 / 72:.1f}"'
    data = base64.b64encode(png).decode()
    image = f'<image {size} href="data:image/png;base64,{data}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{image}</svg>'


def _missing(drawing: str) -> set[str] | None:
    """The characters of an SVG that no font has; None where it can be set in no PDF for another reason."""
    try:
        found = typesetting.pdf(_SHEET, {"svg": drawing})
    except Refused:
        return None
    return found if isinstance(found, set) else set()


def _png(drawing: str, ppi: float) -> Drawn:
    made = typesetting.png(_SHEET, {"svg": drawing}, ppi)
    width, height = struct.unpack(">II", made[_SIZE])
    return Drawn(made, width * 72 / ppi, height * 72 / ppi)
