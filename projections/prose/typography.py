"""Typed quotation marks and apostrophes as print has them, where it is certain which is which."""

from __future__ import annotations

import re
from typing import Final

_MARK: Final = re.compile("[\"']")
_BEFORE_OPENING: Final = re.compile(
    r"(?:^|.*[\s\u2013\u2014\u2018\u201c\u201e\u00ab\u00bb\"'-]|.*(?<!\S)[(\[])", re.DOTALL
)
"""What a mark opens behind: nothing, a blank, a dash, another mark, or a bracket with a blank before it."""
_ELISION: Final = re.compile(r"'(?:\d\ds?\b|(?:tis|twas|em|til|cause|bout|round|n)\b)", re.IGNORECASE)
_INNER: Final = {("“", "”"): ("\u2018", "\u2019")}
"""The marks of a quotation in double marks, and those of one inside it or in single ones."""
_DEEPEST: Final = 4
"""So many quotations one within the other are told apart; a text of nothing but marks is no quotation."""
_CLOSING: Final = re.compile(r"[^\s']'(?!\w)")
"""A single mark that can close: behind a letter or sign, and before none."""
_AFTER_A_WORD: Final = ".,;:!?\u2013\u2014\u201d"
_APOSTROPHE: Final = "\u2019"


def typeset(text: str, quotes: tuple[str, str] = ("“", "”")) -> str:
    """A text with `quotes` for its straight double marks, a curved apostrophe, and single marks to match.

    What may be neither, such as inches, or an attribute in markup, stays as it was typed. A mark opens where
    a word may begin, and closes only what is open in its paragraph.
    """
    if '"' not in text and "'" not in text:
        return text
    return "".join(
        one if number % 2 else _of_paragraph(one, quotes)
        for number, one in enumerate(re.split(r"(\n[ \t]*\n\s*)", text))
    )


def _of_paragraph(text: str, quotes: tuple[str, str]) -> str:
    open_now: list[str] = []
    last = 0
    told: list[str] = []
    last_closing = max((found.end() - 1 for found in _CLOSING.finditer(text)), default=-1)
    for found in _MARK.finditer(text):
        at = found.start()
        told.append(text[last:at])
        told.append(
            _double(text, at, open_now, quotes)
            if found[0] == '"'
            else _single(text, at, open_now, quotes, closes=at < last_closing)
        )
        last = at + 1
    return "".join((*told, text[last:]))


def _may_open(text: str, at: int, open_now: list[str]) -> bool:
    """True if a mark there stands before a word, and no word or sign before it."""
    after = text[at + 1 : at + 2]
    is_behind = _BEFORE_OPENING.fullmatch(text[max(at - 2, 0) : at]) is not None
    return is_behind and bool(after) and not after.isspace() and len(open_now) < _DEEPEST


def _double(text: str, at: int, open_now: list[str], quotes: tuple[str, str]) -> str:
    if '"' in open_now and not (at and text[at - 1].isspace()):
        del open_now[open_now.index('"') :]
        return quotes[1]
    if '"' not in open_now and _may_open(text, at, open_now) and text.find('"', at + 1) > at:
        open_now.append('"')
        return quotes[0]
    return '"'


def _single(text: str, at: int, open_now: list[str], quotes: tuple[str, str], *, closes: bool) -> str:
    """What a single mark becomes; `closes` is true where a later one can close it."""
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if before.isalpha() and after.isalpha():
        return _APOSTROPHE
    inner = _INNER.get(quotes)
    if "'" in open_now and not before.isspace() and not after.isalnum():
        open_now.remove("'")
        return inner[1] if inner else "'"
    if _ELISION.match(text, at):
        return _APOSTROPHE
    if closes and _may_open(text, at, open_now):
        open_now.append("'")
        return inner[0] if inner else "'"
    is_possessive = before.isalpha() and (after == "" or after.isspace() or after in _AFTER_A_WORD)
    return _APOSTROPHE if is_possessive else "'"
