"""Statistics of a homebrew game (rules from a game file): dice, turns, results of each move."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from retold.games.homebrew import events as h
from retold.games.homebrew.rules import band_odds
from retold.games.homebrew.state import shelf
from retold.journal.decks.expressions import parse_throw
from retold.journal.decks.throws import Against
from retold.journal.table import Table
from retold.journal.vocabulary.events import TotalReached
from retold.projections.statistics.counted import Counted, Moves, Rounds


def _chances(table: Table, made: h.MoveMade, reached: TotalReached) -> Mapping[str, Fraction]:
    """Returns the probability of each result of a move, by the game's file; empty if the move is unknown."""
    move = shelf(table).game.moves.get(made.move)
    against = Against(reached.goal, reached.under)
    return {} if move is None else band_odds(move, parse_throw(reached.throw), against)


COUNTED = Counted(
    Rounds("turn", frozenset({h.TurnBegan}), begins=True),
    moves=Moves(frozenset({h.MoveMade}), lambda made: (made.move, made.result), _chances),
)
