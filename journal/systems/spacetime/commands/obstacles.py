"""Drawing against an obstacle until it gives way, at the cost of Complications."""

from __future__ import annotations

from collections.abc import Iterable

from journal.names import quoted
from journal.refused import Refused
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.commands.dealing import Dealing, one_at_a_time, said_to_lie
from journal.systems.spacetime.commands.rounds import Now
from journal.systems.spacetime.commands.speaking import played_by, speaker
from journal.systems.spacetime.commands.tactics import all_have_tactics
from journal.systems.spacetime.commands.verbs import AddComplication
from journal.systems.spacetime.options import NAME
from journal.systems.spacetime.state import Mode, Owed, holder, parties, play, shelf
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event, Question


def draw_costs(situation: Situation, command: c.Draw, now: Now) -> list[Event]:
    """Cards against an obstacle that gives way in the end, one at a time, each of them a cost."""
    acting = parties(situation.here)
    drawing = acting if command.who is None else (speaker(situation, command.who, "draws", acting).party,)
    all_have_tactics(situation, now.round)
    one_at_a_time(command)
    now = now.dealt_from(situation)
    dealing = Dealing(situation, now.pile, list(now.before), said_to_lie(situation, command, 1))
    for party in drawing:
        several = situation.luck.called and len(drawing) == 1
        for _ in range(max(1, situation.luck.rest()) if several else 1):
            dealing.cards(party, 1, "obstacle")
    return dealing.events


def _none_left(situation: Situation, who: int | None) -> str:
    """Why nothing can be told of a conflict that is over."""
    left = [owed.people[0] for owed in shelf(situation.table).owed]
    if who is None and left:
        return f"Say who has the Complication: {situation.names(left)}."
    return "No Complication is owed: one comes with each card drawn against an obstacle."


def _afterwards(situation: Situation, who: int | None) -> tuple[int, Owed] | None:
    """Whose Complication it is, and what is owed with it, where nobody owes it in the conflict spoken to."""
    here = situation.conflict
    if here is not None and here.system == NAME:
        party = None if who is None else here.side_of(played_by(situation, who))
        asked = parties(here) if who is None else () if party is None else (party,)
        if any(play(here).owed(one) > 0 for one in asked):
            return None
    table = situation.table
    left = [
        (person, owed)
        for owed in shelf(table).owed
        for person in owed.people
        if who in (None, person, holder(table, person))
    ]
    if not left or (who is None and len(shelf(table).owed) > 1):
        return None
    return left[0]


def complications_left(situation: Situation, leaving: Iterable[int]) -> list[Event]:
    """What these parties have yet to tell of the cards they drew, as they are out of the conflict."""
    here, state = situation.here, play(situation.here)
    people = {side[0]: side for side in here.sides}
    return [
        s.ComplicationsLeft(conflict=here.id, people=people[party], number=state.owed(party))
        for party in leaving
        if state.owed(party) > 0
    ]


def waiting(table: Table) -> tuple[Question, ...]:
    """The Complications still to be told of conflicts that are over."""
    return tuple(
        Question("complications", to_be_told(table, owed.people[0], owed.number), (), None, blocks=False)
        for owed in shelf(table).owed
    )


def to_be_told(table: Table, party: int, owed: int) -> str:
    """How many Complications are to be told of a party, and by which line."""
    many = "1 Complication is" if owed == 1 else f"{owed} Complications are"
    name = table.name(party)
    return f"{many} to be told of {name} (complication {quoted(name)}: …)."


def add_complication(situation: Situation, command: AddComplication) -> list[Event]:
    """One text for each card an acting party drew against an obstacle, in the conflict or afterwards."""
    afterwards = _afterwards(situation, command.who)
    if afterwards is not None:
        who, owed = afterwards
        return [s.ComplicationAdded(conflict=owed.conflict, who=who, text=command.text)]
    if situation.conflict is None or situation.conflict.system != NAME:
        raise Refused(_none_left(situation, command.who))
    here, state = situation.here, play(situation.here)
    if state.obstacle is None:
        raise Refused("Complications come from cards drawn against an obstacle, and there is none here.")
    if state.mode is Mode.CHALLENGE:
        raise Refused("A challenge has a cost in place of Complications.")
    owing = [party for party in parties(here) if state.owed(party) > 0]
    acting = parties(here)
    who, party = speaker(situation, command.who, "has the Complication", owing or acting)
    if state.owed(party) < 1:
        cards = state.cards.get(party, 0)
        drawn = "1 card" if cards == 1 else f"{cards} cards"
        raise Refused(f"{situation.name(who)} has drawn {drawn} and has a Complication for each.")
    return [s.ComplicationAdded(conflict=here.id, who=who, text=command.text)]
