"""Fallout (the harm of a blow): its cost, the track to mark, resisting, conditions, and clearing."""

from __future__ import annotations

from collections.abc import Iterator

from retold.game import Event, Refused, Situation, find, possessive
from retold.game import commands as c
from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.commands.follow_ups import (
    bears_fallout,
    mark_fallout,
    recorded_cost,
    with_follow_ups,
)
from retold.games.guenask.commands.turns import check_pool, check_words
from retold.games.guenask.commands.verbs import NameCondition, Resist, TakeFallout
from retold.games.guenask.options import NAME
from retold.games.guenask.rules import STAGES
from retold.games.guenask.state import Fresh, Owed, conflict_state, game_state


def blow_cost(situation: Situation, who: int) -> g.Cost | None:
    """Returns the fallout that a blow costs the person now; None for loose dice, which have no sheet to mark.

    Raises Refused while the size of a fallout row is not set.
    """
    if not bears_fallout(situation, who):
        return None
    _check_boxes_known(situation, who)
    return recorded_cost(conflict_state(situation.here).cost(who))


def _check_boxes_known(situation: Situation, who: int) -> None:
    if game_state(situation.table).row_size(who) is None:
        raise Refused(
            "How many boxes has a row of fallout at this table? Rule on it first: ruling boxes=3: why."
        )


def track_meant(situation: Situation, who: int, typed: str | None) -> g.TrackName:
    """Returns the person's track that `typed` names or abbreviates; for None, the only track of an NPC.

    Raises Refused if the track is full, has taken its part of this blow, or must be named and is not.
    """
    game = game_state(situation.table)
    tracks, full, name = game.tracks(who), game.full_tracks(who), situation.name(who)
    owed = conflict_state(situation.here).owed.get(who)
    open_ones = game.open_tracks(who, owed.marked if owed else ())
    if typed is None:
        if len(tracks) > 1:
            known = "|".join(open_ones or tracks)
            raise Refused(f"Say which track, and why: fallout {situation.quoted(who)} TRACK: why ({known}).")
        return tracks[0]
    if game.is_npc(who) and typed.casefold() != STAGES:
        raise Refused(f"{name} has one track, for whatever befalls them: leave out {typed}.")
    track = find(typed, {track: (track,) for track in tracks})
    if track in full and open_ones:
        left = ", ".join(open_ones)
        raise Refused(f"{possessive(name)} {track} track is full: take the blow in another way ({left}).")
    if track not in open_ones and open_ones:
        raise Refused(f"{track} has had its part of this blow: the rest goes into another track.")
    return track


# --- taking it --------------------------------------------------------------------------------------------


def taken_at_once(situation: Situation, who: int, track: g.TrackName | None) -> list[Event]:
    """Returns the events that mark a new blow's fallout at once, on `track` or an NPC's only track.

    Empty if the person must first choose a track, or an NPC who lost could still resist the blow.
    """
    state, game = conflict_state(situation.here), game_state(situation.table)
    owed = state.owed[who]
    if track is None and game.is_npc(who):
        lost = state.people[who].out
        track = None if lost and state.can_resist(who, owed.cost.amount) else "stages"
    return [] if track is None else mark_fallout(situation, who, owed, track, None)


def take_fallout(situation: Situation, command: TakeFallout, *, explained: bool = False) -> list[Event]:
    """Returns the events of `fallout`: a blow's fallout (harm) is marked on the chosen track.

    Raises Refused if the person has no fallout to mark. Option `words` may require a text, unless a ruling
    has `explained` the choice.
    """
    state, who = conflict_state(situation.here), command.who
    owed = state.owed.get(who)
    if owed is None:
        raise Refused(_nothing_owed_sentence(situation, who))
    _check_boxes_known(situation, who)
    track = track_meant(situation, who, command.track)
    taken, *rows = mark_fallout(situation, who, owed, track, command.text)
    if command.text is None and not explained and track != STAGES:
        check_words(situation, None, f"fallout {situation.quoted(who)} {track}")
        taken = taken.but({"bare": True})
    return with_follow_ups(situation, [taken, *rows])


def _nothing_owed_sentence(situation: Situation, who: int) -> str:
    state, name = conflict_state(situation.here), situation.name(who)
    fresh = state.fresh.get(who)
    if fresh is not None:
        where = " and the ".join(fresh.marked)
        return f"{name} has taken that blow on the {where} track, and a blow is not split over tracks."
    return f"{name} has no fallout to take: it comes with a blow, a see of three dice or more."


# --- resisting it -----------------------------------------------------------------------------------------


def resist(situation: Situation, command: Resist) -> list[Event]:
    """Returns the events of `resist`: one die higher than a blow's fallout (harm) cancels it and its marks.

    Raises Refused for a lower die, and once a row filled by the blow has its condition.
    """
    state = conflict_state(situation.here)
    who = _resister(situation, command.who)
    owed, fresh = state.owed.get(who), state.fresh.get(who)
    if owed is not None and owed.stands:
        raise Refused(
            f"The condition from that blow on {situation.name(who)} has been named, so its fallout stays."
        )
    amount = owed.cost.amount if owed is not None else fresh.amount if fresh is not None else 0
    if command.die is None:
        raise Refused("Fallout is resisted with one more die, higher than the fallout: resist 5.")
    check_pool(situation, who, (command.die,), free=True)
    least = rules.least_to_resist(amount)
    if command.die < least:
        raise Refused(f"Resisting {amount} fallout takes one die of {least} or more, not a {command.die}.")
    unmarked = [*_unmarked(situation, who, owed or fresh)]
    first = unmarked[0] if unmarked else None
    resisted = g.FalloutResisted(
        conflict=situation.here.id,
        who=who,
        die=command.die,
        amount=amount,
        track=first.track if first else None,
        points=first.points if first else None,
        also=tuple(unmarked[1:]) or None,
        text=command.text,
    )
    return with_follow_ups(situation, [resisted])


def _unmarked(situation: Situation, who: int, blow: Owed | Fresh | None) -> Iterator[g.Unmarked]:
    """Yields, for each track, the points of the blow still marked on it, which resisting removes."""
    game = game_state(situation.table)
    for track, points in blow.marked.items() if blow else ():
        yield g.Unmarked(track=track, points=min(points, game.marks(who, track)))


def _resister(situation: Situation, named: int | None) -> int:
    state = conflict_state(situation.here)
    hurt: dict[int, Owed | Fresh] = {**state.fresh, **state.owed}
    if named is None and len(hurt) == 1:
        return next(iter(hurt))
    if named is None or named not in hurt:
        whose = situation.names(hurt)
        raise Refused(
            f"Say who resists: {whose}."
            if whose and named is None
            else "There is no fallout to resist: it is done right after a blow, before the next raise."
        )
    return named


# --- what it means, and getting rid of it -----------------------------------------------------------------


def name_condition(situation: Situation, command: NameCondition) -> list[Event]:
    """Returns the event of `condition`: the text becomes the condition of the person's first full row.

    Rows that have a condition are passed over. Raises Refused if no row needs one, or rows of several tracks
    do and the command names no track.
    """
    game, who = game_state(situation.table), command.who
    unnamed = [*game.unnamed(who)]
    if command.track is not None:
        track = find(command.track, {track: (track,) for track in game.tracks(who)})
        unnamed = [row for row in unnamed if row[0] == track]
    if not unnamed:
        raise Refused(f"No row of {possessive(situation.name(who))} is full and without a condition.")
    if len({track for track, _ in unnamed}) > 1:
        tracks = " or ".join(dict.fromkeys(track for track, _ in unnamed))
        raise Refused(f"Say on which track ({tracks}): condition {situation.quoted(who)} TRACK: …")
    track, row = unnamed[0]
    here = situation.where_in(NAME)
    return [
        g.ConditionNamed(
            conflict=here if here is not None and who in situation.here.people else None,
            who=who,
            track=track,
            row=row,
            text=command.text,
        )
    ]


def _is_in_conflict(situation: Situation, who: int) -> bool:
    """True if the person is in an open Guenašk conflict, or has left one whose end may kill them."""
    ours = [conflict for conflict in situation.table.conflicts.values() if conflict.system == NAME]
    return any(who in conflict.people or who in conflict_state(conflict).fates for conflict in ours)


def clear(situation: Situation, command: c.Clear) -> list[Event]:
    """Returns the event of `clear`: fallout (harm) is removed from a track.

    Raises Refused during a conflict, and without a text that says why.
    """
    game, who = game_state(situation.table), command.who
    name = situation.name(who)
    track = find(command.track, {track: (track,) for track in game.tracks(who)})
    points = game.marks(who, track)
    if not points:
        raise Refused(f"{name} has nothing on the {track} track.")
    if _is_in_conflict(situation, who):
        much = points if command.n is None else min(points, max(1, command.n))
        raise Refused(
            f"{name} is in a conflict, and fallout is cleared outside of one;"
            f" a ruling sets it here: ruling {situation.quoted(who)}.{track}-={much}: why."
        )
    if command.text is None:
        raise Refused(f"Say how {name} got rid of it: clear {situation.quoted(who)} {track} {points}: why.")
    cleared = points if command.n is None else command.n
    if not 1 <= cleared <= points:
        raise Refused(f"{name} has {points} on the {track} track: clear 1 to {points} of them.")
    return [g.FalloutCleared(who=who, track=track, points=cleared, total=points - cleared, text=command.text)]
