"""Drawing against an obstacle until it gives way, at the cost of Complications."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.commands.dealing import Dealing, one_at_a_time
from journal.systems.spacetime.commands.rounds import Now
from journal.systems.spacetime.commands.speaking import speaker
from journal.systems.spacetime.commands.tactics import all_have_tactics
from journal.systems.spacetime.commands.verbs import AddComplication
from journal.systems.spacetime.state import Mode, parties, play
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def draw_costs(situation: Situation, command: c.Draw, now: Now) -> list[Event]:
    """Cards against an obstacle that gives way in the end, one at a time, each of them a cost."""
    acting = parties(situation.here)
    drawing = acting if command.who is None else (speaker(situation, command.who, "draws", acting).party,)
    all_have_tactics(situation, now.round)
    one_at_a_time(command)
    dealing = Dealing(situation, now.pile, list(now.before))
    for party in drawing:
        several = situation.luck.called and len(drawing) == 1
        for _ in range(max(1, situation.luck.rest()) if several else 1):
            dealing.cards(party, 1, "obstacle")
    return dealing.events


def add_complication(situation: Situation, command: AddComplication) -> list[Event]:
    """One text for each card an acting party drew against an obstacle."""
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
