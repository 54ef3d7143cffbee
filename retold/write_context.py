"""Branch of a campaign open for writing, and functions that ask the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from msgspec import Struct, field

from retold.journal.language.binding import Scope
from retold.journal.language.moments import (
    LinePosition,
    find_act,
    find_place,
    is_number,
    renumbered,
)
from retold.journal.language.writing import quote_name
from retold.journal.refused import Refused
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing.campaign import CampaignStore, LineWriter
from retold.journal.table import Table
from retold.projections.reading import GAME_MASTER, Arrival, LineView
from retold.projections.reading.recorded_line import RecordedLine

Ask = Callable[[str], bool]
"""Asks the user a yes-or-no question."""

Consult = Callable[[str], str | None]
"""Asks the user for a line; returns None without one."""


def yes(_question: str) -> bool:
    """Answers yes to a question that nobody is shown."""
    return True


LONGEST_SHOWN: Final = 200
"""Characters of a line that a description shows."""


class WriteContext(Struct):
    """Branch of a campaign open for writing, with functions to ask the user: `ask` (yes or no), `consult`."""

    campaign: CampaignStore
    line: int
    today: str | None = None
    ask: Ask = yes
    consult: Consult = field(default=lambda _question: None)
    attended: bool = False
    """True if a user is present to answer, or has answered beforehand."""
    may_refuse: bool = False
    """True if a program asks back by `ask`, so that the answer may be no."""
    chose: Callable[[int | None], None] = field(default=lambda _line: None)
    """Called with the line to write to from now on; None means the mainline."""
    _writer: LineWriter | None = None

    @property
    def writer(self) -> LineWriter:
        """Store writer for the current branch, created on first use."""
        if self._writer is None or self._writer.line != self.line:
            self._writer = self.campaign.writer(self.line)
        return self._writer

    @property
    def table(self) -> Table:
        """Current table state of the branch."""
        return self.writer.table

    @property
    def scope(self) -> Scope:
        """Binding context of a line typed now: table state, resolver of moments, today's date."""
        return Scope(self.table, self.position, self.today)

    def seen_by(self, viewer: str | Arrival) -> LineView:
        """Returns the branch up to its last event as `gm`, `table` or a person sees it.

        Raises Refused for an unknown name.
        """
        past = RecordedLine(self.campaign, self.line, self.table.position)
        past.keep(past.position, self.table)
        return LineView(self.campaign, self.line, past.position, GAME_MASTER, past).called(viewer)

    def close(self) -> None:
        """Saves a snapshot of the table state, so that opening the campaign again is fast."""
        if self._writer is not None:
            self._writer.keep_snapshot()

    def go(self, line: int) -> None:
        """Switches to the branch of this number, and tells `chose` about it."""
        self.line = line
        self.chose(None if line == self.campaign.mainline() else line)

    def free_name(self, wanted: str) -> str:
        """Returns an unused branch name: `wanted` itself, or with the first free number, such as `fix-2`.

        It contains no position, since players may see it.
        """
        names = set(self.campaign.lines().values())
        numbered = (wanted, *(f"{wanted}-{number}" for number in range(2, 1000)))
        return next(name for name in numbered if name not in names)

    def position(self, typed: str) -> int:
        """Returns the position of a typed moment on this branch.

        Raises Refused for a moment on another branch.
        """
        place: LinePosition = find_place(self.campaign, self.line, typed)
        if place.line != self.line:
            raise Refused(f"{typed} is on another line: switch to it first.")
        return self._renumbered(typed, place.position)

    def act_at(self, typed: str) -> int:
        """Returns the position of the act that a typed moment means; a number is a position by itself.

        Raises Refused for an unknown moment, or one on another branch.
        """
        position = self.position(typed)
        return position if is_number(typed) else find_act(self.campaign, self.line, typed).position

    def _renumbered(self, typed: str, position: int) -> int:
        """Returns the position meant by a number, after asking if a `fix` moved its event; else `position`.

        Raises Refused if the event moved and the user says no or cannot be asked.
        """
        moved = renumbered(self.campaign, self.line, typed)
        if moved is None:
            return position
        name = quote_name(self.campaign.lines()[self.line])
        was, now = (self.described(self.writer.act_at(at)) for at in (moved.position, position))
        about = f"Numbers moved when the line was changed: what was {position} is now {was}."
        asked = f"{about} Go on with {moved.position}?"
        if self.attended and self.ask(asked):
            return moved.position
        other = f"Write {name}@{position} for {now}"
        raise Refused(f"{other}." if self.attended else f"{about} {other}, or {name}@{moved.position}.")

    def described(self, act: Act) -> str:
        """Returns a short description of an act: its positions, and its typed line in brackets."""
        return f"{act.span} ({_shortened_line(act, self.table)})"

    def line_said(self, act: Act) -> str:
        """Returns the typed line of an act, with a text of several lines joined to one."""
        return _line_said(act, self.table)

    def begin_again(self) -> None:
        """Discards the cached writer, which is out of date after a branch was recorded without it."""
        self._writer = None


def _shortened_line(act: Act, table: Table) -> str:
    """Returns the typed line of an act, cut after `LONGEST_SHOWN` characters."""
    line = _line_said(act, table)
    return line if len(line) <= LONGEST_SHOWN else f"{line[:LONGEST_SHOWN]} …"


def _line_said(act: Act, table: Table) -> str:
    from retold.journal.language.rendering import line_of

    try:
        line = line_of(act, table)
    except Refused:  # a name that cannot be written on a line
        return ", ".join(type(stored.event).__name__ for stored in act.events)
    return " ".join(line.split())
