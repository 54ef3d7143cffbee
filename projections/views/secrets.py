"""Secrets view: people, sheets, tracks and notes hidden from some players, and how to reveal each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from retold.journal.hiding import owner_of_sheet
from retold.journal.names import quoted
from retold.journal.systems import SYSTEMS
from retold.journal.table import Table
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary import events as e
from retold.projections.reading import LineView
from retold.projections.views.sheet import NOBODY, Row, Seen


class SecretSeen(NamedTuple):
    """A hidden person, sheet, track, clock, note, thread, place or thing.

    `visible_to` is `gm`, or names of people who know it beside the game master.
    """

    sort: str
    """`person`, `sheet`, `track`, `clock`, `thread`, `place`, `thing` or `note`; or a guest game's word."""
    name: str
    visible_to: str | tuple[str, ...]
    line: str | None
    """Line that reveals it to the whole table; None for viewers other than the game master."""

    def row(self) -> Row:
        """Returns this secret as a table row."""
        known_to = "the game master" if isinstance(self.visible_to, str) else ", ".join(self.visible_to)
        return Row.keyed((self.sort, self.name), known_to, self.line or NOBODY)


class Secrets(Seen, frozen=True):
    """Answer of the secrets view.

    JSON: `{"secrets": [{"sort", "name", "visible_to", "line"}]}`.
    """

    view = "secrets"
    title = "Secrets"
    columns = ("What", "Name", "For", "To reveal it")
    secrets: tuple[SecretSeen, ...]

    def notes(self) -> tuple[str, ...]:
        """Returns a note below the table about secrets listed elsewhere."""
        return (_ELSEWHERE,)


_ELSEWHERE: Final = (
    "Hidden words, pictures and dice are not listed, nor are notes for the game master alone; the game"
    " master's log has them."
)


def of(reading: LineView) -> Secrets:
    """Returns secrets known to the viewer of `reading`, in order of preparation."""
    return Secrets(tuple(_seen(reading)))


def _seen(reading: LineView) -> Iterator[SecretSeen]:
    table, leads = reading.table, reading.viewer.gm
    for subject, secret in table.secrets.items():
        sort, name, line = _called(reading, subject, secret.positions[0])
        known = _names(table, secret.visible_to)
        yield SecretSeen(sort, name, known, f"reveal {line}" if leads else None)
    for recorded in reading.recorded(kinds=(e.MatterOpened.kind,)):
        event, visible_to = recorded.event, recorded.envelope.visible_to
        if isinstance(event, e.MatterOpened) and visible_to != TABLE:
            name = table.matter(recorded.position)
            yield SecretSeen(
                event.sort, name, _names(table, visible_to), f"reveal {quoted(name)}" if leads else None
            )
    for recorded in reading.kept_from_the_table():
        event, visible_to = recorded.event, recorded.envelope.visible_to
        if isinstance(event, e.Noted) and not isinstance(visible_to, str):
            reveals = f"reveal {recorded.position}" if leads else None
            yield SecretSeen("note", str(event.text), _names(table, visible_to), reveals)


def _called(reading: LineView, subject: str, position: int) -> tuple[str, str, str]:
    """Returns a secret's kind (`person`, `sheet` …), its name, and the words to type after `reveal`."""
    table, (sort, *_) = reading.table, subject.split(" ", 1)
    owner = owner_of_sheet(subject)
    if owner is not None:
        _, system, other = subject.split(" ", 2)
        sheet_name = SYSTEMS[system].called(table) if sort == "sheet" else other
        return sort, f"{table.name(owner)}: {sheet_name}", f"{table.quoted(owner)} --sheet"
    if sort == "person":
        person = int(subject.rpartition(" ")[2])
        return sort, table.name(person), table.quoted(person)
    event = next((recorded.event for recorded in reading.recorded(position - 1, position)), None)
    name = str(getattr(event, "name", subject))
    return sort, name, quoted(name)


def _names(table: Table, visible_to: VisibleTo) -> str | tuple[str, ...]:
    if isinstance(visible_to, str):
        return visible_to
    return tuple(table.name(person) for person in visible_to if person in table.people)
