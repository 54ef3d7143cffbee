"""Moves revisions of a draft from one copy of a campaign into another, which may have revised it too."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from journal.store.acts import Manner, draft_rows
from journal.store.campaign import CampaignStore
from journal.store.clock import StoppedClock
from journal.store.codec import Recorded, UnknownEvent, decode, from_json, salt_of
from journal.store.draft_joining import join
from journal.store.drafts import Revision, revised
from journal.store.event_store import DRAFTS, FIRST_DRAFT, Row
from journal.store.gone_texts import record_redactions
from journal.store.record import Record
from journal.store.told_states import ToldStates
from journal.vocabulary.base import Event
from journal.vocabulary.drafts import (
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


class MovedTo(NamedTuple):
    """Place of moved events in the target: the branch of a draft's events, and the place of each."""

    branch: int
    place: MovedPlace
    own: range
    """Positions on that branch of what only the target recorded."""


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
    found: dict[str, list[Recorded]] = {}
    for row in record.store.stretch(stream):
        one = decode(row)
        found.setdefault(one.envelope.act, []).append(one)
    return found


def stream_of(source: Record, target: Record, stream: int) -> int:
    """Returns the target's number for a draft of the source: the same, or a free one if it is another's."""
    act = next(iter(_acts(source, stream)))
    while next(iter(_acts(target, stream)), act) != act:
        stream = FIRST_DRAFT + (stream - FIRST_DRAFT + 1) % DRAFTS
    return stream


class MovedDraft:
    """A draft of the source whose events are recorded in the target, after those that are there."""

    def __init__(self, source: CampaignStore, target: CampaignStore, stream: int, to: MovedTo) -> None:
        """Reads the draft `stream` of the source, and that of the target if both were begun in one act."""
        self._source, self._target, self._to = source, target, to
        self._theirs = source.drafts.read(stream)
        self._acts = _acts(source.record, stream)
        self.stream = stream_of(source.record, target.record, stream)
        self._known = _acts(target.record, self.stream)
        self._ours: dict[int, Revision] = {}
        if self._known:
            self._ours = {one.number: one for one in target.drafts.read(self.stream).revisions}
        self._blocks = {number: one.blocks for number, one in self._ours.items()}
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
        before, base = record.head(self.stream), max(self._numbers, default=0)
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
            yield from ((one.id, known.id) for one, known in zip(blocks, self._blocks[now], strict=False))

    # --- one act ------------------------------------------------------------------------------------------

    def _append(self, recorded: Sequence[Recorded]) -> list[Row]:
        """Records an act of the source's draft; returns its rows, none if nothing of it is moved."""
        moved = [(one, event) for one in recorded if (event := self._moved(one.event)) is not None]
        if not moved:
            return []
        record, envelope = self._target.record, recorded[0].envelope
        manner = Manner(by=envelope.by, visible_to="gm", act=envelope.act, when=envelope.when)
        salts = {
            (number, text): salt
            for number, (one, _) in enumerate(moved)
            for text, salt in _salts(self._source.record, one)
        }
        events = [event for _, event in moved]
        drafts = draft_rows(StoppedClock(envelope.at, envelope.offset), events, None, [], manner, salts=salts)
        return record.append(self.stream, record.head(self.stream), drafts)

    def _moved(self, event: Event | UnknownEvent) -> Event | None:
        """Returns an event as the target records it; None for what is not moved.

        Those are redactions, which are recorded anew, and kinds that only a later Retold knows.
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
        """Returns the first event of the draft, made of what the target has of its events."""
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
        )

    def _block(self, block: Block) -> Block:
        """Returns a block of the source as the target has it: under a free id, and telling moved events."""
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
        """Returns what a block tells as the target has it.

        The state is the present one if it was so in the source, and if nothing that only the target recorded
        changed the event: else the block has to be looked at.
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
        self.both = tuple(
            one.instead_of for one in joined if one.id not in known and one.instead_of is not None
        )
        number = max(self._blocks) + 1
        event = revised(number, self._blocks[ours], joined, after=ours, joins=theirs)
        drafts = draft_rows(self._target.clock, [event], None, [], Manner(visible_to="gm"))
        self._redact(record.append(self.stream, record.head(self.stream), drafts))

    def _redact(self, rows: Sequence[Row]) -> None:
        """Records that texts are redacted which these new rows lack."""
        record = self._target.record
        record_redactions(record, self._target.clock, self.stream, record.head(self.stream), rows)


class _States(NamedTuple):
    """States of told events in the source, in the target, and there without what only it recorded."""

    source: ToldStates
    target: ToldStates
    target_then: ToldStates


def _revisions(recorded: Iterable[Recorded]) -> list[int]:
    return [one.event.revision for one in recorded if isinstance(one.event, DraftRevised)]


def _salts(record: Record, one: Recorded) -> Iterator[tuple[str, bytes]]:
    """Yields the texts of a stored event with their salts."""
    for row in record.store.stretch(one.line, one.position - 1, one.position):
        for number, kept in enumerate(from_json(row.words or "[]")):
            if kept is not None:
                yield kept[1], salt_of(row, number)
