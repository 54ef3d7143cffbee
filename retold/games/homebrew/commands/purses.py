"""Decisions about money: the party's own purse, and what one person hands to another."""

from __future__ import annotations

from retold.games.homebrew.commands.tracks import keep, track_called, track_changes
from retold.games.homebrew.commands.verbs import FillPurse, Keep, Pay
from retold.games.homebrew.rules import HIGHEST, Kind
from retold.games.homebrew.state import shelf
from retold.journal.refused import Refused
from retold.journal.shared.people import PURSE, NewcomerIds, purse_of
from retold.journal.system import Situation
from retold.journal.vocabulary.base import Event


def fill(situation: Situation, command: FillPurse) -> list[Event]:
    """Returns the events that change what is in the party's purse; the first introduces the purse.

    Raises Refused if there is less in it than is taken out.
    """
    arrivals = NewcomerIds(situation)
    known = purse_of(situation.table)
    purse = arrivals.id(PURSE if known is None else known, "side")
    there = arrivals.met()
    _check_enough(there, purse, command.track, command.value)
    line = Keep(who=purse, track=command.track, value=command.value, text=command.text)
    return [*arrivals.events, *keep(there, line)]


def _check_enough(situation: Situation, who: int, typed: str, value: str) -> None:
    """Raises Refused if a change such as `-5` takes more of a counter than there is."""
    if not value.startswith("-") or not value[1:].isdecimal():
        return
    name = track_called(situation, who, typed, value)
    kept = shelf(situation.table).kept(who, name)
    has = 0 if kept is None else kept.now
    if has < int(value[1:]):
        raise Refused(f"{situation.name(who)} has {has} {name}, not {value[1:]}.")


def _check_known(situation: Situation, command: Pay, name: str) -> None:
    """Raises Refused for a gift between a secret and a public person.

    What the known one has would be as secret as the gift from then on.
    """
    secret = [who for who in (command.giver, command.taker) if situation.table.secret(who) is not None]
    if len(secret) != 1:
        return
    signs = {command.giver: "-", command.taker: "+"}
    known = next(who for who in signs if who not in secret)
    lines = [
        f"{name} {situation.quoted(who)} {signs[who]}{command.amount}{' --gm' if who in secret else ''}"
        for who in (known, *secret)
    ]
    raise Refused(
        f"{situation.name(secret[0])} is secret and {situation.name(known)} is not: {' and '.join(lines)}."
    )


def pay(situation: Situation, command: Pay) -> list[Event]:
    """Returns the two events by which a counter moves from one person to another.

    Raises Refused if the giver has less, if the taker has no room, for one person on both sides, and if only
    one of the two is secret.
    """
    giver, taker, amount = command.giver, command.taker, command.amount
    if giver == taker:
        raise Refused(f"{situation.name(giver)} is on both sides: name two people.")
    if not 1 <= amount <= HIGHEST:
        raise Refused(f"What is handed over is 1 to {HIGHEST}, not {amount}.")
    name = track_called(situation, giver, command.track, f"-{amount}")
    _check_known(situation, command, name)
    _check_enough(situation, giver, name, f"-{amount}")
    here = shelf(situation.table)
    if name in here.game.tracks and here.game.tracks[name].kind is not Kind.COUNTER:
        raise Refused(f"{name} is nothing that is handed over; what is counted is: coin, gold, a counter.")
    held, before = here.kept(giver, name), here.kept(taker, name)
    has = 0 if before is None else before.now
    most = before.most if before is not None else getattr(held, "most", None)
    if has + amount > (HIGHEST if most is None else most):
        room = f"{has}" if most is None else f"{has} of {most}"
        raise Refused(f"{situation.name(taker)} has {room} {name}, and no room for {amount} more.")
    had, its_most = (0, None) if held is None else (held.now, held.most)
    less = track_changes(situation, giver, name, had - amount, most=its_most)
    more = track_changes(situation, taker, name, has + amount, most=most)
    return [less.but({"by": taker, "text": command.text}), more.but({"by": giver})]
