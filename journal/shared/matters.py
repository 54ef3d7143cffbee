"""Threads, places and things: notes with a name, opened, added to, renamed, merged and closed."""

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
    wants = {"merge": command.into is not None, "rename": command.name is not None, "close": command.done}
    if does := next((does for does, wanted in wants.items() if wanted), None):
        raise Refused(f"There is no {command.sort} {quoted(str(name))} to {does}.")
    return [e.MatterOpened.of({"sort": command.sort, "name": name, "text": command.text})]


def _changed(table: Table, command: c.KeepNote, known: Matter) -> list[Event]:
    if known.sort != command.sort:
        raise Refused(f"{known.called} is a {known.sort}: choose another name for the {command.sort}.")
    stays = known if command.into is None else _stays(table, command, known)
    events: list[Event] = []
    if stays is not known:
        events.append(e.MatterMerged(about=known.opened, into=stays.opened))
    if command.name is not None:
        _check_free(table, command.name, known, stays)
        events.append(e.MatterRenamed(about=stays.opened, name=command.name))
    if command.done:
        if stays.closed:
            raise Refused(f"The {stays.sort} {stays.called} is closed already.")
        events.append(e.MatterClosed(about=stays.opened, text=command.text))
    elif command.text is not None:
        events.append(e.MatterNoted(about=stays.opened, text=command.text))
    if not events:
        raise Refused(
            f"There is a {known.sort} {known.called} already. To say more of it:"
            f" {known.sort} {quoted(known.called)}: what is new"
        )
    return events


def _stays(table: Table, command: c.KeepNote, gone: Matter) -> Matter:
    """The one that another turns out to be; what is open is not closed by it without a word."""
    stays = None if command.into is None else _known(table, command.into)
    line = f"{gone.sort} {quoted(gone.called)}"
    if stays is None:
        name = quoted(str(command.into))
        raise Refused(f"There is no {gone.sort} {name} to merge it into. To call it that: {line} name={name}")
    if stays is gone:
        raise Refused(f"{gone.called} is one already: name two.")
    if stays.sort != gone.sort:
        raise Refused(f"{gone.called} is a {gone.sort} and {stays.called} a {stays.sort}, so they are two.")
    if stays.closed and not gone.closed and (command.text is None or command.done):
        raise Refused(
            f"{stays.called} is closed, and {gone.called} is open. Close it first: {line} --done. Or say what"
            f" is new, which opens both: {line} into {quoted(stays.called)}: what is new"
        )
    return stays


def _check_free(table: Table, name: Words, *known: Matter) -> None:
    taken = table.matter_called(clean(name.text or ""))
    if taken is not None and not any(taken is one for one in known):
        raise Refused(f"There is a {taken.sort} {taken.called} already: choose another name.")
