"""Branches of the record (in code: lines): which viewer may know which branch, and where two part."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import groupby
from typing import Final, NamedTuple

from retold.journal.refused import Refused, none_if_refused
from retold.journal.store.events.codec import Recorded, decode, decode_event
from retold.journal.store.writing.branches import called_among
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, values_of
from retold.projections.reading.ids import POINTING
from retold.projections.reading.line_view import LineView
from retold.projections.reading.timing import recorded_at
from retold.projections.reading.viewers import (
    EVERYBODY,
    FOR_THE_GAME_MASTER,
    Arrival,
    Viewer,
    is_among,
    viewer_of,
)


class Branching(NamedTuple):
    """A fork: the forked branch, the last position it shares with the other branch, and later forks from it.

    `others` are branches that fork from `line` past `at`.
    """

    line: int
    at: int
    others: tuple[int, ...]


def shared_length(line: LineView, other: LineView) -> int:
    """Returns the last position up to which two branches share their events; 0 if they share none.

    Whole branches are compared, also past the ends of both views.
    """
    return _shared_in_record(line.campaign, line.line, other.line)


def branches_leaving(reading: LineView, among: Iterable[int]) -> tuple[Branching, ...]:
    """Returns forks of branches in `among` from the branch of `reading`, ordered by position.

    Branches that share events after their fork form one group: the oldest represents it, the rest are
    `others`.
    """
    campaign = reading.campaign
    found: dict[int, tuple[int, list[int]]] = {}
    for other in sorted(among):
        at = _shared_in_record(campaign, reading.line, other)
        together = (
            line
            for line, (left, _) in found.items()
            if left == at and _shared_in_record(campaign, line, other) > at
        )
        root = next(together, None)
        if root is None:
            found[other] = at, []
        else:
            found[root][1].append(other)
    branchings = (Branching(other, at, tuple(rest)) for other, (at, rest) in found.items())
    return tuple(sorted(branchings, key=lambda branching: (branching.at, branching.line)))


def branch_reason(reading: LineView, at: int) -> str | None:
    """Returns the reason given when the view's branch was forked at position `at`; None if none was given."""
    file = reading.campaign.record
    if file.lineage(reading.line)[-1].after != at:
        return None  # the other line is the fork
    for row in file.forks():
        if row.line == reading.line:
            event = decode_event(row)[0]
            why = event.why if isinstance(event, e.Forked) else None
            return None if why is None else why.text
    return None


def known_since(reading: LineView) -> str | None:
    """Returns the recording time (UTC) of the view's last event; None if no later event is on the branch."""
    at = reading.at
    return None if at is None or at >= reading.head else recorded_at(reading, at).at


def recorded_by(reading: LineView, after: int, moment: str | None) -> int:
    """Returns the position of the last event past `after` recorded by the time `moment` (UTC).

    Returns `after` if there is no such event, and the view's end if `moment` is None.
    """
    if moment is None:
        return reading.position
    last = after
    for row in reading.past.rows(after):
        if decode(row).envelope.at > moment:
            break
        last = row.position
    return last


def alike_until(line: LineView, other: LineView, after: int) -> tuple[int, int]:
    """Returns two positions, one per branch, up to which branches forked at `after` look alike.

    Each branch is compared as its own viewer sees it; hidden events after the last matching act count as
    matching.
    """
    mine, theirs = [after], [after]
    acts = _acts(line, after)
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
    """Yields visible events past `after` in one list per act (one command's events).

    Events about the record itself (undos, forks) are left out.
    """
    played = (
        recorded
        for recorded in reading.recorded(after)
        if not isinstance(recorded.event, FOR_THE_GAME_MASTER)
    )
    return (list(events) for _, events in groupby(played, lambda recorded: recorded.envelope.act))


def _bare(recorded: Recorded, known: list[int]) -> tuple[object, ...]:
    """Returns an event's content for comparison: type, payload, source of luck, author.

    Positions past the fork are replaced by their negative index in `known`, so that two branches compare
    equal.
    """
    event = recorded.event
    payload = values_of(event) if isinstance(event, Event) else dict(event.payload)
    for key in POINTING.get(type(event), ()) if isinstance(event, Event) else ():
        if payload.get(key) is not None and payload[key] > known[0]:
            payload[key] = -bisect_right(known, payload[key])
    return type(event), payload, recorded.envelope.luck, recorded.envelope.by


def _shared_in_record(campaign: CampaignStore, line: int, other: int) -> int:
    """Returns the last position up to which two whole branches share stored events (0: none)."""
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
    """Returns numbers and names of the branches known to the viewer of `reading`, oldest first.

    The game master knows every branch. Every viewer knows the first branch, the mainline, former mainlines,
    and branches shown to the table; branches shown to some people are known to these. `by` is a time (UTC):
    later promotions and showings are ignored.
    """
    names = reading.campaign.lines()
    if reading.viewer.gm:
        return names
    found: dict[int, str] = {}
    played = reading.campaign.branches.played(by)
    for line, name in names.items():
        if _is_known(reading, line, by, played):
            # A line without a name has a number as name; a player's numbers count only lines they know.
            found[line] = f"line-{len(found) + 1}" if name == f"line-{line}" else name
    return found


def may_know(reading: LineView) -> bool:
    """True if the viewer of `reading` may know that its branch exists."""
    return reading.viewer.gm or _is_known(reading, reading.line)


def line_name(reading: LineView) -> str:
    """Returns the name of the view's branch.

    For players, an unnamed branch is numbered among branches they know.
    """
    names = reading.campaign.lines()
    name = names[reading.line]
    if reading.viewer.gm or name != f"line-{reading.line}":
        return name
    return known_lines(reading).get(reading.line, name)


def line_played(campaign: CampaignStore, here: int, whose: str | Arrival) -> int:
    """Returns the number of the branch that `whose` sees while branch `here` is played.

    That is `here` itself, or the mainline if `here` is hidden from them.
    """
    if whose == GM:
        return here
    main = campaign.mainline()
    if here == main or campaign.branches.shown_to(here) is None:
        return here
    # A game master of that line alone must not learn its secrets here: the mainline decides.
    leads = none_if_refused(lambda: LineView(campaign, main).called(whose).viewer.gm)
    return here if leads or _is_for(campaign, here, whose) else main


def line_meant(campaign: CampaignStore, here: int, name: str, whose: str | Arrival) -> int:
    """Returns the number of the branch called `name`, while branch `here` is played.

    Refused for an unknown name, and for a branch that `whose` may not know.
    """
    if whose == GM:
        return campaign.line_called(name)
    known = known_by(campaign, line_played(campaign, here, whose), whose)
    with suppress(Refused):
        return called_among(known, name)
    with suppress(Refused):
        line = campaign.line_called(name)
        if _is_for(campaign, line, whose):  # a person introduced only on that line
            return line
    return called_among(known, name)


def known_by(campaign: CampaignStore, here: int, whose: str | Arrival) -> Mapping[int, str]:
    """Returns numbers and names of branches known to `whose`, seen from branch `here`.

    If no person there is called `whose`, the branches known to the whole table.
    """
    reading = LineView(campaign, here)
    return known_lines(none_if_refused(lambda: reading.called(whose)) or reading.through(EVERYBODY))


def _is_for(campaign: CampaignStore, line: int, whose: str | Arrival) -> bool:
    """True if `whose` is a player (not the game master) on that branch and may know that it exists."""
    reading = none_if_refused(lambda: LineView(campaign, line).called(whose))
    return reading is not None and not reading.viewer.gm and may_know(reading)


def _is_known(
    reading: LineView, line: int, by: str | None = None, played: Container[int] | None = None
) -> bool:
    """True if a player may know that branch `line` exists; `by` and `played` are passed on to `shown_to`."""
    to = reading.campaign.branches.shown_to(line, by, played)
    if to is None or not to:
        return to is None
    if line == reading.line:
        return is_among(tuple(to), reading.viewer)
    other = reading.on(line)
    return is_among(tuple(to), viewer_on(other, shared_length(reading, other), reading.viewer))


def viewer_on(other: LineView, at: int, viewer: Viewer) -> Viewer:
    """Returns the viewer of the same person on branch `other`; for a later newcomer, the whole table.

    A newcomer joined after the fork at `at`, so that their number may mean another person on `other`.
    """
    if viewer.gm or viewer.person is None:
        return viewer
    if viewer.person not in other.then(at).table.people:
        return EVERYBODY
    there = viewer_of(other.table, viewer.person)
    return viewer if there.gm else there  # no secrets for a game master of that line alone
