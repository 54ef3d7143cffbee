"""Shapes of a replay's JSON, from which docs/replay.schema.json and the service's board are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.json import schema_components

from retold.projections.replay.value import VERSION

Number = Annotated[int, Meta(ge=0)]
"""Number of a person or conflict, or a place in a list, from 0."""


class Shape(Struct, forbid_unknown_fields=True):
    """Base of all objects; UNSET fields may be absent."""


class At(Shape, kw_only=True):
    """Current session and scene; empty between sessions."""

    session: Annotated[int, Meta(description="The number of the session.")] | UnsetType = UNSET
    title: Annotated[str, Meta(description="What the session is called.")] | UnsetType = UNSET
    date: Annotated[str, Meta(description="The day it was played, as YYYY-MM-DD.")] | UnsetType = UNSET
    scene: Annotated[int, Meta(description="The number of the scene.")] | UnsetType = UNSET
    place: Annotated[str, Meta(description="What the scene is called.")] | UnsetType = UNSET


class Portrait(Shape, kw_only=True):
    """Portrait of a person."""

    id: Annotated[
        str, Meta(description="The event that added it: in a replay's `portraits`, and by `picture/ID`.")
    ]
    alt: Annotated[str, Meta(description="What it shows.")]
    credit: Annotated[str, Meta(description="Who made it.")] | UnsetType = UNSET


class Who(Shape, kw_only=True):
    """Person the reader may know of."""

    name: Annotated[str, Meta(description="What they are called now.")]
    role: Annotated[
        Literal["character", "player", "side", "gm"], Meta(description="What they are to the table.")
    ]
    player: Annotated[Number, Meta(description="Who plays them, by number.")] | UnsetType = UNSET
    out: (
        Annotated[Literal[True], Meta(description="True while they lie out of an open conflict.")] | UnsetType
    ) = UNSET
    retired: Annotated[Literal[True], Meta(description="True for a person no longer played.")] | UnsetType = (
        UNSET
    )
    portrait: Annotated[Portrait, Meta(description="How they look.")] | UnsetType = UNSET
    colour: (
        Annotated[
            Annotated[list[str], Meta(min_length=2, max_length=2)],
            Meta(description="The colour of their name, on light and on dark paper."),
        ]
        | UnsetType
    ) = UNSET


class Conflict(Shape, kw_only=True):
    """Open conflict."""

    title: Annotated[str, Meta(description="What it is called.")]
    system: Annotated[str, Meta(description="The title of its game.")]
    sides: Annotated[list[list[Number]], Meta(description="The sides, each a list of people by number.")]
    stakes: Annotated[str, Meta(description="What it is about.")] | UnsetType = UNSET
    count: Annotated[str, Meta(description="Which of its turns it is in, in words.")] | UnsetType = UNSET
    stands: Annotated[str, Meta(description="Its place, in words.")] | UnsetType = UNSET


class Row(Shape, kw_only=True):
    """Value that a game counts."""

    system: Annotated[str, Meta(description="The name of the game.")]
    conflict: (
        Annotated[
            Number,
            Meta(description="The conflict in which it is counted; absent for what outlives conflicts."),
        ]
        | UnsetType
    ) = UNSET
    who: (
        Annotated[
            int | str,
            Meta(description="The owner, by number, or the name of a thing; absent without an owner."),
        ]
        | UnsetType
    ) = UNSET
    what: Annotated[str, Meta(description="What the game calls it.")]
    value: Annotated[int, Meta(description="How much there is of it.")]
    most: Annotated[int, Meta(description="How much there can be.")] | UnsetType = UNSET
    picture: Annotated[
        Literal["number", "counter", "boxes", "clock", "points", "health", "stress", "fallout", "slot"],
        Meta(description="How it is drawn."),
    ]
    out: Annotated[Literal[True], Meta(description="True where there is nothing left of it.")] | UnsetType = (
        UNSET
    )
    boxes: Annotated[list[int], Meta(description="The numbers of the boxes that are marked.")] | UnsetType = (
        UNSET
    )
    rows: (
        Annotated[int, Meta(description="In how many rows its boxes stand, where that is not one.")]
        | UnsetType
    ) = UNSET
    words: (
        Annotated[
            list[str | None],
            Meta(description="The meaning of each full row or slot, in order; null if not given."),
        ]
        | UnsetType
    ) = UNSET


class Deck(Shape, kw_only=True):
    """Deck with drawn cards."""

    name: Annotated[str, Meta(description="What the game calls it.")]
    system: Annotated[str, Meta(description="The name of the game.")]
    owner: Annotated[Number, Meta(description="Whose it is, by number.")] | UnsetType = UNSET
    size: Annotated[int, Meta(description="How many cards it has in all.")]
    left: Annotated[int, Meta(description="How many are still in it.")]
    gone: Annotated[int, Meta(description="How many are discarded.")] | UnsetType = UNSET


class Hand(Shape, kw_only=True):
    """Cards of one deck in a person's hand."""

    who: Annotated[Number, Meta(description="Whose, by number.")]
    deck: Annotated[str, Meta(description="The key of the deck.")]
    cards: Annotated[list[str], Meta(description="The cards, as the record names them.")]


class FaceDown(Shape, kw_only=True):
    """Unnamed cards in front of a person."""

    conflict: Annotated[Number, Meta(description="The conflict, by its number.")]
    who: Annotated[Number, Meta(description="Whose, by number.")]
    cards: Annotated[list[None], Meta(description="A null for each of them.")]


class Die(Shape, kw_only=True):
    """Die on the table."""

    sides: Annotated[int, Meta(description="How many sides it has, and 0 for a fudge die.")]
    face: Annotated[int, Meta(description="What it shows.")]
    kept: (
        Annotated[bool, Meta(description="Whether it counts, once it is known what they come to.")]
        | UnsetType
    ) = UNSET


class Fallen(Shape, kw_only=True):
    """Cards or dice last drawn or thrown."""

    who: Annotated[Number, Meta(description="Whose, by number.")] | UnsetType = UNSET
    cards: (
        Annotated[list[str | None], Meta(description="The cards, null for one that lies face down.")]
        | UnsetType
    ) = UNSET
    dice: Annotated[list[Die], Meta(description="The dice, in their order.")] | UnsetType = UNSET
    total: Annotated[int, Meta(description="What they come to.")] | UnsetType = UNSET
    against: Annotated[int, Meta(description="The number they are thrown against.")] | UnsetType = UNSET
    under: Annotated[Literal[True], Meta(description="True where less is better.")] | UnsetType = UNSET
    whose: Annotated[Number, Meta(description="Who throws against them, by number.")] | UnsetType = UNSET
    margin: (
        Annotated[int, Meta(description="By how much they made it; less than 0, missed it.")] | UnsetType
    ) = UNSET


class Pool(Shape, kw_only=True):
    """Dice in front of a person."""

    conflict: Annotated[Number, Meta(description="The conflict, by its number.")]
    who: Annotated[Number, Meta(description="Whose, by number.")]
    dice: Annotated[list[int], Meta(description="The faces, lowest first.")]
    kept: Annotated[list[int], Meta(description="Those of them that are put by.")] | UnsetType = UNSET
    approach: Annotated[str, Meta(description="How they go about it.")] | UnsetType = UNSET
    out: Annotated[Literal[True], Meta(description="True for who has left the conflict.")] | UnsetType = UNSET


class RaisedDice(Shape, kw_only=True):
    """Dice put forward by a person."""

    conflict: Annotated[Number, Meta(description="The conflict, by its number.")]
    by: Annotated[Number, Meta(description="Whose they are, by number.")]
    to: Annotated[list[Number], Meta(description="Who has yet to meet them, by number.")]
    dice: Annotated[list[int], Meta(description="The faces.")]
    total: Annotated[int, Meta(description="What they come to.")]


class Balance(Shape, kw_only=True):
    """Balance of a conflict."""

    conflict: Annotated[Number, Meta(description="The conflict, by its number.")]
    scale: Annotated[list[str], Meta(description="Every level in order.")]
    level: Annotated[int, Meta(description="Which of them it is, counted from 0.")]
    favours: Annotated[
        int | None, Meta(description="The first person of the favoured side, by number; null if balanced.")
    ]
    sides: Annotated[list[list[Number]], Meta(description="The sides, each a list of people by number.")]


class Aim(Shape, kw_only=True):
    """A person's aim in a fight."""

    who: Annotated[Number, Meta(description="Whose, by number.")]
    act: Annotated[str, Meta(description="The declared intent; `sealed` while face down.")]
    target: Annotated[int | None, Meta(description="The target, by number, or null.")]
    outcome: Annotated[str | None, Meta(description="What became of it, or null before that is known.")]
    by: Annotated[list[Number], Meta(description="The people it is due to, by number.")]


class Pair(Shape, kw_only=True):
    """Two people who clash."""

    one: Annotated[Number, Meta(description="One of them, by number.")]
    other: Annotated[Number, Meta(description="The other, by number.")]
    checker: Annotated[int | None, Meta(description="Who checks, by number, or null where that is open.")]
    winner: Annotated[int | None, Meta(description="The winner, by number; null while undecided.")]


class Melee(Shape, kw_only=True):
    """One phase of a fight."""

    conflict: Annotated[Number, Meta(description="The conflict, by its number.")]
    phase: Annotated[int, Meta(description="Which phase it is, from 1.")]
    aims: Annotated[list[Aim], Meta(description="The declared intents.")]
    pairs: Annotated[list[Pair], Meta(description="The pairs that clash.")]


class Spot(Shape, kw_only=True):
    """Zone of a map."""

    name: Annotated[str, Meta(description="What it is called.")]
    x: Annotated[float, Meta(description="How far to the right, a border being about 1 long.")]
    y: Annotated[float, Meta(description="How far down, as for x.")]


class Border(Shape, kw_only=True):
    """Border between two zones."""

    one: Annotated[Number, Meta(description="One zone, counted from 0.")]
    other: Annotated[Number, Meta(description="The other zone, counted from 0.")]
    there: Annotated[list[str], Meta(description="The ways from the one to the other, and what they take.")]
    back: Annotated[list[str], Meta(description="The ways back.")]
    harm: Annotated[str, Meta(description="What it has taken, in words, or empty.")]


class DrawnMap(Shape, kw_only=True):
    """Map without people."""

    conflict: Annotated[Number, Meta(description="The conflict, by its number.")]
    spots: Annotated[list[Spot], Meta(description="Its zones.")]
    lines: Annotated[list[Border], Meta(description="Its borders.")]


class Place(Shape, kw_only=True):
    """A person's zone on a map."""

    who: Annotated[Number, Meta(description="Whose, by number.")]
    spot: Annotated[Number, Meta(description="The zone, counted from 0.")]
    out: (
        Annotated[Literal[True], Meta(description="True for a person who was left lying there.")] | UnsetType
    ) = UNSET


class Aspect(Shape, kw_only=True):
    """Aspect in play."""

    on: Annotated[int | str, Meta(description="The target: a person by number, or a thing by name.")]
    wording: Annotated[str, Meta(description="What it says.")] | UnsetType = UNSET
    lasting: Annotated[Literal[True], Meta(description="True where it stays.")] | UnsetType = UNSET
    free: Annotated[int, Meta(description="How many free invokes there are on it.")] | UnsetType = UNSET
    holder: (
        Annotated[Number, Meta(description="The holder, by number; absent if any opponent holds it.")]
        | UnsetType
    ) = UNSET
    boxes: Annotated[int, Meta(description="How many boxes it has.")] | UnsetType = UNSET
    marked: Annotated[list[int], Meta(description="The numbers of those marked.")] | UnsetType = UNSET


class Pending(Shape, kw_only=True):
    """Question waiting for the table."""

    asked: Annotated[str, Meta(description="The question, in words.")]
    answers: Annotated[list[str], Meta(description="The answers there are.")] | UnsetType = UNSET
    conflict: (
        Annotated[Number, Meta(description="The conflict it is about; absent outside any.")] | UnsetType
    ) = UNSET


class Mechanic(Shape, kw_only=True):
    """Line of cards, dice or numbers."""

    text: Annotated[str, Meta(description="What it says.")]
    luck: Annotated[str, Meta(description="Where its luck came from.")] | UnsetType = UNSET
    after: (
        Annotated[
            int,
            Meta(
                description="How many steps after the first that leads to its block it is told; 0 where it is"
                " left out."
            ),
        ]
        | UnsetType
    ) = UNSET


class Block(Shape, kw_only=True):
    """Heading of the story, or a paragraph; empty fields are left out."""

    sort: Annotated[Literal["chapter", "scene", "conflict", "told"], Meta(description="What it is.")]
    id: (
        Annotated[
            str | None, Meta(description="The id of a heading; a paragraph has none, for steps lead to it.")
        ]
        | UnsetType
    ) = UNSET
    text: Annotated[str, Meta(description="The heading, or what is told.")]
    kind: (
        Annotated[str, Meta(description="Of a paragraph, whose words they are, as in a transcript.")]
        | UnsetType
    ) = UNSET
    label: Annotated[str, Meta(description="The text before it.")] | UnsetType = UNSET
    speaker: Annotated[str, Meta(description="Who says it.")] | UnsetType = UNSET
    quotes: (
        Annotated[
            Annotated[list[str], Meta(min_length=2, max_length=2)],
            Meta(description="The marks around what is spoken."),
        ]
        | UnsetType
    ) = UNSET
    ours: Annotated[Literal[True], Meta(description="True of a generated sentence.")] | UnsetType = UNSET
    direction: (
        Annotated[Literal[True], Meta(description="True of text set in brackets on a stage.")] | UnsetType
    ) = UNSET
    struck: Annotated[Literal[True], Meta(description="True of what counts no longer.")] | UnsetType = UNSET
    later: Annotated[Literal[True], Meta(description="True of what was told later.")] | UnsetType = UNSET
    eyes: Annotated[str, Meta(description="Its readers, if not everyone.")] | UnsetType = UNSET
    against: Annotated[str, Meta(description="For a conflict: sides and stake on one line.")] | UnsetType = (
        UNSET
    )
    system: Annotated[str, Meta(description="Of a conflict, its game.")] | UnsetType = UNSET
    recorded: (
        Annotated[
            str, Meta(description="The record's own words, if the text is a draft's and differs from them.")
        ]
        | UnsetType
    ) = UNSET
    image: (
        Annotated[
            Number, Meta(description="A picture, its place in `pictures`; the text says what it shows.")
        ]
        | UnsetType
    ) = UNSET
    width: Annotated[int, Meta(description="The picture's width in pixels.", ge=1)] | UnsetType = UNSET
    height: Annotated[int, Meta(description="The picture's height in pixels.", ge=1)] | UnsetType = UNSET
    caption: Annotated[str, Meta(description="The caption: its readers and its maker.")] | UnsetType = UNSET
    colour: (
        Annotated[
            Annotated[list[str], Meta(min_length=2, max_length=2)],
            Meta(description="The colour of the speaker's name, on light and on dark paper."),
        ]
        | UnsetType
    ) = UNSET
    mechanics: Annotated[list[Mechanic], Meta(description="The numbers behind it.")] | UnsetType = UNSET
    after: (
        Annotated[
            int,
            Meta(
                description="How many steps after the first that leads to it its words are told; 0 where it "
                "is left out."
            ),
        ]
        | UnsetType
    ) = UNSET


class Steps(Shape, kw_only=True):
    """Events of a line, in columns of equal length."""

    id: Annotated[list[str], Meta(description="What points at each event for ever.")]
    t: Annotated[list[float | None], Meta(description="Seconds from `opened`, or null.")]
    kind: Annotated[list[Number], Meta(description="The kind of each, its place in `kinds`.")]
    told: Annotated[
        Any,
        Meta(
            description="Each in the notation of the log; where its block says the same words, a list of what"
            " stands before them, which they are (0 its text, 1 the first of its mechanics, and "
            "so on), and what stands after them.",
            extra_json_schema={
                "type": "array",
                "items": {
                    "type": ["string", "array"],
                    "prefixItems": [
                        {"type": "string"},
                        {"type": "integer", "minimum": 0},
                        {"type": "string"},
                    ],
                    "minItems": 3,
                    "maxItems": 3,
                },
            },
        ),
    ]
    block: Annotated[
        list[Annotated[int, Meta(ge=-1)]],
        Meta(description="The block of this line that tells it, or the last before that; -1 for none."),
    ]
    flags: Annotated[
        list[Annotated[int, Meta(ge=0, le=127)]],
        Meta(
            description="The sum of 1 begins an act, 2 ends a turn, 4 begins a scene, 8 begins a session, 16 "
            "begins a conflict, 32 ends one, 64 is for some eyes only."
        ),
    ]
    delta: Annotated[
        list[list[int | dict[str, Any] | None]],
        Meta(
            description="What each changes on the board, key and thing by turns; a key is its place in "
            "`keys`, and a thing of null takes away what lay there; below 0 it is the complement "
            "of that place (-1 for 0, -2 for 1), and only the fields stand there that are "
            "otherwise than before."
        ),
    ]


class Line(Shape, kw_only=True):
    """Main line of the replay, or a line that leaves another."""

    name: Annotated[str, Meta(description="What it is called.")]
    parent: Annotated[
        int | None, Meta(description="The line it leaves, counted from 0, or null for the one that is told.")
    ]
    at: Annotated[Number, Meta(description="After how many steps of that line's path it leaves.")]
    why: Annotated[str | None, Meta(description="Why a person left for it, or null.")]
    steps: Annotated[Steps, Meta(description="What happened on it.")]
    marks: Annotated[
        Any,
        Meta(
            description="The moments that have a name: its step, counted from 0, and the name.",
            extra_json_schema={
                "type": "array",
                "items": {
                    "type": "array",
                    "prefixItems": [{"type": "integer", "minimum": 0}, {"type": "string"}],
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
        ),
    ]
    visible_to: (
        Annotated[
            Any,
            Meta(
                description="Steps not everyone may see: the step, counted from 0, and its readers now, "
                "`gm` or names.",
                extra_json_schema={
                    "type": "array",
                    "items": {
                        "type": "array",
                        "prefixItems": [
                            {"type": "integer", "minimum": 0},
                            {"oneOf": [{"const": "gm"}, {"type": "array", "items": {"type": "string"}}]},
                        ],
                        "minItems": 2,
                        "maxItems": 2,
                    },
                },
            ),
        ]
        | UnsetType
    ) = UNSET
    board: Annotated[
        Any,
        Meta(
            description="What lies on the table before its first step.",
            extra_json_schema={"$ref": "#/$defs/board"},
        ),
    ]
    blocks: Annotated[list[Block], Meta(description="Its story.")]


class CoverPerson(Shape, kw_only=True):
    """Person on the first screen."""

    name: Annotated[str, Meta(description="Their name.")]
    about: Annotated[str, Meta(description="Their description.")] | UnsetType = UNSET
    portrait: Annotated[Number, Meta(description="The portrait, in `pictures`.")] | UnsetType = UNSET


class Replay(Shape, kw_only=True):
    """A session, a stretch of a line or a whole campaign, step by step, as one viewer may know it.

    Its texts are safe to show; within one version fields are only ever added. docs/replay.md tells what
    it is for.
    """

    replay: Annotated[
        Any, Meta(description="The version of this document.", extra_json_schema={"const": VERSION})
    ]
    title: Annotated[str, Meta(description="What the part that is told is called.")]
    campaign: Annotated[str | None, Meta(description="What the campaign is called, or null.")]
    lang: Annotated[
        str,
        Meta(description="The language of what is typed, as HTML names languages."),
    ]
    blurb: Annotated[str, Meta(description="What it is about, as its writer says.")] | UnsetType = UNSET
    people: Annotated[list[CoverPerson], Meta(description="Who is on the first screen.")] | UnsetType = UNSET
    cover: (
        Annotated[Number, Meta(description="The picture behind the first screen, in `pictures`.")] | UnsetType
    ) = UNSET
    viewer: Annotated[str, Meta(description="The viewer: `gm`, `table`, or a name.")]
    director: (
        Annotated[
            Literal[True],
            Meta(description="True in the game master's copy, the only one with notes."),
        ]
        | UnsetType
    ) = UNSET
    voice: Annotated[str, Meta(description="Who tells: `plain`, `report`, or another voice by its name.")]
    source: Annotated[
        str,
        Meta(
            description="Which campaign it is of: a keyed digest, the same in all its replays and in no "
            "other's."
        ),
    ]
    opened: Annotated[
        str | None,
        Meta(
            description="When the clock of its steps began, in UTC, or null.",
            extra_json_schema={"format": "date-time"},
        ),
    ]
    mechanics: (
        Annotated[Literal[False], Meta(description="False where its story was told without numbers.")]
        | UnsetType
    ) = UNSET
    keys: Annotated[list[str], Meta(description="The keys of the board, which steps point at.")]
    kinds: Annotated[list[str], Meta(description="The kinds of events, which steps point at.")]
    pictures: (
        Annotated[list[str], Meta(description="The pictures, each once, as `data:` addresses.")] | UnsetType
    ) = UNSET
    portraits: (
        Annotated[
            dict[str, Number],
            Meta(description="The portraits by the ids of their events, each its place in `pictures`."),
        ]
        | UnsetType
    ) = UNSET
    lines: Annotated[
        list[Line],
        Meta(min_length=1),
        Meta(description="The line that is told, and after it those that leave it, or each other."),
    ]


THINGS: Final[Mapping[str, type[Shape]]] = {
    "^at$": At,
    "^who:": Who,
    "^conflict:": Conflict,
    "^row:": Row,
    "^deck:": Deck,
    "^hand:": Hand,
    "^down:": FaceDown,
    "^fell$": Fallen,
    "^pool:": Pool,
    "^raise:": RaisedDice,
    "^balance:": Balance,
    "^melee:": Melee,
    "^map:": DrawnMap,
    "^place:": Place,
    "^aspect:": Aspect,
    "^pending:": Pending,
}
"""Things on the board, by the pattern of their keys."""


def replay_schema() -> dict[str, Any]:
    """Returns the JSON Schema of a replay; names of shapes are in small letters, and `board` is one."""
    _, written = schema_components((Replay,), ref_template="#/$defs/{name}")
    named: dict[str, Any] = {name.lower(): plain_schema(shape) for name, shape in written.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A replay as Retold exports it",
        **named.pop("replay"),
        "$defs": {**named, "board": board_schema()},
    }


def plain_schema(part: Any) -> Any:  # noqa: ANN401 -- JSON
    """Returns a schema in its shortest form, with the names of shapes in small letters."""
    if isinstance(part, list):
        return [plain_schema(item) for item in part]
    if not isinstance(part, dict):
        return part
    names = {"$ref": part["$ref"].lower()} if isinstance(part.get("$ref"), str) else {}
    return shortened({key: plain_schema(value) for key, value in part.items()} | names)


def board_schema() -> dict[str, Any]:
    """JSON schema of a board: the things on the table, each under a key of its pattern."""
    _, shapes = schema_components(THINGS.values(), ref_template="{name}")
    return {
        "description": "Everything on the table at a moment, by keys.",
        "type": "object",
        "patternProperties": {key: _whole(shapes[thing.__name__], shapes) for key, thing in THINGS.items()},
        "additionalProperties": False,
        "required": ["at"],
    }


def _whole(part: Any, shapes: Mapping[str, Any]) -> Any:  # noqa: ANN401 -- JSON
    """Returns a schema with every reference replaced by the shape it names."""
    if isinstance(part, list):
        return [_whole(item, shapes) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _whole(shapes[part["$ref"]], shapes)
    return shortened({key: _whole(value, shapes) for key, value in part.items()})


def shortened(schema: dict[str, Any]) -> dict[str, Any]:
    """Returns a shorter copy of a JSON schema from msgspec, with the same meaning.

    The title is left out, an enum of one word becomes `const`, and a union of simple types becomes a list of
    types.
    """
    short = {key: value for key, value in schema.items() if key != "title" or isinstance(value, dict)}
    if isinstance(short.get("description"), str):
        short["description"] = " ".join(short["description"].split())
    match short:
        case {"enum": [word]}:
            short["const"] = word
            del short["enum"]
        case {"anyOf": [*kinds]} if all(kind.keys() == {"type"} for kind in kinds):
            short["type"] = [kind["type"] for kind in kinds]
            del short["anyOf"]
    return short
