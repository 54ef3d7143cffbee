"""What a Space·Time table may ask for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import Decision
from journal.systems.spacetime.commands.balance import BALANCES
from journal.systems.spacetime.commands.challenges import refuse, stop
from journal.systems.spacetime.commands.drawing import draw, shuffle
from journal.systems.spacetime.commands.joining import join, leave
from journal.systems.spacetime.commands.narrating import narrate, overrule
from journal.systems.spacetime.commands.obstacles import add_complication, waiting
from journal.systems.spacetime.commands.opening import open_conflict
from journal.systems.spacetime.commands.outlook import outlook
from journal.systems.spacetime.commands.reformulating import desire_outcome, reformulate
from journal.systems.spacetime.commands.rulings import answer, pending, set_number
from journal.systems.spacetime.commands.standing import count, turn
from journal.systems.spacetime.commands.stopping import close, concede, end, open_another, postpone
from journal.systems.spacetime.commands.suggesting import suggest
from journal.systems.spacetime.commands.tactics import declare, read_sheet
from journal.systems.spacetime.commands.tokens import begin_session
from journal.systems.spacetime.commands.verbs import (
    COMMANDS,
    AddComplication,
    DesireOutcome,
    Postpone,
    Reformulate,
    Stop,
)
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

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
"""What is decided here in a conflict of this system; every other verb is the table's."""

ANYTIME: Mapping[type[Command], Decision] = {
    AddComplication: add_complication,
    c.Shuffle: shuffle,
}
"""What is decided whether a conflict is open or not."""
