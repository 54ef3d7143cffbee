"""Event handlers that change Edgerunner's state, for its own events and for shared ones."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import GM, Event, Handler, Table
from retold.game import events as e
from retold.games.edgerunner import events as g
from retold.games.edgerunner.options import NAME
from retold.games.edgerunner.state import evolve_conflicts
from retold.games.edgerunner.state.conflict import (
    Border,
    Tale,
    conflict_state,
    conflict_state_in,
    edgerunner_conflict,
    mutable_game_state,
    open_roll_of,
)
from retold.games.edgerunner.state.game_state import (
    ASPECT,
    GHOST,
    Aspect,
    Defence,
    EdgerunnerState,
    Offer,
    Owed,
    Sheet,
    aspects_of,
)
from retold.games.edgerunner.state.rolls import Finding


def _number_set(table: Table, event: g.NumberSet) -> None:
    shelf = mutable_game_state(table)
    match event.what:
        case "points" if isinstance(event.on, int):
            shelf.purses[event.on] = event.value
        case "threshold" if isinstance(event.on, int):
            shelf.sheets.setdefault(event.on, Sheet()).thresholds[event.track or ""] = event.value
        case "threshold":
            here = edgerunner_conflict(table, event.conflict)
            border = None if here is None else conflict_state(here).border_named(str(event.on))
            if border is not None:
                border.threshold = event.value
        case _:
            roll = open_roll_of(table, event.conflict)
            if roll is not None:
                roll.ruled += event.value - roll.shifts


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    shelf = mutable_game_state(table)
    sheet = shelf.sheets.setdefault(event.person, Sheet())
    player = table.people[event.person].player if event.person in table.people else None
    if player is not None:
        shelf.seats[event.person] = player
    for key, value in event.values.items():
        if not key.startswith((ASPECT, GHOST)):
            sheet.change(key, value)
    for key, wording, ghost in aspects_of(event.values):
        _aspect_of_sheet(table, shelf, event.person, key, wording, ghost=ghost)


def _aspect_of_sheet(
    table: Table, shelf: EdgerunnerState, person: int, key: str, wording: str | None, *, ghost: bool
) -> None:
    old = next(
        (aspect for aspect in shelf.aspects.values() if aspect.on == person and aspect.key == key), None
    )
    if old is not None:
        del shelf.aspects[old.id]
    if wording is not None:
        new = Aspect(shelf.next_aspect(table, person), person, wording, key=key, ghost=ghost)
        shelf.count(new.id)
        shelf.aspects[new.id] = new


def _player_seated(table: Table, event: e.PlayerSeated) -> None:
    if NAME in table.shelves and event.person in mutable_game_state(table).sheets:
        mutable_game_state(table).seats[event.person] = event.player


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system == NAME and event.key == "fp_start":
        mutable_game_state(table).start = int(event.value)
    if event.system == NAME and event.key == "base_threshold":
        mutable_game_state(table).base = int(event.value)


def _stress_marked(table: Table, event: g.StressMarked) -> None:
    shelf = mutable_game_state(table)
    if isinstance(event.on, int):
        bearer = shelf.bearer(event.on, event.track or "")
        shelf.marks.setdefault((bearer, event.track or ""), set()).update(event.boxes)
        _record_strained_track(table, event)
    elif event.about is not None:
        shelf.aspects[event.about].marked.update(event.boxes)
    elif (here := edgerunner_conflict(table, event.conflict)) is not None:
        border = conflict_state(here).border_named(event.on)
        if border is not None:
            border.marked.update(event.boxes)


def _record_strained_track(table: Table, event: g.StressMarked) -> None:
    """Records in the current roll the track marked to boost or resist it; ignores other stress."""
    roll = open_roll_of(table, event.conflict) if event.why in {"boost", "resist"} else None
    if roll is not None and isinstance(event.on, int) and event.track is not None:
        roll.strained.setdefault(event.on, set()).add(event.track)


def _unmark(shelf: EdgerunnerState, person: int, track: str, boxes: set[int]) -> None:
    key = (shelf.bearer(person, track), track)
    left = shelf.marks.get(key, set()) - boxes
    shelf.marks.pop(key, None)
    if left:
        shelf.marks[key] = left


def _boxes_cleared(table: Table, event: g.BoxesCleared) -> None:
    if isinstance(event.on, int):
        _unmark(mutable_game_state(table), event.on, event.track, set(event.boxes))


def _stress_cleared(table: Table, event: g.StressCleared) -> None:
    shelf = mutable_game_state(table)
    for track in event.tracks:
        _unmark(shelf, event.who, track, {*shelf.marked(event.who, track)})


def _consequence_taken(table: Table, event: g.ConsequenceTaken) -> None:
    aspect = Aspect(event.aspect, event.who, event.wording, severity=event.severity, slot_of=event.slot_of)
    mutable_game_state(table).put(aspect, 1, event.holder)


def _consequence_altered(table: Table, event: g.ConsequenceAltered) -> None:
    shelf = mutable_game_state(table)
    aspect = shelf.aspects[event.aspect]
    aspect.severity, aspect.wording = event.severity, event.wording
    if shelf.roll is not None:
        shelf.roll.altered = True


def _threshold_replaced(table: Table, event: g.ThresholdReplaced) -> None:
    defence = Defence(event.who, event.threshold, event.on, event.track, event.conflict, event.about)
    thing = _thing(table, event)
    if thing is not None:
        thing.defence = defence
    elif isinstance(event.on, int):
        mutable_game_state(table).defences[
            mutable_game_state(table).bearer(event.on, event.track), event.track
        ] = defence


def _threshold_reverted(table: Table, event: g.ThresholdReverted) -> None:
    thing = _thing(table, event)
    if thing is not None:
        thing.defence = None
    elif isinstance(event.on, int):
        mutable_game_state(table).defences.pop(
            (mutable_game_state(table).bearer(event.on, event.track), event.track), None
        )


def _thing(table: Table, event: g.ThresholdReplaced | g.ThresholdReverted) -> Aspect | Border | None:
    """Returns the aspect or border whose defence an event changes; None if it is a person's track."""
    if event.about is not None:
        return mutable_game_state(table).aspects.get(event.about)
    return (
        None if isinstance(event.on, int) else conflict_state_in(table, event.conflict).border_named(event.on)
    )


def _upgrade_strained(table: Table, event: g.UpgradeStrained) -> None:
    mutable_game_state(table).owed[event.who] = Owed(event.upgrade, event.track, event.amount)


def _taken_out(table: Table, event: g.TakenOut) -> None:
    mutable_game_state(table).owed.pop(event.on if isinstance(event.on, int) else -1, None)
    here = edgerunner_conflict(table, event.conflict)
    if here is None:
        return
    state = conflict_state(here)
    if isinstance(event.on, int) and event.by is not None:
        mutable_game_state(table).felled[event.on] = event.by
    if isinstance(event.on, int):
        state.out.add(event.on)
        if state.turn == event.on:
            state.turn, state.bid = None, 0
        if event.by is not None:
            state.tales.append(Tale(event.on, event.by))
    elif event.about is None and (border := state.border_named(event.on)) is not None:
        border.marked.clear()
        border.defence = None
        state.broken[border.name] = event.by or 0


def _tale_told(table: Table, event: g.TaleTold) -> None:
    state = conflict_state_in(table, event.conflict)
    state.tales = [tale for tale in state.tales if tale.on != event.on]


def _character_killed(table: Table, event: g.CharacterKilled) -> None:
    mutable_game_state(table).dead.add(event.who)


def _aspect_placed(table: Table, event: g.AspectPlaced) -> None:
    aspect = Aspect(
        event.aspect,
        event.on,
        event.wording,
        by=event.by,
        boxes=event.free,
        shifts=event.shifts,
        maneuvered=event.how == "maneuver",
        conflict=event.conflict,
    )
    mutable_game_state(table).put(aspect, event.free, event.by)
    if event.how == "declaration":
        _declared(table, event)


def _assessed(table: Table, event: g.FreeInvokesGained | g.AssessmentFailed) -> None:
    """Stores an assessment made outside conflicts as `finding`, whose total invokes can still change."""
    if event.conflict is None:
        mutable_game_state(table).finding = Finding(
            who=event.who,
            skill=None,
            level=0,
            rolled=True,
            shifts=event.shifts,
            assessed=True,
            aspect=event.aspect,
            on=event.on,
            wording=event.wording,
            free=event.free if isinstance(event, g.FreeInvokesGained) else 0,
        )


def _declared(table: Table, event: g.AspectPlaced | g.DeclarationFailed) -> None:
    """Stores a declaration, successful or failed, as `finding`, whose total invokes can still change."""
    shelf, there = mutable_game_state(table), isinstance(event, g.AspectPlaced)
    by = event.by if isinstance(event, g.AspectPlaced) else None
    shelf.finding = Finding(
        who=by or GM,
        skill=None,
        level=0,
        rolled=True,
        shifts=event.shifts or 0,
        assessed=False,
        aspect=event.aspect if isinstance(event, g.AspectPlaced) else shelf.next_aspect(table, event.on),
        on=event.on,
        wording=event.wording,
        free=event.free if isinstance(event, g.AspectPlaced) else 0,
        there=there,
        alone=by is None,
    )


def _finding_stands(table: Table, event: g.FindingStands) -> None:
    """Stores the new total of an assessment or declaration.

    Adds or removes the declared aspect accordingly, and adjusts its free invokes.
    """
    shelf = mutable_game_state(table)
    finding = shelf.finding
    before = 0 if finding is None else finding.free
    if event.there and event.aspect not in shelf.aspects:
        shelf.put(Aspect(event.aspect, event.on, event.wording, by=event.who), 0, event.who)
    if not event.there:
        shelf.aspects.pop(event.aspect, None)
    aspect = shelf.aspects.get(event.aspect)
    if aspect is not None:
        aspect.free[event.who] = max(0, aspect.free.get(event.who, 0) + event.free - before)
        if event.how == "declaration":
            aspect.boxes, aspect.shifts = event.free, event.shifts
    if finding is not None:
        finding.shifts, finding.free, finding.there = event.shifts, event.free, event.there


def _aspect_removed(table: Table, event: g.AspectRemoved | g.ConsequenceCleared) -> None:
    mutable_game_state(table).aspects.pop(event.aspect, None)


def _free_invokes_gained(table: Table, event: g.FreeInvokesGained) -> None:
    aspect = mutable_game_state(table).aspects[event.aspect]
    aspect.free[event.who] = aspect.free.get(event.who, 0) + event.free
    _assessed(table, event)


def _free_invokes_lapsed(table: Table, event: g.FreeInvokesLapsed) -> None:
    mutable_game_state(table).aspects[event.aspect].free.clear()


def _fate_point_paid(table: Table, event: g.FatePointPaid) -> None:
    shelf = mutable_game_state(table)
    for player, change in ((event.payer, -event.points), (event.payee, event.points)):
        if player:
            shelf.purses[player] = shelf.held(player) + change


def _refreshed(table: Table, event: g.Refreshed) -> None:
    shelf = mutable_game_state(table)
    shelf.felled.clear()
    shelf.purses = dict.fromkeys({*shelf.purses, *shelf.seats.values()}, event.points)
    if event.stress:
        shelf.marks.clear()


def _offers(table: Table, conflict: int | None) -> list[Offer] | None:
    """Returns the unanswered compels that an event changes: the conflict's or, outside, the campaign's.

    None if the event belongs to another game.
    """
    if conflict is None:
        return mutable_game_state(table).offers if NAME in table.shelves else None
    here = edgerunner_conflict(table, conflict)
    return None if here is None else conflict_state(here).offers


def _compel_offered(table: Table, event: e.CompelOffered) -> None:
    offers = _offers(table, event.conflict)
    if offers is not None:
        wording = event.aspect
        held = mutable_game_state(table).aspects.values()
        found = [aspect.id for aspect in held if aspect.wording == wording]
        on_them = [aspect.id for aspect in held if aspect.wording == wording and aspect.on == event.who]
        meant = (on_them or found or [0])[0] if event.which is None else event.which
        offers.append(Offer(event.who, meant, event.by))


def _compel_accepted(table: Table, event: e.CompelAccepted) -> None:
    """Removes all compels offered to this person, since accepting one cancels the others."""
    offers = _offers(table, event.conflict)
    if offers:
        offers[:] = [offer for offer in offers if offer.who != event.who]


def _compel_refused(table: Table, event: e.CompelRefused) -> None:
    offers = _offers(table, event.conflict)
    if offers:
        offers.remove(next(offer for offer in offers if offer.who == event.who))


EVOLVE: Mapping[type[Event], Handler] = {
    **evolve_conflicts.HANDLERS,
    e.SheetChanged: _sheet_changed,
    e.PlayerSeated: _player_seated,
    e.OptionSet: _option_set,
    e.CompelOffered: _compel_offered,
    e.CompelAccepted: _compel_accepted,
    e.CompelRefused: _compel_refused,
    g.Refreshed: _refreshed,
    g.AspectPlaced: _aspect_placed,
    g.DeclarationFailed: _declared,
    g.AssessmentFailed: _assessed,
    g.FindingStands: _finding_stands,
    g.AspectRemoved: _aspect_removed,
    g.FreeInvokesGained: _free_invokes_gained,
    g.FreeInvokesLapsed: _free_invokes_lapsed,
    g.FatePointPaid: _fate_point_paid,
    g.StressMarked: _stress_marked,
    g.BoxesCleared: _boxes_cleared,
    g.StressCleared: _stress_cleared,
    g.ConsequenceTaken: _consequence_taken,
    g.ConsequenceCleared: _aspect_removed,
    g.ConsequenceAltered: _consequence_altered,
    g.ThresholdReplaced: _threshold_replaced,
    g.ThresholdReverted: _threshold_reverted,
    g.UpgradeStrained: _upgrade_strained,
    g.TakenOut: _taken_out,
    g.TaleTold: _tale_told,
    g.CharacterKilled: _character_killed,
    g.NumberSet: _number_set,
}
"""Handlers by event class, its own and shared; a test checks that none is missing."""
