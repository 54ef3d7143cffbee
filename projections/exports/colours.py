"""Colours of names on pages: made lighter or darker until they can be read on the page's paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from projections.document import Transcript

CONTRAST: Final = 4.5
"""Least contrast between text and paper, as the guidelines for accessible pages (WCAG 2) demand for text."""

LIGHT, DARK = "#f4efe5", "#23211d"
"""Paper of the pages in light and in dark surroundings: the darkest light one, and the lightest dark one."""

_PARTS: Final = 64


def readable(colour: str, paper: str) -> str:
    """Returns a colour with at least CONTRAST on `paper`: itself, or mixed with black or white."""
    end = (0, 0, 0) if _luminance(_rgb(paper)) > _MIDDLE else (255, 255, 255)
    own = _rgb(colour)
    for part in range(_PARTS + 1):
        mixed = tuple(
            round(value + (other - value) * part / _PARTS) for value, other in zip(own, end, strict=True)
        )
        if contrast(mixed, _rgb(paper)) >= CONTRAST:
            return "#" + "".join(f"{value:02x}" for value in mixed)
    return "#" + "".join(f"{value:02x}" for value in end)


_MIDDLE: Final = 0.18
"""Luminance on which black and white can be read equally well."""


def contrast(one: Iterable[int], other: Iterable[int]) -> float:
    """Returns the contrast of two colours, given as red, green and blue from 0 to 255: from 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour.removeprefix("#")))


def _luminance(colour: Iterable[int]) -> float:
    parts = (value / 255 for value in colour)
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4  # noqa: PLR2004 -- of sRGB
        for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def colours_of(transcript: Transcript) -> dict[str, str]:
    """Returns the chosen colours of a transcript's characters, by name."""
    return {member.name: member.colour for member in transcript.cast if member.colour is not None}


def shades(transcript: Transcript) -> dict[str, tuple[str, str]]:
    """Returns the colours of a transcript's characters by name, on light and on dark paper."""
    chosen = colours_of(transcript).items()
    return {name: (readable(colour, LIGHT), readable(colour, DARK)) for name, colour in chosen}


def named(colour: str) -> str:
    """Returns the class of what has this colour on a page."""
    return f"c-{colour.removeprefix('#')}"


def rules(colours: Iterable[str]) -> str:
    """Returns the style rules for the labels of these colours, in light and in dark surroundings."""
    return "".join(_rules(sorted(set(colours))))


def _rules(colours: Iterable[str]) -> Iterator[str]:
    for colour in colours:
        light, dark = readable(colour, LIGHT), readable(colour, DARK)
        yield f".{named(colour)} .label {{ color: {light}; }}\n"
        yield f"@media (prefers-color-scheme: dark) {{ .{named(colour)} .label {{ color: {dark}; }} }}\n"
        yield f"@media print {{ .{named(colour)} .label {{ color: {readable(colour, '#ffffff')}; }} }}\n"
