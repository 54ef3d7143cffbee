"""Whoever takes somebody out tells what becomes of them, and nobody tells that of themselves."""

from __future__ import annotations

from journal.names import quoted
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
