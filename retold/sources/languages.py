"""Guess of the language in which a log's words are, by its frequent short words or its letters."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from retold.journal.refused import Refused

MOST: Final = 200_000
"""Characters of a log that are looked at."""
_LEAST_WORDS: Final = 60
"""Words from which a guess is made."""
_COMMON: Final = 0.08
"""Share of the words that the frequent ones of a language have at least."""
_CLEARLY: Final = 1.4
"""How many times as many of them there are as of any other language."""
_SCRIPT: Final = 0.3
"""Share of all letters from which letters of a language's own say which it is."""
_OWN: Final = 0.05
"""Share of all letters from which those that others of the same script lack say which it is."""
_WORD: Final = re.compile(r"[^\W\d_]+")
_TAG: Final = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z\d]{2,8}){0,3}")


def check_language(tag: str) -> str:
    """Returns the tag of a language, as it is. Raises Refused for another text."""
    if not _TAG.fullmatch(tag):
        raise Refused(f"{tag!r} is no tag of a language; write it as es, de or pt-BR.")
    return tag


_Letters: TypeAlias = Mapping[str, re.Pattern[str]]


@cache
def _languages() -> tuple[Mapping[str, Sequence[str]], _Letters, _Letters]:
    """Languages by their words, and patterns of letters by their languages: all letters, and a few."""
    table = tomllib.loads((Path(__file__).parent / "languages.toml").read_text("utf-8"))
    words: dict[str, tuple[str, ...]] = {}
    for language, frequent in table["words"].items():
        for word in frequent.split():
            words[word] = (*words.get(word, ()), language)
    letters, own = (
        {language: re.compile(f"[{signs}]") for language, signs in table[part].items()}
        for part in ("letters", "own")
    )
    return words, letters, own


class Heard:
    """Words of a log so far, by the languages that they may be of."""

    def __init__(self) -> None:
        self._left = MOST
        self._letters = self._words = 0
        self._frequent: Counter[str] = Counter()
        self._scripts: Counter[str] = Counter()
        self._own: Counter[str] = Counter()

    def add(self, text: str) -> None:
        """Counts the words of a text, unless enough is known."""
        if self._left <= 0:
            return
        self._left -= len(text)
        words, scripts, own = _languages()
        found = _WORD.findall(text.lower())
        self._words += len(found)
        self._letters += sum(map(len, found))
        for word in found:
            self._frequent.update(words.get(word, ()))
        if not text.isascii():
            for counts, known in ((self._scripts, scripts), (self._own, own)):
                for language, letters in known.items():
                    counts[language] += len(letters.findall(text))

    @property
    def language(self) -> str:
        """Tag of the language, such as `es`; empty where it is not clear."""
        for counts, least in ((self._own, _OWN), (self._scripts, _SCRIPT)):
            for language, number in counts.items():
                if number > least * self._letters:
                    return language
        if self._words < _LEAST_WORDS or not self._frequent:
            return ""
        (best, number), (_, next_number) = (*self._frequent.most_common(2), ("", 0))[:2]
        return best if number >= max(_COMMON * self._words, _CLEARLY * next_number) else ""
