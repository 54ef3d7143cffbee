"""Throws of a source as the dice rules accept them, on a lower rung where they refuse."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

from retold.journal.decks.chance import TOTAL
from retold.journal.decks.expressions import LARGEST_NUMBER
from retold.sources.dice import Rung, Throw
from retold.sources.dice.throw import can_come_to, comes_to

_TARGET: Final = re.compile(
    r"(?P<sign>vs\.?(?: ?(?:DC|AC|TN))?|DC|AC|TN|>=|≥|<=|≤|under)? ?(?P<number>\d{1,6})", re.IGNORECASE
)
_UNDER: Final = ("<=", "≤", "under")


class Target(NamedTuple):
    """Number that a throw must reach; with `under`, the largest successful total."""

    number: int
    under: bool


def taken(throw: Throw) -> Throw:
    """Returns the throw on the highest rung that the dice rules accept."""
    for lower in rungs(throw):
        if lower.rung is Rung.WORDS or _is_taken(lower):
            return lower
    return throw


def rungs(throw: Throw) -> list[Throw]:
    """Returns the throw, then its weaker forms on each lower rung."""
    found = [throw]
    if throw.rung is Rung.FACES and throw.total is not None and not throw.formula:
        found.append(replace(throw, rung=Rung.TOTAL, faces=()))
    if throw.rung is not Rung.WORDS:
        found.append(replace(throw, rung=Rung.WORDS, faces=()))
    return found


def results_of(throw: Throw) -> tuple[str, ...]:
    """Results as they are typed behind `=`."""
    return tuple(map(str, throw.faces)) if throw.rung is Rung.FACES else (TOTAL, str(throw.total))


def target_of(throw: Throw) -> Target | None:
    """Target of a throw, if the command `roll` can express it; None otherwise."""
    found = _TARGET.fullmatch(throw.against.strip())
    if found is None or throw.rung is Rung.WORDS or int(found["number"]) > LARGEST_NUMBER:
        return None
    return Target(int(found["number"]), (found["sign"] or "").casefold() in _UNDER)


def told_of(throw: Throw, words: str = "") -> str:
    """Words of a throw: purpose, a target other than a number, verdict; on the lowest rung everything.

    Dice that came to another total than the tool's have its formula in their words. `words` are those of the
    unit beside the throw.
    """
    parts = [throw.text]
    if throw.rung is not Rung.WORDS and throw.formula and throw.formula not in throw.text:
        parts.append(throw.formula)
    if throw.rung is Rung.WORDS and throw.words.strip() not in throw.text:
        parts.append(throw.words)
    if words and words not in "\n".join(parts):
        parts.append(words)
    said = ": ".join(part.strip() for part in parts if part.strip())
    beside = [throw.verdict] if target_of(throw) else [throw.against, throw.verdict]
    beside = [part.strip() for part in beside if part.strip() and part.strip() not in said]
    if not beside:
        return said
    return f"{said} ({', '.join(beside)})" if said else ", ".join(beside)


def without_throws(text: str, throws: Iterable[Throw]) -> str:
    """Returns a text without the throws that stand in its words, such as `(2d6+1 = 8)`."""
    for throw in throws:
        if throw.words.strip():
            shape = rf"[ \t]*[(\[]?\s*{re.escape(throw.words.strip())}\s*[)\]]?"
            text = re.sub(shape, "", text, count=1)
    return text.strip()


def beside_words(throw: Throw, text: str) -> str:
    """Words of a throw recorded without dice: `text` (made by `told_of`), target, the tool's words."""
    target = throw.against if target_of(throw) else ""
    return ": ".join(part.strip() for part in (text, target, throw.words) if part.strip())


def _is_taken(throw: Throw) -> bool:
    if throw.rung is Rung.TOTAL:
        return throw.total is not None and can_come_to(throw.dice, throw.total)
    came = comes_to(throw.dice, throw.faces)
    return came is not None and throw.total in (None, came)
