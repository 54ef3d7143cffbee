"""How long a text gets when it is set in a typeface nobody knows yet, and where it is cut."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

ELLIPSIS: Final = "…"

# Parts of the size, as wide as the wider of the usual faces (DejaVu Sans, Liberation Sans) sets them.
_THIN, _SLIM, _CAPITAL, _BROAD, _BROADEST, _OTHER, _PICTOGRAPH = 0.41, 0.57, 0.8, 0.88, 1.02, 1.1, 1.3
_SMALL: Final = 0.65
_BOLD: Final = 1.12
_SIZES: Final = {
    **dict.fromkeys(" !'(),-./:;I[\\]ijl|ft", _THIN),
    **dict.fromkeys('"*_`rsJ', _SLIM),
    **dict.fromkeys("#+<=>^~Mw", _BROAD),
    **dict.fromkeys("@Wm%", _BROADEST),
    **dict.fromkeys("ABCDEFGHKLNOPQRSTUVXYZ&", _CAPITAL),
}


def length(text: str, size: float, *, bold: bool = False) -> float:
    """How long the text is at most, in the unit of `size`, in any face but an unusually wide one."""
    return sum(map(_part, unicodedata.normalize("NFD", text))) * size * (_BOLD if bold else 1)


@lru_cache(maxsize=4096)
def _part(letter: str) -> float:
    if letter.isascii():
        return _SIZES.get(letter, _SMALL)
    category = unicodedata.category(letter)
    if category in ("Mn", "Me", "Cf"):
        return 0.0
    return _PICTOGRAPH if category == "So" else _OTHER


def shortened(text: str, room: float, size: float, *, bold: bool = False) -> str:
    """As much of the text as fits the room, with an ellipsis for the rest."""
    if length(text, size, bold=bold) <= room:
        return text
    room -= length(ELLIPSIS, size, bold=bold)
    kept = ""
    for letter in text:
        if length(kept + letter, size, bold=bold) > room:
            break
        kept += letter
    return kept.rstrip() + ELLIPSIS


def folded(text: str, room: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """The text on two lines at most, broken at a blank, the last with an ellipsis if it must."""
    words = text.split(" ")
    firsts = (" ".join(words[:number]) for number in range(len(words) - 1, 0, -1))
    first = next((one for one in firsts if length(one, size, bold=bold) <= room), "")
    if not first or length(text, size, bold=bold) <= room:
        return (shortened(text, room, size, bold=bold),)
    return first, shortened(text[len(first) + 1 :], room, size, bold=bold)
