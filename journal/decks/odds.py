"""Exact odds of a throw: how many equally likely ways come to each total."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import comb
from typing import Final

from journal.decks.dice import faces, value
from journal.decks.throws import Dice, Throw

MOST_SUMMED: Final = 20_000
"""Faces, all dice together, up to which a sum is worked out."""

MOST_PICKED: Final = 12
"""Dice up to which it is worked out what the highest or the lowest of them come to."""

Ways = Mapping[int, int]
"""How many ways come to each total."""


def ways(these: Throw) -> Ways | None:
    """The ways to each total; None for dice that explode, which have no last total, and for too many dice."""
    found: Ways = {these.added: 1}
    for one in these.dice:
        came = _of(one)
        if came is None:
            return None
        found = _sum(found, came, one.sign)
    return found


def _of(one: Dice) -> Ways | None:
    if one.explodes or one.count * max(one.size, 1) > MOST_SUMMED:
        return None
    each = _each(one)
    if one.counted is not None and one.keep is None:
        return _counted(one, each)
    if one.counted is not None or (one.keep is not None and one.count > MOST_PICKED):
        return None
    if one.keep is not None:
        return _picked(one, each)
    found: Ways = {0: 1}
    for _ in range(one.count):
        found = _sum(found, each)
    return found


def _each(one: Dice) -> Ways:
    """What one die shows in the end; a face that is thrown again once has that many ways less."""
    shown = [value(face) for face in faces(one.size)]
    if one.again is None:
        return dict.fromkeys(shown, 1)
    gone = sum(one.again.has(face) for face in shown)
    if not one.once:
        return {face: 1 for face in shown if not one.again.has(face)}
    return {face: gone + (0 if one.again.has(face) else len(shown)) for face in shown}


def _sum(these: Ways, those: Ways, sign: int = 1) -> Ways:
    found: Counter[int] = Counter()
    for total, many in these.items():
        for more, often in those.items():
            found[total + sign * more] += many * often
    return found


def _counted(one: Dice, each: Ways) -> Ways:
    """How many of the dice are successes."""
    hits = sum(many for face, many in each.items() if one.counted is not None and one.counted.has(face))
    misses = sum(each.values()) - hits
    return {
        successes: comb(one.count, successes) * hits**successes * misses ** (one.count - successes)
        for successes in range(one.count + 1)
    }


def _picked(one: Dice, each: Ways) -> Ways:
    """What the highest or the lowest come to: face by face, the ones that are kept first."""
    keep = one.keep or 0
    states: Counter[tuple[int, int]] = Counter({(0, 0): 1})
    """By how many dice have a face yet, and what the kept ones of them come to."""
    for face, many in sorted(each.items(), reverse=one.highest):
        after: Counter[tuple[int, int]] = Counter()
        for (placed, total), often in states.items():
            for more in range(one.count - placed + 1):
                counts = max(0, min(more, keep - placed))
                key = placed + more, total + counts * face
                after[key] += often * comb(one.count - placed, more) * many**more
        states = after
    return {total: often for (placed, total), often in states.items() if placed == one.count}
