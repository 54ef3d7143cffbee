"""What Guenašk knows now: sheets and fallout that outlive a conflict, pools and the raise within one."""

from __future__ import annotations

from journal.systems.guenask.state.evolve import EVOLVE
from journal.systems.guenask.state.found import dice_lost, play, shelf, without_stats
from journal.systems.guenask.state.play import Fresh, Owed, Participant, Play
from journal.systems.guenask.state.sheets import (
    BELONGING,
    DANGER,
    FAMILY,
    FIELDS,
    PREFIXES,
    RELATIONSHIP,
    RELATIONSHIP_DICE,
    STAT_DICE,
    TRAIT,
    TRAIT_DICE,
    Sheet,
    Thing,
)
from journal.systems.guenask.state.shelf import Shelf
