"""Commands `raise` (attack with two dice) and `see` (defend against a raise)."""

from __future__ import annotations

from retold.game import Event, Refused, Situation, possessive
from retold.games.guenask import events as g
from retold.games.guenask import rules
from retold.games.guenask.commands.fallout import blow_cost, taken_at_once, track_meant
from retold.games.guenask.commands.follow_ups import (
    bears_fallout,
    name_initiator,
    set_order_when_ready,
    situation_after,
    with_follow_ups,
)
from retold.games.guenask.commands.turns import (
    active_participant,
    actor,
    check_everybody_has_dice,
    check_free,
    check_pool,
    check_still_open,
    check_words,
    dice_in_words,
    read_sum,
)
from retold.games.guenask.commands.verbs import Raise, See
from retold.games.guenask.options import chosen
from retold.games.guenask.rules import Answer
from retold.games.guenask.state import conflict_state


def raise_(situation: Situation, command: Raise) -> list[Event]:
    """Returns the events of `raise`: two dice put forward to attack the people affected.

    `raise none` loses the stakes. Raises Refused while another raise is unanswered, out of turn, and for dice
    that are not in the pool.
    """
    check_still_open(situation)
    begins = _new_initiator(situation, command.who)
    first = set_order_when_ready(situation) if begins is None else name_initiator(situation, begins)
    situation = situation_after(situation, first) if first else situation
    check_everybody_has_dice(situation)
    _check_nothing_on_table(situation)
    who = actor(situation, command.who, "raises")
    if command.forward is None:
        lost = g.StakesLost(conflict=situation.here.id, who=who, how="unraised", text=command.text)
        return [*first, *with_follow_ups(situation, [lost])]
    dice = read_sum(command.forward)
    _check_dice(situation, who, dice)
    check_words(situation, command.text, f"raise {situation.quoted(who)} {command.forward}")
    raised = g.Raised(
        conflict=situation.here.id,
        who=who,
        dice=dice,
        total=sum(dice),
        to=_affected(situation, who, command.affected),
        text=command.text,
    )
    return [*first, *with_follow_ups(situation, [raised])]


def _new_initiator(situation: Situation, named: int | None) -> int | None:
    """Returns `named` if their raise makes them the initiator (first attacker); otherwise None.

    None after the first raise, while dice are missing, and if an initiator is set or `named` is next anyway.
    """
    state = conflict_state(situation.here)
    decided = state.first in state.active() or state.last is not None or state.raised is not None
    if named is None or decided or state.without_approach() or state.raisers() == (named,):
        return None
    return active_participant(situation, named)


def _check_nothing_on_table(situation: Situation) -> None:
    state = conflict_state(situation.here)
    if state.raised:
        waiting, name = situation.names(state.raised.waiting), situation.name(state.raised.who)
        raise Refused(
            f"{possessive(name)} raise of {state.raised.total} is for {waiting} to see first (or see none)."
        )
    for who in state.active():
        check_free(situation, who)


def _check_dice(situation: Situation, who: int, dice: tuple[int, ...]) -> None:
    if len(dice) != rules.DICE_OF_A_RAISE:
        put = "1 die was" if len(dice) == 1 else f"{len(dice)} dice were"
        raise Refused(f"A raise is two dice, such as raise 4+3; {put} put forward.")
    check_pool(situation, who, dice, free=False)
    kept = conflict_state(situation.here).people[who].kept
    if rules.lacking(dice, kept):
        raise Refused(
            f"The {dice_in_words(kept)} kept from the reversal must be in this raise: raise {kept[0]}+…"
        )


def _affected(situation: Situation, who: int, named: tuple[int, ...]) -> tuple[int, ...]:
    """Returns the people who must see (answer) the raise: the people `named`, or the only opponent.

    Raises Refused if several opponents are possible and none is named.
    """
    state = conflict_state(situation.here)
    if not named:
        named = state.opponents(who)
        if len(named) != 1:
            plus = "+".join(map(situation.quoted, named))
            raise Refused(
                f"Name the people it affects, for they must see it: raise 4+3 {plus}, or fewer of them."
            )
    for person in named:
        if person == who:
            raise Refused(f"{situation.name(who)} cannot be affected by their own raise.")
        if person not in state.people or state.people[person].out:
            raise Refused(f"{situation.name(person)} is not in play here: {situation.names(state.active())}.")
    return tuple(dict.fromkeys(named))


def see(situation: Situation, command: See) -> list[Event]:
    """Returns the events of `see`: an answer to the raise (attack) with dice; `see none` loses the stakes.

    One die reverses the raise, two block it, three or more take the blow, whose fallout (harm) follows.
    """
    check_still_open(situation)
    raised = conflict_state(situation.here).raised
    if raised is None:
        raise Refused("No raise is on the table, so there is nothing to see.")
    who = actor(situation, command.who, "sees")
    if command.forward is None:
        return _unseen(situation, who, command)
    dice = read_sum(command.forward)
    how = rules.answered(len(dice))
    _check_see(situation, who, dice, raised.total)
    check_words(situation, command.text, f"see {situation.quoted(who)} {command.forward}")
    if command.track is not None and how is not Answer.BLOW:
        put = "1 die brings" if len(dice) == 1 else f"{len(dice)} dice bring"
        raise Refused(f"{put} no fallout, so there is no track to name.")
    if command.track is not None and not bears_fallout(situation, who):
        raise Refused(f"{situation.name(who)} has no sheet and bears no fallout: leave out {command.track}.")
    if (
        how is Answer.REVERSE
        and len(conflict_state(situation.here).people[who].kept) >= rules.DICE_OF_A_RAISE
    ):
        raise Refused(f"{situation.name(who)} keeps two dice already, and a raise has no room for a third.")
    seen = g.Seen(
        conflict=situation.here.id,
        who=who,
        whose=raised.who,
        how=how,
        dice=dice,
        total=sum(dice),
        against=raised.total,
        cost=blow_cost(situation, who) if how is Answer.BLOW else None,
        text=command.text,
    )
    track = None if command.track is None else track_meant(situation, who, command.track)
    return _with_fallout(situation, seen, track)


def _with_fallout(
    situation: Situation, event: g.Seen | g.StakesLost, track: g.TrackName | None
) -> list[Event]:
    """Returns `event`, the marks of the fallout (harm) it costs, and the events that these bring about.

    Marks are made at once only if their track is known.
    """
    taken = taken_at_once(situation_after(situation, [event]), event.who, track) if event.cost else []
    return with_follow_ups(situation, [event, *taken])


def _check_see(situation: Situation, who: int, dice: tuple[int, ...], against: int) -> None:
    check_pool(situation, who, dice, free=True)
    if sum(dice) < against:
        missing = against - sum(dice)
        raise Refused(f"{sum(dice)} does not reach the raise of {against}: {missing} more, or see none.")


def _unseen(situation: Situation, who: int, command: See) -> list[Event]:
    cost = blow_cost(situation, who) if chosen(situation.table, "loss_fallout") == "blow" else None
    lost = g.StakesLost(conflict=situation.here.id, who=who, how="unseen", cost=cost, text=command.text)
    return _with_fallout(situation, lost, None)
