"""Colours of speakers in a transcript, and their CSS."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from retold.projections.story.document import Transcript
from retold.projections.texts.tints import DARK, LIGHT, readable


def colours_of(transcript: Transcript) -> dict[str, str]:
    """Returns the tints of a transcript's characters, by name."""
    return {member.name: member.colour for member in transcript.cast if member.colour is not None}


def shades(transcript: Transcript) -> dict[str, tuple[str, str]]:
    """Returns the readable tints of a transcript's characters by name: on light and on dark paper."""
    chosen = colours_of(transcript).items()
    return {name: (readable(colour, LIGHT), readable(colour, DARK)) for name, colour in chosen}


def class_name(colour: str) -> str:
    """Returns the CSS class of paragraphs with this tint: `c-7a2e1d`."""
    return f"c-{colour.removeprefix('#')}"


def rules(colours: Iterable[str]) -> str:
    """Returns the CSS rules for labels with these tints: in light mode, in dark mode and in print."""
    return "".join(_rules(sorted(set(colours))))


def _rules(colours: Iterable[str]) -> Iterator[str]:
    for colour in colours:
        light, dark = readable(colour, LIGHT), readable(colour, DARK)
        yield f".{class_name(colour)} .label {{ color: {light}; }}\n"
        yield f"@media (prefers-color-scheme: dark) {{ .{class_name(colour)} .label {{ color: {dark}; }} }}\n"
        yield f"@media print {{ .{class_name(colour)} .label {{ color: {readable(colour, '#ffffff')}; }} }}\n"
