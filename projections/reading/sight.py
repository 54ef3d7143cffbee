"""Visibility of a branch's events to one viewer, and of people named in them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from itertools import islice
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from retold.journal import line as line_
from retold.journal.copying import copied
from retold.journal.guarding import GuestError
from retold.journal.line import LiveEvent
from retold.journal.store.caches.projection_cache import is_possibly_hidden
from retold.journal.store.contract.event_store import Row
from retold.journal.store.events.amendments import HIDDEN_WITH, Reveals, current_audience
from retold.journal.store.events.codec import Recorded, UnknownEvent, decode, unheard_of
from retold.journal.store.events.kinds import event_of
from retold.journal.table import Table
from retold.journal.visibility import TABLE, VisibleTo, common_audience, is_secret_number
from retold.journal.vocabulary.base import Event, numbers_in, values_of
from retold.journal.vocabulary.events import PlayerSeated
from retold.projections.reading.recorded_line import RecordedLine
from retold.projections.reading.viewers import (
    FOR_THE_GAME_MASTER,
    INTRODUCTIONS,
    WHISPERED,
    Known,
    Viewer,
    may_see,
    opponents_of,
    without_numbers,
)

KEPT: Final = 2_000
"""Number of events whose facts are in the cache; an event is asked about several times in a row."""


class Sight(Struct, frozen=True):
    """Visibility checks for one viewer on a recorded branch; reveals up to the branch's position count."""

    past: RecordedLine
    viewer: Viewer

    def sees(self, recorded: Recorded) -> bool:
        """True if the event is visible to the viewer, from the start or through a later reveal."""
        return self.viewer.gm or may_see(self._known(recorded), self.viewer)

    def _depends_on_nothing(self, recorded: Recorded) -> bool:
        """Fast check: True for an event whose audience is as recorded, whatever other events say."""
        return (
            recorded.event.kind not in HIDDEN_WITH
            and not self.past.introductions
            and (recorded.envelope.visible_to == TABLE or recorded.position not in self.past.reveals)
        )

    def sees_text(self, position: int, kind: str, visible_to: VisibleTo, people: Sequence[int]) -> bool:
        """True if the viewer may see a text from the search index, by the position and audience of its event.

        `people` are the event's people; in a whisper they count as speakers.
        """
        if self.viewer.gm:
            return True
        if kind in HIDDEN_WITH or self.past.introductions:
            row = self.past.row(position)
            return row is not None and self.sees(decode(row))
        seen_by = current_audience(visible_to, position, self.past.reveals)
        is_known = event_of(kind) is not None
        speakers = people if isinstance(visible_to, tuple) else ()
        return may_see(Known(kind, seen_by, speakers, is_known=is_known), self.viewer)

    def may_miss(self, row: Row) -> bool:
        """True for a stored row that may be hidden from some viewer; decided without decoding the row."""
        return is_possibly_hidden(row)

    def knew(self, recorded: Recorded) -> bool:
        """True if the viewer saw the event when it was recorded: as audience, or as a whisper's speaker."""
        return may_see(_alone(recorded, recorded.envelope.visible_to), self.viewer)

    def as_seen(self, recorded: Recorded) -> Recorded:
        """Returns the event without people unknown to the viewer, its envelope showing the current audience.

        Returns `recorded` itself if nothing changes.
        """
        event = recorded.event
        if isinstance(event, Event) and self.opponents:
            after = self.past.standing(recorded.position, recorded.position + 1)
            event = without_numbers(self._now, event, self.opponents, lambda: next(after, None))
            recorded = recorded if event is recorded.event else replace(recorded, event=event)
        if self._depends_on_nothing(recorded):
            return recorded
        known = self._known(recorded)
        visible_to = reduce(common_audience, (fact.visible_to for fact in _all_of(known)))
        if isinstance(event, Event) and self.unknown:
            event = without(event, self.unknown)
        if event is recorded.event and visible_to == recorded.envelope.visible_to:
            return recorded
        return replace(recorded, event=event, envelope=recorded.envelope._replace(visible_to=visible_to))

    @property
    def opponents(self) -> frozenset[int]:
        """Ids of the people whose numbers the viewer does not see."""
        if self.viewer.gm:
            return frozenset()
        return self.past.once(("opponents", self.viewer), self._find_opponents)

    def _find_opponents(self) -> frozenset[int]:
        seats = self.past.standing(kinds=(PlayerSeated.kind,))
        known = (seat.event for seat in seats if self.sees(seat))
        seated = {seat.person: seat.player for seat in known if isinstance(seat, PlayerSeated)}
        return opponents_of(self._now, seated)

    @property
    def _now(self) -> Table:
        return self.past.table_at(self.past.position)

    @property
    def unknown(self) -> frozenset[int]:
        """Numbers of secret people and matters that are unknown to the viewer."""
        if self.viewer.gm or not self.past.introductions:
            return frozenset()
        return self.past.once(("unknown", self.viewer), self._find_unknown)

    def _find_unknown(self) -> frozenset[int]:
        introductions = self.past.introductions
        return frozenset(
            number for number, introduction in introductions.items() if not self.sees(introduction)
        )

    def _known(self, recorded: Recorded) -> Known:
        """Returns facts that decide an event's visibility, with those of every event it depends on."""
        if recorded.envelope.visible_to == TABLE and self._depends_on_nothing(recorded):
            return Known(recorded.event.kind, TABLE, is_known=isinstance(recorded.event, Event))
        kept = self.past.once(("known", self.viewer), dict[tuple[int, VisibleTo], Known])
        asked = recorded.position, recorded.envelope.visible_to
        known = kept.get(asked)
        if known is None:
            by_now = current_audience(recorded.envelope.visible_to, recorded.position, self.past.reveals)
            dependencies = self._dependencies(recorded.event, recorded.position)
            if len(kept) >= KEPT:
                kept.clear()
            known = kept[asked] = _alone(recorded, by_now)._replace(depends_on=dependencies)
        return known

    def shown_to(self, event: Event, visible_to: VisibleTo, position: int) -> VisibleTo:
        """Returns the audience `visible_to`, reduced to people who see every event `event` depends on."""
        known = Known(event.kind, visible_to, depends_on=self._dependencies(event, position))
        return reduce(common_audience, (fact.visible_to for fact in _all_of(known)))

    def as_seen_at(
        self, event: Event, visible_to: VisibleTo, position: int, after: LiveEvent | None = None
    ) -> Event | None:
        """Returns an event of an act as seen by the viewer at `position`, before `after`; None if hidden."""
        known = _known_of(event, visible_to, visible_to)
        known = known._replace(depends_on=self._dependencies(event, position))
        if not may_see(known, self.viewer):
            return None
        event = without_numbers(self._now, event, self.opponents, lambda: after)
        return without(event, self.unknown) if self.unknown else event

    def _dependencies(self, event: Event | UnknownEvent, position: int) -> tuple[Known, ...]:
        return tuple(map(self._known, self._depends_on(event, position)))

    def _depends_on(self, event: Event | UnknownEvent, position: int) -> Iterator[Recorded]:
        """Yields earlier events whose visibility limits that of `event`.

        These are events it refers to, and the introductions of secret people it names.
        """
        if not isinstance(event, Event):
            return
        for field in HIDDEN_WITH.get(event.kind, ()):
            row = self.past.row(getattr(event, field))
            if row is not None and row.position < position:
                yield decode(row)
        introductions = self.past.introductions
        if introductions:
            for number in _named(event):
                found = introductions.get(number)
                if found is not None and found.position != position:
                    yield found
            yield from self._one_of(event)

    def _one_of(self, event: Event) -> Iterator[Recorded]:
        """Yields one introduction, visible to the viewer if possible, if only secret people take part."""
        field = type(event).about_people
        people = () if field is None else getattr(event, field)
        came = [self.past.introductions.get(person) for person in people]
        secret = [introduction for introduction in came if introduction is not None]
        if secret and len(secret) == len(came):
            yield next(filter(self.sees, secret), secret[0])


def _named(event: Event) -> Iterator[int]:
    """Yields secret people's numbers in fields of `event` from which no person may be left out."""
    fields = values_of(event)
    for key in type(event).leaves_out:
        fields.pop(key, None)
    return (number for number in dict.fromkeys(numbers_in(fields)) if is_secret_number(number))


def without(event: Event, people: Collection[int]) -> Event:
    """Returns `event` without `people`, removed from fields that may be shortened; itself if unchanged."""
    changed = {key: _without(getattr(event, key), people) for key in type(event).leaves_out}
    return (
        event.but(changed)
        if any(getattr(event, key) != shortened for key, shortened in changed.items())
        else event
    )


def _without(value: Any, people: Collection[int]) -> Any:  # noqa: ANN401 -- a field of any shape
    if isinstance(value, tuple):
        parts = [(_without(part, people), part) for part in value if part not in people]
        return tuple(part for part, was in parts if part != () or was == ())
    if isinstance(value, dict):
        return {key: part for key, part in value.items() if part not in people}
    return None if value in people else value


def _all_of(known: Known) -> Iterator[Known]:
    yield known
    for dependency in known.depends_on:
        yield from _all_of(dependency)


def _alone(recorded: Recorded, visible_to: VisibleTo) -> Known:
    """Returns the facts that decide a recorded event's visibility for `visible_to`, ignoring other events."""
    return _known_of(recorded.event, recorded.envelope.visible_to, visible_to)


def _known_of(event: Event | UnknownEvent, recorded_for: VisibleTo, visible_to: VisibleTo) -> Known:
    """Returns the facts on an event that decide who sees it; other events it depends on are left out.

    Its speaker (`who`) is included for a whisper: an event recorded for listed people.
    """
    is_whispered = isinstance(recorded_for, tuple) and isinstance(event, WHISPERED)
    who = event.who if is_whispered and isinstance(event, WHISPERED) else None
    speakers = () if who is None else (who,)
    return Known(event.kind, visible_to, speakers, is_known=isinstance(event, Event))


def as_revealed(recorded: Recorded, reveals: Reveals) -> Recorded:
    """Returns the event with its current audience: the recorded audience, widened by reveals."""
    visible_to = current_audience(recorded.envelope.visible_to, recorded.position, reveals)
    if visible_to == recorded.envelope.visible_to:
        return recorded
    return replace(recorded, envelope=recorded.envelope._replace(visible_to=visible_to))


class VisibleTables(Struct, frozen=True):
    """Table states at a branch's positions, as seen by one viewer.

    Up to the first hidden event these are the same table states for every viewer.
    """

    sight: Sight

    def at(self, position: int) -> Table:
        """Returns the viewer's table state at `position`; shared, so callers must not change it."""
        past, first = self.sight.past, self.first_hidden
        if first is None or position < first:
            return past.table_at(position)
        kept = self.kept
        if position not in kept:
            known = max((earlier for earlier in kept if earlier < position), default=None)
            after = first - 1 if known is None else known
            table = copied(past.table_at(after) if known is None else kept[known])
            for recorded in past.standing(after, position):
                self.evolve(table, recorded)
            kept[position] = table
        return kept[position]

    @property
    def kept(self) -> dict[int, Table]:
        """Cached table states past the first hidden event, by position."""
        tables: dict[int, Table] = {}
        return self.sight.past.once(("tables", self.sight.viewer), lambda: tables)

    def keep(self, position: int, table: Table, *, alone: bool = False) -> None:
        """Caches the finished table state at `position`; the caller must not change it afterwards.

        `alone` drops all other cached table states, to save memory on a long branch.
        """
        if self.is_shared(position):
            self.sight.past.keep(position, table, alone=alone)
            return
        if alone:
            self.kept.clear()
        self.kept.setdefault(position, table)

    def is_shared(self, position: int) -> bool:
        """True if the viewer's table state at `position` is the game master's too.

        False if an event up to `position` that changes the table state is hidden from the viewer.
        """
        return self.first_hidden is None or position < self.first_hidden

    @property
    def first_hidden(self) -> int | None:
        """Position of the first event that changes the table state and is hidden, wholly or in part.

        Or None.
        """
        if self.sight.viewer.gm:
            return None
        return self.sight.past.once(("first hidden", self.sight.viewer), self._find_first_hidden)

    def _find_first_hidden(self) -> int | None:
        sight = self.sight
        rows = map(sight.past.row, sight.past.maybe_hidden)
        hidden = (row.position for row in rows if row is not None and self._hides(row))
        people = sight.past.standing(kinds=INTRODUCTIONS) if sight.opponents else ()
        came = (one.position for one in people if not sight.opponents.isdisjoint(numbers_in(one.event)))
        return min((first for found in (hidden, came) for first in islice(found, 1)), default=None)

    def _hides(self, row: Row) -> bool:
        sight = self.sight
        if not sight.may_miss(row) or not sight.past.amendments.counts(row.position):
            return False
        recorded = decode(row)
        return not sight.sees(recorded) or sight.as_seen(recorded).event is not recorded.event

    def stop_understanding(self, table: Table, recorded: Recorded) -> None:
        """Changes `table`, which is mutated, if an installed guest cannot read its recorded event."""
        event = recorded.event
        unheard = unheard_of(event.kind, recorded.position) if isinstance(event, UnknownEvent) else None
        if unheard is not None and unheard.why is not None:
            line_.evolve(table, LiveEvent(recorded.position, unheard))

    def evolve(self, table: Table, recorded: Recorded) -> None:
        """Applies the part of an event that the viewer sees to `table`, which is mutated."""
        event = recorded.event
        if isinstance(event, UnknownEvent):
            unheard = unheard_of(event.kind, recorded.position)
            if unheard is not None:
                line_.evolve(table, LiveEvent(recorded.position, unheard))
            return
        is_of_the_record = isinstance(event, FOR_THE_GAME_MASTER)
        if not is_of_the_record and not self.sight.sees(recorded):
            return
        event = self.sight.as_seen(recorded).event
        if isinstance(event, Event):
            live = LiveEvent(recorded.position, event, recorded.envelope.luck, recorded.envelope.visible_to)
            evolve_as_visible(table, live)


def evolve_as_visible(table: Table, live: LiveEvent) -> None:
    """Applies an event to `table`, which is mutated.

    If the event's rule fails because earlier events are hidden, only the table's position is updated.
    """
    try:
        line_.evolve(table, live)
    except (LookupError, AttributeError, TypeError, ValueError, AssertionError, GuestError):
        # Rules expect all earlier events; an event that follows from a hidden one changes nothing.
        table.position = live.position
