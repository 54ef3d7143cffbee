"""Typographic cover of an EPUB: the title, the campaign and the day of play, as SVG."""

from __future__ import annotations

from typing import Final

from markupsafe import escape

from retold.projections.exports.page_elements import Furniture
from retold.projections.story.document import Transcript
from retold.projections.texts import safe
from retold.projections.texts.wrapping import cut, width, wrap

COVER: Final = "cover.svg"

WIDTH, HEIGHT = 1600, 2560
"""Pixels, in the ratio that shops for e-books ask for."""

_ROOM: Final = 1240
"""Longest line, in pixels."""
_SIZES: Final = (180, 150, 120, 96, 80)
"""Sizes of the title's letters; the largest with which the title fits on `_LINES` lines is taken."""
_LINES: Final = 5
_LETTER: Final = 0.5
"""Average width of a letter, as a part of its size."""
_SMALL: Final = 64
"""Size of the letters above and below the title."""


_COVER: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">
<title>{title}</title>
<rect width="{width}" height="{height}" fill="#f4efe5"/>
<rect x="70" y="70" width="1460" height="2420" fill="none" stroke="#7a2e1d" stroke-width="4"/>
<g font-family="Georgia, Palatino, serif" fill="#22201c" text-anchor="middle">
{texts}</g>
{rules}</svg>
"""


def cover(transcript: Transcript) -> str:
    """Returns the cover as SVG: title, line above it and line below it; a title too long for it is cut."""
    opening = Furniture(transcript.phrases).opening(transcript)
    size, lines = _title(safe.line(opening.title))
    pitch = size * 1.2
    first = HEIGHT * 0.4 - pitch * (len(lines) - 1) / 2
    columns = _columns(_SMALL)
    above, below = (cut(safe.line(text), columns) for text in (opening.above, opening.below))
    texts = [
        _text(above, first - pitch - _SMALL, _SMALL),
        *(_text(line, first + number * pitch, size) for number, line in enumerate(lines)),
        _text(below, HEIGHT - 360, _SMALL, 'font-style="italic"'),
    ]
    rules = (
        f'<path d="M{WIDTH // 2 - 160} {y}h320" stroke="#7a2e1d" stroke-width="4"/>\n'
        for y in (round(first + len(lines) * pitch), HEIGHT - 480)
    )
    return _COVER.format(
        width=WIDTH,
        height=HEIGHT,
        title=escape(safe.line(transcript.title)),
        texts="".join(filter(None, texts)),
        rules="".join(rules),
    )


def _title(title: str) -> tuple[int, list[str]]:
    """Returns the size of the title's letters, and its lines."""
    for size in _SIZES:
        columns = _columns(size)
        lines = wrap(title, columns).splitlines()
        if len(lines) <= _LINES and max(map(width, title.split()), default=0) <= columns:
            return size, lines
    columns = _columns(_SIZES[-1])
    *lines, last = wrap(title, columns).splitlines()[:_LINES] or [""]
    return _SIZES[-1], [*lines, cut(f"{last} …", columns) if len(lines) == _LINES - 1 else last]


def _columns(size: int) -> int:
    """Returns how many letters of this size a line has."""
    return int(_ROOM / (size * _LETTER))


def _text(text: str, y: float, size: int, look: str = "") -> str:
    if not text:
        return ""
    return f'<text x="{WIDTH // 2}" y="{round(y)}" font-size="{size}" {look}>{escape(text)}</text>\n'
