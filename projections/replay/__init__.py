"""Step-by-step replay of a session: boards, steps and the story blocks beside them."""

from projections.replay.board import Board, laid
from projections.replay.value import Block, Replay, ReplayLine, ReplayStep

__all__ = ["Block", "Board", "Replay", "ReplayLine", "ReplayStep", "laid"]
