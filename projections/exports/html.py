"""HTML export: a single file without external resources, for light, dark and print."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from projections import templates
from projections.document import Plate, Transcript, Variation
from projections.exports import page_elements
from projections.exports.page_elements import Furniture, MechanicsPlace, Notes
from projections.maps.svg import svg

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATE: Final = "page.html.j2"


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Transcript as an HTML page in UTF-8."""
    page = environment().get_template(TEMPLATE).render(told(transcript, place))
    return (page.rstrip("\n") + "\n").encode()


def told(transcript: Transcript, place: MechanicsPlace) -> dict[str, object]:
    """Variables for the page template."""
    anchors = {paragraph.id for paragraph in transcript.paragraphs()}
    return {
        "transcript": transcript,
        "place": place,
        "notes": Notes(),
        "layout": page_elements,
        "furniture": Furniture(transcript.phrases),
        "Place": MechanicsPlace,
        "anchors": anchors,
    }


def style() -> bytes:
    """The style sheet of a page."""
    return (Path(__file__).parent / "page.css").read_bytes()


def _drawn(plate: Plate) -> Markup:
    """Map as inline SVG, with unique ids."""
    from markupsafe import Markup  # noqa: PLC0415 -- as below

    return Markup(svg(plate.picture, f"{plate.id}-"))  # noqa: S704 -- its template escapes what was typed


@cache
def environment() -> Environment:
    """Jinja environment for a standalone page, without links at names."""
    return filling(str)


def filling(named: Callable[[str], str], *folders: Path) -> Environment:
    """Jinja environment for page templates, with filters `drawn` and `named` and the test `variation`.

    `named` turns escaped text into markup, with links at names where a page has them.
    """
    made = templates.environment(*folders, Path(__file__).parent)
    made.filters |= {"drawn": _drawn, "named": named}
    made.tests["variation"] = lambda one: isinstance(one, Variation)
    return made
