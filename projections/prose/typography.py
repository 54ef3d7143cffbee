"""Typed marks, apostrophes, dashes and dots as print has them, where it is certain which is which."""

from __future__ import annotations

import re
from typing import Final

_MARK: Final = re.compile("[\"']")
_BEFORE_OPENING: Final = re.compile(
    r"(?:^|.*[\s\u2013\u2014\u2018\u201c\u201e\u00ab\u00bb\"'-]|.*(?<!\S)[(\[])", re.DOTALL
)
"""What a mark opens behind: nothing, a blank, a dash, another mark, or a bracket with a blank before it."""
_ELISION: Final = re.compile(r"'(?:\d\ds?\b|(?:tis|twas|em|til|cause|bout|round|n)\b)", re.IGNORECASE)
_DROPPED_H: Final = re.compile(
    r"'(?:ere|im|ave|ad|ow|ello|ome|ouse|orse|alf|eart|eard|and|ands|ead|is|er|e|neath|gainst|fore)\b",
    re.IGNORECASE,
)
"""Words whose first letter nobody speaks, and which may also be the first of a quotation."""
_INNER: Final = {("“", "”"): ("\u2018", "\u2019")}
"""The marks of a quotation in double marks, and those of one inside it or in single ones."""
_DEEPEST: Final = 4
"""So many quotations one within the other are told apart; a text of nothing but marks is no quotation."""
_CLOSING: Final = re.compile(r"[^\s']'(?!\w)")
"""A single mark that can close: behind a letter or sign, and before none."""
_CERTAIN_CLOSING: Final = re.compile(r"[.,!?\u2026\u2014)]'(?!\w)")
"""One that nothing else can be: behind the sign that ends what is said."""
_DASH: Final = re.compile(
    r"(?<=\s)---?(?=\s)|(?<=\w)---?(?=\w)|(?<=[\w,])---?(?=[\"'\u201d\u2019]|\n|$)|(?<=[\"\u201c])---?(?=\w)"
)
"""Hyphens between two blanks or words, or where somebody breaks off or cuts in; one of an option stays."""
_DOTS: Final = re.compile(r"(?<![.\d])\.\.\.(?!\.)|(?<=\d)\.\.\.(?![.\d])")
_NO_PROSE: Final = re.compile(r"[/\\@=<>{}`|_]|:\w")
"""What no word of prose has in it: an address, a path, or markup."""
_AFTER_A_WORD: Final = ".,;:!?\u2013\u2014\u201d"
_APOSTROPHE: Final = "\u2019"


def typeset(text: str, quotes: tuple[str, str] = ("“", "”")) -> str:
    """A text with `quotes` for its straight double marks, a curved apostrophe, and single marks to match.

    What may be neither, such as inches, or an attribute in markup, stays as it was typed. A mark opens where
    a word may begin, and closes only what is open in its paragraph. Two or three hyphens are a dash between
    words, and three dots an ellipsis.
    """
    if "--" in text:
        text = _DASH.sub(_dashed, text)
    if "..." in text:
        text = _DOTS.sub(_dotted, text)
    if '"' not in text and "'" not in text:
        return text
    return "".join(
        one if number % 2 else _of_paragraph(one, quotes)
        for number, one in enumerate(re.split(r"(\n[ \t]*\n\s*)", text))
    )


def _dashed(found: re.Match[str]) -> str:
    """A dash: the shorter one between blanks, unless it was typed long; as typed in what is no prose."""
    if _NO_PROSE.search(_word_around(found)):
        return found[0]
    stands_alone = found.string[found.start() - 1 : found.start()].isspace()
    between_numbers = found.string[found.start() - 1 : found.start()].isdigit() and (
        found.string[found.end() : found.end() + 1].isdigit()
    )
    is_short = found[0] == "--" and (stands_alone or between_numbers)
    return "\u2013" if is_short else "\u2014"


def _dotted(found: re.Match[str]) -> str:
    return found[0] if _NO_PROSE.search(_word_around(found)) else "\u2026"


def _word_around(found: re.Match[str]) -> str:
    """What stands before and behind a match without a blank between."""
    before = found.string[: found.start()].rpartition(" ")[-1].rpartition("\n")[-1]
    behind = found.string[found.end() :].partition(" ")[0].partition("\n")[0]
    return before + behind


def _of_paragraph(text: str, quotes: tuple[str, str]) -> str:
    open_now: list[str] = []
    last = 0
    told: list[str] = []
    last_closing, last_certain = (
        max((found.end() - 1 for found in sign.finditer(text)), default=-1)
        for sign in (_CLOSING, _CERTAIN_CLOSING)
    )
    for found in _MARK.finditer(text):
        at = found.start()
        told.append(text[last:at])
        told.append(
            _double(text, at, open_now, quotes)
            if found[0] == '"'
            else _single(
                text,
                at,
                open_now,
                quotes,
                closes=at < (last_certain if _DROPPED_H.match(text, at) else last_closing),
            )
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
    if not closes and after.isalpha() and _may_open(text, at, open_now):
        return _APOSTROPHE
    is_possessive = before.isalpha() and (after == "" or after.isspace() or after in _AFTER_A_WORD)
    return _APOSTROPHE if is_possessive else "'"
