"""Typst as used by PDF and DOCX, with its own fonts and one of Retold's: the same output everywhere.

Fonts of this machine are used only for characters missing there, such as Chinese, Japanese or Korean.
"""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from retold.journal.refused import Refused, none_if_refused
from retold.projections.exports import TYPST
from retold.projections.maps.picture import Picture
from retold.projections.maps.svg import svg

if TYPE_CHECKING:
    from typst import Compiler, Fonts


STANDARD: Final = "ua-1"
"""PDF/UA-1, which is tagged throughout for screen readers; Typst refuses to write untagged ones."""

_UNSHOWN: Final = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
_ESCAPED: Final = re.compile(r"\\u\{([0-9a-f]+)\}")
_ASCII: Final = 0x80


FONTS: Final = ("Libertinus Serif", "New Computer Modern", "New Computer Modern Math", "DejaVu Sans Mono")
"""Fonts that Typst brings, in the order in which a character is looked for."""

DISPLAY: Final = "Libre Caslon Display"
"""Font of titles, chapter headings and drop caps: Latin letters only."""
FONT_FILES: Final = Path(__file__).with_name("fonts")
"""Folder of the fonts that come with Retold, with their licence."""
DISPLAY_FILE: Final = FONT_FILES / "LibreCaslonDisplay-Regular.otf"

_JAPANESE: Final = ("Noto Serif CJK JP", "Source Han Serif", "Hiragino Mincho ProN", "Yu Mincho", "MS Mincho")
_CHINESE: Final = ("Noto Serif CJK SC", "Source Han Serif SC", "Songti SC", "SimSun")
_TAIWANESE: Final = ("Noto Serif CJK TC", "Source Han Serif TC", "Songti TC", "PMingLiU")
_KOREAN: Final = ("Noto Serif CJK KR", "Source Han Serif K", "AppleMyungjo", "Batang")
_SANS: Final = ("Noto Sans CJK JP", "Noto Sans CJK SC", "Droid Sans Fallback", "WenQuanYi Zen Hei")
_KANA: Final = re.compile("[\u3041-\u30ff\uff66-\uff9f]")
_HANGUL: Final = re.compile("[\u1100-\u11ff\uac00-\ud7a3]")
_HAN: Final = re.compile("[\u2e80-\u303f\u31c0-\u9fff\uf900-\ufaff\uff00-\uffef]")


def fonts_for(text: str, lang: str) -> list[str]:
    """Returns the fonts for a text; each character is set in the first font that has it.

    Chinese, Japanese and Korean share characters, but draw them differently. The fonts of the text's own
    language come first: that of `lang`, else the one its characters suggest.
    """
    if not (_HAN.search(text) or _HANGUL.search(text) or _KANA.search(text)):
        return [*FONTS]
    orders = {
        "ja": (_JAPANESE, _CHINESE, _TAIWANESE, _KOREAN),
        "ko": (_KOREAN, _JAPANESE, _CHINESE, _TAIWANESE),
        "zh": (_CHINESE, _TAIWANESE, _JAPANESE, _KOREAN),
        "zh-tw": (_TAIWANESE, _CHINESE, _JAPANESE, _KOREAN),
    }
    spoken = lang.casefold()
    named = "zh-tw" if re.fullmatch("zh-(tw|hk|hant.*)", spoken) else spoken.partition("-")[0]
    by_letters = "ja" if _KANA.search(text) else "ko" if _HANGUL.search(text) else "zh"
    order = orders[named if named in orders else by_letters]
    return [*FONTS, *(font for fonts in order for font in fonts), *_SANS]


def set_pdf(source: bytes, inputs: Mapping[str, str], date: datetime | None = None) -> bytes | set[str]:
    """Returns a Typst source as PDF, or the set of characters that no font has.

    `inputs` are the strings that the source can read. Raises Refused if Typst fails for another reason.
    """
    made = _set_pdf(source, inputs, date, _fonts())
    return made if isinstance(made, bytes) else _set_pdf(source, inputs, date, _fonts_of_this_machine())


def _set_pdf(
    source: bytes, inputs: Mapping[str, str], date: datetime | None, fonts: Fonts
) -> bytes | set[str]:
    import typst  # noqa: PLC0415 -- an extra

    try:
        made = _compiler(source, inputs, fonts).compile(format="pdf", pdf_standards=STANDARD, timestamp=date)
    except typst.TypstError as error:
        if missing := _unshown(error.diagnostic):
            return missing
        raise Refused(f"Typst cannot make a PDF of this: {error.message}.") from None
    assert isinstance(made, bytes)  # noqa: S101 -- several files are for pictures
    return made


def forget() -> None:
    """Frees what Typst keeps of documents: it forgets one once it has set ten others."""
    for _ in range(11):
        _compiler(b"", {}, _fonts()).compile(format="pdf")


def set_png(source: bytes, inputs: Mapping[str, str], ppi: float) -> bytes:
    """Returns a one-page Typst source as PNG, at `ppi` pixels per inch."""
    fonts = _fonts_of_this_machine() if _lacks_letters(source, inputs) else _fonts()
    made = _compiler(source, inputs, fonts).compile(format="png", ppi=ppi)
    assert isinstance(made, bytes)  # noqa: S101 -- there is one page
    return made


def _lacks_letters(source: bytes, inputs: Mapping[str, str]) -> bool:
    """True if Typst's own fonts lack a character of the source, which a PNG would silently omit."""
    try:
        return not isinstance(_set_pdf(source, inputs, None, _fonts()), bytes)
    except Refused:
        return False


def spelling(missing: Collection[str]) -> Callable[[str], str]:
    """Returns a function that replaces the characters `missing` in a text by their numbers: `⟦U+1F409⟧`."""
    numbers = {ord(character): f"⟦U+{ord(character):04X}⟧" for character in missing}
    return lambda text: text.translate(numbers)


def _compiler(source: bytes, inputs: Mapping[str, str], fonts: Fonts) -> Compiler:
    import typst  # noqa: PLC0415 -- an extra

    return typst.Compiler(source, font_paths=fonts, ignore_system_fonts=True, sys_inputs=dict(inputs))


@cache
def _fonts() -> Fonts:
    import typst  # noqa: PLC0415 -- an extra

    return typst.Fonts(include_system_fonts=False, font_paths=[FONT_FILES])


@cache
def _fonts_of_this_machine() -> Fonts:
    import typst  # noqa: PLC0415 -- an extra

    return typst.Fonts(include_system_fonts=True, font_paths=[FONT_FILES])


def _unshown(diagnostic: str) -> set[str]:
    texts = (
        _ESCAPED.sub(lambda code: chr(int(code[1], 16)), escaped) for escaped in _UNSHOWN.findall(diagnostic)
    )
    return {character for text in texts for character in text if ord(character) >= _ASCII}


PPI: Final = 220.0
"""Pixels to the inch: sharp on paper."""

_SHEET: Final = b"""\
#set document(title: "Map")
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", alt: "Map")
"""
_SIZE: Final = slice(16, 24)
"""Bytes of a PNG's width and height."""
_ATTEMPTS: Final = 3


Spell = Callable[[str], str]
"""Function that replaces characters without a font."""


class DrawnPlate(NamedTuple):
    """Map or card as PNG, with its size in points."""

    png: bytes
    width: float
    height: float


def drawn(picture: Picture) -> DrawnPlate | None:
    """Returns a map as PNG, the same on every machine; None if Typst or a font is missing."""
    if not TYPST.is_here():
        return None
    return _pictured(lambda spell: svg(picture.spelled(spell), printed=True), PPI)


def pictured(draw: Callable[[Spell], str], ppi: float) -> DrawnPlate:
    """Returns the SVG made by `draw` as PNG; raises Refused if a character has no font.

    `draw` is called with a function that replaces characters without a font.
    """
    made = _pictured(draw, ppi)
    if made is None:
        raise Refused("No installed font can show this text: use SVG.")
    return made


def _pictured(draw: Callable[[Spell], str], ppi: float) -> DrawnPlate | None:
    missing: set[str] = set()
    for _ in range(_ATTEMPTS):
        drawing = draw(spelling(missing))
        found = _missing(drawing)  # for a PNG would leave out in silence what no font has
        if not found:
            return _png(drawing, ppi)
        missing |= found
    return None


def settable(picture: Picture, spell: Spell) -> str:
    """Returns a map as SVG for Typst, with texts spelled by `spell`.

    Typst rejects combining marks in SVG text, as vocalised Hebrew has them, though it sets them elsewhere:
    such a map is embedded as a PNG in the SVG.
    """
    drawing = svg(picture.spelled(spell), printed=True)
    if _missing(drawing) is not None:
        return drawing
    png, width, height = _png(drawing, PPI)
    size = f'width="{width * 96 / 72:.1f}" height="{height * 96 / 72:.1f}"'
    data = base64.b64encode(png).decode()
    image = f'<image {size} href="data:image/png;base64,{data}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{image}</svg>'


def _missing(drawing: str) -> set[str] | None:
    """Returns the characters of an SVG without a font; None if PDF output fails for another reason."""
    found = none_if_refused(lambda: set_pdf(_SHEET, {"svg": drawing}))
    return set() if isinstance(found, bytes) else found


def _png(drawing: str, ppi: float) -> DrawnPlate:
    made = set_png(_SHEET, {"svg": drawing}, ppi)
    width, height = struct.unpack(">II", made[_SIZE])
    return DrawnPlate(made, width * 72 / ppi, height * 72 / ppi)
