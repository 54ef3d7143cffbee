"""Lots of mooks that become one."""

from __future__ import annotations

from journal.names import quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands.ahead import defences_of, defences_on
from journal.systems.edgerunner.commands.standing import actor, here, ours
from journal.systems.edgerunner.commands.taking import conflict_id
from journal.systems.edgerunner.commands.turns import where_it_stands
from journal.systems.edgerunner.commands.verbs import Merge
from journal.systems.edgerunner.rules import Kind
from journal.systems.edgerunner.state import shelf
from journal.vocabulary.base import Event


def merge(situation: Situation, command: Merge) -> list[Event]:
    """The first of the lots goes on for all of them, with what is marked on any."""
    situation = ours(situation, *command.who)
    first, *others = dict.fromkeys(command.who)
    if not others:
        raise Refused(f"One lot alone merges with nothing: merge {quoted(situation.name(first))}+NAME.")
    levels = [_level(situation, who) for who in (first, *others)]
    if situation.conflict is not None:
        _check_together(situation, (first, *others))
    merged = g.MooksMerged(
        conflict=conflict_id(situation),
        who=first,
        others=tuple(others),
        level=rules.mook_equals(levels),
        text=command.text,
    )
    ended: list[Event] = []
    for who in others if situation.conflict is not None else ():
        over = (*defences_of(situation, who), *defences_on(situation, who))
        ended += [one for one in over if one not in ended]
    return [*ended, merged]


def _level(situation: Situation, who: int) -> int:
    sheet, name = shelf(situation.table).sheet(who), situation.name(who)
    if sheet.kind is not Kind.MOOK or "tl" not in sheet.numbers:
        raise Refused(
            f"Mooks merge, and {name} is none with a threat level: cast {quoted(name)} kind=mook tl=3."
        )
    return sheet.numbers["tl"]


def _check_together(situation: Situation, lots: tuple[int, ...]) -> None:
    """Refuses lots of several sides or zones, and what an act on the table is by or aimed at."""
    state = here(situation)
    sides = {situation.here.side_of(actor(situation, who)) for who in lots}
    zones = {state.places.get(who) for who in lots}
    if len(sides) > 1 or len(zones) > 1:
        raise Refused(f"{situation.names(lots)} stand apart: lots of one side in one zone merge.")
    for act in state.acts:
        if {act.who, *act.targets} & {*lots}:
            raise Refused(where_it_stands(situation, act))
