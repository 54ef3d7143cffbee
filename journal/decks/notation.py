"""Parsing of dice and card results as people write them, without knowing which deck is in play."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Final

from retold.journal.decks import french, spacetime
from retold.journal.decks.chance import TOTAL
from retold.journal.decks.expressions import NotDice, is_throw
from retold.journal.refused import Refused

MOST_SIGNS: Final = 4
"""Fudge dice in one word; more of them take more words."""

_BLANKS: Final = str.maketrans(dict.fromkeys(",;[](){}", " "))
_SUM: Final = re.compile(r"[0-9]+(?:[+/|][0-9]+)+")
_BESIDE: Final = frozenset({"nat", "natural", "a", "an", "and", "the"})
"""Words before a result that say no more."""
_SIGNS: Final = str.maketrans({"\u2212": "-", "\u229f": "-", "\u229e": "+", "\u22a1": "0"})
_IN_WORDS: Final = {"plus": "+", "minus": "-", "blank": "0", "zero": "0"} | {
    word: str(number) for number, word in enumerate(french.CARDINALS, 1)
}
"""Faces as they are read aloud."""
_FATE: Final = r"[+0-]+"
_NUMBER: Final = r"[+-]?[0-9]{1,9}"
_LONGEST: Final = 4
"""Words in the longest result: `Soldier of Serpent reversed`."""

_CARDS: Final[tuple[Callable[[str], str | None], ...]] = (french.recognise, spacetime.recognise)
_EXAMPLES: Final = (
    *french.DECK,
    french.JOKER,
    *spacetime.DECK,
    *(f"Triumph {number}" for number in range(1, spacetime.TRIUMPHS + 1)),
    *(f"{rank} of {suit}" for rank in ("ace", "jack", "queen", "king") for suit in french.Suit),
    *(f"{figure} of {suit}" for figure in spacetime.FIGURES for suit in spacetime.Suit),
)


def read_results(words: Sequence[str]) -> tuple[str, ...]:
    """Returns the dice and card results in `words`, each in canonical form: `jack of hearts` → `JH`.

    Results are cards of either deck, numbers, fudge faces, `_` and `total`. Commas, brackets and the signs of
    `3+4` and `3/4` count as blanks; `nat 20` is 20, and `plus` is `+`. A card may take several words, and a
    word may hold up to four fudge faces. A number loses a plus sign and leading zeros. Raises Refused for a
    word that is not a result, naming the nearest one, for a card that does not exist, and for one that may be
    two cards.
    """
    plain = " ".join(unicodedata.normalize("NFKC", word).translate(_BLANKS) for word in words).split()
    return tuple(_read([part for word in plain for part in _summands(word)]))


def _summands(word: str) -> list[str]:
    """Returns the numbers of `3+4` and `3/4`; other words, such as fudge faces `0+0+`, as they are."""
    return [word] if _is_fate(word) or not _SUM.fullmatch(word) else re.split(r"[+/|]", word)


def _read(words: list[str]) -> Iterator[str]:
    """Yields the results in `words`, in order, trying up to four words as one card before fewer.

    Raises Refused for a word that begins no card or other result.
    """
    at = 0
    while at < len(words):
        while words[at].casefold() in _BESIDE and words[at + 1 : at + 2]:
            at += 1
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            found = _one(words[at : at + length])
            if found:
                yield from found
                at += length
                break
        else:
            raise NotDice(_goal_behind(words, at) or _unknown(words[at:]))


def _goal_behind(words: list[str], at: int) -> str | None:
    """Returns the sentence refusing `= 14 vs 13`, with the end of the line to type; None for other words."""
    if words[at] not in {"vs", "under"}:
        return None
    goal = " ".join(words[at : at + 2])
    return (
        f"What is to be reached comes before the results: {goal} = {' '.join(words[:at] + words[at + 2 :])}"
    )


def _one(words: Sequence[str]) -> tuple[str, ...]:
    """Returns the result that all these words form: one card, number or `total`, or up to four fudge faces.

    Empty if they form none.
    """
    if [word.casefold() for word in words] == [TOTAL]:
        return (TOTAL,)
    signs = _IN_WORDS.get(words[0].casefold(), words[0].translate(_SIGNS))
    if len(words) == 1 and _is_fate(signs):
        if len(signs) > MOST_SIGNS:
            raise Refused(f"“{words[0]}” is {len(signs)} fudge dice: write at most {MOST_SIGNS} in one word.")
        return tuple(signs)
    if len(words) == 1 and re.fullmatch(_NUMBER, signs):
        return (str(int(signs)),)
    card = _card(" ".join(words))
    return () if card is None else (card,)


def _is_fate(word: str) -> bool:
    """True for a word of fudge faces, such as `++0-`; `00` counts, as no die or card has that number."""
    return re.fullmatch(_FATE, word) is not None


def _card(text: str) -> str | None:
    """Returns the canonical text of a card of either deck; None for other texts.

    Raises Refused if both decks have such a card, or if the text looks like a card that does not exist.
    """
    readings, complaints = [], []
    for recognise in _CARDS:
        try:
            card = recognise(text)
        except Refused as refused:
            complaints.append(refused)
        else:
            readings.extend([] if card is None else [card])
    if len(readings) > 1:
        raise Refused(f"“{text}” may be {' or '.join(readings)}: write the one you mean.")
    if complaints and not readings:
        raise complaints[0]
    return readings[0] if readings else None


def _unknown(words: Sequence[str]) -> str:
    """Returns the sentence refusing words that are no result, with the nearest known card."""
    word = " ".join(words[:3]) if words[1:2] == ["of"] else words[0]
    if is_throw(word):
        return f"“{word}” is dice, which stand before =: roll {word} = 3 4."
    if word.startswith("("):
        return "After = come results alone: words go after a colon."
    return f"“{word}” is neither a card nor a face: {_hint(word.casefold())}"


@lru_cache(maxsize=256)  # a line that is not understood is read in many ways, with the same words
def _hint(word: str) -> str:
    """Returns the nearest card to a word in small letters, in a question; what to write if none is near."""
    import difflib  # noqa: PLC0415 -- slow to load, and wanted only where something is refused

    folded = {example.casefold(): example for example in _EXAMPLES}
    near = difflib.get_close_matches(word, folded, n=1, cutoff=0.5)
    return f"did you mean {folded[near[0]]}?" if near else "write JH, T14, unknown:ruler, 7 or ++0-."
