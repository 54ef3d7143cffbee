"""What a table's own game decides, by verb."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import Decision
from journal.systems.homebrew.commands import verbs as v
from journal.systems.homebrew.commands.choosing import SHEET, choose, fits, read_sheet
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
from journal.systems.homebrew.commands.keeping import keep, shorthands, tick
from journal.systems.homebrew.commands.outlook import outlook, suggest
from journal.systems.homebrew.commands.rolling import roll
from journal.systems.homebrew.commands.ruling import set_number
from journal.systems.homebrew.commands.verbs import COMMANDS, Keep
from journal.vocabulary.base import Command

ANYTIME: Mapping[type[Command], Decision] = {
    v.ChooseGame: choose,
    v.Keep: keep,
    v.Clock: tick,
    v.Roll: roll,
}

DECIDE: Mapping[type[Command], Decision] = {**ANYTIME, v.Initiative: initiative, v.Turn: take_turn}
