"""An act comes to its end: what its shifts do, what is told of it, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands import (
    deploying,
    guarding,
    maneuvering,
    moving,
    recovering,
    striking,
)
from journal.systems.edgerunner.commands.ahead import conclude, is_cut_off
from journal.systems.edgerunner.commands.standing import here, target_gone
from journal.systems.edgerunner.commands.turns import deed, nothing_open, where_it_stands
from journal.systems.edgerunner.commands.verbs import Apply
from journal.systems.edgerunner.rules import Act
from journal.systems.edgerunner.state import Action
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.words import Words

_COME_OF: Mapping[Act, Callable[[Situation, Action, Apply], list[Event]]] = {
    Act.MOVE: moving.come_of,
    Act.ATTACK: striking.come_of,
    Act.DEFEND: guarding.come_of,
    Act.MANEUVER: maneuvering.come_of,
    Act.RECOVER: recovering.come_of,
    Act.DEPLOY: deploying.come_of,
    Act.SIMPLE: lambda _situation, _act, _command: [],
}


def apply(situation: Situation, command: Apply) -> list[Event]:
    """The act on the table does what its shifts do; the text is what its actor tells of it."""
    act = here(situation).act
    if act is None:
        raise Refused(
            "No act is on the table that could be applied: attack, move, or another act comes first."
        )
    if not act.rolled and act.act is not Act.SIMPLE:
        raise Refused(where_it_stands(situation, act))
    if command.boxes and act.act is not Act.RECOVER:
        raise Refused(f"{deed(situation, act)} clears no boxes: apply.")
    nothing_open(situation)
    return concluded(situation, command)


def concluded(situation: Situation, command: Apply) -> list[Event]:
    """The act on the table ends; what was aimed at and is gone meanwhile, nothing comes of."""
    act = here(situation).act
    assert act is not None  # noqa: S101 -- whoever ends an act has one
    gone = target_gone(situation, act) or is_cut_off(situation, act)
    come_of = [] if gone else _COME_OF[act.act](situation, act, command)
    applied = g.ActionApplied(conflict=situation.here.id, who=act.who, act=act.act, shifts=act.shifts)
    told = [] if command.text is None else _told(situation, act, command.text, come_of)
    return conclude(situation, [applied, *come_of, *told])


def _told(situation: Situation, act: Action, text: Words, come_of: Iterable[Event]) -> list[Event]:
    """What the actor tells; it settles what becomes of those the act has taken out."""
    out = [event.on for event in come_of if isinstance(event, g.TakenOut)]
    conflict = situation.here.id
    tales = [g.TaleTold(conflict=conflict, on=on, by=act.who) for on in out if isinstance(on, int)]
    return [e.Narrated(conflict=conflict, who=act.who, text=text), *tales]
