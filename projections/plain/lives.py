"""Events as notation and as JSON, when just recorded or not yet recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from retold.journal.line import LiveEvent
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary.base import Event, Frozen, Words, values_of
from retold.journal.vocabulary.events import CastIntroduced, MatterMerged, Merged, OfMatter
from retold.projections.plain import line
from retold.projections.plain.ink import EARLIER, Ink, Lookup, with_audience
from retold.projections.plain.joining import joined
from retold.projections.plain.shared import revealed_words
from retold.projections.reading import Ids, Moment


def notation(
    table: Table,
    lives: Iterable[LiveEvent],
    *,
    named: bool = True,
    each: bool = False,
    place: Callable[[int], str] | None = None,
    visible_to: Iterable[VisibleTo] = (),
    lookup: Lookup | None = None,
) -> Iterator[str]:
    """Yields each event as one text line of notation, safe for a terminal.

    A throw for nothing but a later line of its act, such as initiative, is in that line. The line ends with
    the event's conflict, such as `(conflict 2)`, if `each` is True, if the events are of several conflicts,
    or of another one than commands currently go to; it never does if `named` is False. `place` formats event
    positions; without it they read `#12`, followed by the name of the thread, place or thing that was opened
    there. `visible_to` holds the events' audiences in the same order (a missing one means the whole table); a
    restricted audience is appended. `lookup` finds names of games and branches; without it, those of games at
    this table.
    """
    names = {number: who.called for number, who in table.people.items()}
    seen, lives = iter(visible_to), tuple(lives)
    of_several = len({getattr(live.event, "conflict", None) for live in lives} - {None}) > 1
    addressed = None if each or of_several else table.addressed
    told = ((live, plain(live.event)) for live in lives)
    for (live, data), more in joined(told, lambda one: (one[0].event.kind, one[1], one[0].luck)):
        event, audience = live.event, next(seen, TABLE)
        if more == "":
            continue
        if isinstance(event, CastIntroduced):
            names[event.person] = str(event.name)
        elif isinstance(event, Merged) and table.whose(event.person) != event.person:
            names[event.person] = str(table.people[event.into].former[-1])
        text = line(
            live.event.kind,
            data,
            _no_reference,
            names,
            live.luck,
            place=partial(_place, table, event) if place is None else place,
            conflict=addressed if named else getattr(live.event, "conflict", None),
            known=True,
            lookup=Lookup(game=partial(game_name, table)) if lookup is None else lookup,
        )
        yield with_audience(text + (more or ""), audience, names)


def moment_notation(moment: Moment, ids: Ids, visible_to: Sequence[VisibleTo] = ()) -> str:
    """Returns a moment's event as one text line of notation, with `ids` for event positions.

    While several conflicts are open, the line ends with that of the event. `visible_to` holds the audience
    to append, as in `notation`.
    """
    live = LiveEvent(moment.position, moment.event, moment.envelope.luck)
    lookup, each = lookup_at(moment.table, ids), len(moment.table.conflicts) > 1
    return next(
        notation(moment.table, (live,), each=each, place=ids.place, visible_to=visible_to, lookup=lookup)
    )


def told_notation(moment: Moment, ids: Ids, visible_to: Sequence[VisibleTo] = ()) -> str:
    """Returns a moment's event as `moment_notation` does, without ids, which say nothing to a reader.

    The game master reads positions; for others a thread, place or thing is called by its name, and any other
    event is “an earlier event”.
    """
    if ids.open:
        return moment_notation(moment, ids, visible_to)
    matters = moment.table.matters if isinstance(moment.event, OfMatter) else {}

    def place(at: int) -> str:
        name = matters[at].name.text if at in matters else None
        return EARLIER if name is None else name

    live = LiveEvent(moment.position, moment.event, moment.envelope.luck)
    lookup = lookup_at(moment.table, ids)
    return next(notation(moment.table, (live,), place=place, visible_to=visible_to, lookup=lookup))


def game_name(table: Table, system: str) -> str:
    """Returns the name of a system's game at this table; empty if the table has chosen none."""
    return SYSTEMS[system].name_at(table) if system in SYSTEMS else system


def lookup_at(table: Table, ids: Ids) -> Lookup:
    """Returns functions that find what an event only points to, as far as the viewer of `ids` knows it."""

    def revealed(position: int) -> str:
        shown = ids.seen(position)
        if shown is None or shown.public:
            return ""
        payload = plain(shown)
        names = {number: who.called for number, who in table.people.items()}
        told = line(
            shown.kind, payload, _no_reference, names, place=lambda _: EARLIER, known=True, lookup=names_only
        )
        return revealed_words(shown.kind, payload, told, Ink(_no_reference, names))

    names_only = Lookup(partial(game_name, table), ids.branch, ids.moment)
    return names_only._replace(revealed=revealed)


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
    if isinstance(value, int | str):
        return value
    if isinstance(value, Words):
        return value.text
    if isinstance(value, Frozen):
        fields = values_of(value)
        shown = type(value).face() if isinstance(value, Event) else fields.keys()
        return {key: plain(field) for key, field in fields.items() if key in shown and field is not None}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple | list) else value


def data_as_json(event: Event) -> dict[str, Any]:
    """Returns the fields of an event as JSON values, as `plain` does, without the bytes of a picture."""
    fields: dict[str, Any] = plain(event)
    return {key: value for key, value in fields.items() if key != type(event).file_field}


def events_as_json(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Returns events as JSON objects, each with its kind and its fields, without the bytes of a picture."""
    return [{"kind": type(event).kind, **data_as_json(event)} for event in events]
