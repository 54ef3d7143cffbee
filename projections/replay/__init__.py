"""Step-by-step replay of a session: the board after each event, and the story beside it."""

from retold.projections.replay.board import Board, laid
from retold.projections.replay.value import Block, Replay, ReplayLine, ReplayStep

__all__ = ["Block", "Board", "Replay", "ReplayLine", "ReplayStep", "laid"]
