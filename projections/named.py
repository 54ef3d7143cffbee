"""Where a line names somebody or something: asked of the search index if one is kept, or of every text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final, Generic, NamedTuple, TypeVar

from journal.store.codec import Recorded
from journal.store.errors import StoreError
from journal.store.index import Index, Named, Place
from journal.store.kinds import event_of
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.mentions import Names, texts_of
from projections.reading import Reading

K = TypeVar("K", bound=Hashable)

FAR: Final = 5_000
"""To hear so many events takes longer than to ask the index."""

_OF_MATTERS: Final = frozenset(
    one.kind for one in (e.MatterOpened, e.MatterNoted, e.MatterClosed, e.MatterRenamed, e.MatterMerged)
)


class Naming(NamedTuple):
    """A text in which somebody or something is named, and the event it is of."""

    recorded: Recorded
    event: Event
    text: str


@dataclass(frozen=True)
class Mentions(Generic[K]):
    """Where each is named on a line, after a position, as far as its viewer may know."""

    reading: Reading
    names: Names[K]
    noted_of: Callable[[Event], K | None] = lambda _event: None
    """What an event was noted of, which its words do not mention."""
    after: int = 0

    def places(self, of: K) -> Sequence[int]:
        """The position of each text in which it is named, in order."""
        return self.all_places((of,))[of]

    def all_places(self, every: Collection[K]) -> Mapping[K, Sequence[int]]:
        """The same of each of these."""
        try:
            found = self._sought(every) if self.is_far else None
        except StoreError:
            found = None
        return {of: self._heard.get(of, ()) for of in every} if found is None else found

    def at(self, of: K, position: int) -> Iterator[Naming]:
        """The texts at a position in which it is named."""
        for recorded in self.reading.recorded(position - 1, position):
            yield from (one for one, whose in self._told(recorded) if of in whose)

    @property
    def is_far(self) -> bool:
        """True where an index is kept, and asking it is worth while."""
        far = self.reading.position - self.after >= FAR
        return far and not self.after and self.reading.campaign.snapshots is not None

    # --- every text ---

    def _told(self, recorded: Recorded) -> Iterator[tuple[Naming, set[K | None]]]:
        event = recorded.event
        if isinstance(event, Event) and not isinstance(event, e.Reworded):  # its words are those of another
            for text in texts_of(event):
                if named := self.names.named(text):
                    whose: set[K | None] = {*named}
                    yield Naming(recorded, event, text), whose - {self.noted_of(event)}

    @cached_property
    def _heard(self) -> Mapping[K | None, Sequence[int]]:
        found: dict[K | None, list[int]] = {}
        for recorded in self.reading.recorded(self.after):
            for _, named in self._told(recorded):
                for of in named:
                    found.setdefault(of, []).append(recorded.position)
        return found

    # --- the index ---

    def _sought(self, every: Collection[K]) -> Mapping[K, Sequence[int]] | None:
        """The same by the index; None where there is none."""
        cache, past = self.reading.campaign.snapshots, self.reading.past
        if cache is None:
            return None
        index = Index(cache.path)
        try:
            index.catch_up(past.record, self.reading.campaign.id, progress=self.reading.told)
            return {of: self._by(index, of) for of in every}
        finally:
            index.close()

    def _by(self, index: Index, of: K) -> Sequence[int]:
        """What has its name and nobody else's that shares a word names it; the rest is looked at."""
        past, stands = self.reading.past, self.reading.past.stands
        gone = stands.gone()
        certain: dict[int, int] = {}
        doubted: dict[int, None] = {}
        for phrase, others in self.names.phrases(of):
            asked = Named((phrase,), (), past.segments, past.position)
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

    def _seen(self, index: Index, asked: Named) -> Sequence[Place]:
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
    """True where the index does not say of what a text was noted, or whether anybody can read it."""
    return kind in _OF_MATTERS or event_of(kind) is None
