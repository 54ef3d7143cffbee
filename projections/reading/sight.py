"""What one viewer may know of a line: which events, and what of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache, reduce
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from journal import line as line_
from journal.copying import copied
from journal.line import LiveEvent
from journal.store.amendments import HIDDEN_WITH, Reveals, current_audience
from journal.store.codec import Recorded, UnknownEvent, decode
from journal.store.event_store import Row
from journal.store.kinds import event_of, game_missing
from journal.store.projection_cache import is_possibly_hidden
from journal.table import EVOLVE, Table, no_change
from journal.visibility import TABLE, VisibleTo, common_audience, is_secret_number
from journal.vocabulary.base import Event, numbers_in, values_of
from journal.vocabulary.events import Unheard
from projections.reading.recorded_line import RecordedLine
from projections.reading.viewers import FOR_THE_GAME_MASTER, WHISPERED, Known, Viewer, may_see


class Sight(Struct, frozen=True):
    """A viewer before a line up to a position; what was revealed by there, they know."""

    past: RecordedLine
    viewer: Viewer

    def sees(self, recorded: Recorded) -> bool:
        """True for an event that the viewer may see by now."""
        return self.viewer.gm or may_see(self._known(recorded), self.viewer)

    def _depends_on_nothing(self, recorded: Recorded) -> bool:
        """True for an event for everybody, whatever else is hidden: nearly all of them, and soon told."""
        return (
            recorded.envelope.visible_to == TABLE
            and recorded.event.kind not in HIDDEN_WITH
            and not self.past.introductions
        )

    def sees_text(self, position: int, kind: str, visible_to: VisibleTo, people: Sequence[int]) -> bool:
        """The same of a text in an index, of which its kind, who may see it and its people are known."""
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
        """True for a stored event that may be hidden from somebody, as far as is seen without reading it."""
        return is_possibly_hidden(row)

    def knew(self, recorded: Recorded) -> bool:
        """True for an event that the viewer saw from the first: it was for them, or they whispered it."""
        return may_see(_alone(recorded, recorded.envelope.visible_to), self.viewer)

    def told(self, recorded: Recorded) -> Recorded:
        """The event as the viewer may know it, with who else may see it by now."""
        if self._depends_on_nothing(recorded):
            return recorded
        event = recorded.event
        known = self._known(recorded)
        visible_to = reduce(common_audience, (one.visible_to for one in _all_of(known)))
        if isinstance(event, Event) and self.unknown:
            event = without(event, self.unknown)
        if event is recorded.event and visible_to == recorded.envelope.visible_to:
            return recorded
        return replace(recorded, event=event, envelope=recorded.envelope._replace(visible_to=visible_to))

    @property
    def unknown(self) -> frozenset[int]:
        """The numbers of whoever and whatever was introduced in secret and is not known to the viewer."""
        if self.viewer.gm or not self.past.introductions:
            return frozenset()
        return self.past.once(("unknown", self.viewer), self._find_unknown)

    def _find_unknown(self) -> frozenset[int]:
        introductions = self.past.introductions
        return frozenset(number for number, one in introductions.items() if not self.sees(one))

    def _known(self, recorded: Recorded) -> Known:
        """What is asked of an event before somebody sees it."""
        if self._depends_on_nothing(recorded):
            return Known(recorded.event.kind, TABLE, is_known=isinstance(recorded.event, Event))
        by_now = current_audience(recorded.envelope.visible_to, recorded.position, self.past.reveals)
        return _alone(recorded, by_now)._replace(
            depends_on=self._dependencies(recorded.event, recorded.position)
        )

    def shown_to(self, event: Event, visible_to: VisibleTo, position: int) -> VisibleTo:
        """Who may see an event at `position` that is for `visible_to`: who of them see all it depends on."""
        known = Known(event.kind, visible_to, depends_on=self._dependencies(event, position))
        return reduce(common_audience, (one.visible_to for one in _all_of(known)))

    def told_of(self, event: Event, visible_to: VisibleTo, position: int) -> Event | None:
        """An event at `position` that is for `visible_to`, as the viewer may know it; None if hidden."""
        known = _known_of(event, visible_to, visible_to)
        known = known._replace(depends_on=self._dependencies(event, position))
        if not may_see(known, self.viewer):
            return None
        return without(event, self.unknown) if self.unknown else event

    def _dependencies(self, event: Event | UnknownEvent, position: int) -> tuple[Known, ...]:
        return tuple(map(self._known, self._depends_on(event, position)))

    def _depends_on(self, event: Event | UnknownEvent, position: int) -> Iterator[Recorded]:
        """What an event at `position` is put on, and the arrivals of those it names who came in secret."""
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
        """The arrival of one of those an event is about, where all of them came in secret: one is enough."""
        field = type(event).about_people
        people = () if field is None else getattr(event, field)
        came = [self.past.introductions.get(person) for person in people]
        secret = [one for one in came if one is not None]
        if secret and len(secret) == len(came):
            yield next(filter(self.sees, secret), secret[0])


def _named(event: Event) -> Iterator[int]:
    """The secret numbers in the fields from which nobody is left out."""
    fields = values_of(event)
    for key in type(event).leaves_out:
        fields.pop(key, None)
    return (number for number in dict.fromkeys(numbers_in(fields)) if is_secret_number(number))


def without(event: Event, people: Collection[int]) -> Event:
    """The event without these people, in the fields from which they are left out."""
    changed = {key: _without(getattr(event, key), people) for key in type(event).leaves_out}
    return event.but(changed) if any(getattr(event, key) != one for key, one in changed.items()) else event


def _without(value: Any, people: Collection[int]) -> Any:  # noqa: ANN401 -- a field of any shape
    if isinstance(value, tuple):
        parts = [(_without(one, people), one) for one in value if one not in people]
        return tuple(part for part, was in parts if part != () or was == ())
    if isinstance(value, dict):
        return {key: one for key, one in value.items() if one not in people}
    return None if value in people else value


def _all_of(known: Known) -> Iterator[Known]:
    yield known
    for one in known.depends_on:
        yield from _all_of(one)


def _alone(recorded: Recorded, visible_to: VisibleTo) -> Known:
    """What is asked of an event that these may see, whatever it depends on."""
    return _known_of(recorded.event, recorded.envelope.visible_to, visible_to)


def _known_of(event: Event | UnknownEvent, recorded_for: VisibleTo, visible_to: VisibleTo) -> Known:
    """What is asked of an event that was recorded for some, and that these may see by now."""
    is_whispered = isinstance(recorded_for, tuple) and isinstance(event, WHISPERED)
    who = event.who if is_whispered and isinstance(event, WHISPERED) else None
    speakers = () if who is None else (who,)
    return Known(event.kind, visible_to, speakers, is_known=isinstance(event, Event))


def as_revealed(recorded: Recorded, reveals: Reveals) -> Recorded:
    """The event with who may see it by now: those it was recorded for, and those it was revealed to."""
    visible_to = current_audience(recorded.envelope.visible_to, recorded.position, reveals)
    if visible_to == recorded.envelope.visible_to:
        return recorded
    return replace(recorded, envelope=recorded.envelope._replace(visible_to=visible_to))


class VisibleTables(Struct, frozen=True):
    """The tables of a line at its positions, as one viewer may know them.

    Up to the first event that is hidden from the viewer they are the tables of everybody who reads the line.
    """

    sight: Sight

    def at(self, position: int) -> Table:
        """The table at a position; nobody may change it."""
        past, first = self.sight.past, self.first_hidden
        if first is None or position < first:
            return past.table_at(position)
        kept = self.kept
        if position not in kept:
            known = max((one for one in kept if one < position), default=None)
            after = first - 1 if known is None else known
            table = copied(past.table_at(after) if known is None else kept[known])
            for recorded in past.standing(after, position):
                self.evolve(table, recorded)
            kept[position] = table
        return kept[position]

    @property
    def kept(self) -> dict[int, Table]:
        """Those that were asked for, by position."""
        tables: dict[int, Table] = {}
        return self.sight.past.once(("tables", self.sight.viewer), lambda: tables)

    def keep(self, position: int, table: Table) -> None:
        """Keeps a table that somebody has brought there moment by moment, and will change no more."""
        if self.is_everybodys(position):
            self.sight.past.keep(position, table)
        else:
            self.kept.setdefault(position, table)

    def keep_only(self, position: int, table: Table) -> None:
        """Keeps such a table, and none of those before: who goes through a long line needs them no more."""
        if self.is_everybodys(position):
            self.sight.past.keep_only(position, table)
        else:
            self.kept.clear()
            self.kept[position] = table

    def is_everybodys(self, position: int) -> bool:
        """True where nothing up to a position is hidden from the viewer that changes a table."""
        return self.first_hidden is None or position < self.first_hidden

    @property
    def first_hidden(self) -> int | None:
        """The first position of an event that changes a table and that the viewer does not see whole."""
        if self.sight.viewer.gm:
            return None
        return self.sight.past.once(("first hidden", self.sight.viewer), self._find_first_hidden)

    def _find_first_hidden(self) -> int | None:
        sight = self.sight
        rows = map(sight.past.row, sight.past.maybe_hidden)
        return next((row.position for row in rows if row is not None and self._hides(row)), None)

    def _hides(self, row: Row) -> bool:
        sight = self.sight
        if (
            not sight.may_miss(row)
            or not _changes_tables(row.kind)
            or not sight.past.stands.counts(row.position)
        ):
            return False
        recorded = decode(row)
        return not sight.sees(recorded) or sight.told(recorded).event is not recorded.event

    def evolve(self, table: Table, recorded: Recorded) -> None:
        """Changes a table by what the viewer may know of an event that counts."""
        event = recorded.event
        if isinstance(event, UnknownEvent):
            game = game_missing(event.kind)
            if game is not None:
                line_.evolve(table, LiveEvent(recorded.position, Unheard(game=game)))
            return
        is_of_the_record = isinstance(event, FOR_THE_GAME_MASTER)
        if not is_of_the_record and not self.sight.sees(recorded):
            return
        event = self.sight.told(recorded).event
        if isinstance(event, Event):
            live = LiveEvent(recorded.position, event, recorded.envelope.luck, recorded.envelope.visible_to)
            evolve_as_visible(table, live)


def evolve_as_visible(table: Table, live: LiveEvent) -> None:
    """Changes a table by an event, as far as somebody can follow it from whom others are hidden."""
    try:
        line_.evolve(table, live)
    except (LookupError, AttributeError, TypeError, ValueError, AssertionError):
        # Rules suppose that all before is known: what follows from something hidden changes nothing.
        table.position = live.position


@cache
def _changes_tables(kind: str) -> bool:
    """False for the stored kinds of words that change no table."""
    known = next((one for one in EVOLVE if one.kind == kind), None)
    return known is None or not known.only_words or EVOLVE[known] is not no_change
