"""Where the sessions of a line begin and end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from msgspec import Struct

from journal.refused import Refused
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

SESSION_KINDS = (e.SessionOpened.kind, e.SessionClosed.kind)
"""The kinds by which evenings are told apart."""


class Stretch(Struct, frozen=True):
    """Positions after+1..upto, and the session they are, if they are one."""

    after: int
    upto: int
    session: e.SessionOpened | None = None
    previously: str | None = None


class SessionBound(NamedTuple):
    """Where a session opens or closes, by its kind."""

    kind: str
    position: int
    session: int


class SessionBounds(Struct, frozen=True):
    """Where each session of a line opens and closes, by its number, as known at a position."""

    position: int
    opened: Mapping[int, int]
    closed: Mapping[int, int]
    _at: Callable[[int], Event]

    @classmethod
    def of(cls, position: int, told: Iterable[SessionBound], at: Callable[[int], Event]) -> SessionBounds:
        """Those of a line up to a position, from all that counts there; `at` reads an event."""
        found: dict[str, dict[int, int]] = {kind: {} for kind in SESSION_KINDS}
        for one in told:
            found[one.kind][one.session] = one.position
        opened, closed = (found[kind] for kind in SESSION_KINDS)
        return cls(position, opened, closed, at)

    def opening(self, session: int) -> e.SessionOpened:
        """The opening of a session that there is."""
        event = self._at(self.opened[session])
        assert isinstance(event, e.SessionOpened)  # noqa: S101 -- the kind that is looked for
        return event

    def closing(self, session: int) -> e.SessionClosed | None:
        """The closing of a session, if it was closed."""
        event = self._at(self.closed[session]) if session in self.closed else None
        return event if isinstance(event, e.SessionClosed) else None

    def stretch(self, session: int) -> Stretch:
        """Where an evening begins and ends: with its closing, else before the next, else where the line does.

        Refused where there is no such session.
        """
        if session not in self.opened:
            known = ", ".join(map(str, self.opened)) or "none yet"
            raise Refused(f"There is no session {session} on this line. There are: {known}.")
        last = self.closing(session - 1)
        previously = None if last is None or last.text is None else str(last.text)
        return Stretch(self.opened[session] - 1, self._end(session), self.opening(session), previously)

    def around(self, session: int) -> tuple[int, int]:
        """From where the evening before ended to where this one does; the last reaches to the position."""
        before = self._end(session - 1) if session - 1 in self.opened else 0
        return before, self._end(session) if session + 1 in self.opened else self.position

    def end(self, session: int, after: int) -> int:
        """The last position of a session; that of the line where it goes on, or never began.

        Where the session was over by `after`, the last before the next one opens.
        """
        last = self._end(session)
        return last if last > after else self._before_the_next(session)

    def _end(self, session: int) -> int:
        return self.closed[session] if session in self.closed else self._before_the_next(session)

    def _before_the_next(self, session: int) -> int:
        following = self.opened.get(session + 1)
        return self.position if following is None else following - 1
