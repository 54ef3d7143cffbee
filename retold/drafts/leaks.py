"""Search of edited words for names, threads and phrases that a viewer may not know."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from retold.journal.names import normalise
from retold.journal.store.events.codec import Recorded
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary.base import Event, Frozen, Words, values_of
from retold.projections.reading import GAME_MASTER, LineView

_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_BETWEEN_APOSTROPHES: Final = re.compile(r"[^\W_]+")
"""Parts of words: a name is found in `Morvane's` and in `d'Ana` as well."""
_ENDINGS: Final = ("", "s")
"""What may follow a name in one word, such as a genitive in `Morvanes`."""
_LONG: Final = 4
"""Letters from which a word says something."""
_PHRASES: Final = (3, 4, 5)
"""Lengths in words of the phrases that are looked for."""
_INSIDE_A_SENTENCE: Final = re.compile(r"[^\W\d_],?\s+((?=[^\W\d_])\w\w\w+)")
MOST_NAMES: Final = 0.25
"""Part of the words inside sentences that are names at most, where only names have capital letters."""
ENOUGH_WORDS: Final = 100
"""Words from which that part says something."""


@dataclass(frozen=True)
class KnownOnlyToOthers:
    """Names, threads and phrases of a line that its viewer may not know."""

    reading: LineView
    beside: tuple[str, ...] = ()
    """Texts outside the record that the viewer may not know either."""

    def found_in(self, text: str) -> str | None:
        """Returns the first secret words in `text`; None without any."""
        text = unicodedata.normalize("NFC", text)
        spelled = f" {_spelled(text)} "
        for name in self._names:
            if any(form in spelled and form not in self._spelled for form in _forms(name)) and _is_written(
                name, text
            ):
                return name
        words = _WORD.findall(text)
        for length in _PHRASES:
            for start in range(len(words) - length + 1):
                if _phrase(words[start : start + length]) in self._phrases:
                    return " ".join(words[start : start + length])
        return None

    @cached_property
    def are_any(self) -> bool:
        """True if there is anything that the viewer may not know, or once did not."""
        return bool(self._hidden) or any(one.envelope.visible_to != TABLE for one in self._whole)

    @cached_property
    def _whole(self) -> tuple[Recorded, ...]:
        """Events as the game master knows them."""
        return tuple(self.reading.through(GAME_MASTER).recorded())

    @cached_property
    def _texts(self) -> tuple[str, ...]:
        """Texts that the viewer knows."""
        return tuple(text for recorded in self.reading.recorded() for text in _texts(recorded.event))

    @cached_property
    def _known(self) -> str:
        """Texts and names that the viewer knows, joined."""
        return " . ".join((*self._texts, *_names_at(self.reading.table)))

    @cached_property
    def _open(self) -> str:
        """Words that the viewer knows, folded, between blanks."""
        return f" {_folded(self._known)} "

    @cached_property
    def _spelled(self) -> str:
        """Words that the viewer knows, without apostrophes, as names are looked for."""
        return f" {_spelled(self._known)} "

    @cached_property
    def _hidden(self) -> tuple[str, ...]:
        """Texts that the viewer does not know."""
        known = {*self._texts}
        texts = (text for recorded in self._whole for text in _texts(recorded.event, sealed=True))
        return tuple(dict.fromkeys(text for text in (*texts, *self.beside) if text not in known))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Names that occur nowhere in what the viewer knows, including those found only in a hidden text."""
        named = list(_names_at(self.reading.through(GAME_MASTER).table))
        if not self._nouns_have_capitals:
            named += filter(_is_capital, _inside_sentences(self._hidden))
        return tuple(name for name in dict.fromkeys(named) if not self.knows(name))

    @property
    def _nouns_have_capitals(self) -> bool:
        """True if the record is in a language that writes every noun like a name, such as German."""
        words = _inside_sentences((*self._texts, *self._hidden))
        return len(words) >= ENOUGH_WORDS and sum(map(_is_capital, words)) > MOST_NAMES * len(words)

    def knows(self, name: str) -> bool:
        """True if the viewer knows these words."""
        spelled = _spelled(name)
        return not spelled or f" {spelled} " in self._spelled

    @cached_property
    def _phrases(self) -> frozenset[str]:
        found = (phrase for text in self._hidden for phrase in _phrases_of(text))
        return frozenset(phrase for phrase in found if f" {phrase} " not in self._open)


def _inside_sentences(texts: Iterable[str]) -> list[str]:
    """Returns the words that follow another word of their sentence."""
    return [word for text in texts for word in _INSIDE_A_SENTENCE.findall(text)]


def _is_capital(word: str) -> bool:
    return word[:1].isupper()


def _names_at(table: Table) -> Iterator[str]:
    """Yields every name of people, threads, places and things."""
    for names in table.names().values():
        yield from names
    for person in table.everybody():
        yield from person.forms_by_case.values()
    for matter in table.every_matter():
        yield from matter.names


def _texts(value: object, *, sealed: bool = False) -> Iterator[str]:
    """Yields the texts in an event or a part of one; sealed ones only if asked for."""
    if isinstance(value, Words):
        if value.text:
            yield value.text
    elif isinstance(value, Event | Frozen):
        fields = values_of(value if sealed or not isinstance(value, Event) else value.shown())
        file = value.file_field if isinstance(value, Event) else None
        for key, inner in fields.items():
            if key not in (file, "pronouns"):
                yield from _texts(inner, sealed=sealed)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from _texts(inner, sealed=sealed)
    elif isinstance(value, tuple):
        for inner in value:
            yield from _texts(inner, sealed=sealed)


def _folded(text: str) -> str:
    return " ".join(map(normalise, _WORD.findall(unicodedata.normalize("NFC", text))))


def _spelled(text: str) -> str:
    """Returns the folded words of a text; an apostrophe parts two words."""
    return " ".join(map(normalise, _BETWEEN_APOSTROPHES.findall(unicodedata.normalize("NFC", text))))


def _forms(name: str) -> Iterator[str]:
    """Yields a name as it may stand in a text that is spelled, between blanks."""
    spelled = _spelled(name)
    return (f" {spelled}{ending} " for ending in _ENDINGS)


def _is_written(name: str, text: str) -> bool:
    """True if `text` writes the name with a capital letter where the name has one."""
    if not name[:1].isupper():
        return True
    first = normalise(_BETWEEN_APOSTROPHES.findall(name)[0])
    forms = {f"{first}{ending}" for ending in _ENDINGS}
    words = _BETWEEN_APOSTROPHES.findall(text)
    return any(word[:1].isupper() and normalise(word) in forms for word in words)


def _phrases_of(text: str) -> Iterator[str]:
    words = _WORD.findall(text)
    for length in _PHRASES:
        for start in range(len(words) - length + 1):
            some = words[start : start + length]
            if sum(len(word) >= _LONG for word in some) > 1:
                yield _phrase(some)
    if 1 < len(words) < _PHRASES[0]:
        yield _phrase(words)


def _phrase(words: list[str]) -> str:
    return " ".join(map(normalise, words))
