"""Where the sessions of a line begin and end."""

from __future__ import annotations

from journal.refused import Refused
from journal.store import reading
from journal.store.campaign import Campaign
from journal.store.codec import decode_event
from journal.vocabulary import events as e
from projections.scribe import Stretch

Opened = dict[int, tuple[int, e.SessionOpened]]
Closed = dict[int, tuple[int, e.SessionClosed]]


def stretch(campaign: Campaign, line: int, session: int, as_of: int | None) -> Stretch:
    """Where an evening begins and ends: with its closing, else before the next, else where the line does."""
    head = campaign.file.head(line).position if as_of is None else as_of
    opened, closed = _evenings(campaign, line, as_of)
    if session not in opened:
        known = ", ".join(map(str, opened)) or "none yet"
        raise Refused(f"There is no session {session} on this line. There are: {known}.")
    begins, event = opened[session]
    last = closed.get(session - 1)
    previously = None if last is None or last[1].text is None else str(last[1].text)
    return Stretch(begins - 1, _end(session, opened, closed, head), event, previously)


def _evenings(campaign: Campaign, line: int, as_of: int | None) -> tuple[Opened, Closed]:
    """Where each session of a line opens and closes, by its number."""
    stands = reading.standing(campaign.file, line, as_of)
    opened: Opened = {}
    closed: Closed = {}
    for row in campaign.file.rows(line, 0, as_of, ("table.session-opened", "table.session-closed")):
        if not stands.counts(row.position):
            continue
        event = decode_event(row, stands.rewordings.get(row.position))[0]
        if isinstance(event, e.SessionOpened):
            opened[event.session] = (row.position, event)
        elif isinstance(event, e.SessionClosed):
            closed[event.session] = (row.position, event)
    return opened, closed


def opened(campaign: Campaign, line: int, session: int, as_of: int | None) -> e.SessionOpened | None:
    """The opening of a session of a line; None if it has none of that number."""
    found = _evenings(campaign, line, as_of)[0].get(session)
    return None if found is None else found[1]


def around(campaign: Campaign, line: int, session: int, as_of: int) -> tuple[int, int]:
    """From where the evening before ended to where this one does; the last reaches to `as_of`."""
    opened, closed = _evenings(campaign, line, as_of)
    before = _end(session - 1, opened, closed, as_of) if session - 1 in opened else 0
    return before, _end(session, opened, closed, as_of) if session + 1 in opened else as_of


def end(campaign: Campaign, line: int, session: int, as_of: int, after: int) -> int:
    """The last position of a session as known at `as_of`; that itself where it goes on, or never began.

    Where the session was over by `after`, the last before the next one opens.
    """
    opened, closed = _evenings(campaign, line, as_of)
    last = _end(session, opened, closed, as_of)
    return last if last > after else _end(session, opened, {}, as_of)


def _end(session: int, opened: Opened, closed: Closed, head: int) -> int:
    return closed[session][0] if session in closed else opened.get(session + 1, (head + 1,))[0] - 1
