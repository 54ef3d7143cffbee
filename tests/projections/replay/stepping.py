"""A replay gone through as its page goes through it: by its JSON alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from retold.projections.exports.replay_builder import replay_of
from retold.projections.prose import voice_of
from retold.projections.reading import LineView
from retold.projections.reading.sessions import Stretch
from retold.projections.replay import Board, Replay
from retold.projections.story.transcript import of_range

Value = dict[str, Any]


def whole(reading: LineView, *, after: int = 0, branches: bool = True) -> Replay:
    """All that is read after a position, step by step."""
    told = of_range(reading, after)
    stretch = Stretch(after, reading.position)
    return replay_of(reading, stretch, told, voice_of("report"), branches=branches)


def as_json(thing: object) -> Any:  # noqa: ANN401 -- JSON is anything
    """What a page has of a value."""
    return json.loads(json.dumps(thing))


def boards(value: Value, line: Value) -> Iterator[Board]:
    """The board before a line's first step, and after each."""
    board: dict[str, Any] = dict(line["board"])
    yield board
    for delta in line["steps"]["delta"]:
        board = dict(board)
        for number, thing in zip(delta[::2], delta[1::2], strict=True):
            key = value["keys"][max(number, ~number)]
            if thing is None:
                del board[key]
            else:
                board[key] = thing if number >= 0 else {**board[key], **thing}
        yield board


def notations(line: Value) -> list[str]:
    """Each step of a line in the notation of the log."""
    return [_notation(line, *one) for one in zip(line["steps"]["told"], line["steps"]["block"], strict=True)]


def _notation(line: Value, told: str | tuple[str, int, str], block: int) -> str:
    if isinstance(told, str):
        return told
    before, which, after = told
    of = line["blocks"][block]
    return f"{before}{(of['mechanics'][which - 1] if which else of)['text']}{after}"
