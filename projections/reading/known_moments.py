"""Moments as viewers type them: `@` (now), `@-3` (three acts ago), `s3` (session 3), a mark, an event's id.

`branch@s3` means a moment on another branch.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from retold.journal.language import moments
from retold.journal.language.moments import LinePosition
from retold.journal.names import nearest, normalise
from retold.journal.refused import Refused, none_if_refused
from retold.journal.store.events.codec import decode
from retold.journal.store.events.line_events import acts_backwards
from retold.journal.vocabulary.base import Event
from retold.projections.reading.ids import ID_BYTES
from retold.projections.reading.line_view import LineView
from retold.projections.reading.lines import line_meant
from retold.projections.reading.viewers import EVERYBODY, Arrival

_BACK: Final = re.compile(r"(?:@-|~)([0-9]{1,9})")
_SESSION: Final = re.compile(r"s([0-9]{1,6})")
_COUNTS: Final = re.compile(r"#?[0-9]+|e(?:[0-9]+-)?[0-9]+|s[0-9]+:[0-9]+")
_ID: Final = re.compile(f"e[0-9a-f]{{{2 * ID_BYTES}}}")

FORMS: Final = "Write @, @-3, s3, a mark's name or an event's id."
"""Forms of a moment that viewers other than the game master may use."""


def find_place(whole: LineView, typed: str, viewer: str | Arrival = "gm") -> LinePosition:
    """Returns branch number and position of the moment `typed`; Refused if `viewer` knows no such moment.

    The game master may name a moment in any way the language allows. Other viewers may not use positions
    (`412`, `s3:42`, `e412`), since these count hidden events; their `@-3` counts only acts known to them. A
    hidden moment is refused with the same sentence as a missing one.
    """
    if typed == "@":
        return LinePosition(whole.line, whole.head)
    reading = _seen(whole, viewer)
    if reading.viewer.gm:
        return moments.find_place(whole.campaign, whole.line, typed)
    branch, at, moment = typed.rpartition("@")
    if at and branch:
        line = line_meant(whole.campaign, whole.line, branch, viewer)
        back = _BACK.fullmatch(f"@{moment}") is not None
        return find_place(whole.on(line), f"@{moment}" if back else moment or "@", viewer)
    return LinePosition(whole.line, _position(reading, typed))


def find_event(whole: LineView, typed: str, viewer: str | Arrival = "gm") -> LinePosition:
    """Returns branch and position of the last event known to `viewer`, at or before the moment `typed`.

    Raises Refused if `viewer` knows no such moment.
    """
    place = find_place(whole, typed, viewer)
    seen = _seen(whole if place.line == whole.line else whole.on(place.line), viewer)
    return LinePosition(place.line, seen.ids.known(place.position))


def find_act(whole: LineView, typed: str, viewer: str | Arrival = "gm") -> LinePosition:
    """Returns branch and position of an act: `@` is the last act known to `viewer`, `@-3` three acts earlier.

    An act is the group of events from one command. Acts about the record (an undo, a reveal, a promotion) are
    skipped. A position or an event's id means exactly that event. Raises Refused for an unknown moment.
    """
    place = find_event(whole, typed, viewer)
    if moments.is_number(typed) or _ID.fullmatch(typed):
        return place
    seen = _seen(whole if place.line == whole.line else whole.on(place.line), viewer)
    for act in acts_backwards(seen.past.record, place.line, place.position + 1, seen.past.amendments):
        known = [
            recorded
            for recorded in act.events
            if isinstance(recorded.event, Event) and seen.sight.sees(recorded)
        ]
        if known and not act.managing:
            return LinePosition(place.line, known[-1].position)
    return place


def last_known_to(views: Sequence[LineView]) -> int | None:
    """Returns the position of the last event that all viewers of one branch know, not counting managing acts.

    None if they know the last act to its end, or none at all.
    """
    past = views[0].past
    acts = acts_backwards(past.record, past.line, past.position + 1, past.amendments)
    for nth, act in enumerate(act for act in acts if not act.managing):
        known = [
            recorded.position
            for recorded in act.events
            if isinstance(recorded.event, Event) and all(view.sight.sees(recorded) for view in views)
        ]
        if known:
            return None if nth == 0 and known[-1] == act.last else known[-1]
    return None


def find_range(
    whole: LineView, typed: str, viewer: str | Arrival = "gm"
) -> tuple[LinePosition, LinePosition]:
    """Returns places (branch and position) of the first and the last event of a range `A..B`.

    A session alone (`s3`) means its whole length; any other single moment is both first and last. Raises
    Refused for a moment that the viewer does not know, for a range across two branches, and for one that runs
    backwards.
    """
    if _seen(whole, viewer).viewer.gm:
        return moments.find_range(whole.campaign, whole.line, typed)
    first, dots, last = typed.partition("..")
    if not dots:
        place = find_event(whole, typed, viewer)
        session = re.fullmatch(moments.SESSION_ALONE, typed)
        if session is None or normalise(typed) in _seen(whole, viewer).table.marks:
            return place, place
        seen = _seen(whole if place.line == whole.line else whole.on(place.line), viewer)
        return place, LinePosition(place.line, seen.ids.known(seen.sessions.stretch(int(session[1])).upto))
    start = find_event(whole, first, viewer) if first else LinePosition(whole.line, 1)
    end = find_event(whole if start.line == whole.line else whole.on(start.line), last or "@", viewer)
    if end.line != start.line:
        raise Refused(f"{typed} goes from one line to another: a range lies on one.")
    if end.position < start.position:
        raise Refused(f"{typed} runs backwards: its end comes before its beginning.")
    return start, end


def _seen(whole: LineView, viewer: str | Arrival) -> LineView:
    """Returns the view `whole` for `viewer`; for the whole table if that name is unknown on the branch."""
    return none_if_refused(lambda: whole.called(viewer)) or whole.through(EVERYBODY)


def _position(reading: LineView, typed: str) -> int:
    marks = reading.table.marks
    if normalise(typed) in marks:
        return marks[normalise(typed)]
    if _ID.fullmatch(typed):
        return _of_event(reading, typed)
    if back := _BACK.fullmatch(typed):
        return _acts_back(reading, int(back[1]))
    if session := _SESSION.fullmatch(typed):
        return moments.session_start(reading.sessions.opened, int(session[1]))
    if _COUNTS.fullmatch(typed):
        raise Refused(f"{typed} is a position, and positions are for the game master. {FORMS}")
    close = [mark.replace(" ", "-") for mark in nearest(typed, marks)]
    hint = f"Did you mean {' or '.join(close)}?" if close else FORMS
    raise Refused(f"There is no moment “{typed}”. {hint}")


def _of_event(reading: LineView, id_: str) -> int:
    """Returns the position of the event with id `id_`, undone or not; Refused if it is missing or hidden."""
    ids = reading.ids
    found = next((position for position in range(1, reading.position + 1) if ids.at(position) == id_), None)
    row = None if found is None else reading.past.row(found)
    if row is None or not reading.sight.sees(decode(row)):
        raise Refused(f"There is no event {id_} on this line.")
    return row.position


def _acts_back(reading: LineView, back: int) -> int:
    """Returns the position just before the last `back` acts visible to the viewer (0: the view's end).

    Refused if there are fewer acts.
    """
    past, seen = reading.past, 0
    if back == 0:
        return past.position
    for act in acts_backwards(past.record, past.line, past.position + 1, past.amendments):
        known = (
            isinstance(recorded.event, Event) and reading.sight.sees(recorded) for recorded in act.events
        )
        if act.managing or not any(known):
            continue
        seen += 1
        if seen == back:
            return act.first - 1
    raise Refused(f"There are only {seen} acts, so there is no moment {back} acts back.")
