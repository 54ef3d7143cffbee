"""Typst, as PDF and DOCX ask it: with the fonts it brings, so that all it sets is the same everywhere.

Where those lack a character, as of Chinese, Japanese or Korean, it takes the fonts of this machine too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Final

from journal.refused import Refused

if TYPE_CHECKING:
    from typst import Compiler, Fonts

STANDARD: Final = "ua-1"
"""PDF/UA-1: tagged throughout, so that it can be read out; Typst refuses to make one that is not."""

_UNSHOWN: Final = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
_ESCAPED: Final = re.compile(r"\\u\{([0-9a-f]+)\}")
_ASCII: Final = 0x80


def pdf(source: bytes, inputs: Mapping[str, str], date: datetime | None = None) -> bytes | set[str]:
    """A PDF of a Typst source; or the characters in it that no font has. Refused if Typst can make none."""
    made = _pdf(source, inputs, date, _fonts())
    return made if isinstance(made, bytes) else _pdf(source, inputs, date, _fonts_of_this_machine())


def _pdf(source: bytes, inputs: Mapping[str, str], date: datetime | None, fonts: Fonts) -> bytes | set[str]:
    import typst  # noqa: PLC0415 -- an extra

    try:
        made = _compiler(source, inputs, fonts).compile(format="pdf", pdf_standards=STANDARD, timestamp=date)
    except typst.TypstError as error:
        if missing := _unshown(error.diagnostic):
            return missing
        raise Refused(f"Typst can set no PDF of this: {error.message}.") from None
    assert isinstance(made, bytes)  # noqa: S101 -- several files are for pictures
    return made


def png(source: bytes, inputs: Mapping[str, str], ppi: float) -> bytes:
    """A PNG of the one page of a Typst source, with so many pixels to the inch."""
    fonts = _fonts_of_this_machine() if _lacks_letters(source, inputs) else _fonts()
    made = _compiler(source, inputs, fonts).compile(format="png", ppi=ppi)
    assert isinstance(made, bytes)  # noqa: S101 -- there is one page
    return made


def _lacks_letters(source: bytes, inputs: Mapping[str, str]) -> bool:
    """True if the fonts Typst brings lack a character of it: a PNG would leave that out in silence."""
    try:
        return not isinstance(_pdf(source, inputs, None, _fonts()), bytes)
    except Refused:
        return False


def spelling(missing: Collection[str]) -> Callable[[str], str]:
    """How a text is written where these characters have no font: each of them by its number."""
    numbers = {ord(one): f"⟦U+{ord(one):04X}⟧" for one in missing}
    return lambda text: text.translate(numbers)


def _compiler(source: bytes, inputs: Mapping[str, str], fonts: Fonts) -> Compiler:
    import typst  # noqa: PLC0415 -- an extra

    return typst.Compiler(source, font_paths=fonts, ignore_system_fonts=True, sys_inputs=dict(inputs))


@cache
def _fonts() -> Fonts:
    import typst  # noqa: PLC0415 -- an extra

    return typst.Fonts(include_system_fonts=False)


@cache
def _fonts_of_this_machine() -> Fonts:
    import typst  # noqa: PLC0415 -- an extra

    return typst.Fonts(include_system_fonts=True)


def _unshown(diagnostic: str) -> set[str]:
    texts = (_ESCAPED.sub(lambda code: chr(int(code[1], 16)), one) for one in _UNSHOWN.findall(diagnostic))
    return {character for text in texts for character in text if ord(character) >= _ASCII}
