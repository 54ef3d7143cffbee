"""Grammar of a person's name: pronouns, the gender that they give, and forms of the name in other cases."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from typing import Final, Literal, Self

from retold.journal.names import normalise
from retold.journal.refused import Refused

Gender = Literal["f", "m", "n", "mixed", ""]
"""Gender that words about a person agree with, or `mixed` for several; empty if their pronouns give none."""

CASES: Final[Mapping[str, str]] = {
    "abl": "ablative",
    "acc": "accusative",
    "ade": "adessive",
    "all": "allative",
    "dat": "dative",
    "ela": "elative",
    "erg": "ergative",
    "ess": "essive",
    "gen": "genitive",
    "ill": "illative",
    "ine": "inessive",
    "ins": "instrumental",
    "loc": "locative",
    "par": "partitive",
    "tra": "translative",
    "voc": "vocative",
}
"""Grammatical cases by their short names, which are those of Universal Dependencies in small letters."""

FORMS: Final = "forms."
"""Begins the keys of a name's forms on a `cast` line, such as `forms.acc`."""

NONE: Final = "none"
"""Value of a key that takes pronouns or a form back."""

_LONGEST: Final = 40
_SHOWN: Final = 30
_BETWEEN: Final = re.compile(r"\s*[/,]\s*|\s+(?:and|or)\s+|\s+")
_IN_WORDS: Final = "'\u2019-"

_GENDERS: Final[Mapping[str, Gender]] = {
    **dict.fromkeys(("she", "her", "hers", "sie", "elle", "ella", "lei", "ela", "zij", "ona"), "f"),
    **dict.fromkeys(("he", "him", "his", "er", "il", "él", "lui", "ele", "hij", "on"), "m"),
    **dict.fromkeys(("it", "its", "es", "het", "ono"), "n"),
}
"""Gender by pronoun: English, German, French, Spanish, Italian, Portuguese, Dutch and Polish ones."""


def check_pronouns(typed: str) -> str:
    """Returns pronouns as typed, `she/her`, without blanks around them.

    Raises Refused for a text with other signs than letters and `/`, and for more than 40 characters.
    """
    pronouns = " ".join(unicodedata.normalize("NFC", typed).split())
    words = [word for word in _BETWEEN.split(pronouns) if word]
    if 0 < len(pronouns) <= _LONGEST and words and all(map(_is_word, words)):
        return pronouns
    shown = f"{pronouns[:_SHOWN]}…" if len(pronouns) > _SHOWN else pronouns
    raise Refused(
        f"“{shown}” are no pronouns: write pronouns=she, or several as in pronouns=they/them;"
        f" pronouns={NONE} takes them back."
    )


def _is_word(word: str) -> bool:
    kinds = [unicodedata.category(sign)[0] for sign in word]
    return "L" in kinds and all(
        kind in "LM" or sign in _IN_WORDS for kind, sign in zip(kinds, word, strict=True)
    )


def takes_back(given: str | None) -> bool:
    """True for pronouns, or a form, that take earlier ones back: the word `none` in any letters."""
    return normalise(given or "") == NONE


def check_case(case: str) -> str:
    """Returns the short name of a case as in `CASES`; raises Refused for any other word."""
    known = normalise(case)
    if known in CASES:
        return known
    raise Refused(
        f"“{case[:_SHOWN]}” is not a case: a form of a name is given as in forms.acc=NAME; the cases are"
        f" {', '.join(CASES)}."
    )


def first_pronoun(pronouns: str | None) -> str:
    """Returns the first of a person's pronouns in small letters, `she` of `She/her`; empty without any."""
    words = _BETWEEN.split((pronouns or "").strip().casefold())
    return "" if words[0] == NONE else words[0]


def gender_of(pronouns: str | None) -> Gender:
    """Returns the gender of a person's first pronoun; empty for `they`, others, and none."""
    return _GENDERS.get(first_pronoun(pronouns), "")


class PersonName(str):  # noqa: SLOT000 -- a text has no room for slots with values
    """Name of a person that knows its gender and its forms; equal to the same text without them."""

    gender: Gender
    forms: Mapping[str, str]

    def __new__(cls, name: str, gender: Gender = "", forms: Mapping[str, str] | None = None) -> Self:
        """Makes the name; `forms` holds its forms by case."""
        made = super().__new__(cls, name)
        made.gender, made.forms = gender, forms or {}
        return made

    def form(self, case: str) -> str:
        """Returns the name's form in a case such as `acc`; the name itself without one."""
        return self.forms.get(case, str(self))
