"""What people write for cards and dice, read by shape alone: whose deck it is, others ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from journal.decks import french, spacetime
from journal.decks.chance import TOTAL
from journal.refused import Refused

MOST_SIGNS: Final = 4
"""Fudge dice in one word; more of them take more words."""

_SIGNS: Final = str.maketrans({"\u2212": "-", "\u229f": "-", "\u229e": "+", "\u22a1": "0"})
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
    """The canonical results in these words, in order: cards of either deck, numbers, fudge faces, `_`.

    Commas are blanks, a card may take several words, and a word may hold up to four fudge faces. A number
    stays a number, without sign or leading noughts where they say nothing. Raises Refused for a word of no
    known shape, naming the nearest that has one; for a card that does not exist; and for a word with two
    readings.
    """
    return tuple(_read([part for word in words for part in word.replace(",", " ").split()]))


def _read(words: list[str]) -> Iterator[str]:
    """Result by result, each made of as many words as will make one."""
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST, len(words) - at), 0, -1):
            found = _one(words[at : at + length])
            if found:
                yield from found
                at += length
                break
        else:
            raise Refused(_unknown(words[at:]))


def _one(words: Sequence[str]) -> tuple[str, ...]:
    """The results these words make together; none if they make none."""
    if [word.casefold() for word in words] == [TOTAL]:
        return (TOTAL,)
    signs = words[0].translate(_SIGNS)
    if len(words) == 1 and _is_fate(signs):
        if len(signs) > MOST_SIGNS:
            raise Refused(f"“{words[0]}” is {len(signs)} fudge dice: write at most {MOST_SIGNS} in one word.")
        return tuple(signs)
    if len(words) == 1 and re.fullmatch(_NUMBER, signs):
        return (str(int(signs)),)
    card = _card(" ".join(words))
    return () if card is None else (card,)


def _is_fate(word: str) -> bool:
    """Whether it is fudge faces; a word of noughts only is, for no die and no card is numbered 00."""
    return re.fullmatch(_FATE, word) is not None


def _card(text: str) -> str | None:
    """The one card the text can be; Refused where two decks have one, or where one nearly has."""
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
    """The sentence about a word nobody can read, with the nearest thing that somebody could."""
    import difflib  # noqa: PLC0415 -- slow to load, and wanted only where something is refused

    word = " ".join(words[:3]) if words[1:2] == ["of"] else words[0]
    folded = {example.casefold(): example for example in _EXAMPLES}
    near = difflib.get_close_matches(word.casefold(), folded, n=1, cutoff=0.5)
    hint = f"did you mean {folded[near[0]]}?" if near else "write JH, T14, unknown:ruler, 7 or ++0-."
    return f"“{word}” is neither a card nor a face: {hint}"
