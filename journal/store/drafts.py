"""Drafts of a record: begun, revised, sent, and read back revision by revision."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from journal.names import clean, normalise
from journal.refused import Refused
from journal.store.acts import Manner, draft_rows
from journal.store.clock import Clock
from journal.store.codec import Recorded, decode
from journal.store.event_store import DRAFT_BEGUN, DRAFTS, EMPTY_HEAD, FIRST_DRAFT, is_draft
from journal.store.record import Record
from journal.vocabulary.base import Event, Words
from journal.vocabulary.drafts import Block, DraftBegun, DraftRevised, DraftSent

Reader = Literal["gm", "table"] | int
"""Whose copy a draft is: the game master's, everybody's, or that of the person with that number."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What a draft is made of: positions `first` to `last` of a branch, told by a voice for a reader."""

    line: int
    first: int
    last: int
    voice: str
    reader: Reader


@dataclass(frozen=True, slots=True)
class Revision:
    """A state of a draft: its blocks in order, and who recorded it when."""

    number: int
    blocks: tuple[Block, ...]
    by: int | None
    at: str


@dataclass(frozen=True, slots=True)
class Sending:
    """A revision that was sent in a file of a format."""

    revision: int
    format: str
    at: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft with all its revisions, from number 1; a redacted block has no text."""

    number: int
    name: str
    scope: Scope
    revisions: tuple[Revision, ...]
    sent: tuple[Sending, ...]

    @property
    def latest(self) -> Revision:
        """The last revision."""
        return self.revisions[-1]

    def revision(self, number: int) -> Revision:
        """Returns the revision with that number; Refused if there is none."""
        if not 1 <= number <= len(self.revisions):
            raise Refused(
                f"The draft {self.name} has the revisions 1 to {len(self.revisions)}, not {number}."
            )
        return self.revisions[number - 1]


class Drafts(Struct, frozen=True):
    """The drafts of a record. Call `begin`, `revise` and `note_sent` inside `record.writing()`."""

    record: Record
    clock: Clock

    def names(self) -> dict[int, str]:
        """Returns each draft's name by its number; one with a redacted name is called `draft-NUMBER`."""
        begun = (decode(row) for row in self.record.everything((DRAFT_BEGUN,)))
        return {one.line: _name(one) for one in begun}

    def called(self, name: str) -> int:
        """Returns the number of the draft with that name; Refused if there is none.

        Case and accents are ignored.
        """
        names = self.names()
        found = [number for number, one in names.items() if normalise(one) == normalise(name)]
        if not found:
            known = f"There are: {', '.join(names.values())}." if names else "There is none yet."
            raise Refused(f"There is no draft {name}. {known}")
        return found[0]

    def begin(self, name: Words, scope: Scope, blocks: Sequence[Block], manner: Manner) -> Draft:
        """Begins a draft with `blocks` as its first revision; returns it.

        Raises Refused if the name is taken, or if the scope's last position is not on its branch.
        """
        typed = clean(name.text or "")
        if normalise(typed) in map(normalise, self.names().values()):
            raise Refused(f"There is a draft {typed} already: choose another name.")
        last = self.record.row(scope.line, scope.last)
        if last is None:
            raise Refused(f"There is no position {scope.last} on that line.")
        number = self._free_number()
        begun = DraftBegun(
            draft=number,
            name=name,
            line=scope.line,
            first=scope.first,
            last=scope.last,
            at=last.hash.hex(),
            voice=scope.voice,
            reader=scope.reader,
        )
        self._append(number, [begun, _revised(1, (), blocks)], manner)
        return self.read(number)

    def revise(self, draft: Draft, blocks: Sequence[Block], manner: Manner) -> Draft:
        """Records `blocks` as the next revision of a draft; returns it, unchanged if they are the latest.

        Raises Refused if somebody recorded another revision since `draft` was read.
        """
        now = self.read(draft.number)
        if now.latest.number != draft.latest.number:
            raise Refused(
                f"The draft {draft.name} has a revision {now.latest.number} by now: read it again first."
            )
        if now.latest.blocks == tuple(blocks):
            return now
        revised = _revised(now.latest.number + 1, now.latest.blocks, blocks)
        self._append(draft.number, [revised], manner)
        return self.read(draft.number)

    def note_sent(self, draft: Draft, revision: int, format_: str, manner: Manner) -> Draft:
        """Records that a revision was sent; returns the draft."""
        event = DraftSent(revision=draft.revision(revision).number, format=format_)
        self._append(draft.number, [event], manner)
        return self.read(draft.number)

    def read(self, number: int) -> Draft:
        """Returns the draft with that number; Refused if there is none."""
        if not is_draft(number) or self.record.store.head(number) == EMPTY_HEAD:
            raise Refused(f"There is no draft with the number {number}.")
        name, scope = "", Scope(0, 0, 0, "", "gm")
        revisions: list[Revision] = []
        sent: list[Sending] = []
        known: dict[int, Block] = {}
        for row in self.record.rows(number):
            one = decode(row)
            event, envelope = one.event, one.envelope
            if isinstance(event, DraftBegun):
                name = _name(one)
                scope = Scope(event.line, event.first, event.last, event.voice, event.reader)
            elif isinstance(event, DraftRevised):
                known |= {block.id: block for block in event.blocks}
                blocks = tuple(known[block] for block in event.order)
                revisions.append(Revision(event.revision, blocks, envelope.by, envelope.at))
            elif isinstance(event, DraftSent):
                sent.append(Sending(event.revision, event.format, envelope.at))
        return Draft(number, name, scope, tuple(revisions), tuple(sent))

    def _append(self, number: int, events: Sequence[Event], manner: Manner) -> None:
        drafts = draft_rows(self.clock, events, None, [], replace(manner, visible_to="gm"))
        self.record.append(number, self.record.head(number), drafts)

    def _free_number(self) -> int:
        """Returns a number for a new draft, by chance: so that copies of a campaign begin different ones."""
        while True:
            digest = hashlib.sha256(self.clock.act().encode()).digest()
            number = FIRST_DRAFT + int.from_bytes(digest[:4]) % DRAFTS
            if self.record.store.head(number) == EMPTY_HEAD:
                return number


def _name(one: Recorded) -> str:
    name = one.event.name.text if isinstance(one.event, DraftBegun) else None
    return name or f"draft-{one.line}"


def _revised(number: int, before: Sequence[Block], blocks: Sequence[Block]) -> DraftRevised:
    """Returns the event of a revision: the blocks that differ from those of the revision before."""
    known = {block.id: block for block in before}
    changed = tuple(block for block in blocks if known.get(block.id) != block)
    return DraftRevised(revision=number, order=tuple(block.id for block in blocks), blocks=changed)


def texts_telling(
    one: Recorded, references: Sequence[int], places: frozenset[tuple[int, int]]
) -> Iterator[int]:
    """Yields the numbers of the texts of a revision's blocks that tell an event stored at one of `places`.

    `references` has the number of each block's text in the revision.
    """
    blocks = one.event.blocks if isinstance(one.event, DraftRevised) else ()
    for block, number in zip(blocks, references, strict=True):
        if any((told.line, told.position) in places for told in block.tells):
            yield number
