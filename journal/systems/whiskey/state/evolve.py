"""What each event changes for Whiskey."""

from __future__ import annotations

from collections.abc import Mapping

from journal.decks.pile import DISCARD
from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.options import NAME
from journal.systems.whiskey.rules import DeckMode, Fate, Hit, Intent, Ring
from journal.systems.whiskey.state.found import own, play_in
from journal.systems.whiskey.state.play import Clash, Phase, Play
from journal.systems.whiskey.state.sheets import Sheet
from journal.systems.whiskey.state.shelf import Cards
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

# --- sheets and options -----------------------------------------------------------------------------------


def _option_set(table: Table, event: e.OptionSet) -> None:
    if event.system == NAME and event.key == "deck" and NAME in table.shelves:
        own(table).mode = DeckMode(event.value)


def _sheet_changed(table: Table, event: e.SheetChanged) -> None:
    if event.system != NAME:
        return
    shelf = own(table)
    for key, value in event.values.items():
        shelf.sheets.setdefault(event.person, Sheet()).change(key, value)
    if "hp" in event.values:
        shelf.down.discard(event.person)


# --- a phase ----------------------------------------------------------------------------------------------


def _opened(table: Table, event: e.ConflictOpened) -> None:
    table.conflicts[event.conflict].state = Play()
    own(table)


def _phase(table: Table, conflict: int) -> Phase:
    return play_in(table, conflict).phase


def _intent_declared(table: Table, event: w.IntentDeclared) -> None:
    phase = _phase(table, event.conflict)
    phase.sealed.pop(event.who, None)
    phase.intents[event.who] = Intent(event.act, event.target)


def _intent_sealed(table: Table, event: w.IntentSealed) -> None:
    """The last one counts, and stands last in the order of declaring."""
    sealed = _phase(table, event.conflict).sealed
    sealed.pop(event.who, None)
    sealed[event.who] = event.intent


def _intents_revealed(table: Table, event: w.IntentsRevealed) -> None:
    """What each of them meant follows as they declare it."""
    _phase(table, event.conflict).revealed = True


def _joined(table: Table, event: e.Joined) -> None:
    phase = _phase(table, event.conflict)
    if phase.revealed:
        phase.late.update(event.people)


def _left(table: Table, event: e.Left) -> None:
    """What they meant to do goes with them; a check they have made is still to count."""
    phase = _phase(table, event.conflict)
    for who in event.people:
        phase.intents.pop(who, None)
        phase.sealed.pop(who, None)
        phase.orders.pop(who, None)
        phase.late.discard(who)


def _guard_assigned(table: Table, event: w.GuardAssigned) -> None:
    _phase(table, event.conflict).orders[event.who] = event.target


def _loop_broken(table: Table, event: w.LoopBroken) -> None:
    _phase(table, event.conflict).broken[Ring(event.loop)] = event.who


def _intent_succeeded(table: Table, event: w.IntentSucceeded) -> None:
    _phase(table, event.conflict).fates[event.who] = Fate(event.why, event.by)


def _intent_stopped(table: Table, event: w.IntentStopped) -> None:
    _phase(table, event.conflict).fates[event.who] = Fate(rules.Why.STOPPED, event.by)


def _clash_formed(table: Table, event: w.ClashFormed) -> None:
    phase = _phase(table, event.conflict)
    phase.clashes.append(Clash(event.one, event.other, event.checker))
    phase.triangle = None


def _triangle_proposed(table: Table, event: w.TriangleProposed) -> None:
    _phase(table, event.conflict).triangle = event


def _clash_dropped(table: Table, event: w.ClashDropped) -> None:
    """A third who would have joined these two in a triangle meets neither of them both now."""
    phase = _phase(table, event.conflict)
    phase.clashes = [one for one in phase.clashes if {*one.pair} != {event.one, event.other}]
    if phase.triangle is not None and {event.one, event.other} <= phase.triangle.corners:
        phase.triangle = None


def _ruling_made(table: Table, event: e.RulingMade) -> None:
    if event.question == "triangle" and event.conflict is not None:
        _phase(table, event.conflict).triangle = None


# --- checks and what lands --------------------------------------------------------------------------------


def _check_made(table: Table, event: w.CheckMade) -> None:
    shelf = own(table)
    shelf.last_check = event
    if event.card is not None:
        cards = shelf.cards.setdefault(event.faction, Cards())
        cards.pile.take(event.card, DISCARD)
    if event.clash and event.conflict is not None and event.other is not None:
        clash = _phase(table, event.conflict).between(event.who, event.other)
        if clash is not None:
            clash.made = event


def _damage_dealt(table: Table, event: w.DamageDealt) -> None:
    if event.left is not None:
        own(table).sheets.setdefault(event.loser, Sheet()).hp = event.left
    _phase(table, event.conflict).hits.append(Hit(event.winner, event.loser, event.amount, landed=True))


def _damage_suppressed(table: Table, event: w.DamageSuppressed) -> None:
    _phase(table, event.conflict).hits.append(Hit(event.winner, event.loser, event.amount, landed=False))


def _incapacitated(table: Table, event: w.Incapacitated) -> None:
    own(table).down.add(event.who)


def _recovered(table: Table, event: w.Recovered) -> None:
    own(table).down.discard(event.who)


def _phase_ended(table: Table, event: w.PhaseEnded) -> None:
    state = play_in(table, event.conflict)
    state.last, state.phase = state.phase, Phase(event.phase + 1)


def _deck_reshuffled(table: Table, event: w.DeckReshuffled) -> None:
    cards = own(table).cards.setdefault(event.faction, Cards())
    cards.gather(event.spent)
    cards.half = event.half


def _number_set(table: Table, event: w.NumberSet) -> None:
    own(table).sheets.setdefault(event.who, Sheet()).hp = event.value


EVOLVE: Mapping[type[Event], Handler] = {
    e.OptionSet: _option_set,
    e.SheetChanged: _sheet_changed,
    e.ConflictOpened: _opened,
    e.RulingMade: _ruling_made,
    e.Joined: _joined,
    e.Left: _left,
    w.IntentDeclared: _intent_declared,
    w.IntentSealed: _intent_sealed,
    w.IntentsRevealed: _intents_revealed,
    w.GuardAssigned: _guard_assigned,
    w.LoopBroken: _loop_broken,
    w.IntentSucceeded: _intent_succeeded,
    w.IntentStopped: _intent_stopped,
    w.ClashFormed: _clash_formed,
    w.TriangleProposed: _triangle_proposed,
    w.ClashDropped: _clash_dropped,
    w.CheckMade: _check_made,
    w.DamageDealt: _damage_dealt,
    w.DamageSuppressed: _damage_suppressed,
    w.Incapacitated: _incapacitated,
    w.Recovered: _recovered,
    w.PhaseEnded: _phase_ended,
    w.DeckReshuffled: _deck_reshuffled,
    w.NumberSet: _number_set,
}
"""What each event changes here; a test proves that none is missing."""
