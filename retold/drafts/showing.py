"""Blocks of a draft as one viewer may read them; no other module decides who may see a block."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from retold.drafts.composing import Composition, Place, told_as
from retold.drafts.leaks import KnownOnlyToOthers
from retold.drafts.standing import Standing, StandingBlock
from retold.journal.names import quoted
from retold.journal.refused import Refused
from retold.journal.store.events.codec import decode
from retold.journal.store.events.told_states import ToldStates
from retold.journal.store.writing.drafts import Draft
from retold.journal.store.writing.redacted_words import RedactedWords
from retold.journal.vocabulary.drafts import Block, Sort, Told
from retold.projections.prose import Voice
from retold.projections.reading import LineView
from retold.projections.reading.viewers import is_among


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """Block of a draft as one viewer may read it.

    `id` is the block's id for the game master, and for others its number in their copy, without gaps.
    `events` are the ids of the told events, as the viewer has them in a transcript (`e21`). `record` are the
    record's own words of these events, or empty. `text` is one paragraph, or several with empty lines between
    them. A heading has a `level`, 1 for the highest.
    """

    id: int
    sort: Sort
    text: str
    events: tuple[str, ...]
    record: str = ""
    level: int | None = None


class _Recorded(NamedTuple):
    """Block that is shown in the record's words, and its events that the viewer knows."""

    block: StandingBlock
    events: tuple[Place, ...]


class Leak(NamedTuple):
    """Edited block with words that a viewer may not know, and these words."""

    block: int
    words: str


def shown(
    reading: LineView,
    draft: Draft,
    voice: Voice,
    revision: int | None = None,
    *,
    positions: range | None = None,
) -> tuple[ShownBlock, ...]:
    """Returns the blocks of a draft that the viewer of `reading` may see, in order.

    `voice` is that of the draft (`draft.scope.voice`), `revision` None means the latest. With `positions`
    only blocks about events there, and those that tell nothing behind such a block. Raises Refused if the
    draft tells another line, and if edited words give away what the viewer may not know.
    """
    number = draft.latest.number if revision is None else revision
    standing = Standing(reading.campaign, draft, draft.revision(number), voice)
    if standing.here.line != reading.line:
        raise Refused(
            f"The draft {draft.name} tells the line {reading.campaign.lines()[standing.here.line]}:"
            " say --branch with its name."
        )
    seen = SeenDraft(standing, reading)
    blocks = seen.blocks if positions is None else tuple(_within(seen, positions))
    ids = {block.id for block in blocks}
    leak = next((leak for leak in seen.leaks if leak.block in ids), None)
    if leak is not None:
        person = reading.viewer.person
        whose = "table" if person is None else quoted(reading.table.name(person))
        raise Refused(
            f"The draft {draft.name} gives something away in block {leak.block}, and it is not shown:"
            f" retold draft show --for {whose} says to the game master what."
        )
    if reading.viewer.gm:
        return tuple(blocks)
    return tuple(replace(block, id=number) for number, block in enumerate(blocks, 1))


def _within(seen: SeenDraft, positions: range) -> Iterator[ShownBlock]:
    """Yields the blocks about events at `positions`, and those that tell nothing behind such a block."""
    places = {id_: place for place, id_ in seen.record.places.items()}
    is_within = False
    for block in seen.blocks:
        if block.events:
            is_within = places[block.events[0]].position in positions
        if is_within:
            yield block


@dataclass(frozen=True)
class SeenDraft:
    """The current state of a draft, for the viewer of a reading."""

    standing: Standing
    reading: LineView

    @cached_property
    def record(self) -> Composition:
        """The record's words for this viewer."""
        return self.standing.record_for(self.reading)

    @cached_property
    def blocks(self) -> tuple[ShownBlock, ...]:
        """The blocks that the viewer may see, in order; the record's words where a block itself is hidden."""
        if self.reading.viewer.gm:
            return tuple(self._shown(current, current.text) for current in self.standing.blocks)
        return tuple(_with_breaks_between(self._for_another()))

    def _for_another(self) -> Iterator[ShownBlock]:
        told: set[tuple[Place, Sort]] = set()
        run: list[_Recorded] = []
        for current in self.standing.blocks:
            block = current.block
            is_own = block.edited or not current.events
            if block.sort == "break" or (is_own and self.may_see(current)):
                yield from self._in_their_words(run)
                run = []
                told |= {(event, told_as(block.sort)) for event in current.events}
                yield self._shown(current, "" if block.sort == "break" else current.text)
            elif is_own or block.see is None or is_among(block.see, self.reading.viewer):
                way, known = told_as(block.sort), self.record.told_by(block.sort)
                events = tuple(event for event in current.events if event in known)
                if is_own:
                    events = tuple(event for event in events if (event, way) not in told)
                if events:
                    told |= {(event, way) for event in events}
                    run.append(_Recorded(current, events))
        yield from self._in_their_words(run)

    def _in_their_words(self, run: Sequence[_Recorded]) -> Iterator[ShownBlock]:
        """Yields blocks with the record's words, as the record joins them for this viewer.

        So a hidden block leaves no gap: paragraphs around it are one, if they are one without it.
        """
        at = 0
        while at < len(run):
            current, events = run[at]
            text = self._exactly(current, events)
            joined = 1
            if text is None:
                text, joined = self._together(run, at)
            if text:
                yield self._shown(
                    current, text, [event for each in run[at : at + joined] for event in each.events]
                )
            at += joined

    def _exactly(self, current: StandingBlock, events: Sequence[Place]) -> str | None:
        """Returns the record's words of a block, if the record has a paragraph of the same events."""
        same = self.record.by_events.get((told_as(current.block.sort), frozenset(events)))
        if same is None:
            return None
        return same[0] if current.block.edited else self._followed.get(current.block.id, "")

    @cached_property
    def _followed(self) -> dict[int, str]:
        return self.standing.followed(self.record)

    def _together(self, run: Sequence[_Recorded], at: int) -> tuple[str, int]:
        """Returns the paragraph of the record that tells the events of some blocks, and how many these are.

        One block alone, if the record has no paragraph of exactly these and the following ones.
        """
        current, events = run[at]
        for composed in self.record.telling(events[0]):
            union: set[Place] = set()
            for number, each in enumerate(run[at:], 1):
                union.update(each.events)
                if union == set(composed.events):
                    return composed.text, number
                if not union <= set(composed.events):
                    break
        return self.record.of(events, current.block.sort), 1

    def may_see(self, current: StandingBlock) -> bool:
        """True if the viewer may see a block's own words: all that it tells, in words that they know too.

        A block that tells nothing is the game master's until it is opened.
        """
        if self.reading.viewer.gm:
            return True
        if not self.knows_all(current.block) or self._may_repeat_redacted(current):
            return False
        see = current.block.see
        if see is not None:
            return is_among(see, self.reading.viewer)
        return bool(current.block.tells) and all(
            self._reads_alike(event, current.block) for event in current.events
        )

    def _may_repeat_redacted(self, current: StandingBlock) -> bool:
        """True if an edited block may say what was redacted since it was written, and was not opened.

        A redaction takes the words of such a block, except where it came from another copy afterwards.
        """
        block = current.block
        if not block.edited:
            return False
        if any(map(self._is_redacted_since, block.tells)):
            return True
        return block.see is None and self._redacted.found_in(current.text) is not None

    def _is_redacted_since(self, told: Told) -> bool:
        place = self.standing.here.place(told)
        row = self.reading.past.row(place.position) if place else None
        if place is None or row is None or None not in decode(row).texts:
            return False
        return self._states.of(place.position) != told.state

    @cached_property
    def _states(self) -> ToldStates:
        return ToldStates(self.reading.campaign.record, self.reading.line)

    @cached_property
    def _redacted(self) -> RedactedWords:
        return RedactedWords(self.reading.campaign.record)

    def knows_all(self, block: Block) -> bool:
        """True if the viewer may see every event that the block tells, in whatever words."""
        return all(map(self._knows, block.tells))

    def _knows(self, told: Told) -> bool:
        """True if the viewer may see an event, undone or not; only the game master sees a lost one."""
        place = self.standing.here.place(told)
        row = self.reading.past.row(place.position) if place else None
        return row is not None and self.reading.sight.sees(decode(row))

    def _reads_alike(self, event: Place, block: Block) -> bool:
        """True if the viewer reads an event in the same words, or all of it where it is told elsewhere."""
        ours = self.standing.record.words_of(event, block.sort)
        theirs = self.record.words_of(event, block.sort)
        if ours is None or theirs is not None:
            return ours in (None, theirs)
        row = self.reading.past.row(event.position)
        recorded = None if row is None else decode(row)
        return recorded is not None and self.reading.sight.as_seen(recorded).event is recorded.event

    def _shown(self, current: StandingBlock, text: str, events: Sequence[Place] | None = None) -> ShownBlock:
        told = current.events if events is None else events
        ids = (self.record.places.get(event) for event in told)
        words = self.record.of(told, current.block.sort, as_told=True)
        return ShownBlock(
            current.block.id, current.block.sort, text, tuple(filter(None, ids)), words, current.block.level
        )

    @cached_property
    def leaks(self) -> tuple[Leak, ...]:
        """Edited blocks that would tell the viewer what they may not know; none for the game master."""
        if self.reading.viewer.gm:
            return ()
        bare = (
            current for current in self.standing.blocks if current.block.edited and not current.block.tells
        )
        secret = KnownOnlyToOthers(
            self.reading, tuple(current.text for current in bare if not self.may_see(current))
        )
        edited = [
            current for current in self.standing.blocks if current.block.edited and self.may_see(current)
        ]
        found = ((current.block.id, secret.found_in(current.text)) for current in edited)
        return tuple(Leak(block, words) for block, words in found if words is not None)


def is_for_the_game_master(block: Block) -> bool:
    """True if only the game master may see a block: it tells nothing, and was not opened."""
    return block.see == "gm" or (block.eyes == "gm" and block.sort != "break")


def _with_breaks_between(blocks: Iterable[ShownBlock]) -> Iterator[ShownBlock]:
    """Yields the blocks with breaks between two texts only, so that no break tells of a hidden block."""
    waiting, last = None, None
    for block in blocks:
        if block.sort == "break":
            waiting = waiting or block
            continue
        if waiting is not None and last is not None and "heading" not in (last.sort, block.sort):
            yield waiting
        waiting, last = None, block
        yield block
