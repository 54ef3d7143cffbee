"""What came of a line of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from journal.line import LiveEvent
from journal.store.acts import RecordedAct
from journal.table import Table
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary.base import Event
from journal.vocabulary.events import SessionClosed, SheetChanged
from projections import games, safe
from projections.plain.lives import notation
from projections.views.naming import conflict_title


class Outcome(Struct, frozen=True):
    """What came of a line: events recorded, or only something to say."""

    done: RecordedAct | None = None
    said: tuple[str, ...] = ()
    checked: bool = False
    """True where nothing was to be recorded."""
    would: tuple[Event, ...] = ()
    """With --check: what would have happened."""
    place: Callable[[int], str] | None = None
    """How the events point at a position, for a player; by its number if None."""
    visible_to: tuple[VisibleTo, ...] = ()
    """Who may see each of its events, in order; the whole table where it says nothing."""

    def sentences(self, table: Table) -> tuple[str, ...]:
        """What came of it at this table, as the command line says it: what is said of it, then its events."""
        return (*self.said, *self.notation(table))

    def notation(self, table: Table, *, but: tuple[type[Event], ...] = ()) -> Iterator[str]:
        """Its events in the notation of the log, all `but` those of some kinds; a secret says whose it is.

        A game may have a shorter answer for an act that everybody sees.
        """
        lives = self.done.lives if self.done else tuple(LiveEvent(0, event) for event in self.would)
        seen = (*self.visible_to, *(TABLE,) * (len(lives) - len(self.visible_to)))
        answer = self._answer(table) if set(seen) <= {TABLE} else None
        short = None if answer is None else answer.answer(table, self.events)
        if short is not None:
            yield from short
            return
        yield from self._events(table, lives, seen, but)
        if answer is not None:
            yield from answer.further(table, self.events)
        if self.done and any(isinstance(event, SessionClosed) for event in self.events):
            yield from _left_open(table)

    def _answer(self, table: Table) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
        """The room of the game that says the answer in another way than by its events; None without one.

        Only of what is recorded: the table as it stands has not heard of what is checked.
        """
        kinds = {_game_of(event) for event in self.events} if self.done else ()
        rooms = (games.room(kind, "answer") for kind in kinds if kind in table.shelves)
        return next((one for one in rooms if one is not None), None)

    def _events(
        self,
        table: Table,
        lives: Sequence[LiveEvent],
        seen: Sequence[VisibleTo],
        but: tuple[type[Event], ...],
    ) -> Iterator[str]:
        told = [pair for pair in zip(lives, seen, strict=False) if not isinstance(pair[0].event, but)]
        yield from notation(
            table, (live for live, _ in told), place=self.place, visible_to=(one for _, one in told)
        )

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened, or would have, where it was only checked; nothing where the line only asked."""
        return self.would if self.done is None else self.done.events

    @property
    def sealed(self) -> bool:
        """Whether something of it is shut until it is revealed."""
        return any(event.public for event in self.events)


def _left_open(table: Table) -> Iterator[str]:
    """Each conflict that goes on when a session has ended."""
    for conflict in table.conflicts.values():
        yield safe.line(f"Still open: the conflict “{conflict_title(conflict, table)}”.")


def _game_of(event: Event) -> str:
    """The game that has to do with an event: that of its sheet, or of its kind."""
    return event.system if isinstance(event, SheetChanged) else type(event).kind.partition(".")[0]


class Forgotten(NamedTuple):
    """What became of copies beside the record: lines taken out, and the files that could not be changed."""

    lines: int = 0
    left: tuple[Path, ...] = ()
