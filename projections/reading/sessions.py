"""Session bounds: positions at which a line's sessions open and close."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct

from journal.refused import Refused
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

SESSION_KINDS = (e.SessionOpened.kind, e.SessionClosed.kind)
"""Event kinds that open and close sessions."""


class Stretch(Struct, frozen=True):
    """Positions after+1..upto; `session` is set if they are a whole session."""

    after: int
    upto: int
    session: e.SessionOpened | None = None
    previously: str | None = None


class SessionBound(NamedTuple):
    """Opening or closing of a session: kind, position and session number."""

    kind: str
    position: int
    session: int


class SessionBounds(Struct, frozen=True):
    """Positions of a line's session openings and closings, by session number, up to a position."""

    position: int
    opened: Mapping[int, int]
    closed: Mapping[int, int]
    _at: Callable[[int], Event]

    @classmethod
    def of(cls, position: int, bounds: Iterable[SessionBound], at: Callable[[int], Event]) -> SessionBounds:
        """Collects session bounds of live events; `at` reads the event at a position."""
        found: dict[str, dict[int, int]] = {kind: {} for kind in SESSION_KINDS}
        for bound in bounds:
            found[bound.kind][bound.session] = bound.position
        opened, closed = (found[kind] for kind in SESSION_KINDS)
        return cls(position, opened, closed, at)

    def opening(self, session: int) -> e.SessionOpened:
        """Opening event of a session; KeyError for an unknown number."""
        event = self._at(self.opened[session])
        assert isinstance(event, e.SessionOpened)  # noqa: S101 -- the kind that is looked for
        return event

    def closing(self, session: int) -> e.SessionClosed | None:
        """Closing event of a session; None if it was not closed."""
        event = self._at(self.closed[session]) if session in self.closed else None
        return event if isinstance(event, e.SessionClosed) else None

    def stretch(self, session: int) -> Stretch:
        """Positions of a session, to its closing, else to the next opening, else to the line's end.

        Refused for an unknown session number.
        """
        if session not in self.opened:
            known = ", ".join(map(str, self.opened)) or "none yet"
            raise Refused(f"There is no session {session} on this line. There are: {known}.")
        last = self.closing(session - 1)
        previously = None if last is None or last.text is None else str(last.text)
        return Stretch(self.opened[session] - 1, self._end(session), self.opening(session), previously)

    def around(self, session: int) -> tuple[int, int]:
        """Positions from the previous session's end to this one's; the last session ends with the line."""
        before = self._end(session - 1) if session - 1 in self.opened else 0
        return before, self._end(session) if session + 1 in self.opened else self.position

    def end(self, session: int, after: int) -> int:
        """Last position of a session; the line's end if it is open or unknown.

        For a session closed by `after`, the last position before the next opening.
        """
        last = self._end(session)
        return last if last > after else self._before_the_next(session)

    def _end(self, session: int) -> int:
        return self.closed[session] if session in self.closed else self._before_the_next(session)

    def _before_the_next(self, session: int) -> int:
        following = self.opened.get(session + 1)
        return self.position if following is None else following - 1
