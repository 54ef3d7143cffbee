"""A faction's deck is made whole before it is spent, because somebody at the table has shuffled it."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey.options import NAME, chosen
from journal.systems.whiskey.rules import DeckMode
from journal.systems.whiskey.state import faction, shelf
from journal.vocabulary import commands as c
from journal.vocabulary.base import Event


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """All that is out goes back; the half in play stays in play."""
    if chosen(situation.table, "deck") == DeckMode.D26:
        raise Refused("This table rolls a d26 (option whiskey.deck=d26): there is no deck to shuffle.")
    whose = _whose(situation, command.who)
    cards = shelf(situation.table).cards.get(whose)
    if cards is None or not cards.discarded():
        raise Refused(f"The {whose} deck is whole: nothing of it is out.")
    conflict = situation.conflict.id if situation.conflict and situation.here.system == NAME else None
    return [w.DeckReshuffled(conflict=conflict, faction=whose, half=cards.half, why="asked")]


def _whose(situation: Situation, who: int | None) -> str:
    """The faction of whoever is named; with nobody named, the only one that has cards out."""
    if who is not None:
        return faction(situation.table, who)
    begun = [name for name, cards in shelf(situation.table).cards.items() if cards.discarded()]
    if not begun:
        raise Refused("Every Whiskey deck is whole: nothing is out.")
    if len(begun) > 1:
        raise Refused(f"Say whose deck, by anybody who draws from it: shuffle NAME ({', '.join(begun)}).")
    return begun[0]
