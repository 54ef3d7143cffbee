"""A transcript as PDF: tagged pages of A5, set by Typst; to it all that was typed is data, never markup."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from journal.refused import Refused
from projections.exports import layout
from projections.exports.layout import Place
from projections.exports.pdf.data import data
from projections.pages import Transcript

if TYPE_CHECKING:
    from typst import Fonts

MEDIA: Final = "application/pdf"
PAGE: Final = Path(__file__).with_name("page.typ")
STANDARD: Final = "ua-1"
"""PDF/UA-1: tagged throughout, so that it can be read out; Typst refuses to make one that is not."""

_UNSHOWN: Final = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
_ESCAPED: Final = re.compile(r"\\u\{([0-9a-f]+)\}")
_ASCII: Final = 0x80
_ATTEMPTS: Final = 4
_NAMED: Final = 12


def render(transcript: Transcript, place: Place) -> bytes:
    """The transcript as a PDF in the fonts Typst brings, the same on every machine.

    A character that none of them has is shown by its number, and a sentence at the end names it: to refuse
    would cost somebody an evening for one picture in it, and a font of this machine would not be on the next.
    Refused if Typst can make no such PDF.
    """
    told = data(transcript, place)
    date = datetime.fromisoformat(layout.played(transcript)).replace(tzinfo=UTC)
    missing: set[str] = set()
    for _ in range(_ATTEMPTS):
        found = _set(_shown(told, missing), date)
        if isinstance(found, bytes):
            return found
        missing |= found
    raise Refused(f"No PDF can be set of this: no font here shows {_names(missing)}.")


def _set(told: str, date: datetime) -> bytes | set[str]:
    """The PDF of this data; or the characters that no font has."""
    import typst  # noqa: PLC0415 -- an extra

    compiler = typst.Compiler(
        PAGE.read_bytes(), font_paths=_fonts(), ignore_system_fonts=True, sys_inputs={"transcript": told}
    )
    try:
        pages = compiler.compile(format="pdf", pdf_standards=STANDARD, timestamp=date)
    except typst.TypstError as error:
        if missing := _unshown(error.diagnostic):
            return missing
        raise Refused(f"Typst can set no PDF of this: {error.message}.") from None
    assert isinstance(pages, bytes)  # noqa: S101 -- several files are for pictures
    return pages


@cache
def _fonts() -> Fonts:
    import typst  # noqa: PLC0415 -- an extra

    return typst.Fonts(include_system_fonts=False)


def _unshown(diagnostic: str) -> set[str]:
    texts = (_ESCAPED.sub(lambda code: chr(int(code[1], 16)), one) for one in _UNSHOWN.findall(diagnostic))
    return {character for text in texts for character in text if ord(character) >= _ASCII}


def _shown(told: dict[str, Any], missing: set[str]) -> str:
    """The data as JSON, its characters that no font has replaced by their numbers."""
    if missing:
        names = _names(missing)
        told = {**told, "unshown": f"No font of this PDF has these characters, shown by number: {names}."}
    numbers = {ord(one): f"⟦U+{ord(one):04X}⟧" for one in missing}
    return json.dumps(told, ensure_ascii=False).translate(numbers)


def _names(characters: Iterable[str]) -> str:
    """Characters by their numbers and names, the first dozen of them."""
    known = sorted(characters)
    named = [f"U+{ord(one):04X} {unicodedata.name(one, '').lower()}".strip() for one in known[:_NAMED]]
    if len(known) > _NAMED:
        named.append(f"{len(known) - _NAMED} more")
    return ", ".join(named)
