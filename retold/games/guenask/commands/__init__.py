"""Commands of the Guenašk system, and the function that decides each."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import Command, Decision
from retold.game import commands as c
from retold.games.guenask.commands.approaches import bring, enter, escalate, roll
from retold.games.guenask.commands.available_actions import outlook, suggest, turn
from retold.games.guenask.commands.conflicts import (
    SETUP_KEYS,
    close,
    concede,
    end,
    give,
    join,
    leave,
    open_conflict,
    set_stakes,
)
from retold.games.guenask.commands.fallout import clear, name_condition, resist, take_fallout
from retold.games.guenask.commands.raises import raise_, see
from retold.games.guenask.commands.rulings import answer, pending, set_number
from retold.games.guenask.commands.sheets import SHEET, read_sheet
from retold.games.guenask.commands.turns import reminders
from retold.games.guenask.commands.verbs import (
    COMMANDS,
    Bring,
    Enter,
    Escalate,
    Give,
    NameCondition,
    Raise,
    Resist,
    See,
    SetStakes,
    TakeFallout,
)

DECIDE: Mapping[type[Command], Decision] = {
    c.Clear: clear,
    c.Concede: concede,
    c.End: end,
    Resist: resist,
    c.Roll: roll,
    SetStakes: set_stakes,
    Enter: enter,
    Escalate: escalate,
    Bring: bring,
    Raise: raise_,
    See: see,
    TakeFallout: take_fallout,
    NameCondition: name_condition,
    Give: give,
}
"""Commands this system decides inside its conflicts; other commands are decided by the table."""

ANYTIME: Mapping[type[Command], Decision] = {c.Clear: clear, NameCondition: name_condition}
"""Commands allowed outside conflicts too."""
