"""Where lines leave each other: what they share, which leave one and where, and since when that is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from journal.store.campaign import Campaign
from journal.store.codec import Recorded, decode, decode_event
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from projections.replay import FOR_THE_GAME_MASTER, POINTING, Viewer, seen


class Leaving(NamedTuple):
    """Another line, the last position it shares, and the lines that leave it in turn, further on."""

    line: int
    at: int
    others: tuple[int, ...]


def shared(campaign: Campaign, line: int, other: int) -> int:
    """The last position up to which two lines are the same; 0 if they share nothing."""
    common = 0
    ours, theirs = campaign.file.lineage(line), campaign.file.lineage(other)
    heads = campaign.file.head(line).position, campaign.file.head(other).position
    for mine, yours in zip(ours, theirs, strict=False):
        if mine.line != yours.line:
            break
        ends = [
            head if end is None else end for end, head in zip((mine.upto, yours.upto), heads, strict=True)
        ]
        common = min(ends)
        if mine.upto is None or mine.upto != yours.upto:
            break
    return common


def leaving(campaign: Campaign, line: int, among: Iterable[int]) -> tuple[Leaving, ...]:
    """The lines among these that leave `line` itself, in the order of where they do.

    Of several that go on together after they have left, the first made is the one, and the rest are its.
    """
    found: dict[int, tuple[int, list[int]]] = {}
    for other in sorted(among):
        at = shared(campaign, line, other)
        together = (
            one for one, (left, _) in found.items() if left == at and shared(campaign, one, other) > at
        )
        root = next(together, None)
        if root is None:
            found[other] = at, []
        else:
            found[root][1].append(other)
    told = (Leaving(other, at, tuple(rest)) for other, (at, rest) in found.items())
    return tuple(sorted(told, key=lambda one: (one.at, one.line)))


def reason(campaign: Campaign, line: int, at: int) -> str | None:
    """Why somebody left at position `at` for `line`, if they said so."""
    if campaign.file.lineage(line)[-1].after != at:
        return None  # it was the other line that left this one
    for row in campaign.file.forks():
        if row.line == line:
            event = decode_event(row)[0]
            why = event.why if isinstance(event, e.Forked) else None
            return None if why is None else why.text
    return None


def recorded_by(campaign: Campaign, line: int, after: int, moment: str | None) -> int:
    """The last position of `line` beyond `after` recorded by that time (UTC); its head if None."""
    if moment is None:
        return campaign.file.head(line).position
    last = after
    for row in campaign.file.rows(line, after):
        if decode(row).envelope.at > moment:
            break
        last = row.position
    return last


class Seen(NamedTuple):
    """A line beyond a position, up to another (its head if None), as somebody sees it."""

    line: int
    after: int
    upto: int | None
    viewer: Viewer

    def acts(self, campaign: Campaign) -> Iterator[list[Recorded]]:
        """What is seen of each act; nothing of those about the record itself."""
        told = seen(campaign, self.line, self.after, self.upto, viewer=self.viewer)
        played = (one for one in told if not isinstance(one.event, FOR_THE_GAME_MASTER))
        return (list(events) for _, events in groupby(played, lambda one: one.envelope.act))


def alike(campaign: Campaign, one: Seen, other: Seen) -> tuple[int, int]:
    """The last positions up to which two lines that have parted look the same, to those who see them so.

    All of the other that looks the same counts, also what nobody sees behind it.
    """
    mine, theirs = [one.after], [other.after]
    acts = one.acts(campaign)
    for act in other.acts(campaign):
        own = next(acts, [])
        mine += [event.position for event in own]
        theirs += [event.position for event in act]
        if len(own) != len(act) or not all(
            _bare(a, mine) == _bare(b, theirs) for a, b in zip(own, act, strict=True)
        ):
            return mine[-len(own) - 1], theirs[-len(act) - 1]
    end = campaign.file.head(other.line).position if other.upto is None else other.upto
    return mine[-1], end


def _bare(recorded: Recorded, known: list[int]) -> tuple[object, ...]:
    """What is seen of an event; a position beyond where the lines parted as its place among `known`."""
    event = recorded.event
    payload = dict(event.__dict__)
    key = POINTING.get(type(event), "") if isinstance(event, Event) else ""
    if payload.get(key) is not None and payload[key] > known[0]:
        payload[key] = -bisect_right(known, payload[key])
    return type(event), payload, recorded.envelope.luck, recorded.envelope.by
