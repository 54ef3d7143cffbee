"""A transcript as one HTML file that asks nobody for anything: light and dark, on screen and on paper."""

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
    """The transcript in UTF-8."""
    page = environment().get_template(TEMPLATE).render(told(transcript, place))
    return (page.rstrip("\n") + "\n").encode()


def told(transcript: Transcript, place: MechanicsPlace) -> dict[str, object]:
    """What the template of a page asks for."""
    anchors = {
        paragraph.id
        for scene in transcript.scenes
        for passage in scene.passages
        for paragraph in passage.paragraphs
    }
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
    """A map as an SVG in the page, its ids its own."""
    from markupsafe import Markup  # noqa: PLC0415 -- as below

    return Markup(svg(plate.picture, f"{plate.id}-"))  # noqa: S704 -- its template escapes what was typed


@cache
def environment() -> Environment:
    """What fills the templates of a page that stands alone: somebody who is `named` there is text."""
    return filling(str)


def filling(named: Callable[[str], str], *folders: Path) -> Environment:
    """What fills these templates and a page's: a map is `drawn`, a `variation` known from a paragraph.

    `named` makes of safe text what stands on the page where somebody may be named in it.
    """
    made = templates.environment(*folders, Path(__file__).parent)
    made.filters |= {"drawn": _drawn, "named": named}
    made.tests["variation"] = lambda one: isinstance(one, Variation)
    return made
