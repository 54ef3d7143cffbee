"""Habits of other tables and tools: shapes of lines, and the lines of this table that they stand for."""

from __future__ import annotations

from typing import Final

from retold.journal.language.habits.conflicts import ACTS_OF_GAMES, FIGHTS
from retold.journal.language.habits.counts import COINS, COUNTERS, KEPT, RESTS
from retold.journal.language.habits.evening import EVENING, WORDS
from retold.journal.language.habits.harm import HARM_DONE, RULED_NUMBERS
from retold.journal.language.habits.rolls import ROLLS
from retold.journal.language.habits.states import STATES
from retold.journal.language.habits.titles import TITLES

HABITS: Final = (
    *HARM_DONE,
    *RULED_NUMBERS,
    *COUNTERS,
    *ACTS_OF_GAMES,
    *COINS,
    *KEPT,
    *RESTS,
    *ROLLS,
    *FIGHTS,
    *STATES,
    *TITLES,
    *EVENING,
    *WORDS,
)
"""Shapes of lines, looked through in this order; the first whose line the table accepts counts."""
