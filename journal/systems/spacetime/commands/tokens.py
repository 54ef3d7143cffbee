"""Tokens to overrule a narration: who is given them, and when."""

from __future__ import annotations

from collections.abc import Iterable

from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.state import each, holder, shelf
from journal.vocabulary.base import GM, Event


def tokens_for(situation: Situation, people: Iterable[int]) -> list[Event]:
    """A purse for each of these people's players who has had none."""
    held = shelf(situation.table).tokens
    new = tuple(dict.fromkeys(holder(situation.table, person) for person in people))
    lacking = tuple(person for person in new if person not in held)
    return [s.TokensGiven(people=lacking, each=each(situation.table))] if lacking else []


def begin_session(situation: Situation) -> list[Event]:
    """At the start of an evening every player and the game master has all their tokens again."""
    table = situation.table
    players = [somebody.id for somebody in table.everybody() if somebody.role == "player"]
    people = [GM, *players, *shelf(table).tokens]
    full = tuple(dict.fromkeys(holder(table, person) for person in people))
    return [s.TokensGiven(people=full, each=each(table))]
