"""Words of other tables on a line that rolls dice: whole words for `adv`, and what the dice are for."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from msgspec.structs import replace

from retold.journal.decks.expressions import TWICE
from retold.journal.language.lexing import Lexed
from retold.journal.language.tokens import KEYWORDS, Segment, Token, Unreadable, is_dice
from retold.journal.names import CLOSE, nearest

_BEFORE_A_GOAL: Final = ("vs", "under")
GOALS: Final = frozenset({"dc", "ac", "against", "difficulty", "tn", "versus", "vs"})
"""Words before a number that is to be reached."""


def tidied(lexed: Lexed, fits: Callable[[Lexed], bool]) -> Lexed:
    """Returns a line that rolls dice, with `advantage` as `adv`, and words behind the dice as its text.

    `roll Zel 2d6+3 fire` becomes `roll Zel 2d6+3: fire`, and `2d6=3,4` is `2d6 = 3 4`. Words are left where
    the line fits a form with them (`fits`). Raises Unreadable for a word behind the dice that is a slip of
    `adv`, `vs` and their like, and for words that ask for several throws.
    """
    line = _with_results(replace(lexed, tokens=(*lexed.tokens[:1], *map(_short, lexed.tokens[1:]))))
    if not fits(line):
        line = replace(line, tokens=tuple(_with_goal(_with_numbers(line.tokens))))
    if fits(line) or line.text is not None:
        return line
    for place in range(len(line.tokens) - 1, 0, -1):
        words = line.tokens[place:]
        if not _ends_dice(line.tokens[:place]) or not _are_words(words):
            continue
        if (meant := _slip_of(words[0].text)) is not None:
            raise Unreadable(f"Did you mean {meant}?", words[0].column)
        if _REPEATED.fullmatch(told := " ".join(word.text for word in words).lower()):
            meant = f"“{told}” may be several throws or a product: a line for each, or *3."
            raise Unreadable(meant, words[0].column)
        if _SECRETLY.fullmatch(told):
            return tidied(replace(line, tokens=line.tokens[:place], flags={**line.flags, "gm": None}), fits)
        if (kept := _kept(line.tokens[place - 1], words)) is not None:
            return tidied(replace(line, tokens=(*line.tokens[: place - 1], kept)), fits)
        head = replace(line, tokens=line.tokens[:place], text=" ".join(word.text for word in words))
        if fits(head):
            return head
    return line


_RESULTS: Final = re.compile(
    r"(?P<dice>(?:[^=\[\]]|(?<=[<>!])=)+?)(?:(?<![<>!])=|(?=\[[\d,]+\]$))(?P<results>.*)", re.DOTALL
)


def _with_results(line: Lexed) -> Lexed:
    """Returns a line whose results stand right behind its dice with them apart: `2d6=3,4`, `2d6 [3, 4]`."""
    for place, token in enumerate(line.tokens) if line.results is None else ():
        found = _RESULTS.fullmatch(token.text) if token.bare else None
        dice = Token((Segment(found["dice"], False),), token.column) if found else token
        if found and is_dice(dice):
            behind = (found["results"], *(other.text for other in line.tokens[place + 1 :]))
            faces = re.findall(r"[^\s,\[\](){}]+", " ".join(behind))
            return replace(line, tokens=(*line.tokens[:place], dice), results=tuple(faces)) if faces else line
    return line


_KEPT: Final = re.compile(
    r"(?:(?P<does>drop|keep)s?(?: the)?(?: (?P<n>\d+))? )?"
    r"(?P<end>lowest|highest|best|worst|top)(?: (?P<last>\d+))?"
    r"|(?P<sort>drop|keep)s? (?P<many>\d+)"
)
_SECRETLY: Final = re.compile("secretly|in secret|hidden|privately|behind the screen|for (?:the )?[gd]m")
"""Words for a roll that only the game master sees."""
_REPEATED: Final = re.compile(r"x ?\d+|\d+ ?x|(?:\d+|two|three|four|five|six) times|twice|thrice")
_SIGNS: Final = {"plus": "+", "minus": "-"}


def _kept(dice: Token, words: Sequence[Token]) -> Token | None:
    """Returns dice with words as a sign, such as `4d6dl1` for `4d6 drop lowest`; None for other words."""
    found = _KEPT.fullmatch(" ".join(word.text for word in words).lower())
    if found is None or not is_dice(dice):
        return None
    does = found["does"] or found["sort"] or "keep"
    end = found["end"] or ("lowest" if does == "drop" else "highest")
    many = found["n"] or found["last"] or found["many"] or 1
    sign = f"{does[0]}{'h' if end in ('highest', 'best', 'top') else 'l'}{many}"
    return Token((Segment(f"{dice.text}{sign}", False),), dice.column)


def _with_numbers(tokens: Sequence[Token]) -> list[Token]:
    """Returns tokens with numbers added by a word: `1d20+5` for `1d20 plus 5`; `with adv` is `adv`."""
    joined: list[Token] = []
    for token in tokens:
        before = joined[-1].text.lower() if joined and joined[-1].bare else ""
        sign = _SIGNS.get(before)
        if sign is not None and token.text.isdecimal() and joined[1:] and is_dice(joined[-2]):
            whole = f"{joined[-2].text}{sign}{token.text}"
            joined[-2:] = [Token((Segment(whole, False),), joined[-2].column)]
        elif before == "with" and token.bare and token.text in ("adv", "dis") and joined[1:]:
            joined[-1] = token
        else:
            joined.append(token)
    return joined


def _with_goal(tokens: Sequence[Token]) -> list[Token]:
    """Returns tokens with `vs` for other words between dice and a number to reach: `dc 13`, `vs dc 13`."""
    told: list[Token] = []
    for token in tokens:
        place = len(told)
        while place and told[place - 1].bare and told[place - 1].text.lower() in GOALS:
            place -= 1
        if token.text.isdecimal() and 0 < place < len(told) and _ends_dice(told[:place]):
            told[place:] = [Token((Segment("vs", False),), told[place].column)]
        told.append(token)
    return told


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
