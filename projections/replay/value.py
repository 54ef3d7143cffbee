"""Model of a replay: branches with their steps, boards, and the story blocks that tell the steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntFlag
from typing import Any, Final, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from retold.journal.visibility import TABLE
from retold.projections.replay.board import Board, Thing

VERSION: Final = 2
"""Of the replay's JSON; within one version fields are only added."""

LONG: Final = 8
"""Letters from which words shared with a block are stored as a reference."""

Delta = Mapping[str, Thing | None]
"""Changed objects on the board by key; None for removed ones."""


class StepFlag(IntFlag):
    """Flags of a step: begins or ends an act, turn, scene, session or conflict; hidden from some."""

    ACT = 1
    """First step of an act."""
    TURN = 2
    """Ends a turn."""
    SCENE = 4
    """Begins a scene."""
    SESSION = 8
    """Begins a session."""
    OPENS = 16
    """Begins a conflict."""
    ENDS = 32
    """Ends a conflict."""
    HIDDEN = 64
    """Restricted to some viewers; other copies do not contain the step."""


class ReplayStep(Struct, frozen=True):
    """Event in log notation (`told`), with its changes to the board (`delta`).

    `seconds` counts from `Replay.opened`; None for an event without a place in that time. `block` is the
    index of the story block that tells the event, or of the last block before it; -1 for none.
    """

    id: str
    seconds: float | None
    kind: str
    told: str
    flags: StepFlag
    delta: Delta
    block: int = -1
    visible_to: str | tuple[str, ...] = TABLE
    """Present viewers: `table`, `gm`, or people's names."""


class ReplayMechanic(Struct, frozen=True):
    """Text line of cards, dice or numbers; `luck` is its source, such as `called`, or empty.

    It appears `after` that many steps, counted from the first step of its block.
    """

    text: str
    luck: str = ""
    after: int = 0

    def to_json(self) -> dict[str, Any]:
        """Returns the text line as JSON values, without empty fields except `text`."""
        return {
            name: one for name in self.__struct_fields__ if (one := getattr(self, name)) or name == "text"
        }


class Block(Struct, frozen=True):
    """Story block: a heading, or a paragraph with its rolls and draws; fields as in the transcript.

    A paragraph (`told`) has a `kind`; a conflict has a text line with sides and stakes (`against`) and its
    `system`. A picture (`image`, a `data:` address, in JSON its number) has its size in pixels and a line
    under it (`caption`); its text says what it shows. `colour` is that of the speaker's name, on light and on
    dark paper. `ours` marks a generated sentence. `recorded` are the record's own words, if the text is a
    draft's and differs from them. The text, its mechanics apart, appears `after` that many steps, counted
    from the first step that leads to it (`begins`).
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
    recorded: str = ""
    image: str = ""
    width: int = 0
    height: int = 0
    caption: str = ""
    colour: tuple[str, str] | None = None
    mechanics: tuple[ReplayMechanic, ...] = ()
    after: int = 0

    def to_json(self) -> dict[str, Any]:
        """Returns the block as JSON values, without empty fields, and without the id of a paragraph.

        The steps that a paragraph tells refer to its block instead.
        """
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        if self.sort == "told":
            del told["id"]
        told["mechanics"] = [mechanic.to_json() for mechanic in self.mechanics]
        return {name: value for name, value in told.items() if value or name in ("id", "text")}


def begins(steps: Sequence[ReplayStep], count: int) -> list[int]:
    """Returns the number of each block's first step; a block without steps gets that of the block before."""
    found: dict[int, int] = {}
    for number, step in enumerate(steps):
        found.setdefault(step.block, number)
    first, came = 0, []
    for block in range(count):
        first = found.get(block, first)
        came.append(first)
    return came


class ReplayLine(Struct, frozen=True):
    """Steps and story of a branch, which begins after `at` steps of its parent.

    `board` is the board before the first step. `marks` are the named moments, each by the number of its
    step.
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
        """Returns a copy whose story has no dice, cards and status lines; its steps stay."""
        kept = [
            number for number, block in enumerate(self.blocks) if block.kind not in ("mechanics", "ribbon")
        ]
        place, last = {-1: -1}, -1
        for number in range(len(self.blocks)):
            last += number in kept
            place[number] = last
        steps = tuple(replace(step, block=place[step.block]) for step in self.steps)
        before, begun = begins(self.steps, len(self.blocks)), begins(steps, len(kept))
        blocks = tuple(
            replace(
                self.blocks[number], mechanics=(), after=before[number] + self.blocks[number].after - first
            )
            for number, first in zip(kept, begun, strict=True)
        )
        return replace(self, steps=steps, blocks=blocks)


class CoverPerson(Struct, frozen=True):
    """Person on the first screen: name, description, and portrait as a `data:` address; each may be empty."""

    name: str
    about: str
    portrait: str


class Replay(Struct, frozen=True):
    """Replay of a range of positions for one viewer, with the branches that fork inside it.

    The first of `lines` is the main one; each other line is a branch that forks from one before it.
    `mechanics` is False if the story has no numbers; the board has them all the same.
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
    portraits: Mapping[str, str] = field(default_factory=dict)
    """Portraits as `data:` addresses, by the ids of their events."""
    blurb: str = ""
    people: tuple[CoverPerson, ...] = ()
    """People on the first screen; `cover` is the picture behind it as a `data:` address."""
    cover: str = ""

    def without_mechanics(self) -> Replay:
        """Returns a copy whose stories have no mechanics (dice, cards, numbers)."""
        return replace(self, lines=tuple(line.without_mechanics() for line in self.lines), mechanics=False)

    def to_json(self) -> dict[str, Any]:
        """Returns the replay as JSON values: steps in columns, and each key and kind written once."""
        keys, kinds, pictures = _Numbers(), _Numbers(), _Numbers()
        lines = [_line(line, keys, kinds, pictures) for line in self.lines]
        portraits = {id_: pictures(address) for id_, address in self.portraits.items()}
        people = [
            {
                "name": one.name,
                **({"about": one.about} if one.about else {}),
                **({"portrait": pictures(one.portrait)} if one.portrait else {}),
            }
            for one in self.people
        ]
        cover = {"cover": pictures(self.cover)} if self.cover else {}
        return {
            "replay": VERSION,
            "title": self.title,
            "campaign": self.campaign,
            **({"blurb": self.blurb} if self.blurb else {}),
            **({"people": people} if people else {}),
            **cover,
            "lang": self.lang,
            "viewer": self.viewer,
            **({"director": True} if self.viewer == "gm" else {}),
            "voice": self.voice,
            "source": self.source,
            "opened": self.opened,
            **({} if self.mechanics else {"mechanics": False}),
            "keys": keys.names,
            "kinds": kinds.names,
            **({"pictures": pictures.names} if pictures.names else {}),
            **({"portraits": portraits} if portraits else {}),
            "lines": lines,
        }


class _Numbers(Struct):
    """Numbering of names in order of their first use, from 0: calling it returns a name's number."""

    by_name: dict[str, int] = field(default_factory=dict)

    def __call__(self, name: str) -> int:
        return self.by_name.setdefault(name, len(self.by_name))

    @property
    def names(self) -> list[str]:
        return list(self.by_name)


def _line(line: ReplayLine, keys: _Numbers, kinds: _Numbers, pictures: _Numbers) -> dict[str, Any]:
    steps = line.steps
    hidden = [[n, step.visible_to] for n, step in enumerate(steps) if step.visible_to != TABLE]
    return {
        "name": line.name,
        "parent": line.parent,
        "at": line.at,
        "why": line.why,
        "steps": {
            "id": [step.id for step in steps],
            "t": [step.seconds for step in steps],
            "kind": [kinds(step.kind) for step in steps],
            "told": [_told(step, line.blocks) for step in steps],
            "block": [step.block for step in steps],
            "flags": [int(step.flags) for step in steps],
            "delta": list(_deltas(line, keys)),
        },
        "marks": [list(mark) for mark in line.marks],
        **({"visible_to": hidden} if hidden else {}),
        "board": line.board,
        "blocks": [_block(block, pictures) for block in line.blocks],
    }


def _block(block: Block, pictures: _Numbers) -> dict[str, Any]:
    """Returns a block as JSON values, with the number of its picture in place of the picture."""
    told = block.to_json()
    return {**told, "image": pictures(block.image)} if block.image else told


def _told(step: ReplayStep, blocks: Sequence[Block]) -> str | list[str | int]:
    """Returns a step's notation; words that its block also has become a reference.

    Then it is a list: text before, number of the text in the block, text after.
    """
    if step.block < 0:
        return step.told
    block = blocks[step.block]
    words = (block.text, *(mechanic.text for mechanic in block.mechanics))
    longest = max((text for text in words if text in step.told), key=len, default="")
    if len(longest) < LONG:
        return step.told
    before, _, after = step.told.partition(longest)
    return [before, words.index(longest), after]


def _deltas(line: ReplayLine, keys: _Numbers) -> Iterator[list[object]]:
    """Yields a flat list of changes for each step: key number and object, or ~number and changed fields."""
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
    """Returns the changed fields of an object; None if the object is new, removed or lost a field."""
    if before is None or after is None or before.keys() - after.keys():
        return None
    return {name: value for name, value in after.items() if name not in before or before[name] != value}
