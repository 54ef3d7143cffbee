"""A line of the campaign as a session script that plays it again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from journal import line as line_
from journal.hiding import audiences
from journal.language.rendering import render
from journal.line import Live
from journal.refused import Refused
from journal.store import reading
from journal.store.campaign import Campaign
from journal.store.reading import Act
from journal.store.replaying import as_typed, said_for, stored_command
from journal.store.rewording import names_anything
from journal.table import Table
from journal.visibility import TABLE
from journal.vocabulary import commands as c
from journal.vocabulary.base import Command, Event
from journal.vocabulary.events import Reworded
from journal.vocabulary.sealing import DeclareSealed, Meant, seal
from journal.words import Words

UNSAID = (c.Undo, c.Redo, c.Branch, c.Switch, c.Redact)
"""Verbs a script leaves out: it is one line's live acts, and they are about lines, or about what is gone."""


def script_of(campaign: Campaign, line: int, after: int = 0, upto: int | None = None) -> Iterator[str]:
    """The lines that say the live acts of `line` at positions after+1..upto again, in today's grammar.

    Run into a new campaign they give the same kinds, payloads and provenance; a text that was redacted is
    `[redacted]` there, a name `somebody (7)`; of an act of a game that is not here there is a comment. A name
    is that of then, until the line that changed it.
    """
    table = campaign.table_at(line, after) if after else Table()
    moved = _Positions()
    opened: Mapping[int, Meant] | None = None
    for act in reading.acts(campaign.record, line, after, upto, as_called=True):
        command = as_typed(table, act)
        if command is not None and not isinstance(command, UNSAID):
            if isinstance(command, c.SetScene | c.OpenSession | c.OpenConflict):
                yield ""
            if isinstance(command, DeclareSealed) and command.sealed == Words(None):
                opened = _opened(reading.acts(campaign.record, line)) if opened is None else opened
                command = _sealed_again(command, opened.get(act.first))
            if isinstance(command, c.Retcon | c.Reveal) and not moved.holds(command):
                yield f"# Left out: what stands at {act.first} is about {command.at}, which no script says."
            else:
                yield render(moved.again(command), table, _openly(act, table))
                moved.said(act)
        elif command is None and act.events[0].command:
            yield f"# Left out: what stands at {act.first} was said with a verb that nobody here knows."
        _follow(table, act)
        if any(_renames(campaign, line, one.event) for one in act.events):
            table = reading.table_as_called(campaign.record, line, act.last)


def _renames(campaign: Campaign, line: int, event: object) -> bool:
    return isinstance(event, Reworded) and names_anything(campaign.record, line, event)


def _opened(acts: Iterable[Act]) -> Mapping[int, Meant]:
    """What came out of each act said face down, by its position, as far as it was opened later."""
    shut: dict[tuple[Any, Any], int] = {}
    found: dict[int, Meant] = {}
    for act in acts:
        opening = isinstance(stored_command(act), c.Reveal)
        for event in (one.event for one in act.events):
            speaker = (getattr(event, "conflict", None), getattr(event, "who", None))
            if isinstance(event, Event) and event.public:
                shut[speaker] = act.first
            elif opening and speaker in shut and isinstance(said := getattr(event, "act", None), str):
                target, text = getattr(event, "target", None), getattr(event, "text", None)
                found[shut.pop(speaker)] = Meant(said, target, text)
    return found


def _sealed_again(command: DeclareSealed, meant: Meant | None) -> DeclareSealed:
    """A declaration whose words were redacted, with the act it turned out to be."""
    return command if meant is None else command.but({"sealed": seal(meant)})


def _openly(act: Act, table: Table) -> Act:
    """The act as it could be said today: open, where what was recorded hidden could not be hidden now."""
    command = stored_command(act)
    events = [one.event for one in act.events if isinstance(one.event, Event)]
    if act.managing or command is None or said_for(act) == TABLE:
        return act
    try:
        audiences(table, command, events, said_for(act))
    except Refused:
        opened = (replace(one, envelope=one.envelope._replace(visible_to=TABLE)) for one in act.events)
        return replace(act, events=tuple(opened))
    return act


def _follow(table: Table, act: Act) -> None:
    for one in act.events:
        if isinstance(one.event, Event):
            line_.evolve(table, Live(one.position, one.event, one.envelope.luck, one.envelope.visible_to))


class _Positions:
    """Where events will stand once the script is run: undone acts leave no gap there."""

    def __init__(self) -> None:
        self._next = 2  # the new campaign's own first event stands at 1
        self._moved = {1: 1}

    def said(self, act: Act) -> None:
        """The events of an act take the next positions."""
        for one in act.events:
            self._moved[one.position] = self._next
            self._next += 1

    def holds(self, command: c.Retcon | c.Reveal) -> bool:
        """Whether the moment it speaks of is one that the script says."""
        return command.at is None or command.at in self._moved

    def again(self, command: Command) -> Command:
        """The command with the moment it speaks of where that will be."""
        at = getattr(command, "at", None)
        if at is None:
            return command
        earlier = [position for position in self._moved if position <= at]
        return command.but({"at": self._moved[max(earlier)]})
