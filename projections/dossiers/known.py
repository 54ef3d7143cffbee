"""What is known of somebody, and of a thread, a place or a thing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from journal.vocabulary.events import Sort
from journal.words import REDACTED
from projections.mentions import Spot
from projections.views.matters import Entry
from projections.views.sheet import plain

Key = tuple[str, int]
"""One of all: `person` and an id, or `matter` and where it was opened."""


class Evening(NamedTuple):
    """A session somebody was there in."""

    session: int
    title: str | None
    date: str | None


class With(NamedTuple):
    """Somebody's player, or whom a player plays, and in which sessions."""

    name: str
    sessions: tuple[int, ...]


class Fought(NamedTuple):
    """A conflict somebody stood in; `how` it ended is null while it is open, `winner` where no side won."""

    session: int | None
    title: str
    system: str
    how: str | None
    winner: str | None


class Changed(NamedTuple):
    """What is otherwise since a session, in a sentence."""

    session: int | None
    told: str


class Stands(NamedTuple):
    """How something of theirs stands: points, harm, a track."""

    what: str
    now: str


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one; its fields are its JSON."""

    id: int | str
    name: str | None
    """Null once redacted."""
    former: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The value as JSON has it: documented here, and only ever added to within a version."""
        fields: dict[str, Any] = plain(self)
        return {"retold": "who", "version": 1, "sort": self.kind, **fields}

    @property
    def kind(self) -> str:
        """What it is: `person`, `thread`, `place` or `thing`."""
        raise NotImplementedError

    @property
    def called(self) -> str:
        """The name, or what stands for one that is gone."""
        return REDACTED if self.name is None else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called, and was."""
        return (self.called, *self.former)


@dataclass(frozen=True, slots=True)
class PersonKnown(Known):
    """Somebody: where they were, what became of them, and what they and others said."""

    role: str
    phrase: str | None
    aliases: tuple[str, ...]
    out: bool
    retired: bool
    played_by: tuple[With, ...]
    plays: tuple[With, ...]
    sessions: tuple[Evening, ...]
    conflicts: tuple[Fought, ...]
    changes: tuple[Changed, ...]
    now: tuple[Stands, ...]
    sheets: Mapping[str, str]
    """By the title of the game, on one line."""
    quotes: tuple[Spot, ...]
    spoken: tuple[Spot, ...]
    """What they said in character, the last few."""
    notes: tuple[Spot, ...]
    mentions: tuple[Spot, ...]
    earlier: int = field(default=0, compare=False)
    """How many mentions come before those, which were not asked for."""

    @property
    def kind(self) -> str:
        """Somebody."""
        return "person"

    @property
    def called(self) -> str:
        """Their name, or their number where it is gone."""
        return f"somebody ({self.id})" if self.name is None else self.name

    @property
    def names(self) -> tuple[str, ...]:
        """Their name, what else they are called, and what they were called before."""
        return (self.called, *self.aliases, *self.former)


@dataclass(frozen=True, slots=True)
class MatterKnown(Known):
    """A thread, a place or a thing: what was noted of it, and where it is named."""

    of: Sort
    notes: tuple[Entry, ...]
    closed: Entry | None
    mentions: tuple[Spot, ...]
    earlier: int = field(default=0, compare=False)
    """How many mentions come before those, which were not asked for."""

    @property
    def kind(self) -> str:
        """Which of the three."""
        return self.of
