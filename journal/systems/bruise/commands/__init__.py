"""What a Bruise table may ask for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import Decision
from journal.systems.bruise.commands.drawing import draw, shuffle
from journal.systems.bruise.commands.joining import join, leave
from journal.systems.bruise.commands.karma import begin_session, spend_karma, tie_to
from journal.systems.bruise.commands.opening import SHEET, close, open_conflict, read_sheet
from journal.systems.bruise.commands.outlook import outlook
from journal.systems.bruise.commands.rulings import break_tie, pending, set_number
from journal.systems.bruise.commands.showing import quality
from journal.systems.bruise.commands.standing import count, reminders, turn
from journal.systems.bruise.commands.suggesting import suggest
from journal.systems.bruise.commands.telling import award, choose_colour, narrate, overrule
from journal.systems.bruise.commands.turns import declare, measure
from journal.systems.bruise.commands.verbs import (
    COMMANDS,
    Award,
    ChooseColour,
    Lasts,
    Quality,
    SpendKarma,
    TieTo,
    Tilt,
)
from journal.systems.bruise.commands.wheel import tilt
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

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
"""What is decided here in a conflict of this system; every other verb is the table's."""

ANYTIME: Mapping[type[Command], Decision] = {Tilt: tilt, Award: award}
"""Verbs that need no conflict."""
