"""A side concedes, and whoever took somebody out tells what becomes of them."""

from __future__ import annotations

from collections.abc import Mapping

from journal.names import quoted
from journal.refused import Refused
from journal.shared import conflicts, speech
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands.ahead import conclude
from journal.systems.edgerunner.commands.standing import here, pay, standing, together
from journal.systems.edgerunner.options import chosen
from journal.systems.edgerunner.state import Tale, shelf
from journal.table import Concession
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event

# --- concessions ------------------------------------------------------------------------------------------


Sides = Mapping[int, int]
"""The first who is left of a side, by the lead of that side."""


def concede(situation: Situation, command: c.Concede) -> list[Event]:
    """A side offers a story; its own offer before that is amended by it."""
    conflicts.opened(situation, "concede")
    who = _voice(situation, command.who, "concede", _standing(situation))
    offer = _offer(situation)
    amended = offer is not None and situation.here.side_of(offer.whose) == situation.here.side_of(who)
    return [conflicts.offered(situation, who, command.text, None if amended else offer)]


def accept_concession(situation: Situation, command: c.Accept) -> list[Event]:
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


def refuse_concession(situation: Situation, command: c.Refuse) -> list[Event]:
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


# --- tales ------------------------------------------------------------------------------------------------


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Somebody tells what happens; told by whoever owes a tale it is that, and never by whom it is about."""
    told = speech.narrate(situation, command)
    tales = here(situation).tales
    if command.at is not None or not tales:
        return told
    teller = GM if command.who is None else command.who
    tale = next((tale for tale in tales if may_tell(situation, teller, tale)), None)
    if tale is None and not _is_out(situation, teller):
        return told
    if tale is None:
        out, by = situation.name(tales[0].on), situation.name(tales[0].by)
        raise Refused(f"It is for {by} to tell what becomes of {out} (narrate {quoted(by)}: how it ends).")
    settled = g.TaleTold(conflict=situation.here.id, on=tale.on, by=teller)
    return conclude(situation, [*told, settled])


def _is_out(situation: Situation, teller: int) -> bool:
    """True for whoever a tale is owed of, for their player, and, once all hangs on it, for everybody."""
    own, tales = shelf(situation.table), here(situation).tales
    if any(question.name == "tale" and question.blocks for question in situation.questions()):
        return True
    return any(teller in (tale.on, own.hand(tale.on)) for tale in tales)


def may_tell(situation: Situation, who: int, tale: Tale) -> bool:
    """True for the referee, for who did it, for their side, and for whoever plays one of these."""
    if who == GM:
        return True
    tellers = [tale.by, *(one for one in situation.here.people if together(situation, one, tale.by))]
    return who in tellers or who in [shelf(situation.table).hand(one) for one in tellers]
