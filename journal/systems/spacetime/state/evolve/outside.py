"""What outlives a conflict: the deck's cards, tokens and Sleeve cards, Complications yet to be told."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.spacetime import events as s
from journal.systems.spacetime.options import NAME
from journal.systems.spacetime.state.deck import refit
from journal.systems.spacetime.state.found import own, play, shelf
from journal.systems.spacetime.state.shelf import Owed, Shelf
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _option_set(table: Table, event: e.OptionSet) -> None:
    pile = shelf(table).pile
    if event.system == NAME and event.key == "blank_cards" and pile is not None:
        refit(pile, event.value)


def _session_opened(table: Table, _event: e.SessionOpened) -> None:
    shelf(table).owed.clear()


def _tokens_given(table: Table, event: s.TokensGiven) -> None:
    dealt = dict.fromkeys(event.people, event.each)
    own(table).tokens.update(dealt)
    own(table).given.update(dealt)


def _sleeve_gained(table: Table, event: s.SleeveGained) -> None:
    own(table).sleeve[event.who] = event.total


def _number_set(table: Table, event: s.NumberSet) -> None:
    held = own(table)
    purse = held.tokens if event.what == "tokens" else held.sleeve
    purse[event.who] = event.value


def _complication_added(table: Table, event: s.ComplicationAdded) -> None:
    conflict = table.conflicts.get(event.conflict)
    party = None if conflict is None else conflict.side_of(event.who)
    if conflict is None or party is None or play(conflict).owed(party) < 1:
        _told_afterwards(own(table), event)
        return
    told = play(conflict).complications
    told[party] = told.get(party, 0) + 1


def _told_afterwards(shelf_: Shelf, event: s.ComplicationAdded) -> None:
    """One less is owed by a party that is out of its conflict."""
    for owed in shelf_.owed:
        if owed.conflict == event.conflict and event.who in owed.people:
            owed.number -= 1
            break
    shelf_.owed = [owed for owed in shelf_.owed if owed.number > 0]


def _complications_left(table: Table, event: s.ComplicationsLeft) -> None:
    own(table).owed.append(Owed(event.conflict, event.people, event.number))


HANDLERS: Mapping[type[Event], Handler] = {
    e.OptionSet: _option_set,
    e.SessionOpened: _session_opened,
    s.TokensGiven: _tokens_given,
    s.ComplicationAdded: _complication_added,
    s.ComplicationsLeft: _complications_left,
    s.SleeveGained: _sleeve_gained,
    s.NumberSet: _number_set,
}
