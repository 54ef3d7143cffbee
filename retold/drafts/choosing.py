"""Choices about blocks of a draft: what is kept, what follows the record, what is cut, and who may see it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from msgspec.structs import replace

from retold.drafts.checking import sentences_of
from retold.drafts.composing import Composed, Place, told_as
from retold.drafts.making import Noting, followed_blocks
from retold.drafts.showing import SeenDraft, is_for_the_game_master
from retold.drafts.standing import Standing, Untold
from retold.drafts.unopened import is_new
from retold.journal.refused import Refused
from retold.journal.vocabulary.base import Words
from retold.journal.vocabulary.drafts import Block, Eyes
from retold.projections.reading import LineView
from retold.projections.reading.viewers import EVERYBODY, viewer_of

_RANGE: Final = re.compile(r"([0-9]{1,9})\.\.([0-9]{1,9})")


@dataclass(frozen=True)
class Choice:
    """The latest revision of a draft, in which blocks and events are chosen by their ids."""

    standing: Standing

    @cached_property
    def _blocks(self) -> list[Block]:
        return list(followed_blocks(self.standing))

    @cached_property
    def _noting(self) -> Noting:
        return Noting(self.standing.record)

    def stands(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """Returns all blocks; those with these ids stand as they are written, whatever the record says now.

        Of two wordings the one with the id is kept. Raises Refused for an id of no block, and for an unedited
        block: it has the record's words anyway.
        """
        return self._each(ids, self._stand, None)

    def takes_new(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """Returns all blocks; those with these ids have the record's words, and events get blocks of them.

        Cut blocks stand in the text again. Raises Refused for an id of nothing, and for a block or event of
        which the record tells nothing.
        """
        return self._each(ids, self._take_new, self._tell)

    def cuts(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """Returns all blocks; those with these ids are cut, and these events are left out on purpose.

        Raises Refused for an id of nothing.
        """
        return self._each(ids, self._cut, self._leave_out)

    def settles(self, ids: Iterable[str], remark: int | None = None) -> tuple[Block, ...]:
        """Returns all blocks; those with these ids have no remarks any more.

        With `remark` only the one with that number, from 0, is gone. Raises Refused for an id of no block,
        and where there is no such remark.
        """

        def settle(blocks: list[Block], at: int) -> list[Block]:
            block = blocks[at]
            if not block.remarks[remark or 0 :]:
                which = "remark" if remark is None else "such remark"
                raise Refused(f"Block {block.id} has no {which} to settle.")
            kept = () if remark is None else (*block.remarks[:remark], *block.remarks[remark + 1 :])
            return [*blocks[:at], replace(block, remarks=kept), *blocks[at + 1 :]]

        return self._each(ids, settle, None)

    def vouches(self, ids: Iterable[str]) -> tuple[Block, ...]:
        """Returns all blocks; a writer vouches for sentence 2 of block 12 (`12.2`), or for all of it (`12`).

        Raises Refused for an id of no block, a number of no sentence, and a block with the record's words.
        """
        blocks = self._blocks
        for typed in ids:
            id_, _, number = typed.partition(".")
            at = self._place(blocks, id_)
            block, text = blocks[at], blocks[at].text.text or ""
            sentences = [text] if block.sort == "heading" else [*sentences_of(text)]
            hers = [one for nth, one in enumerate(sentences, 1) if number in ("", str(nth))]
            if not block.edited:
                raise Refused(f"Block {id_} was never edited: it has the record's words.")
            if not hers:
                raise Refused(f"Block {id_} has no sentence {number}: retold draft check numbers them.")
            kept = dict.fromkeys((*(block.hers or ()), *map(Words, hers)))
            blocks = [*blocks[:at], replace(block, hers=tuple(kept)), *blocks[at + 1 :]]
        return tuple(blocks)

    def opens(self, ids: Iterable[str], to: Eyes) -> tuple[Block, ...]:
        """Returns all blocks; those with these ids may be seen by `to` as well as the game master.

        So may other writers' wordings of them, since one of these may be taken later. `new` means the
        paragraphs not opened yet, `all` for every block for the game master alone, `19..25` for blocks of the
        text with ids from 19 to 25. Raises Refused for an id of no block, and where `to` may not see what the
        block tells.
        """
        ids = dict.fromkeys(each for id_ in ids for each in self._meant(id_))
        views = _viewers(LineView(self.standing.campaign, self.standing.here.line), to)
        seen = [SeenDraft(self.standing, view) for view in views]

        def opened(block: Block) -> Block:
            if not all(seen_by.knows_all(block) for seen_by in seen):
                raise Refused(
                    f"Block {block.id} tells something that not all of them may know: reveal it first, or"
                    " take it out of the block."
                )
            return replace(block, see=to)

        def open_to(blocks: list[Block], at: int) -> list[Block]:
            id_ = blocks[at].id
            return [opened(block) if id_ in (block.id, block.instead_of) else block for block in blocks]

        return self._each(ids, open_to, None)

    def _meant(self, typed: str) -> Iterator[str]:
        """Yields the ids meant by a word of `opens`; Refused if there are none."""
        shown = [block for block in self._blocks if not block.cut and block.instead_of is None]
        ends = _RANGE.fullmatch(typed)
        if typed not in ("new", "all") and ends is None:
            yield typed
            return
        if ends is not None:
            found = [block for block in shown if int(ends[1]) <= block.id <= int(ends[2])]
        else:
            found = [
                block for block in shown if (is_new if typed == "new" else is_for_the_game_master)(block)
            ]
        if not found:
            raise Refused(
                f"There is no block {typed} in the draft {self.standing.draft.name}: retold draft show lists"
                " them."
                if ends is not None
                else "All paragraphs of the draft are open already: there is none left."
            )
        yield from (str(block.id) for block in found)

    # --- one by one ---

    def _each(
        self,
        ids: Iterable[str],
        choose: Callable[[list[Block], int], list[Block]],
        choose_event: Callable[[list[Block], Untold], list[Block]] | None,
    ) -> tuple[Block, ...]:
        blocks = self._blocks
        for id_ in ids:
            untold = [
                untold_words
                for untold_words in self.standing.untold
                if id_ in map(str, untold_words.composed.events)
            ]
            if untold and choose_event is not None:
                for words in reversed(untold):  # each goes to the place before those behind it
                    blocks = choose_event(blocks, words)
            else:
                blocks = choose(blocks, self._place(blocks, id_))
        return tuple(blocks)

    def _place(self, blocks: Sequence[Block], id_: str) -> int:
        found = [place for place, block in enumerate(blocks) if str(block.id) == id_]
        if not found:
            raise Refused(
                f"There is no block {id_} in the draft {self.standing.draft.name}: retold draft show lists"
                " them."
            )
        return found[0]

    def _stand(self, blocks: list[Block], at: int) -> list[Block]:
        block = blocks[at]
        other = block.instead_of
        rivals = [
            wording for wording in blocks if wording.instead_of == (block.id if other is None else other)
        ]
        if other is None and not rivals and not block.edited:
            raise Refused(f"Block {block.id} was never edited: it has the record's words, and follows them.")
        if other is not None:
            first = blocks[self._place(blocks, str(other))]
            at, block = blocks.index(first), replace(block, id=first.id, instead_of=None)
        if not block.cut:
            events = self.standing.events_of(block)
            block = replace(block, tells=self._noting.told(events, block.sort))
        kept = [*blocks[:at], block, *blocks[at + 1 :]]
        return [kept_block for kept_block in kept if kept_block not in rivals]

    def _take_new(self, blocks: list[Block], at: int) -> list[Block]:
        block = blocks[at]
        others = {other.text.text for other in blocks if other.id != block.id and not other.cut}
        composed = [told for told in self._composed(block) if told.text not in others]
        if not composed:
            raise Refused(f"The record tells nothing of what block {block.id} told: cut it, or say ok.")
        rivals = [wording for wording in blocks if wording.instead_of == block.id]
        made = [self._noting.block(number, told) for number, told in enumerate(composed, self._fresh(blocks))]
        made[0] = replace(made[0], id=block.id, remarks=block.remarks)
        return [
            kept_block for kept_block in (*blocks[:at], *made, *blocks[at + 1 :]) if kept_block not in rivals
        ]

    def _composed(self, block: Block) -> Iterator[Composed]:
        """Yields the record's paragraphs about the events that a block tells, without other events."""
        events = self.standing.events_of(block)
        for composed in self.standing.record.blocks:
            share = [event for event in composed.events if event in events]
            if not share or told_as(composed.sort) != told_as(block.sort):
                continue
            if len(share) == len(composed.events):
                yield composed
            else:
                text = self.standing.record.of(share, composed.sort)
                yield Composed(
                    composed.sort, text, tuple(part for part in composed.parts if part[0] in share)
                )

    def _cut(self, blocks: list[Block], at: int) -> list[Block]:
        block = blocks[at]
        if block.instead_of is not None:
            return [*blocks[:at], *blocks[at + 1 :]]
        rivals = [wording for wording in blocks if wording.instead_of == block.id]
        kept = [*blocks[:at], replace(block, cut=True), *blocks[at + 1 :]]
        return [kept_block for kept_block in kept if kept_block not in rivals]

    def _tell(self, blocks: list[Block], untold: Untold) -> list[Block]:
        return self._with(blocks, untold, self._noting.block(self._fresh(blocks), untold.composed))

    def _leave_out(self, blocks: list[Block], untold: Untold) -> list[Block]:
        block = self._noting.block(self._fresh(blocks), untold.composed)
        return self._with(blocks, untold, replace(block, cut=True))

    def _with(self, blocks: list[Block], untold: Untold, block: Block) -> list[Block]:
        at = 0 if untold.after is None else self._place(blocks, str(untold.after)) + 1
        while at < len(blocks) and (
            blocks[at].instead_of is not None or self._is_earlier(blocks[at], untold)
        ):
            at += 1
        return [*blocks[:at], block, *blocks[at:]]

    def _is_earlier(self, block: Block, untold: Untold) -> bool:
        """True if a block tells what the record tells before the untold events."""
        order = self._order
        told = [order[event] for event in self.standing.events_of(block) if event in order]
        return bool(told) and max(told) < order[untold.composed.events[0]]

    @cached_property
    def _order(self) -> dict[Place, int]:
        """By event, the number of the last of the record's blocks that tells it."""
        blocks = self.standing.record.blocks
        return {event: number for number, composed in enumerate(blocks) for event in composed.events}

    def _fresh(self, blocks: Sequence[Block]) -> int:
        return max((self.standing.draft.next_block, *(block.id + 1 for block in blocks)))


def _viewers(reading: LineView, to: Eyes) -> list[LineView]:
    """Returns a view of the line for each reader in `to`, except the game master."""
    if to == "gm":
        return []
    if to == "table":
        return [reading.through(EVERYBODY)]
    return [reading.through(viewer_of(reading.table, person)) for person in to]
