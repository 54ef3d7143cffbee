"""The Balance as it is typed, recorded and said in a sentence."""

from __future__ import annotations

from typing import Final

from journal.names import find, fold
from journal.refused import Refused
from journal.system import Situation
from journal.systems.spacetime import events as s
from journal.systems.spacetime.rules import Balance, Level
from journal.table import Table
from journal.vocabulary import events as e

BALANCES: Final = "balanced|unbalanced:NAME|overwhelming:NAME"


def read_balance(situation: Situation, typed: str, sides: e.Sides) -> Balance:
    """The Balance behind `unbalanced:Reeve`, or `unbalanced:7` where 7 is Reeve."""
    word, _, name = typed.partition(":")
    level = fold(word)
    if level not in tuple(Level):
        raise Refused(f"A Balance is {BALANCES}, not {typed}.")
    if (level == Level.BALANCED) != (name == ""):
        sentence = "balanced favours nobody" if name else f"say whom it favours: {level}:NAME"
        raise Refused(f"A Balance is {BALANCES}; {sentence}.")
    if not name:
        return Balance()
    return Balance(Level(level), _side_of(sides, named(situation, name, sides)))


def named(situation: Situation, typed: str, sides: e.Sides) -> int:
    """Who of these sides is meant, by id or by name."""
    people = [person for side in sides for person in side]
    if not typed.isdecimal():
        known = situation.table.names()
        return find(typed, {person: known[person] for person in people})
    if int(typed) not in people:
        raise Refused(f"{situation.name(int(typed))} is on no side of this conflict.")
    return int(typed)


def _side_of(sides: e.Sides, person: int) -> int:
    return next(side[0] for side in sides if person in side)


def balance_set(conflict: int, standing: Balance) -> s.BalanceSet:
    """The Balance stands so, by the table's word."""
    return s.BalanceSet(conflict=conflict, level=standing.level, advantaged=standing.advantaged)


def where_it_stands(table: Table, standing: Balance) -> str:
    """`balanced`, or `unbalanced for Reeve`."""
    favoured = "" if standing.advantaged is None else f" for {table.name(standing.advantaged)}"
    return f"{standing.level}{favoured}"
