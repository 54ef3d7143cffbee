"""Colours of names on pages, made lighter or darker where they could not be read on the page's background."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

CONTRAST: Final = 4.5
"""Least contrast between text and background, from the guidelines for accessible pages (WCAG 2)."""

LIGHT, DARK = "#f4efe5", "#2a2823"
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
