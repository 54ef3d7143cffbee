"""Which sessions a recap is of: those that are named, else the last in which something was told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from journal.refused import Refused
from journal.store.codec import Recorded
from journal.store.kinds import stored_names
from journal.visibility import TABLE
from journal.vocabulary import events as e
from projections.prose import game
from projections.reading import Reading
from projections.reading.evenings import Evenings, Stretch

BACK: Final = 2000
"""Events that the recap of the last session looks back over at most: not every table ends its sessions."""

_TOLD: Final = (e.ConflictOpened.kind, e.Narrated.kind, e.Said.kind, e.SessionClosed.kind)
"""The kinds that show that a session is more than opened."""

_PART: Final = re.compile(r"s?(\d{1,9})(\.\.(?:s?(\d{1,9}))?)?")


def has_gone_before(reading: Reading) -> bool:
    """True where there is more to come back to than the opening of a first session."""
    known = (*reading.evenings.opened,)
    return bool(known) and (len(known) > 1 or _begun(reading, known[0]))


def meant(reading: Reading, part: str | int | None) -> tuple[tuple[int, ...], Stretch]:
    """The sessions meant, from the end of the one before them; the last one goes on until now."""
    evenings = reading.evenings
    known = (*evenings.opened,)
    if part is None and not known:
        return (), Stretch(0, reading.position)
    if part is None:
        last = _last(reading, known)
        begins = max(_begins(evenings, last), reading.position - BACK)
        return (last,), Stretch(begins, reading.position)
    first, last = _named(str(part), known)
    for session in (first, last):
        evenings.stretch(session)  # which refuses what is not there
    sessions = tuple(one for one in known if first <= one <= last)
    return sessions, Stretch(_begins(evenings, first), evenings.around(last)[1])


def _begins(evenings: Evenings, session: int) -> int:
    """Where what led up to a session begins; to the first of all led only who was cast for it."""
    return evenings.around(session)[0] or evenings.opened[session] - 1


def _last(reading: Reading, known: Sequence[int]) -> int:
    """The last session; the one before while nothing has been told to all since the last was opened."""
    last = known[-1]
    return last if len(known) == 1 or _begun(reading, last) else known[-2]


def _begun(reading: Reading, session: int) -> bool:
    """True where something of a session has been told to all since it was opened."""
    begins = reading.evenings.opened[session]
    narrated = (kind for name in reading.table.shelves for kind in game(name).narrated)
    kinds = (*_TOLD, *(stored for kind in narrated for stored in stored_names(kind)))
    return any(_tells(one) for one in reading.past.standing(begins, kinds=kinds))


def _tells(recorded: Recorded) -> bool:
    """True for what everybody has heard: of a kind that tells by its own text, where it has one."""
    event = recorded.event
    worded = event.kind in _TOLD or getattr(event, "text", None) is not None
    return worded and recorded.envelope.visible_to == TABLE


def _named(typed: str, known: Sequence[int]) -> tuple[int, int]:
    """The first and the last session of `s3`, `3`, `s3..s7` or `s3..`; Refused for anything else."""
    found = _PART.fullmatch(typed.strip())
    if found is None:
        raise Refused(f"“{typed}” is no session: say recap s3, or recap s3..s7.")
    first = int(found[1])
    last = int(found[3]) if found[3] else known[-1] if found[2] and known else first
    if last < first:
        raise Refused(f"s{first}..s{last} runs backwards: say recap s{last}..s{first}.")
    return first, last
