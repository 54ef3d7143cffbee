"""The evening step by step: what lies on the table at each moment, and where the story tells it."""

from projections.replay.board import Board, laid
from projections.replay.value import Block, Replay, ReplayLine, ReplayStep

__all__ = ["Block", "Board", "Replay", "ReplayLine", "ReplayStep", "laid"]
