"""What a table's own game decides, by verb."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import Decision
from journal.systems.homebrew.commands import verbs as v
from journal.systems.homebrew.commands.choosing import SHEET, choose, fits, read_sheet
from journal.systems.homebrew.commands.conditions import keep_or_turn, set_condition
from journal.systems.homebrew.commands.fighting import (
    close,
    count,
    initiative,
    join,
    leave,
    order,
    take_turn,
    turn,
)
from journal.systems.homebrew.commands.keeping import shorthands, tick
from journal.systems.homebrew.commands.outlook import outlook, rolls, suggest
from journal.systems.homebrew.commands.resting import rest
from journal.systems.homebrew.commands.rolling import roll
from journal.systems.homebrew.commands.ruling import set_number
from journal.systems.homebrew.commands.verbs import COMMANDS, Keep
from journal.vocabulary.base import Command

ANYTIME: Mapping[type[Command], Decision] = {
    v.ChooseGame: choose,
    v.Keep: keep_or_turn,
    v.Clock: tick,
    v.SetCondition: set_condition,
    v.TakeRest: rest,
    v.Roll: roll,
}

DECIDE: Mapping[type[Command], Decision] = {**ANYTIME, v.Initiative: initiative, v.Turn: take_turn}
