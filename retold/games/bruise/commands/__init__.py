"""Mapping of Bruise's command classes to the functions that decide them, that is, return their events."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import Command, Decision
from retold.game import commands as c
from retold.games.bruise.commands.available_actions import count, outlook, reminders, suggest, turn
from retold.games.bruise.commands.conflicts import SHEET, close, join, leave, open_conflict, read_sheet
from retold.games.bruise.commands.hands import begin_session, draw, quality, shuffle, spend_karma, tie_to
from retold.games.bruise.commands.narration import award, choose_colour, narrate, overrule, tilt
from retold.games.bruise.commands.rulings import break_tie, pending, set_number
from retold.games.bruise.commands.turns import declare, measure
from retold.games.bruise.commands.verbs import (
    COMMANDS,
    Award,
    ChooseColour,
    Lasts,
    Quality,
    SpendKarma,
    TieTo,
    Tilt,
)

DECIDE: Mapping[type[Command], Decision] = {
    c.Declare: declare,
    c.Draw: draw,
    c.Narrate: narrate,
    c.Overrule: overrule,
    c.Shuffle: shuffle,
    Quality: quality,
    ChooseColour: choose_colour,
    SpendKarma: spend_karma,
    TieTo: tie_to,
    Lasts: measure,
}
"""Commands this game decides in its own conflicts; the house decides the others."""

ANYTIME: Mapping[type[Command], Decision] = {Tilt: tilt, Award: award}
"""Commands this game decides outside conflicts as well."""
