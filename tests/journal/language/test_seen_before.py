"""Whoever asks what may be said at a table as it was is told what was seen then; at any other, anew."""

from __future__ import annotations

from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.proposed import actions_at, available_actions
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.scenario import cast, given

FIGHT = given(*cast("Ada", "Bea"), c.OpenConflict(system="bruise", sides=((1,), (2,))))


def looked(table: Table) -> list[object]:
    """What is found where nobody has looked before."""
    return list(available_actions(table, Luck(FirstDealer())))


def test_a_note_changes_nothing_that_may_be_said() -> None:
    noted = FIGHT.given(e.Noted(text=Words("It rains.")))

    assert noted.table.position != FIGHT.table.position
    assert actions_at(noted.table) is actions_at(FIGHT.table)


def test_what_is_taken_back_leaves_it_as_it_was_seen() -> None:
    before = actions_at(FIGHT.table)
    actions_at(FIGHT.given(c.Concede(who=1, text=Words("I go."))).table)

    assert actions_at(FIGHT.table) is before


def test_a_table_that_has_changed_is_looked_at_anew() -> None:
    table = FIGHT.table
    before = actions_at(table)
    table.conflicts.clear()

    assert actions_at(table) == looked(table) != before


def test_what_was_seen_in_another_order_is_looked_at_anew() -> None:
    fights = FIGHT.given(c.OpenConflict(system="bruise", sides=((1,), (2,)))).table
    fights.addressed = None
    first = actions_at(fights)
    fights.conflicts = dict(reversed(fights.conflicts.items()))

    assert [one.conflict for one in first] == [1, 2]
    assert [one.conflict for one in actions_at(fights)] == [2, 1]
