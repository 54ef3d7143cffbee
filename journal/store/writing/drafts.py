"""Drafts of a record: their reading, and the recording of revisions, sendings and publications."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import reduce
from itertools import count
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.names import clean, normalise
from retold.journal.refused import Refused
from retold.journal.store.contract.errors import Damaged
from retold.journal.store.contract.event_store import DRAFTS, EMPTY_HEAD, FIRST_DRAFT, is_draft
from retold.journal.store.events.acts import Manner, check_texts, draft_rows
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.codec import Recorded, decode
from retold.journal.store.events.record import Record
from retold.journal.store.writing.draft_joining import join
from retold.journal.store.writing.gone_texts import record_redactions
from retold.journal.store.writing.redacted_words import RedactedWords
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import REFERENCE, Event, Words
from retold.journal.vocabulary.drafts import (
    Block,
    DraftBegun,
    DraftPublished,
    DraftRevised,
    DraftSent,
    DraftWithdrawn,
    Sort,
)

Reader = Literal["gm", "table"] | int
"""Owner of a draft's copy: the game master, the table, or the person with that number."""


class Scope(Struct, frozen=True):
    """Source of a draft: positions `first` to `last` of branch `line`, the voice, the reader, the language.

    `lang` is a language code such as `de`; None for the voice's own language.
    """

    line: int
    first: int
    last: int
    voice: str
    reader: Reader
    lang: str | None = None


class Revision(Struct, frozen=True):
    """Revision of a draft: its blocks in order, cut ones and other wordings included; and its time."""

    number: int
    blocks: tuple[Block, ...]
    at: str
    after: int
    """Number of the revision that it was made from; 0 for the first."""
    joins: int | None = None
    """Number of a second revision whose changes it has too."""
    restores: int | None = None
    """Number of the earlier revision that it repeats."""
    writer: str | None = None
    """Name of the person who made it; None if not given."""
    recorded: int = 0
    """Position of its event in the draft's stream."""

    @property
    def shown(self) -> tuple[Block, ...]:
        """The blocks of the text, in order."""
        return tuple(block for block in self.blocks if not block.cut and block.instead_of is None)

    @property
    def cut(self) -> tuple[Block, ...]:
        """The blocks that were cut on purpose."""
        return tuple(block for block in self.blocks if block.cut and block.instead_of is None)

    @property
    def other_wordings(self) -> dict[int, tuple[Block, ...]]:
        """Other writers' wordings of blocks, by the id of the block, until one is chosen.

        A wording with `cut` means that the other writer cut the block.
        """
        found: dict[int, tuple[Block, ...]] = {}
        for block in self.blocks:
            if block.instead_of is not None:
                found[block.instead_of] = (*found.get(block.instead_of, ()), block)
        return found


class Sending(Struct, frozen=True):
    """Sending of a revision in a file; `named` is the revision number that the file states."""

    revision: int
    format: str
    at: str
    named: int
    recorded: int = 0
    """Position of its event in the draft's stream."""


class Published(Struct, frozen=True):
    """Publication of a draft: the revision that exports show, None for always the latest; and its time."""

    revision: int | None
    at: str


class Draft(Struct, frozen=True):
    """A draft with all its revisions, from number 1; a redacted block has no text."""

    number: int
    name: str
    scope: Scope
    revisions: tuple[Revision, ...]
    sent: tuple[Sending, ...]
    published: Published | None = None
    events: int = 0
    """Number of events in its stream; if the record has more, the draft has changed since it was read."""
    redactions: tuple[tuple[int, int], ...] = ()
    """Positions in its stream of each event that lost texts, and of the redaction."""

    @property
    def latest(self) -> Revision:
        """The last revision."""
        return self.revisions[-1]

    @property
    def next_block(self) -> int:
        """The lowest id above those of all blocks in any revision."""
        return max((block.id for revision in self.revisions for block in revision.blocks), default=0) + 1

    def revision(self, number: int) -> Revision:
        """Returns the revision with that number; Refused if there is none."""
        if not 1 <= number <= len(self.revisions):
            raise Refused(
                f"The draft {self.name} has the revisions 1 to {len(self.revisions)}, not {number}."
            )
        return self.revisions[number - 1]

    def sent_as(self, named: int) -> tuple[Revision, ...]:
        """Returns the revisions sent in files that state the revision number `named`, each once.

        There are several if two copies of the campaign sent different revisions under the same number.
        """
        found = dict.fromkeys(sending.revision for sending in self.sent if sending.named == named)
        return tuple(self.revision(number) for number in found)

    def may_be_from_before_a_redaction(self, named: int | None) -> bool:
        """True if a file that states the revision `named` may hold texts of the draft redacted since.

        A file that states none may be any that was sent.
        """
        copies = [sending.recorded for sending in self.sent if named in (None, sending.named)]
        if not copies:
            copies = [revision.recorded for revision in self.revisions if named in (None, revision.number)]
        return any(about <= copy < redacted for about, redacted in self.redactions for copy in copies)

    @property
    def before_latest(self) -> int | None:
        """Number of the revision that undo restores; None if there is nothing to undo."""
        done, _ = self._steps()
        return done[-2] if len(done) > 1 else None

    @property
    def undone_last(self) -> int | None:
        """Number of the revision that redo restores; None if nothing was undone since the last change."""
        _, undone = self._steps()
        return undone[-1] if undone else None

    def contained(self) -> list[Revision]:
        """Returns the revisions whose changes the latest one has, with the latest itself."""
        found: dict[int, Revision] = {}
        waiting = [self.latest.number]
        while waiting:
            number = waiting.pop()
            if number not in found:
                found[number] = revision = self.revision(number)
                restored = revision.restores
                made_of = (revision.after, revision.joins) if restored is None else (restored,)
                waiting += [earlier for earlier in made_of if earlier]
        return list(found.values())

    def _steps(self) -> tuple[list[int], list[int]]:
        """Returns the numbers of the revisions that count, and of those that redo restores, in order."""
        chain = [self.latest]
        while chain[-1].after:
            chain.append(self.revision(chain[-1].after))
        done: list[int] = []
        undone: list[int] = []
        for revision in reversed(chain):
            number = revision.number if revision.restores is None else revision.restores
            if revision.restores is not None and done[-2:-1] == [number]:
                undone.append(done.pop())
            elif revision.restores is not None and undone[-1:] == [number]:
                done.append(undone.pop())
            else:
                done.append(number)
                undone.clear()
        return done, undone


class ReturningWords(Struct, frozen=True):
    """Words of a block, or of a remark on it, that were redacted."""

    block: int
    words: str


class Drafts(Struct, frozen=True):
    """The drafts of a record. Call the methods that write inside `record.writing()`.

    Those that take blocks raise Refused for redacted words in them (`returning`), unless `again` is true:
    then the blocks with these words are for the game master alone.
    """

    record: Record
    clock: Clock

    def names(self) -> dict[int, str]:
        """Returns each draft's name by its number, in the order begun.

        A draft with a redacted name is called `draft-NUMBER`. Of two drafts with the same name, which two
        copies of the campaign began, the later is called `NAME (2)`.
        """
        streams = filter(is_draft, self.record.store.streams())
        begun = [decode(row) for number in streams for row in self.record.rows(number, 0, 1)]
        names: dict[int, str] = {}
        taken: set[str] = set()
        for first in sorted(begun, key=lambda recorded: (recorded.envelope.at, recorded.line)):
            name = own = _own_name(first)
            for again in count(2):
                if normalise(name) not in taken:
                    break
                name = f"{own} ({again})"
            taken.add(normalise(name))
            names[first.line] = name
        return names

    def called(self, name: str) -> int:
        """Returns the number of the draft with that name; Refused if there is none.

        Case and accents are ignored.
        """
        names = self.names()
        found = [number for number, known in names.items() if normalise(known) == normalise(name)]
        if not found:
            others = f"There are: {', '.join(names.values())}." if names else "There is none yet."
            raise Refused(f"There is no draft {name}. {others}")
        return found[0]

    def begin(
        self, name: Words, scope: Scope, blocks: Sequence[Block], manner: Manner, writer: str | None = None
    ) -> Draft:
        """Begins a draft with `blocks` as its first revision, by `writer`; returns it.

        Raises Refused if the name is taken, or if the scope's last position is not on its branch.
        """
        typed = clean(name.text or "")
        if normalise(typed) in map(normalise, self.names().values()):
            raise Refused(f"There is a draft {typed} already: choose another name.")
        if RedactedWords(self.record).found_in(typed) is not None:
            raise Refused("The name of the draft has words that were redacted: choose another name.")
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
            lang=scope.lang,
        )
        empty = Draft(number, typed, scope, (), ())
        return self._append(empty, [begun, revised(1, (), blocks, writer=writer)], manner)

    def revise(
        self,
        draft: Draft,
        blocks: Sequence[Block],
        manner: Manner,
        writer: str | None = None,
        *,
        again: bool = False,
    ) -> Draft:
        """Records `blocks` as the next revision of a draft; returns it, unchanged if they are the latest.

        `writer` is the name of the person who made it, None if not given.

        Raises Refused if another revision was recorded since `draft` was read.
        """
        now = self._unchanged(draft)
        if now.latest.blocks == tuple(blocks):
            return now
        blocks = self._allowed(now, blocks, writer, again=again)
        event = revised(now.latest.number + 1, now.latest.blocks, blocks, writer=writer)
        return self._append(now, [event], manner)

    def take(
        self,
        draft: Draft,
        base: int,
        blocks: Sequence[Block],
        manner: Manner,
        writer: str | None = None,
        *,
        again: bool = False,
    ) -> Draft:
        """Records `blocks`, which `writer` made from revision `base`; returns the draft.

        If there are later revisions, two are recorded: one with `blocks`, and one that joins it with the
        latest, block by block (`draft_joining.join`). The blocks that both changed are then in
        `Revision.other_wordings` of the latest. Returns the draft unchanged if `blocks` change nothing, or if
        the latest revision already contains one with them. Raises Refused as `revise` does.
        """
        now = self._unchanged(draft)
        if base == now.latest.number:
            return self.revise(draft, blocks, manner, writer, again=again)
        from_, latest = now.revision(base), now.latest
        if self.has_taken(now, base, blocks):
            return now
        blocks = self._allowed(now, blocks, writer, again=again)
        joined = join(from_.blocks, latest.blocks, blocks)
        taken = revised(latest.number + 1, from_.blocks, blocks, after=base, writer=writer)
        both = revised(
            latest.number + 2,
            latest.blocks,
            joined,
            after=latest.number,
            joins=taken.revision,
            writer=writer,
        )
        return self._append(now, [taken, both], manner)

    def returning(self, draft: Draft, blocks: Iterable[Block]) -> tuple[ReturningWords, ...]:
        """Returns the redacted words that `blocks` have and no revision of the same block has, by block.

        Unedited blocks have the record's words. Words redacted on another computer are not found.
        """
        redacted = RedactedWords(self.record)
        latest = set(draft.latest.blocks)
        found = (
            (block.id, redacted.found_in(text, _earlier_texts(draft, block.id)))
            for block in blocks
            if block not in latest
            for text in _written(block)
            if redacted.found_in(text) is not None
        )
        return tuple(ReturningWords(block, words) for block, words in found if words is not None)

    def _allowed(
        self, draft: Draft, blocks: Sequence[Block], writer: str | None, *, again: bool
    ) -> tuple[Block, ...]:
        """Returns the blocks of a new revision; those with redacted words for the game master alone."""
        if RedactedWords(self.record).found_in(writer or "") is not None:
            raise Refused("The name of the writer was redacted: say another one (--by).")
        returning = self.returning(draft, blocks)
        if returning and not again:
            raise Refused(
                f"Block {returning[0].block} has words that were redacted, so nothing is recorded: word it"
                " otherwise."
            )
        back = {each.block for each in returning}
        return tuple(replace(block, see="gm") if block.id in back else block for block in blocks)

    def has_taken(self, draft: Draft, base: int, blocks: Sequence[Block]) -> bool:
        """True if the latest revision has all that `blocks` change in revision `base` already."""
        from_, latest = draft.revision(base), draft.latest
        return join(from_.blocks, latest.blocks, blocks) == latest.blocks or _was_taken(draft, from_, blocks)

    def restore(self, draft: Draft, number: int, manner: Manner, writer: str | None = None) -> Draft:
        """Records the blocks of an earlier revision as the next one; returns the draft.

        A text that was redacted meanwhile stays so. Raises Refused as `revise` does.
        """
        now = self._unchanged(draft)
        earlier = now.revision(number)
        first = number if earlier.restores is None else earlier.restores
        event = revised(
            now.latest.number + 1, now.latest.blocks, earlier.blocks, restores=first, writer=writer
        )
        return self._append(now, [event], manner)

    def note_sent(self, draft: Draft, revision: int, format_: str, manner: Manner) -> Draft:
        """Records that a revision was sent; returns the draft."""
        event = DraftSent(revision=draft.revision(revision).number, format=format_)
        return self._append(self._present(draft), [event], manner)

    def publish(self, draft: Draft, revision: int | None, manner: Manner) -> Draft:
        """Makes a revision, or always the latest if None, what exports show by default; returns the draft."""
        number = None if revision is None else draft.revision(revision).number
        return self._append(self._present(draft), [DraftPublished(revision=number)], manner)

    def withdraw(self, draft: Draft, manner: Manner) -> Draft:
        """Takes a draft's publication back; returns the draft, unchanged if it is not published."""
        now = self._present(draft)
        return now if now.published is None else self._append(now, [DraftWithdrawn()], manner)

    def read(self, number: int) -> Draft:
        """Returns the draft with that number; Refused if there is none."""
        if not is_draft(number) or self.record.store.head(number) == EMPTY_HEAD:
            raise Refused(f"There is no draft with the number {number}.")
        draft = Draft(number, self.names()[number], Scope(0, 0, 0, "", "gm"), (), ())
        for row in self.record.rows(number):
            draft = with_event(draft, decode(row))
        return draft

    def _present(self, draft: Draft) -> Draft:
        """Returns the draft as it is recorded now."""
        if draft.events == self.record.head(draft.number).position:
            return draft
        return self.read(draft.number)

    def _unchanged(self, draft: Draft) -> Draft:
        """Returns the draft as it is recorded now; Refused if it has a later revision than `draft`."""
        now = self._present(draft)
        if now.latest.number != draft.latest.number:
            raise Refused(
                f"The draft {draft.name} has a revision {now.latest.number} by now: read it again first."
            )
        return now

    def _append(self, draft: Draft, events: Sequence[Event], manner: Manner) -> Draft:
        """Records the next events of a draft, which has to be up to date; returns the draft after them.

        Also records redactions of the redacted texts that these events repeat.
        """
        check_texts(*events)
        drafts = draft_rows(self.clock, events, None, [], replace(manner, visible_to="gm"))
        rows = self.record.append(draft.number, self.record.head(draft.number), drafts)
        rows += record_redactions(self.record, self.clock, draft.number, rows[-1].head, rows)
        return reduce(with_event, map(decode, rows), draft)

    def _free_number(self) -> int:
        """Returns a random free number for a new draft, so that copies of a campaign begin different ones."""
        while True:
            digest = hashlib.sha256(self.clock.act().encode()).digest()
            number = FIRST_DRAFT + int.from_bytes(digest[:4]) % DRAFTS
            if self.record.store.head(number) == EMPTY_HEAD:
                return number


def _earlier_texts(draft: Draft, block: int) -> set[str]:
    """Returns the texts that revisions of a draft have in a block and on it."""
    blocks = (known for revision in draft.revisions for known in revision.blocks if known.id == block)
    return {text for known in blocks for text in _written(known)}


def _written(block: Block) -> list[str]:
    """Returns the texts that people wrote in a block and on it; redacted ones are left out."""
    own = [block.text] if block.edited else []
    remarks = [part for remark in block.remarks for part in (remark.author, remark.text)]
    writer = [block.writer] if block.writer else []
    return [words.text for words in (*own, *remarks, *writer) if words.text]


def _own_name(first: Recorded) -> str:
    name = first.event.name.text if isinstance(first.event, DraftBegun) else None
    return name or f"draft-{first.line}"


def _was_taken(draft: Draft, base: Revision, blocks: Sequence[Block]) -> bool:
    """True if the latest revision contains one made from `base` with these texts; ignores new blocks' ids."""
    ids = {block.id for block in base.blocks}
    texts = _texts(blocks, ids)
    made = (
        revision
        for revision in draft.contained()
        if revision.after == base.number and revision.restores is None
    )
    return any(_texts(revision.blocks, ids) == texts for revision in made)


def _texts(blocks: Sequence[Block], ids: AbstractSet[int]) -> list[tuple[int | None, Sort, str | None, bool]]:
    return [
        (block.id if block.id in ids else None, block.sort, block.text.text, block.cut) for block in blocks
    ]


def with_event(draft: Draft, recorded: Recorded) -> Draft:
    """Returns the draft after its next event; unchanged by an event of a kind unknown to this release.

    Raises Damaged for an event that does not fit those before it.
    """
    event, at = recorded.event, recorded.envelope.at
    if isinstance(event, DraftSent | DraftPublished) and (event.revision or 1) > len(draft.revisions):
        raise Damaged(f"The draft {draft.name} has no revision {event.revision}: it was sent or published.")
    changed: dict[str, Any] = {}
    if isinstance(event, DraftBegun):
        changed["scope"] = Scope(event.line, event.first, event.last, event.voice, event.reader, event.lang)
    elif isinstance(event, DraftRevised):
        changed["revisions"] = (*draft.revisions, _revision(draft, event, recorded))
    elif isinstance(event, DraftSent):
        named = event.named or event.revision
        sending = Sending(event.revision, event.format, at, named, recorded.position)
        changed["sent"] = (*draft.sent, sending)
    elif isinstance(event, DraftPublished):
        changed["published"] = Published(event.revision, at)
    elif isinstance(event, DraftWithdrawn):
        changed["published"] = None
    elif isinstance(event, e.Redacted):
        changed["redactions"] = (*draft.redactions, (event.about, recorded.position))
    return replace(draft, events=recorded.position, **changed)


def _revision(draft: Draft, event: DraftRevised, recorded: Recorded) -> Revision:
    """Returns the revision that an event adds to a draft; Damaged if it does not fit those before it."""
    number = len(draft.revisions) + 1
    after = number - 1 if event.after is None else event.after
    misfit = Damaged(f"Revision {event.revision} of the draft {draft.name} does not fit those before it.")
    if event.revision != number or max(event.joins or 0, event.restores or 0) >= number:
        raise misfit
    try:
        before = draft.revisions[after - 1].blocks if after else ()
        changed = {block.id: block for block in event.blocks}
        if event.order is None:
            blocks = tuple([changed.get(block.id, block) for block in before])
        else:
            known = {block.id: block for block in before} | changed
            blocks = tuple([known[number] for number in event.order])
    except LookupError:
        raise misfit from None
    writer = event.writer.text if event.writer else None
    return Revision(
        event.revision,
        blocks,
        recorded.envelope.at,
        after,
        event.joins,
        event.restores,
        writer,
        recorded.position,
    )


def revised(
    number: int,
    before: Sequence[Block],
    blocks: Sequence[Block],
    *,
    after: int | None = None,
    joins: int | None = None,
    restores: int | None = None,
    writer: str | None = None,
) -> DraftRevised:
    """Returns the event of a new revision: the order, if it differs from before, and the changed blocks.

    `after` is the number of the revision with the blocks `before`; None for the last one recorded. `writer`
    is the name of the person who made it.
    """
    known = {block.id: block for block in before}
    order = tuple(block.id for block in blocks)
    return DraftRevised(
        revision=number,
        after=after,
        order=None if order == tuple(known) else order,
        blocks=tuple(block for block in blocks if known.get(block.id) != block),
        joins=joins,
        restores=restores,
        writer=None if writer is None else Words(writer),
    )


def texts_telling(blocks: Sequence[Mapping[str, Any]], places: AbstractSet[tuple[int, int]]) -> Iterator[int]:
    """Yields the numbers of the texts in a stored revision that tell an event stored at one of `places`.

    `blocks` are those of the event's body. The text and the remarks of a block that tells such an event
    count, sentences vouched for, and the record's words for the event that are stored in the block.
    """
    for block in blocks:
        telling = [told for told in block["tells"] if (told["line"], told["position"]) in places]
        if telling:
            words = (told["words"] for told in telling if "words" in told)
            remarks = (remark["text"] for remark in block["remarks"])
            hers = block.get("hers") or ()
            yield from (text[REFERENCE] for text in (block["text"], *words, *remarks, *hers))


def writers_names(data: Mapping[str, Any]) -> Iterator[int]:
    """Yields the numbers of the texts in a stored revision that name its writer, a block's, or a remark's."""
    for holder, key in (
        (data, "writer"),
        *((block, "writer") for block in data["blocks"]),
        *((remark, "author") for block in data["blocks"] for remark in block["remarks"]),
    ):
        if holder.get(key) is not None:
            yield holder[key][REFERENCE]
