"""A line read back: which of its events count, under today's words, and what the table came to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from journal import line as line_
from journal.line import Dead, Live
from journal.store.codec import Recorded, Row, Unknown, decode, decode_event
from journal.store.errors import Damaged
from journal.store.file import File
from journal.store.kinds import EVENTS
from journal.table import Table
from journal.vocabulary import events as e


@dataclass(slots=True)
class Standing:
    """What a line says about itself up to a position: what is undone, and what reads otherwise."""

    dead: list[Dead] = field(default_factory=list)
    rewordings: dict[int, dict[int, str]] = field(default_factory=dict)

    def counts(self, position: int) -> bool:
        """True if no undo has taken the event at `position` back."""
        return not any(first <= position <= last for first, last in self.dead)


def standing(file: File, line: int, upto: int | None = None) -> Standing:
    """What is undone and reworded on `line` up to position `upto` (its head if None)."""
    rows = list(file.rows(line, 0, upto, ("table.undone", "table.redone", "table.reworded")))
    changes = [decode_event(row)[0] for row in rows if row.kind != "table.reworded"]
    found = Standing(line_.undone(change for change in changes if isinstance(change, e.Undone | e.Redone)))
    for row in rows:
        if row.kind == "table.reworded" and found.counts(row.position):
            change = decode_event(row)[0]
            if isinstance(change, e.Reworded) and change.text.text is not None:
                found.rewordings.setdefault(change.about, {})[change.word] = change.text.text
    return found


def lives(
    file: File, line: int, after: int = 0, upto: int | None = None, stands: Standing | None = None
) -> Iterator[Live]:
    """The live events of `line` with positions after+1..upto, ready to fold."""
    stands = standing(file, line, upto) if stands is None else stands
    rewordings = stands.rewordings
    for row in file.rows(line, after, upto):
        if stands.dead and not stands.counts(row.position):
            continue
        event, luck = _known(row, rewordings.get(row.position))
        yield Live(row.position, event, luck)


def _known(row: Row, rewordings: Mapping[int, str] | None) -> tuple[Any, Any]:
    if row.kind not in EVENTS:
        raise Damaged(
            f"Position {row.position} holds {row.kind}, which this Retold does not know:"
            " it was written by a later one."
        )
    return decode_event(row, rewordings)


def table_at(file: File, line: int, upto: int | None = None) -> Table:
    """The table as it stood at position `upto` of `line` (its head if None), folded from the beginning."""
    return line_.fold(lives(file, line, 0, upto))


def recorded(
    file: File, line: int, after: int = 0, upto: int | None = None, *, as_of: int | None = None
) -> Iterator[tuple[Recorded, bool]]:
    """Everything on `line` at positions after+1..upto, with whether it still counts at `as_of`."""
    stands = standing(file, line, as_of if as_of is not None else upto)
    for row in file.rows(line, after, upto):
        yield decode(row, stands.rewordings.get(row.position)), stands.counts(row.position)


MANAGES = frozenset(
    {
        "table.campaign-begun",
        "table.forked",
        "table.promoted",
        "table.retired",
        "table.undone",
        "table.redone",
        "table.redacted",
        "table.revealed",
    }
)
"""Kinds that no undo takes back; the sentence that says why stands beside `undo`."""


@dataclass(frozen=True, slots=True)
class Act:
    """The events one command brought about, first to last position."""

    first: int
    last: int
    events: tuple[Recorded, ...]

    @property
    def managing(self) -> bool:
        """True for an act about the line itself, which no undo takes back."""
        return any(_kind(event) in MANAGES for event in self.events)


def _kind(recorded_event: Recorded) -> str:
    event = recorded_event.event
    return event.kind if isinstance(event, Unknown) else type(event).kind


def acts_backwards(file: File, line: int, before: int, stands: Standing) -> Iterator[Act]:
    """The live acts of `line` that end before position `before`, the last first."""
    waiting: list[Recorded] = []
    for row in file.backwards(line, before):
        if not stands.counts(row.position):
            continue
        event = decode(row, stands.rewordings.get(row.position))
        waiting.append(event)
        if event.envelope.i == 1:
            events = tuple(reversed(waiting))
            waiting = []
            yield Act(events[0].position, events[-1].position, events)


def acts(file: File, line: int, after: int = 0, upto: int | None = None) -> Iterator[Act]:
    """The live acts of `line` with positions after+1..upto, in order."""
    waiting: list[Recorded] = []
    for event, counts in recorded(file, line, after, upto):
        if not counts:
            continue
        waiting.append(event)
        if event.envelope.i == event.envelope.n:
            yield Act(waiting[0].position, waiting[-1].position, tuple(waiting))
            waiting = []


def mainline(file: File) -> int:
    """The line the table plays: the one last promoted, else the first."""
    promoted = [row.line for row in file.everything_of(("table.promoted",))]
    return promoted[-1] if promoted else 1


def line_names(file: File) -> dict[int, str]:
    """Every line's name: the table's own is mainline, a branch has the name it was given."""
    main = mainline(file)
    names = {1: "first-line"}
    for row in file.everything_of(("table.forked",)):
        fork = decode_event(row)[0]
        if isinstance(fork, e.Forked):
            names[fork.line] = fork.name.text or f"line-{row.line}"
    names[main] = "mainline"
    return names
