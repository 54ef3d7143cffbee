"""A see: one die reverses, two block, three or more take the blow; or nothing, and the stakes are lost."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.guenask import events as g
from journal.systems.guenask import rules
from journal.systems.guenask.commands.ahead import after, conclude
from journal.systems.guenask.commands.burdens import cost_of, taken_at_once, track_meant
from journal.systems.guenask.commands.marking import bears_fallout
from journal.systems.guenask.commands.turns import actor, check_pool, read_sum, said_with, still_open
from journal.systems.guenask.commands.verbs import See
from journal.systems.guenask.options import chosen
from journal.systems.guenask.rules import Answer
from journal.systems.guenask.state import play
from journal.vocabulary.base import Event


def see(situation: Situation, command: See) -> list[Event]:
    """The dice decide what kind of answer it is, and a blow brings its fallout with it."""
    still_open(situation)
    raised = play(situation.here).raised
    if raised is None:
        raise Refused("No raise is on the table, so there is nothing to see.")
    who = actor(situation, command.who, "sees")
    if command.forward is None:
        return _unseen(situation, who, command)
    dice = read_sum(command.forward)
    how = rules.answered(len(dice))
    _check(situation, who, dice, raised.total)
    said_with(situation, command.text, f"see {situation.quoted(who)} {command.forward}")
    if command.track is not None and how is not Answer.BLOW:
        put = "1 die brings" if len(dice) == 1 else f"{len(dice)} dice bring"
        raise Refused(f"{put} no fallout, so there is no track to name.")
    if command.track is not None and not bears_fallout(situation, who):
        raise Refused(f"{situation.name(who)} has no sheet and bears no fallout: leave out {command.track}.")
    if how is Answer.REVERSE and len(play(situation.here).people[who].kept) >= rules.DICE_OF_A_RAISE:
        raise Refused(f"{situation.name(who)} keeps two dice already, and a raise has no room for a third.")
    seen = g.Seen(
        conflict=situation.here.id,
        who=who,
        whose=raised.who,
        how=how,
        dice=dice,
        total=sum(dice),
        against=raised.total,
        cost=cost_of(situation, who) if how is Answer.BLOW else None,
        text=command.text,
    )
    if how is not Answer.BLOW:
        return conclude(situation, [seen])
    track = None if command.track is None else track_meant(situation, who, command.track)
    taken = taken_at_once(after(situation, [seen]), who, track) if seen.cost else []
    return conclude(situation, [seen, *taken])


def _check(situation: Situation, who: int, dice: tuple[int, ...], against: int) -> None:
    check_pool(situation, who, dice, free=True)
    if sum(dice) < against:
        missing = against - sum(dice)
        raise Refused(f"{sum(dice)} does not reach the raise of {against}: {missing} more, or see none.")


def _unseen(situation: Situation, who: int, command: See) -> list[Event]:
    cost = cost_of(situation, who) if chosen(situation.table, "loss_fallout") == "blow" else None
    lost = g.StakesLost(conflict=situation.here.id, who=who, how="unseen", cost=cost, text=command.text)
    taken = taken_at_once(after(situation, [lost]), who, None) if cost else []
    return conclude(situation, [lost, *taken])
