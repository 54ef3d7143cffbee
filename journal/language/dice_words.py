"""Words of other tables on a line that rolls dice: whole words for `adv`, and what the dice are for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from journal.decks.expressions import TWICE
from journal.language.lexing import Lexed
from journal.language.tokens import KEYWORDS, Segment, Token, Unreadable, is_dice
from journal.names import CLOSE, nearest

_BEFORE_A_GOAL: Final = ("vs", "under")


def tidied(lexed: Lexed, fits: Callable[[Lexed], bool]) -> Lexed:
    """Returns a line that rolls dice, with `advantage` as `adv`, and words behind the dice as its text.

    `roll Zel 2d6+3 fire` becomes `roll Zel 2d6+3: fire`. Words are left where the line fits a form with them
    (`fits`). Raises Unreadable for a word behind the dice that is a slip of `adv`, `vs` and their like.
    """
    line = replace(lexed, tokens=(*lexed.tokens[:1], *map(_short, lexed.tokens[1:])))
    if fits(line) or line.text is not None:
        return line
    for place in range(len(line.tokens) - 1, 0, -1):
        words = line.tokens[place:]
        if not _ends_dice(line.tokens[:place]) or not _are_words(words):
            continue
        if (meant := _slip_of(words[0].text)) is not None:
            raise Unreadable(f"Did you mean {meant}?", words[0].column)
        if (kept := _kept(line.tokens[place - 1], words)) is not None:
            return tidied(replace(line, tokens=(*line.tokens[: place - 1], kept)), fits)
        head = replace(line, tokens=line.tokens[:place], text=" ".join(word.text for word in words))
        if fits(head):
            return head
    return line


_KEPT: Final = re.compile(
    r"(?P<does>drop|keep)s?(?: the)?(?: (?P<n>\d+))? (?P<end>lowest|highest|best|worst)(?: (?P<last>\d+))?"
)


def _kept(dice: Token, words: Sequence[Token]) -> Token | None:
    """Returns dice with words as a sign, such as `4d6dl1` for `4d6 drop lowest`; None for other words."""
    found = _KEPT.fullmatch(" ".join(word.text for word in words).lower())
    if found is None or not is_dice(dice):
        return None
    end = "h" if found["end"] in ("highest", "best") else "l"
    sign = f"{found['does'][0]}{end}{found['n'] or found['last'] or 1}"
    return Token((Segment(f"{dice.text}{sign}", False),), dice.column)


def _short(token: Token) -> Token:
    """Returns `advantage` as `adv`; other words, and names such as Dis, as they are."""
    if not token.bare or token.text not in TWICE:
        return token
    return Token((Segment("adv" if TWICE[token.text] == "h" else "dis", False),), token.column)


def _ends_dice(tokens: Sequence[Token]) -> bool:
    """True if dice, `adv`, `dis` or the number of a goal stand last."""
    last, before = tokens[-1], tokens[-2:-1]
    if is_dice(last) or (last.bare and last.text in TWICE):
        return True
    return last.text.isdecimal() and any(token.text in _BEFORE_A_GOAL for token in before)


def _are_words(tokens: Sequence[Token]) -> bool:
    """True for words that may say what dice are for: none of them is dice or begins a goal."""
    first = tokens[0].text
    return (
        first[:1].isalpha()
        and (first not in KEYWORDS or first in {"to", "with", "as"})
        and not any(is_dice(token) or token.text in _BEFORE_A_GOAL for token in tokens)
    )


def _slip_of(word: str) -> str | None:
    """Returns the word of the form that was misspelled; None if the word is another one."""
    swapped = [short for short in ("adv", "dis") if sorted(short) == sorted(word)]
    return next(iter((*swapped, *nearest(word, (*TWICE, *_BEFORE_A_GOAL), at_least=CLOSE))), None)
