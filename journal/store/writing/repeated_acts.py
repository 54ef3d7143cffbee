"""Decides recorded acts again on another branch or copy: new events, or the reason of a refusal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from retold.journal import line as line_
from retold.journal.decks.chance import UsedResult
from retold.journal.hiding import audiences
from retold.journal.names import normalise
from retold.journal.refused import Refused
from retold.journal.store.contract.event_store import Head, Row
from retold.journal.store.events import line_events
from retold.journal.store.events.acts import Manner, draft_rows, with_luck, with_taken
from retold.journal.store.events.amendments import read_amendments
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.codec import KnownSalts, without_texts
from retold.journal.store.events.line_events import Act
from retold.journal.store.events.record import Record
from retold.journal.store.writing import replaying
from retold.journal.store.writing.campaign import CampaignStore
from retold.journal.store.writing.replaying import Renumbering
from retold.journal.store.writing.rewording import names_anything
from retold.journal.system import Count
from retold.journal.table import Table, placeholder_name
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, values_of

PERSON_FIELDS = frozenset({"who", "person", "winner", "loser", "by", "whose", "player", "one", "other"})
"""Fields of events that hold a person."""

IGNORED_FIELDS = frozenset({"conflict", "about", "narration", "at"})
"""Event fields that only say what an event belongs to."""


class RepeatedAct(Struct, frozen=True):
    """A recorded act, and its events on another branch or the reason why that branch refuses it."""

    act: Act
    command: Command | None
    events: tuple[Event, ...]
    """The act's events on the branch; empty if the act no longer holds."""
    taken: tuple[UsedResult, ...]
    refusal: str | None
    """Why the act no longer holds; None if it does."""
    manner: Manner
    seen_by: tuple[VisibleTo, ...] = ()
    """The audience of each event."""
    renumbered: tuple[Event, ...] = ()
    """The act's events as recorded, with moments renumbered for the branch."""
    unnamed: frozenset[str] = frozenset()
    """Placeholders in `command` for redacted names of people introduced by the act."""
    decided: tuple[Event, ...] = ()
    """The events with these placeholders, by which the texts of the command are told apart."""
    moved: tuple[Count, Count] | None = None
    """The act's old and new round in its conflict, if they differ."""
    added: bool = False
    """True for a ruling the judge added: it comes before `act`, or after the last act."""

    @property
    def was(self) -> tuple[Event, ...]:
        """Events of the act as recorded on the old branch; empty for a ruling added by the judge."""
        if self.added:
            return ()
        return tuple(recorded.event for recorded in self.act.events if isinstance(recorded.event, Event))


class BranchBase(NamedTuple):
    """End of a branch's recorded events, with its table state: repeated acts are decided from here."""

    record: Record
    line: int
    position: int
    table: Table
    """Changed by each act that is decided again."""
    begun: tuple[Event, ...] = ()
    """Events after `position` that are not recorded yet, such as the fork of a new branch."""


class RepeatedActs:
    """Decides acts of branch `line` of `source` again on `base`, in order, with their recorded results.

    Both share the events up to `fork`; `shared` is the table state there. `base` may be a branch of another
    copy of the campaign; it has the same events up to `same_upto`, by default `fork`, but other undos.
    """

    def __init__(
        self,
        source: Record,
        line: int,
        fork: int,
        shared: Table,
        base: BranchBase,
        *,
        same_upto: int | None = None,
    ) -> None:
        self._source = source
        self._parent = line
        self._fork = fork
        self._same_upto = fork if same_upto is None else same_upto
        self._base = base
        self._table = base.table
        self._steps: list[RepeatedAct] = []
        self._renamed: dict[int, dict[int, str]] = {}
        conflicts = max(shared.conflicts_ever, 0)
        self._to = Renumbering(fork, frozenset(shared.people), conflicts, self._table)
        self._position = base.position
        self._fold(base.begun, (), [TABLE] * len(base.begun))

    @property
    def table(self) -> Table:
        """The table state after the acts so far."""
        return self._table

    def repeat(self, act: Act) -> RepeatedAct | None:
        """Decides the next act again and applies it to the table state; returns the step.

        Returns None for an act about the branch itself, such as an undo, which is left out.
        """
        step = self._decide_again(act)
        if step is not None:
            self._steps.append(step)
        return step

    def skip(self, act: Act, events: Sequence[Event], first: int) -> None:
        """Notes that `act` is recorded on the base already, as `events` from position `first` on."""
        self._to.learn(act.known, events, act.first, act.last, first)

    def _fold(
        self, events: Sequence[Event], taken: Sequence[UsedResult], seen_by: Sequence[VisibleTo]
    ) -> None:
        provenances = [used.provenance for used in taken]
        for live in with_luck(events, self._position + 1, provenances, seen_by):
            line_.evolve(self._table, live)
        self._position += len(events)

    def _decide_again(self, act: Act) -> RepeatedAct | None:
        first = act.events[0].event
        if isinstance(first, e.Reworded):
            return self._rewording(act)
        command = replaying.stored_command(act, self._table, self._unnamed)
        manner = self._to.manner(replaying.manner_of(act))
        if isinstance(first, e.Revealed) and command is not None:
            return self._reveal(act, command, manner)
        if act.managing or (command is not None and type(command).manages):
            return None
        if command is None:
            return RepeatedAct(
                act, None, (), (), "It was recorded without a command, so it cannot be decided again.", manner
            )
        try:
            command = self._to.apply(command)
            events, taken = replaying.decide_as_recorded(
                self._table, act, command, manner, self._to.existed_before
            )
        except Refused as refusal:
            return RepeatedAct(act, command, (), (), refusal.sentence, manner)
        return self._step(act, command, events, taken, manner)

    def _rewording(self, act: Act) -> RepeatedAct | None:
        """Repeats a rewording of an event that both branches have; returns the step.

        Returns None for a rewording of a later event: its act is decided with the new text already.
        """
        events = [recorded.event for recorded in act.events if isinstance(recorded.event, e.Reworded)]
        before = [event for event in events if event.about <= self._same_upto]
        if not before:
            return None
        command = c.Retcon(at=before[0].about, text=before[0].text)
        for event in before:
            if event.text.text is not None and names_anything(self._source, self._parent, event):
                self._rename(event.about, event.word, event.text.text)
        return self._step(act, command, before, [], self._to.manner(replaying.manner_of(act)))

    def _rename(self, about: int, word: int, text: str) -> None:
        """Rebuilds the table state with a new wording of text number `word` of the event at `about`."""
        record, line, upto = self._base[:3]
        amendments = read_amendments(record, line, upto)
        self._renamed.setdefault(about, {})[word] = text
        for position, words in self._renamed.items():
            amendments.rewordings.setdefault(position, {}).update(words)
        self._table = line_.fold(line_events.live_events(record, line, 0, upto, amendments))
        self._position = upto
        self._fold(self._base.begun, (), [TABLE] * len(self._base.begun))
        for step in self._steps:
            self._fold(step.events, step.taken, step.seen_by)

    def _reveal(self, act: Act, command: Command, manner: Manner) -> RepeatedAct:
        """Repeats a reveal of the same moments on the new branch; returns the step.

        The table saw these moments, so they are visible on the new branch too. The step is refused if one of
        them did not happen on it.
        """
        try:
            command = self._to.apply(command)
            events = [
                self._shown(recorded.event) for recorded in act.events if isinstance(recorded.event, Event)
            ]
        except Refused as refusal:
            return RepeatedAct(act, command, (), (), refusal.sentence, manner)
        return self._step(act, command, events, [], manner)

    def _shown(self, event: Event) -> Event:
        if isinstance(event, e.Revealed):
            to = None if event.to is None else tuple(map(self._to.person, event.to))
            return event.but({"about": self._to.moment(event.about), "to": to})
        if isinstance(event, e.Narrated) and event.conflict is not None:
            return event.but({"conflict": self._to.conflict(event.conflict)})
        return event

    def _unnamed(self, person: int) -> str:
        """Returns an unused name for `person`, a newcomer whose name the source does not tell."""
        known = {normalise(person.called) for person in self._table.everybody()}
        name = placeholder_name(person)
        while normalise(name) in known:
            name += "x"
        return name

    def _step(
        self,
        act: Act,
        command: Command,
        decided: Sequence[Event],
        taken: Sequence[UsedResult],
        manner: Manner,
    ) -> RepeatedAct:
        start = self._position + 1
        unnamed = frozenset(map(self._unnamed, replaying.unnamed_newcomers(act)))
        events = (
            tuple(replaying.without_texts(event, unnamed) for event in decided) if unnamed else tuple(decided)
        )
        seen_by = audiences(self._table, command, events, manner.visible_to)
        self._fold(events, taken, seen_by)
        step = RepeatedAct(
            act,
            command,
            events,
            tuple(taken),
            None,
            manner,
            tuple(seen_by),
            unnamed=unnamed,
            decided=tuple(decided),
        )
        self._to.learn(step.was, events, act.first, act.last, start)
        return replace(step, renumbered=tuple(map(self._to.event, step.was)))


def record_step(
    campaign: CampaignStore,
    line: int,
    head: Head,
    step: RepeatedAct,
    *,
    clock: Clock | None = None,
    salts: KnownSalts = MappingProxyType({}),
) -> list[Row]:
    """Appends a step's events to branch `line` after `head`, as an act with the id it had; returns the rows.

    The time is that of `clock`, by default the campaign's. Call inside `record.writing()`.
    """
    command = None if step.command is None else with_taken(step.command, step.taken)
    provenances = [used.provenance for used in step.taken]
    manner = step.manner if step.added else replace(step.manner, act=step.act.events[0].envelope.act)
    drafts = draft_rows(
        clock or campaign.clock,
        step.decided or step.events,
        command,
        provenances,
        manner,
        seen_by=step.seen_by,
        salts=salts,
    )
    return campaign.record.append(line, head, (without_texts(draft, step.unnamed) for draft in drafts))


def describe_differences(
    first: int, was: Sequence[Event], now: Sequence[Event], table: Table
) -> Iterator[str]:
    """Yields a sentence for each difference between an act's old events and its new ones, ignoring texts.

    `first` is the act's position; `table` gives people's names.
    """
    if [type(event) for event in was] != [type(event) for event in now]:
        yield f"{first}: was {_kinds(was)}; now {_kinds(now)}."
        return
    for position, (before, after) in enumerate(zip(was, now, strict=True), first):
        changes = [
            f"{key.replace('_', ' ')} {_shown(key, old, table)} → {_shown(key, new, table)}"
            for key, old, new in _fields(before, after)
        ]
        if changes:
            yield f"{position}, {_kind(after)}: {', '.join(changes)}."


def _fields(before: Event, after: Event) -> Iterator[tuple[str, object, object]]:
    for key, old in values_of(before).items():
        new = getattr(after, key)
        if key not in IGNORED_FIELDS and not replaying.equal_but_words(old, new):
            yield key, old, new


def _kinds(events: Sequence[Event]) -> str:
    return ", ".join(map(_kind, events)) or "nothing"


def _kind(event: Event) -> str:
    """Returns an event's kind in plain words, such as `hand won`."""
    return type(event).kind.partition(".")[2].replace("-", " ")


def _shown(key: str, value: object, table: Table) -> str:
    if value is None:
        return "nothing"
    if key in PERSON_FIELDS and isinstance(value, int):
        return table.name(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={part}" for name, part in value.items()) or "none"
    return str(value)
