"""Event handlers of Guenašk: the change that each event makes to the table state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from retold.game import Event, Handler, Table, no_change
from retold.game import events as e
from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.options import ASK, NAME, chosen
from retold.games.guenask.state.conflict import (
    Fresh,
    GuenaskConflict,
    Owed,
    Participant,
    Raise,
    conflict_state_in,
    mutable_game_state,
)
from retold.games.guenask.state.game_state import Burden, Sheet


def open_conflicts(table: Table) -> Iterator[GuenaskConflict]:
    """Yields the Guenašk state of every conflict of that game that is open at the table."""
    return (
        conflict.state for conflict in table.conflicts.values() if isinstance(conflict.state, GuenaskConflict)
    )


def review_full_tracks(
    table: Table, who: int, fills: Collection[GuenaskConflict] = (), before: Collection[g.TrackName] = ()
) -> None:
    """Updates open conflicts after a change to a person's tracks: NPCs who must give up, deaths to decide.

    An NPC with a full track must give up. For a character with two full tracks, the conflicts in `fills`
    record a death to decide, unless the same tracks were full `before`; a character with fewer full tracks
    loses every such record.
    """
    game = mutable_game_state(table)
    full = game.full_tracks(who)
    doomed = not game.is_npc(who) and len(full) >= rules.FULL_TRACKS_OF_DEATH
    for state in open_conflicts(table):
        if who not in state.people:
            continue
        (state.cornered.add if game.is_npc(who) and full else state.cornered.discard)(who)
        if not doomed:
            state.fates.pop(who, None)
        elif len(full) > len(before) and any(state is filled for filled in fills):
            state.fates.setdefault(who, None)


def _fallout_taken(table: Table, event: g.FalloutTaken) -> None:
    state, game = conflict_state_in(table, event.conflict), mutable_game_state(table)
    before = game.full_tracks(event.who)
    game.burdens.setdefault(event.who, Burden()).points[event.track] = event.total
    owed = state.owed.pop(event.who, None)
    marked = {**(owed.marked if owed else {}), event.track: event.points}
    stands = owed is not None and owed.stands
    if owed and event.left:
        state.owed[event.who] = Owed(owed.cost, event.left, marked, stands)
    elif not state.people[event.who].out and not stands:
        state.fresh[event.who] = Fresh(event.cost.amount, marked)
    review_full_tracks(table, event.who, (state,), before)


def _fallout_resisted(table: Table, event: g.FalloutResisted) -> None:
    state, game = conflict_state_in(table, event.conflict), mutable_game_state(table)
    state.people[event.who].spend((event.die,))
    state.owed.pop(event.who, None)
    state.fresh.pop(event.who, None)
    first = () if event.track is None else (g.Unmarked(track=event.track, points=event.points or 0),)
    for unmarked in (*first, *(event.also or ())):
        before = game.burden(event.who).points.get(unmarked.track, 0)
        game.mark(event.who, unmarked.track, max(0, before - unmarked.points))
    review_full_tracks(table, event.who)


def _condition_named(table: Table, event: g.ConditionNamed) -> None:
    game = mutable_game_state(table)
    burden = game.burdens.setdefault(event.who, Burden())
    burden.conditions.setdefault(event.track, {})[event.row] = event.text
    for state in open_conflicts(table):
        fresh, owed = state.fresh.get(event.who), state.owed.get(event.who)
        if fresh and game.filled_by(event.who, event.track, fresh.marked, event.row):
            del state.fresh[event.who]
        if owed and game.filled_by(event.who, event.track, owed.marked, event.row):
            owed.stands = True


def _fate_decided(table: Table, event: g.FateDecided) -> None:
    conflict_state_in(table, event.conflict).fates[event.who] = event.dies


def _character_died(table: Table, event: g.CharacterDied) -> None:
    mutable_game_state(table).dead.add(event.who)
    for state in open_conflicts(table):
        state.fates.pop(event.who, None)


def _fallout_cleared(table: Table, event: g.FalloutCleared) -> None:
    mutable_game_state(table).mark(event.who, event.track, event.total)
    review_full_tracks(table, event.who)


def _number_set(table: Table, event: g.NumberSet) -> None:
    game = mutable_game_state(table)
    if event.what == "dead":
        (game.dead.add if event.value else game.dead.discard)(event.who)
    elif event.what == "follow-up":
        game.follow_ups.pop(event.who, None)
        if event.value:
            game.follow_ups[event.who] = event.value
    else:
        before = game.full_tracks(event.who)
        game.mark(event.who, event.what, event.value)
        for state in open_conflicts(table):
            state.cap_blow(event.who, event.what, event.value)
        review_full_tracks(table, event.who, tuple(open_conflicts(table)), before)


FALLOUT_HANDLERS: Mapping[type[Event], Handler] = {
    g.FalloutTaken: _fallout_taken,
    g.FalloutResisted: _fallout_resisted,
    g.ConditionNamed: _condition_named,
    g.FateDecided: _fate_decided,
    g.CharacterDied: _character_died,
    g.FalloutCleared: _fallout_cleared,
    g.NumberSet: _number_set,
}


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = mutable_game_state(table).sheets.setdefault(event.person, Sheet())
    for key, value in event.values.items():
        sheet.change(key, value)
    if "stages" in event.values:
        review_full_tracks(table, event.person)


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system != NAME:
        return
    if event.key == "boxes_per_row":
        mutable_game_state(table).boxes = None if event.value == ASK else int(event.value)
    elif event.key == "npc_stage":
        mutable_game_state(table).npc_stage = event.value
    elif event.key == "danger_scope":
        for state in open_conflicts(table):
            state.danger_scope = event.value
    for who in {who for state in open_conflicts(table) for who in state.people}:
        review_full_tracks(table, who)


SHEET_HANDLERS: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.OptionSet: _option_set,
}


def _opened(table: Table, event: e.ConflictOpened) -> None:
    game = mutable_game_state(table)
    people = [person for side in event.sides for person in side]
    table.conflicts[event.conflict].state = GuenaskConflict(
        event.conflict,
        event.sides,
        {person: Participant() for person in people},
        staked=event.text is not None,
        danger_scope=chosen(table, "danger_scope"),
        cornered={person for person in people if game.is_npc(person) and game.full_tracks(person)},
    )


def _joined(table: Table, event: e.Joined) -> None:
    state, here = conflict_state_in(table, event.conflict), table.conflicts[event.conflict]
    state.sides = here.sides
    state.people = {
        who: state.people.get(who) or Participant() for who in dict.fromkeys((*here.people, *state.people))
    }


def _left(table: Table, event: e.Left) -> None:
    """Marks people who left as out of the conflict; their dangerous objects no longer count."""
    state = conflict_state_in(table, event.conflict)
    state.sides = table.conflicts[event.conflict].sides
    for who in event.people:
        state.leaves(who)
        state.people[who].dangerous = 0
        state.fresh.pop(who, None)


def _stakes_set(table: Table, event: g.StakesSet) -> None:
    conflict_state_in(table, event.conflict).staked = True


def _initiator_named(table: Table, event: g.InitiatorNamed) -> None:
    conflict_state_in(table, event.conflict).first = event.who


def _approach_chosen(table: Table, event: g.ApproachChosen) -> None:
    participant = conflict_state_in(table, event.conflict).people[event.who]
    participant.set_approach(event.approach)
    participant.loose = participant.loose or not event.stats
    if event.follow_up is not None:
        participant.pool = sorted((*participant.pool, event.follow_up))
        mutable_game_state(table).follow_ups.pop(event.who, None)


def _escalated(table: Table, event: g.Escalated) -> None:
    conflict_state_in(table, event.conflict).people[event.who].set_approach(event.approach)


def _brought_in(table: Table, event: g.BroughtIn) -> None:
    participant = conflict_state_in(table, event.conflict).people[event.who]
    participant.things.add((event.source, event.what))
    participant.dangerous += event.dangerous


def _dice_rolled(table: Table, event: e.DiceRolled) -> None:
    if event.who is not None:
        participant = conflict_state_in(table, event.conflict).people[event.who]
        participant.loose = participant.loose or participant.approach is None
        participant.pool = sorted((*participant.pool, *event.faces))


def _ruled(table: Table, event: e.RulingMade) -> None:
    """Sets the initiator (first raiser) from the answer to the question `first`; ignores other rulings."""
    if event.question == "first" and isinstance(event.answer, int):
        conflict_state_in(table, event.conflict).first = event.answer


def _turn_order_set(table: Table, event: g.TurnOrderSet) -> None:
    state = conflict_state_in(table, event.conflict)
    state.order, state.free = event.order, event.free
    state.opening = dict(zip(event.order, event.best, strict=False))


def _raised(table: Table, event: g.Raised) -> None:
    state = conflict_state_in(table, event.conflict)
    raiser = state.people[event.who]
    raiser.spend(event.dice)
    raiser.kept = []
    state.raised = Raise(event.who, event.total, list(event.to), event.dice)
    state.last = event.who
    state.fresh = {}


def _seen(table: Table, event: g.Seen) -> None:
    state = conflict_state_in(table, event.conflict)
    participant = state.people[event.who]
    if event.how is rules.Answer.REVERSE:
        participant.kept = sorted((*participant.kept, *event.dice))
    else:
        participant.spend(event.dice)
    state.answered(event.who)
    state.owes(event.who, event.cost)


def _stakes_lost(table: Table, event: g.StakesLost) -> None:
    state = conflict_state_in(table, event.conflict)
    state.leaves(event.who)
    state.owes(event.who, event.cost)


def _gave(table: Table, event: g.Gave) -> None:
    state = conflict_state_in(table, event.conflict)
    state.leaves(event.who)
    state.fresh.pop(event.who, None)
    if event.die is not None:
        mutable_game_state(table).follow_ups[event.who] = event.die


def _stakes_won(table: Table, event: g.StakesWon) -> None:
    conflict_state_in(table, event.conflict).won = event.winner
    mutable_game_state(table).won = event.winner


def _pool_set(table: Table, event: g.PoolSet) -> None:
    participant = conflict_state_in(table, event.conflict).people[event.who]
    participant.pool = sorted(event.dice)
    participant.kept = sorted((Counter(participant.kept) & Counter(participant.pool)).elements())


CONFLICT_HANDLERS: Mapping[type[Event], Handler] = {
    e.ConflictOpened: _opened,
    e.DiceRolled: _dice_rolled,
    e.RulingMade: _ruled,
    e.Joined: _joined,
    e.Left: _left,
    g.StakesSet: _stakes_set,
    g.InitiatorNamed: _initiator_named,
    g.ApproachChosen: _approach_chosen,
    g.Escalated: _escalated,
    g.BroughtIn: _brought_in,
    g.TurnOrderSet: _turn_order_set,
    g.Raised: _raised,
    g.Seen: _seen,
    g.StakesLost: _stakes_lost,
    g.Gave: _gave,
    g.StakesWon: _stakes_won,
    g.PoolSet: _pool_set,
}


EVOLVE: Mapping[type[Event], Handler] = {
    **SHEET_HANDLERS,
    **CONFLICT_HANDLERS,
    **FALLOUT_HANDLERS,
    g.RowFilled: no_change,
}
"""Event handlers of this system; a test proves the table complete."""
