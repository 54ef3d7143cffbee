"""A raise: two dice, whom it affects, and what is done with them."""

from __future__ import annotations

from journal.names import owning
from journal.refused import Refused
from journal.system import Situation
from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.commands.ahead import after, begun_by, conclude, ordered
from journal.systems.guenask.commands.turns import (
    actor,
    check_free,
    check_pool,
    everybody_has_dice,
    in_play,
    read_sum,
    said_with,
    shown,
    still_open,
)
from journal.systems.guenask.commands.verbs import Raise
from journal.systems.guenask.state import play
from journal.vocabulary.base import Event


def raise_(situation: Situation, command: Raise) -> list[Event]:
    """Exactly two dice against those affected; `raise none` loses."""
    still_open(situation)
    begins = _begins(situation, command.who)
    first = ordered(situation) if begins is None else begun_by(situation, begins)
    situation = after(situation, first) if first else situation
    everybody_has_dice(situation)
    _nothing_on_the_table(situation)
    who = actor(situation, command.who, "raises")
    if command.forward is None:
        lost = g.StakesLost(conflict=situation.here.id, who=who, how="unraised", text=command.text)
        return [*first, *conclude(situation, [lost])]
    dice = read_sum(command.forward)
    _check_dice(situation, who, dice)
    said_with(situation, command.text, f"raise {situation.quoted(who)} {command.forward}")
    raised = g.Raised(
        conflict=situation.here.id,
        who=who,
        dice=dice,
        total=sum(dice),
        to=_affected(situation, who, command.affected),
        text=command.text,
    )
    return [*first, *conclude(situation, [raised])]


def _begins(situation: Situation, named: int | None) -> int | None:
    """Who begins it by simply raising: nobody has raised, and only the dice have said whose turn it is."""
    state = play(situation.here)
    said = state.first in state.active() or state.last is not None or state.raised is not None
    if named is None or said or state.without_approach() or state.raisers() == (named,):
        return None
    return in_play(situation, named)


def _nothing_on_the_table(situation: Situation) -> None:
    state = play(situation.here)
    if state.raised:
        waiting, name = situation.names(state.raised.waiting), situation.name(state.raised.who)
        raise Refused(
            f"{owning(name)} raise of {state.raised.total} is for {waiting} to see first (or see none)."
        )
    for who in state.active():
        check_free(situation, who)


def _check_dice(situation: Situation, who: int, dice: tuple[int, ...]) -> None:
    if len(dice) != rules.DICE_OF_A_RAISE:
        put = "1 die was" if len(dice) == 1 else f"{len(dice)} dice were"
        raise Refused(f"A raise is two dice, such as raise 4+3; {put} put forward.")
    check_pool(situation, who, dice, free=False)
    kept = play(situation.here).people[who].kept
    if rules.lacking(dice, kept):
        raise Refused(f"The {shown(kept)} kept from the reversal must be in this raise: raise {kept[0]}+…")


def _affected(situation: Situation, who: int, named: tuple[int, ...]) -> tuple[int, ...]:
    """Who must see: those named, else the only one who stands against the raiser."""
    state = play(situation.here)
    if not named:
        mine = situation.here.side_of(who)
        named = tuple(one for one in state.active() if situation.here.side_of(one) != mine)
        if len(named) != 1:
            plus = "+".join(map(situation.quoted, named))
            raise Refused(f"Say whom it affects, for they must see it: raise 4+3 {plus}, or fewer of them.")
    for one in named:
        if one == who:
            raise Refused(f"{situation.name(who)} cannot be affected by their own raise.")
        if one not in state.people or state.people[one].out:
            raise Refused(f"{situation.name(one)} is not in play here: {situation.names(state.active())}.")
    return tuple(dict.fromkeys(named))
