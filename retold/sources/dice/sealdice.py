"""Rolls of SealDice, from its notes on commands and from its sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from retold.sources.dice.throw import (
    MOST_NUMBER,
    MOST_WORDS,
    Die,
    Term,
    Throw,
    calculated,
    keeping,
    summed,
    thrown,
    told,
)
from retold.sources.json_objects import is_number, list_in, objects_in, string_in

RANKS: Final = {-2: "大失败", -1: "失败", 1: "成功", 2: "困难成功", 3: "极难成功", 4: "大成功"}
"""Verdicts of Call of Cthulhu in the bot's own words, by the rank it notes."""
_DICE: Final = re.compile(
    r"(?P<count>\d{0,4})d(?P<sides>\d{1,5})(?:(?P<which>kh|kl|k|q)(?P<kept>\d{1,3})?|(?P<twice>优势|劣势))?"
)
_NUMBER: Final = re.compile(r"\d{1,6}(?![\d.])")
_WITHIN: Final = re.compile(r"(?<![\w.])(?P<count>\d{0,4})d(?P<sides>\d{1,5})(?!\d)")
_LAIN: Final = re.compile(
    r"(?P<sum>(?<!\d)\d{1,6})?\[(?P<count>\d{0,4})d(?P<sides>\d{1,5})[khlq\d]{0,6}(?:优势|劣势)?"
    r"(?:=\{?(?P<kept>\d{1,6}(?:[+, ]\d{1,6}){0,99})"
    r"(?:\s?\|\s?(?P<left>\d{1,6}(?:[+, ]\d{1,6}){0,99}))?\}?)?\]"
)
_OF_ONE: Final = re.compile(r"(?P<face>\d{1,6})\[1?d(?P<sides>\d{1,5})\]")
_CHECK: Final = re.compile(
    r"(?<![^\W\d_])(?P<die>1?d\d{1,3}|[bp]\d?)=(?P<face>\d{1,4})/(?P<target>\d{1,4})(?P<rest>[^\n]{0,200})",
    re.IGNORECASE,
)
_BONUS: Final = re.compile(
    r"\(d100=(?P<first>\d{1,3}),\s?(?P<which>奖励|惩罚)\s?(?P<tens>\d(?: \d){0,9})\)", re.IGNORECASE
)
_TENS: Final = re.compile(r"(?P<which>[bp])(?P<many>[1-9]?)")
_SKILL: Final = re.compile(
    r"[\"“](?P<what>[^\"“”\n]{1,60})[\"”]检定|进行(?P<other>[^\s<>:\uff1a\n]{1,30})检定"
)
_ROLL: Final = re.compile(
    r"(?<![\w\[=+])(?P<expression>\d{0,3}d\d{1,4}(?:k[hl]?\d{1,2}|q\d{1,2})?"
    r"(?:[+-]\d{1,3}(?:d\d{1,4})?){0,8})=(?P<rest>[^\n]{1,400})",
    re.IGNORECASE,
)
_ANY: Final = re.compile(r"(?:掷出了|掷骰)[:\uff1a]?\s?(?P<expression>[^=\n]{1,80})=(?P<rest>[^\n]{1,400})")
_MODIFIED: Final = re.compile(
    r"(?P<face>\d{1,3})\[1?d20\] \+ (?P<added>[^\n=]{1,100}) = (?P<total>-?\d{1,4})"
)
_REASON: Final = re.compile(r"由于(?P<what>[^\n\uff0c]{1,60})\uff0c")


def of_command(info: Mapping[str, Any], sentence: str) -> tuple[Throw, ...]:
    """Throws noted for one command; a throw that cannot be read is on the rung WORDS.

    The note has totals. Faces of several dice are taken from the sentence, where they sum to the total.
    """
    items = list_in(info, "items")
    if info.get("cmd") == "st":
        return ()
    lain = list(_LAIN.finditer(sentence.casefold()))
    faces = [found for found in _OF_ONE.finditer(sentence.casefold()) if found["sides"] == "20"]
    found: list[Throw] = []
    for place, item in enumerate(note for note in items if isinstance(note, dict)):
        if _whole(item.get("outcome")) is not None:
            found.append(_check(item, sentence))
        elif info.get("cmd") == "rc" and _whole(item.get("result")) is not None:
            found.append(_modified(item, faces[place] if len(faces) == len(items) else None, sentence))
        elif _whole(item.get("result")) is not None and isinstance(item.get("expr"), str):
            found.append(_roll(item, lain, sentence))
        else:
            found.append(told(sentence, text=_text(item, "reason")))
    return tuple(found)


def tracks_of(info: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Names of tracks that a command changed, with their new values."""
    for item in objects_in(info, "items"):
        if info.get("cmd") == "sc" and _whole(item.get("sanNew")) is not None:
            yield "SAN", str(_whole(item["sanNew"]))
        elif info.get("cmd") == "st" and _whole(item.get("valNew")) is not None and _text(item, "attr"):
            yield _text(item, "attr"), str(_whole(item["valNew"]))


def in_sentence(text: str) -> tuple[Throw, ...]:
    """Throws told in a sentence of the bot, for logs without noted throws."""
    if len(text) > MOST_WORDS or "=" not in text:
        return ()
    skill, reason = _SKILL.search(text), _REASON.search(text)
    what = (skill["what"] or skill["other"]) if skill else reason["what"] if reason else ""
    found: list[Throw] = []
    for line in text.split("\n"):
        throw = _of_line(line)
        if throw:
            found.append(replace(throw, text=what))
    return tuple(found)


def _of_line(line: str) -> Throw | None:
    check = _CHECK.search(line)
    if check:
        face = int(check["face"])
        is_plain = check["die"].casefold() in ("d100", "1d100")
        term = Term(1, 100, dice=(Die(face),)) if is_plain else _with_bonus(check["rest"], check["die"])
        rest = re.sub(r"^, \([^()]*\)", "", check["rest"]).strip()
        return replace(thrown(line, [term], face), against=f"<={check['target']}", verdict=rest)
    modified = _MODIFIED.search(line.casefold())
    if modified:
        return _with_face(line, int(modified["face"]), int(modified["total"]))
    roll = _ROLL.search(line) or _ANY.search(line)
    if roll is None:
        return None
    parts = re.sub(r"\[[^\[\]]*\]", "", roll["rest"]).split("=")
    total = re.match(r"\s*(?P<total>-?\d{1,9})(?![\d.])", parts[-1])
    return _of_roll(line, roll, parts, int(total["total"])) if total else None


def _of_roll(line: str, roll: re.Match[str], parts: Sequence[str], total: int) -> Throw | None:
    """Throw of an expression, with faces from brackets or from a sum; None if the expression has no dice."""
    terms = _terms(roll["expression"])
    if terms is None:
        within = _WITHIN.search(roll["expression"].casefold())
        return (
            _calculated(line, roll["expression"], list(_LAIN.finditer(line.casefold())), total)
            if within
            else None
        )
    faces = re.fullmatch(r"\d{1,6}(?:\+\d{1,6}){1,99}", parts[0].strip()) if len(parts) > 1 else None
    dice = [term for term in terms if term.sides]
    if faces and len(terms) == 1 and len(dice) == 1:
        lying = tuple(Die(int(face)) for face in faces[0].split("+"))
        return thrown(line, [replace(dice[0], dice=lying)], total)
    lain = list(_LAIN.finditer(roll["rest"].casefold()))
    return thrown(line, _lying(terms, lain, total), total) if dice else None


def _check(item: Mapping[str, Any], sentence: str) -> Throw:
    """Check against a skill, or against sanity: one die of 100, or another that is named."""
    outcome, rank = _whole(item.get("outcome")) or 0, _whole(item.get("rank"))
    expressions = list_in(item, "exprs")
    first = expressions[0] if expressions else item.get("expr1", "d100")
    terms = _terms(first) if isinstance(first, str) else None
    if terms is None or len(terms) > 1 or not terms[0].sides or terms[0].count > 1:
        terms = [_with_bonus(sentence, first if isinstance(first, str) else "")]
    elif not terms[0].modifier:
        terms = [replace(terms[0], dice=(Die(outcome),))]
    target = _whole(item.get("checkVal"))
    target = _whole(item.get("sanOld")) if target is None else target
    return replace(
        thrown(sentence, terms, outcome),
        text=_text(item, "expr2") or ("SAN" if "sanOld" in item else ""),
        against="" if target is None else f"<={target}",
        verdict=RANKS.get(rank or 0, ""),
    )


def _with_bonus(words: str, asked: str) -> Term:
    """Dice of 1d100 with bonus or penalty tens, each possible result as a die; no faces if tens are not told.

    Of bonus dice the lowest counts, of penalty dice the highest. `asked` is such as `b` or `p2`.
    """
    found = _BONUS.search(words[:MOST_WORDS])
    if found is None:
        tens = _TENS.fullmatch(asked.casefold())
        if tens is None:
            return Term(1, 100, plain=False)
        return Term(1 + int(tens["many"] or 1), 100, 1, "kl1" if tens["which"] == "b" else "kh1")
    first, counts = int(found["first"]), min if found["which"] == "奖励" else max
    others = [int(tens) * 10 + first % 10 for tens in found["tens"].split()]
    faces = [face or 100 for face in (first, *others)]
    kept = faces.index(counts(faces))
    dice = tuple(Die(face, place == kept) for place, face in enumerate(faces))
    return Term(len(faces), 100, 1, "kl1" if counts is min else "kh1", dice)


def _modified(item: Mapping[str, Any], face: re.Match[str] | None, sentence: str) -> Throw:
    """Check of a twenty-sided die and a number, of which only the sum is noted."""
    total = _whole(item.get("result")) or 0
    found = (
        _with_face(sentence, int(face["face"]), total)
        if face
        else thrown(sentence, [Term(1, 20, plain=False)], total)
    )
    return replace(found, text=_text(item, "reason"))


def _with_face(words: str, face: int, total: int) -> Throw:
    added = total - face
    terms = [Term(1, 20, dice=(Die(face),))]
    if added:
        terms.append(Term(abs(added), 0, 1 if added > 0 else -1))
    return thrown(words, terms, total)


def _roll(item: Mapping[str, Any], lain: list[re.Match[str]], sentence: str) -> Throw:
    expression, total = _text(item, "expr"), _whole(item.get("result")) or 0
    if expression.casefold() in ("d", "1d") and lain and lain[0]["count"] in ("", "1"):
        expression = f"d{lain[0]['sides']}"  # the die of the table, which the sentence names
    terms = _terms(expression)
    found = (
        _calculated(sentence, expression, lain, total)
        if terms is None
        else thrown(sentence, _lying(terms, lain, total), total)
    )
    return replace(found, text=_text(item, "reason"))


def _calculated(words: str, expression: str, lain: list[re.Match[str]], total: int) -> Throw:
    """Throw of an expression that is more than a sum, with the faces found in a sentence."""
    plain = expression.casefold().replace(" ", "")
    asked, terms = calculated(plain, _DICE, lambda found: _dice(found, 1))
    lying = _lying(terms, lain, total, is_whole=False)
    return thrown(words, lying, total, asked=asked, formula=f"{plain} = {total}") if asked else told(words)


def _lying(
    terms: Sequence[Term], lain: list[re.Match[str]], total: int, *, is_whole: bool = True
) -> list[Term]:
    """Terms with the faces found in a sentence; removes each used match from `lain`.

    With `is_whole` the terms are the whole expression, so that the total of a single die is its face.
    """
    if is_whole and len(terms) == 1 and terms[0].count == 1 and terms[0].sides and not terms[0].modifier:
        if lain and int(lain[0]["sides"]) == terms[0].sides:
            lain.pop(0)
        return [replace(terms[0], dice=(Die(total),))]
    found: list[Term] = []
    for term in terms:
        group = lain[0] if lain and term.sides else None
        if group is None or (int(group["count"] or 1), int(group["sides"])) != (term.count, term.sides):
            found.append(term)
            continue
        lain.pop(0)
        alone = group["sum"] or "" if term.count == 1 else ""  # a die alone has its face in front
        kept = [Die(int(face)) for face in re.findall(r"\d+", group["kept"] or alone)]
        left = [Die(int(face), kept=False) for face in re.findall(r"\d+", group["left"] or "")]
        found.append(replace(term, dice=(*kept, *left)))
    return found


def _terms(expression: str) -> list[Term] | None:
    """Terms of a sum of dice and numbers; None if the text has another shape."""
    return summed(expression.casefold().replace(" ", ""), _DICE, _NUMBER, _dice)


def _dice(found: re.Match[str], sign: int) -> Term:
    count, sides = int(found["count"] or 1), int(found["sides"])
    if found["twice"]:
        return Term(2, sides, sign, "kh1" if found["twice"] == "优势" else "kl1")
    if not found["which"]:
        return Term(count, sides, sign)
    which = "kl" if found["which"] in ("kl", "q") else "kh"
    return Term(count, sides, sign, keeping(which, max(1, int(found["kept"] or 1)), count) or "")


def _whole(value: object) -> int | None:
    """Whole number of a JSON value; None for a fraction, another type, or a number too large for dice."""
    return int(value) if is_number(value) and abs(value) <= MOST_NUMBER and int(value) == value else None


def _text(item: Mapping[str, Any], key: str) -> str:
    return string_in(item, key).strip()
