"""Joins what two writers made of one revision of a draft, block by block."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, count
from typing import NamedTuple, TypeVar

from msgspec.structs import replace

from journal.visibility import TABLE, common_audience
from journal.vocabulary.drafts import Block, Eyes, Remark, Told

T = TypeVar("T")


def join(base: Sequence[Block], ours: Sequence[Block], theirs: Sequence[Block]) -> tuple[Block, ...]:
    """Returns the blocks of both writers' revisions of `base`, in the order of both.

    What one of them changed, moved, added or took away is so in the result. Where both wrote another text
    into one block, ours stands, and theirs follows it as a block with `instead_of`; a text stands before a
    cut. New blocks of theirs get another id if ours has a block under theirs.
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
    """Yields theirs; a new block of theirs gets a free id if ours has another new block under its id.

    Where ours has the same block as new, under whatever id, that is its id.
    """
    before = _by_id(base)
    same = [block for block in ours if block.id not in before]
    taken = {block.id for block in (*base, *ours)}
    free = count(max((block.id for block in (*base, *ours, *theirs)), default=0) + 1)
    numbers: dict[int, int] = {}
    for block in theirs:
        if block.id not in before:
            found = next((one for one in same if replace(one, id=block.id) == block), None)
            if found is not None:
                same.remove(found)
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
    """True if ours keeps that wording of block `about` already, because theirs came here before."""
    return any(
        block.instead_of == about and (block.text, block.cut) == (other.text, other.cut) for block in ours
    )


# --- one block --------------------------------------------------------------------------------------------


class _Result(NamedTuple):
    """A joined block, None if it is gone; and the wording that did not become its text, if there is one."""

    block: Block | None
    other: Block | None = None


def _joined(before: Block | None, ours: Block | None, theirs: Block | None) -> _Result:
    """Returns what becomes of a block, of which each of the three may be missing."""
    if theirs in (ours, before):
        return _Result(ours)
    if ours == before:
        return _Result(theirs)
    if before is None or ours is None or theirs is None:
        kept = ours or theirs
        gone = None if before is None else replace(before, cut=True)
        return _Result(kept, gone)
    return _both_changed(before, ours, theirs)


def _both_changed(before: Block, ours: Block, theirs: Block) -> _Result:
    block, other = _wording(before, ours, theirs)
    sort, level = _pick((before.sort, before.level), (ours.sort, ours.level), (theirs.sort, theirs.level))
    see = _pick(before.see, ours.see, theirs.see)
    if before.see not in {ours.see, theirs.see}:
        see = _in_both(ours.see, theirs.see)
    block = replace(
        block,
        sort=sort,
        level=level,
        see=see,
        remarks=_remarks(before.remarks, ours.remarks, theirs.remarks),
        instead_of=_pick(before.instead_of, ours.instead_of, theirs.instead_of),
    )
    return _Result(block, other)


def _in_both(ours: Eyes | None, theirs: Eyes | None) -> Eyes | None:
    """Returns who is among both; None stands for all that the events of a block allow."""
    if ours is None or theirs is None:
        return ours or theirs
    both = common_audience(ours, theirs)
    if isinstance(both, tuple):
        return both
    return "table" if both == TABLE else "gm"


def _wording(before: Block, ours: Block, theirs: Block) -> tuple[Block, Block | None]:
    """Returns the block whose text stands, with what it tells, and the other writer's if both wrote one."""
    was, here, there = ((one.text, one.cut) for one in (before, ours, theirs))
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
    """Returns what one of both changed; ours if both did."""
    return theirs if ours == before else ours


def _place(told: Told) -> tuple[int, int]:
    return told.line, told.position


def _with_more(tells: Sequence[Told], more: Sequence[Told]) -> tuple[Told, ...]:
    """Returns `tells` and those of `more` that tell other events."""
    known = set(map(_place, tells))
    return (*tells, *(told for told in more if _place(told) not in known))


def _remarks(
    before: Sequence[Remark], ours: Sequence[Remark], theirs: Sequence[Remark]
) -> tuple[Remark, ...]:
    """Returns the remarks that neither took away, each once."""
    kept = [one for one in ours if one in theirs or one not in before]
    return tuple(dict.fromkeys((*kept, *(one for one in theirs if one not in before))))


# --- their order ------------------------------------------------------------------------------------------


def _order(
    before: Sequence[int], ours: Sequence[int], theirs: Sequence[int], kept: Mapping[int, Block]
) -> list[int]:
    """Returns the ids of the blocks `kept` in order: ours, with what is new or moved in theirs set in.

    Each of those follows the same block as in theirs, and what ours has new after that; the first ones stand
    before the same block as in theirs.
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
    """Returns the ids in both that do not stand as before, once as many as possible of the others do."""
    places = {number: place for place, number in enumerate(before)}
    common = [number for number in after if number in places]
    ends: list[int] = []  # by length of a rising run, the lowest place at which one ends
    last: list[int] = []
    back: dict[int, int | None] = {}
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
