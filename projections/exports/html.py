"""A transcript as one HTML file that asks nobody for anything: light and dark, on screen and on paper."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from projections import safe
from projections.exports import layout
from projections.exports.layout import Notes, Place
from projections.maps.svg import svg
from projections.pages import Plate, Transcript, Variation

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATE: Final = "page.html.j2"


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript in UTF-8."""
    anchors = {
        paragraph.id
        for scene in transcript.scenes
        for passage in scene.passages
        for paragraph in passage.paragraphs
    }
    page = (
        environment()
        .get_template(TEMPLATE)
        .render(
            transcript=transcript, place=place, notes=Notes(), layout=layout, Place=Place, anchors=anchors
        )
    )
    return (page.rstrip("\n") + "\n").encode()


def _drawn(plate: Plate) -> Markup:
    """A map as an SVG in the page, its ids its own."""
    from markupsafe import Markup  # noqa: PLC0415 -- as below

    return Markup(svg(plate.picture, f"{plate.id}-"))  # noqa: S704 -- its template escapes what was typed


@cache
def environment() -> Environment:
    """What fills the templates: everything escaped, `shown` and `line` as text that nothing obeys."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 -- only HTML needs it

    filling = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filling.filters["shown"] = safe.text
    filling.filters["line"] = safe.line
    filling.filters["drawn"] = _drawn
    filling.tests["variation"] = lambda one: isinstance(one, Variation)
    return filling
