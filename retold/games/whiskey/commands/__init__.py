"""Commands of the Whiskey system, and the function that decides each."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import Command, Decision
from retold.game import commands as c
from retold.games.whiskey.commands.available_actions import count, outlook, reminders, suggest, turn
from retold.games.whiskey.commands.checks import check, shuffle
from retold.games.whiskey.commands.clashes import clash, declare, reveal, seals_intents
from retold.games.whiskey.commands.conflicts import (
    SETUP_KEYS,
    SHEET,
    begin_session,
    check_incapacitation_again,
    close,
    leave,
    open_conflict,
    read_sheet,
)
from retold.games.whiskey.commands.rulings import answer, pending, set_number
from retold.games.whiskey.commands.verbs import COMMANDS, Check, Clash, Declare

DECIDE: Mapping[type[Command], Decision] = {
    Declare: declare,
    c.Reveal: reveal,
    c.Shuffle: shuffle,
    Clash: clash,
}
"""Commands this system decides inside its conflicts; other commands are decided by the table."""

ANYTIME: Mapping[type[Command], Decision] = {Check: check, c.Shuffle: shuffle}
"""Commands allowed outside conflicts too: checks against a number, and shuffling."""
