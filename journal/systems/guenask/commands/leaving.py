"""Giving up, in this game's word and in another's."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.guenask import events as g
from journal.systems.guenask.commands.ahead import conclude, must_give
from journal.systems.guenask.commands.marking import bears_fallout
from journal.systems.guenask.commands.turns import in_play, still_open
from journal.systems.guenask.commands.verbs import Give
from journal.systems.guenask.options import chosen
from journal.systems.guenask.state import play
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def give(situation: Situation, command: Give) -> list[Event]:
    """Whoever gives is out, at any time and without fallout that has not come yet."""
    still_open(situation)
    who = _giver(situation, command.who)
    state = play(situation.here)
    if who in state.owed:
        raise Refused(f"{situation.name(who)} has taken a blow: its fallout comes first, then they may give.")
    gave = g.Gave(
        conflict=situation.here.id,
        who=who,
        forced=must_give(situation, who),
        die=_kept(situation, who),
        text=command.text,
    )
    return conclude(situation, [gave])


def _giver(situation: Situation, named: int | None) -> int:
    if named is not None:
        return in_play(situation, named)
    turns = play(situation.here).to_act()
    if len(turns) != 1:
        raise Refused(f"Say who gives: {situation.names(play(situation.here).active())}.")
    return turns[0]


def _kept(situation: Situation, who: int) -> int | None:
    """The die kept for the next conflict, where the table plays so and this is instead of a raise."""
    state = play(situation.here)
    if not chosen.yes(situation.table, "give_keeps") or state.raised or who not in state.raisers():
        return None
    if not bears_fallout(situation, who):
        return None
    return max(state.people[who].pool, default=None)


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """Another game's word for it."""
    raise Refused("Here one gives, without an offer: give NAME: how.")
