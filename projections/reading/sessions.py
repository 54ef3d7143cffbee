"""Session bounds: positions at which a branch's sessions open and close."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from retold.journal.refused import Refused
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event

SESSION_KINDS = (e.SessionOpened.kind, e.SessionClosed.kind)
"""Event kinds that open and close sessions."""


class Stretch(Struct, frozen=True):
    """A range of event positions, after+1..upto; `session` is set if the range is a whole session."""

    after: int
    upto: int
    session: e.SessionOpened | None = None
    previously: str | None = None


class SessionBound(Struct, frozen=True):
    """One end of a session: event kind (opened or closed), position and session number."""

    kind: str
    position: int
    session: int


class SessionBounds(Struct, frozen=True):
    """Positions at which the sessions of a branch open and close, by session number."""

    position: int
    opened: Mapping[int, int]
    closed: Mapping[int, int]
    _at: Callable[[int], Event]

    @classmethod
    def of(cls, position: int, bounds: Iterable[SessionBound], at: Callable[[int], Event]) -> SessionBounds:
        """Builds session bounds from openings and closings; `at` reads the event at a position.

        `position` is the end of the branch.
        """
        found: dict[str, dict[int, int]] = {kind: {} for kind in SESSION_KINDS}
        for bound in bounds:
            found[bound.kind][bound.session] = bound.position
        opened, closed = (found[kind] for kind in SESSION_KINDS)
        return cls(position, opened, closed, at)

    def opening(self, session: int) -> e.SessionOpened:
        """Returns the event that opened `session`; KeyError for an unknown number."""
        event = self._at(self.opened[session])
        assert isinstance(event, e.SessionOpened)  # noqa: S101 -- the kind that is looked for
        return event

    def closing(self, session: int) -> e.SessionClosed | None:
        """Returns the event that closed `session`; None if it was not closed."""
        event = self._at(self.closed[session]) if session in self.closed else None
        return event if isinstance(event, e.SessionClosed) else None

    def stretch(self, session: int) -> Stretch:
        """Returns the range of positions of `session`, from its opening to its closing.

        Without a closing it ends before the next opening, or at the branch's end. Refused for an unknown
        session number.
        """
        if session not in self.opened:
            known = ", ".join(map(str, self.opened)) or "none yet"
            raise Refused(f"There is no session {session} on this line. There are: {known}.")
        last = self.closing(session - 1)
        previously = None if last is None or last.text is None else str(last.text)
        return Stretch(self.opened[session] - 1, self._end(session), self.opening(session), previously)

    def around(self, session: int) -> tuple[int, int]:
        """Returns the previous session's last position (0 if none) and this session's last position.

        For the branch's last session, the second is the end of the branch, past the closing.
        """
        before = self._end(session - 1) if session - 1 in self.opened else 0
        return before, self._end(session) if session + 1 in self.opened else self.position

    def end(self, session: int, after: int) -> int:
        """Returns the last position of `session`; the branch's end if the session is open or unknown.

        For a session closed at or before `after`: the last position before the next opening.
        """
        last = self._end(session)
        return last if last > after else self._before_the_next(session)

    def _end(self, session: int) -> int:
        return self.closed[session] if session in self.closed else self._before_the_next(session)

    def _before_the_next(self, session: int) -> int:
        following = self.opened.get(session + 1)
        return self.position if following is None else following - 1
