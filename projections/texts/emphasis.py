"""Emphasis in texts on their way to a page: marks as four signs that no typed text has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import asdict

from retold.journal import marks
from retold.journal.marks import Run, Signs
from retold.projections.texts import safe
from retold.projections.texts.line_ends import BETWEEN_PARAGRAPHS


class MarkedPlace(Struct, frozen=True):
    """A mark on the words `text[start:end]`."""

    start: int
    end: int
    mark: Literal["emphasis", "strong"]


Places = tuple[MarkedPlace, ...]

SIGNS: Final = Signs("\ufde0", "\ufde1", "\ufde2", "\ufde3")
"""Noncharacters, which `safe` shows as numbers: a format that forgets a mark shows it."""
HTML: Final = Signs("<em>", "</em>", "<strong>", "</strong>")
"""Elements of HTML, to be shown in place of the signs."""
_ON, _OFF, _STRONG, _WEAK = SIGNS
_SIGN: Final = re.compile(f"([{''.join(SIGNS)}])")
_NO_SIGNS: Final = dict.fromkeys(map(ord, SIGNS))
_END_OF: Final = {SIGNS.emphasis: SIGNS.end_of_emphasis, SIGNS.strong: SIGNS.end_of_strong}
_BEGINS: Final = {end: begin for begin, end in _END_OF.items()}
_BETWEEN_LINES: Final = re.compile(r"([ \t]*\n[ \t]*)")


def marked(text: str) -> str:
    """Returns a typed text with signs in place of its marks."""
    return marks.with_signs(unsigned(text), SIGNS)


def unsigned(text: str) -> str:
    """Returns a typed text in which our signs, if typed, are numbers."""
    return _SIGN.sub(lambda found: safe.line(found[0]), text) if is_marked(text) else text


def words(text: str) -> str:
    """Returns a text without signs."""
    return text.translate(_NO_SIGNS) if is_marked(text) else text


def typed(text: str) -> str:
    """Returns a text as it may be typed: with marks in place of signs."""
    return marks.written(runs(text)) if is_marked(text) else marks.as_words(text)


def is_marked(text: str) -> bool:
    """True for a text with signs."""
    return not text.isascii() and (_ON in text or _OFF in text or _STRONG in text or _WEAK in text)


def runs(text: str) -> list[Run]:
    """Returns the words of a text in order, as runs that differ in their marks."""
    found: list[Run] = []
    emphasis = strong = 0
    for part in _SIGN.split(text) if is_marked(text) else (text,):
        match part:
            case SIGNS.emphasis:
                emphasis += 1
            case SIGNS.end_of_emphasis:
                emphasis -= 1
            case SIGNS.strong:
                strong += 1
            case SIGNS.end_of_strong:
                strong -= 1
            case _ if part:
                found.append(Run(part, emphasis > 0, strong > 0))
            case _:
                pass
    return found


def shown(text: str, signs: Signs) -> str:
    """Returns a text with other signs in place of ours."""
    return text.translate(dict(zip(map(ord, SIGNS), signs, strict=True))) if is_marked(text) else text


def lifted(text: str) -> tuple[str, list[tuple[int, str]]]:
    """Returns the words of a text, and its signs with the number of letters before each."""
    if not is_marked(text):
        return text, []
    parts = _SIGN.split(text)
    found: list[tuple[int, str]] = []
    at = 0
    for part, sign in zip(parts[::2], (*parts[1::2], ""), strict=True):
        at += len(part)
        found += [(at, sign)] if sign else []
    return "".join(parts[::2]), found


def put_back(text: str, signs: Iterable[tuple[int, str]]) -> str:
    """Returns a text with signs at these places, in order: the reverse of `lifted`."""
    parts: list[str] = []
    at = 0
    for place, sign in signs:
        parts += (text[at:place], sign)
        at = place
    return "".join((*parts, text[at:]))


def without_ends(text: str) -> tuple[str, str]:
    """Splits off the closing signs at the end of a text, so that its last letter can be read."""
    bare = text.rstrip("".join(_BEGINS))
    return bare, text[len(bare) :]


def in_json(value: Any) -> Any:  # noqa: ANN401 -- any JSON
    """Returns a JSON value whose texts are words alone.

    Beside a `text` that has marks are these, as `MarkedPlace` has them.
    """
    if isinstance(value, str):
        return words(value)
    if isinstance(value, list):
        return [in_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    told = {key: in_json(item) for key, item in value.items()}
    text = value.get("text")
    if isinstance(text, str) and is_marked(text):
        told["marks"] = [asdict(place) for place in _places(text)]
    return told


def _places(text: str) -> Iterator[MarkedPlace]:
    """Yields the marks of a text by their ends, as places in its words."""
    opened: list[tuple[str, int]] = []
    for at, sign in lifted(text)[1]:
        if sign in _END_OF:
            opened.append((sign, at))
        elif opened:
            begun, start = opened.pop()
            yield MarkedPlace(start, at, "emphasis" if begun == SIGNS.emphasis else "strong")


# --- texts that are cut ----------------------------------------------------------------------------------


def balanced(text: str) -> str:
    """Returns a text whose marks end with each paragraph, and go on in the next."""
    return text if not is_marked(text) else "".join(_balanced(BETWEEN_PARAGRAPHS.split(text)))


def cut(text: str, start: int, end: int) -> tuple[str, str]:
    """Removes the words from `start` to `end` (counted without signs).

    Returns what is before and behind, each with its marks closed.
    """
    words_, signs = lifted(text)
    first = put_back(words_[:start], ((at, sign) for at, sign in signs if at <= start))
    rest = put_back(words_[end:], ((max(at - end, 0), sign) for at, sign in signs if at > start))
    return parted(first, rest)


def _balanced(parts: Iterable[str]) -> Iterator[str]:
    """Yields the parts, every other one of which separates two paragraphs.

    A sign that ends no mark, or not the last one, is left out.
    """
    opened: list[str] = []
    for number, part in enumerate(parts):
        if number % 2:
            yield part
            continue
        told = [*opened]
        for piece in _SIGN.split(part):
            if piece in _END_OF:
                opened.append(piece)
            elif piece in _BEGINS and opened[-1:] == [_BEGINS[piece]]:
                opened.pop()
            elif piece in _BEGINS:
                continue
            told.append(piece)
        yield _without_empty("".join((*told, *(_END_OF[sign] for sign in reversed(opened)))))


_EMPTY: Final = re.compile(f"{SIGNS.emphasis}{SIGNS.end_of_emphasis}|{SIGNS.strong}{SIGNS.end_of_strong}")


def _without_empty(text: str) -> str:
    while _EMPTY.search(text):
        text = _EMPTY.sub("", text)
    return text


def parted(first: str, rest: str) -> tuple[str, str]:
    """Returns two parts of a text, each with whole marks."""
    if not (is_marked(first) or is_marked(rest)):
        return first, rest
    begun, _, gone_on = _balanced((first, "", rest))
    return begun, gone_on


# --- texts that are shown --------------------------------------------------------------------------------


def safely(text: str, escape: Callable[[str], str]) -> str:
    """Returns a text escaped by a function of `safe`, with its signs."""
    if not is_marked(text):
        return escape(text)
    return "".join(part if part in SIGNS else escape(part) for part in _SIGN.split(text))


def line(text: str) -> str:
    """Returns a text as `safe.line`, with its signs."""
    return balanced(safely(text, safe.line))


def paragraphs(text: str) -> list[str]:
    """Splits a text at empty lines, as `safe.paragraphs`.

    A mark open at the end of a paragraph is closed there and opened again in the next.
    """
    if not is_marked(text):
        return safe.paragraphs(text)
    return [*_balanced(BETWEEN_PARAGRAPHS.split(safely(text, safe.text).strip()))][::2]


def lines(paragraph: str) -> list[str]:
    """Splits a paragraph at its line ends; a mark open there is closed, and opened again in the next line."""
    if not is_marked(paragraph):
        return paragraph.split("\n")
    return [*_balanced(_BETWEEN_LINES.split(paragraph))][::2]
