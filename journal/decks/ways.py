"""The odds of a throw: of what its dice come to, whatever is done with them."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import Final

from journal.decks.dice import faces, value
from journal.decks.odds import Odds, of_values, times, weighed
from journal.decks.throws import Dice, Faces, Throw

MOST_SUMMED: Final = 20_000
"""Faces, all dice together, up to which a sum is worked out."""

MOST_PICKED: Final = 12
"""Dice up to which it is worked out what the highest or the lowest of them come to."""


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
