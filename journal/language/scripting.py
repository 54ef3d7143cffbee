"""Writes the recorded acts of a branch as a script of typed lines that records them again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from retold.journal.games import absence
from retold.journal.hiding import audiences
from retold.journal.language.form_parts import words_of
from retold.journal.language.naming import conflict_addressed
from retold.journal.language.rendering import render
from retold.journal.language.verbs import own_form
from retold.journal.refused import Refused
from retold.journal.store.caches.projection_cache import is_possibly_hidden
from retold.journal.store.events import line_events
from retold.journal.store.events.codec import UnknownEvent
from retold.journal.store.events.kinds import game_missing, why_unread
from retold.journal.store.events.line_events import Act
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.replaying import (
    apply_act,
    as_typed,
    audience_of_act,
    reproduces,
    stored_command,
)
from retold.journal.store.writing.rewording import renames
from retold.journal.table import Table
from retold.journal.visibility import TABLE
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, Event, Words, values_of
from retold.journal.vocabulary.events import Marked
from retold.journal.vocabulary.sealing import DeclareSealed, Meant, seal

UNSAID = (c.Undo, c.Redo, c.Branch, c.Switch, c.Redact)
"""Verbs omitted from scripts: a script holds the live acts of one line, and these are about lines."""


def script_of(campaign: CampaignStore, line: int, after: int = 0, upto: int | None = None) -> Iterator[str]:
    """Yields typed lines that record the acts of branch `line` at positions after+1..upto again.

    Undone acts are left out. Run into a new campaign the lines give the same kinds, payloads and provenance.
    In the lines a redacted text reads `[redacted]`, a redacted name `somebody (7)`; an act without a command
    becomes a comment with the reason. Names are those in use at the time, until the line that changed them.
    """
    table = campaign.table_at(line, after) if after else Table()
    moved = _Positions()
    opened: Mapping[int, Sequence[Event]] | None = None
    for act in line_events.acts(campaign.record, line, after, upto, as_called=True):
        command = as_typed(table, act)
        if command is not None and not isinstance(command, UNSAID):
            if isinstance(command, c.SetScene | c.OpenSession | c.OpenConflict):
                yield ""
            if isinstance(command, DeclareSealed) and command.sealed == Words(None):
                opened = (
                    _revealed_events(line_events.acts(campaign.record, line)) if opened is None else opened
                )
                command = _with_replacement(table, act, command, opened.get(act.first, ()))
        if isinstance(command, c.Mark) and command.at is None:
            command = _on_its_moment(campaign, line, act, command)
        if (why := _why_not(act, command, moved)) is not None:
            yield f"# Left out: what stands at {act.first} {why}."
        elif command is not None and not isinstance(command, UNSAID):
            try:
                yield render(moved.again(command), table, _visible_again(act, table))
                moved.said(act)
            except Refused as refusal:
                yield f"# Left out: what stands at {act.first} is no line: {refusal}"
        apply_act(table, act)
        if any(renames(campaign.record, line, stored.event) for stored in act.events):
            table = line_events.table_as_called(campaign.record, line, act.last)


def _on_its_moment(campaign: CampaignStore, line: int, act: Act, command: c.Mark) -> c.Mark:
    """Returns a mark of now with its moment if that may be hidden: said again, it would be on an earlier one.

    Records of before 29 November 2026 have open marks on hidden moments.
    """
    at = next((stored.event.at for stored in act.events if isinstance(stored.event, Marked)), None)
    row = None if at is None else campaign.record.row(line, at)
    return command.but({"at": at}) if row is not None and is_possibly_hidden(row) else command


def _why_not(act: Act, command: Command | None, moved: _Positions) -> str | None:
    """Returns the reason why an act cannot be written as a typed line.

    None if it can, or is left out silently.
    """
    unknown = [stored.event.kind for stored in act.events if isinstance(stored.event, UnknownEvent)]
    missing = [game for game in map(game_missing, unknown) if game is not None]
    if missing:
        return f"is of the game {missing[0]}, which is {absence(missing[0])}"
    if unknown:
        release = (
            "the installed game cannot read" if why_unread(unknown[0], None) else "only a later release knows"
        )
        return f"is of a kind ({unknown[0]}) that {release}"
    if command is None:
        return "was said with a verb that nobody here knows" if act.events[0].command else None
    if isinstance(command, DeclareSealed) and command.sealed == Words(None):
        return "was sealed, and its words were redacted"
    if isinstance(command, c.Retcon | c.Reveal) and not moved.holds(command):
        return f"is about {command.at}, which no script says"
    return None


# --- what was sealed, and redacted since ------------------------------------------------------------------


def _revealed_events(acts: Iterable[Act]) -> Mapping[int, Sequence[Event]]:
    """Maps the position of each act with a sealed declaration to the events that revealed it later."""
    shut: dict[tuple[Any, Any], int] = {}
    found: dict[int, list[Event]] = {}
    for act in acts:
        opening = isinstance(stored_command(act), c.Reveal)
        for event in (stored.event for stored in act.events):
            speaker = (getattr(event, "conflict", None), getattr(event, "who", None))
            if isinstance(event, Event) and event.public:
                shut[speaker] = act.first
            elif opening and speaker in shut and isinstance(event, Event):
                found.setdefault(shut[speaker], []).append(event)
    return found


def _with_replacement(
    table: Table, act: Act, command: DeclareSealed, opened: Sequence[Event]
) -> DeclareSealed:
    """Returns a sealed declaration, whose text was redacted, with a replacement text.

    The replacement is the declared act as revealed later, else the first act with which the rules record the
    same events; without either the declaration is returned unchanged.
    """
    meant = (
        command.but({"sealed": seal(meaning)}) for meaning in _candidate_meanings(table, command, opened)
    )
    return next((candidate for candidate in meant if reproduces(table, act, candidate)), command)


def _candidate_meanings(table: Table, command: DeclareSealed, opened: Sequence[Event]) -> Iterator[Meant]:
    """Yields possible contents of a redacted sealed declaration: revealed acts first.

    Every act of the verb's form with every target in the conflict follows.
    """
    acts = sorted(words_of(own_form(type(command)).part, "act"), key=lambda word: word != "other")
    yield from (_meaning_of(event, acts) for event in opened)
    here = conflict_addressed(table, command.conflict)
    people = () if here is None else here.people
    yield from (Meant(said, target, Words(None)) for said in acts for target in (None, *people))


def _meaning_of(event: Event, acts: Collection[str]) -> Meant:
    """Returns act, target and text of the event that revealed a sealed declaration."""
    values = {key: value for key, value in values_of(event).items() if key not in ("conflict", "who")}
    said = next((value for value in values.values() if isinstance(value, str) and value in acts), "")
    target = next((value for value in values.values() if type(value) is int), None)
    text = next((value for value in values.values() if isinstance(value, Words)), None)
    return Meant(str(values.get("act", said)), values.get("target", target), text)


# --- what else a script says otherwise than the record ----------------------------------------------------


def _visible_again(act: Act, table: Table) -> Act:
    """Returns the act with audience `table` if today's rules refuse to hide it; else unchanged."""
    command = stored_command(act, table)
    if act.managing or command is None or audience_of_act(act) == TABLE:
        return act
    try:
        audiences(table, command, act.known, audience_of_act(act))
    except Refused:
        opened = (
            replace(stored, envelope=stored.envelope._replace(visible_to=TABLE)) for stored in act.events
        )
        return replace(act, events=tuple(opened))
    return act


class _Positions:
    """Mapping of recorded positions to positions in the campaign that the script will create.

    Undone acts have no position in the new campaign.
    """

    def __init__(self) -> None:
        self._next = 2  # position 1 is the new campaign's first event
        self._moved = {1: 1}

    def said(self, act: Act) -> None:
        """Gives the events of an act, just written to the script, the next free positions."""
        for stored in act.events:
            self._moved[stored.position] = self._next
            self._next += 1

    def holds(self, command: c.Retcon | c.Reveal) -> bool:
        """True if the moment that the command names (`at`) is part of the script, or it names none."""
        also = command.also if isinstance(command, c.Reveal) else ()
        return command.at is None or self._moved.keys() >= {command.at, *also}

    def again(self, command: Command) -> Command:
        """Returns the command with the position it names (`at`) translated to the new campaign.

        For a position that the script leaves out, the last earlier position in the script is taken.
        """
        at = getattr(command, "at", None)
        if at is None:
            return command
        if isinstance(command, c.Reveal):
            return command.but({"at": self._at(at), "also": tuple(map(self._at, command.also))})
        return command.but({"at": self._at(at)})

    def _at(self, position: int) -> int:
        return self._moved[max(earlier for earlier in self._moved if earlier <= position)]
