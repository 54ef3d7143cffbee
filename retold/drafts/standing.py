"""A draft by the current record: what its blocks read, and which events are stale, cut or untold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from retold.drafts.composing import Composed, Composition, Place, told_as
from retold.drafts.places import Here
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft, Reader, Revision
from retold.journal.vocabulary.drafts import Block, Sort
from retold.projections.prose import Voice
from retold.projections.reading import GAME_MASTER, LineView, Viewer
from retold.projections.reading.viewers import EVERYBODY, viewer_of


@dataclass(frozen=True, slots=True)
class Changed:
    """Event with other words than at the last look at the block; `now` is None if the event is gone."""

    event: Place
    was: str
    now: str | None


@dataclass(frozen=True, slots=True)
class StandingBlock:
    """Block of the text with its words as they read now.

    An unedited block has the record's words; an edited one is stale if events `changed`.
    """

    block: Block
    text: str
    events: tuple[Place, ...]
    changed: tuple[Changed, ...] = ()


@dataclass(frozen=True, slots=True)
class Untold:
    """Words of the record that no block tells, and the block after which they belong; None before all."""

    after: int | None
    composed: Composed


def reader_of(campaign: CampaignStore, line: int, reader: Reader) -> Viewer:
    """Returns the viewer whose copy a draft is."""
    if reader == "gm":
        return GAME_MASTER
    if reader == "table":
        return EVERYBODY
    return viewer_of(LineView(campaign, line).table, reader)


def reader_for(viewer: Viewer) -> Reader:
    """Returns a viewer as a draft stores its reader."""
    if viewer.gm:
        return "gm"
    return "table" if viewer.person is None else viewer.person


@dataclass(frozen=True)
class Standing:
    """A revision of a draft, with the record's words now in the voice of the draft."""

    campaign: CampaignStore
    draft: Draft
    revision: Revision
    voice: Voice

    @cached_property
    def here(self) -> Here:
        """The part of a line that the draft tells now."""
        return Here(self.campaign, self.draft.scope)

    @cached_property
    def record(self) -> Composition:
        """The record's words for the reader of the draft."""
        reader = reader_of(self.campaign, self.here.line, self.draft.scope.reader)
        return self.record_for(LineView(self.campaign, self.here.line).through(reader))

    def record_for(self, reading: LineView) -> Composition:
        """Returns the record's words for another viewer of the line, in the voice of the draft."""
        return Composition(reading, self.here.first, self.here.last, self.voice)

    @cached_property
    def blocks(self) -> tuple[StandingBlock, ...]:
        """Blocks of the text in order, without redacted ones and unedited ones whose events are gone."""
        return tuple(self._blocks())

    def followed(self, record: Composition) -> dict[int, str]:
        """Returns the words that `record` has for the unedited blocks, by id.

        A block that `record` does not tell is left out. Blocks with the same events share the record's
        paragraphs about them, in order.
        """
        waiting = defaultdict(list, {key: [*texts] for key, texts in record.by_events.items()})
        kept = [block for block in self.revision.shown if not block.edited and block.tells]
        keys = {block.id: self._key(block, record) for block in kept}
        found: dict[int, str] = {}
        for block in kept:
            texts = waiting[keys[block.id]]
            if block.text.text in texts:
                texts.remove(block.text.text)
                found[block.id] = block.text.text
        for block in kept:
            if block.id in found:
                continue
            told, events = keys[block.id]
            texts = waiting[told, events]
            text = texts.pop(0) if texts else self._alone(block, events, record)
            if text:
                found[block.id] = text
        return found

    def _alone(self, block: Block, events: frozenset[Place], record: Composition) -> str:
        """Returns the record's words of a block whose events it tells in other paragraphs; empty if twice."""
        whole = (told_as(block.sort), events) in record.by_events
        return "" if whole else record.of(events, block.sort)

    def _key(self, block: Block, record: Composition) -> tuple[Sort, frozenset[Place]]:
        told = record.told_by(block.sort)
        return told_as(block.sort), frozenset(event for event in self.events_of(block) if event in told)

    def events_of(self, block: Block) -> tuple[Place, ...]:
        """Returns places of a block's events on the present line; events elsewhere are left out."""
        return tuple(dict.fromkeys(filter(None, map(self.here.place, block.tells))))

    def _blocks(self) -> Iterator[StandingBlock]:
        followed = self.followed(self.record)
        for block in self.revision.shown:
            events = self.events_of(block)
            if block.edited or not block.tells:
                if block.text.text is not None:
                    changed = tuple(self._changed(block)) if block.edited else ()
                    yield StandingBlock(block, block.text.text, events, changed)
            elif block.id in followed:
                yield StandingBlock(block, followed[block.id], events)

    def _changed(self, block: Block) -> Iterator[Changed]:
        for told in block.tells:
            place = self.here.place(told)
            now = None if place is None else noted(self.record, place, block.sort)
            was = None if told.words is None else told.words.text
            if now != was and not (now is None and was is None):
                yield Changed(place or Place(told.line, told.position), was or "", now)

    @cached_property
    def stale(self) -> tuple[StandingBlock, ...]:
        """The edited blocks that tell something the record says otherwise now."""
        return tuple(block for block in self.blocks if block.changed)

    @cached_property
    def untold(self) -> tuple[Untold, ...]:
        """Words of the record that no block tells and that are not cut, in the order of the story."""
        return tuple(self._untold())

    def _untold(self) -> Iterator[Untold]:
        shown = self.revision.shown
        last = {event: number for number, block in enumerate(shown) for event in self.events_of(block)}
        accounted = self.told | self.cut_events
        after: int | None = None
        for composed in self.record.blocks:
            fresh = [event for event in composed.events if event not in accounted]
            for event in composed.events[: composed.events.index(fresh[0])] if fresh else ():
                after = shown[last[event]].id if event in last else after
            if fresh and len(fresh) < len(composed.events):
                parts = tuple(part for part in composed.parts if part[0] in fresh)
                yield Untold(after, Composed(composed.sort, self.record.of(fresh, composed.sort), parts))
            elif fresh:
                yield Untold(after, composed)
            tells = [last[event] for event in composed.events if event in last]
            after = shown[max(tells)].id if tells else after

    @cached_property
    def told(self) -> frozenset[Place]:
        """The events that a block of the text tells."""
        return frozenset(event for block in self.blocks for event in block.events)

    @property
    def redacted(self) -> tuple[Block, ...]:
        """The edited blocks of the text whose words are redacted; what they told is untold again."""
        return tuple(block for block in self.revision.shown if block.edited and block.text.text is None)

    @cached_property
    def cut_events(self) -> frozenset[Place]:
        """The events that were cut on purpose."""
        return frozenset(event for block in self.revision.cut for event in self.events_of(block)) - self.told


def noted(record: Composition, event: Place, sort: Sort) -> str | None:
    """Returns the record's words of an event with their readers, as a block keeps them; None if untold."""
    words, eyes = record.words_of(event, sort), record.eyes.get(event)
    return f"[{eyes}] {words}" if words is not None and eyes and sort != "heading" else words


def latest(campaign: CampaignStore, draft: Draft, voice: Voice) -> Standing:
    """Returns the latest revision of a draft in its current state."""
    return Standing(campaign, draft, draft.latest, voice)
