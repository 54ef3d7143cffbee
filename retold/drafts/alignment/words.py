"""Words of two texts, weighted by rarity, and how much of one paragraph another contains."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from math import log, sqrt

Words = Counter[str]
"""Stems of a paragraph's words, with the count of each."""

_STEM = 4
"""Letters of a word that are compared, so that `wait` is `waited`."""
_SHORT = 3
"""Letters of a word that says little in most languages."""
_COMMON = 4
"""A word that more than one of so many paragraphs has says little."""
_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
"""Japanese and Chinese, which are written without spaces."""
_TYPOGRAPHY = str.maketrans(
    {
        **dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"'),
        **dict.fromkeys("\u2018\u2019\u201a\u2039\u203a", "'"),
        **dict.fromkeys("\u2013\u2014\u2012\u2015", "-"),
        "\u2026": "...",
        "\u00ad": None,
        "\u200b": None,
        "\ufeff": None,
    }
)


def folded(text: str) -> str:
    """Returns the text without what word processors change by themselves: quotes, dashes, spaces."""
    plain = unicodedata.normalize("NFKC", text.translate(_TYPOGRAPHY))
    return " ".join(re.sub("-{2,}", "-", plain).split())


def words_of(text: str) -> Words:
    """Returns the stems of the words of a text, in whatever script."""
    return Counter(_stems(unicodedata.normalize("NFKC", text).casefold()))


def _stems(text: str) -> Iterator[str]:
    for run in _UNSPACED.findall(text):
        yield from map("".join, pairwise(run)) if len(run) > 1 else (run,)
    for word in _WORD.findall(_UNSPACED.sub(" ", text)):
        yield word[:_STEM]


class Weights:
    """Weights of stems in a text: rare ones count more, and short ones half."""

    def __init__(self, paragraphs: Iterable[Words]) -> None:
        """Counts the `paragraphs` that contain each stem."""
        self._found_in: Counter[str] = Counter()
        self._paragraphs = 0
        for words in paragraphs:
            self._paragraphs += 1
            self._found_in.update(words.keys())
        self._known: dict[str, float] = {}

    def __getitem__(self, stem: str) -> float:
        weight = self._known.get(stem)
        if weight is None:
            weight = log(1 + self._paragraphs / max(self._found_in[stem], 1))
            if len(stem) <= _SHORT and not _UNSPACED.match(stem):
                weight /= 2
            self._known[stem] = weight
        return weight

    def share_a_word(self, some: Words, others: Words) -> bool:
        """True if two paragraphs share a word that says something: no short one, and none of every page."""
        few = max(2, self._paragraphs / _COMMON)
        return any(
            (len(stem) > _SHORT or _UNSPACED.match(stem)) and self._found_in[stem] <= few
            for stem in some.keys() & others.keys()
        )

    def of(self, words: Words) -> float:
        """Returns the weight of all words together."""
        return sum(count * self[stem] for stem, count in words.items())

    def shared(self, some: Words, others: Words) -> float:
        """Returns the total weight of the words common to two paragraphs."""
        if len(some) > len(others):
            some, others = others, some
        return sum(min(count, others[stem]) * self[stem] for stem, count in some.items() if stem in others)

    def likeness(self, some: Words, others: Words) -> float:
        """Returns how alike two paragraphs are, 0 to 1."""
        both = self.of(some) * self.of(others)
        return self.shared(some, others) / sqrt(both) if both else 0.0

    def contained(self, some: Words, within: Words) -> float:
        """Returns the share of `some` that `within` contains, 0 to 1."""
        whole = self.of(some)
        return self.shared(some, within) / whole if whole else 0.0


def without(words: Words, others: Sequence[Words]) -> Words:
    """Returns the counts of `words` minus the counts of every text in `others`, never below zero."""
    rest = Counter(words)
    for each in others:
        rest -= each
    return rest
