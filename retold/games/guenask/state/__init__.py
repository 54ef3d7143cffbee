"""State of Guenašk: sheets and fallout, which persist, and one conflict's dice pools and current raise."""

from __future__ import annotations

from retold.games.guenask.state.conflict import (
    Fresh,
    GuenaskConflict,
    Owed,
    Participant,
    conflict_state,
    dice_lost,
    game_state,
    without_stats,
)
from retold.games.guenask.state.evolve import EVOLVE
from retold.games.guenask.state.game_state import (
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
    split_key,
)
