"""Who comes into a conflict that is open, and who leaves it."""

from __future__ import annotations

from collections.abc import Collection

from journal.names import quoted
from journal.refused import Refused
from journal.shared.joining import without_them
from journal.system import Situation
from journal.systems.edgerunner.commands.ahead import conclude, defences_of, defences_on
from journal.systems.edgerunner.commands.opening import check_living
from journal.systems.edgerunner.commands.standing import actors, here
from journal.systems.edgerunner.commands.turns import where_it_stands
from journal.systems.edgerunner.options import chosen
from journal.vocabulary import events as e
from journal.vocabulary.base import GM, Event


def join(situation: Situation, joined: e.Joined) -> list[Event]:
    """People come in, nowhere on the map yet; the dead do not, nor does the referee."""
    if GM in joined.people:
        raise Refused("The game master is in every conflict: join says who else comes in.")
    check_living(situation, joined.people)
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """People go, and what they kept up is over; so is the conflict, once one side is left."""
    for who in left.people:
        _check_free(situation, who)
        _check_turn(situation, who, left.people)
    ended: list[Event] = []
    for who in left.people:
        over = (*defences_of(situation, who), *defences_on(situation, who))
        ended += [one for one in over if one not in ended]
    events = conclude(situation, [left, *ended])
    if any(isinstance(event, e.ConflictEnded) for event in events):
        return events
    return [*events, *without_them(situation, left)]


def _check_free(situation: Situation, who: int) -> None:
    """Refuses to let go whoever is out, and whoever an act on the table is by or aimed at."""
    state, name = here(situation), situation.name(who)
    if chosen(situation.table, "leaving") == "no":
        raise Refused(
            f"Nobody leaves a conflict here but by a concession: concede {quoted(name)}: the story."
        )
    if who in state.out:
        raise Refused(f"{name} is taken out, and goes nowhere.")
    for act in reversed(state.acts):
        if who in (act.who, *act.targets, act.asset):
            raise Refused(where_it_stands(situation, act))


def _check_turn(situation: Situation, who: int, leaving: Collection[int]) -> None:
    """To leave takes a turn where the table plays so; things have none, nor has anybody before it begins."""
    state, name = here(situation), situation.name(who)
    if chosen(situation.table, "leaving") == "free" or not state.exchange or who not in actors(situation):
        return
    if who in state.acted:
        raise Refused(f"{name} has acted in this exchange, and to leave takes a turn (option leaving).")
    if state.act is not None:
        raise Refused(where_it_stands(situation, state.act))
    if state.turn is not None and state.turn not in leaving:
        raise Refused(f"It is {situation.name(state.turn)}'s turn.")
