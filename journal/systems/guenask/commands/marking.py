"""Where the points of one blow go: into which boxes, how many find none, and which rows they fill."""

from __future__ import annotations

from journal.system import Situation
from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.options import chosen
from journal.systems.guenask.rules import STAGES, Fallout, Stat
from journal.systems.guenask.state import Owed, play, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def priced(fallout: Fallout) -> g.Cost:
    """What a blow costs, as the record has it."""
    amount, dangerous = fallout.amount, fallout.dangerous or None
    return g.Cost(amount=amount, body=fallout.body, hard=fallout.hard, dangerous=dangerous)


def bears_fallout(situation: Situation, who: int) -> bool:
    """False for who is here with loose dice alone: with no sheet there is nobody to mark."""
    return not play(situation.here).people[who].loose or shelf(situation.table).is_npc(who)


def open_tracks(situation: Situation, who: int) -> tuple[g.TrackName, ...]:
    """The tracks that can take what somebody owes: with room, and without a part of this blow yet."""
    own, owed = shelf(situation.table), play(situation.here).owed.get(who)
    taken = (*own.full_tracks(who), *(owed.marked if owed else ()))
    return tuple(track for track in own.tracks(who) if track not in taken)


def marked(situation: Situation, who: int, owed: Owed, track: g.TrackName, text: c.Text) -> list[Event]:
    """What somebody owes goes into one track, and whatever row that fills is full."""
    own = shelf(situation.table)
    room, before, full = own.room(who) or 0, own.marks(who, track), own.rows_full(who, track)
    points = 1 if own.is_npc(who) and own.npc_stage == "blow" else owed.left
    found = rules.marked(points, before, room)
    others = [one for one in open_tracks(situation, who) if one != track]
    other = bool(others) and chosen(situation.table, "overflow") == "other_track"
    taken = g.FalloutTaken(
        conflict=situation.here.id,
        who=who,
        track=track,
        cost=priced(owed.cost),
        points=found.points,
        lost=None if other else found.over or None,
        left=found.over or None if other else None,
        total=before + found.points,
        boxes=room,
        text=text,
    )
    size = own.row_size(who) or 1
    now = min(own.rows_of(who), taken.total // size)
    return [taken, *(_filled(situation, who, track, one) for one in range(full + 1, now + 1))]


def _filled(situation: Situation, who: int, track: g.TrackName, row: int) -> g.RowFilled:
    stat = None if track == STAGES else chosen.kind(situation.table, f"{track}_stat", Stat)
    return g.RowFilled(conflict=situation.here.id, who=who, track=track, row=row, stat=stat)


def nowhere_left(situation: Situation) -> list[Event]:
    """A blow that no track of somebody's can take any more costs nothing more, and is lost."""
    own = shelf(situation.table)
    return [
        event
        for who, owed in play(situation.here).owed.items()
        if own.row_size(who) is not None and not open_tracks(situation, who)
        for event in marked(situation, who, owed, own.tracks(who)[0], None)
    ]
