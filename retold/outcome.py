"""Outcome of a typed line: recorded events, and sentences for the user."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

from msgspec import Struct

from retold.journal.line import LiveEvent
from retold.journal.store.events.acts import RecordedAct
from retold.journal.table import Table
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary.base import Event
from retold.journal.vocabulary.events import Revealed, SessionClosed, SheetChanged, TotalReached
from retold.projections import games
from retold.projections.plain.lives import notation
from retold.projections.texts import safe
from retold.projections.views.naming import conflict_title


class Outcome(Struct, frozen=True):
    """Outcome of a typed line: events recorded in `done`, or only sentences (`said`)."""

    INTERNAL: ClassVar = frozenset({"notation", "place", "sentences", "visible_to"})
    """Names for Retold's own command line alone, as in `Reading`."""

    done: RecordedAct | None = None
    said: tuple[str, ...] = ()
    checked: bool = False
    """True if the line was only checked."""
    would: tuple[Event, ...] = ()
    """Events that would be recorded, after a check."""
    place: Callable[[int], str] | None = None
    """Writes positions for a player; plain numbers if None."""
    visible_to: tuple[VisibleTo, ...] = ()
    """Audience per event, in order; missing entries mean the table."""

    def sentences(self, table: Table) -> tuple[str, ...]:
        """Returns sentences as the command line prints them: messages, then events in the log's notation."""
        return (*self.said, *self.notation(table))

    def notation(self, table: Table, *, but: tuple[type[Event], ...] = ()) -> Iterator[str]:
        """Yields each event as a line of the log, except event classes in `but`.

        A hidden event's line names its audience. A game may word a shorter answer for a public act. After the
        end of a session a sentence per open conflict follows.
        """
        lives = self.done.lives if self.done else tuple(LiveEvent(0, event) for event in self.would)
        seen = (*self.visible_to, *(TABLE,) * (len(lives) - len(self.visible_to)))
        answer = self._answer_module(table) if set(seen) <= {TABLE} else None
        short = None if answer is None else answer.answer(table, self.events)
        if short is not None:
            yield from short
            return
        yield from self._events(table, lives, seen, but)
        if answer is not None:
            yield from answer.further(table, self.events)
        if self.done and any(isinstance(event, SessionClosed) for event in self.events):
            yield from _left_open(table)

    def _answer_module(self, table: Table) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
        """Returns the module in which a game words the answer to its events itself.

        None without such a module. None after a check too: the table state then lacks the events.
        """
        kinds = {_game_of(event) for event in self.events} if self.done else set[str]()
        if any(isinstance(event, TotalReached) for event in self.events if self.done):
            kinds |= table.shelves.keys()  # a game may add a sentence about the thrower
        rooms = (games.room(kind, "answer") for kind in kinds if kind in table.shelves)
        return next((module for module in rooms if module is not None), None)

    def _events(
        self,
        table: Table,
        lives: Sequence[LiveEvent],
        seen: Sequence[VisibleTo],
        but: tuple[type[Event], ...],
    ) -> Iterator[str]:
        if any(" now: " in sentence for sentence in self.said):
            but = (*but, Revealed)  # the sentence names what they show
        told = [pair for pair in zip(lives, seen, strict=False) if not isinstance(pair[0].event, but)]
        yield from notation(
            table, (live for live, _ in told), place=self.place, visible_to=(audience for _, audience in told)
        )

    @property
    def events(self) -> tuple[Event, ...]:
        """Events that were recorded, or after a check would be recorded."""
        return self.would if self.done is None else self.done.events

    @property
    def first(self) -> int | None:
        """Position of the first recorded event; None if nothing was recorded."""
        return None if self.done is None else self.done.first

    @property
    def again(self) -> bool:
        """True if the act was on the line already, so that nothing was recorded now."""
        return self.done is not None and self.done.again

    @property
    def sealed(self) -> bool:
        """True if an event of the act is sealed: its content stays hidden until it is revealed."""
        return any(event.public for event in self.events)


UNCHANGED: Final = Outcome(said=("Nothing was changed.",), checked=True)
"""Outcome of a line whose question was answered with no."""


def _left_open(table: Table) -> Iterator[str]:
    """Yields a sentence for each conflict still open at the end of the session."""
    for conflict in table.conflicts.values():
        yield safe.line(f"Still open: the conflict “{conflict_title(conflict, table)}”.")


def _game_of(event: Event) -> str:
    """Returns the name of the event's game: that of a changed sheet, else the prefix of the event's kind."""
    return event.system if isinstance(event, SheetChanged) else type(event).kind.partition(".")[0]


class Forgotten(Struct, frozen=True):
    """Result of removing redacted texts from files beside the record, such as the console's history."""

    lines: int = 0
    left: tuple[Path, ...] = ()
