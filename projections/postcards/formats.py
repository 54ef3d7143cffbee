"""Formats of postcards: SVG, PNG (rendered by Typst) and HTML."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from retold.journal.refused import Refused
from retold.projections.exports import TYPST
from retold.projections.maps.svg import pairs, px
from retold.projections.postcards.fitting import HEIGHT, WIDTH, Text, laid_out
from retold.projections.postcards.value import Postcard
from retold.projections.texts import templates

if TYPE_CHECKING:
    from jinja2 import Template


SVG_TEMPLATE: Final = "postcard.svg.j2"

_SUITS: Final = {
    "H": "M0 11C-14 1-11-10-5.5-10-2-10 0-7 0-5 0-7 2-10 5.5-10 11-10 14 1 0 11Z",
    "D": "M0-12 9 0 0 12-9 0Z",
    "S": "M0-12C4-5 11-1 11 4 11 8 8 9.500 5.500 9.500 3.500 9.500 2 8.500 1.200 7 1.500 9.500 2 11 3.500 12"
    "H-3.500C-2 11-1.500 9.500-1.200 7-2 8.500-3.500 9.500-5.500 9.500-8 9.500-11 8-11 4-11-1-4-5 0-12Z",
    "C": "M0-12A5.200 5.200 0 0 1 4.300-3.800 5.200 5.200 0 1 1 1.300 4.600C1.500 8 2 10.500 3.500 12H-3.500"
    "C-2 10.500-1.500 8-1.300 4.600A5.200 5.200 0 1 1-4.300-3.800 5.200 5.200 0 0 1 0-12Z",
}
"""SVG paths of suits, 24 high and centred; few fonts have these characters."""

_OTHER_END: Final = {"start": "end", "end": "start", "middle": "middle"}
_RIGHT_TO_LEFT, _ISOLATED_UP_TO = "\u2067", "\u2069"


def draw_svg(postcard: Postcard, *, printed: bool = False) -> str:
    """Returns a postcard as an SVG element, usable as a file or inside a page; deterministic.

    `printed` uses the fonts of Typst.
    """
    drawn = _svg_template().render(
        card=laid_out(postcard),
        title=" ".join(postcard.title.split()),
        desc=" ".join(" ".join(postcard.told()).split()),
        printed=printed,
        width=WIDTH,
        height=HEIGHT,
        suits=_SUITS,
    )
    return drawn.rstrip("\n") + "\n"


# --- how the template writes numbers and lines ------------------------------------------------------------


def _fine(number: float) -> str:
    return f"{number:.3f}"


def _set(line: Text, printed: bool) -> str:
    """Returns SVG attributes of a text line: `direction` for right-to-left text, and `text-anchor` if needed.

    Right-to-left text has its anchor at the other end. Typst (`printed`) ignores direction, so its text lines
    are set as left-to-right.
    """
    turned = line.from_the_right and not printed
    anchor = _OTHER_END[line.anchor] if turned else line.anchor
    attribute = "" if anchor == "start" else f" text-anchor={anchor}"
    return f"{attribute} direction=rtl" if turned else attribute


def _isolated(text: str, line: Text, printed: bool) -> str:
    return f"{_RIGHT_TO_LEFT}{text}{_ISOLATED_UP_TO}" if printed and line.from_the_right else text


@cache
def _svg_template() -> Template:
    from markupsafe import Markup  # noqa: PLC0415 -- it comes with jinja2

    environment = templates.environment(Path(__file__).parent)

    def anchored(line: Text, printed: bool) -> Markup:
        attributes = (part.partition("=") for part in _set(line, printed).split())
        return Markup("").join(Markup(' {}="{}"').format(name, value) for name, _, value in attributes)

    environment.filters |= {"px": px, "fine": _fine, "pairs": pairs, "set": anchored, "isolated": _isolated}
    return environment.get_template(SVG_TEMPLATE)


PAGE_TEMPLATE: Final = "page.html.j2"
PPI: Final = 96.0
"""Pixels per inch, as in the SVG."""


def check_format(name: str) -> None:
    """Raises Refused for an unknown format, and for one whose extra is not installed."""
    if name not in FORMATS:
        raise Refused(f"A card of a moment is {', '.join(FORMATS)}, not {name}.")
    if name == "png":
        TYPST.load("PNG")


def rendered(postcard: Postcard, format_: str) -> bytes:
    """Returns a postcard as bytes of a file in this format.

    Raises Refused for an unknown format, and for one whose extra is not installed.
    """
    check_format(format_)
    return FORMATS[format_](postcard)


def _svg(postcard: Postcard) -> bytes:
    return draw_svg(postcard).encode()


def _png(postcard: Postcard) -> bytes:
    """Returns a PNG rendered by Typst.

    Characters missing from its fonts are replaced by their code points.
    """
    from retold.projections.exports import typesetting  # noqa: PLC0415 -- a card is drawn more often than set

    return typesetting.pictured(lambda spell: draw_svg(postcard.spelled(spell), printed=True), PPI).png


def _html(postcard: Postcard) -> bytes:
    from markupsafe import Markup  # noqa: PLC0415 -- it comes with jinja2

    drawn = Markup(draw_svg(postcard))  # noqa: S704 -- its template escapes what was typed
    description = " ".join(" ".join(postcard.told()).split())
    return _page_template().render(card=postcard, drawn=drawn, told=description).encode()


FORMATS: Final[Mapping[str, Callable[[Postcard], bytes]]] = {"svg": _svg, "png": _png, "html": _html}
"""Renderers by format name, which is also the file extension."""


@cache
def _page_template() -> Template:
    return templates.environment(Path(__file__).parent).get_template(PAGE_TEMPLATE)
