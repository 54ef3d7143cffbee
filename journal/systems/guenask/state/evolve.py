"""What each event changes for Guenašk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.options import ASK, NAME, chosen
from journal.systems.guenask.rules import Fallout
from journal.systems.guenask.state.found import own, play
from journal.systems.guenask.state.play import Fresh, Owed, Participant, Play, Raise
from journal.systems.guenask.state.sheets import Sheet
from journal.systems.guenask.state.shelf import Burden, Shelf
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

# --- sheets and options -----------------------------------------------------------------------------------


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    sheet = own(table).sheets.setdefault(event.person, Sheet())
    for key, value in event.values.items():
        sheet.change(key, value)
    if "stages" in event.values:
        _reviewed(table, event.person)


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system != NAME:
        return
    if event.key == "boxes_per_row":
        own(table).boxes = None if event.value == ASK else int(event.value)
    elif event.key == "npc_stage":
        own(table).npc_stage = event.value
    elif event.key == "danger_scope":
        for state in _open(table):
            state.danger_scope = event.value
    for who in {who for state in _open(table) for who in state.people}:
        _reviewed(table, who)


def _open(table: Table) -> Iterator[Play]:
    """The conflicts of this game that are open."""
    return (one.state for one in table.conflicts.values() if isinstance(one.state, Play))


# --- a conflict -------------------------------------------------------------------------------------------


def _opened(table: Table, event: e.ConflictOpened) -> None:
    shelf = own(table)
    people = [person for side in event.sides for person in side]
    table.conflicts[event.conflict].state = Play(
        event.conflict,
        event.sides,
        {person: Participant() for person in people},
        staked=event.text is not None,
        danger_scope=chosen(table, "danger_scope"),
        cornered={person for person in people if shelf.is_npc(person) and shelf.full_tracks(person)},
    )


def _play(table: Table, event: Event) -> Play:
    return play(table.conflicts[getattr(event, "conflict", 0)])


def _joined(table: Table, event: e.Joined) -> None:
    state, here = _play(table, event), table.conflicts[event.conflict]
    state.sides = here.sides
    state.people = {
        who: state.people.get(who) or Participant() for who in dict.fromkeys((*here.people, *state.people))
    }


def _left(table: Table, event: e.Left) -> None:
    """Whoever leaves is out, and what they brought is no danger here any more."""
    state = _play(table, event)
    state.sides = table.conflicts[event.conflict].sides
    for who in event.people:
        _leaves(state, who)
        state.people[who].dangerous = 0
        state.fresh.pop(who, None)


def _stakes_set(table: Table, event: g.StakesSet) -> None:
    _play(table, event).staked = True


def _initiator_named(table: Table, event: g.InitiatorNamed) -> None:
    _play(table, event).first = event.who


def _approach_chosen(table: Table, event: g.ApproachChosen) -> None:
    one = _play(table, event).people[event.who]
    one.approach = event.approach
    one.loose = one.loose or not event.stats
    one.stats.update(event.approach.stats)
    if event.follow_up is not None:
        one.pool = sorted((*one.pool, event.follow_up))
        own(table).follow_ups.pop(event.who, None)


def _escalated(table: Table, event: g.Escalated) -> None:
    one = _play(table, event).people[event.who]
    one.approach = event.approach
    one.stats.update(event.approach.stats)


def _brought_in(table: Table, event: g.BroughtIn) -> None:
    one = _play(table, event).people[event.who]
    one.things.add((event.source, event.what))
    one.dangerous += event.dangerous


def _dice_rolled(table: Table, event: e.DiceRolled) -> None:
    if event.who is not None:
        one = _play(table, event).people[event.who]
        one.loose = one.loose or one.approach is None
        one.pool = sorted((*one.pool, *event.faces))


def _ruled(table: Table, event: e.RulingMade) -> None:
    """Once the table has said who begins, it is no longer the dice that say it."""
    if event.question == "first" and isinstance(event.answer, int):
        _play(table, event).first = event.answer


def _turn_order_set(table: Table, event: g.TurnOrderSet) -> None:
    state = _play(table, event)
    state.order, state.free = event.order, event.free
    state.opening = dict(zip(event.order, event.best, strict=False))


def _raised(table: Table, event: g.Raised) -> None:
    state = _play(table, event)
    one = state.people[event.who]
    one.spend(event.dice)
    one.kept = []
    state.raised = Raise(event.who, event.total, list(event.to))
    state.last = event.who
    state.fresh = {}


def _answered(state: Play, who: int) -> None:
    """Somebody has nothing to see any more; with the last of them the raise is off the table."""
    if state.raised and who in state.raised.waiting:
        state.raised.waiting.remove(who)
    if state.raised and not state.raised.waiting:
        state.raised = None


def _owes(state: Play, who: int, cost: g.Cost | None) -> None:
    if cost is not None:
        state.owed[who] = Owed(Fallout(cost.body, cost.hard, cost.dangerous or 0), cost.amount)


def _seen(table: Table, event: g.Seen) -> None:
    state = _play(table, event)
    one = state.people[event.who]
    if event.how is rules.Answer.REVERSE:
        one.kept = sorted((*one.kept, *event.dice))
    else:
        one.spend(event.dice)
    _answered(state, event.who)
    _owes(state, event.who, event.cost)


def _leaves(state: Play, who: int) -> None:
    state.people[who].out = True
    state.people[who].kept = []
    _answered(state, who)
    if state.raised and state.raised.who == who:
        state.raised = None


def _stakes_lost(table: Table, event: g.StakesLost) -> None:
    state = _play(table, event)
    _leaves(state, event.who)
    _owes(state, event.who, event.cost)


def _gave(table: Table, event: g.Gave) -> None:
    state = _play(table, event)
    _leaves(state, event.who)
    state.fresh.pop(event.who, None)
    if event.die is not None:
        own(table).follow_ups[event.who] = event.die


def _stakes_won(table: Table, event: g.StakesWon) -> None:
    _play(table, event).won = event.winner
    own(table).won = event.winner


# --- fallout ----------------------------------------------------------------------------------------------


def _fallout_taken(table: Table, event: g.FalloutTaken) -> None:
    state, shelf = _play(table, event), own(table)
    before = shelf.full_tracks(event.who)
    shelf.burdens.setdefault(event.who, Burden()).points[event.track] = event.total
    owed = state.owed.pop(event.who, None)
    marked = {**(owed.marked if owed else {}), event.track: event.points}
    stands = owed is not None and owed.stands
    if owed and event.left:
        state.owed[event.who] = Owed(owed.cost, event.left, marked, stands)
    elif not state.people[event.who].out and not stands:
        state.fresh[event.who] = Fresh(event.cost.amount, marked)
    _reviewed(table, event.who, (state,), before)


def _reviewed(
    table: Table, who: int, fills: Collection[Play] = (), before: Collection[g.TrackName] = ()
) -> None:
    """What somebody's full tracks mean, wherever they are: an NPC is cornered by the first.

    Anybody else may die with the second, of the conflicts in which it `fills`, those `before` being full.
    """
    shelf = own(table)
    full = shelf.full_tracks(who)
    doomed = not shelf.is_npc(who) and len(full) >= rules.FULL_TRACKS_OF_DEATH
    for state in _open(table):
        if who not in state.people:
            continue
        (state.cornered.add if shelf.is_npc(who) and full else state.cornered.discard)(who)
        if not doomed:
            state.fates.pop(who, None)
        elif len(full) > len(before) and any(state is one for one in fills):
            state.fates.setdefault(who, None)


def _fallout_resisted(table: Table, event: g.FalloutResisted) -> None:
    state, shelf = _play(table, event), own(table)
    state.people[event.who].spend((event.die,))
    state.owed.pop(event.who, None)
    state.fresh.pop(event.who, None)
    off = {} if event.track is None else {event.track: event.points or 0}
    for track, points in (*off.items(), *((one.track, one.points) for one in event.also or ())):
        before = shelf.burdens.get(event.who, Burden()).points.get(track, 0)
        _mark(shelf, event.who, track, max(0, before - points))
    _reviewed(table, event.who)


def _mark(shelf: Shelf, who: int, track: str, points: int) -> None:
    """A track holds so much; what a row meant that is no longer full is forgotten."""
    burden = shelf.burdens.setdefault(who, Burden())
    burden.points[track] = points
    full = shelf.rows_full(who, track)
    named = burden.conditions.get(track, {})
    burden.conditions[track] = {row: words for row, words in named.items() if row <= full}


def _condition_named(table: Table, event: g.ConditionNamed) -> None:
    shelf = own(table)
    burden = shelf.burdens.setdefault(event.who, Burden())
    burden.conditions.setdefault(event.track, {})[event.row] = event.text
    for state in _open(table):
        fresh, owed = state.fresh.get(event.who), state.owed.get(event.who)
        if fresh and shelf.filled_by(event.who, event.track, fresh.marked, event.row):
            del state.fresh[event.who]
        if owed and shelf.filled_by(event.who, event.track, owed.marked, event.row):
            owed.stands = True


def _fate_decided(table: Table, event: g.FateDecided) -> None:
    _play(table, event).fates[event.who] = event.dies


def _character_died(table: Table, event: g.CharacterDied) -> None:
    own(table).dead.add(event.who)
    for state in _open(table):
        state.fates.pop(event.who, None)


def _fallout_cleared(table: Table, event: g.FalloutCleared) -> None:
    _mark(own(table), event.who, event.track, event.total)
    _reviewed(table, event.who)


# --- rulings ----------------------------------------------------------------------------------------------


def _pool_set(table: Table, event: g.PoolSet) -> None:
    one = _play(table, event).people[event.who]
    one.pool = sorted(event.dice)
    one.kept = sorted((Counter(one.kept) & Counter(one.pool)).elements())


def _number_set(table: Table, event: g.NumberSet) -> None:
    shelf = own(table)
    if event.what == "dead":
        (shelf.dead.add if event.value else shelf.dead.discard)(event.who)
    elif event.what == "follow-up":
        shelf.follow_ups.pop(event.who, None)
        if event.value:
            shelf.follow_ups[event.who] = event.value
    else:
        before = shelf.full_tracks(event.who)
        _mark(shelf, event.who, event.what, event.value)
        for state in _open(table):
            _left_of_blow(state, event.who, event.what, event.value)
        _reviewed(table, event.who, tuple(_open(table)), before)


def _left_of_blow(state: Play, who: int, track: g.TrackName, points: int) -> None:
    """Of a blow that may still be cancelled no more is there than a ruling leaves on the track."""
    fresh, owed = state.fresh.get(who), state.owed.get(who)
    for marked in (one.marked for one in (fresh, owed) if one and track in one.marked):
        marked[track] = min(marked[track], points)
    if fresh and track in fresh.marked and not any(fresh.marked.values()):
        del state.fresh[who]


def _nothing(table: Table, event: Event) -> None:
    """What it says can be read off the state."""


EVOLVE: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.OptionSet: _option_set,
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
    g.FalloutTaken: _fallout_taken,
    g.FalloutResisted: _fallout_resisted,
    g.RowFilled: _nothing,
    g.ConditionNamed: _condition_named,
    g.StakesLost: _stakes_lost,
    g.Gave: _gave,
    g.StakesWon: _stakes_won,
    g.FateDecided: _fate_decided,
    g.CharacterDied: _character_died,
    g.FalloutCleared: _fallout_cleared,
    g.PoolSet: _pool_set,
    g.NumberSet: _number_set,
}
"""What each event changes here; a test proves that none is missing."""
