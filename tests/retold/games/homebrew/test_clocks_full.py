"""A clock that is full is remarked on (issue 37)."""

from __future__ import annotations

from retold.games.homebrew.commands import reminders
from tests.retold.games.whiskey.spoken import come_of, typed
from tests.scenario import given


def test_Q37_a_clock_that_a_line_fills_is_said_to_be_full() -> None:
    story = typed(given(), "game d20", 'clock "The tide" 3/4')

    assert list(reminders(story.table, come_of(story, 'clock "The tide" +1'))) == ['"The tide" is full.']
    assert list(reminders(story.table, come_of(story, 'clock "The tide" -1'))) == []
