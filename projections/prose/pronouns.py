"""Pronouns that begin an English text: whose they may be, and the teller's name in their place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from retold.journal.names import normalise
from retold.journal.possessives import possessive
from retold.projections.prose.telling import in_first_person, unquoted

_OWNING: Final = {"he": "His", "she": "Her", "they": "Their"}
"""Possessive pronouns by their subject, as they begin a sentence; only these pronouns count."""

_TAKING_A_VERB: Final = ("he", "she")
"""Pronouns in whose place a name keeps the verb as it is; `they run` would have to become `Zel runs`."""

_NO_VERB: Final = r"(?!(?:who|whom|that|or|nor)\b)"
_NO_THING: Final = (
    r"(?!(?:and|or|nor|too|also|again|alone|of|to|is|was|own|with|without|for|from|in|on|at|by|then|there|here|now"
    r"|Majesty|Grace|Highness|Excellency|Honou?r|Holiness|Lordship|Ladyship|Worship)\b)"
)
"""Behind `her` none of these is a thing of hers: `her and me`, `her with the knife`, `Her Majesty`."""
_FOLLOWED_BY_A_VERB: Final = re.compile(rf"(?:[\u2019']s)?\s+{_NO_VERB}[^\W\d_]")
_FOLLOWED_BY_A_THING: Final = re.compile(rf"\s+{_NO_THING}[^\W\d_][\w\u2019'-]*\s+[^\W\d_]")


def begins_with_own(text: str, pronoun: str) -> bool:
    """True if a text begins with this pronoun, `she` or `her hands`, and says neither I nor we."""
    return _first(text, pronoun) is not None and not in_first_person(text)


def begins_with_pronoun(text: str) -> bool:
    """True if a text begins with a pronoun, `they` or `her hands`, and says neither I nor we."""
    return any(begins_with_own(text, pronoun) for pronoun in _OWNING)


def first_pronoun(text: str) -> str:
    """Returns the pronoun that begins a text, `he` for `His hands`; empty for another text, and for they."""
    return next((pronoun for pronoun in _TAKING_A_VERB if _first(text, pronoun) is not None), "")


def with_name(text: str, name: str, pronoun: str) -> str | None:
    """Returns a text with a name in place of the pronoun that begins it: `Jade runs` for `She runs`.

    None for a text that begins otherwise, that has the name already, or in which another word would have to
    change.
    """
    found = _first(text, pronoun)
    if found is None or in_first_person(text) or not name[:1].isupper() or has_name(text, name):
        return None
    rest = text[found.end() :]
    if found[0] == _OWNING[pronoun]:
        owner = possessive(name)
        owner = owner.replace("'", "\u2019") if "'" not in text else owner
        return f"{owner}{rest}" if _FOLLOWED_BY_A_THING.match(rest) else None
    is_kept = pronoun in _TAKING_A_VERB and _FOLLOWED_BY_A_VERB.match(rest)
    return f"{name}{rest}" if is_kept else None


def _first(text: str, pronoun: str) -> re.Match[str] | None:
    if pronoun not in _OWNING:
        return None
    return re.match(rf"(?:{pronoun.capitalize()}|{_OWNING[pronoun]})\b", text)


def has_name(text: str, name: str, others: Iterable[str] = ()) -> bool:
    """True if a text has the name, outside of quotation marks, or a word of it that no name of `others` has.

    Only words with a capital letter count.
    """
    told, shared = unquoted(text), {word for other in others for word in normalise(other).split()}
    words = (word for word in name.split() if word[:1].isupper() and normalise(word) not in shared)
    return any(re.search(rf"\b{re.escape(word)}\b", told) for word in (name, *words))


def has_one_of(text: str, names: Iterable[str]) -> bool:
    """True if a text has one of the names, written as there."""
    return any(re.search(rf"\b{re.escape(name)}\b", text) for name in names)
