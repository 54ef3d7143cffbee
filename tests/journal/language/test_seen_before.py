"""Whoever asks what may be said at a table as it was is told what was seen then; at any other, anew."""

from __future__ import annotations

from journal.decks.chance import FirstDealer, Luck
from journal.language.proposed import seen_at
from journal.outlooks import outlooks
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.words import Words
from tests.scenario import cast, given

FIGHT = given(*cast("Ada", "Bea"), c.OpenConflict(system="bruise", sides=((1,), (2,))))


def looked(table: Table) -> list[object]:
    """What is found where nobody has looked before."""
    return list(outlooks(table, Luck(FirstDealer())))


def test_a_note_changes_nothing_that_may_be_said() -> None:
    noted = FIGHT.given(e.Noted(text=Words("It rains.")))

    assert noted.table.position != FIGHT.table.position
    assert seen_at(noted.table) is seen_at(FIGHT.table)


def test_what_is_taken_back_leaves_it_as_it_was_seen() -> None:
    before = seen_at(FIGHT.table)
    seen_at(FIGHT.given(c.Concede(who=1, text=Words("I go."))).table)

    assert seen_at(FIGHT.table) is before


def test_a_table_that_has_changed_is_looked_at_anew() -> None:
    table = FIGHT.table
    before = seen_at(table)
    table.conflicts.clear()

    assert seen_at(table) == looked(table) != before


def test_what_was_seen_in_another_order_is_looked_at_anew() -> None:
    fights = FIGHT.given(c.OpenConflict(system="bruise", sides=((1,), (2,)))).table
    fights.addressed = None
    first = seen_at(fights)
    fights.conflicts = dict(reversed(fights.conflicts.items()))

    assert [one.conflict for one in first] == [1, 2]
    assert [one.conflict for one in seen_at(fights)] == [2, 1]
