"""Typographic quotes, apostrophes, dashes and ellipses in place of typed ones, where unambiguous."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Final

from retold.journal import marks
from retold.projections.prose import Voice
from retold.projections.prose.phrases.languages import ENGLISH, Language
from retold.projections.texts import emphasis, line_ends
from retold.projections.texts.line_ends import unwrapped

_MARK: Final = re.compile("[\"']")
_BEFORE_OPENING: Final = re.compile(
    r"(?:^|.*[\s\u2013\u2014\u2018\u201c\u201e\u00ab\u00bb\"'-]|.*(?<!\S)[(\[])", re.DOTALL
)
"""Text before an opening mark: nothing, a blank, a dash, another mark, or a bracket after a blank."""
_TWO_APOSTROPHES: Final = re.compile(r"(?<![\w'])''(?=[^\s'])([^\n]{0,2000}?[^\s'])''(?!['\w])")
"""Quotation between two apostrophes on each side, as many people type a double mark."""
_ELISION: Final = re.compile(r"'(?:\d\ds?\b|(?:tis|twas|em|til|cause|bout|round|n)\b)", re.IGNORECASE)
_DROPPED_H: Final = re.compile(
    r"'(?:ere|im|ave|ad|ow|ello|ome|ouse|orse|alf|eart|eard|and|ands|ead|is|er|e|neath|gainst|fore)\b",
    re.IGNORECASE,
)
"""Words with a dropped first letter, which may also begin a quotation."""
INNER: Final = {
    ("“", "”"): ("\u2018", "\u2019"),
    ("„", "“"): ("\u201a", "\u2018"),
    ("„", "”"): ("«", "»"),
    ("»", "«"): ("\u203a", "\u2039"),
    ("«", "»"): ("“", "”"),
    ("«\u202f", "\u202f»"): ("“", "”"),
    ("「", "」"): ("『", "』"),
    ("\u2018", "\u2019"): ("“", "”"),
}
"""Inner quotation marks by outer ones."""
_DEEPEST: Final = 4
"""Deepest nesting of quotations; deeper marks are no quotation."""
_CLOSING: Final = re.compile(r"[^\s']'(?!\w)")
"""Possible closing single mark: after a letter or sign, and before none."""
_CERTAIN_CLOSING: Final = re.compile(r"[.,!?\u2026\u2014)]'(?!\w)")
"""Certain closing single mark: after the sign that ends the speech."""
_DASH: Final = re.compile(
    r"(?<=\s)---?(?=\s)|(?<=\w)---?(?=\w)|(?<=[\w,])---?(?=[\"'\u201d\u2019]|\n|$)|(?<=[\"\u201c])---?(?=\w)"
)
"""Hyphens between blanks or words, or at an interruption; those of an option stay."""
_DOTS: Final = re.compile(r"(?<![.\d])\.\.\.(?!\.)|(?<=\d)\.\.\.(?![.\d])")
_NO_PROSE: Final = re.compile(r"[/\\@=<>{}`|_]|:\w")
"""Signs of an address, a path or markup."""
_AFTER_A_WORD: Final = ".,;:!?\u2013\u2014\u201d"
_APOSTROPHE: Final = "\u2019"


def typeset(
    text: str,
    quotes: tuple[str, str] = ("“", "”"),
    language: Language = ENGLISH,
    *,
    spoken: bool = False,
) -> str:
    """Returns `text` with `quotes` for straight double quotes, curved apostrophes and single quotes.

    Ambiguous marks, such as inches or an attribute in markup, stay as typed. A mark opens where a word may
    begin, and closes only a quotation open in its paragraph. Two or three hyphens become a dash between
    words, and three dots an ellipsis. Dashes and spaces before signs are those of the language. Text that is
    `spoken` is in marks already: `quotes` are then for straight single quotes too. The mark of redacted words
    is that of the language.
    """
    text = language.marked(text)
    signs: list[tuple[int, str]] = []
    if emphasis.is_marked(text):
        text, signs = emphasis.lifted(text)
    if "--" in text:
        dashes = ((*found.span(), _dashed(found, language.dash)) for found in _DASH.finditer(text))
        text, signs = _edited(text, dashes, signs)
    if "..." in text:
        dots = (
            (*found.span(), found[0] if _NO_PROSE.search(_word_around(found)) else "\u2026")
            for found in _DOTS.finditer(text)
        )
        text, signs = _edited(text, dots, signs)
    if "''" in text:
        text, signs = _edited(text, _double_marks(text), signs)
    if '"' in text or "'" in text:
        text, signs = _edited(text, _quotation_marks(text, quotes, spoken=spoken), signs)
    if language.spaced:
        text, signs = _edited(text, _set_off(text, language.spaced), signs)
    return emphasis.put_back(text, signs) if signs else text


_Edit = tuple[int, int, str]
"""Start and end of what is replaced, and what takes its place."""


def _edited(
    text: str, edits: Iterable[_Edit], signs: Sequence[tuple[int, str]]
) -> tuple[str, list[tuple[int, str]]]:
    """Returns an edited text, and the places of the signs of emphasis in it."""
    parts: list[str] = []
    moved: list[tuple[int, str]] = []
    at = shift = 0
    for start, end, new in edits:
        while signs and len(moved) < len(signs) and signs[len(moved)][0] < end:
            place, sign = signs[len(moved)]
            moved.append((min(place, start) + shift, sign))
        parts += (text[at:start], new)
        shift += len(new) - (end - start)
        at = end
    moved += ((place + shift, sign) for place, sign in signs[len(moved) :])
    return "".join((*parts, text[at:])), moved


_SIGNS: Final = re.compile(
    r"`[^`\n]+`|(?<=[\w\u2026\u2019\u201d\u00bb)\]])"
    r"(?:[ \u00a0\u202f]?([;!?]+|:)(?=[\s\u201d\u00bb]|\Z)|([;!?]+)(?=\)))"
)
"""Code between backticks; or a sign after a word and before a blank, a closing mark or the end, which is
none of an address, a time or a smiley."""


def _set_off(text: str, signs: str) -> Iterator[_Edit]:
    """Yields a narrow no-break space before each of `signs`, a no-break space before a colon."""
    for found in _SIGNS.finditer(text):
        sign = found[1] or found[2]
        if sign is not None and sign[0] in signs:
            yield *found.span(), ("\u00a0" if sign == ":" else "\u202f") + sign


def _dashed(found: re.Match[str], dash: str) -> str:
    """Returns the dash for two or three typed hyphens; the hyphens themselves in addresses and markup.

    Two hyphens between blanks or numbers become an en dash, hyphens between words `dash`, others an em dash.
    """
    if _NO_PROSE.search(_word_around(found)):
        return found[0]
    stands_alone = found.string[found.start() - 1 : found.start()].isspace()
    between_numbers = found.string[found.start() - 1 : found.start()].isdigit() and (
        found.string[found.end() : found.end() + 1].isdigit()
    )
    if found[0] == "--" and (stands_alone or between_numbers):
        return "\u2013"
    behind = found.string[found.end() : found.end() + 1]
    between_words = found.string[found.start() - 1 : found.start()].isalnum() and behind.isalnum()
    return dash if between_words and not between_numbers else "\u2014"


def _word_around(found: re.Match[str]) -> str:
    """Returns the characters directly before and after a match, up to the next blanks."""
    before = found.string[: found.start()].rpartition(" ")[-1].rpartition("\n")[-1]
    return before + found.string[found.end() :].partition(" ")[0].partition("\n")[0]


def _quotation_marks(text: str, quotes: tuple[str, str], *, spoken: bool) -> Iterator[_Edit]:
    """Yields the typographic signs for the quotation marks and apostrophes of each paragraph."""
    at = 0
    for number, part in enumerate(line_ends.BETWEEN_PARAGRAPHS.split(text)):
        if not number % 2:
            for place, sign in _of_paragraph(part, quotes, spoken=spoken):
                yield at + place, at + place + 1, sign
        at += len(part)


def _double_marks(text: str) -> Iterator[_Edit]:
    """Yields a double quotation mark for each two apostrophes around a quotation."""
    for found in _TWO_APOSTROPHES.finditer(text):
        yield found.start(), found.start() + 2, '"'
        yield found.end() - 2, found.end(), '"'


def _of_paragraph(text: str, quotes: tuple[str, str], *, spoken: bool) -> Iterator[tuple[int, str]]:
    open_now: list[str] = []
    last_closing, last_certain = (
        max((found.end() - 1 for found in sign.finditer(text)), default=-1)
        for sign in (_CLOSING, _CERTAIN_CLOSING)
    )
    for found in _MARK.finditer(text):
        at = found.start()
        yield (
            at,
            _double(text, at, open_now, quotes)
            if found[0] == '"'
            else _single(
                text,
                at,
                open_now,
                quotes if spoken and '"' not in open_now else INNER.get(quotes),
                closes=at < (last_certain if _DROPPED_H.match(text, at) else last_closing),
            ),
        )


def _may_open(text: str, at: int, open_now: list[str]) -> bool:
    """True if the quotation mark at `at` may open a quotation: before a word, not directly behind one.

    `open_now` holds the quotations already open.
    """
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


def _single(text: str, at: int, open_now: list[str], inner: tuple[str, str] | None, *, closes: bool) -> str:
    """Returns the typographic sign for the single mark at `at`: an apostrophe or one of the marks `inner`.

    Opens or closes a quotation in `open_now`; `closes` is true if a later mark can close it.
    """
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if before.isalpha() and after.isalpha():
        return _APOSTROPHE
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


Letter = Callable[[str], str]


def typesetter_of(voice: Voice) -> Letter:
    """Returns a function that typesets titles, names and sentences as the voice does, without their marks."""
    if not voice.typographic:
        return _plain
    return lambda text: typeset(_plain(text), voice.quotes, voice.phrases.language)


def typesetter_of_words(voice: Voice) -> Letter:
    """Returns a function for people's own words: their marks and line ends, typeset as the voice does.

    A voice that is not typographic has the words without their marks.
    """
    if not voice.typographic:
        return partial(told_words, voice=voice)
    return lambda text: typeset(told_words(text, voice), voice.quotes, voice.phrases.language)


def told_words(text: str, voice: Voice) -> str:
    """Returns a typed text with signs of emphasis, if the voice has any, and with its own line ends."""
    lines = unwrapped(text)
    return emphasis.marked(lines) if voice.typographic else _plain(lines)


def _plain(text: str) -> str:
    """Returns a typed text without marks."""
    return emphasis.unsigned(marks.plain(text)) if "*" in text or "_" in text or not text.isascii() else text


def unenclosed(spoken: str, quotes: tuple[str, str]) -> str:
    """Returns typeset speech for a place without marks around it: those inside have the outer `quotes`."""
    inner = INNER.get(quotes)
    if inner is None or inner[0] not in spoken:
        return spoken
    begin, end = map(re.escape, inner)
    within = rf"{begin}((?:[^{begin}{end}]|(?<=\w){end}(?=\w))*){end}(?!\w)"
    return re.sub(within, lambda found: f"{quotes[0]}{found[1]}{quotes[1]}", spoken)
