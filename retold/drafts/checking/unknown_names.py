"""Names in a sentence that are in no event its reader knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from retold.drafts.checking.deeds import Token
from retold.drafts.checking.english import WORDS, may_be_verb
from retold.drafts.checking.numbers import numbers_in
from retold.drafts.checking.record import KnownRecord
from retold.drafts.leaks import KnownOnlyToOthers
from retold.journal.names import nearest, normalise
from retold.projections.prose.sentences import is_verb

_ALMOST: Final = 75
"""Likeness from which an unknown name may be a known one misspelt."""
_BEGINS_BEHIND: Final = ':\u201c\u2018"\u2014('
_SHORTENED: Final = re.compile(r"(?:n['\u2019]t|['\u2019](?:s|d|ll|re|ve|m)?)$")
"""Ending of a genitive or a shortened verb: `Zel's`, `He'd`, `Don't`."""
_ABBREVIATION: Final = 4
"""Letters of a word in capitals, such as `NPC`, that is no name."""


_NO_NAMES: Final[frozenset[str]] = frozenset().union(
    *(WORDS[name] for name in ("openers", "small", "negations", "others", "conjunctions", "times"))
)


@dataclass(frozen=True)
class UnknownNames:
    """Finds words with a capital letter that no event has, and numbered names that nobody has."""

    record: KnownRecord
    secret: KnownOnlyToOthers

    def found_in(self, tokens: Sequence[Token]) -> str | None:
        """Returns why a sentence is not in the record: its first unknown name; None without one."""
        for place, token in enumerate(tokens):
            behind = tokens[place + 1] if place + 1 < len(tokens) else None
            if token.people is not None:
                name, _, number = token.written.partition("-")
                if not number and behind is not None:
                    number = behind.written
                if (
                    number.isdecimal()
                    and token.people in self._numbered
                    and not self._has(f"{name} {number}")
                ):
                    return f"nobody is called {name}-{number}"
                continue
            word = _SHORTENED.sub("", token.written)
            is_short = len(word) == 1 or (word.isupper() and len(word) <= _ABBREVIATION)
            if not word[:1].isupper() or is_short:
                continue
            begins = place == 0 or tokens[place - 1].text in _BEGINS_BEHIND
            if self._is_known(word) or (begins and not _may_be_name(token.written, tokens[place + 1 :])):
                continue
            near = nearest(word, self._people, 1, at_least=_ALMOST)
            return f"\u201c{word}\u201d is in no event{f': is {near[0]} meant?' if near else ''}"
        return None

    @cached_property
    def _people(self) -> tuple[str, ...]:
        return tuple(name for names in self.record.reading.table.names().values() for name in names)

    @cached_property
    def _numbered(self) -> frozenset[frozenset[int]]:
        """People of each name that is told apart by numbers alone: Eel-1 and Eel-2."""
        bases = (normalise(name).rpartition(" ") for name in self._people)
        found = (self.record.names.named(base) for base, _, number in bases if number.isdecimal() and base)
        return frozenset(people for several in found for people in several)

    def _has(self, name: str) -> bool:
        return normalise(name) in map(normalise, self._people)

    def _is_known(self, name: str) -> bool:
        words = normalise(name).split()
        return all(
            word in WORDS["small"] | WORDS["titles"] | self.record.words
            or self.secret.knows(word)
            or self.secret.knows(word.removesuffix("s"))
            for word in words
        )


def _may_be_name(word: str, behind: Sequence[Token]) -> bool:
    """True if the first word of a sentence may be a name, since a verb or an unknown name follows."""
    folded = normalise(_SHORTENED.sub("", word))
    is_common = folded in _NO_NAMES or folded.endswith(("ly", "ing"))
    if is_common or is_verb(folded) or any(numbers_in(word)) or not behind:
        return False
    if behind[0].text == "and":
        return len(behind) > 1 and behind[1].written[:1].isupper()
    is_genitive = word.endswith(("'s", "\u2019s"))
    is_name = is_genitive or (behind[0].written[:1].isupper() and behind[0].people is None)
    return is_name or may_be_verb(behind[0].text)
