"""Where lines leave each other: what they share, which leave one and where, and since when that is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import NamedTuple

from journal.store.campaign import Campaign
from journal.store.codec import Recorded, decode, decode_event
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, values_of
from projections.reading.ids import POINTING
from projections.reading.reading import Reading
from projections.reading.timing import recorded_at
from projections.reading.viewers import FOR_THE_GAME_MASTER


class Leaving(NamedTuple):
    """Another line, the last position it shares, and the lines that leave it in turn, further on."""

    line: int
    at: int
    others: tuple[int, ...]


def shared(one: Reading, other: Reading) -> int:
    """The last position up to which two lines are the same, wherever they are read; 0 if nothing is."""
    return _shared(one.campaign, one.line, other.line)


def leaving(reading: Reading, among: Iterable[int]) -> tuple[Leaving, ...]:
    """The lines among these that leave the whole of the line that is read, in the order of where they do.

    Of several that go on together after they have left, the first made is the one, and the rest are its.
    """
    campaign = reading.campaign
    found: dict[int, tuple[int, list[int]]] = {}
    for other in sorted(among):
        at = _shared(campaign, reading.line, other)
        together = (
            one for one, (left, _) in found.items() if left == at and _shared(campaign, one, other) > at
        )
        root = next(together, None)
        if root is None:
            found[other] = at, []
        else:
            found[root][1].append(other)
    told = (Leaving(other, at, tuple(rest)) for other, (at, rest) in found.items())
    return tuple(sorted(told, key=lambda one: (one.at, one.line)))


def reason(reading: Reading, at: int) -> str | None:
    """Why somebody left at position `at` for the line that is read, if they said so."""
    file = reading.campaign.record
    if file.lineage(reading.line)[-1].after != at:
        return None  # it was the other line that left this one
    for row in file.forks():
        if row.line == reading.line:
            event = decode_event(row)[0]
            why = event.why if isinstance(event, e.Forked) else None
            return None if why is None else why.text
    return None


def known_since(reading: Reading) -> str | None:
    """When (UTC) the last of it was recorded; None where it reads all there is by now."""
    at = reading.at
    if at is None or at >= reading.head:
        return None
    return recorded_at(reading, at).at


def recorded_by(reading: Reading, after: int, moment: str | None) -> int:
    """The last position beyond `after` recorded by that time (UTC); where it ends if None."""
    if moment is None:
        return reading.position
    last = after
    for row in reading.past.rows(after):
        if decode(row).envelope.at > moment:
            break
        last = row.position
    return last


def alike(one: Reading, other: Reading, after: int) -> tuple[int, int]:
    """The last positions up to which two lines that have parted at `after` look the same to their viewers.

    All of the other that looks the same counts, also what nobody sees behind it.
    """
    mine, theirs = [after], [after]
    acts = _acts(one, after)
    for act in _acts(other, after):
        own = next(acts, [])
        mine += [event.position for event in own]
        theirs += [event.position for event in act]
        if len(own) != len(act) or not all(
            _bare(a, mine) == _bare(b, theirs) for a, b in zip(own, act, strict=True)
        ):
            return mine[-len(own) - 1], theirs[-len(act) - 1]
    return mine[-1], other.position


def _acts(reading: Reading, after: int) -> Iterator[list[Recorded]]:
    """What is seen of each act beyond a position; nothing of those about the record itself."""
    played = (one for one in reading.recorded(after) if not isinstance(one.event, FOR_THE_GAME_MASTER))
    return (list(events) for _, events in groupby(played, lambda one: one.envelope.act))


def _bare(recorded: Recorded, known: list[int]) -> tuple[object, ...]:
    """What is seen of an event; a position beyond where the lines parted as its place among `known`."""
    event = recorded.event
    payload = values_of(event) if isinstance(event, Event) else dict(event.payload)
    for key in POINTING.get(type(event), ()) if isinstance(event, Event) else ():
        if payload.get(key) is not None and payload[key] > known[0]:
            payload[key] = -bisect_right(known, payload[key])
    return type(event), payload, recorded.envelope.luck, recorded.envelope.by


def _shared(campaign: Campaign, line: int, other: int) -> int:
    """The last position up to which two whole lines are the same."""
    common = 0
    ours, theirs = campaign.record.lineage(line), campaign.record.lineage(other)
    heads = campaign.record.head(line).position, campaign.record.head(other).position
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
