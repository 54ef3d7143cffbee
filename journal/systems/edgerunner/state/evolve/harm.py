"""Stress and consequences, thresholds, and what becomes of somebody taken out."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.state.found import ours, own, play, play_in, roll_in
from journal.systems.edgerunner.state.play import Border, Tale
from journal.systems.edgerunner.state.shelf import Aspect, Defence, Owed, Shelf
from journal.table import Handler, Table
from journal.vocabulary.base import Event


def _stress_marked(table: Table, event: g.StressMarked) -> None:
    shelf = own(table)
    if isinstance(event.on, int):
        bearer = shelf.bearer(event.on, event.track or "")
        shelf.marks.setdefault((bearer, event.track or ""), set()).update(event.boxes)
        _taken_on(table, event)
    elif event.about is not None:
        shelf.aspects[event.about].marked.update(event.boxes)
    elif (here := ours(table, event.conflict)) is not None:
        border = play(here).border_named(event.on)
        if border is not None:
            border.marked.update(event.boxes)


def _taken_on(table: Table, event: g.StressMarked) -> None:
    """Somebody takes stress on themselves for a roll: the roll knows on which track."""
    roll = roll_in(table, event.conflict) if event.why in {"boost", "resist"} else None
    if roll is not None and isinstance(event.on, int) and event.track is not None:
        roll.strained.setdefault(event.on, set()).add(event.track)


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
    own(table).put(aspect, 1, event.holder)


def _consequence_cleared(table: Table, event: g.ConsequenceCleared) -> None:
    own(table).aspects.pop(event.aspect, None)


def _consequence_altered(table: Table, event: g.ConsequenceAltered) -> None:
    shelf = own(table)
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
        own(table).defences[own(table).bearer(event.on, event.track), event.track] = defence


def _threshold_reverted(table: Table, event: g.ThresholdReverted) -> None:
    thing = _thing(table, event)
    if thing is not None:
        thing.defence = None
    elif isinstance(event.on, int):
        own(table).defences.pop((own(table).bearer(event.on, event.track), event.track), None)


def _thing(table: Table, event: g.ThresholdReplaced | g.ThresholdReverted) -> Aspect | Border | None:
    """The aspect or the border that a defence is of, if it is of one."""
    if event.about is not None:
        return own(table).aspects.get(event.about)
    return None if isinstance(event.on, int) else play_in(table, event.conflict).border_named(event.on)


def _upgrade_strained(table: Table, event: g.UpgradeStrained) -> None:
    own(table).owed[event.who] = Owed(event.upgrade, event.track, event.amount)


def _taken_out(table: Table, event: g.TakenOut) -> None:
    own(table).owed.pop(event.on if isinstance(event.on, int) else -1, None)
    here = ours(table, event.conflict)
    if here is None:
        return
    state = play(here)
    if isinstance(event.on, int) and event.by is not None:
        own(table).felled[event.on] = event.by
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
    state = play_in(table, event.conflict)
    state.tales = [tale for tale in state.tales if tale.on != event.on]


def _character_killed(table: Table, event: g.CharacterKilled) -> None:
    own(table).dead.add(event.who)


HANDLERS: Mapping[type[Event], Handler] = {
    g.StressMarked: _stress_marked,
    g.BoxesCleared: _boxes_cleared,
    g.StressCleared: _stress_cleared,
    g.ConsequenceTaken: _consequence_taken,
    g.ConsequenceCleared: _consequence_cleared,
    g.ConsequenceAltered: _consequence_altered,
    g.ThresholdReplaced: _threshold_replaced,
    g.ThresholdReverted: _threshold_reverted,
    g.UpgradeStrained: _upgrade_strained,
    g.TakenOut: _taken_out,
    g.TaleTold: _tale_told,
    g.CharacterKilled: _character_killed,
}
