"""Somebody comes into an open conflict, or leaves it, and what that does to the turn in play."""

from __future__ import annotations

from journal.shared.ahead import after
from journal.shared.conflicts import FEWEST_SIDES
from journal.shared.joining import without_them
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise.commands.karma import karma_may_follow
from journal.systems.bruise.commands.showdown import show_all, waiting
from journal.systems.bruise.options import NAME
from journal.systems.bruise.state import play, sides_of
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def join(_situation: Situation, joined: e.Joined) -> list[Event]:
    """They come in; whether they draw in this turn or from the next on, the fold knows."""
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """They go with their cards put back; if they alone were waited for, everybody else shows."""
    ending = without_them(situation, left)
    return [left, *(ending or _shown_without_them(after(situation, [left], NAME)))]


def _shown_without_them(situation: Situation) -> list[Event]:
    """What everybody shows where nobody is waited for any longer; one side alone wins nothing."""
    state = play(situation.here)
    begun = state.hands or state.shown or state.late
    if not begun or state.over:
        return []
    if len(sides_of(situation.here, state)) < FEWEST_SIDES:
        return [b.TurnEnded(conflict=situation.here.id, turn=state.turn)]
    if waiting(situation.here, state, state.hands) or karma_may_follow(situation, state, state.hands):
        return []
    return show_all(situation, state, state.hands, {})
