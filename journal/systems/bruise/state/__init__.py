"""What Bruise knows: sheets and decks that outlive a conflict, hands and results within one."""

from __future__ import annotations

from journal.systems.bruise.state.decks import (
    deck_name,
    deck_of,
    gather,
    hand_of,
    new_pile,
    owner_of,
    person_at,
    pile_of,
)
from journal.systems.bruise.state.evolve import EVOLVE
from journal.systems.bruise.state.found import narrators, play, rank_name, sheet_of, shelf, sides_of
from journal.systems.bruise.state.hands import Hand, Play, Result
from journal.systems.bruise.state.shelf import ATTRIBUTES, Sheet, Shelf
