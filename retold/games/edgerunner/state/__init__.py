"""Game state of Edgerunner: sheets, stress and aspects of the campaign; map, turns and acts of a conflict."""

from __future__ import annotations

from retold.games.edgerunner.state.conflict import (
    Border,
    EdgerunnerConflict,
    Spin,
    Tale,
    conflict_state,
    game_state,
    open_roll_in,
    people_with_turns,
    seating_from,
    takes_turns,
    whose_turn,
    yet_to_act,
)
from retold.games.edgerunner.state.evolve import EVOLVE
from retold.games.edgerunner.state.game_state import (
    PREFIXES,
    THINGS,
    Aspect,
    Defence,
    EdgerunnerState,
    Offer,
    Owed,
    Sheet,
    Upgrade,
)
from retold.games.edgerunner.state.rolls import Action, Finding, OpenRoll, Purpose, SkillRoll
