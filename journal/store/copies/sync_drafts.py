"""Moves drafts into another copy of the campaign, and joins their revisions with those made there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from retold.journal.grouping import grouped
from retold.journal.store.contract.event_store import DRAFTS, FIRST_DRAFT, Row
from retold.journal.store.events.acts import Manner, draft_rows
from retold.journal.store.events.clock import StoppedClock
from retold.journal.store.events.codec import Recorded, UnknownEvent, decode, salted_texts
from retold.journal.store.events.record import Record
from retold.journal.store.events.told_states import ToldStates
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.draft_joining import join
from retold.journal.store.writing.drafts import Revision, revised
from retold.journal.store.writing.gone_texts import record_redactions
from retold.journal.vocabulary.base import Event
from retold.journal.vocabulary.drafts import (
    GONE,
    Block,
    DraftBegun,
    DraftPublished,
    DraftRevised,
    DraftSent,
    DraftWithdrawn,
    Told,
)

MovedPlace = Callable[[int, int], tuple[int, int] | None]
"""Returns stored line and position in the target of the source's event with these; None if it has none."""

Acts = Mapping[str, Sequence[Recorded]]
"""Events by the id of their act, in the order recorded."""


class MovedTo(NamedTuple):
    """Places of a draft's told events in the target: a branch, and a function from old to new position."""

    branch: int
    place: MovedPlace
    own: range
    """Positions on that branch of the events that only the target recorded."""


def tells_only(record: Record, stream: int, after: int, common: Mapping[int, int]) -> bool:
    """True if a draft's events after position `after` tell only events up to `common`, by stored line."""
    return all(
        told.position <= common.get(told.line, 0)
        for row in record.store.stretch(stream, after)
        for told in _told_in(decode(row).event)
    )


def _told_in(event: Event | UnknownEvent) -> Iterator[Told]:
    for block in event.blocks if isinstance(event, DraftRevised) else ():
        yield from (told for told in block.tells if told.position != GONE)


def _acts(record: Record, stream: int) -> Acts:
    """Returns a draft's events by the id of their act."""
    stored = map(decode, record.store.stretch(stream))
    return grouped((recorded.envelope.act, recorded) for recorded in stored)


def _first_act(record: Record, stream: int) -> str | None:
    """Returns the id of the act that began a draft; None if the record has no draft of that number."""
    return next((decode(row).envelope.act for row in record.store.stretch(stream)), None)


def _stream_in(target: Record, act: str, stream: int) -> int:
    """Returns the number that a draft `stream`, begun by `act`, has in the target.

    It is the same number, or the next free one if another draft has that.
    """
    while _first_act(target, stream) not in {None, act}:
        stream = FIRST_DRAFT + (stream - FIRST_DRAFT + 1) % DRAFTS
    return stream


class MovedDraft:
    """Draft of a source copy, recorded again in a target copy."""

    def __init__(self, source: CampaignStore, target: CampaignStore, stream: int, to: MovedTo) -> None:
        """Reads the draft `stream` in the source, and in the target if it is there."""
        self._source, self._target, self._to = source, target, to
        self._theirs = source.drafts.read(stream)
        self._acts = _acts(source.record, stream)
        self.stream = _stream_in(target.record, next(iter(self._acts)), stream)
        self._known = _acts(target.record, self.stream)
        self._ours: dict[int, Revision] = {}
        if self._known:
            revisions = target.drafts.read(self.stream).revisions
            self._ours = {revision.number: revision for revision in revisions}
        self._blocks = {number: revision.blocks for number, revision in self._ours.items()}
        """The blocks of the target's revisions, by number, with those moved so far."""
        self._numbers = dict(self._known_revisions())
        """By number of a revision in the source, its number in the target."""
        self._ids = dict(self._known_ids())
        """By id of a block in the source, its id in the target."""
        self._taken = {block.id for blocks in self._blocks.values() for block in blocks}
        self.both: tuple[int, ...] = ()
        """The blocks that both copies changed, of which both wordings are kept."""

    def run(self) -> int:
        """Records what the target lacks; returns the number of events. Call inside `writing()`.

        Each act keeps its id, time and author. If the target has revisions of its own, a last one joins both.
        """
        record = self._target.record
        before = record.head(self.stream)
        base = max(self._numbers, default=0)
        rows: list[Row] = []
        for act, recorded in self._acts.items():
            if act not in self._known:
                rows += self._append(recorded)
        self._redact(rows)
        here, there = max(self._ours, default=0), self._numbers[self._theirs.latest.number]
        if there > here > self._numbers.get(base, 0):
            self._join(self._numbers[base], here, there)
        return record.head(self.stream).position - before.position

    # --- what both have -----------------------------------------------------------------------------------

    def _known_revisions(self) -> Iterator[tuple[int, int]]:
        for act, recorded in self._acts.items():
            yield from zip(_revisions(recorded), _revisions(self._known.get(act, ())), strict=False)

    def _known_ids(self) -> Iterator[tuple[int, int]]:
        for number, now in self._numbers.items():
            blocks = self._theirs.revision(number).blocks
            pairs = zip(blocks, self._blocks[now], strict=False)
            yield from ((block.id, known.id) for block, known in pairs)

    # --- one act ------------------------------------------------------------------------------------------

    def _append(self, recorded: Sequence[Recorded]) -> list[Row]:
        """Records an act of the source's draft; returns its rows, none if nothing of it is moved."""
        moved = [(was, event) for was in recorded if (event := self._moved(was.event)) is not None]
        if not moved:
            return []
        record, envelope = self._target.record, recorded[0].envelope
        manner = Manner(by=envelope.by, visible_to="gm", act=envelope.act, when=envelope.when)
        salts = {
            (number, text): salt
            for number, (was, _) in enumerate(moved)
            for text, salt in _salts(self._source.record, was)
        }
        events = [event for _, event in moved]
        drafts = draft_rows(StoppedClock(envelope.at, envelope.offset), events, None, [], manner, salts=salts)
        return record.append(self.stream, record.head(self.stream), drafts)

    def _moved(self, event: Event | UnknownEvent) -> Event | None:
        """Returns an event as the target records it; None for an event that is not moved.

        Redactions are not moved, as they are recorded again, nor are kinds that only a later Retold knows.
        """
        if isinstance(event, DraftBegun):
            return self._begun(event)
        if isinstance(event, DraftRevised):
            return self._revised(self._theirs.revision(event.revision))
        if isinstance(event, DraftSent):
            named, now = event.named or event.revision, self._numbers[event.revision]
            return DraftSent(revision=now, format=event.format, named=None if named == now else named)
        if isinstance(event, DraftPublished):
            number = event.revision
            return DraftPublished(revision=None if number is None else self._numbers[number])
        return event if isinstance(event, DraftWithdrawn) else None

    def _begun(self, event: DraftBegun) -> DraftBegun:
        """Returns the first event of the draft, with the target's places of the events that it tells."""
        record, branch = self._target.record, self._to.branch
        places = [self._place(at) for at in range(event.first, event.last + 1)]
        found = [place for place in places if place is not None] or [(branch, 1)]
        last = record.row(branch, found[-1][1])
        return replace(
            event,
            draft=self.stream,
            line=branch,
            first=found[0][1],
            last=found[-1][1],
            at="" if last is None else last.hash.hex(),
        )

    def _place(self, position: int) -> tuple[int, int] | None:
        line = self._theirs.scope.line
        return self._to.place(self._source.record.home(line, position) or line, position)

    def _revised(self, revision: Revision) -> DraftRevised:
        number = max(self._blocks, default=0) + 1
        after = self._numbers[revision.after] if revision.after else 0
        self._numbers[revision.number] = number
        self._blocks[number] = tuple(map(self._block, revision.blocks))
        return revised(
            number,
            self._blocks.get(after, ()),
            self._blocks[number],
            after=None if after == number - 1 else after,
            joins=None if revision.joins is None else self._numbers[revision.joins],
            restores=None if revision.restores is None else self._numbers[revision.restores],
            writer=revision.writer,
        )

    def _block(self, block: Block) -> Block:
        """Returns a block of the source with its id in the target, and the target's places of its events."""
        about = block.instead_of
        return replace(
            block,
            id=self._id(block.id),
            instead_of=None if about is None else self._id(about),
            tells=tuple(map(self._told, block.tells)),
        )

    def _id(self, number: int) -> int:
        if number not in self._ids:
            now = number if number not in self._taken else max(self._taken) + 1
            self._ids[number] = now
            self._taken.add(now)
        return self._ids[number]

    def _told(self, told: Told) -> Told:
        """Returns a told event with its place in the target, and its state.

        If the block was up to date in the source, and no event that only the target recorded changed the told
        event, the state is that in the target. Else it stays, and the block counts as out of date.
        """
        place = self._to.place(told.line, told.position) if told.position != GONE else None
        if place is None:
            return replace(told, position=GONE)
        now = replace(told, line=place[0], position=place[1])
        states = self._states
        if states.source.now(told) != told.state or states.target.now(now) != states.target_then.now(now):
            return now
        return replace(now, state=states.target.now(now) or told.state)

    @cached_property
    def _states(self) -> _States:
        branch = self._to.branch
        return _States(
            ToldStates(self._source.record, self._theirs.scope.line),
            ToldStates(self._target.record, branch),
            ToldStates(self._target.record, branch, self._to.own),
        )

    def _join(self, base: int, ours: int, theirs: int) -> None:
        record = self._target.record
        joined = join(self._blocks[base], self._blocks[ours], self._blocks[theirs])
        known = {block.id for block in (*self._blocks[ours], *self._blocks[theirs])}
        added = (block for block in joined if block.id not in known)
        self.both = tuple(block.instead_of for block in added if block.instead_of is not None)
        event = revised(max(self._blocks) + 1, self._blocks[ours], joined, after=ours, joins=theirs)
        drafts = draft_rows(self._target.clock, [event], None, [], Manner(visible_to="gm"))
        self._redact(record.append(self.stream, record.head(self.stream), drafts))

    def _redact(self, rows: Sequence[Row]) -> None:
        """Records redactions of the texts that these new rows lack."""
        record = self._target.record
        record_redactions(record, self._target.clock, self.stream, record.head(self.stream), rows)


class _States(NamedTuple):
    """States of told events in the source and the target; `target_then` ignores the target's own events."""

    source: ToldStates
    target: ToldStates
    target_then: ToldStates


def _revisions(recorded: Iterable[Recorded]) -> list[int]:
    events = (was.event for was in recorded)
    return [event.revision for event in events if isinstance(event, DraftRevised)]


def _salts(record: Record, recorded: Recorded) -> Iterator[tuple[str, bytes]]:
    """Yields the texts of a stored event with their salts."""
    for row in record.store.stretch(recorded.line, recorded.position - 1, recorded.position):
        yield from (kept for kept in salted_texts(row) if kept is not None)
