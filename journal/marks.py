"""Marks within texts: `*emphasis*` or `_emphasis_`, `**strong**`, `***both***`; all other signs are text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple

_CLUSTER: Final = re.compile(r"(?<!\\)\\*[*_][\\*_]*|\n[ \t\r]*\n")
"""Signs that stand together, or the end of a paragraph."""
_MARK: Final = re.compile(r"(\\*)(\*+|_+)")
_LONGEST: Final = {"*": 3, "_": 1}
"""Most signs of a mark; `__init__` is text."""
_BOTH: Final = 3
"""Signs of emphasis and strong at once."""
_BEFORE_WORD: Final = frozenset("([{\"'-")
_BEHIND_WORD: Final = frozenset(".,;:!?)]}\"'-")
_FIRST_OF_NO_WORD: Final = frozenset(",;:!?)]}/=<>|^%")
_LAST_OF_NO_WORD: Final = frozenset("([{</=|^")
_BETWEEN_PARAGRAPHS: Final = re.compile(r"\n[ \t\r]*\n")


class Run(NamedTuple):
    """Words with the same marks."""

    text: str
    emphasis: bool = False
    strong: bool = False


class Signs(NamedTuple):
    """Texts that replace the start and end of emphasis, and the start and end of strong."""

    emphasis: str = ""
    end_of_emphasis: str = ""
    strong: str = ""
    end_of_strong: str = ""


def may_have_marks(text: str) -> bool:
    """False for a text that certainly has no marks; quick."""
    return "*" in text or "_" in text


def plain(text: str) -> str:
    """Returns the words of a text without their marks."""
    return with_signs(text, Signs()) if may_have_marks(text) else text


def with_signs(text: str, signs: Signs) -> str:
    """Returns a text with other signs in place of its marks. Time is linear in its length."""
    if not may_have_marks(text):
        return text
    parts: list[str] = []
    at = 0
    for start, end, sign in _edits(text):
        parts += (text[at:start], "" if sign is None else signs[sign])
        at = end
    return "".join((*parts, text[at:]))


def runs(text: str) -> list[Run]:
    """Returns the words of a text in order, as runs that differ in their marks."""
    found: list[Run] = []
    depth = [0, 0]
    at = 0
    for start, end, sign in (*_edits(text), (len(text), len(text), None)):
        if start > at:
            found.append(Run(text[at:start], depth[0] > 0, depth[1] > 0))
        if sign is not None:
            depth[sign // 2] += -1 if sign % 2 else 1
        at = end
    return _merged(found)


# --- reading ---------------------------------------------------------------------------------------------


class _Mark(NamedTuple):
    """Run of `*` or `_` that may start or end a mark; `is_escaped` if a backslash is before it."""

    sign: str
    number: int
    at: int
    is_escaped: bool
    may_open: bool
    may_close: bool


_Edit = tuple[int, int, int | None]
"""Start and end of what is taken out, and the index in `Signs` of what takes its place."""


def _edits(text: str) -> list[_Edit]:
    possible = [*_possible(text)]
    escaped = [mark for mark in possible if mark is None or mark.is_escaped]
    found: list[_Edit] = [(mark.at - 1, mark.at, None) for mark in _pairs(escaped)]
    opened: list[_Mark] = []
    for mark in possible:
        if mark is None:
            opened.clear()
        elif mark.is_escaped:
            continue
        elif mark.may_close and (closed := _closed(text, opened, mark)):
            found += closed
        elif mark.may_open:
            _open(opened, mark)
    return [*_without_repeats(sorted(found, key=itemgetter(0)))]


def _without_repeats(edits: Iterable[_Edit]) -> Iterator[_Edit]:
    """Yields the edits; marks within a mark of their kind, as in `*_both_*`, only go away."""
    depth = [0, 0]
    for start, end, sign in edits:
        if sign is None:
            yield start, end, None
            continue
        kind, is_end = divmod(sign, 2)
        depth[kind] -= is_end
        yield start, end, None if depth[kind] else sign
        depth[kind] += not is_end


def _pairs(possible: Iterable[_Mark | None]) -> Iterator[_Mark]:
    """Yields signs that need a backslash to stay text: possible starts, and ends that match them."""
    opened: set[tuple[str, int]] = set()
    for mark in possible:
        if mark is None:
            opened.clear()
        elif mark.may_close and mark[:2] in opened:
            opened.discard(mark[:2])
            yield mark
        elif mark.may_open:
            opened.add(mark[:2])
            yield mark


def _possible(text: str) -> Iterator[_Mark | None]:
    """Yields the signs that stand where a mark may open or close; None at the end of a paragraph."""
    for cluster in _CLUSTER.finditer(text):
        start, end = cluster.span()
        if cluster[0][0] == "\n":
            yield None
            continue
        before, after = text[start - 1 : start], text[end : end + 1]
        begins = _is_word(after, _FIRST_OF_NO_WORD) and (after != "." or text.startswith("...", end))
        may_open = begins and _is_boundary(before, _BEFORE_WORD)
        may_close = _is_boundary(after, _BEHIND_WORD) and _is_word(before, _LAST_OF_NO_WORD)
        for signs in _MARK.finditer(cluster[0]) if may_open or may_close else ():
            sign, count = signs[2][0], len(signs[2])
            if count <= _LONGEST[sign]:
                yield _Mark(sign, count, start + signs.start(2), bool(signs[1]), may_open, may_close)


def _open(opened: list[_Mark], mark: _Mark) -> None:
    """Adds a possible start of a mark; an earlier start of its sort can no longer be closed."""
    parts = [mark]
    if mark.number == _BOTH:
        parts = [mark._replace(number=2), mark._replace(number=1, at=mark.at + 2)]
    kinds = [part[:2] for part in parts]
    opened[:] = [*(each for each in opened if each[:2] not in kinds), *parts]


def _closed(text: str, opened: list[_Mark], mark: _Mark) -> list[_Edit]:
    """Returns the edits of the marks that `mark` closes, which are opened no more; none if it closes none."""
    if mark.number == _BOTH:
        return _closed_both(text, opened, mark)
    place = next((i for i in range(len(opened) - 1, -1, -1) if opened[i][:2] == mark[:2]), None)
    if place is None:
        return []
    begun, inside = opened[place], opened[place + 1 :]
    del opened[place:]
    if begun.number == 2 and inside and inside[0].at == begun.at + 2:  # noqa: PLR2004 -- `***`: strong closes first
        opened.append(inside[0]._replace(at=begun.at))
        begun = begun._replace(at=begun.at + 1)
    if not any(map(str.isalnum, text[begun.at + begun.number : mark.at])):
        return []
    sign = 2 * (begun.number - 1)
    return [(begun.at, begun.at + begun.number, sign), (mark.at, mark.at + mark.number, sign + 1)]


def _closed_both(text: str, opened: list[_Mark], mark: _Mark) -> list[_Edit]:
    """Returns the edits of an emphasis and of strong words that end together."""
    stars = [each.number for each in opened if each.sign == mark.sign]
    if len(stars) < 2:  # noqa: PLR2004 -- of either sort one
        return []
    inner = stars[-1]
    rest = mark._replace(number=_BOTH - inner, at=mark.at + inner)
    return _closed(text, opened, mark._replace(number=inner)) + _closed(text, opened, rest)


def _is_boundary(letter: str, ascii_signs: frozenset[str]) -> bool:
    """True for a sign beside which a word may begin or end: none, a blank, a quotation mark and the like.

    Letters of East Asia are such: Chinese and Japanese have no blanks between words.
    """
    if not letter or letter.isspace() or letter in ascii_signs:
        return True
    if letter.isascii():
        return False
    return unicodedata.category(letter)[0] in "PZ" or unicodedata.east_asian_width(letter) == "W"


def _is_word(letter: str, signs_of_none: frozenset[str]) -> bool:
    return bool(letter) and not letter.isspace() and letter not in signs_of_none


# --- writing ---------------------------------------------------------------------------------------------


def written(told: Iterable[Run]) -> str:
    """Returns the text whose words and marks these are: `runs` gives them back.

    Marks that a text cannot have are left out: those that begin or end inside a word. Marks end with their
    paragraph, and blanks at their ends are outside of them.
    """
    found = _merged(told)
    words = "".join(run.text for run in found)
    if not any(run.emphasis or run.strong for run in found):
        return as_words(words)
    strong = [span for span in _spans(found, 2) if _fits(words, span)]
    emphasis = [part for span in _spans(found, 1) for part in _parted_at(span, strong) if _fits(words, part)]
    text = _composed(words, emphasis, strong)
    is_read_so = plain(text) == words and _is_marked(runs(text), emphasis, strong)
    return text if is_read_so else as_words(words)


def is_lost(told: Iterable[Run], text: str) -> bool:
    """True if `text` lacks some of the emphasis of the runs it was written from."""
    return any(_words_with(told, mark) != _words_with(runs(text), mark) for mark in (1, 2))


def _words_with(told: Iterable[Run], mark: int) -> str:
    return "".join("".join(run.text.split()) for run in told if run[mark])


def as_words(words: str) -> str:
    """Returns a text without marks that has these words; signs that would be marks have a backslash."""
    return _composed(words, (), ()) if may_have_marks(words) else words


_Span = tuple[int, int]


def _merged(told: Iterable[Run]) -> list[Run]:
    together = groupby((run for run in told if run.text), key=lambda run: run[1:])
    return [Run("".join(run.text for run in same), *marks) for marks, same in together]


def _spans(told: Iterable[Run], mark: int) -> Iterator[_Span]:
    """Yields the places with a mark (1 emphasis, 2 strong), within paragraphs and without outer blanks."""
    at = 0
    for has_mark, same in groupby(told, key=itemgetter(mark)):
        text = "".join(run.text for run in same)
        if has_mark:
            yield from _filled(text, at)
        at += len(text)


def _filled(text: str, at: int) -> Iterator[_Span]:
    start = 0
    ends = [found.span() for found in _BETWEEN_PARAGRAPHS.finditer(text)]
    for end, following in (*ends, (len(text), len(text))):
        part = text[start:end]
        first = at + start + len(part) - len(part.lstrip())
        last = at + start + len(part.rstrip())
        if any(map(str.isalnum, part)):
            yield first, last
        start = following


def _fits(words: str, span: _Span) -> bool:
    """True for a span that begins at a word's beginning and ends at a word's end."""
    start, end = span
    return (
        _is_boundary(words[start - 1 : start], _BEFORE_WORD)
        and _is_word(words[start : start + 1], _FIRST_OF_NO_WORD)
        and _is_boundary(words[end : end + 1], _BEHIND_WORD)
        and _is_word(words[end - 1 : end], _LAST_OF_NO_WORD)
    )


def _parted_at(span: _Span, others: Sequence[_Span]) -> Iterator[_Span]:
    """Yields a span split at the edges of `others`, in their order, that it only partly overlaps."""
    start, end = span
    for first, last in others[bisect_left(others, start, key=itemgetter(1)) :]:
        if first >= end:
            break
        for edge in (first, last):
            crosses = start < edge < end and not (start <= first and last <= end)
            if crosses:
                yield start, edge
                start = edge
    yield start, end


def _composed(words: str, emphasis: Sequence[_Span], strong: Sequence[_Span]) -> str:
    """Returns words with marks around the spans, and a backslash before signs that would be marks."""
    both = {*emphasis} & {*strong}
    starts = {start for start, _ in strong}
    ends = {end for _, end in strong}
    signs: list[tuple[int, int, int, str]] = []
    for start, end in emphasis:
        beside = (start in starts or end in ends) and (start, end) not in both
        sign = "_" if beside else "*"
        signs += ((start, 1, -end, sign), (end, 0, -start, sign))
    for start, end in strong:
        signs += ((start, 1, -end, "**"), (end, 0, -start, "**"))
    if _edits(words):
        signs += ((mark.at, 2, 0, "\\") for mark in _pairs(_possible(words)))
    parts: list[str] = []
    at = 0
    for place, _, _, sign in sorted(signs):
        parts += (words[at:place], sign)
        at = place
    return "".join((*parts, words[at:]))


def _is_marked(told: Sequence[Run], emphasis: Sequence[_Span], strong: Sequence[_Span]) -> bool:
    """True if the runs have their marks at just these places."""
    return all(
        set(_marked_places(told, mark)) == {place for span in spans for place in range(*span)}
        for mark, spans in ((1, emphasis), (2, strong))
    )


def _marked_places(told: Sequence[Run], mark: int) -> Iterator[int]:
    at = 0
    for run in told:
        if run[mark]:
            yield from range(at, at + len(run.text))
        at += len(run.text)
