"""Colours of names on pages, made lighter or darker where they could not be read on the page's background."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from projections.document import Transcript

CONTRAST: Final = 4.5
"""Least contrast between text and background, from the guidelines for accessible pages (WCAG 2)."""

LIGHT, DARK = "#f4efe5", "#23211d"
"""Background colours of pages in light and in dark mode; where pages differ, the one with less contrast."""

_PARTS: Final = 64
"""Number of steps in which a colour is mixed."""


def readable(colour: str, paper: str) -> str:
    """Returns a colour that has at least CONTRAST on `paper`: mixed with black or white if needed."""
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
"""Luminance of a background on which black and white have the same contrast."""


def contrast(text: Iterable[int], paper: Iterable[int]) -> float:
    """Returns the contrast of two colours, from 1 to 21; each has red, green and blue from 0 to 255."""
    darker, lighter = sorted((_luminance(text), _luminance(paper)))
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
