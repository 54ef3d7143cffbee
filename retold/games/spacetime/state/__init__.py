"""State of Space·Time: deck, tokens and Complications, which persist, and one conflict's round."""

from __future__ import annotations

from retold.games.spacetime.state.conflict import (
    Challenge,
    Mode,
    Round,
    SpacetimeConflict,
    beats_table,
    conflict_state,
    copied_pile,
    game_state,
    new_pile,
    next_round,
    parties,
    token_holder,
    tokens,
    tokens_per_session,
)
from retold.games.spacetime.state.evolve import EVOLVE
from retold.games.spacetime.state.game_state import (
    DECK,
    Owed,
    SpacetimeState,
    discard_cards,
    has_cards_on_table,
    make_whole,
    place_of_cards,
)
