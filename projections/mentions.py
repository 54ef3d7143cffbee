"""Where a text names somebody or something, whatever the case, accents and blanks it is written with."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

from journal.names import EVERY_ARTICLE
from journal.store.folding import folded, places, words
from journal.store.texts import CALLED
from journal.vocabulary.base import Event, values_of
from journal.words import Words

K = TypeVar("K", bound=Hashable)


class Mention(NamedTuple, Generic[K]):
    """Who or what is named, and where in the text."""

    of: K
    start: int
    end: int


class Spot(NamedTuple):
    """Something said: in which event and session, and by whom where that is plain."""

    id: str
    session: int | None
    who: str | None
    text: str


class Names(Generic[K]):
    """The names looked for: of each what it is called, and was."""

    def __init__(self, names: Mapping[K, Iterable[str]]) -> None:
        """Of two that are called the same, the first is meant."""
        self._known: dict[str, dict[tuple[str, ...], K]] = {}
        for of, called in names.items():
            for name in called:
                if parts := _parts(name):
                    self._known.setdefault(parts[0], {}).setdefault(parts, of)

    def found(self, text: str) -> Iterator[Mention[K]]:
        """Every mention in a text, in order and without overlaps; of names that begin alike the longest."""
        fold = folded(text)
        if not any(first in fold for first in self._known):
            return
        said, back = list(words(fold)), places(text)
        past = 0
        for place, word in enumerate(said):
            if place < past:
                continue
            rest = [one.text for one in said[place : place + self._longest(word.text)]]
            lengths = range(len(rest), 0, -1)
            whole = self._known.get(word.text, {})
            length = next((n for n in lengths if tuple(rest[:n]) in whole), 0)
            if length:
                past = place + length
                yield Mention(whole[tuple(rest[:length])], back[word.start], back[said[past - 1].end - 1] + 1)

    def named(self, text: str) -> set[K]:
        """Who and what is named in a text."""
        return {mention.of for mention in self.found(text)}

    def phrases(self, of: K) -> Iterator[tuple[str, Sequence[str]]]:
        """Each phrase that somebody or something is called by, and what is meant by others and shares a word.

        A text that has the phrase and none of those names it.
        """
        every = [(parts, whose) for alike in self._known.values() for parts, whose in alike.items()]
        for own in (parts for parts, whose in every if whose == of):
            others = (parts for parts, whose in every if whose != of and not set(parts).isdisjoint(own))
            yield " ".join(own), tuple(map(" ".join, others))

    def _longest(self, first: str) -> int:
        return max(map(len, self._known.get(first, ())), default=0)


def _parts(name: str) -> tuple[str, ...]:
    parts = tuple(word.text for word in words(folded(name)))
    return parts[1:] if len(parts) > 1 and parts[0] in EVERY_ARTICLE else parts


def texts_of(event: Event) -> Iterator[str]:
    """What was said in an event, as far as anybody is shown it; not what somebody or something is called."""
    for key, value in values_of(event).items():
        if isinstance(value, Words) and value.text and key not in CALLED and key in type(event).face():
            yield value.text
