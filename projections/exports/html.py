"""A transcript as one HTML file that asks nobody for anything: light and dark, on screen and on paper."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from projections import safe
from projections.exports import layout
from projections.exports.layout import Notes, Place
from projections.pages import Transcript

if TYPE_CHECKING:
    from jinja2 import Template

TEMPLATE: Final = "page.html.j2"


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript in UTF-8."""
    anchors = {
        paragraph.id
        for scene in transcript.scenes
        for passage in scene.passages
        for paragraph in passage.paragraphs
    }
    page = _template().render(
        transcript=transcript, place=place, notes=Notes(), layout=layout, Place=Place, anchors=anchors
    )
    return (page.rstrip("\n") + "\n").encode()


@cache
def _template() -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415 -- only HTML needs it

    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["shown"] = safe.text
    environment.filters["line"] = safe.line
    return environment.get_template(TEMPLATE)
