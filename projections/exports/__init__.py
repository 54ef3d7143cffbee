"""The formats: a transcript in, bytes out; one explicit list of them, and of where mechanics may stand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from journal.refused import Refused
from projections.exports import html, json, markdown, text
from projections.exports.layout import Place
from projections.pages import Transcript

MECHANICS = tuple(Place)
"""Where mechanics may stand, in every format."""


@dataclass(frozen=True, slots=True)
class Export:
    """One format. `folds` says how it shows what is folded."""

    name: str
    suffix: str
    media: str
    folds: str
    render: Callable[[Transcript, Place], bytes]


EXPORTS: Mapping[str, Export] = {
    export.name: export
    for export in (
        Export("markdown", ".md", "text/markdown", "a closed callout under the paragraph", markdown.render),
        Export("html", ".html", "text/html", "a closed block under the paragraph", html.render),
        Export("text", ".txt", "text/plain", "an indented block under the paragraph", text.render),
        Export("json", ".json", "application/json", "with each paragraph, as everywhere", json.render),
    )
}
"""Every format by its name."""


def export(name: str, transcript: Transcript, mechanics: str = Place.FOLDED) -> bytes:
    """The transcript in a format, its mechanics where they are wanted; Refused for one there is not."""
    if name not in EXPORTS:
        raise Refused(f"There is no format {name}. There are: {', '.join(EXPORTS)}.")
    if mechanics not in tuple(Place):
        raise Refused(f"Mechanics stand {', '.join(MECHANICS)}, not {mechanics}.")
    place = Place(mechanics)
    told = transcript.without_mechanics() if place is Place.NONE else transcript
    return EXPORTS[name].render(told, place)
