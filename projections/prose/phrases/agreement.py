"""Agreement of phrases with the people that they name: gender, and forms of names in other cases."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from retold.journal.grammar import PersonName

MIXED: Final = "mixed"
"""Gender of several people who have different ones."""

GENDERS: Final = frozenset({"f", "m", "n", MIXED, "other"})
"""Genders that a phrase may ask for; `other` is every gender without words of its own, and no known one."""


def gender(value: object, words: Mapping[str, str]) -> str:
    """Returns the gender of one or several names, `f`, `m`, `n` or `mixed`; with `words`, those for it.

    Empty, or the words for `other`, if the pronouns of one of them give no gender or are not known.
    """
    names = value if isinstance(value, list | tuple) else [value]
    found = {name.gender if isinstance(name, PersonName) else "" for name in names}
    common = "" if not found or "" in found else found.pop() if len(found) == 1 else MIXED
    return words.get(common, words.get("other", "")) if words else common


_GROUP: Final = re.compile(r"(?:[bdgklmnprtvw]s|(?:v|i|ch|sh)es|(?:dron|pirat|judg|hors)es|men|people|folk)$")
"""End of a name for several: `Guards`, `Eel-wives`, `Ferrymen`."""
_NO_GROUP: Final = frozenset(
    {"anders", "carmen", "edwards", "eins", "hans", "jens", "lars", "mads", "mats", "nils", "niels", "rogers"}
)
"""Last words of one person's name that end like those: `Wolf Nummer eins`."""


def are_several(who: object) -> bool:
    """True for several people, and for a name in the plural without a gender, such as `Guards`."""
    if isinstance(who, list | tuple):
        return len(who) != 1 or are_several(who[0])
    if gender(who, {}) == MIXED:
        return True
    last = re.split(r"[\s-]", str(who).lower())[-1]
    is_plural = last not in _NO_GROUP and _GROUP.search(last) is not None
    return is_plural and not gender(who, {})


_PLURALS: Final = (
    (r"(?<=[a-z])(?<!hu)(?<!ger)man$", "men"),
    (r"(?:(?<=wol)|(?<=thie)|(?<=dwar)|(?<=\bel))f$", "ves"),
    (r"(?<=[^aeou])y$", "ies"),
    (r"(?:(?<=[sxz])|(?<=[cs]h))$", "es"),
)


def plural(noun: str) -> str:
    """Returns the plural of an English noun: `harpies` for `harpy`."""
    found = (re.sub(ending, instead, noun) for ending, instead in _PLURALS)
    return next((several for several in found if several != noun), f"{noun}s")


def form(value: object, case: str) -> object:
    """Returns a name, or each of several names, in a case such as `acc`; unchanged without that form."""
    if isinstance(value, list | tuple):
        return [form(name, case) for name in value]
    return value.form(case) if isinstance(value, PersonName) else value


def grammar_of(value: object) -> object:
    """Returns gender and forms of a name, or of each name in a list; None for other values."""
    if isinstance(value, list | tuple):
        return tuple(map(grammar_of, value))
    return (value.gender, *sorted(value.forms.items())) if isinstance(value, PersonName) else None
