"""Whoever takes somebody out tells what becomes of them, and nobody tells that of themselves."""

from __future__ import annotations

from journal.refused import Refused
from journal.shared import speech
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands.ahead import conclude
from journal.systems.edgerunner.commands.standing import here, together
from journal.systems.edgerunner.state import Tale, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM, Event


def narrate(situation: Situation, command: c.Narrate) -> list[Event]:
    """Somebody tells what happens; while a tale is owed it is that, and for its teller alone."""
    told = speech.narrate(situation, command)
    tales = here(situation).tales
    if command.at is not None or not tales:
        return told
    teller = GM if command.who is None else command.who
    tale = next((tale for tale in tales if may_tell(situation, teller, tale)), None)
    if tale is None:
        out, by = situation.name(tales[0].on), situation.name(tales[0].by)
        raise Refused(f"It is for {by} to tell what becomes of {out} (narrate {by}: how it ends).")
    settled = g.TaleTold(conflict=situation.here.id, on=tale.on, by=teller)
    return conclude(situation, [*told, settled])


def may_tell(situation: Situation, who: int, tale: Tale) -> bool:
    """True for the referee, for who did it, for their side, and for whoever plays one of these."""
    if who == GM:
        return True
    tellers = [tale.by, *(one for one in situation.here.people if together(situation, one, tale.by))]
    return who in tellers or who in [shelf(situation.table).hand(one) for one in tellers]
