"""What each event changes for Edgerunner."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.rules import Act
from journal.systems.edgerunner.state.found import NAME, current, own, play
from journal.systems.edgerunner.state.play import Border, Play, Spin, Tale
from journal.systems.edgerunner.state.rolls import Action, OpenRoll, SkillRoll
from journal.systems.edgerunner.state.sheets import ASPECT, GHOST, Sheet, aspects_of
from journal.systems.edgerunner.state.shelf import Aspect, Defence, Offer, Owed, Shelf
from journal.table import Handler, OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _here(table: Table, conflict: int | None) -> OpenConflict | None:
    """The conflict of that number, if it is one of ours."""
    found = None if conflict is None else table.conflicts.get(conflict)
    return found if found is not None and found.system == NAME else None


def _play(table: Table, conflict: int) -> Play:
    return play(table.conflicts[conflict])


def _roll(table: Table, conflict: int | None) -> OpenRoll | None:
    return current(table, _here(table, conflict))


# --- sheets, seats and evenings ---------------------------------------------------------------------------


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    shelf = own(table)
    sheet = shelf.sheets.setdefault(event.person, Sheet())
    player = table.people[event.person].player if event.person in table.people else None
    if player is not None:
        shelf.seats[event.person] = player
    for key, value in event.values.items():
        if not key.startswith((ASPECT, GHOST)):
            sheet.change(key, value)
    for key, wording, ghost in aspects_of(event.values):
        _aspect_of_sheet(shelf, event.person, key, wording, ghost=ghost)


def _aspect_of_sheet(shelf: Shelf, person: int, key: str, wording: str | None, *, ghost: bool) -> None:
    old = next((one for one in shelf.aspects.values() if one.on == person and one.key == key), None)
    if old is not None:
        del shelf.aspects[old.id]
    if wording is not None:
        shelf.aspects_ever += 1
        new = Aspect(shelf.aspects_ever, person, wording, key=key, ghost=ghost)
        shelf.aspects[new.id] = new


def _player_seated(table: Table, event: e.PlayerSeated) -> None:
    if NAME in table.shelves and event.person in own(table).sheets:
        own(table).seats[event.person] = event.player


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system == NAME and event.key == "fp_start":
        own(table).start = int(event.value)
    if event.system == NAME and event.key == "base_threshold":
        own(table).base = int(event.value)


def _refreshed(table: Table, event: g.Refreshed) -> None:
    shelf = own(table)
    shelf.purses = dict.fromkeys({*shelf.purses, *shelf.seats.values()}, event.points)
    if event.stress:
        shelf.marks.clear()


# --- the conflict -----------------------------------------------------------------------------------------


def _conflict_opened(table: Table, event: e.ConflictOpened) -> None:
    own(table).roll = None
    table.conflicts[event.conflict].state = Play(event.conflict)


def _zones_mapped(table: Table, event: g.ZonesMapped) -> None:
    state = _play(table, event.conflict)
    state.zones += event.zones
    state.pins |= event.pins
    for drawn in event.borders:
        border = _draw(state, drawn)
        state.broken.pop(border.name, None)
        if event.threshold is not None:
            border.threshold = event.threshold


def _draw(state: Play, drawn: g.BorderDrawn) -> Border:
    forward = state.borders.get((drawn.one, drawn.other))
    backward = state.borders.get((drawn.other, drawn.one))
    if forward is not None:
        forward.there = dict(drawn.passes)
        return forward
    if backward is not None:
        backward.back = dict(drawn.passes)
        return backward
    border = Border(drawn.one, drawn.other, dict(drawn.passes))
    state.borders[drawn.one, drawn.other] = border
    return border


def _placed(table: Table, event: g.Placed) -> None:
    state = _play(table, event.conflict)
    state.places |= dict.fromkeys(event.who, event.zone)


def _moved(table: Table, event: g.Moved) -> None:
    state = _play(table, event.conflict)
    state.places[event.who] = event.path[-1]
    if event.free:
        state.moved_free.add(event.who)
    state.eroded = {key: worn for key, worn in state.eroded.items() if key[0] != event.who}


def _border_eroded(table: Table, event: g.BorderEroded) -> None:
    state = _play(table, event.conflict)
    key = (event.who, event.one, event.other, event.way)
    state.eroded[key] = state.eroded.get(key, 0) + 1
    state.moved_free.add(event.who)


def _deployed(table: Table, event: g.Deployed) -> None:
    conflict = table.conflicts[event.conflict]
    state = play(conflict)
    state.places[event.asset] = event.zone
    state.acted.add(event.asset)
    state.deployed[event.asset] = event.who
    if event.asset not in conflict.people:
        conflict.sides = tuple((*side, event.asset) if event.who in side else side for side in conflict.sides)


# --- exchanges and turns ----------------------------------------------------------------------------------


def _exchange_began(table: Table, event: g.ExchangeBegan) -> None:
    state = _play(table, event.conflict)
    state.exchange = event.exchange
    state.last, state.done = state.done, {}
    state.acted, state.moved_free, state.lingering = set(), set(), set()
    state.turn, state.bid, state.first, state.tied = None, 0, None, {}
    own(table).step = event.step


def _turn_claimed(table: Table, event: g.TurnClaimed) -> None:
    state = _play(table, event.conflict)
    state.turn, state.tied, state.lingering = event.who, {}, set()
    state.bid = next((bid.shifts for bid in event.bids if bid.who == event.who), 0)
    if state.first is None:
        state.first = event.who


def _bids_tied(table: Table, event: g.BidsTied) -> None:
    _play(table, event.conflict).tied = {bid.who: bid.shifts for bid in event.bids}


def _action_declared(table: Table, event: g.ActionDeclared) -> None:
    state = _play(table, event.conflict)
    state.acts.append(
        Action(
            who=event.who,
            skill=event.skill,
            level=event.level,
            opposed=event.opposed or 0,
            bid=0 if event.interrupt else state.bid,
            upgrade=event.upgrade,
            act=event.act,
            target=event.target,
            about=event.about,
            also=event.also,
            track=event.track,
            aspect=event.aspect,
            path=event.path,
            asset=event.asset,
            interrupt=event.interrupt,
        )
    )


def _action_continued(table: Table, event: g.ActionContinued) -> None:
    state = _play(table, event.conflict)
    bid = state.bid if state.turn == event.who else 0
    state.acts.append(_again(state.last[event.who], event.times, bid, event.path))


def _again(before: Action, times: int, bid: int, path: tuple[g.Step, ...]) -> Action:
    """The act of the last exchange, with everything it was made of but what its target took off."""
    return Action(
        who=before.who,
        skill=before.skill,
        level=before.level,
        dice=before.dice,
        opposed=before.opposed,
        bid=before.bid + bid,
        invoked=before.invoked,
        boosted=before.boosted,
        spins=before.spins,
        ruled=before.ruled,
        used=set(before.used),
        act=before.act,
        target=before.target,
        about=before.about,
        also=before.also,
        track=before.track,
        aspect=before.aspect,
        path=path or before.path,
        asset=before.asset,
        continued=times,
    )


def _action_forfeited(table: Table, event: g.ActionForfeited) -> None:
    state = _play(table, event.conflict)
    state.acts = [act for act in state.acts if act.who != event.who]
    state.offers = [offer for offer in state.offers if offer.who != event.who]
    _turn_over(state, event.who)


def _action_applied(table: Table, event: g.ActionApplied) -> None:
    state = _play(table, event.conflict)
    state.done[event.who] = state.acts.pop()
    _turn_over(state, event.who)
    state.lingering.add(event.who)
    if event.act is Act.RECOVER:
        state.acted |= set(state.done[event.who].targets)


def _turn_over(state: Play, who: int) -> None:
    state.acted.add(who)
    state.spins = [spin for spin in state.spins if spin.maker != who or spin.made == state.exchange]
    if state.turn == who:
        state.turn, state.bid = None, 0


# --- rolls ------------------------------------------------------------------------------------------------


def _skill_rolled(table: Table, event: g.SkillRolled) -> None:
    own(table).roll = SkillRoll(
        who=event.who,
        skill=event.skill,
        level=event.level,
        opposed=event.against or 0,
        upgrade=event.upgrade,
        opponent=event.opponent,
        contest=event.against is not None,
        takes=event.takes,
    )


def _shifts_set(table: Table, event: g.ShiftsSet) -> None:
    roll = _roll(table, event.conflict)
    if roll is not None:
        roll.rolled, roll.dice, roll.shifts = True, event.dice or 0, event.shifts


def _shifts_spent(table: Table, event: g.ShiftsSpent) -> None:
    roll = own(table).roll
    if roll is not None:
        roll.spent += sum(one.shifts for one in event.spent)
        roll.takes = event.takes


def _aspect_invoked(table: Table, event: g.AspectInvoked) -> None:
    roll = _roll(table, event.conflict)
    if roll is not None:
        roll.used.add(event.aspect)
        roll.invoked += 2 if event.mode == "+2" else 0
        roll.resisted += 2 if event.mode == "-2" else 0
    aspect = own(table).aspects.get(event.aspect)
    if aspect is not None and event.free:
        holder = event.who if aspect.free.get(event.who) else _holder(aspect, event.by)
        aspect.free[holder] -= 1


def _holder(aspect: Aspect, by: int | None) -> int | None:
    return by if aspect.free.get(by) else next((held for held, free in aspect.free.items() if free), None)


def _boosted(table: Table, event: g.Boosted) -> None:
    roll = _roll(table, event.conflict)
    if roll is not None:
        roll.boosted += event.shifts


def _resisted(table: Table, event: g.Resisted) -> None:
    if event.strain is not None:
        _strain_taken(own(table), event.who, event.shifts)
        return
    roll = _roll(table, event.conflict)
    if roll is not None:
        roll.resisted += event.shifts
        roll.relieved |= {event.who} if event.comrade is not None else set()


def _strain_taken(shelf: Shelf, who: int, shifts: int) -> None:
    owed = shelf.owed[who]
    owed.left -= shifts
    if owed.left <= 0:
        del shelf.owed[who]


def _spin_gained(table: Table, event: g.SpinGained) -> None:
    state = _play(table, event.conflict)
    if event.holder is None:
        state.spins_loose, state.spins_by = event.spins, event.who
    else:
        state.spins += [Spin(event.holder, event.who, state.exchange)] * event.spins
        state.spins_loose, state.spins_by = 0, None


def _spin_spent(table: Table, event: g.SpinSpent) -> None:
    state = _play(table, event.conflict)
    state.spins.remove(next(spin for spin in state.spins if spin.holder == event.who))
    if state.act is not None:
        state.act.spins += 1


# --- aspects, compels and fate points ---------------------------------------------------------------------


def _aspect_placed(table: Table, event: g.AspectPlaced) -> None:
    _put(own(table), Aspect(event.aspect, event.on, event.wording, by=event.by), event.free, event.by)
    own(table).aspects[event.aspect].boxes = event.free
    own(table).aspects[event.aspect].shifts = event.shifts
    own(table).aspects[event.aspect].maneuvered = event.how == "maneuver"


def _put(shelf: Shelf, aspect: Aspect, free: int, holder: int | None) -> None:
    shelf.aspects_ever = max(shelf.aspects_ever, aspect.id)
    shelf.aspects[aspect.id] = aspect
    if free:
        aspect.free[holder] = free


def _aspect_removed(table: Table, event: g.AspectRemoved) -> None:
    own(table).aspects.pop(event.aspect, None)


def _free_invokes_gained(table: Table, event: g.FreeInvokesGained) -> None:
    aspect = own(table).aspects[event.aspect]
    aspect.free[event.who] = aspect.free.get(event.who, 0) + event.free


def _fate_point_paid(table: Table, event: g.FatePointPaid) -> None:
    shelf = own(table)
    for player, change in ((event.payer, -event.points), (event.payee, event.points)):
        if player:
            shelf.purses[player] = shelf.held(player) + change


def _offers(table: Table, conflict: int | None) -> list[Offer] | None:
    """The compels this event is about; None where they are not ours."""
    if conflict is None:
        return own(table).offers if NAME in table.shelves else None
    here = _here(table, conflict)
    return None if here is None else play(here).offers


def _compel_offered(table: Table, event: e.CompelOffered) -> None:
    offers = _offers(table, event.conflict)
    if offers is not None:
        wording = event.aspect
        held = own(table).aspects.values()
        found = [one.id for one in held if one.wording == wording]
        on_them = [one.id for one in held if one.wording == wording and one.on == event.who]
        offers.append(Offer(event.who, (on_them or found or [0])[0], event.by))


def _compel_accepted(table: Table, event: e.CompelAccepted) -> None:
    """One story is enough: whatever else was offered them lapses."""
    offers = _offers(table, event.conflict)
    if offers:
        offers[:] = [offer for offer in offers if offer.who != event.who]


def _compel_refused(table: Table, event: e.CompelRefused) -> None:
    offers = _offers(table, event.conflict)
    if offers:
        offers.remove(next(offer for offer in offers if offer.who == event.who))


# --- stress and consequences ------------------------------------------------------------------------------


def _stress_marked(table: Table, event: g.StressMarked) -> None:
    shelf = own(table)
    if isinstance(event.on, int):
        bearer = shelf.bearer(event.on, event.track or "")
        shelf.marks.setdefault((bearer, event.track or ""), set()).update(event.boxes)
    elif event.about is not None:
        shelf.aspects[event.about].marked.update(event.boxes)
    elif (here := _here(table, event.conflict)) is not None:
        border = play(here).border_named(event.on)
        if border is not None:
            border.marked.update(event.boxes)


def _unmark(shelf: Shelf, person: int, track: str, boxes: set[int]) -> None:
    key = (shelf.bearer(person, track), track)
    left = shelf.marks.get(key, set()) - boxes
    shelf.marks.pop(key, None)
    if left:
        shelf.marks[key] = left


def _boxes_cleared(table: Table, event: g.BoxesCleared) -> None:
    if isinstance(event.on, int):
        _unmark(own(table), event.on, event.track, set(event.boxes))


def _stress_cleared(table: Table, event: g.StressCleared) -> None:
    for track in event.tracks:
        _unmark(own(table), event.who, track, set(own(table).marked(event.who, track)))


def _consequence_taken(table: Table, event: g.ConsequenceTaken) -> None:
    aspect = Aspect(event.aspect, event.who, event.wording, severity=event.severity, slot_of=event.slot_of)
    _put(own(table), aspect, 1, event.holder)


def _consequence_cleared(table: Table, event: g.ConsequenceCleared) -> None:
    own(table).aspects.pop(event.aspect, None)


def _threshold_replaced(table: Table, event: g.ThresholdReplaced) -> None:
    if isinstance(event.on, int):
        bearer = own(table).bearer(event.on, event.track)
        own(table).defences[bearer, event.track] = Defence(event.who, event.threshold)


def _threshold_reverted(table: Table, event: g.ThresholdReverted) -> None:
    if isinstance(event.on, int):
        own(table).defences.pop((own(table).bearer(event.on, event.track), event.track), None)


def _upgrade_strained(table: Table, event: g.UpgradeStrained) -> None:
    own(table).owed[event.who] = Owed(event.upgrade, event.track, event.amount)


def _taken_out(table: Table, event: g.TakenOut) -> None:
    own(table).owed.pop(event.on if isinstance(event.on, int) else -1, None)
    here = _here(table, event.conflict)
    if here is None:
        return
    state = play(here)
    if isinstance(event.on, int):
        state.out.add(event.on)
        if state.turn == event.on:
            state.turn, state.bid = None, 0
        if event.by is not None:
            state.tales.append(Tale(event.on, event.by))
    elif event.about is None and (border := state.border_named(event.on)) is not None:
        border.marked.clear()
        state.broken[border.name] = event.by or 0


def _tale_told(table: Table, event: g.TaleTold) -> None:
    state = _play(table, event.conflict)
    state.tales = [tale for tale in state.tales if tale.on != event.on]


def _character_killed(table: Table, event: g.CharacterKilled) -> None:
    own(table).dead.add(event.who)


def _number_set(table: Table, event: g.NumberSet) -> None:
    shelf = own(table)
    match event.what:
        case "points" if isinstance(event.on, int):
            shelf.purses[event.on] = event.value
        case "threshold" if isinstance(event.on, int):
            shelf.sheets.setdefault(event.on, Sheet()).thresholds[event.track or ""] = event.value
        case "threshold":
            here = _here(table, event.conflict)
            border = None if here is None else play(here).border_named(str(event.on))
            if border is not None:
                border.threshold = event.value
        case _:
            roll = _roll(table, event.conflict)
            if roll is not None:
                roll.ruled += event.value - roll.shifts


def _nothing(table: Table, event: Event) -> None:
    """The event changes nothing a later command asks about."""


EVOLVE: Mapping[type[Event], Handler] = {
    e.SheetChanged: _sheet_changed,
    e.PlayerSeated: _player_seated,
    e.OptionSet: _option_set,
    e.ConflictOpened: _conflict_opened,
    e.CompelOffered: _compel_offered,
    e.CompelAccepted: _compel_accepted,
    e.CompelRefused: _compel_refused,
    g.Refreshed: _refreshed,
    g.ZonesMapped: _zones_mapped,
    g.Placed: _placed,
    g.Moved: _moved,
    g.BorderEroded: _border_eroded,
    g.Deployed: _deployed,
    g.ExchangeBegan: _exchange_began,
    g.TurnClaimed: _turn_claimed,
    g.BidsTied: _bids_tied,
    g.ActionDeclared: _action_declared,
    g.ActionContinued: _action_continued,
    g.ActionForfeited: _action_forfeited,
    g.ActionApplied: _action_applied,
    g.SkillRolled: _skill_rolled,
    g.ShiftsSet: _shifts_set,
    g.ShiftsSpent: _shifts_spent,
    g.AspectInvoked: _aspect_invoked,
    g.Boosted: _boosted,
    g.Resisted: _resisted,
    g.SpinGained: _spin_gained,
    g.SpinSpent: _spin_spent,
    g.AspectPlaced: _aspect_placed,
    g.DeclarationFailed: _nothing,
    g.AssessmentFailed: _nothing,
    g.AspectRemoved: _aspect_removed,
    g.FreeInvokesGained: _free_invokes_gained,
    g.FatePointPaid: _fate_point_paid,
    g.StressMarked: _stress_marked,
    g.BoxesCleared: _boxes_cleared,
    g.StressCleared: _stress_cleared,
    g.ConsequenceTaken: _consequence_taken,
    g.ConsequenceCleared: _consequence_cleared,
    g.ThresholdReplaced: _threshold_replaced,
    g.ThresholdReverted: _threshold_reverted,
    g.UpgradeStrained: _upgrade_strained,
    g.TakenOut: _taken_out,
    g.TaleTold: _tale_told,
    g.CharacterKilled: _character_killed,
    g.NumberSet: _number_set,
}
"""What the events of this game, and the shared ones it hears, change; a test proves it complete."""
