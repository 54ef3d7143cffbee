"""Who may know of which line: the one place that says it, whoever asks."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from typing import Final, NamedTuple

from journal.refused import Refused
from journal.store.branches import called_among
from journal.store.campaign import CampaignStore
from journal.store.codec import Recorded, decode, decode_event
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, values_of
from projections.reading.ids import POINTING
from projections.reading.line_view import LineView
from projections.reading.timing import recorded_at
from projections.reading.viewers import EVERYBODY, FOR_THE_GAME_MASTER, Arrival, Viewer, is_among, viewer_of


class Branching(NamedTuple):
    """Another line, the last position it shares, and the lines that leave it in turn, further on."""

    line: int
    at: int
    others: tuple[int, ...]


def shared_length(one: LineView, other: LineView) -> int:
    """The last position up to which two lines are the same, wherever they are read; 0 if nothing is."""
    return _shared_in_record(one.campaign, one.line, other.line)


def branches_leaving(reading: LineView, among: Iterable[int]) -> tuple[Branching, ...]:
    """The lines among these that leave the whole of the line that is read, in the order of where they do.

    Of several that go on together after they have left, the first made is the one, and the rest are its.
    """
    campaign = reading.campaign
    found: dict[int, tuple[int, list[int]]] = {}
    for other in sorted(among):
        at = _shared_in_record(campaign, reading.line, other)
        together = (
            one
            for one, (left, _) in found.items()
            if left == at and _shared_in_record(campaign, one, other) > at
        )
        root = next(together, None)
        if root is None:
            found[other] = at, []
        else:
            found[root][1].append(other)
    told = (Branching(other, at, tuple(rest)) for other, (at, rest) in found.items())
    return tuple(sorted(told, key=lambda one: (one.at, one.line)))


def branch_reason(reading: LineView, at: int) -> str | None:
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


def known_since(reading: LineView) -> str | None:
    """When (UTC) the last of it was recorded; None where it reads all there is by now."""
    at = reading.at
    if at is None or at >= reading.head:
        return None
    return recorded_at(reading, at).at


def recorded_by(reading: LineView, after: int, moment: str | None) -> int:
    """The last position beyond `after` recorded by that time (UTC); where it ends if None."""
    if moment is None:
        return reading.position
    last = after
    for row in reading.past.rows(after):
        if decode(row).envelope.at > moment:
            break
        last = row.position
    return last


def alike_until(one: LineView, other: LineView, after: int) -> tuple[int, int]:
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


def _acts(reading: LineView, after: int) -> Iterator[list[Recorded]]:
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


def _shared_in_record(campaign: CampaignStore, line: int, other: int) -> int:
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


GM: Final = "gm"


def known_lines(reading: LineView, by: str | None = None) -> dict[int, str]:
    """Every line that the viewer of a reading may know of, by number, with its name; the oldest first.

    The game master knows of all. Everybody knows of the first line, of the mainline, of what ever was the
    mainline, and of what was shown to everybody; of what was shown to some people, these know. `by` is a time
    (UTC): what was promoted or shown later is not known yet.
    """
    names = reading.campaign.lines()
    if reading.viewer.gm:
        return names
    found: dict[int, str] = {}
    played = reading.campaign.branches.played(by)
    for line, name in names.items():
        if _is_known(reading, line, by, played):
            # A line whose name is gone is called by its number, and theirs counts only what they know.
            found[line] = f"line-{len(found) + 1}" if name == f"line-{line}" else name
    return found


def may_know(reading: LineView) -> bool:
    """Whether the viewer of a reading may know of the line that is read."""
    return reading.viewer.gm or _is_known(reading, reading.line)


def line_name(reading: LineView) -> str:
    """What the line that is read is called by its viewer."""
    names = reading.campaign.lines()
    name = names[reading.line]
    if reading.viewer.gm or name != f"line-{reading.line}":
        return name
    return known_lines(reading).get(reading.line, name)


def line_played(campaign: CampaignStore, here: int, whose: str | Arrival) -> int:
    """The line that somebody is shown where `here` is played: the mainline, if they may not know of that."""
    main = campaign.mainline()
    if whose == GM or here == main or campaign.branches.shown_to(here) is None:
        return here
    try:
        # Who leads the game on that line alone is not told its secrets: the mainline says who does.
        leads = LineView(campaign, main).called(whose).viewer.gm
    except Refused:  # nobody is called so there
        leads = False
    return here if leads or _is_for(campaign, here, whose) else main


def line_meant(campaign: CampaignStore, here: int, name: str, whose: str | Arrival) -> int:
    """The line of that name, asked where `here` is played; Refused where this viewer may know of none."""
    if whose == GM:
        return campaign.line_called(name)
    known = known_by(campaign, line_played(campaign, here, whose), whose)
    with suppress(Refused):
        return called_among(known, name)
    with suppress(Refused):
        line = campaign.line_called(name)
        if _is_for(campaign, line, whose):  # who came in on that line alone
            return line
    return called_among(known, name)


def known_by(campaign: CampaignStore, here: int, whose: str | Arrival) -> Mapping[int, str]:
    """The lines that somebody may know of, seen from `here`; the table's where nobody there is called so."""
    reading = LineView(campaign, here)
    try:
        return known_lines(reading.called(whose))
    except Refused:
        return known_lines(reading.through(EVERYBODY))


def _is_for(campaign: CampaignStore, line: int, whose: str | Arrival) -> bool:
    """Whether somebody may know of a line by who they are there, and do not lead the game."""
    try:
        reading = LineView(campaign, line).called(whose)
    except Refused:
        return False
    return not reading.viewer.gm and may_know(reading)


def _is_known(
    reading: LineView, line: int, by: str | None = None, played: Container[int] | None = None
) -> bool:
    """Whether a viewer who is not the game master may know of a line; `by` and `played` as in `shown_to`."""
    to = reading.campaign.branches.shown_to(line, by, played)
    if to is None or not to:
        return to is None
    if line == reading.line:
        return is_among(tuple(to), reading.viewer)
    other = reading.on(line)
    return is_among(tuple(to), viewer_on(other, shared_length(reading, other), reading.viewer))


def viewer_on(other: LineView, at: int, viewer: Viewer) -> Viewer:
    """The same viewer on another line, left at a position, where who joined later goes by the same number."""
    if viewer.gm or viewer.person is None:
        return viewer
    if viewer.person not in other.then(at).table.people:
        return EVERYBODY
    there = viewer_of(other.table, viewer.person)
    return viewer if there.gm else there  # who leads the game there alone is not told its secrets here
