"""Blocks that were sent, paragraphs that came back, and what became of each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class Change(StrEnum):
    """Kind of a result: a block kept, edited, merged, split or cut, or a new paragraph."""

    KEPT = "kept"
    EDITED = "edited"
    MERGED = "merged"
    SPLIT = "split"
    CUT = "cut"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a block that tell one event."""

    event: str
    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """Paragraph or heading of the sent text, with its parts in the order told."""

    id: str
    text: str
    parts: tuple[Part, ...] = ()
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph or heading that came back; `id` is the block id found at it, if any survived."""

    text: str
    id: str | None = None
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """Outcome for some blocks and paragraphs; `sent` and `came` hold their indices in ascending order.

    Kept and edited: one block, one paragraph. Merged: several blocks, one paragraph. Split: one block,
    several paragraphs. Cut: one block, no paragraph. New: no block, one paragraph.

    `moved` marks paragraphs that stand elsewhere than the blocks around them. `doubtful` marks an edit that
    is guessed from its place alone, because too few words are the same.
    """

    change: Change
    sent: tuple[int, ...]
    came: tuple[int, ...]
    moved: bool = False
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Alignment:
    """Results for a text, sorted by paragraph; a cut block follows the last linked block before it.

    Every block and every paragraph is in exactly one result. `tells` has, for each paragraph, the events
    that it tells.
    """

    results: tuple[Result, ...]
    tells: tuple[tuple[str, ...], ...]

    def summary(self) -> str:
        """Returns the counts in words, such as `11 kept, 2 merged, 1 moved`; empty for two empty texts.

        A paragraph that was kept or edited and moved counts as moved.
        """
        counts = Counter(_name(result) for result in self.results)
        return ", ".join(f"{counts[name]} {name}" for name in _NAMES if counts[name])


_MOVED = "moved"
_NAMES = (Change.KEPT, Change.EDITED, Change.MERGED, Change.SPLIT, _MOVED, Change.CUT, Change.NEW)


def _name(result: Result) -> str:
    is_whole = result.change in {Change.KEPT, Change.EDITED}
    return _MOVED if result.moved and is_whole else result.change.value
