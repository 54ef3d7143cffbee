"""Rolls in Lonelog and Partylog, such as `Stealth d6=5 vs TN 4`, and rolls in Retold's own exports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from retold.sources.dice.throw import Die, Rung, Term, Throw, thrown, told

_DIE: Final = (
    r"\d{0,3}[dDwW](?:\d{1,4}|%|F)(?:k[hl]?\d{1,2}|d[hl]?\d{1,2}|>=?\d{1,4}(?=\s?=)|!)*(?![\dA-Za-z])"
)
_NAME: Final = r"[^\W\d_][^\W\d_' ]{0,24}"
_ROLL: Final = re.compile(
    rf"(?<![\w.])(?P<asked>{_DIE}(?:\s?[-+]\s?(?:{_DIE}|\d{{1,4}}(?![\d.dDwW])|{_NAME})){{0,20}})"
    r"\s?(?P<context>\([^()\n]{0,80}\)|\[[^\[\]\n]{0,200}\])?\s?=\s?"
    r"(?P<values>[-+]?\d{1,6}(?:\s?,\s?[-+]?\d{1,6}){0,99})(?![\d.]*\d)"
    r"(?:\s?\((?P<said>[^()\n]{1,80})\))?"
    rf"(?P<chain>(?:\s?[-+]\s?(?:{_NAME}\s?[=(]\s?)?[-+]?\d{{1,4}}\)?){{1,8}})?"
    r"(?:\s?=\s?(?P<total>[-+]?\d{1,6})(?![\d.]*\d))?"
)
_TERM: Final = re.compile(
    r"(?P<sign>[-+]?)\s?(?:(?P<count>\d{0,3})[dDwW](?P<sides>\d{1,4}|%|F)(?P<modifiers>[^-+\s]*)"
    r"|(?P<number>\d{1,4})|(?P<name>[^\W\d_][^-+]*))"
)
_ADDED: Final = re.compile(rf"(?P<sign>[-+])\s?(?P<name>{_NAME}\s?[=(]\s?)?(?P<number>[-+]?\d{{1,4}})")
_KEPT: Final = re.compile(r"(?P<what>[kd])(?P<which>[hl]?)(?P<number>\d{1,2})")
_POOL: Final = re.compile(r">(?P<equal>=?)(?P<number>\d{1,4})")
_AGAINST: Final = re.compile(
    r"\s?(?:(?:vs\.?|contre|contro|contra|gegen)\s(?P<target>[^,;\n()]{1,80})|(?P<sign>[≥≤]|[<>]=)\s?(?P<number>\d{1,6}))"
)
_HIGHEST: Final = re.compile(r"\b(?:high|best|adv)", re.IGNORECASE)
_LOWEST: Final = re.compile(r"\b(?:low|worst|dis)", re.IGNORECASE)
_MENTIONED: Final = re.compile(r"(?<![\w.])\d{0,3}[dDwW](?:\d{1,4}|%|F)(?![\w])")
_CARD: Final = re.compile(r"\bdraws?\b|=\s?(?:10|[2-9AJQK])[hdcs]\b|[♥♦♣♠]")
_AROUND: Final = " -+/\u2013\u2014"
_BARE: Final = re.compile(
    r"(?P<text>[^\n]{0,200}?)(?<![\w.])(?P<asked>(?P<count>\d{0,3})[dDwW](?P<sides>\d{1,4}|%)"
    r"(?P<added>\s?[-+]\s?\d{1,4})?)\s*"
)
_FACES: Final = re.compile(r"\((?P<faces>\d{1,4}(?:\s?,\s?\d{1,4}){0,99})\)|\A(?P<face>\d{1,4})(?=:|\Z)")
_LEAD: Final = re.compile(r"(?:vs\.?|and)\s", re.IGNORECASE)
_RETOLDS: Final = re.compile(
    r"(?:(?P<who>[^\n]{1,120}?) rolls|roll) (?P<dice>\d{0,3}d(?:\d{1,4}|F)(?:\+\d{0,3}d(?:\d{1,4}|F)){0,20}):"
    r" (?P<faces>[-+\d]{1,4}(?: [-+\d]{1,4}){0,99})(?: \([^()\n]{1,40}\))?"
)
_CHECKED: Final = re.compile(r"[^\n]{1,120}?: \d{0,3}d\S{1,120}(?: [+-]\S{1,120}){0,20} is -?\d{1,6}\b")
"""Line in which Retold says what came of dice that it wrote before."""
_FUDGE: Final = {"+": 1, "-": -1, "0": 0}


def throws(words: str, verdict: str = "") -> tuple[Throw, ...]:
    """Throws of a line behind `d:`, each with the outcome named in the line.

    A line with dice or cards but no number is one throw in words; a line without dice and cards has none.
    """
    own = _RETOLDS.fullmatch(words.strip())
    if own:
        return (_retolds(own) or told(words),)
    found = [*_rolls(words), *_rolls(verdict)]
    if found:
        found[0] = replace(found[0], verdict=verdict)
        return tuple(found)
    if _CHECKED.match(words.strip()):
        return ()
    beside = _beside(words, verdict)
    if beside is not None:
        return (beside,)
    if _MENTIONED.search(words) or _CARD.search(words):
        return (replace(told(words), verdict=verdict),)
    return ()


def thrower(words: str) -> str:
    """Name of the person who threw, where Retold wrote the line; empty for any other line."""
    own = _RETOLDS.fullmatch(words.strip())
    return (own["who"] or "") if own else ""


def _rolls(words: str) -> Iterator[Throw]:
    end = 0
    for found in _ROLL.finditer(words):
        text = _LEAD.sub("", " ".join(re.sub(r"[()\[\],;:|]", " ", words[end : found.start()]).split()))
        against = _AGAINST.match(words, found.end())
        target = "" if against is None else against["target"] or f"{against['sign']}{against['number']}"
        yield replace(_throw(found), text=text.strip(_AROUND), against=target.strip())
        end = found.end()


def _beside(words: str, verdict: str) -> Throw | None:
    """Throw whose faces stand in the outcome: `2d10 -> Strong hit (8, 7)`, `d100 -> 45: A lamp`."""
    bare, shown = _BARE.fullmatch(words), _FACES.search(verdict)
    if bare is None or shown is None:
        return None
    sides = 100 if bare["sides"] == "%" else int(bare["sides"])
    faces = [int(face) for face in re.findall(r"\d+", shown[0])]
    if len(faces) != int(bare["count"] or 1) or any(not 1 <= face <= sides for face in faces):
        return None
    added = int(re.sub(r"\s", "", bare["added"] or "0"))
    terms = [Term(len(faces), sides, dice=tuple(map(Die, faces)))]
    terms += [Term(abs(added), 0, -1 if added < 0 else 1)] if added else []
    return replace(
        thrown(bare["asked"].strip(), terms, None), text=bare["text"].strip(_AROUND), verdict=verdict
    )


def _throw(found: re.Match[str]) -> Throw:
    terms = [_term(part) for part in _TERM.finditer(found["asked"])]
    values = [int(value) for value in re.findall(r"[-+]?\d+", found["values"])]
    if any(term is None for term in terms):
        return told(found[0])
    if "F" in found["asked"]:
        return _fudge(found, values)
    known = [term for term in terms if term is not None]
    added = list(_ADDED.finditer(found["chain"] or ""))
    if len(known) == 1 and known[0].sides and not known[0].modifier and len(values) == 1 and found["total"]:
        if len(added) == known[0].count - 1 and not any(part["name"] for part in added):
            values += [int(part["number"]) for part in added]  # 2d6=4+3=7: the numbers are the faces
        elif added:
            known += [_number(part) for part in added]
            return _with_faces(found, known, values, int(found["total"]))
    total = int(found["total"]) if found["total"] and not found["chain"] else None
    return _with_faces(found, known, values, total)


def _with_faces(found: re.Match[str], terms: list[Term], values: list[int], total: int | None) -> Throw:
    """Throw with the values as faces if there are as many values as dice; with the total if not."""
    dice = [place for place, term in enumerate(terms) if term.sides]
    only = terms[dice[0]]
    has_count = not found["asked"][:1].isalpha()
    if len(dice) == 1 and not has_count and len(values) > 1 and " " not in found["values"]:
        only = replace(only, count=len(values))
    elif len(values) != only.count:
        values = values[:1]
    plain = all(value > 0 for value in values)
    context = " ".join(filter(None, (found["context"], found["said"])))
    if len(dice) == 1 and len(values) == only.count and plain and _are_faces(terms, only, values, found):
        terms[dice[0]] = _kept(only, values, found["said"] or "")
        return thrown(found[0].strip(), terms, total)
    if len(dice) == 1 and only.count == 1 and not only.modifier:
        which = "h" if _HIGHEST.search(context) else "l" if _LOWEST.search(context) else ""
        if which:
            terms[dice[0]] = replace(only, count=2, modifier=f"k{which}1")
    terms = [replace(term, dice=()) for term in terms]
    return thrown(found[0].strip(), terms, total if total is not None else values[0])


def _are_faces(terms: Sequence[Term], only: Term, values: Sequence[int], found: re.Match[str]) -> bool:
    """True if the numbers behind `=` are faces, False if they are sums."""
    if any(value > only.sides for value in values):
        return False
    if only.successes_from is not None:
        return False
    return len(values) > 1 or found["total"] is not None or len(terms) == 1


def _kept(term: Term, faces: Sequence[int], said: str) -> Term:
    """Dice with faces, of which the dice named by the line or the notation are kept."""
    number = re.search(r"=\s?(\d{1,4})\Z", said)
    modifier = term.modifier
    if not modifier and len(faces) > 1:
        if (number and int(number[1]) == max(faces)) or (not number and _HIGHEST.search(said)):
            modifier = "kh1"
        elif (number and int(number[1]) == min(faces)) or (not number and _LOWEST.search(said)):
            modifier = "kl1"
    if not modifier.startswith("k"):
        return replace(term, modifier=modifier, dice=tuple(Die(face) for face in faces))
    lowest, kept = modifier[1] == "l", int(modifier[2:])
    order = sorted(range(len(faces)), key=lambda place: faces[place], reverse=not lowest)[:kept]
    dice = tuple(Die(face, place in order) for place, face in enumerate(faces))
    return replace(term, modifier=modifier, dice=dice)


def _term(part: re.Match[str]) -> Term | None:
    """Dice or number of an expression's part; None for a name, and for a modifier unknown to Retold."""
    sign = -1 if part["sign"] == "-" else 1
    if part["number"]:
        return Term(int(part["number"]), 0, sign)
    if part["name"]:
        return None
    sides = 100 if part["sides"] == "%" else 6 if part["sides"] == "F" else int(part["sides"])
    return None if not sides else _modified(Term(int(part["count"] or 1), sides, sign), part["modifiers"])


def _modified(dice: Term, modifiers: str) -> Term | None:
    """Dice with modifiers in Retold's notation; None if that notation cannot express them."""
    if modifiers in ("", "!"):
        return replace(dice, modifier=modifiers)
    pool, kept = _POOL.fullmatch(modifiers), _KEPT.fullmatch(modifiers)
    if pool:
        least = int(pool["number"]) + (not pool["equal"])
        return replace(dice, modifier=f">={least}", successes_from=least)
    if kept is None:
        return None
    drops = kept["what"] == "d"
    number = dice.count - int(kept["number"]) if drops else int(kept["number"])
    lowest = kept["which"] == ("h" if drops else "l")
    return replace(dice, modifier=f"k{'l' if lowest else 'h'}{number}") if 1 <= number <= dice.count else None


def _number(found: re.Match[str]) -> Term:
    number = int(found["number"]) * (-1 if found["sign"] == "-" else 1)
    return Term(abs(number), 0, -1 if number < 0 else 1)


def _fudge(found: re.Match[str], values: Sequence[int]) -> Throw:
    """Fudge dice: `4dF=+2 (++0-)`; the sum of added values is told after a second `=`."""
    asked = re.fullmatch(r"(\d{0,3})[dD]F(?:\s?([-+])\s?(\d{1,4}))?", found["asked"].strip())
    if asked is None or len(values) != 1:
        return told(found[0].strip())
    count, added = int(asked[1] or 1), int((asked[2] or "") + (asked[3] or "0"))
    for part in _ADDED.finditer(found["chain"] or ""):
        added += int(part["number"]) * (-1 if part["sign"] == "-" else 1)
    signs = [_FUDGE[sign] for sign in re.findall(r"[-+0]", found["said"] or "")]
    total = int(found["total"]) if found["total"] else values[0]
    dice = f"{count}dF" + (f"{added:+d}" if added else "")
    if len(signs) == count and sum(signs) + added == total and set(found["said"] or "") <= set("+-0 "):
        return Throw(Rung.FACES, found[0].strip(), dice, tuple(signs), total)
    if abs(total - added) > count:
        return told(found[0].strip())
    return Throw(Rung.TOTAL, found[0].strip(), dice, (), total)


def _retolds(own: re.Match[str]) -> Throw | None:
    """Throw that Retold wrote: every face, and no modifier."""
    sizes: list[str] = []
    for part in own["dice"].split("+"):
        count, _, size = part.partition("d")
        sizes += [size] * int(count or 1)
    shown = own["faces"].split(" ")
    if len(sizes) != len(shown) or len(sizes) > 100:
        return None
    faces: list[int] = []
    for size, face in zip(sizes, shown, strict=True):
        if size == "F":
            if face not in _FUDGE:
                return None
            faces.append(_FUDGE[face])
        else:
            if not face.isdecimal() or not 1 <= int(face) <= int(size) or not 2 <= int(size) <= 1_000:
                return None
            faces.append(int(face))
    return Throw(Rung.FACES, own[0], own["dice"], tuple(faces), sum(faces))
