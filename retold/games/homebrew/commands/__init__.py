"""Decision functions of homebrew games, by command class."""

from __future__ import annotations

from collections.abc import Mapping

from retold.games.homebrew.commands import verbs as v
from retold.games.homebrew.commands.conditions import keep_or_turn, rest, set_condition
from retold.games.homebrew.commands.game_and_sheets import SHEET, choose, fits, read_sheet, set_number
from retold.games.homebrew.commands.opponents import hides_numbers, without_numbers
from retold.games.homebrew.commands.purses import fill, pay
from retold.games.homebrew.commands.rolling import doubts, roll
from retold.games.homebrew.commands.tracks import harmed, reminders, shorthands, tick
from retold.games.homebrew.commands.turn_order import (
    close,
    count,
    initiative,
    join,
    leave,
    order,
    outlook,
    rolls,
    suggest,
    take_turn,
    turn,
)
from retold.games.homebrew.commands.verbs import COMMANDS, FillPurse, Keep, Pay
from retold.journal.system import Decision
from retold.journal.vocabulary.base import Command

ANYTIME: Mapping[type[Command], Decision] = {
    v.ChooseGame: choose,
    v.Keep: keep_or_turn,
    v.FillPurse: fill,
    v.Pay: pay,
    v.Clock: tick,
    v.SetCondition: set_condition,
    v.TakeRest: rest,
    v.Roll: roll,
}

DECIDE: Mapping[type[Command], Decision] = {**ANYTIME, v.Initiative: initiative, v.Turn: take_turn}
