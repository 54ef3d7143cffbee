"""What a replay is made of: lines of steps, boards between them, and the blocks that tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntFlag
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from journal.visibility import TABLE
from projections.replay.board import Board, Thing

VERSION: Final = 2
"""Of the replay's JSON; within one version fields are only added."""

LONG: Final = 8
"""Words of so many letters are worth pointing at, where a block has them too."""

Delta = Mapping[str, Thing | None]
"""What is new or otherwise on the board, by key; None for what is gone."""


class StepFlag(IntFlag):
    """What else a step is."""

    ACT = 1
    """It begins an act: what one line at the table brought about."""
    TURN = 2
    """It ends a turn."""
    SCENE = 4
    """It begins a scene."""
    SESSION = 8
    """It begins a session."""
    OPENS = 16
    """It begins a conflict."""
    ENDS = 32
    """It ends a conflict."""
    HIDDEN = 64
    """It is not for everybody's eyes; only who may see it has it."""


class ReplayStep(Struct, frozen=True):
    """Something that happened, in the notation of the log, and what it changed on the board.

    `seconds` counts from `Replay.opened`; None for what has no place in that time. `block` is the place in
    its line's story of what tells it, or of the last before that which tells anything; -1 for none.
    """

    id: str
    seconds: float | None
    kind: str
    told: str
    flags: StepFlag
    delta: Delta
    block: int = -1
    visible_to: str | tuple[str, ...] = TABLE
    """Who may see it by now: `table`, `gm`, or the names of people."""


class ReplayMechanic(Struct, frozen=True):
    """A line of cards, dice or numbers, and where its luck came from (`called`; empty for none).

    It is told so many steps `after` the first that leads to its block.
    """

    text: str
    luck: str = ""
    after: int = 0

    def to_json(self) -> dict[str, Any]:
        """The line as JSON has it: what it has nothing to say of is left out."""
        return {
            name: one for name in self.__struct_fields__ if (one := getattr(self, name)) or name == "text"
        }


class Block(Struct, frozen=True):
    """A heading of the story, or a paragraph with the numbers behind it; its fields are the transcript's.

    A paragraph (`told`) has a `kind`; a conflict has a line of who is `against` whom, over what, and its
    `system`. `ours` is true of a sentence nobody typed. What it says, its mechanics apart, is told so many
    steps `after` the first that leads to it (`begins`).
    """

    sort: Literal["chapter", "scene", "conflict", "told"]
    id: str | None
    text: str
    kind: str = ""
    label: str = ""
    speaker: str = ""
    quotes: tuple[str, str] | None = None
    ours: bool = False
    direction: bool = False
    struck: bool = False
    later: bool = False
    eyes: str = ""
    against: str = ""
    system: str = ""
    mechanics: tuple[ReplayMechanic, ...] = ()
    after: int = 0

    def to_json(self) -> dict[str, Any]:
        """The block as JSON has it: what it has nothing to say of is left out, and a paragraph's id.

        The steps that it tells lead to it.
        """
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        if self.sort == "told":
            del told["id"]
        told["mechanics"] = [one.to_json() for one in self.mechanics]
        return {name: one for name, one in told.items() if one or name in ("id", "text")}


def begins(steps: Sequence[ReplayStep], count: int) -> list[int]:
    """The first step that leads to each of so many blocks; to one that no step does, as to the one before."""
    found: dict[int, int] = {}
    for number, step in enumerate(steps):
        found.setdefault(step.block, number)
    first, came = 0, []
    for block in range(count):
        first = found.get(block, first)
        came.append(first)
    return came


class ReplayLine(Struct, frozen=True):
    """The steps of one line, and its story. One that leaves another begins after `at` steps of that.

    `board` is what lies there before the first of them. `marks` are the moments that have a name, each by the
    step it is on.
    """

    name: str
    steps: tuple[ReplayStep, ...] = ()
    board: Board = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()
    marks: tuple[tuple[int, str], ...] = ()
    parent: int | None = None
    at: int = 0
    why: str | None = None

    def without_mechanics(self) -> ReplayLine:
        """The same with a story of words alone."""
        kept = [number for number, one in enumerate(self.blocks) if one.kind not in ("mechanics", "ribbon")]
        place, last = {-1: -1}, -1
        for number in range(len(self.blocks)):
            last += number in kept
            place[number] = last
        steps = tuple(replace(one, block=place[one.block]) for one in self.steps)
        before, begun = begins(self.steps, len(self.blocks)), begins(steps, len(kept))
        blocks = tuple(
            replace(
                self.blocks[number], mechanics=(), after=before[number] + self.blocks[number].after - first
            )
            for number, first in zip(kept, begun, strict=True)
        )
        return replace(self, steps=steps, blocks=blocks)


class Replay(Struct, frozen=True):
    """A stretch of a line, step by step, as one viewer may know it, with the lines that leave it there.

    The first of `lines` is the one told; every other leaves one before it. `mechanics` is False where its
    story is without numbers; the board has them all the same.
    """

    title: str
    campaign: str | None
    lang: str
    viewer: str
    voice: str
    source: str
    opened: str | None
    lines: tuple[ReplayLine, ...]
    mechanics: bool = True

    def without_mechanics(self) -> Replay:
        """The same with a story of words alone."""
        return replace(self, lines=tuple(one.without_mechanics() for one in self.lines), mechanics=False)

    def to_json(self) -> dict[str, Any]:
        """The replay as JSON has it: steps in columns, and every key and kind written once."""
        keys, kinds = _Numbers(), _Numbers()
        lines = [_line(one, keys, kinds) for one in self.lines]
        return {
            "replay": VERSION,
            "title": self.title,
            "campaign": self.campaign,
            "lang": self.lang,
            "viewer": self.viewer,
            **({"director": True} if self.viewer == "gm" else {}),
            "voice": self.voice,
            "source": self.source,
            "opened": self.opened,
            **({} if self.mechanics else {"mechanics": False}),
            "keys": keys.names,
            "kinds": kinds.names,
            "lines": lines,
        }


class _Numbers(Struct):
    """Names that are said by number, in the order in which they were met."""

    by_name: dict[str, int] = field(default_factory=dict)

    def __call__(self, name: str) -> int:
        return self.by_name.setdefault(name, len(self.by_name))

    @property
    def names(self) -> list[str]:
        return list(self.by_name)


def _line(line: ReplayLine, keys: _Numbers, kinds: _Numbers) -> dict[str, Any]:
    steps = line.steps
    hidden = [[n, one.visible_to] for n, one in enumerate(steps) if one.visible_to != TABLE]
    return {
        "name": line.name,
        "parent": line.parent,
        "at": line.at,
        "why": line.why,
        "steps": {
            "id": [one.id for one in steps],
            "t": [one.seconds for one in steps],
            "kind": [kinds(one.kind) for one in steps],
            "told": [_told(one, line.blocks) for one in steps],
            "block": [one.block for one in steps],
            "flags": [int(one.flags) for one in steps],
            "delta": list(_deltas(line, keys)),
        },
        "marks": [list(one) for one in line.marks],
        **({"visible_to": hidden} if hidden else {}),
        "board": line.board,
        "blocks": [one.to_json() for one in line.blocks],
    }


def _told(step: ReplayStep, blocks: Sequence[Block]) -> str | list[str | int]:
    """The notation of a step; where its block has the same words, what is around them and which they are."""
    if step.block < 0:
        return step.told
    block = blocks[step.block]
    words = (block.text, *(one.text for one in block.mechanics))
    longest = max((one for one in words if one in step.told), key=len, default="")
    if len(longest) < LONG:
        return step.told
    before, _, after = step.told.partition(longest)
    return [before, words.index(longest), after]


def _deltas(line: ReplayLine, keys: _Numbers) -> Iterator[list[object]]:
    """What each step changes: a key and the thing, or the complement of a key and what is otherwise of it."""
    board = dict(line.board)
    for step in line.steps:
        flat: list[object] = []
        for key, thing in step.delta.items():
            otherwise = _otherwise(board.get(key), thing)
            flat += (keys(key), thing) if otherwise is None else (~keys(key), otherwise)
            if thing is None:
                del board[key]
            else:
                board[key] = thing
        yield flat


def _otherwise(before: Thing | None, after: Thing | None) -> Thing | None:
    """The fields that a thing has otherwise than before; None where it is new or has lost one."""
    if before is None or after is None or before.keys() - after.keys():
        return None
    return {name: one for name, one in after.items() if name not in before or before[name] != one}
