"""Who comes into a conflict that is open, and who leaves it: what every game has of it in common."""

from __future__ import annotations

from typing import Final

from journal.names import quoted
from journal.refused import Refused
from journal.shared.conflicts import FEWEST_SIDES, opened, settled
from journal.shared.people import Arrivals
from journal.system import Situation
from journal.table import OpenConflict
from journal.visibility import is_secret_number
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

LEFT: Final = "left"
"""How a conflict ends that all sides but one have left."""


def join(situation: Situation, command: c.Join) -> list[Event]:
    """People come in, those nobody has heard of entering the cast with it; when they act, their game says."""
    conflict = opened(situation, "join")
    situation.nothing_pending(conflict)
    arrivals = Arrivals(situation)
    people = tuple(dict.fromkeys(arrivals.id(who, "side") for who in command.who))
    situation = arrivals.met()
    for who in people:
        if conflict.side_of(who) is not None:
            raise Refused(f"{situation.name(who)} is in this conflict already.")
    side = None if command.side is None else _side(situation, conflict, command.side)
    if (
        side is not None
        and situation.table.secret(side) is not None
        and not all(map(is_secret_number, people))
    ):
        name = situation.name(side)
        raise Refused(
            f"Nobody whom all know is on the side of {name}, and all would see who joins it:"
            f" reveal {quoted(name)} first."
        )
    joined = e.Joined(
        conflict=conflict.id,
        people=people,
        side=side,
        text=command.text,
    )
    return [*arrivals.events, *situation.systems[conflict.system].join(situation, joined)]


def leave(situation: Situation, command: c.Leave) -> list[Event]:
    """People of one side leave; what it costs them, and what becomes of their side, their game says."""
    conflict = opened(situation, "leave")
    situation.nothing_pending(conflict)
    people = tuple(dict.fromkeys(command.who))
    sides = list(dict.fromkeys(_side(situation, conflict, who) for who in people))
    if len(sides) > 1:
        raise Refused(f"{situation.names(people)} are on different sides: say for each side who leaves it.")
    left = e.Left(conflict=conflict.id, people=people, side=sides[0], text=command.text)
    return situation.systems[conflict.system].leave(situation, left)


def _side(situation: Situation, conflict: OpenConflict, who: int) -> int:
    """The side of `who`, by whom it is known; Refused for somebody who is not in the conflict."""
    side = conflict.side_of(who)
    if side is None:
        sides = ", ".join(map(situation.name, conflict.leads))
        raise Refused(f"{situation.name(who)} is on no side of this conflict. Its sides are: {sides}.")
    return side


def without_them(situation: Situation, left: e.Left) -> list[Event]:
    """How the conflict spoken to ends by their leaving; nothing while two sides have yet to settle it.

    It ends `left`, won by the side that remains; or as conceded, where they alone had not yet accepted an
    offer. A game asks this last, of the conflict as it was before they left; its `close` takes the word.
    """
    conflict = situation.here
    leads = {side[0]: [one for one in side if one not in left.people] for side in conflict.sides}
    remain = [side[0] for side in leads.values() if side]
    if len(remain) < FEWEST_SIDES:
        closing = situation.systems[conflict.system].close(situation, LEFT)
        winner = remain[0] if remain else None
        return [*closing, e.ConflictEnded(conflict=conflict.id, how=LEFT, winner=winner)]
    offer = conflict.concession
    if offer is None or offer.whose in left.people or leads[left.side]:
        return []
    sides_that_took_it = {conflict.side_of(who) for who in offer.accepted}
    own = conflict.side_of(offer.whose)
    others = [lead for lead, side in leads.items() if side and lead not in (own, *sides_that_took_it)]
    return [] if others else settled(situation, None)
