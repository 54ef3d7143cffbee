"""Rolls that BCDice tells, the dice program of Japanese tools: `(2D6+1)`, `8[3,5]+1` and `9` with arrows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from retold.sources.dice.throw import (
    MOST_DICE,
    MOST_WORDS,
    Die,
    Rung,
    Term,
    Throw,
    calculated,
    summed,
    thrown,
    told,
)

ARROW: Final = " \uff1e "
_OLD_ARROW: Final = " → "
_OLD_RESULT: Final = ") → "
"""Sign of a result in versions before 3, which people type too."""
_NUMBER: Final = re.compile(r"-?\d{1,9}")
_ORDINAL: Final = re.compile(r"(?P<head>[^\n]{0,2000}?)#\d{1,3}\s*(?P<rest>\([^\n]*)?")
_REPEATED: Final = re.compile(r"(?:x|rep|repeat)\d{1,3}\s+", re.IGNORECASE)
_COMMAND: Final = re.compile(r"[!-~]{1,200}")
_LETTERS: Final = re.compile(r"[A-Z]{1,20}")
_LABEL: Final = re.compile(r"【([^【】]{1,200})】")
_BONUS: Final = re.compile(r"\)\s*[^()\[\]]{1,40}\[(?P<dice>-?\d{1,2})\]")
_END_OF_SUM: Final = re.compile(r"[<>=!\[@#]")
_COMPARED: Final = re.compile(r"(?:<=|>=|<>|!=|==|<|>|=)[^\[@#]*")
_DICE: Final = re.compile(
    r"(?P<count>\d{0,6})(?P<sign>[DR])(?P<sides>\d{1,6})(?:(?P<which>KH|KL|DH|DL|MAX|MIN)(?P<kept>\d{0,4}))?"
)
_PLAIN: Final = re.compile(r"\d{1,6}(?![\d.])")
_WITHIN: Final = re.compile(r"(?<![\w.])(?P<count>\d{1,4})(?:D(?P<sides>\d{1,6})|DX)")
_DOUBLED: Final = re.compile(r"(?P<count>\d{1,4})DX")
"""Dice of Double Cross, which are thrown again in rounds."""
_GROUP: Final = re.compile(r"(?P<sum>(?<!\d)\d{1,9})?\[(?P<faces>\d{1,6}(?:, ?\d{1,6}){0,199})\]")
_INNER: Final = re.compile(r"\(\d{0,4}[dD]\d[^()]{0,100}\)")
_BARREL: Final = re.compile(r"(?P<count>\d{1,4})B(?P<sides>\d{1,6})")
_UPPER: Final = re.compile(
    r"(?P<count>\d{1,3})U(?P<sides>\d{1,4})\[(?P<from>\d{1,4})\](?P<added>[-+]\d{1,6})?"
)
_CHAIN: Final = re.compile(r"(?:\d{1,6}\[(?P<chain>[\d,]{1,600})\]|(?P<face>\d{1,6}))")
_UPPER_SUM: Final = re.compile(r"-?\d{1,9}/(?P<total>-?\d{1,9})\(")
_TWO_SIXES: Final = re.compile(r"D66[A-Z]?")
_AGAINST_SEVERAL: Final = re.compile(r"(?P<face>\d{1,6})\[[^\d\]]")
_NUMBERS: Final = re.compile(r"(?:[-+]\d{1,6})*")
_PAIRS: Final = re.compile(r"2D:\[(?P<pairs>\d,\d(?: \d,\d){0,30})\]=[\d,]{1,120}")
_LAID: Final = re.compile(r"[ST]F\[|GF")
"""Options by which a die is laid and not thrown."""
_SUCCESSES: Final = re.compile(r"成功数:?(?P<number>\d{1,4})(?!\d)")

_OPEN: Final = frozenset(
    re.findall(
        "[A-Z]+",
        """
    SA SAC SAE SAET SAFETYWT SAL SAT SAWT SB SBET SBO SBS SBT SC SCBT SCE SCENE SCENESITUATION SCH
    SCHIT SCOU SCS SCSA SCSB SCSC SCSR SCST SCT SDBL SDBR SDDC SDEL SDIM SDPT SDRF SDSL SDT SE SEA
    SEBL SEBR SEC SEEL SEIM SEN SERF SERVICEST SESL SET SF SFM SFT SG SGS SGT SH SHA SHAD SHAOKINRET
    SHAR SHB SHBT SHDS SHEG SHELF SHEM SHEP SHFM SHFR SHFT SHGD SHHD SHHE SHHF SHIFTER SHIM SHIN
    SHIS SHJS SHK SHKD SHLD SHLM SHMP SHND SHNE SHNO SHNT SHORE SHPI SHRD SHRM SHRT SHS SHSA SHSB
    SHSE SHT SHWP SHXP SHYHAUNTA SHYHAUNTB SIMPLE SIP SIT SITUATION SKL SKLJ SKLT SKT SKY SL SLH
    SLHD SLHU SLST SLT SLUM SMA SMT SN SNT SNZ SO SOUL SP SPA SPE SPRING SPSNT SPT SQ SR SRM SRN SRT
    SS SSI SST ST STA STAG STAIRS STAL STAT STB STBR STBS STC STCR STE STGT STM STORE STOREA STOREB
    STOREC STRENGTHBADENDTABLE STRENGTHSTIGMATABLE STT SU SUMMER SUR SUS SUT SUVA SUVD SUVF SUVK
    SUVP SUVU SUVZ SW SWAMP SWT
    """,
    )
)
"""Commands of games that begin with S and are no secret rolls, by BCDice's own tests."""


@dataclass(frozen=True)
class Answer:
    """Throws in a bot's message, and its lines without a throw (`words`)."""

    throws: tuple[Throw, ...]
    words: str
    command: str
    """Command as it was typed, in ASCII, without its repetition; empty if none precedes."""


def answer_in(text: str) -> Answer | None:
    """Throws in a message, line by line; None if no line tells a throw.

    With a repetition, such as `x5`, the command precedes the first result only.
    """
    if len(text) > MOST_WORDS or not (ARROW in text or _OLD_RESULT in text):
        return None
    throws: list[Throw] = []
    words: list[str] = []
    head = command = ""
    for line in text.split("\n"):
        row = line.strip()
        numbered = _ORDINAL.fullmatch(row)
        if numbered and (ARROW in row or _OLD_RESULT in row) == bool(numbered["rest"]):
            head = numbered["head"].strip() or head
            row = numbered["rest"] or ""
            if not row:
                continue
        found = _found(row, head)
        if found is None:
            words.append(line)
        else:
            throws.append(found)
            command = command or command_of(head or row)
    return Answer(tuple(throws), "\n".join(words).strip(), command) if throws else None


def command_of(text: str) -> str:
    """First word of a message in capital ASCII letters, without a repetition; empty if it is no command."""
    plain = unicodedata.normalize("NFKC", text[:400]).strip()
    found = _COMMAND.match(_REPEATED.sub("", plain, count=1))
    return found[0].upper() if found else ""


def is_secret(command: str, known: frozenset[str] = frozenset()) -> bool:
    """True if a command is a roll that only its thrower sees: S in front of another command.

    Some games have commands of their own that begin with S. They are open, unless the same log has the rest
    as a command too: `known` has the letters of its commands.
    """
    rest = command[1:]
    if not command.startswith("S") or not rest:
        return False
    return letters_of(rest) in known or letters_of(command) not in _OPEN or not letters_of(rest)


def letters_of(command: str) -> str:
    """Letters at the beginning of a command: `CCB<=60` → `CCB`."""
    found = _LETTERS.match(command)
    return found[0] if found else ""


# --- One line ---


def _found(row: str, head: str) -> Throw | None:
    """Throw of a text line; a line with the old arrow needs dice in it. None for any other line."""
    if ARROW in row:
        return _throw(row, head)
    if _OLD_RESULT not in row:
        return None
    found = _throw(row.replace(_OLD_ARROW, ARROW), head)
    return replace(found, words=row) if found and found.rung is not Rung.WORDS else None


def _throw(row: str, head: str) -> Throw | None:
    """Throw of a line with an arrow; None for a sentence in which an arrow merely occurs."""
    asked, *parts = row.split(ARROW)
    typed, expression, bonus = _split(asked.strip())
    typed = typed or head
    while parts[1:] and _INNER.fullmatch(parts[0]) and not _WITHIN.search(expression.upper()):
        expression = parts.pop(0)[1:-1]
    plain = unicodedata.normalize("NFKC", expression).upper()
    found = _read(row, plain, bonus, parts)
    if found is None:
        return (
            told(row, text=_label(typed) if "【" in typed else "")
            if _is_result(asked, typed or row)
            else None
        )
    compared = _COMPARED.search(plain)
    return replace(found, text=_label(typed) or found.text, against=compared[0].strip() if compared else "")


def _is_result(asked: str, typed: str) -> bool:
    """True if a line without readable dice is still a bot's answer, such as a table's entry or a choice."""
    ends = asked.rstrip().endswith((")", "]")) or "KeyNo." in asked
    return ends and bool(letters_of(command_of(typed).lstrip("0123456789")))


def _split(asked: str) -> tuple[str, str, str]:
    """Words in front of an expression in brackets, the expression, and the number of bonus dice."""
    bonus = ""
    tail = asked.rfind(")")
    suffix = _BONUS.fullmatch(asked, tail) if tail >= 0 else None
    if suffix:
        asked, bonus = asked[: tail + 1], suffix["dice"]
    if not asked.endswith(")"):
        typed, _, expression = asked.rpartition(" ")
        return typed.strip(), expression, bonus
    depth = 0
    for place in range(len(asked) - 1, -1, -1):
        depth += (asked[place] == ")") - (asked[place] == "(")
        if depth == 0:
            return asked[:place].strip(), asked[place + 1 : -1].strip(), bonus
    return "", asked, bonus


def _label(typed: str) -> str:
    """Label of a roll: the words behind the command."""
    if _REPEATED.match(typed):
        typed = typed.partition(" ")[2].strip()
    return _LABEL.sub(r"\1", typed.partition(" ")[2].strip())


def _read(row: str, expression: str, bonus: str, parts: Sequence[str]) -> Throw | None:
    if bonus not in ("", "0") and parts[1:] and _NUMBER.fullmatch(parts[1]):
        return _with_bonus(row, int(bonus), parts)
    for reader in (_two_sixes, _barrels, _upper, _pairs, _sum):
        found = reader(row, expression, parts)
        if found is not None:
            return found
    return None


def _with_bonus(row: str, bonus: int, parts: Sequence[str]) -> Throw:
    """Throw of 1d100 with bonus or penalty tens, each possible result as a die.

    Of bonus dice (more than 0) the lowest counts, of penalty dice the highest.
    """
    lying = tuple(Die(int(face)) for face in re.findall(r"\d{1,6}", parts[0]))
    counts = min if bonus > 0 else max
    number, modifier = abs(bonus) + 1, "kl1" if bonus > 0 else "kh1"
    kept = lying.index(counts(lying, key=lambda die: die.face)) if lying else 0
    dice = tuple(replace(die, kept=place == kept) for place, die in enumerate(lying))
    return replace(
        thrown(row, [Term(number, 100, 1, modifier, dice)], int(parts[1])), verdict=ARROW.join(parts[2:])
    )


def _sum(row: str, expression: str, parts: Sequence[str]) -> Throw | None:
    """Throw of a sum of dice and numbers, or of another expression with a total; None without thrown dice."""
    terms = summed(_END_OF_SUM.split(expression, maxsplit=1)[0].replace(" ", ""), _DICE, _PLAIN, _dice)
    if terms is None:
        return _of_total(row, expression, parts)
    if not any(term.sides for term in terms):
        return None
    if _NUMBER.fullmatch(parts[0]):
        return _of_number(row, expression, terms, parts)
    only = _AGAINST_SEVERAL.match(parts[0])
    if only and [(term.count, bool(term.sides)) for term in terms] == [(1, True)]:
        lying = replace(terms[0], dice=(Die(int(only["face"])),))
        return replace(thrown(row, [lying], None), verdict=ARROW.join(parts))
    return _of_groups(row, terms, parts)


def _of_total(row: str, expression: str, parts: Sequence[str]) -> Throw | None:
    """Throw of an expression other than a sum, such as `(2D6+1D4)*2`; None without dice or a last number."""
    totals = [place for place, part in enumerate(parts) if _NUMBER.fullmatch(part)]
    if not _WITHIN.search(expression) or not totals:
        return None
    groups = [one["faces"].split(",") for one in _GROUP.finditer(parts[0])]
    total = int(parts[totals[-1]])
    doubled = _DOUBLED.match(expression)
    if doubled:
        faces = tuple(Die(int(face)) for group in groups for face in group)
        terms, asked = [Term(int(doubled["count"]), 10, dice=faces, plain=False)], ""
    else:
        asked, terms = calculated(expression, _DICE, lambda found: _dice(found, 1))
        if len(groups) == len(terms):
            terms = [
                replace(term, dice=tuple(Die(int(face)) for face in faces))
                for term, faces in zip(terms, groups, strict=True)
            ]
    formula = f"{expression.casefold()} = {total}"
    return replace(
        thrown(row, terms, total, asked=asked, formula=formula), verdict=ARROW.join(parts[totals[-1] + 1 :])
    )


def _of_groups(row: str, terms: Sequence[Term], parts: Sequence[str]) -> Throw | None:
    """Throw of a sum whose faces stand in brackets, a pair of brackets for the dice of each size."""
    dice = [term for term in terms if term.sides]
    groups = list(_GROUP.finditer(parts[0]))[: len(dice)]
    if len(groups) != len(dice):
        return None
    rest = parts[0][groups[-1].end() :]
    left = list(groups)
    lain = [_lain(term, left.pop(0)) if term.sides else term for term in terms]
    thrown_sum = sum(term.value for term in lain if term.sides)
    if not (parts[1:] and _NUMBER.fullmatch(parts[1])):  # no total: the dice are counted, not added
        counted = parts[0].split("[")[0] if len(groups) == 1 else ""
        counted = counted if counted != str(thrown_sum) else ""
        words = rest.strip() if re.search(r"[^\d+\-\s]", rest) else ""
        verdict = ARROW.join(filter(None, (counted, words, *parts[1:])))
        return replace(thrown(row, lain, None), verdict=verdict)
    total = int(parts[1])
    added = [int(number) for number in re.findall(r"[-+]\d+", rest)] if _NUMBERS.fullmatch(rest) else []
    if sum(term.value for term in lain) != total and added and thrown_sum + sum(added) == total:
        numbers = [Term(abs(number), 0, 1 if number > 0 else -1) for number in added if number]
        lain = [*(term for term in lain if term.sides), *numbers]
    return replace(thrown(row, lain, total), verdict=ARROW.join(parts[2:]))


def _of_number(row: str, expression: str, terms: Sequence[Term], parts: Sequence[str]) -> Throw:
    """Throw told by its number alone; a single die that cannot be rerolled has that number as its face."""
    number = int(parts[0])
    is_face = [(term.count, term.modifier) for term in terms] == [(1, "")] and "R" not in expression
    lain = [replace(terms[0], dice=(Die(number),))] if is_face else terms
    second = parts[1:] and _NUMBER.fullmatch(parts[1]) is not None
    total = int(parts[1]) if second else number
    return replace(thrown(row, lain, total), verdict=ARROW.join(parts[2 if second else 1 :]))


def _dice(found: re.Match[str], sign: int) -> Term:
    count, sides = int(found["count"] or 1), int(found["sides"])
    if sides == 66 or (not found["count"] and sides > 20 and sides != 100):  # digits of a number
        return Term(count, sides, sign, plain=False)
    if not found["which"]:
        return Term(count, sides, sign)
    which = found["which"]
    number = int(found["kept"] or 1)
    kept = number if which in ("KH", "KL") else 1 if which in ("MAX", "MIN") else count - number
    lowest = which in ("KL", "DH", "MIN")
    kept = min(kept, count)
    if kept < 1:
        return Term(count, sides, sign, plain=False)
    return Term(count, sides, sign, "" if kept == count else f"k{'l' if lowest else 'h'}{kept}")


def _lain(term: Term, group: re.Match[str]) -> Term:
    """Term with the faces of a group."""
    faces = [int(face) for face in group["faces"].split(",")]
    kept = int(term.modifier[2:]) if term.modifier else len(faces)
    places = sorted(range(len(faces)), key=faces.__getitem__, reverse=not term.modifier.startswith("kl"))
    counted = frozenset(places[:kept])
    return replace(term, dice=tuple(Die(face, place in counted) for place, face in enumerate(faces)))


# --- Other commands of every game ---


def _two_sixes(row: str, expression: str, parts: Sequence[str]) -> Throw | None:
    """Throw of two six-sided dice that are read as the digits of a number."""
    if not _TWO_SIXES.fullmatch(expression) or not re.fullmatch(r"[1-6]{2}", parts[0]):
        return None
    dice = tuple(Die(int(face)) for face in parts[0])
    return replace(thrown(row, [Term(2, 6, dice=dice)], None), text="D66", verdict=ARROW.join(parts))


def _barrels(row: str, expression: str, parts: Sequence[str]) -> Throw | None:
    """Throw of dice told singly, perhaps with a count of successes; None for a line of another shape."""
    asked, compared = _BARREL.findall(expression), _COMPARED.search(expression)
    if not asked or not re.fullmatch(r"\[?\d{1,6}(?:, ?\d{1,6}){0,199}\]?", parts[0]):
        return None
    faces = [int(face) for face in re.findall(r"\d+", parts[0])]
    least = int(compared[0][2:]) if compared and re.fullmatch(r">=\d{1,4}", compared[0]) else None
    counted = _SUCCESSES.match(parts[1]) if parts[1:] else None
    terms: list[Term] = []
    for count, sides in asked:
        mine, faces = faces[: int(count)], faces[int(count) :]
        counts = counted is not None and least in range(2, int(sides) + 1) and len(asked) == 1
        modifier = f">={least}" if counts else ""
        dice = tuple(map(Die, mine))
        terms.append(
            Term(int(count), int(sides), 1, modifier, dice, successes_from=least if counts else None)
        )
    found = thrown(row, terms, int(counted["number"]) if counted and terms[0].modifier else None)
    return replace(found, verdict=ARROW.join(parts[1:])) if not faces else told(row)


def _upper(row: str, expression: str, parts: Sequence[str]) -> Throw | None:
    """Throw of exploding dice that are added up, told as `5,2,11[6,5]`; None for a line of another shape."""
    asked = _UPPER.match(expression)
    if asked is None:
        return None
    count, sides = int(asked["count"]), int(asked["sides"])
    chains = [(part["chain"] or part["face"]).split(",") for part in _CHAIN.finditer(parts[0].split("+")[0])]
    lying = [*(chain[0] for chain in chains), *(face for chain in chains for face in chain[1:])]
    dice = tuple(Die(int(face)) for face in lying if face)
    plain = int(asked["from"]) == sides and len(chains) == count and len(lying) <= MOST_DICE
    summed = _UPPER_SUM.match(parts[1]) if parts[1:] else None
    added = int(asked["added"] or 0)
    terms = [Term(count, sides, 1, "!", dice, plain)]
    if added:
        terms.append(Term(abs(added), 0, 1 if added > 0 else -1))
    found = thrown(row, terms, int(summed["total"]) if summed else None)
    return replace(found, verdict=ARROW.join(parts[1:]))


def _pairs(row: str, expression: str, parts: Sequence[str]) -> Throw | None:
    """Throw of pairs of dice for a table of powers, as Sword World has it; each pair is thrown for itself."""
    found = _PAIRS.match(parts[0])
    if found is None or _LAID.search(expression):
        return None
    faces = [int(face) for face in re.findall(r"\d", found["pairs"])]
    throw = thrown(row, [Term(len(faces), 6, dice=tuple(map(Die, faces)))], None)
    return replace(throw, verdict=ARROW.join(parts[1:]))


def commands_in(texts: Iterator[str]) -> frozenset[str]:
    """Letters of all commands answered in these messages."""
    found = (letters_of(command_of(text)) for text in texts if ARROW in text or _OLD_RESULT in text)
    return frozenset(filter(None, found))
