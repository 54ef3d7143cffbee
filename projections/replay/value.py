"""What a replay is made of: lines of steps, boards between them, and the blocks that tell them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import IntFlag
from typing import Any, Final, Literal

from projections.replay.board import Board, Thing

VERSION: Final = 1
"""Of the replay's JSON; within one version fields are only added."""

Delta = Mapping[str, Thing | None]
"""What is new or otherwise on the board, by key; None for what is gone."""


class Flag(IntFlag):
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


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happened, in the notation of the log, and what it changed on the board.

    `seconds` counts from `Replay.opened`; None for what has no place in that time. `block` is the place in
    its line's story of what tells it, or of the last before that which tells anything; -1 for none.
    """

    id: str
    seconds: float | None
    kind: str
    told: str
    flags: Flag
    delta: Delta
    block: int = -1


@dataclass(frozen=True, slots=True)
class Mechanic:
    """A line of cards, dice or numbers, and where its luck came from (`called`; empty for none)."""

    text: str
    luck: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A heading of the story, or a paragraph with the numbers behind it; its fields are the transcript's.

    A paragraph (`told`) has a `kind`; a conflict has a line of who is `against` whom, over what, and its
    `system`. `ours` is true of a sentence nobody typed.
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
    mechanics: tuple[Mechanic, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The block as JSON has it: what it has nothing to say of is left out."""
        told = {name: getattr(self, name) for name in self.__slots__}
        told["mechanics"] = [
            {"text": one.text, **({"luck": one.luck} if one.luck else {})} for one in self.mechanics
        ]
        return {name: one for name, one in told.items() if one or name in ("id", "text")}


@dataclass(frozen=True, slots=True)
class Line:
    """The steps of one line, and its story. One that leaves another begins after `at` steps of that.

    `keyframes` are the boards before some of its steps, the first before the first. `marks` are the moments
    that have a name, each by the step it is on.
    """

    name: str
    steps: tuple[Step, ...]
    keyframes: tuple[tuple[int, Board], ...]
    blocks: tuple[Block, ...]
    marks: tuple[tuple[int, str], ...] = ()
    parent: int | None = None
    at: int = 0
    why: str | None = None

    def without_mechanics(self) -> Line:
        """The same with a story of words alone."""
        kept = [number for number, one in enumerate(self.blocks) if one.kind not in ("mechanics", "ribbon")]
        place, last = {-1: -1}, -1
        for number in range(len(self.blocks)):
            last += number in kept
            place[number] = last
        return replace(
            self,
            steps=tuple(replace(one, block=place[one.block]) for one in self.steps),
            blocks=tuple(replace(self.blocks[number], mechanics=()) for number in kept),
        )


@dataclass(frozen=True, slots=True)
class Replay:
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
    lines: tuple[Line, ...]
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


@dataclass(slots=True)
class _Numbers:
    """Names that are said by number, in the order in which they were met."""

    by_name: dict[str, int] = field(default_factory=dict)

    def __call__(self, name: str) -> int:
        return self.by_name.setdefault(name, len(self.by_name))

    @property
    def names(self) -> list[str]:
        return list(self.by_name)


def _line(line: Line, keys: _Numbers, kinds: _Numbers) -> dict[str, Any]:
    steps = line.steps
    return {
        "name": line.name,
        "parent": line.parent,
        "at": line.at,
        "why": line.why,
        "steps": {
            "id": [one.id for one in steps],
            "t": [one.seconds for one in steps],
            "kind": [kinds(one.kind) for one in steps],
            "told": [one.told for one in steps],
            "block": [one.block for one in steps],
            "flags": [int(one.flags) for one in steps],
            "delta": [list(_flat(one.delta, keys)) for one in steps],
        },
        "marks": [list(one) for one in line.marks],
        "keyframes": [[at, board] for at, board in line.keyframes],
        "blocks": [one.to_json() for one in line.blocks],
    }


def _flat(delta: Delta, keys: _Numbers) -> Iterator[object]:
    for key, thing in delta.items():
        yield keys(key)
        yield thing
