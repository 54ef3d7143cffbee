"""A transcript as one HTML file that asks nobody for anything: light and dark, on screen and on paper."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from projections import templates
from projections.exports import layout
from projections.exports.layout import Furniture, Notes, Place
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
            transcript=transcript,
            place=place,
            notes=Notes(),
            layout=layout,
            furniture=Furniture(transcript.phrases),
            Place=Place,
            anchors=anchors,
        )
    )
    return (page.rstrip("\n") + "\n").encode()


def _drawn(plate: Plate) -> Markup:
    """A map as an SVG in the page, its ids its own."""
    from markupsafe import Markup  # noqa: PLC0415 -- as below

    return Markup(svg(plate.picture, f"{plate.id}-"))  # noqa: S704 -- its template escapes what was typed


@cache
def environment() -> Environment:
    """What fills the templates: a map is `drawn`, and a `variation` known from a paragraph."""
    filling = templates.environment(Path(__file__).parent)
    filling.filters["drawn"] = _drawn
    filling.tests["variation"] = lambda one: isinstance(one, Variation)
    return filling
