"""A draft as its writer's page shows it, each block beside the record's words, and changes of its blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from retold.drafts.changes import Wording, word_changes
from retold.drafts.choosing import Choice
from retold.drafts.composing import Composed
from retold.drafts.files.kept_words import one_line, tidy
from retold.drafts.making import Noting, text_of
from retold.drafts.overview import game_master, readers
from retold.drafts.showing import is_for_the_game_master
from retold.drafts.standing import Changed, Standing, StandingBlock, latest, reader_for
from retold.journal.grouping import grouped
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.drafts import Draft, Revision
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block, Sort
from retold.projections.prose import Voice
from retold.projections.reading import LineView

State = Literal["shown", "cut", "untold", "other"]
How = Literal["ok", "take-new", "cut"]
"""A choice about a block, as the verb `draft` calls it."""

_MANNER: Final = Manner()


class ChangedWords(NamedTuple):
    """Change of an event's words since the last look at the block; `gone` is true if nothing tells it now."""

    event: str
    gone: bool
    words: tuple[Wording, ...]


class WritersRemark(NamedTuple):
    """Comment on a block; `author` is empty if unsigned."""

    author: str
    text: str


class WritersBlock(NamedTuple):
    """Block of a draft on its writer's page, or words of the record that no block tells (`untold`).

    `id` is the id that choices take; for untold words that of an event. `record` is what the record says now
    of what the block tells. `others` are wordings of other writers; one that is `cut` has no text. `writer`
    is empty if not given. `see` has `table`, `gm` or names; it is empty if what the block tells says it.
    """

    id: str
    state: State
    sort: Sort
    text: str
    record: str = ""
    edited: bool = False
    hidden: bool = False
    """True if only the game master may read it."""
    changed: tuple[ChangedWords, ...] = ()
    others: tuple[WritersBlock, ...] = ()
    writer: str = ""
    see: tuple[str, ...] = ()
    remarks: tuple[WritersRemark, ...] = ()


class WritersDraft(NamedTuple):
    """Latest revision of a draft for its writer's page; `reader` is the person whose copy it is.

    `people` are the names of who may be shown a block, `writer` is that of the game master. Exports show
    revision `published_revision` if it is `published`, the latest if that is None.
    """

    draft: str
    revision: int
    reader: str
    can_undo: bool
    can_redo: bool
    voice: str
    people: tuple[str, ...]
    writer: str
    published: bool
    published_revision: int | None
    blocks: tuple[WritersBlock, ...]


def writers_draft(standing: Standing) -> WritersDraft:
    """Returns a draft with all its blocks in order, cut ones and untold words included."""
    draft, reader = standing.draft, standing.draft.scope.reader
    table = LineView(standing.campaign, standing.here.line).table
    return WritersDraft(
        draft.name,
        standing.revision.number,
        table.name(reader) if isinstance(reader, int) else reader,
        draft.before_latest is not None,
        draft.undone_last is not None,
        draft.scope.voice,
        readers(table),
        game_master(table),
        draft.published is not None,
        None if draft.published is None else draft.published.revision,
        tuple(_blocks(standing)),
    )


def _blocks(standing: Standing) -> Iterator[WritersBlock]:
    untold = grouped((words.after, _untold(words.composed)) for words in standing.untold)
    shown = {current.block.id: current for current in standing.blocks}
    others = standing.revision.other_wordings
    yield from untold.get(None, ())
    for block in standing.revision.blocks:
        if block.cut and block.instead_of is None:
            record = standing.record.of(standing.events_of(block), block.sort, as_told=True)
            yield WritersBlock(str(block.id), "cut", block.sort, block.text.text or "", record, block.edited)
        elif block.id in shown:
            yield _shown(standing, shown[block.id], others.get(block.id, ()))
        yield from untold.get(block.id, ())


def _untold(made: Composed) -> WritersBlock:
    return WritersBlock(str(made.events[0]), "untold", made.sort, "", made.text)


def _shown(standing: Standing, current: StandingBlock, others: Sequence[Block]) -> WritersBlock:
    block = current.block
    return WritersBlock(
        str(block.id),
        "shown",
        block.sort,
        current.text,
        standing.record.of(current.events, block.sort, as_told=True),
        block.edited,
        is_for_the_game_master(block),
        tuple(map(_changed, current.changed)),
        tuple(
            WritersBlock(
                str(other.id),
                "cut" if other.cut else "other",
                other.sort,
                other.text.text or "",
                edited=True,
                writer=text_of(other.writer),
            )
            for other in others
        ),
        text_of(block.writer),
        tuple(_seen_by(standing, block)),
        tuple(WritersRemark(text_of(remark.author), text_of(remark.text)) for remark in block.remarks),
    )


def _seen_by(standing: Standing, block: Block) -> Iterator[str]:
    if isinstance(block.see, tuple):
        table = LineView(standing.campaign, standing.here.line).table
        yield from map(table.name, block.see)
    elif block.see is not None:
        yield block.see


def _changed(change: Changed) -> ChangedWords:
    words = tuple(word_changes(change.was, change.now or ""))
    return ChangedWords(str(change.event), change.now is None, words)


@dataclass(frozen=True)
class Writing:
    """Changes of a draft by a reader of revision `seen`, which may be out of date.

    Call the methods inside `record.writing()`. Each records one revision, or none if nothing changes. All
    raise Refused for a revision or a block that does not exist, and for redacted words in what is written.
    """

    campaign: CampaignStore
    draft: Draft
    seen: int
    voice: Voice
    writer: str | None = None
    """Name of that person; None if not given."""
    again: bool = False
    """True if redacted words may be recorded again, for the game master alone; else they are refused."""

    @property
    def _base(self) -> Revision:
        return self.draft.revision(self.seen)

    def write(self, id_: str, text: str, was: str) -> str:
        """Gives a block another text; returns the id of the block that has it.

        `was` is the text that the writer saw there. If another writer changed the block since, both wordings
        are kept (two revisions), and the id returned may be that of the second. Raises Refused for an empty
        text.
        """
        block = _find(self._base, id_)
        words = _words(text, block.sort)
        tells = self._told(block, was).tells
        mine = replace(block, text=Words(words), tells=tells, edited=True, cut=False, writer=self._signature)
        now = next((other for other in self.draft.latest.blocks if other.id == block.id), None)
        if now is not None and now.text.text == words and now.edited and not now.cut:
            return id_
        if now == block:
            self._revise([mine if other.id == block.id else other for other in self.draft.latest.blocks])
            return id_
        if block.instead_of is not None:  # a wording of a wording would stand nowhere
            return self._insert(block.instead_of, replace(mine, id=self.draft.next_block))
        theirs = [mine if other.id == block.id else other for other in self._base.blocks]
        after = self.campaign.drafts.take(
            self.draft, self.seen, theirs, _MANNER, self.writer, again=self.again
        )
        found = (other for other in after.latest.blocks if block.id in (other.id, other.instead_of))
        return next((str(other.id) for other in found if other.text.text == words and not other.cut), id_)

    def add(self, after: str, text: str, *, splits: bool = False) -> str:
        """Adds a paragraph behind a block, before all if `after` is empty; returns its id.

        With `splits` its words come from that block: it tells the same, and the same people may read it. Else
        it is the game master's until it is opened. The same again adds nothing.
        """
        words = _words(text, "text")
        source = _find(self._base, after) if after else None
        known = {block.id for block in self._base.blocks}
        added = [block for block in self.draft.latest.blocks if block.id not in known]
        same = next((block for block in added if block.text.text == words and not block.cut), None)
        if same is not None:
            return str(same.id)
        new = Block(
            id=self.draft.next_block, sort="text", text=Words(words), edited=True, writer=self._signature
        )
        if source is not None and splits:
            new = replace(new, tells=source.tells, see=source.see)
        return self._insert(None if source is None else source.id, new)

    def choose(self, how: How, id_: str) -> None:
        """Makes a choice about a block, or about untold words by an event's id, as the verb `draft` does.

        Raises Refused if the block has changed since.
        """
        choice = self._choice(id_)
        ways = {"ok": choice.stands, "take-new": choice.takes_new, "cut": choice.cuts}
        self._revise(ways[how]([id_]))

    def open(self, id_: str, to: str) -> None:
        """Shows a block to `table`, to `gm` alone, or to a person by name; `new` for all unopened paragraphs.

        Raises Refused if they may not see what it tells, or if the block has changed since.
        """
        choice = self._choice(id_)
        reader = reader_for(LineView(self.campaign, choice.standing.here.line).called(to).viewer)
        self._revise(choice.opens([id_], (reader,) if isinstance(reader, int) else reader))

    def settle(self, id_: str, remark: int) -> None:
        """Puts a remark on a block away, by its number from 0.

        Raises Refused if there is none, or if the block has changed since.
        """
        self._revise(self._choice(id_).settles([id_], remark))

    def vouch(self, id_: str, sentence: int) -> None:
        """Vouches for a sentence of a block, by its number from 1.

        Raises Refused if there is none, or if the block has changed since.
        """
        self._revise(self._choice(id_).vouches([f"{id_}.{sentence}"]))

    def move(self, id_: str, after: str) -> None:
        """Puts a block, with other writers' wordings of it, behind the block `after`; before all if empty.

        Raises Refused if one of them is not a block of the draft now.
        """
        blocks = self.draft.latest.blocks
        for needed in (id_, after) if after else (id_,):
            if all(str(block.id) != needed for block in blocks):
                raise Refused(f"There is no block {needed} in the draft any more: look at it again.")
        moved = [block for block in blocks if id_ in (str(block.id), str(block.instead_of))]
        rest = [block for block in blocks if block not in moved]
        behind = [
            number for number, block in enumerate(rest, 1) if after in (str(block.id), str(block.instead_of))
        ]
        at = behind[-1] if behind else 0
        if after and not behind:
            return  # behind itself
        self._revise([*rest[:at], *moved, *rest[at:]])

    def publish(self, *, is_wanted: bool) -> None:
        """Has exports show the latest revision of the draft from now on, or the record's words again."""
        drafts = self.campaign.drafts
        if is_wanted:
            drafts.publish(self.draft, None, _MANNER)
        else:
            drafts.withdraw(self.draft, _MANNER)

    def restore(self, which: Literal["undo", "redo"]) -> None:
        """Restores the previous revision, or the one that was undone.

        Raises Refused if there is none, or if it has changed since.
        """
        if self.seen != self.draft.latest.number:
            raise Refused(f"The draft was changed meanwhile: look at it, then {which}.")
        number = self.draft.before_latest if which == "undo" else self.draft.undone_last
        if number is None:
            raise Refused(f"There is nothing to {which} in the draft {self.draft.name}.")
        self.campaign.drafts.restore(self.draft, number, _MANNER, self.writer)

    @property
    def _signature(self) -> Words | None:
        return Words(self.writer) if self.writer else None

    def _choice(self, id_: str) -> Choice:
        """Returns the latest revision, to choose in; Refused if the block has changed since."""
        was, now = (
            [block for block in revision.blocks if id_ in (str(block.id), str(block.instead_of))]
            for revision in (self._base, self.draft.latest)
        )
        if was != now:
            raise Refused(f"Block {id_} was changed meanwhile: look at it, and choose again.")
        return Choice(latest(self.campaign, self.draft, self.voice))

    def _told(self, block: Block, was: str) -> Block:
        """Returns a block with what it tells as its writer saw it, if that followed the record since."""
        if block.edited or not block.tells or block.text.text == was:
            return block
        standing = Standing(self.campaign, self.draft, self._base, self.voice)
        shown = next((current for current in standing.blocks if current.block.id == block.id), None)
        if shown is None or shown.text != was:
            return block
        return replace(block, tells=Noting(standing.record).told(shown.events, block.sort))

    def _insert(self, after: int | None, new: Block) -> str:
        """Records a new block behind another and its other wordings; another wording of it stays one."""
        blocks = list(self.draft.latest.blocks)
        ids = [block.id for block in blocks]
        before = [block.id for block in self._base.blocks]
        earlier = [] if after is None else before[before.index(after) :: -1]
        behind = next((id_ for id_ in earlier if id_ in ids), None)
        at = 0 if behind is None else ids.index(behind) + 1
        while at < len(blocks) and behind is not None and blocks[at].instead_of == behind:
            at += 1
        if new.instead_of is not None and new.instead_of not in ids:
            new = replace(new, instead_of=None)
        self._revise([*blocks[:at], new, *blocks[at:]])
        return str(new.id)

    def _revise(self, blocks: Sequence[Block]) -> None:
        self.campaign.drafts.revise(self.draft, blocks, _MANNER, self.writer, again=self.again)


def _find(revision: Revision, id_: str) -> Block:
    found = next((block for block in revision.blocks if str(block.id) == id_), None)
    if found is None:
        raise Refused(f"There is no block {id_} in revision {revision.number} of the draft.")
    if found.sort == "break":
        raise Refused(f"Block {id_} is a break and has no words.")
    return found


def _words(text: str, sort: Sort) -> str:
    words = one_line(text) if sort == "heading" else tidy(text)
    if not words:
        raise Refused("A block has words: cut it to leave it out.")
    return words
