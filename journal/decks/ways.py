"""The odds of a throw: of what its dice come to, whatever is done with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import count
from math import comb
from typing import Final, NamedTuple

from journal.decks.dice import faces, value
from journal.decks.odds import Odds, of_values, times, weighed
from journal.decks.throws import Dice, Faces, Throw

MOST_SUMMED: Final = 20_000
"""Faces, all dice together, up to which a sum is worked out."""

MOST_PICKED: Final = 12
"""Dice up to which it is worked out what the highest or the lowest of them come to."""


MOST_SEEN: Final = 20
"""Dice up to which it is worked out what they come to and what shows on them."""

HARDLY: Final = 10**12
"""A die that brings others is followed until only one time in so many it would bring one more."""

Seen = tuple[int, frozenset[int]]
"""What dice come to, and which of the faces asked about show on any of them."""


def ways(these: Throw) -> Odds | None:
    """The ways to each total; None for dice that explode, which have no last total, and for too many dice."""
    found = Odds(these.added, (1,))
    for one in these.dice:
        came = _of(one)
        if came is None:
            return None
        found += came if one.sign > 0 else -came
    return found


def _of(one: Dice) -> Odds | None:
    if one.explodes or one.count * max(one.size, 1) > MOST_SUMMED:
        return None
    each = _each(one)
    if one.counted is not None and one.keep is None:
        return times(_successes(one.counted, each), one.count)
    if one.counted is not None or (one.keep is not None and one.count > MOST_PICKED):
        return None
    if one.keep is not None:
        return _picked(one, each)
    return times(each, one.count)


def _each(one: Dice) -> Odds:
    """What one die shows in the end; a face that is thrown again once has that many ways less."""
    shown = [value(face) for face in faces(one.size)]
    if one.again is None:
        return of_values(shown)
    gone = sum(one.again.has(face) for face in shown)
    if not one.once:
        return of_values(face for face in shown if not one.again.has(face))
    return weighed({face: gone + (0 if one.again.has(face) else len(shown)) for face in shown})


def _successes(counted: Faces, each: Odds) -> Odds:
    """How often one die is a success."""
    hits = sum(many for face, many in each.each() if counted.has(face))
    return weighed({0: each.total - hits, 1: hits})


def _picked(one: Dice, each: Odds) -> Odds:
    """What the highest or the lowest come to: face by face, the ones that are kept first."""
    keep = one.keep or 0
    states: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    """By how many dice have a face yet, and what the kept ones of them come to."""
    for face, many in sorted(each.each(), reverse=one.highest):
        after: Counter[tuple[int, int]] = Counter()
        for (placed, total), often in states.items():
            for more in range(one.count - placed + 1):
                counts = max(0, min(more, keep - placed))
                key = placed + more, total + counts * face
                after[key] += often * comb(one.count - placed, more) * many**more
        states = after
    return weighed({total: often for (placed, total), often in states.items() if placed == one.count})


@lru_cache(maxsize=256)
def seen(one: Dice, asked: frozenset[int]) -> Mapping[Seen, Fraction] | None:
    """How likely like dice come to each total while such faces show on them, those they bring among them.

    None for dice of which some are kept, thrown again or taken away, and for more than 20.
    """
    if one.keep is not None or one.again is not None or one.sign < 0 or one.count > MOST_SEEN:
        return None
    each, found = _chain(one, asked), Counter[Seen]({(0, frozenset()): 1})
    for _ in range(one.count):
        after = Counter[Seen]()
        for (total, shown), many in found.items():
            for (more, new), often in each.items():
                after[total + more, shown | new] += many * often
        found = after
    everything = sum(found.values())
    return {key: Fraction(many, everything) for key, many in found.items()}


class Lying(NamedTuple):
    """What like dice come to: their total, and what shows of the faces that are asked about.

    `faces` count, `pairs` lie there twice or more, and `alike` says whether two that count are the same.
    """

    total: int
    faces: frozenset[int]
    pairs: frozenset[int]
    alike: bool


@lru_cache(maxsize=256)
def lying(one: Dice, asked: frozenset[int], paired: frozenset[int]) -> Mapping[Lying, Fraction] | None:
    """How likely like dice come to lie so, with some of them kept or not: face by face, the kept ones first.

    Dropped dice make pairs where the highest are kept and none is thrown again. None for dice that explode,
    are counted or taken away, and for more than 12.
    """
    if one.explodes or one.counted is not None or one.sign < 0 or one.count > MOST_PICKED:
        return None
    keep = one.count if one.keep is None else one.keep
    all_lie = one.highest and one.again is None
    states: Counter[tuple[int, Lying]] = Counter({(0, Lying(0, frozenset(), frozenset(), alike=False)): 1})
    each = _each(one)
    for face, many in sorted(each.each(), reverse=one.highest):
        after: Counter[tuple[int, Lying]] = Counter()
        for (placed, so_far), often in states.items():
            for more in range(one.count - placed + 1 if many else 1):
                counts = max(0, min(more, keep - placed))
                pairs = {face} & paired if (more if all_lie else counts) > 1 else frozenset[int]()
                new = Lying(
                    so_far.total + counts * face,
                    so_far.faces | ({face} & asked if counts else frozenset[int]()),
                    so_far.pairs | pairs,
                    so_far.alike or counts > 1,
                )
                after[placed + more, new] += often * comb(one.count - placed, more) * many**more
        states = after
    every = each.total**one.count
    return {new: Fraction(often, every) for (placed, new), often in states.items() if placed == one.count}


def _chain(one: Dice, asked: frozenset[int]) -> Counter[Seen]:
    """The ways of one die with all that it brings, each face of the first as often as all that may follow."""
    shown = [value(face) for face in faces(one.size)]
    last = next(deep for deep in count() if one.size**deep >= HARDLY) if one.explodes else 0
    found = Counter[Seen]()
    for deep in range(last + 1):
        before = deep * _worth(one, one.size), frozenset({one.size} if deep else ()) & asked
        for face in shown:
            if face != one.size or deep == last or not one.explodes:
                key = before[0] + _worth(one, face), before[1] | ({face} & asked)
                found[key] += len(shown) ** (last - deep)
    return found


def _worth(one: Dice, face: int) -> int:
    return face if one.counted is None else int(one.counted.has(face))
