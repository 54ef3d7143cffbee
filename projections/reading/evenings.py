"""Where the sessions of a line begin and end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from journal.refused import Refused
from journal.store.codec import Recorded
from journal.vocabulary import events as e

KINDS = (e.SessionOpened.kind, e.SessionClosed.kind)
"""The kinds by which evenings are told apart."""


class Stretch(Struct, frozen=True):
    """Positions after+1..upto, and the session they are, if they are one."""

    after: int
    upto: int
    session: e.SessionOpened | None = None
    previously: str | None = None


class Evenings(Struct, frozen=True):
    """Where each session of a line opens and closes, by its number, as known at a position."""

    position: int
    opened: Mapping[int, tuple[int, e.SessionOpened]]
    closed: Mapping[int, tuple[int, e.SessionClosed]]

    @classmethod
    def of(cls, position: int, told: Iterable[Recorded]) -> Evenings:
        """Those of a line up to a position, from all that counts there of their kinds."""
        opened: dict[int, tuple[int, e.SessionOpened]] = {}
        closed: dict[int, tuple[int, e.SessionClosed]] = {}
        for one in told:
            if isinstance(one.event, e.SessionOpened):
                opened[one.event.session] = (one.position, one.event)
            elif isinstance(one.event, e.SessionClosed):
                closed[one.event.session] = (one.position, one.event)
        return cls(position, opened, closed)

    def stretch(self, session: int) -> Stretch:
        """Where an evening begins and ends: with its closing, else before the next, else where the line does.

        Refused where there is no such session.
        """
        if session not in self.opened:
            known = ", ".join(map(str, self.opened)) or "none yet"
            raise Refused(f"There is no session {session} on this line. There are: {known}.")
        begins, event = self.opened[session]
        last = self.closed.get(session - 1)
        previously = None if last is None or last[1].text is None else str(last[1].text)
        return Stretch(begins - 1, self._end(session), event, previously)

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
        return self.closed[session][0] if session in self.closed else self._before_the_next(session)

    def _before_the_next(self, session: int) -> int:
        following = self.opened.get(session + 1)
        return self.position if following is None else following[0] - 1
