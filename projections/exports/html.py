"""HTML export: a single file without external resources, styled for light and dark screens and for print."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from retold.projections.exports import colours, page_elements
from retold.projections.exports.page_elements import MechanicsPlace
from retold.projections.prose.phrases import Phrases
from retold.projections.story.document import Transcript
from retold.projections.texts import templates

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATE: Final = "page.html.j2"


def render(transcript: Transcript, place: MechanicsPlace) -> bytes:
    """Returns the transcript as an HTML page in UTF-8."""
    return templates.filled(environment().get_template(TEMPLATE), **told(transcript, place))


def told(
    transcript: Transcript, place: MechanicsPlace, named: Callable[[str], str] = str, pictures: str = ""
) -> dict[str, object]:
    """Returns the variables of the page template; other parameters as in `HtmlWriter`."""
    tints = colours.colours_of(transcript)
    written = writing(place, transcript.phrases, named, pictures, tints)
    return {"transcript": transcript, "coloured": colours.rules(tints.values()), **written}


def writing(
    place: MechanicsPlace,
    phrases: Phrases,
    named: Callable[[str], str] = str,
    pictures: str = "",
    tints: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, object]:
    """Returns variables for any template with a story: its `HtmlWriter` and the standard texts."""
    from retold.projections.exports.markup import HtmlWriter  # noqa: PLC0415 -- it needs what comes with jinja2

    writer = HtmlWriter(place, phrases, named, pictures, tints)
    return {"writer": writer, "layout": page_elements, "furniture": writer.blocks.furniture}


def style() -> bytes:
    """Returns the CSS of an HTML export without pictures."""
    return (Path(__file__).parent / "page.css").read_bytes()


def style_of_pictures() -> bytes:
    """Returns the CSS of pictures in an HTML export."""
    return (Path(__file__).parent / "pictures.css").read_bytes()


@cache
def environment() -> Environment:
    """Returns the cached Jinja environment of a standalone page, in which names are no links."""
    return filling(str)


def filling(named: Callable[[str], str], *folders: Path) -> Environment:
    """Returns a Jinja environment for page templates, searched in `folders` first, then beside this module.

    Its filter `named` turns names in escaped text into links.
    """
    made = templates.environment(*folders, Path(__file__).parent)
    made.filters["named"] = named
    return made
