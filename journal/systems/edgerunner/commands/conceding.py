"""Concessions: a side that still stands offers how it loses, and every other that stands has a say."""

from __future__ import annotations

from collections.abc import Mapping

from journal.refused import Refused
from journal.shared import conflicts
from journal.system import Situation
from journal.systems.edgerunner.commands.standing import here, pay, standing
from journal.systems.edgerunner.options import chosen
from journal.table import Concession
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event

Sides = Mapping[int, int]
"""The first who is left of a side, by the lead of that side."""


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """A side offers a story; its own offer before that is amended by it."""
    conflicts.opened(situation, "concede")
    who = _voice(situation, command.who, "concede", _standing(situation))
    offer = _offer(situation)
    amended = offer is not None and situation.here.side_of(offer.whose) == situation.here.side_of(who)
    return [conflicts.offered(situation, who, command.text, None if amended else offer)]


def accept(situation: Situation, command: c.Accept) -> list[Event]:
    """A side takes the story; once every other side that stands has, it is true and the conflict over."""
    conflict = conflicts.opened(situation, "accept")
    offer = conflicts.on_the_table(_offer(situation), "accept")
    others = _others(situation, offer)
    agreed = {conflict.side_of(who) for who in offer.accepted}
    left = {lead: first for lead, first in others.items() if lead not in agreed}
    who = _voice(situation, command.who, "accept", left or others)
    accepted = e.ConcessionAccepted(conflict=conflict.id, who=who, whose=offer.whose, text=command.text)
    if left.keys() - {conflict.side_of(who)}:
        return [accepted]
    reward = chosen.yes(situation.table, "concession_reward")
    paid = pay(situation, GM, offer.whose, "concession") if reward else []
    winner = conflict.side_of(who) if len(others) == 1 else None
    return [accepted, *paid, *conflicts.settled(situation, winner)]


def refuse(situation: Situation, command: c.Refuse) -> list[Event]:
    """A side will not have the story, and play goes on."""
    conflict = conflicts.opened(situation, "refuse")
    offer = conflicts.on_the_table(_offer(situation), "refuse")
    who = _voice(situation, command.who, "refuse", _others(situation, offer))
    return [e.ConcessionRefused(conflict=conflict.id, who=who, whose=offer.whose, text=command.text)]


# --- who has a say ----------------------------------------------------------------------------------------


def _standing(situation: Situation) -> Sides:
    """Every side that is not wholly taken out."""
    left = [standing(situation.table, situation.here, side) for side in situation.here.sides]
    return {lead: side[0] for lead, side in zip(situation.here.leads, left, strict=True) if side}


def _others(situation: Situation, offer: Concession) -> Sides:
    """Every side that has to accept an offer."""
    own = situation.here.side_of(offer.whose)
    return {lead: first for lead, first in _standing(situation).items() if lead != own}


def _offer(situation: Situation) -> Concession | None:
    """The concession on the table, as long as the side it comes from stands."""
    offer = situation.here.concession
    return None if offer is None or situation.here.side_of(offer.whose) not in _standing(situation) else offer


def _voice(situation: Situation, who: int | None, verb: str, sides: Sides) -> int:
    """Who speaks for one of these sides; Refused for whoever is out, and for every other side."""
    speaks = conflicts.speaker(situation, who, f"{verb}s", tuple(sides.values()))
    if who is None:
        return speaks
    if who in here(situation).out:
        mate = sides.get(speaks)
        instead = "" if mate is None else f": {situation.name(mate)} may speak for that side"
        raise Refused(f"{situation.name(who)} is taken out{instead}.")
    if speaks not in sides:
        raise Refused(f"It is for {situation.names(sides.values())} to {verb}.")
    return who
