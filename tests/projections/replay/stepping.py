"""A replay gone through as its page goes through it: by its JSON alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from projections.prose import voice_of
from projections.reading import Reading
from projections.reading.evenings import Stretch
from projections.replay import Board, Replay
from projections.replay.making import replay_of
from projections.transcript import of_range

Value = dict[str, Any]


def whole(reading: Reading, *, after: int = 0, branches: bool = True) -> Replay:
    """All that is read after a position, step by step."""
    told = of_range(reading, after)
    stretch = Stretch(after, reading.position)
    return replay_of(reading, stretch, told, voice_of("report"), branches=branches)


def as_json(thing: object) -> Any:  # noqa: ANN401 -- JSON is anything
    """What a page has of a value."""
    return json.loads(json.dumps(thing))


def boards(value: Value, line: Value) -> Iterator[Board]:
    """The board before a line's first step, and after each; a keyframe has to be the one that is there."""
    keyframes = dict(line["keyframes"])
    board: dict[str, Any] = dict(keyframes[0])
    yield board
    for number, delta in enumerate(line["steps"]["delta"]):
        assert keyframes.get(number, board) == board
        board = dict(board)
        for key, thing in zip(delta[::2], delta[1::2], strict=True):
            if thing is None:
                del board[value["keys"][key]]
            else:
                board[value["keys"][key]] = thing
        yield board
