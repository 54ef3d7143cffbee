"""Commands of the Space·Time system, and the function that decides each."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import Command, Decision
from retold.game import commands as c
from retold.games.spacetime.commands.available_actions import count, outlook, reminders, suggest, turn
from retold.games.spacetime.commands.conflicts import (
    close,
    concede,
    desire_outcome,
    end,
    join,
    leave,
    open_another,
    open_conflict,
    postpone,
    reformulate,
)
from retold.games.spacetime.commands.draws import draw, shuffle
from retold.games.spacetime.commands.narration import begin_session, narrate, overrule
from retold.games.spacetime.commands.obstacles import (
    add_complication,
    declare,
    read_sheet,
    refuse,
    stop,
    waiting,
)
from retold.games.spacetime.commands.rounds import BALANCES
from retold.games.spacetime.commands.rulings import answer, pending, set_number
from retold.games.spacetime.commands.verbs import (
    COMMANDS,
    AddComplication,
    DesireOutcome,
    Postpone,
    Reformulate,
    Stop,
)

DECIDE: Mapping[type[Command], Decision] = {
    c.OpenConflict: open_another,
    c.End: end,
    c.Declare: declare,
    c.Narrate: narrate,
    c.Overrule: overrule,
    c.Concede: concede,
    c.Refuse: refuse,
    c.Draw: draw,
    c.Shuffle: shuffle,
    DesireOutcome: desire_outcome,
    Reformulate: reformulate,
    Postpone: postpone,
    AddComplication: add_complication,
    Stop: stop,
}
"""Commands this system decides inside its conflicts; other commands are decided by the table."""

ANYTIME: Mapping[type[Command], Decision] = {
    AddComplication: add_complication,
    c.Shuffle: shuffle,
}
"""Commands allowed outside conflicts too."""
