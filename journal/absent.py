"""What stands for a game that a record needs and that is not here: it knows nothing, and decides nothing."""

from __future__ import annotations

from typing import Final, NoReturn

from journal.refused import NotHere
from journal.system import System
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

_PART_OF_PLAY: Final[tuple[type[Command], ...]] = (
    *(c.Rule, c.Declare, c.Narrate, c.Overrule, c.Compel, c.Concede, c.Accept, c.Refuse, c.Clear),
    *(c.Draw, c.Roll, c.Shuffle),
)
"""What a game may have a say in once its conflict is open; a note or a scene is the table's own."""


def absent(name: str, why: str) -> System:
    """A system of that name that refuses with `why` whatever would be recorded in a conflict of its own."""

    def refuse(*_: object) -> NoReturn:
        raise NotHere(why)

    return System(
        name=name,
        title=name,
        about="a game that is not installed here",
        commands=(),
        events=(),
        decide=dict.fromkeys(_PART_OF_PLAY, refuse),
        evolve={},
        shelf=object,
        read_sheet=refuse,
        loose_keys=True,
        open=refuse,
        close=refuse,
        join=refuse,
        leave=refuse,
        answer=refuse,
        set_number=refuse,
        turn=lambda _table, _conflict: "not installed here",
    )
