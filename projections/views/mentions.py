"""Mentions of names in free text, matched regardless of case, accents and spacing.

Names are those of people and of matters (threads, places, things).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, Generic, NamedTuple, TypeVar

from retold.journal.grouping import grouped
from retold.journal.names import EVERY_ARTICLE
from retold.journal.store.caches.index import Index, IndexedText, PhraseQuery
from retold.journal.store.contract.errors import StoreError
from retold.journal.store.events.codec import Recorded
from retold.journal.store.events.kinds import event_of
from retold.journal.store.events.text_matching import normalised, source_positions, words
from retold.journal.store.events.texts import NAME_FIELDS
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Words, values_of
from retold.projections.reading import LineView

K = TypeVar("K", bound=Hashable)


class Mention(NamedTuple, Generic[K]):
    """Name found in a text: `of` is the key of the person or matter, `start` and `end` the span."""

    of: K
    start: int
    end: int


class Spot(NamedTuple):
    """Piece of recorded text, with its event id, its session and, if known, its speaker."""

    id: str
    session: int | None
    who: str | None
    text: str


class Names(Generic[K]):
    """Search index of current and former names; each leads to the key of a person, thread, place or thing."""

    def __init__(self, names: Mapping[K, Iterable[str]]) -> None:
        """Indexes `names`, given by key; if two keys share a name, the first keeps it."""
        self._known: dict[str, dict[tuple[str, ...], K]] = {}
        for of, called in names.items():
            for name in called:
                if parts := _parts(name):
                    self._known.setdefault(parts[0], {}).setdefault(parts, of)

    def found(self, text: str) -> Iterator[Mention[K]]:
        """Yields each indexed name found in a text, in order, without overlap; the longest name wins."""
        fold = normalised(text)
        if not any(first in fold for first in self._known):
            return
        said = list(words(fold))
        back = source_positions(text)
        past = 0
        for place, word in enumerate(said):
            if place < past:
                continue
            rest = [
                one.text
                for one in said[place : place + max(map(len, self._known.get(word.text, ())), default=0)]
            ]
            lengths = range(len(rest), 0, -1)
            whole = self._known.get(word.text, {})
            length = next((n for n in lengths if tuple(rest[:n]) in whole), 0)
            if length:
                past = place + length
                yield Mention(whole[tuple(rest[:length])], back[word.start], back[said[past - 1].end - 1] + 1)

    def named(self, text: str) -> set[K]:
        """Returns the keys whose names occur in a text."""
        return {mention.of for mention in self.found(text)}

    def phrases(self, of: K) -> Iterator[tuple[str, Sequence[str]]]:
        """Yields each name of key `of`, paired with the names of other keys that share a word with it.

        A text that contains the name and none of those other names mentions `of`.
        """
        every = [(parts, whose) for alike in self._known.values() for parts, whose in alike.items()]
        for own in (parts for parts, whose in every if whose == of):
            others = (parts for parts, whose in every if whose != of and not set(parts).isdisjoint(own))
            yield " ".join(own), tuple(map(" ".join, others))


def _parts(name: str) -> tuple[str, ...]:
    parts = tuple(word.text for word in words(normalised(name)))
    return parts[1:] if len(parts) > 1 and parts[0] in EVERY_ARTICLE else parts


def texts_of(event: Event) -> Iterator[str]:
    """Yields the free texts of an event that may be shown, except names and the bytes of a file."""
    shown = type(event).face() - NAME_FIELDS - {type(event).file_field}
    for key, value in values_of(event).items():
        if isinstance(value, Words) and value.text and key in shown:
            yield value.text


FAR: Final = 5_000
"""Events from which the index is faster than reading every text."""

_OF_MATTERS: Final = frozenset(
    kind.kind for kind in (e.MatterOpened, e.MatterNoted, e.MatterClosed, e.MatterRenamed, e.MatterMerged)
)


class NamingText(NamedTuple):
    """Text of an event that mentions a person, thread, place or thing."""

    recorded: Recorded
    event: Event
    text: str


@dataclass(frozen=True)
class MentionsOnLine(Generic[K]):
    """Mentions in the texts of a branch after position `after`, as far as the viewer may see them."""

    reading: LineView
    names: Names[K]
    noted_of: Callable[[Event], K | None] = lambda _event: None
    """Subject of a note, which its own text does not count as mentioning."""
    after: int = 0

    def places(self, of: K) -> Sequence[int]:
        """Returns the positions of events whose texts mention `of`, in order."""
        return self.all_places((of,))[of]

    def all_places(self, every: Collection[K]) -> Mapping[K, Sequence[int]]:
        """Returns, for each key of `every`, the positions of events that mention it, in order.

        A long branch is searched by the campaign's index, if it has one.
        """
        try:
            found = self._sought(every) if self.is_far else None
        except StoreError:
            found = None
        return {of: self._heard.get(of, ()) for of in every} if found is None else found

    def at(self, of: K, position: int) -> Iterator[NamingText]:
        """Yields the texts of the event at `position` that mention `of`."""
        for recorded in self.reading.recorded(position - 1, position):
            yield from (found for found, whose in self._told(recorded) if of in whose)

    @property
    def is_far(self) -> bool:
        """True if the branch is long and the campaign keeps an index, so that asking the index is faster."""
        far = self.reading.position - self.after >= FAR
        return far and not self.after and self.reading.campaign.snapshots is not None

    # --- every text ---

    def _told(self, recorded: Recorded) -> Iterator[tuple[NamingText, set[K | None]]]:
        event = recorded.event
        if isinstance(event, Event) and not isinstance(event, e.Reworded):  # the words of another event
            for text in texts_of(event):
                if named := self.names.named(text):
                    whose: set[K | None] = {*named}
                    yield NamingText(recorded, event, text), whose - {self.noted_of(event)}

    @cached_property
    def _heard(self) -> Mapping[K | None, Sequence[int]]:
        return grouped(
            (of, recorded.position)
            for recorded in self.reading.recorded(self.after)
            for _, named in self._told(recorded)
            for of in named
        )

    # --- the index ---

    def _sought(self, every: Collection[K]) -> Mapping[K, Sequence[int]] | None:
        """Updates the index and returns the positions of mentions by key; None if there is no index."""
        cache, past = self.reading.campaign.snapshots, self.reading.past
        if cache is None:
            return None
        index = Index(cache.path)
        try:
            index.catch_up(past.record, self.reading.campaign.id, progress=self.reading.progress)
            return {of: self._by(index, of) for of in every}
        finally:
            index.close()

    def _by(self, index: Index, of: K) -> Sequence[int]:
        """Returns the positions of events that mention `of`, from the index.

        An ambiguous match is checked against the text of its event.
        """
        past, stands = self.reading.past, self.reading.past.amendments
        gone = stands.gone()
        certain: dict[int, int] = {}
        doubted: dict[int, None] = {}
        for phrase, others in self.names.phrases(of):
            asked = PhraseQuery((phrase,), (), past.segments, past.position)
            found = self._seen(index, asked)
            beside = index.places(asked._replace(beside=others)) if found and others else ()
            unsure = {id_ for id_, *_ in beside}
            for id_, since, position, kind in found:
                reworded = position in stands.rewordings
                if (gone and not stands.counts(position)) or (since != position and not reworded):
                    continue
                if reworded or id_ in unsure or _is_doubtful(kind):
                    doubted[position] = None
                else:
                    certain[id_] = position
        sure = (at for at in certain.values() if at not in doubted)
        looked_at = (at for at in doubted for _ in self.at(of, at))
        return sorted((*sure, *looked_at))

    def _seen(self, index: Index, asked: PhraseQuery) -> Sequence[IndexedText]:
        sight = self.reading.sight
        if sight.viewer.gm:
            return index.places(asked)
        return [
            (hit.id, hit.since, hit.position, hit.kind)
            for hit in index.naming(asked)
            if sight.sees_text(hit.position, hit.kind, hit.visible_to, hit.people)
        ]


@cache
def _is_doubtful(kind: str) -> bool:
    """True if a text of this event kind must be read: the index lacks its subject, or the kind is unknown."""
    return kind in _OF_MATTERS or event_of(kind) is None
