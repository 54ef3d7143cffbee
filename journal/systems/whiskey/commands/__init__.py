"""What a Whiskey table may ask for, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

from journal.system import Decision
from journal.systems.whiskey.commands.checking import check
from journal.systems.whiskey.commands.dealing import shuffle
from journal.systems.whiskey.commands.intents import declare, reveal, seals
from journal.systems.whiskey.commands.joining import join, judged_anew, leave
from journal.systems.whiskey.commands.opening import (
    SETUP_KEYS,
    SHEET,
    begin_session,
    close,
    open_conflict,
    read_sheet,
)
from journal.systems.whiskey.commands.outlook import outlook
from journal.systems.whiskey.commands.resolving import clash
from journal.systems.whiskey.commands.rulings import answer, pending, set_number
from journal.systems.whiskey.commands.standing import count, turn
from journal.systems.whiskey.commands.suggesting import suggest
from journal.systems.whiskey.commands.verbs import COMMANDS, Check, Clash, Declare
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command

DECIDE: Mapping[type[Command], Decision] = {
    Declare: declare,
    c.Reveal: reveal,
    c.Shuffle: shuffle,
    Clash: clash,
}
"""What is decided here in a conflict of this system; every other verb is the table's."""

ANYTIME: Mapping[type[Command], Decision] = {Check: check, c.Shuffle: shuffle}
"""Verbs that need no conflict: outside one, somebody checks against a number, or shuffles a deck."""
