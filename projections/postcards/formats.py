"""The formats of a card: an SVG, a PNG that Typst makes of it, and a page with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from journal.refused import Refused
from projections import templates
from projections.exports.extras import TYPST
from projections.postcards.svg import svg
from projections.postcards.value import Postcard

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATE: Final = "page.html.j2"
PPI: Final = 96.0
"""Pixels to the inch: as many as the SVG says it has."""


def check_format(name: str) -> None:
    """Refused for what is no format of a card, and for one whose extra is not installed."""
    if name not in FORMATS:
        raise Refused(f"A card of a moment is {', '.join(FORMATS)}, not {name}.")
    if name == "png":
        TYPST.require("PNG")


def rendered(one: Postcard, format_: str) -> bytes:
    """The card in a format; Refused as `check_format` does."""
    check_format(format_)
    return FORMATS[format_](one)


def _svg(one: Postcard) -> bytes:
    return svg(one).encode()


def _png(one: Postcard) -> bytes:
    """What no font has is written by its number."""
    from projections.exports import plates  # noqa: PLC0415 -- a card is drawn more often than set

    return plates.pictured(lambda spell: svg(one.spelled(spell), printed=True), PPI).png


def _html(one: Postcard) -> bytes:
    from markupsafe import Markup  # noqa: PLC0415 -- it comes with jinja2

    drawn = Markup(svg(one))  # noqa: S704 -- its template escapes what was typed
    told = " ".join(" ".join(one.told()).split())
    return _template().render(card=one, drawn=drawn, told=told).encode()


FORMATS: Final[Mapping[str, Callable[[Postcard], bytes]]] = {"svg": _svg, "png": _png, "html": _html}
"""Every format of a card by its name, which is the ending of its files too."""


@cache
def _template() -> Template:
    return templates.environment(Path(__file__).parent).get_template(TEMPLATE)
