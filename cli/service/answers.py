"""Shapes of the service's answers: endpoints send them, and the OpenAPI description is written from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, to_builtins

from retold.cli.campaigns.inbox import ID_PATTERN

Audience = Literal["table", "gm"] | tuple[str, ...]
"""The whole table, only the game master, or people by name."""

ProposalId = Annotated[str, Meta(pattern=f"^{ID_PATTERN}$")]


class Answer(Struct, frozen=True):
    """Base of the shapes."""

    def to_json(self) -> dict[str, Any]:
        """The answer as JSON data."""
        answer: dict[str, Any] = to_builtins(self)
        return answer


class Error(Answer, frozen=True):
    """Refusal or failure as a sentence; `lines` may be said instead, `edit` may be changed and said."""

    error: str
    lines: list[str] = []
    edit: str | None = None


class EventWords(Answer, frozen=True):
    """Text of an event with its label, which may be empty; `ours` is true for a sentence of Retold's."""

    label: str
    text: str
    ours: bool


class Event(Answer, frozen=True):
    """Recorded event in the notation of the log; `visible_to` names its audience.

    `told` is empty for a throw that a later line of the same act tells. A page tells the event by the other
    fields: `begins` is true for the first event of an act.
    """

    id: str
    at: str
    kind: str
    told: str
    visible_to: Audience
    begins: bool
    heading: str
    words: tuple[EventWords, ...]
    numbers: str


class Proposal(Answer, frozen=True):
    """Line a player has handed in, and its outcome."""

    id: ProposalId
    who: str
    line: str
    sent: str
    state: Literal["waiting", "taken", "refused", "withdrawn", "answered"]
    why: str
    said: tuple[str, ...]


class Choice(Answer, frozen=True):
    """Line a person may say now, with its expected effect."""

    who: str
    line: str
    comes_to: str


class Roll(Answer, frozen=True):
    """Roll a person may make now; the flags say whether a bonus, `adv`, `vs` or `damage` may follow."""

    who: str
    line: str
    move: str
    about: str
    stat: str | None
    number: int | None
    comes_to: str
    bonus: bool
    twice: bool
    against: bool
    hurts: bool


class Count(Answer, frozen=True):
    """Number that `line` changes, with ` +1` or ` -1` behind it."""

    who: str
    what: str
    value: int
    most: int | None
    line: str


class Holder(Answer, frozen=True):
    """Viewer who may have a link: how many they hold, how many of these were used, and open pages now."""

    viewer: str
    links: int
    used: int
    pages: int


class Here(Answer, frozen=True):
    """Campaign and viewer of a link."""

    service: Literal[1]
    campaign: str
    title: str
    viewer: str
    director: bool
    plays: tuple[str, ...]
    proposals: Literal["asked", "taken"]
    line: str | None
    branches: tuple[str, ...]
    copies: str
    """Whose copy an export is, unless another is asked for: `table` or `gm`."""
    cover: bool
    """True if the viewer may see a cover of the campaign: `picture/cover`."""
    home: bool
    """True for the game master of a campaign that home has opened."""
