"""Rolls in free form: an expression, its faces in brackets, and a total."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from retold.journal.decks.dice import FUDGE as FUDGE_SIZE
from retold.journal.decks.expressions import parse_throw
from retold.journal.refused import Refused
from retold.sources.dice.throw import (
    FUDGE,
    MOST_WORDS,
    Die,
    Term,
    Throw,
    calculated,
    in_retolds_order,
    thrown,
)

_MODIFIERS: Final = r"(?:-[LH](?![^\W_]))?(?:(?:k[hl]?|d[hl]?|ro?|!{1,2}o?|mi|ma|[<>]=?)\d{1,4}|!){0,5}"
_DICE: Final = rf"\d{{0,3}}d(?:\d{{1,6}}|%){_MODIFIERS}"
_TERM: Final = rf"\(?(?:{_DICE}|\d{{1,6}}(?![\dd])){{1}}\)?"
_END: Final = r"(?![\w!]|\.\w)"
_FACE: Final = r"[~*_]{0,4}\d{1,6}[!dr]?[~*_]{0,4}!?"
_FACES: Final = re.compile(
    rf"[\[(]\s{{0,9}}(?P<faces>{_FACE}(?:\s{{0,9}}[,+]\s{{0,9}}{_FACE}){{0,999}}+)\s{{0,9}}[\])]"
)
# Every repetition has a bound: without one, a text of 200,000 signs takes minutes.
_ASKED: Final = re.compile(
    rf"(?<![\w./:])(?P<asked>(?:max|min)\({_TERM}(?:\s{{0,9}},\s{{0,9}}{_TERM}){{1,9}}\)"
    rf"(?:\s{{0,9}}[-+]\s{{0,9}}{_TERM}{_END})?"
    rf"|(?:\d{{1,6}}\s{{0,9}}[-+*]\s{{0,9}}){{0,3}}\(?{_DICE}{_END}(?:\s{{0,9}}[-+*/]\s{{0,9}}{_TERM}{_END}){{0,40}}+)",
    re.IGNORECASE,
)
_TOLD: Final = re.compile(
    r"(?:=>(?![\d\s+-]{1,99}=)|=(?!\s{0,9}-?\d{1,6}\s{0,9}[-+*/][\d\s+*/-]{1,99}=\s{0,9}-?\d)|→|⟶|->|\b[Tt]otal:?|\b[Rr]esult:?"
    r"|:(?:(?<=d\d:)|(?<=d\d\d:)|(?<=d100:)|(?<=[-+]\d:)|(?<=[-+]\d\d:)|(?<=[-+] \d:)|(?<=\d[\])]:))"
    r"(?=\s{1,9}-?\d{1,9}[ \t]{0,9}(?:[\n!.(]|\Z))"
    r"|\n(?<=\d\n)(?=-?\d{1,6}[ \t]{0,9}(?:\n|\Z)))"
    r"\s{0,9}[*`_]{0,9}(?P<total>-?\d{1,9})(?![\w.,]{0,99}\d)",
    re.IGNORECASE,
)
_BEFORE_TOTAL: Final = 820
"""Most characters between dice and their total, and a few more."""
_ROLL: Final = re.compile(
    rf"{_ASKED.pattern}(?P<between>[^\n=→⟶]{{0,400}}?(?:[=→⟶]\s{{0,9}}(?=[\[(])[^\n=→⟶]{{0,400}}?)?"
    rf"(?:=>?[\d\s+*/-]{{1,99}}|\n(?:[\d+() -]{{1,60}}\n)?(?=\s?=))?){_TOLD.pattern}",
    re.IGNORECASE,
)
_SUM: Final = re.compile(r"(?:=>?|:|\n)[\d\s+*/-]{1,99}(?==)")
_PART: Final = re.compile(rf"{_DICE}|\d{{1,6}}", re.IGNORECASE)
_TOTAL_FIRST: Final = re.compile(
    r"(?<![\w.])(?P<total>-?\d{1,9})[`*_\s]{0,9}(?:⟵|←|<-)\s{0,9}(?P<rest>[^\n]{1,400})"
)
_FACES_FIRST: Final = re.compile(
    rf"(?P<faces>{_FACES.pattern.replace('?P<faces>', '?:')})\s{{0,9}}(?P<dice>{_DICE})", re.IGNORECASE
)
_DIE: Final = re.compile(
    rf"(?P<count>\d{{0,3}})d(?P<sides>\d{{1,6}}|%)(?P<modifiers>{_MODIFIERS})", re.IGNORECASE
)
_DROPS: Final = re.compile("-([lh])")
"""Die that is dropped, as in `4d6-L`."""
_LIST: Final = re.compile(rf"(?<![\w.]){_FACE}(?:\s{{0,9}}[,+]\s{{0,9}}{_FACE}){{1,99}}+(?!\w)")
_TOTAL: Final = re.compile(
    r"(?:[=→⟶:]|\btotal|\bresult|\bsum|\brolled|\brolls|\bgot|\A)[^\w\n-]{0,12}(?P<total>-?\d{1,9})(?![\w.,/]*\d|d)",
    re.IGNORECASE,
)
_MENTION: Final = re.compile(
    r"\s{0,9}<?@[^\n:`*\[(]{1,60}?(?:>|(?=\s{0,9}(?:\n|:|\brolled|\brolls|\bgot|[`*\[(\d])))"
)


def throws(text: str) -> tuple[Throw, ...]:
    """Throws that are written out with a total; nothing for an expression alone."""
    found = tuple(
        _of(roll[0][opens:], roll["asked"][opens:], _groups(roll["between"]), int(roll["total"]))
        for roll in _rolls(text)
        for opens in (roll["asked"].startswith("(") and ")" not in roll["asked"],)  # of the words around it
    )
    return found or tuple(
        _total_first(found) for found in _TOTAL_FIRST.finditer(text) if _DIE.search(found["rest"])
    )


def _rolls(text: str) -> Iterator[re.Match[str]]:
    """Expressions with a total behind them; they are read only where a total is near."""
    at = 0
    total = _TOLD.search(text)
    while total is not None and (asked := _ASKED.search(text, at)) is not None:
        at = asked.end()
        if total.start() < at and (total := _TOLD.search(text, at)) is None:
            return
        if total.start() - at <= _BEFORE_TOTAL and (roll := _ROLL.match(text, asked.start())) is not None:
            at = roll.end()
            yield roll


def _total_first(found: re.Match[str]) -> Throw:
    """Throw told from its end, with the faces in front of their dice: `12 ⟵ [6, 3]2d6 + 3`."""
    rest = found["rest"].replace("`", "")
    groups = _groups("".join(one["faces"] for one in _FACES_FIRST.finditer(rest)))
    return _of(found[0], _FACES.sub("", rest).strip(" .*_"), groups, int(found["total"]))


def _of(words: str, asked: str, groups: Sequence[Sequence[tuple[Die, bool]]], total: int) -> Throw:
    groups = groups or _summed(asked, words)
    numbers = [(int(one["count"] or 1), one["modifiers"]) for one in _DIE.finditer(asked)]
    if not groups and numbers == [(1, "")] and re.fullmatch(_DICE, asked, re.IGNORECASE):
        groups = [[(Die(total), False)]]
    left = iter(_shared(groups, [count for count, _ in numbers]))
    expression, terms = calculated(asked.casefold(), _DIE, lambda die: _term(die, next(left, [])))
    return thrown(words, terms, total, asked=expression, formula=f"{' '.join(asked.split())} = {total}")


def _summed(asked: str, words: str) -> list[list[tuple[Die, bool]]]:
    """Faces of dice whose sum is written out behind them: `2d6+1 = 3 + 4 + 1 = 8`; none if it is shorter."""
    told = _SUM.search(words)
    numbers = re.findall(r"\d+", told[0]) if told else []
    groups = []
    for part in _PART.finditer(asked):
        die = _DIE.fullmatch(part[0])
        count = int(die["count"] or 1) if die else 1
        mine, numbers = numbers[:count], numbers[count:]
        if len(mine) < count or not (die or mine == [part[0]]):
            return []
        groups += [[(Die(int(face)), False) for face in mine]] if die else []
    return [] if numbers else groups


def answer(text: str, asked: str) -> Throw | None:
    """Throw of an answer that does not repeat what was `asked`; None if it tells no faces and no total."""
    expression, purpose = split(asked)
    if not expression or len(text) > MOST_WORDS:
        return None
    words = _MENTION.sub("", text, count=1)
    lists = [_FACES.search(f"[{one[0]}]") for one in _LIST.finditer(words)]
    groups = _groups(words) or [_lain(one["faces"]) for one in lists[:1] if one]
    totals = [int(one["total"]) for one in _TOTAL.finditer(_LIST.sub(" ", _FACES.sub(" ", words)))]
    if not groups and not totals:
        return None
    total = totals[-1] if totals else None
    dice = parse_throw(expression).dice
    if not groups and total is not None and str(parse_throw(expression)) == f"1d{dice[0].size}":
        groups = [[(Die(total), False)]]
    shared = _shared(groups, [one.count for one in dice])
    terms = [
        Term(
            one.count,
            FUDGE if one.size == FUDGE_SIZE else one.size,
            1,
            str(one).partition("d")[2].lstrip("0123456789"),
            _ordered(faces, one.count),
        )
        for one, faces in zip(dice, shared, strict=False)
    ]
    if len(terms) < len(dice):
        terms += [Term(one.count, one.size) for one in dice[len(terms) :] if one.size]
    formula = expression if total is None else f"{expression} = {total}"
    return thrown(text.strip(), terms, total, asked=expression, formula=formula, text=purpose)


def split(asked: str) -> tuple[str, str]:
    """Dice at the beginning of a command's words, in Retold's notation, and what they were for.

    Both are empty if the table's dice reader takes no beginning of them.
    """
    words = asked[:MOST_ASKED].split()
    for number in range(len(words), 0, -1):
        try:
            parsed = parse_throw(" ".join(words[:number]))
        except Refused:
            continue
        if not parsed.names:
            return str(parsed), " ".join(words[number:]).lstrip("!#; ")
    return "", ""


MOST_ASKED: Final = 200
"""Longest command in which dice are looked for, in characters."""


def _groups(text: str) -> list[list[tuple[Die, bool]]]:
    return [_lain(found["faces"]) for found in _FACES.finditer(text)]


def _lain(faces: str) -> list[tuple[Die, bool]]:
    """Faces of a list, each with whether it brought another: `~~4~~` and `4d` are dropped, `6!` exploded."""
    return [
        (Die(int(re.sub(r"\D", "", part)), kept="~~" not in part and "d" not in part), "!" in part)
        for part in re.split(r"[,+]", faces)
    ]


def _shared(
    groups: Sequence[Sequence[tuple[Die, bool]]], counts: Sequence[int]
) -> Iterator[Sequence[tuple[Die, bool]]]:
    """Faces of each dice term: a group for each, or all from one group."""
    if len(groups) == len(counts):
        yield from groups
        return
    faces = [one for group in groups for one in group]
    for place, count in enumerate(counts):
        mine, faces = (faces, []) if place == len(counts) - 1 else (faces[:count], faces[count:])
        yield mine


def _term(found: re.Match[str], faces: Sequence[tuple[Die, bool]]) -> Term:
    count = int(found["count"] or 1)
    sides = 100 if found["sides"] == "%" else int(found["sides"])
    modifiers = _DROPS.sub(r"d\g<1>1", found["modifiers"])
    kept = [die.face for die, _ in faces if die.kept]
    if not modifiers and kept and len(kept) < len(faces) == count:  # struck out, and asked for in other words
        is_high = sum(kept) == sum(sorted((die.face for die, _ in faces), reverse=True)[: len(kept)])
        modifiers = f"k{'h' if is_high else 'l'}{len(kept)}"
    return Term(count, sides, 1, modifiers, _ordered(faces, count))


def _ordered(faces: Sequence[tuple[Die, bool]], count: int) -> tuple[Die, ...]:
    """Faces in Retold's order, if some are marked as exploded; as they stand if none is."""
    if not any(exploded for _, exploded in faces):
        return tuple(die for die, _ in faces)
    first, lying = in_retolds_order(faces, is_rerolled=False)
    return lying if first == count else ()
