"""Who has won a conflict: by the rules of its game while it is open, by its end afterwards."""

from __future__ import annotations

from typing import Final

from retold.journal.capabilities import HasWinners
from retold.journal.guarding import answer_of
from retold.journal.system import Fact
from retold.journal.table import OpenConflict, Table


def winners_so_far(conflict: OpenConflict) -> tuple[int, ...]:
    """Returns the people who have won an open conflict by the rules of its game, each once."""
    state = conflict.state
    won = answer_of(conflict.system, state.winners, ()) if isinstance(state, HasWinners) else ()
    return tuple(dict.fromkeys(won))


def winners(table: Table, conflict: OpenConflict | None) -> tuple[int, ...]:
    """Returns who has won `conflict`; for None, the last conflict that ended since the session began."""
    if conflict is not None:
        return winners_so_far(conflict)
    last = next(reversed(table.ended.values()), None)
    return () if last is None else last.winners


WINNER: Final = Fact(
    of_person=False,
    read=lambda table, conflict, _who: tuple(map(table.name, winners(table, conflict))),
    about="who has won; with no conflict open, the last one that ended this session",
    of_people=True,
)
"""The subject `winner`, of every game whose conflicts have winners."""
