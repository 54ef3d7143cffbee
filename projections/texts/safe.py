"""Escaping of characters that a terminal or a reading program could mistake for layout or commands."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_HIDDEN: Final = (
    "\x00-\x1f\x7f-\x9f"  # control characters, ESC among them
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"  # soft hyphen, fillers, invisible joiners
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f"  # zero width, other line ends, text directions
    "\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"  # fillers, byte order marks, lone surrogates
    "\ufdd0-\ufdef"  # noncharacters, which a valid page may not contain
)
_HIDDEN_BEYOND: Final = (
    "\U000110bd\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"  # invisible signs and tags
    + "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in range(0x10000, 0x110000, 0x10000))
)
_PERHAPS: Final = re.compile(f"[{_HIDDEN}\U00010000-\U0010ffff]")
"""Quick first check; a class without many distant characters is many times as fast."""
_SUSPECT: Final = f"[{_HIDDEN}{_HIDDEN_BEYOND}]"  # compiled when first needed, which is seldom
_SUSPECT_IN_TEXT: Final = f"\r\n|{_SUSPECT}"
_BETWEEN_PARAGRAPHS: Final = re.compile(r"\n[ \t]*\n\s*")
_FROM_THE_RIGHT: Final = frozenset({"R", "AL"})
"""Directions of letters, by Unicode."""
_JOINERS: Final = "\u200c\u200d"
_DELETE: Final = "\x7f"
_PICTURES: Final = 0x2400
_LAST_PICTURED: Final = 0x20
# Scripts in which a joiner between two letters changes their shape and is part of the spelling.
_JOINING_SCRIPTS: Final = range(0x0590, 0x1100)


def line(text: str) -> str:
    """Returns `text` escaped for one line: line ends become `⏎`, an escape character `␛`.

    Characters without a picture of their own become their number, such as `⟦U+202E⟧`. Safe text stays as it
    is.
    """
    return re.sub(_SUSPECT, _shown_on_a_line, text) if _PERHAPS.search(text) else text


def text(text: str) -> str:
    """Returns `text` with control and invisible characters escaped, so that a terminal shows it safely.

    Line ends and tabs stay.
    """
    return re.sub(_SUSPECT_IN_TEXT, _shown_in_text, text) if _PERHAPS.search(text) else text


def paragraphs(typed: str) -> list[str]:
    """Splits a typed text at empty lines into paragraphs; returns at least one.

    Control and invisible characters are escaped.
    """
    shown = text(typed).strip()
    return _BETWEEN_PARAGRAPHS.split(shown) if "\n" in shown else [shown]


def in_json(text: str) -> str:
    r"""Returns JSON text with unsafe characters written as `\u` escapes; its values stay the same."""
    return re.sub(_SUSPECT, _escape, text) if _PERHAPS.search(text) else text


def _shown_on_a_line(found: re.Match[str]) -> str:
    character = found.group()
    return "⏎" if character == "\n" else _visible(character, found)


def _shown_in_text(found: re.Match[str]) -> str:
    character = found.group()
    if character in ("\n", "\t"):
        return character
    return "\n" if character == "\r\n" else _visible(character, found)


def _visible(character: str, found: re.Match[str]) -> str:
    code = ord(character)
    if code < _LAST_PICTURED:
        return chr(_PICTURES + code)
    if character == _DELETE:
        return "␡"
    return character if character in _JOINERS and _joins(found.string, found.start()) else f"⟦U+{code:04X}⟧"


def _joins(text: str, at: int) -> bool:
    """True if the invisible joiner at index `at` is spelling, so that it may stay.

    It is spelling inside a word of a joining script, such as Arabic, or inside one emoji.
    """
    if at == 0 or at + 1 >= len(text):
        return False
    before, after = text[at - 1], text[at + 1]
    if ord(before) in _JOINING_SCRIPTS and ord(after) in _JOINING_SCRIPTS:
        return unicodedata.category(before)[0] in "LM" and unicodedata.category(after)[0] in "LM"
    pictures = unicodedata.category(before) in ("So", "Sk", "Mn") and unicodedata.category(after) == "So"
    return text[at] == "\u200d" and pictures


def _escape(found: re.Match[str]) -> str:
    character = found.group()
    if character == "\n":  # a separator of values, never part of one
        return character
    return character.encode("utf-16-be", "surrogatepass").hex(" ", 2).replace(" ", r"\u").join((r"\u", ""))


_APART: Final = 0xFEE0
"""Distance from a printable ASCII character to its full-width form."""


def widened(found: re.Match[str]) -> str:
    """Returns the match in full-width characters, which no markup obeys; it must be printable ASCII."""
    return "".join(chr(ord(character) + _APART) for character in found.group())


def is_right_to_left(text: str) -> bool:
    """True if the first letter of a text is written from right to left, as in Hebrew and Arabic."""
    first = next((character for character in text if character.isalpha()), "")
    return unicodedata.bidirectional(first) in _FROM_THE_RIGHT if first else False
