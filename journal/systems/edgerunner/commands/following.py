"""An open roll that whatever is said next brings to its end, where the table plays so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from journal.refused import Refused
from journal.system import Decision, Situation
from journal.systems.edgerunner.commands.ahead import after
from journal.systems.edgerunner.commands.applying import apply
from journal.systems.edgerunner.commands.standing import here
from journal.systems.edgerunner.commands.verbs import Apply
from journal.systems.edgerunner.options import chosen
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event


def following(decide: Callable[[Situation, Any], list[Event]]) -> Decision:
    """The decision of an act, a turn or an exchange, with the end of the roll that was open until then."""

    def decided(situation: Situation, command: Command) -> list[Event]:
        if not _ends(situation, command):
            return decide(situation, command)
        ended = apply(situation, Apply())
        if any(isinstance(event, e.ConflictEnded) for event in ended):
            raise Refused("With the roll that is open the conflict is over: apply.")
        return [*ended, *decide(after(situation, ended), command)]

    return decided


def _ends(situation: Situation, command: Command) -> bool:
    """True where a roll is open, this interrupts nothing, and the table lets what follows end it."""
    act = here(situation).act
    if act is None or not act.rolled or chosen(situation.table, "applies") != "next":
        return False
    is_speech = getattr(command, "act", "") is None
    return not (is_speech or getattr(command, "interrupt", False))
