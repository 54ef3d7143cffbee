"""State of Guenašk: sheets and fallout that persist, and the pools and the raise of one conflict."""

from __future__ import annotations

from journal.systems.guenask.state.conflict import (
    Fresh,
    GuenaskConflict,
    Owed,
    Participant,
    conflict_state,
    dice_lost,
    game_state,
    without_stats,
)
from journal.systems.guenask.state.evolve import EVOLVE
from journal.systems.guenask.state.game_state import (
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
    GuenaskState,
    Sheet,
    Thing,
)
