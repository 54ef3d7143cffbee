"""A line as a fold: which events count, what they come to, and what a command would add to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from journal.decks import dice
from journal.decks.chance import Luck, Provenance
from journal.refused import Refused
from journal.shared import DECIDE
from journal.system import Decision, Situation
from journal.systems import SYSTEMS
from journal.table import EVOLVE, Handler, OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Command, Event


class Live(NamedTuple):
    """An event on a line: its position (from 1), what happened, and where its luck came from."""

    position: int
    event: Event
    luck: tuple[Provenance, ...] = ()


class Dead(NamedTuple):
    """Positions `first` to `last` were undone."""

    first: int
    last: int


def evolve(table: Table, live: Live) -> None:
    """Changes `table` by one live event: first for the table itself, then for the systems it touches."""
    event = live.event
    table.position = live.position
    for handler in _HANDLERS[type(event)]:
        handler(table, event)
    conflict: int | None = getattr(event, "conflict") if type(event) in _OF_A_CONFLICT else None  # noqa: B009
    if conflict is not None and conflict in table.conflicts:
        table.addressed = conflict
        handler_of_system = _SHARED_OF[table.conflicts[conflict].system].get(type(event))
        if handler_of_system is not None:
            handler_of_system(table, event)
    if live.luck:
        _count_dealt(table, event, live.luck)


def fold(lives: Iterable[Live], table: Table | None = None) -> Table:
    """What `lives` come to, from nothing or from `table`, which is changed and returned."""
    table = Table() if table is None else table
    for live in lives:
        evolve(table, live)
    return table


def _count_dealt(table: Table, event: Event, luck: tuple[Provenance, ...]) -> None:
    """Counts what was dealt here, source by source: the `n` of seeded luck (`docs/record.md`, Chance)."""
    if isinstance(event, e.CardsDrawn):
        if count := luck.count(Provenance.DEALT):
            table.dealt[event.deck] = table.dealt.get(event.deck, 0) + count
        return
    for source, provenance in zip(sources(event), luck, strict=True):
        if provenance is Provenance.DEALT:
            table.dealt[source] = table.dealt.get(source, 0) + 1


def sources(event: Event) -> tuple[str, ...]:
    """The deck or die behind each random value of `event`, in order."""
    if isinstance(event, e.CardsDrawn):
        return (event.deck,) * len(event.cards)
    if isinstance(event, e.DiceRolled):
        return tuple(dice.name(size) for size in dice.parse(event.dice))
    values = getattr(event, event.luck) if event.luck else ()
    return (event.kind,) * len(values)


def undone(changes: Iterable[e.Undone | e.Redone]) -> list[Dead]:
    """The stretches that are undone after `changes`, the undos and redos of a line in order."""
    dead: list[Dead] = []
    for change in changes:
        stretch = Dead(change.first, change.last)
        if isinstance(change, e.Undone):
            dead.append(stretch)
        elif stretch in dead:
            dead.remove(stretch)
    return dead


def decide(table: Table, command: Command, luck: Luck) -> list[Event]:
    """What `command` would add to a line that has come to `table`; changes nothing.

    Raises `Refused` with a sentence for the person who asked.
    """
    situation = Situation(table, luck, SYSTEMS, _conflict_meant(table, command))
    conflict = situation.conflict
    if conflict is not None:
        answer = SYSTEMS[conflict.system].decide.get(type(command))
        if answer is not None:
            events = answer(situation, command)
            luck.finish()
            return events
    answer = _anytime(table, conflict, command) or DECIDE.get(type(command))
    if answer is None:
        raise Refused(_not_here(conflict, command))
    events = answer(situation, command)
    luck.finish()
    return events


def _anytime(table: Table, conflict: OpenConflict | None, command: Command) -> Decision | None:
    """The decision of the one system that answers this without a conflict of its own.

    Of several, that of a system somebody has played at this table, and where the verb names who, one that
    has their sheet. A verb that the table knows too goes to a system only where no conflict is open.
    """
    if conflict is not None and type(command) in DECIDE:
        return None
    able = [system for system in SYSTEMS.values() if type(command) in system.anytime]
    played = [system for system in able if system.name in table.shelves]
    who: int | None = getattr(command, "who", None)
    meant = [system for system in played if who is None or system.knows(table, who)]
    fallback = () if type(command) in DECIDE else (*played, *able)
    return next((system.anytime[type(command)] for system in (*meant, *fallback)), None)


def _conflict_meant(table: Table, command: Command) -> OpenConflict | None:
    if command.conflict is None:
        return table.in_play()
    meant = table.conflicts.get(command.conflict)
    if meant is None:
        raise Refused("That conflict is over.")
    return meant


def _not_here(conflict: OpenConflict | None, command: Command) -> str:
    homes = [
        system.title
        for system in SYSTEMS.values()
        if type(command) in system.commands or type(command) in system.decide
    ]
    home = " and ".join(homes) or "no system yet"
    if conflict is None:
        return f"No conflict is open, and {command.verb} belongs to one ({home})."
    return f"{SYSTEMS[conflict.system].title} has no {command.verb}; it belongs to {home}."


def _all_handlers() -> Mapping[type[Event], tuple[Handler, ...]]:
    """For each kind: the table's handler, then the systems' that hear it whatever conflict is open."""
    handlers: dict[type[Event], list[Handler]] = {kind: [handler] for kind, handler in EVOLVE.items()}
    for system in SYSTEMS.values():
        for kind, handler in system.evolve.items():
            if kind in system.events or kind in UNBOUND:
                handlers.setdefault(kind, []).append(handler)
    return {kind: tuple(found) for kind, found in handlers.items()}


UNBOUND = frozenset(
    {
        *(e.SheetChanged, e.PlayerSeated, e.SessionOpened, e.SessionClosed, e.CastIntroduced, e.OptionSet),
        *(e.CompelOffered, e.CompelAccepted, e.CompelRefused),
    }
)
"""Shared events that belong to no conflict: every system that has a handler for one hears it."""

_HANDLERS = _all_handlers()
_OF_A_CONFLICT = frozenset(kind for kind in _HANDLERS if "conflict" in kind.model_fields)
"""Asking an event for a field it has not costs more than all the rest of `evolve`."""
_SHARED_OF: Mapping[str, Mapping[type[Event], Handler]] = {
    system.name: {
        kind: handler
        for kind, handler in system.evolve.items()
        if kind not in system.events and kind not in UNBOUND
    }
    for system in SYSTEMS.values()
}
