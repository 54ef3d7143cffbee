"""Events as notation and as JSON, when just recorded or not yet recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from journal.line import LiveEvent
from journal.table import Table
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary.base import Event, Frozen, Words, values_of
from journal.vocabulary.events import CastIntroduced, MatterMerged, Merged, OfMatter
from projections.plain import line
from projections.plain.ink import EARLIER, with_audience
from projections.reading import Ids, Moment


def notation(
    table: Table,
    lives: Iterable[LiveEvent],
    *,
    named: bool = True,
    place: Callable[[int], str] | None = None,
    visible_to: Iterable[VisibleTo] = (),
) -> Iterator[str]:
    """Yields each event as one text line of notation, safe for a terminal.

    The line ends with the event's conflict, such as `(conflict 2)`, unless that is the conflict commands
    currently go to; it never does if `named` is False. `place` formats event positions; without it they read
    `#12`, followed by the name of the thread, place or thing that was opened there. `visible_to` holds the
    events' audiences in the same order (a missing one means the whole table); a restricted audience is
    appended.
    """
    names = {number: who.called for number, who in table.people.items()}
    seen = iter(visible_to)
    for live in lives:
        event = live.event
        if isinstance(event, CastIntroduced):
            names[event.person] = str(event.name)
        elif isinstance(event, Merged) and table.whose(event.person) != event.person:
            names[event.person] = str(table.people[event.into].former[-1])
        text = line(
            live.event.kind,
            plain(live.event),
            _no_reference,
            names,
            live.luck,
            place=partial(_place, table, event) if place is None else place,
            conflict=table.addressed if named else getattr(live.event, "conflict", None),
            known=True,
        )
        yield with_audience(text, next(seen, TABLE), names)


def moment_notation(moment: Moment, ids: Ids, visible_to: Sequence[VisibleTo] = ()) -> str:
    """Returns a moment's event as one text line of notation, with `ids` for event positions.

    `visible_to` holds the audience to append, as in `notation`.
    """
    live = LiveEvent(moment.position, moment.event, moment.envelope.luck)
    return next(notation(moment.table, (live,), place=ids.place, visible_to=visible_to))


def told_notation(moment: Moment, ids: Ids) -> str:
    """Returns a moment's event as `moment_notation` does, without ids, which no reader of a channel knows.

    The game master reads positions; for others a thread, place or thing is called by its name, and any other
    event is “an earlier event”.
    """
    if ids.open:
        return moment_notation(moment, ids)
    matters = moment.table.matters if isinstance(moment.event, OfMatter) else {}

    def place(at: int) -> str:
        name = matters[at].name.text if at in matters else None
        return EARLIER if name is None else name

    live = LiveEvent(moment.position, moment.event, moment.envelope.luck)
    return next(notation(moment.table, (live,), place=place))


def _place(table: Table, event: Event, at: int) -> str:
    """Returns position `at` as `#12`; `#12 (The lost key)` if a thread, place or thing was opened there.

    The name is added only if `event` is itself about a thread, place or thing.
    """
    matter = table.matters.get(at) if isinstance(event, OfMatter) else None
    if matter is None:
        return f"#{at}"
    merged = isinstance(event, MatterMerged) and at == event.about != matter.opened
    return f"#{at} ({matter.former[-1] if merged else matter.called})"


def _no_reference(index: int) -> str | None:
    raise IndexError(index)


def plain(value: object) -> Any:  # noqa: ANN401 -- JSON's own shapes
    """Returns a recorded value as JSON values: texts as strings, sealed events with public fields only."""
    if isinstance(value, Words):
        return value.text
    if isinstance(value, Event):
        shown = type(value).face()
        return {
            key: plain(field) for key, field in values_of(value).items() if key in shown and field is not None
        }
    if isinstance(value, Frozen):
        return {key: plain(field) for key, field in values_of(value).items() if field is not None}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def data_as_json(event: Event) -> dict[str, Any]:
    """Returns the fields of an event as JSON values, as `plain` does, without the bytes of a picture."""
    fields: dict[str, Any] = plain(event)
    return {key: value for key, value in fields.items() if key != type(event).file_field}


def events_as_json(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Returns events as JSON objects, each with its kind and its fields, without the bytes of a picture."""
    return [{"kind": type(event).kind, **data_as_json(event)} for event in events]
