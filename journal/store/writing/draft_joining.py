"""Joins what two writers made of one revision of a draft, block by block."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from retold.journal.grouping import grouped
from retold.journal.visibility import TABLE, common_audience
from retold.journal.vocabulary.drafts import Block, Eyes, Remark, Told

T = TypeVar("T")


def join(base: Sequence[Block], ours: Sequence[Block], theirs: Sequence[Block]) -> tuple[Block, ...]:
    """Joins two writers' revisions of the blocks `base`; returns the joined blocks in order.

    The result has the changes, moves, additions and removals of each. If both rewrote the same block, it has
    our text, and theirs follows it as a block with `instead_of`; if one of them cut it, it has the text, and
    the cut follows. A new block of theirs gets another id if a block of ours has its id.
    """
    theirs = list(_renumbered(base, ours, theirs))
    before, here, there = _by_id(base), _by_id(ours), _by_id(theirs)
    fresh = count(max(chain(before, here, there), default=0) + 1)
    joined: dict[int, Block] = {}
    others: dict[int, Block] = {}
    for block in dict.fromkeys((*before, *here, *there)):
        result = _joined(before.get(block), here.get(block), there.get(block))
        if result.block is not None:
            joined[block] = result.block
        if result.other is not None and not _is_known(result.other, block, ours):
            others[block] = replace(result.other, id=next(fresh), instead_of=block, remarks=())
    order = _order(list(before), list(here), list(there), joined)
    return tuple(_in_order(order, joined, others))


def _by_id(blocks: Sequence[Block]) -> dict[int, Block]:
    return {block.id: block for block in blocks}


def _in_order(
    order: Sequence[int], joined: Mapping[int, Block], others: Mapping[int, Block]
) -> Iterator[Block]:
    for number in order:
        yield joined[number]
        if number in others:
            yield others[number]


def _renumbered(base: Sequence[Block], ours: Sequence[Block], theirs: Sequence[Block]) -> Iterator[Block]:
    """Yields the blocks of theirs, with ids under which ours has no other blocks.

    A new block that ours has too, under any id, by any writer and for any readers, gets that id. All other
    new blocks keep theirs if it is free.
    """
    before = _by_id(base)
    same = grouped((block.text.text, block) for block in ours if block.id not in before)
    taken = {block.id for block in (*base, *ours)}
    free = count(max((block.id for block in (*base, *ours, *theirs)), default=0) + 1)
    numbers: dict[int, int] = {}
    for block in theirs:
        if block.id not in before:
            alike = (
                other
                for other in same.get(block.text.text, ())
                if replace(other, id=block.id, writer=block.writer, see=block.see, remarks=block.remarks)
                == block
            )
            found = next(alike, None)
            if found is not None:
                same[block.text.text].remove(found)
                numbers[block.id] = found.id
            elif block.id in taken:
                numbers[block.id] = next(free)
    for block in theirs:
        about = block.instead_of
        yield replace(
            block,
            id=numbers.get(block.id, block.id),
            instead_of=None if about is None else numbers.get(about, about),
        )


def _is_known(other: Block, about: int, ours: Sequence[Block]) -> bool:
    """True if `ours` has the wording `other` of block `about` already, from an earlier joining."""
    return any(
        block.instead_of == about and (block.text, block.cut) == (other.text, other.cut) for block in ours
    )


# --- one block --------------------------------------------------------------------------------------------


class _Result(Struct, frozen=True):
    """Joined block, None if removed; and the other writer's wording, None without conflict."""

    block: Block | None
    other: Block | None = None


def _joined(before: Block | None, ours: Block | None, theirs: Block | None) -> _Result:
    """Joins one block; `before`, `ours` or `theirs` is None where the block does not exist."""
    if theirs in (ours, before):
        return _Result(ours)
    if ours == before:
        return _Result(theirs)
    if before is None or ours is None or theirs is None:
        kept = ours or theirs
        return _Result(kept, None if before is None else replace(before, cut=True))
    return _both_changed(before, ours, theirs)


def _both_changed(before: Block, ours: Block, theirs: Block) -> _Result:
    block, other = _wording(before, ours, theirs)
    sort, level = _pick((before.sort, before.level), (ours.sort, ours.level), (theirs.sort, theirs.level))
    see = _pick(before.see, ours.see, theirs.see)
    if before.see not in {ours.see, theirs.see}:
        see = _in_both(ours.eyes, theirs.eyes)
    if other is not None:
        other = replace(other, see=see)
    block = replace(
        block,
        sort=sort,
        level=level,
        see=see,
        remarks=_remarks(before.remarks, ours.remarks, theirs.remarks),
        hers=tuple(dict.fromkeys((*(ours.hers or ()), *(theirs.hers or ())))) or None,
        instead_of=_pick(before.instead_of, ours.instead_of, theirs.instead_of),
    )
    return _Result(block, other)


def _in_both(ours: Eyes | None, theirs: Eyes | None) -> Eyes | None:
    """Returns the people in both audiences; None means all people allowed by the told events."""
    if ours is None or theirs is None:
        return ours or theirs
    both = common_audience(ours, theirs)
    if isinstance(both, tuple):
        return both
    return "table" if both == TABLE else "gm"


def _wording(before: Block, ours: Block, theirs: Block) -> tuple[Block, Block | None]:
    """Returns the block with the joined text and told events; and the other writer's block if both wrote."""
    was, here, there = ((block.text, block.cut) for block in (before, ours, theirs))
    if here == there:
        tells = _pick(before.tells, ours.tells, theirs.tells)
        if before.tells not in {ours.tells, theirs.tells}:
            tells = _with_more(ours.tells, theirs.tells)
        return replace(ours, tells=tells, edited=_pick(before.edited, ours.edited, theirs.edited)), None
    if was in {here, there}:
        writer, reader = (ours, theirs) if there == was else (theirs, ours)
        added = [told for told in reader.tells if _place(told) not in set(map(_place, before.tells))]
        return replace(writer, tells=_with_more(writer.tells, added)), None
    return (theirs, ours) if ours.cut and not theirs.cut else (ours, theirs)


def _pick(before: T, ours: T, theirs: T) -> T:
    """Returns the changed value: `theirs` if only they changed it, else `ours`."""
    return theirs if ours == before else ours


def _place(told: Told) -> tuple[int, int]:
    return told.line, told.position


def _with_more(tells: Sequence[Told], more: Sequence[Told]) -> tuple[Told, ...]:
    """Returns `tells`, and what `more` tells of further events."""
    known = set(map(_place, tells))
    return (*tells, *(told for told in more if _place(told) not in known))


def _remarks(
    before: Sequence[Remark], ours: Sequence[Remark], theirs: Sequence[Remark]
) -> tuple[Remark, ...]:
    """Returns the remarks that neither writer took away, each once."""
    kept = [remark for remark in ours if remark in theirs or remark not in before]
    return tuple(dict.fromkeys((*kept, *(remark for remark in theirs if remark not in before))))


# --- their order ------------------------------------------------------------------------------------------


def _order(
    before: Sequence[int], ours: Sequence[int], theirs: Sequence[int], kept: Mapping[int, Block]
) -> list[int]:
    """Returns the ids of the blocks `kept`: in our order, with the blocks that theirs added or moved.

    An added or moved block follows the block that it follows in `theirs`, and our own new blocks after that
    one. Those at the start of `theirs` stand before the block that they precede there.
    """
    moves = _moved(before, theirs) - _moved(before, ours)
    order = [number for number in ours if number in kept and number not in moves]
    own = set(ours) - set(before) - set(theirs)
    places = {number: place for place, number in enumerate(order)}
    at = next((places[number] for number in theirs if number in places), 0)
    inserted: dict[int, list[int]] = {}
    for number in theirs:
        if number in places:
            at = places[number] + 1
            while at < len(order) and order[at] in own:
                at += 1
        elif number in kept:
            inserted.setdefault(at, []).append(number)
    result: list[int] = []
    for place in range(len(order) + 1):
        result += inserted.get(place, ())
        result += order[place : place + 1]
    return result


def _moved(before: Sequence[int], after: Sequence[int]) -> set[int]:
    """Returns the fewest ids that have to move to turn the order `before` into `after`; new ids excluded.

    The ids that stay are a longest increasing subsequence of the places that they had.
    """
    places = {number: place for place, number in enumerate(before)}
    common = [number for number in after if number in places]
    ends: list[int] = []  # by length of an increasing subsequence, the lowest place at which one ends
    last: list[int] = []  # the ids at these places
    back: dict[int, int | None] = {}  # the id before each in its subsequence
    for number in common:
        length = bisect_left(ends, places[number])
        back[number] = last[length - 1] if length else None
        ends[length : length + 1] = [places[number]]
        last[length : length + 1] = [number]
    stays: set[int] = set()
    step = last[-1] if last else None
    while step is not None:
        stays.add(step)
        step = back[step]
    return set(common) - stays
