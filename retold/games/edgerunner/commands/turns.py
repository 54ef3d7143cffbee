"""Exchanges (rounds) and turns: beginning an exchange, claiming a turn, giving up an announced act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from retold.game import Event, Refused, Situation, Words, clean, possessive, quoted
from retold.games.edgerunner import events as g
from retold.games.edgerunner import rules
from retold.games.edgerunner.commands.follow_ups import ended_defences, with_follow_ups
from retold.games.edgerunner.commands.positions import actor, actors, current_conflict, name_of
from retold.games.edgerunner.commands.verbs import BeginExchange, ClaimTurn, Forfeit
from retold.games.edgerunner.measures import in_shifts
from retold.games.edgerunner.options import chosen
from retold.games.edgerunner.rules import Act, Role
from retold.games.edgerunner.state import Action, game_state, whose_turn, yet_to_act

_DEEDS: Final[Mapping[Act, str]] = {
    Act.MOVE: "move",
    Act.ATTACK: "attack",
    Act.DEFEND: "defence",
    Act.MANEUVER: "maneuver",
    Act.RECOVER: "recovery",
    Act.DEPLOY: "deployment",
    Act.SIMPLE: "simple act",
}


# --- the exchange -----------------------------------------------------------------------------------------


def begin_exchange(situation: Situation, command: BeginExchange) -> list[Event]:
    """Returns the event that begins the next exchange; raises Refused while people have yet to act.

    Without a length, the exchange is as long as the previous one.
    """
    state = current_conflict(situation)
    check_nothing_open(situation)
    if state.act is not None:
        raise Refused(describe_blocking(situation, state.act))
    waiting = yet_to_act(situation.table, situation.here)
    if state.exchange and waiting:
        have = "has" if len(waiting) == 1 else "have"
        raise Refused(
            f"{situation.names(waiting)} {have} yet to act in this exchange;"
            f" to wait is: simple {situation.quoted(waiting[0])}."
        )
    step, length = _length(situation, command.length)
    return [
        g.ExchangeBegan(
            conflict=situation.here.id,
            exchange=state.exchange + 1,
            step=step,
            length=length,
            text=command.text,
        )
    ]


def _length(situation: Situation, typed: str | None) -> tuple[int | None, Words | None]:
    """Returns the exchange length as time step and words: `(1, None)` for `a few moments`.

    Words off the time track give None and the words; without words, the previous length and None.
    """
    if typed is None or typed.isdecimal():  # `exchange 2` only counts
        return current_conflict(situation).step, None
    step = rules.time_step(typed)
    return step, Words(clean(typed)) if step is None else None


# --- whose turn -------------------------------------------------------------------------------------------


def claim_turn(situation: Situation, command: ClaimTurn) -> list[Event]:
    """Returns the event that gives the turn to the named person, or to the highest of several bidders.

    After tied bids a person named without a bid keeps the one they made. Equal highest bids give a BidsTied
    event instead, for a ruling. A turn in which no act was announced passes on to the one named.
    """
    state = current_conflict(situation)
    bids = _bids(situation, command)
    for who in (command.who, *command.rivals):
        check_may_act(situation, who)
    if not state.tied:
        check_nothing_open(situation)
    if state.act is not None:
        raise Refused(describe_blocking(situation, state.act))
    if state.turn == command.who and not bids:
        raise Refused(f"It is {possessive(situation.name(command.who))} turn already.")
    if not bids and command.who in state.tied and not command.tied_bid_lost:
        made = tuple(g.Bid(who=who, shifts=shifts) for who, shifts in state.tied.items())
        return [g.TurnClaimed(conflict=situation.here.id, who=command.who, bids=made, text=command.text)]
    highest = rules.highest_bid({bid.who: bid.shifts for bid in bids}) or (command.who,)
    if len(highest) > 1:
        return [g.BidsTied(conflict=situation.here.id, bids=bids)]
    return [g.TurnClaimed(conflict=situation.here.id, who=highest[0], bids=bids, text=command.text)]


def _bids(situation: Situation, command: ClaimTurn) -> tuple[g.Bid, ...]:
    name = situation.name(command.who)
    if command.bid is None and not command.rivals:
        return ()
    if chosen(situation.table, "initiative") == "order":
        raise Refused(f"It goes round the table, without bids (option initiative): next {quoted(name)}.")
    if command.bid is None:
        raise Refused(
            f"Say what {name} bids, too: next {quoted(name)} 1 {situation.quoted(command.rivals[0])} 1."
        )
    bids = [(command.who, command.bid), *zip(command.rivals, command.bids, strict=True)]
    for who, shifts in bids:
        if [bidder for bidder, _ in bids].count(who) > 1:
            raise Refused(f"{situation.name(who)} bids twice: each bids once.")
        if shifts < 0:
            raise Refused(f"A bid is shifts to give up, 0 or more, not {shifts}.")
    return tuple(g.Bid(who=who, shifts=shifts) for who, shifts in bids)


def turn_for(situation: Situation, who: int, *, interrupt: bool = False, extra: bool = False) -> list[Event]:
    """Returns the event that claims the turn for `who`'s act; empty if they have it already.

    Raises Refused if they cannot act now. `interrupt`: a solo acts within another's turn, which is not
    claimed; `extra`: an upgrade's additional act.
    """
    state = current_conflict(situation)
    check_may_act(situation, who, extra=extra)
    check_nothing_open(situation)
    if interrupt:
        _check_interrupt(situation, who)
        return []
    if state.act is not None:
        raise Refused(describe_blocking(situation, state.act))
    holder = whose_turn(situation.table, situation.here)
    if holder not in (None, who) and not (extra and state.turn is None):
        owner, other = possessive(situation.name(holder or 0)), possessive(situation.name(who))
        raise Refused(f"It is {owner} turn. If it is {other}: next {situation.quoted(who)}.")
    return [] if state.turn == who else [g.TurnClaimed(conflict=situation.here.id, who=who)]


def check_may_act(situation: Situation, who: int, *, extra: bool = False) -> None:
    """Raises Refused unless `who` has a turn left in this exchange.

    With `extra`, unless an upgrade gives them an additional act they have not used.
    """
    name, state = situation.name(who), current_conflict(situation)
    if not state.exchange:
        raise Refused("No exchange has begun: exchange a few moments.")
    if actor(situation, who) not in actors(situation):
        raise Refused(f"{name} takes no turn: {situation.names(actors(situation))}.")
    if extra:
        _check_extra_act(situation, who)
    elif who in state.acted:
        waiting = () if state.turn or state.act else yet_to_act(situation.table, situation.here)
        left = "".join(f"; to go on: next {situation.quoted(other)}" for other in waiting[:1])
        raise Refused(f"{name} has acted in this exchange{left}.")


def _check_extra_act(situation: Situation, who: int) -> None:
    """Raises Refused unless an upgrade gives `who` an additional act, not used yet, after their own turn."""
    name, state = situation.name(who), current_conflict(situation)
    if extra_of(situation, who) is None:
        raise Refused(f"{name} has no upgrade for it: cast {quoted(name)} upgrade.NAME={EXTRA}/4.")
    if who not in state.acted:
        raise Refused(f"{name} has yet to act in this exchange: leave out --extra.")
    if who in state.extras:
        raise Refused(f"{name} has made the extra act of this exchange.")


EXTRA: Final = "extra"
"""Skill name of an upgrade that gives an additional act."""


def extra_of(situation: Situation, who: int) -> str | None:
    """Returns the name of an upgrade that gives a person an additional act per exchange; None without."""
    upgrades = game_state(situation.table).sheet(who).upgrades
    return next((name for name, upgrade in upgrades.items() if upgrade.skill == EXTRA), None)


def _check_interrupt(situation: Situation, who: int) -> None:
    """Raises Refused unless `who`, of the role solo, can interrupt the person acting.

    That is impossible if no one acts, the person acting is a solo too, or `who` acts already or is being
    helped to recover.
    """
    name, state, own = situation.name(who), current_conflict(situation), game_state(situation.table)
    holder = state.turn if state.act is None else state.act.who
    if own.sheet(who).role != Role.SOLO:
        raise Refused(f"{name} is no solo (role=solo on the sheet), and only a solo interrupts.")
    if holder is None:
        raise Refused(f"No act is open for {name} to interrupt: leave out --interrupt.")
    if who in (holder, *(act.who for act in state.acts)):
        raise Refused(f"{name} is acting already.")
    if any(act.act is Act.RECOVER and who in act.targets for act in state.acts):
        raise Refused(f"{name} is being helped to recover, and gives their turn for it.")
    if own.sheet(holder).role == Role.SOLO:
        raise Refused(f"{situation.name(holder)} is a solo too, and cannot be interrupted.")


# --- obstacles to a turn ----------------------------------------------------------------------------------


def check_nothing_open(situation: Situation) -> None:
    """Raises Refused while a question of this conflict must be answered before play goes on."""
    situation.nothing_pending(situation.here)


def describe_act(situation: Situation, act: Action) -> str:
    """Returns a sentence on an announced or rolled act, with the commands that can follow."""
    done, name = act_in_words(situation, act), situation.name(act.who)
    if act.rolled:
        return f"{done} stands at {in_shifts(act.shifts)}: invoke, boost, resist, or apply."
    if act.act is Act.SIMPLE:
        return f"{done} is announced and takes no dice: apply, or forfeit {quoted(name)}."
    return f"{done} is announced: roll {quoted(name)}, or forfeit {quoted(name)}."


def describe_blocking(situation: Situation, act: Action) -> str:
    """Returns `describe_act` for an act that others wait for, with the option that ends it by itself."""
    described = describe_act(situation, act)
    if not act.rolled or chosen(situation.table, "applies") == "next":
        return described
    return f"{described.removesuffix('.')} (option applies=next: the next act applies it)."


def act_in_words(situation: Situation, act: Action) -> str:
    """Returns an act's actor, kind and target, such as `Hargan's attack on Gatto`."""
    named = f"{possessive(situation.name(act.who))} {_DEEDS[act.act]}"
    return named if act.target is None else f"{named} on {name_of(situation, act.target)}"


# --- letting go -------------------------------------------------------------------------------------------


def forfeit(situation: Situation, command: Forfeit) -> list[Event]:
    """Returns the events that cancel the announced act and end its actor's turn and defences.

    Raises Refused once its dice are rolled.
    """
    act = current_conflict(situation).act
    if act is None:
        raise Refused("No act is announced that could be forfeited; who waits does it by: simple NAME.")
    if command.who not in (None, act.who):
        raise Refused(describe_act(situation, act))
    if act.rolled:
        raise Refused(f"{act_in_words(situation, act)} is rolled already, and ends by apply.")
    check_nothing_open(situation)
    gone = g.ActionForfeited(conflict=situation.here.id, who=act.who, why="choice", text=command.text)
    return with_follow_ups(situation, [gone, *ended_defences(situation, by=act.who)])
