"""Who comes into a conflict that is open, and who leaves it."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.guenask.commands.ahead import conclude
from journal.systems.guenask.commands.entering import may_come_in
from journal.systems.guenask.commands.turns import still_open
from journal.systems.guenask.state import play
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def join(situation: Situation, joined: e.Joined) -> list[Event]:
    """People come in: they choose an approach and roll before anybody raises again."""
    still_open(situation)
    for who in joined.people:
        if who in play(situation.here).people:
            raise Refused(
                f"{situation.name(who)} has left this conflict, and whoever is out of it stays out."
            )
        may_come_in(situation, who)
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Leaving is giving, and taking along what one brought; with one side left the stakes are won."""
    still_open(situation)
    return conclude(situation, [left])
