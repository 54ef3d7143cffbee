"""Threads, places and things: notes with a name, opened, added to, renamed and closed."""

from __future__ import annotations

from journal.names import clean, quoted
from journal.refused import Refused
from journal.system import Situation
from journal.table import Matter, Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event
from journal.words import Words


def keep(situation: Situation, command: c.KeepNote) -> list[Event]:
    """A thread, a place or a thing is noted for the first time, or something about one changes."""
    if getattr(command, "zone", None) is not None:
        raise Refused(
            f"Nobody is placed in a zone here; a note of a place is about one name: {c.KeepPlace.example}"
        )
    if command.what is None:
        raise Refused(f"Say which: {command.example}")
    known = _known(situation.table, command.what)
    return _opened(command, command.what) if known is None else _changed(situation.table, command, known)


def _known(table: Table, what: int | Words) -> Matter | None:
    """The one meant; a name as it was typed may be known by now, where a line is decided once more."""
    if isinstance(what, Words):
        return None if what.text is None else table.matter_called(clean(what.text))
    return table.matters[what]


def _opened(command: c.KeepNote, name: int | Words) -> list[Event]:
    if command.done or command.name is not None:
        does = "close" if command.done else "rename"
        raise Refused(f"There is no {command.sort} {quoted(str(name))} to {does}.")
    return [e.MatterOpened.model_validate({"sort": command.sort, "name": name, "text": command.text})]


def _changed(table: Table, command: c.KeepNote, known: Matter) -> list[Event]:
    if known.sort != command.sort:
        raise Refused(f"{known.called} is a {known.sort}: choose another name for the {command.sort}.")
    events: list[Event] = []
    if command.name is not None:
        _check_free(table, command.name, known)
        events.append(e.MatterRenamed(about=known.opened, name=command.name))
    if command.done:
        if known.closed:
            raise Refused(f"The {known.sort} {known.called} is closed already.")
        events.append(e.MatterClosed(about=known.opened, text=command.text))
    elif command.text is not None:
        events.append(e.MatterNoted(about=known.opened, text=command.text))
    if not events:
        raise Refused(
            f"There is a {known.sort} {known.called} already. To say more of it:"
            f" {known.sort} {quoted(known.called)}: what is new"
        )
    return events


def _check_free(table: Table, name: Words, known: Matter) -> None:
    taken = table.matter_called(clean(name.text or ""))
    if taken is not None and taken is not known:
        raise Refused(f"There is a {taken.sort} {taken.called} already: choose another name.")
