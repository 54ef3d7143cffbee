"""The `reveal` command: records that hidden events become visible to all or to some people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import get_args

from msgspec.structs import replace

from retold.journal.hiding import owner_of_sheet, sheet_secrets, subjects_of
from retold.journal.refused import Refused
from retold.journal.store.events.acts import Manner, RecordedAct
from retold.journal.store.events.amendments import Reveals, read_reveals
from retold.journal.store.events.codec import Envelope, Recorded, decode
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing.campaign import LineWriter
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import GM, Event, Words, numbers_in, values_of


def plan_reveal(
    writer: LineWriter,
    at: int | Sequence[int],
    to: Sequence[int] | None = None,
    *,
    sheet: bool = False,
    only: bool = False,
) -> tuple[e.Revealed, ...]:
    """Returns the `Revealed` events that would show the hidden events of the acts at `at`; records nothing.

    There is one for each hidden event of the acts, and for each other event about the same secret people or
    things. With `only`, one for each hidden event about the person or thing of the event at `at`, and none
    for others who came in or acted on the same line. Events about a character sheet are included with
    `sheet`, or if nothing else is hidden. Raises Refused if the people in `to` (all if None) may see each of
    them already.
    """
    writer.catch_up()
    about: set[int] = set()
    for position in [at] if isinstance(at, int) else at:
        act = writer.act_at(position)
        hidden = [recorded for recorded in act.events if recorded.envelope.visible_to != TABLE]
        if only:
            hidden = list(_of_the_same(writer, hidden, position))
        if not hidden:
            raise Refused(_nothing_hidden(writer, act, position))
        about |= _with_subjects(writer.table, hidden, sheet=sheet)
    known = read_reveals(writer.campaign.record, writer.line)
    shut = [
        position
        for position in sorted(about)
        if not _is_open_to(_envelope(writer, position), known, position, to)
    ]
    if not shut:
        places = str(at) if isinstance(at, int) else " and ".join(map(str, at))
        raise Refused(f"What was hidden at {places} has been revealed already.")
    return tuple(e.Revealed(about=position, to=None if to is None else tuple(to)) for position in shut)


_OF_A_PERSON = e.Described | e.Renamed | e.AliasGiven | e.PlayerSeated
"""Kinds that identify a person, beside their introduction."""


def _of_the_same(writer: LineWriter, hidden: Iterable[Recorded], position: int) -> Iterator[Recorded]:
    """Yields the event at `position` and those of `hidden` about the same person or thing.

    Of events that identify a person, only that one; with an introduction, also that of their secret player.
    """
    hidden = list(hidden)
    meant = next((recorded for recorded in hidden if recorded.position == position), None)
    if meant is None:
        return
    person = person_of(meant)
    subjects = set(_subjects(meant))
    if person is not None and isinstance(meant.event, e.CastIntroduced | _OF_A_PERSON):
        yield meant
        player = writer.table.people[person].player
        if player is not None and not isinstance(meant.event, e.Described):
            yield from _introduction(writer, player)
        return
    for recorded in hidden:
        same = person is not None and person_of(recorded) == person
        if recorded is meant or same or not subjects.isdisjoint(_subjects(recorded)):
            yield recorded


def whole_person(writer: LineWriter, position: int) -> tuple[int, ...]:
    """Returns `position`, and where all else is hidden that says who the person introduced there is."""
    event = next(
        (recorded for recorded in writer.act_at(position).events if recorded.position == position), None
    )
    if event is None or not isinstance(event.event, e.CastIntroduced | _OF_A_PERSON):
        return (position,)
    found = (recorded.position for recorded in hidden_of_person(writer, event.event.person))
    return tuple(dict.fromkeys((position, *found)))


def hidden_of_person(writer: LineWriter, person: int) -> Iterator[Recorded]:
    """Yields the events that say in secret who a person is: phrases, names, pronouns and players.

    Events revealed since are included, undone ones are not.
    """
    numbers = writer.table.numbers(person)
    kinds = tuple(kind.kind for kind in get_args(_OF_A_PERSON))
    for row in writer.campaign.record.rows(writer.line, 0, None, kinds):
        recorded = decode(row)
        hidden = recorded.envelope.visible_to != TABLE and writer.amendments.counts(row.position)
        if hidden and person_of(recorded) in numbers:
            yield recorded


def _introduction(writer: LineWriter, person: int) -> Iterator[Recorded]:
    """Yields the event that introduced a secret person; nothing for a person known to all."""
    secret = writer.table.secret(person)
    for position in () if secret is None else secret.positions[:1]:
        row = writer.campaign.record.row(writer.line, position)
        assert row is not None  # noqa: S101 -- the table has it from this very line
        yield decode(row)


def person_of(recorded: Recorded) -> int | None:
    """Returns the person that an event is about, or who did it; None for other events."""
    fields = values_of(recorded.event) if isinstance(recorded.event, Event) else {}
    person = fields.get("person", fields.get("who"))
    return person if isinstance(person, int) else None


def _subjects(recorded: Recorded) -> tuple[str, ...]:
    return subjects_of(recorded.event)[:1] if isinstance(recorded.event, Event) else ()


def _nothing_hidden(writer: LineWriter, act: Act, at: int) -> str:
    """Returns the message for an act without hidden events; it names a secret person in the act, if any."""
    table = writer.table
    numbers = dict.fromkeys(number for recorded in act.events for number in _numbers(recorded))
    secret = next((number for number in numbers if table.secret(number) is not None), None)
    if secret is None:
        return f"Nothing is hidden at {at}: all may see it."
    return f"It is hidden at {at} because {table.name(secret)} is secret: reveal {table.quoted(secret)}."


def _numbers(one: Recorded) -> Iterable[int]:
    return numbers_in(one.event) if isinstance(one.event, Event) else ()


def _with_subjects(table: Table, hidden: Iterable[Recorded], *, sheet: bool) -> set[int]:
    """Returns the positions of the hidden events, and of other hidden events about the same secret subjects.

    Positions about character sheets only with `sheet`, or if there are no others.
    """
    found: set[int] = set()
    on_sheets: set[int] = set()
    for recorded in hidden:
        subjects = _subjects(recorded)
        into = found if all(owner_of_sheet(subject) is None for subject in subjects) else on_sheets
        into.add(recorded.position)
        into.update(*(table.secrets[subject].positions for subject in subjects if subject in table.secrets))
        owners = {owner for subject in subjects if (owner := owner_of_sheet(subject)) is not None}
        if isinstance(recorded.event, e.CastIntroduced):
            owners.add(recorded.event.person)
        if sheet:
            on_sheets.update(
                *(secret.positions for owner in owners for secret in sheet_secrets(table, owner))
            )
    return found | on_sheets if sheet or not found else found


def _envelope(writer: LineWriter, position: int) -> Envelope:
    row = writer.campaign.record.row(writer.line, position)
    assert row is not None  # noqa: S101 -- the table has it from this very line
    return decode(row).envelope


def _is_open_to(envelope: Envelope, known: Reveals, position: int, to: Sequence[int] | None) -> bool:
    """True if the people in `to` (all if None) may already see the event at `position`.

    `known` holds the earlier reveals.
    """
    shown = known.get(position, frozenset())
    if shown is None or to is None:
        return shown is None
    meant = envelope.visible_to if isinstance(envelope.visible_to, tuple) else ()
    return shown.union(meant, (GM,)).issuperset(to)


def reveal(
    writer: LineWriter,
    at: int | Sequence[int],
    to: Sequence[int] | None = None,
    text: Words | None = None,
    manner: Manner | None = None,
    *,
    sheet: bool = False,
    only: bool = False,
) -> RecordedAct:
    """Records an act that reveals the hidden events of the acts at `at`; returns the new act.

    They become visible to the people in `to`, or to the whole table if None. Reveals cannot be undone.
    `sheet` and `only` choose the events, as in `plan_reveal`. `text` is the game master's narration to the
    same audience.
    """
    events: list[Event] = [*plan_reveal(writer, at, to, sheet=sheet, only=only)]
    if text is not None and text.text != "":
        here = writer.table.in_play() if to is None else None  # a narration in a conflict is public
        events.append(e.Narrated(who=GM, text=text, conflict=None if here is None else here.id))
    see = TABLE if to is None else tuple(to)
    first, *also = [at] if isinstance(at, int) else at
    command = c.Reveal(at=first, also=tuple(also), only=only, sheet=sheet, text=text)
    return writer.manage_all(events, command, replace(manner or Manner(), visible_to=see))
