"""A conflict opens, its stakes are said, and the table may end it."""

from __future__ import annotations

from journal.refused import Refused
from journal.shared import conflicts
from journal.system import Situation
from journal.systems.guenask import events as g
from journal.systems.guenask.commands.ahead import deaths
from journal.systems.guenask.commands.turns import in_play
from journal.systems.guenask.commands.verbs import SetStakes
from journal.systems.guenask.state import play
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

VICTORY = "victory"
ENDINGS = ("ended", "stalemate", VICTORY)


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """Who initiates it may be named, and raises first."""
    people = [person for side in opened.sides for person in side]
    first = opened.setup.get("first")
    if first is not None and first not in people:
        who = situation.name(first) if isinstance(first, int) else first
        raise Refused(f"first= names who initiates it, so somebody in this conflict, not {who}.")
    if not isinstance(first, int):
        return [opened]
    begun = opened.model_copy(update={"setup": {}})
    return [begun, g.InitiatorNamed(conflict=opened.conflict, who=first)]


def set_stakes(situation: Situation, command: SetStakes) -> list[Event]:
    """What is at stake is said before anybody raises for it."""
    state = play(situation.here)
    if state.last is not None or state.won is not None:
        raise Refused("Somebody has raised for these stakes already: they stand as they are.")
    who = None if command.who is None else in_play(situation, command.who)
    return [g.StakesSet(conflict=situation.here.id, who=who, text=command.text)]


def end(situation: Situation, command: c.End) -> list[Event]:
    """The table ends it: what was won already stays won, and a victory wins the stakes."""
    events = conflicts.end(situation, command)
    state, ended = play(situation.here), events[-1]
    if not isinstance(ended, e.ConflictEnded) or state.owed:
        return events
    if state.won is not None:
        return [*events[:-1], ended.model_copy(update={"how": "won", "winner": state.won})]
    if ended.how == VICTORY and ended.winner is not None:
        return [*events[:-1], g.StakesWon(conflict=ended.conflict, winner=ended.winner), ended]
    return events


def close(situation: Situation, how: str) -> list[Event]:
    """The table ends it; whose fate is decided dies with it."""
    if how not in ENDINGS:
        raise Refused(f"A Guenašk conflict ends, or as stalemate or victory NAME; {how} is not known.")
    undecided = play(situation.here).undecided()
    if undecided:
        name = situation.name(undecided[0])
        raise Refused(
            f"{name} has two full tracks: does {name} die of it? Rule on that first (ruling death=dies: how)."
        )
    return deaths(situation)


def begin_session(situation: Situation) -> list[Event]:
    """Fallout does not go away overnight."""
    return []
