"""Comparison of two texts word by word, and of two revisions of a draft block by block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from rapidfuzz.distance import LCSseq

from retold.journal.store.writing.drafts import Draft, Revision
from retold.journal.vocabulary.drafts import Block

_WORD: Final = re.compile(r"\s*\S+|\s+$")
_MOST_PAIRS: Final = 25_000_000
"""Pairs of words that are compared; longer texts differ as a whole."""


class Wording(NamedTuple):
    """Words that stayed (`was` and `now` alike), or words that were replaced; either may be empty."""

    was: str
    now: str

    @property
    def stayed(self) -> bool:
        """True if both texts have these words."""
        return self.was == self.now


def word_changes(was: str, now: str) -> list[Wording]:
    """Returns two texts in pieces that stayed and pieces that were replaced, in order."""
    before, after = _WORD.findall(was), _WORD.findall(now)
    if len(before) * len(after) > _MOST_PAIRS:
        return [Wording(was, now)]
    found: list[Wording] = []
    for step in LCSseq.opcodes([word.strip() for word in before], [word.strip() for word in after]):
        pieces = (
            "".join(before[step.src_start : step.src_end]),
            "".join(after[step.dest_start : step.dest_end]),
        )
        if step.tag == "equal":
            found.append(Wording(pieces[1], pieces[1]))
        elif found and not found[-1].stayed:
            found[-1] = Wording(found[-1].was + pieces[0], found[-1].now + pieces[1])
        else:
            found.append(Wording(*pieces))
    return found


def with_marks(was: str, now: str) -> str:
    """Returns both texts as one: words that went in `[-…-]`, words that came in `{+…+}`."""
    return "".join(map(_marked, word_changes(was, now))).strip()


def _marked(wording: Wording) -> str:
    if wording.stayed:
        return wording.now
    lead = " " if (wording.was or wording.now)[:1].isspace() else ""
    went = f"[-{wording.was.strip()}-]" if wording.was.strip() else ""
    came = f"{{+{wording.now.strip()}+}}" if wording.now.strip() else ""
    return f"{lead}{went}{came}"


class Step(StrEnum):
    """Change of a block between two revisions."""

    NEW = "new"
    SPLIT = "split"
    """Taken out of another block, with some of what that told."""
    EDITED = "edited"
    MOVED = "moved"
    MERGED = "merged"
    """Put into other blocks, which tell what it told."""
    CUT = "cut"


@dataclass(frozen=True, slots=True)
class BlockChange:
    """Block that differs between two revisions: its text in both, None where it does not stand."""

    step: Step
    id: int
    was: str | None
    now: str | None


def block_changes(before: Revision, after: Revision) -> list[BlockChange]:
    """Returns the blocks that differ, in the order of `after`; removed ones keep their place."""
    return list(_block_changes(before, after))


def _block_changes(earlier: Revision, later: Revision) -> Iterator[BlockChange]:
    before, after = earlier.shown, later.shown
    old, new = ({block.id: block for block in blocks} for blocks in (before, after))
    stays = _in_order([block.id for block in before], [block.id for block in after])
    told, tells = _events(before), _events(after)
    cut = {block.id for block in later.cut}

    def went(block: Block) -> BlockChange:
        is_merged = block.id not in cut and bool(block.tells) and _events([block]) <= tells
        return BlockChange(Step.MERGED if is_merged else Step.CUT, block.id, block.text.text, None)

    gone: dict[int | None, list[Block]] = {}
    last: int | None = None
    for block in before:
        if block.id in new:
            last = block.id
        else:
            gone.setdefault(last, []).append(block)
    yield from map(went, gone.get(None, ()))
    for block in after:
        was = old.get(block.id)
        if was is None:
            is_split = bool(block.tells) and _events([block]) <= told
            yield BlockChange(Step.SPLIT if is_split else Step.NEW, block.id, None, block.text.text)
        elif (was.text, was.sort) != (block.text, block.sort):
            yield BlockChange(Step.EDITED, block.id, was.text.text, block.text.text)
        elif block.id not in stays:
            yield BlockChange(Step.MOVED, block.id, was.text.text, block.text.text)
        yield from map(went, gone.get(block.id, ()))


def change_summary(draft: Draft, revision: Revision) -> str:
    """Returns what a revision changed, as `1 new, 2 edited`; `begun with 11 blocks` for the first.

    If no text changed, it counts the blocks with other readers, with other remarks, and those vouched for.
    """
    if not revision.after:
        number = len(revision.shown)
        return f"begun with {number} block{'' if number == 1 else 's'}"
    if revision.restores is not None:
        return f"back to {revision.restores}"
    before = draft.revision(revision.after)
    changes = block_changes(before, revision)
    counts = {str(step): sum(change.step is step for change in changes) for step in Step}
    if not changes:
        old = {block.id: block for block in before.blocks}
        pairs = [(old[block.id], block) for block in revision.blocks if block.id in old]
        counts["for other readers"] = sum(was.eyes != now.eyes for was, now in pairs)
        counts["vouched for"] = sum(was.hers != now.hers for was, now in pairs)
        counts["with other remarks"] = sum(was.remarks != now.remarks for was, now in pairs)
    said = ", ".join(f"{count} {what}" for what, count in counts.items() if count) or "nothing in the text"
    return f"{said}; joined with {revision.joins}" if revision.joins else said


def _events(blocks: Sequence[Block]) -> set[tuple[int, int]]:
    return {(told.line, told.position) for block in blocks for told in block.tells}


def _in_order(before: Sequence[int], after: Sequence[int]) -> set[int]:
    """Returns ids that stand in the same order in both: as many as possible."""
    steps = LCSseq.opcodes(before, after)
    return {
        number for step in steps if step.tag == "equal" for number in after[step.dest_start : step.dest_end]
    }
