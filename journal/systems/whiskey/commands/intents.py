"""Everybody says what they will try for the next moments."""

from __future__ import annotations

from journal.refused import Refused
from journal.shared import speech
from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey.commands.fighters import fighter, pairs_named
from journal.systems.whiskey.rules import Act
from journal.systems.whiskey.state import play
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event

ACTS = "engage NAME, guard NAME, advance, stand, or other with a text"


def declare(situation: Situation, command: c.Declare) -> list[Event]:
    """An intent, one for each phase; without an act it is words beside it, such as a spell."""
    who = fighter(situation, command.who, "declares")
    name = situation.name(who)
    if command.setup:
        raise Refused(f"An intent takes no key=value: declare {name} {ACTS}.")
    if command.act is None:
        if command.text is None or command.text.text == "":
            raise Refused(f"Say what {name} does: declare {name} {ACTS}.")
        return speech.declare(situation, command)
    _in_time(situation, who)
    act = Act(command.act)
    if act is Act.OTHER and not command.text:
        raise Refused(f"Say what {name} does instead: declare {name} other: the spell.")
    target = None if command.target is None else _target(situation, who, act, command.target)
    return [
        w.IntentDeclared(
            conflict=situation.here.id, who=who, act=act, target=target, text=command.text or None
        )
    ]


def _in_time(situation: Situation, who: int) -> None:
    phase = play(situation.here).phase
    if phase.open:
        raise Refused(f"The clashes of this phase come first: {pairs_named(situation, phase.open)} (check).")
    if who in phase.intents:
        name = situation.name(who)
        raise Refused(
            f"{name} has declared already this phase; undo takes it back until the clashes are known."
        )


def _target(situation: Situation, who: int, act: Act, target: int) -> int:
    if target == who:
        raise Refused(f"{situation.name(who)} can {act} somebody else: stand is the word for holding on.")
    if act is Act.ENGAGE:
        return fighter(situation, target, "is engaged")
    if target not in situation.here.people:
        raise Refused(f"{situation.name(target)} is on no side of this conflict.")
    return target
