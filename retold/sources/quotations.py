"""Quotations of earlier messages in front of an answer, which are no words of the one who answers."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import replace
from typing import Final

from retold.sources.conventions import sorted_words
from retold.sources.unit import SPOKEN, Reason, Sort, Unit

_LONGEST: Final = 4_000
"""Characters of a message in which a quotation is looked for."""
_SAYS: Final = r"^[^\n:]{1,60} (?:said|wrote|schrieb|a écrit|dijo|escribió|ha scritto|escreveu) ?:"
_SIGNED: Final = re.compile(
    r"\[quote[^\]\n]{0,200}\](?:(?!\[quote)[^\0]){0,4000}?\[/quote\]"
    rf"|{_SAYS}(?:(?!\n[ \t]*Click to expand)[^\0]){{1,4000}}\n[ \t]*Click to expand[.…]*"
    rf"|{_SAYS} ?↑[^\n]*(?:\n[^\n]+)+(?=\n\n)"
    r"|\AReplying to [\"“][^\n]{1,400}(?=\n)",
    re.IGNORECASE | re.MULTILINE,
)
"""Quotation between the signs of a forum or a meeting."""
_BLOCK: Final = re.compile(
    r"\*\*[^*\n]{1,200}\*\*:? (?:<?:\w{1,40}:(?:\d{1,20}>)? ?)?(?P<shown>[^\n]+)\n+"
    r"|> ?(?P<signed>[^\n]+?) - <?@[^\n]{1,60}\n+"
    rf"|(?:{_SAYS}\s*)?(?P<words>(?:>(?!>>)[^\n]*\n)+)|{_SAYS}\s*(?P<said>[^\n]+(?:\n[^\n]+)*)\n\n",
    re.IGNORECASE,
)
"""Line that a proxy bot puts above an answer, lines behind a sign, or a paragraph below a name."""
_ANSWERED: Final = re.compile(
    r"\n(?:@|[^\n]{1,60} replied to )[^\n]{1,60}\n(?:[^\n]{1,60}\n)?(?P<words>[^\n]+)\Z"
)
"""Lines above an answer that were copied out of Discord, which stand at the end of the message before."""


class Quotations:
    """Reader of one file's units in their order, which knows the words above.

    What is hidden teaches it nothing.
    """

    def __init__(self) -> None:
        self._above: deque[str] = deque(maxlen=300)

    def of(self, unit: Unit) -> Unit:
        """Unit without the words that it quotes, if it has others."""
        if not unit.is_read or unit.sort not in SPOKEN:
            return unit
        text = unit.text
        rest = self._behind(_SIGNED.sub("", text).strip()) if "\n" in text or "[" in text else text
        self._above += [] if unit.hidden else [text]
        if not rest or rest == text.strip():
            return unit
        sort, rest = sorted_words(rest) if unit.sort is Sort.SAID and not unit.throws else (unit.sort, rest)
        return replace(
            unit,
            sort=sort,
            text=rest,
            throws=tuple(throw for throw in unit.throws if throw.words in rest),
            passed=(*unit.passed, Reason.REPEAT),
            whole=unit.whole or text,
        )

    def _behind(self, text: str) -> str:
        """Text without a quoted block at its beginning or end; all of it, if nobody said that before."""
        answered = _ANSWERED.search(text, 0, _LONGEST)
        if answered and self._is_said(answered["words"], text[: answered.start()]):
            text = text[: answered.start()]
        block = _BLOCK.match(text, 0, _LONGEST)
        is_quoted = block and self._is_said(next(filter(None, block.groups())))
        return text[block.end() :].strip() if block and is_quoted else text

    def _is_said(self, words: str, *more: str) -> bool:
        """True if words are part of a text above, or of `more`."""
        plain = _plain(words)
        return bool(plain.strip()) and any(plain in _plain(above) for above in (*self._above, *more))


def _plain(text: str) -> str:
    """Words of a text without signs and case, with a blank around each."""
    return re.sub(r"[\W_]+", " ", f" {text.casefold()} ")
