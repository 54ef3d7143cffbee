"""HTML export: a single file without external resources, for light, dark and print."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from projections import templates
from projections.document import Transcript
from projections.exports import page_elements
from projections.exports.page_elements import Furniture, MechanicsPlace
from projections.prose.phrases import Phrases

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATE: Final = "page.html.j2"


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Transcript as an HTML page in UTF-8."""
    page = environment().get_template(TEMPLATE).render(told(transcript, place))
    return (page.rstrip("\n") + "\n").encode()


def told(
    transcript: Transcript, place: MechanicsPlace, named: Callable[[str], str] = str
) -> dict[str, object]:
    """Variables for the page template; `named` adds links at names."""
    return {"transcript": transcript, **writing(place, transcript.phrases, named)}


def writing(place: MechanicsPlace, phrases: Phrases, named: Callable[[str], str] = str) -> dict[str, object]:
    """Variables for a template with stories: their writer, and the standard texts of a document."""
    from projections.exports.markup import HtmlWriter  # noqa: PLC0415 -- it needs what comes with jinja2

    return {
        "writer": HtmlWriter(place, phrases, named),
        "place": place,
        "Place": MechanicsPlace,
        "layout": page_elements,
        "furniture": Furniture(phrases),
    }


def style() -> bytes:
    """The style sheet of a page."""
    return (Path(__file__).parent / "page.css").read_bytes()


@cache
def environment() -> Environment:
    """Jinja environment for a standalone page, without links at names."""
    return filling(str)


def filling(named: Callable[[str], str], *folders: Path) -> Environment:
    """Jinja environment for page templates; its filter `named` adds links at names to escaped text."""
    made = templates.environment(*folders, Path(__file__).parent)
    made.filters["named"] = named
    return made
