"""Rolls of Fantasy Grounds: an expression and its total in brackets; faces of single dice only."""

from __future__ import annotations

import re
from typing import Final

from retold.sources.dice.throw import Die, Term, Throw, calculated, keeping, summed, thrown, told

_TERM: Final = re.compile(
    r"(?P<count>\d{0,3})[a-z](?P<sides>\d{1,4})(?P<which>[a-z!]{1,2})?(?P<kept>\d{1,3})?"
)
_NUMBER: Final = re.compile(r"\d{1,6}")
_DIE: Final = re.compile(r"(?P<count>\d{0,3})[a-z](?P<sides>\d{1,4})(?![\da-z!])")
_TOTAL: Final = re.compile(r"(?P<asked>[^=\n]{0,300}?)\s?(?P<equals>=?)\s?(?P<total>-?\d{1,9})")
_CLAUSE: Final = re.compile(r"\((?P<asked>[^()=\n]{1,80})=(?P<total>-?\d{1,6})\)")
_DROPPED: Final = re.compile(r"\[DROPPED (?P<face>\d{1,4})\]")


def throw_of(shown: str, words: str) -> Throw | None:
    """Throw in brackets behind a line, such as `1d20+5 = 17`; None for a bare number.

    `words` is the line: it says what the throw was for, and of an advantage which die was dropped.
    """
    found = _TOTAL.fullmatch(shown.strip())
    if found is None:
        return told(f"{words} [{shown}]") if re.search(r"\d?[a-z]\d", shown) else None
    asked, total = found["asked"].strip(), int(found["total"])
    if not re.search(r"[a-z]", asked):
        asked = _by_clauses(words, total)
    if not asked:
        return None
    told_so = f"{words.strip()} [{shown.strip()}]".strip()
    terms = summed(re.sub(r"\s", "", asked), _TERM, _NUMBER, _term)
    if terms is None:
        expression, dice = calculated(
            asked, _DIE, lambda die: Term(int(die["count"] or 1), int(die["sides"]))
        )
        return thrown(told_so, dice, total, asked=expression) if expression else told(told_so)
    return thrown(told_so, _with_face(terms, total, words), total)


def _by_clauses(words: str, total: int) -> str:
    """Expression joined from clauses such as `[TYPE: piercing (1d8+1=8)]`; "" unless these sum to `total`."""
    clauses = list(_CLAUSE.finditer(words[:2_000]))
    summed = sum(int(clause["total"]) for clause in clauses)
    asked = "+".join(clause["asked"].strip() for clause in clauses)
    return asked if clauses and summed == total and re.search(r"[a-z]\d", asked) else ""


def _term(found: re.Match[str], sign: int) -> Term:
    which, count = found["which"] or "", int(found["count"] or 1)
    is_kept = which in ("k", "kh", "kl", "d", "dl", "dh")
    modifier = keeping(which, int(found["kept"] or 1), count) if is_kept else None if which else ""
    return Term(count, int(found["sides"]), sign, modifier or "", plain=modifier is not None)


def _with_face(terms: list[Term], total: int, words: str) -> list[Term]:
    """Terms with the face of a single die, found as the total minus the plain numbers.

    The dice of an advantage or a disadvantage are one in the log; the other one may stand in the words.
    """
    dice = [place for place, term in enumerate(terms) if term.sides]
    rest = sum(term.value for term in terms if not term.sides)
    if not dice:
        return terms
    first = terms[dice[0]]
    is_better, is_worse = "[ADV]" in words, "[DIS]" in words
    doubled = is_better != is_worse and (first.count, first.sides, first.sign) == (1, 20, 1)
    faces: tuple[Die, ...] = ()
    if len(dice) == 1 and first.count == 1 and first.sign == 1 and not first.modifier:
        faces = (Die(total - rest),)
    count, modifier = first.count, first.modifier
    if doubled:
        count, modifier = 2, f"k{'h' if is_better else 'l'}1"
    other = _DROPPED.search(words)
    if count == 2 and modifier in ("kh1", "kl1") and other and len(dice) == 1:
        faces = (Die(total - rest), Die(int(other["face"]), kept=False))
        right = (faces[0].face >= faces[1].face) == (modifier == "kh1") or faces[0].face == faces[1].face
        faces = faces if right else ()
    elif doubled:
        faces = ()
    changed = Term(count, first.sides, first.sign, modifier, faces, first.plain)
    return [changed if place == dice[0] else term for place, term in enumerate(terms)]
