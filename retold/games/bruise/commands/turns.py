"""Turns of a conflict: finding the current turn, declarations, and a turn's length in the story."""

from __future__ import annotations

from msgspec import Struct

from retold.game import Event, Refused, Situation, Words, clean, conflicts, normalise, notes_and_speech
from retold.game import commands as c
from retold.game import events as e
from retold.games.bruise import events as b
from retold.games.bruise.commands.verbs import Lasts
from retold.games.bruise.state import BruiseConflict, conflict_state


class Turn(Struct):
    """State of the turn that a command applies to.

    `before` holds the event that ends the previous turn, if this command begins a new one.
    """

    before: list[Event]
    state: BruiseConflict

    @classmethod
    def of(cls, situation: Situation) -> Turn:
        """Returns the current turn; once it is over, a new turn, with the event that ends the old one."""
        state = conflict_state(situation.here)
        if not state.over:
            return cls([], state)
        return cls(
            [b.TurnEnded(conflict=situation.here.id, turn=state.turn)],
            state.next_turn(),
        )


def declare(situation: Situation, command: c.Declare) -> list[Event]:
    """Returns the event of a person declaring their intention; the end of the last turn first, if not ended.

    Raises Refused for a second declaration in a turn, outsiders, people who joined too late, and
    `key=value` parts.
    """
    turn = Turn.of(situation)
    who = conflicts.contestant(situation, command.who, "declares")
    if command.setup:
        raise Refused("Bruise takes no key=value in a declaration.")
    if who in turn.state.late:
        raise Refused(
            f"{situation.name(who)} came in after a Quality was shown, and plays from the next turn on."
        )
    if who in turn.state.declared:
        raise Refused(f"{situation.name(who)} has declared already this turn.")
    return [*turn.before, *notes_and_speech.declare(situation, command.but({"who": who}))]


def declaration(situation: Situation, who: int, text: Words) -> Event:
    """Returns the event for the text after a `draw` or `karma` command: a declaration by `who`."""
    return e.Declared(who=who, text=text, conflict=situation.here.id)


def measure(situation: Situation, command: Lasts) -> list[Event]:
    """Returns the event with the current turn's length in the story; raises Refused if no words are given."""
    length = clean(command.length)
    if not normalise(length):
        raise Refused("Say how long, in words: lasts the whole night.")
    turn, here = conflict_state(situation.here).turn, situation.here.id
    return [b.TurnMeasured(conflict=here, turn=turn, length=Words(length), text=command.text)]
