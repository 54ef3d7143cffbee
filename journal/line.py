"""A line as a fold: which events count, what they come to, and what a command would add to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from journal import names
from journal.copying import copied
from journal.decks import dice
from journal.decks.chance import Luck, Provenance, TooFew
from journal.hiding import audiences, revealed_by, seal_results
from journal.refused import Refused
from journal.shared import DECIDE
from journal.system import UNBOUND, Decision, Situation, System
from journal.systems import SYSTEMS
from journal.table import EVOLVE, Handler, OpenConflict, Table, no_change
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary import events as e
from journal.vocabulary.base import (
    LIMIT,
    Command,
    Event,
    InvalidShape,
    OfSeveral,
    fields_of,
    validated,
    values_of,
)
from journal.vocabulary.commands import extended

if TYPE_CHECKING:
    from journal.state_copies import StateCopies


class LiveEvent(NamedTuple):
    """An event on a line: its position (from 1), what happened, and where its luck came from."""

    position: int
    event: Event
    luck: tuple[Provenance, ...] = ()
    visible_to: VisibleTo = TABLE
    """Who might see it when it was recorded."""


def evolve(table: Table, live: LiveEvent) -> None:
    """Changes `table` by one live event: first for the table itself, then for the systems it touches."""
    event = live.event
    table.position = live.position
    kind = type(event)
    if live.visible_to != TABLE:
        table.hide(live.position, event, live.visible_to)
        if kind is e.TotalReached:  # no open throw waits for one behind the screen, nor is answered by it
            _count_dealt(table, event, live.luck, behind_screen=True)
            return
    handlers, of_a_conflict = _hearing(kind)
    for handler in handlers:
        handler(table, event)
    # Asking an event for a field it has not costs more than all the rest of this.
    conflict: int | None = getattr(event, "conflict") if of_a_conflict else None  # noqa: B009
    if conflict is not None and conflict in table.conflicts:
        table.addressed = conflict
        handler_of_system = _hears_in_conflict(table.conflicts[conflict].system).get(kind)
        if handler_of_system is not None:
            handler_of_system(table, event)
    if live.luck:
        _count_dealt(table, event, live.luck, behind_screen=_is_behind_screen(table, live))


def game_changed(table: Table, event: Event) -> str | None:
    """The only game whose shelf and conflicts an event has changed, if any; None where any may hear of it.

    `table` is the one after the event.
    """
    kind = type(event)
    game = _game_of(kind)
    if game is not None or kind in UNBOUND or not _hearing(kind).of_a_conflict:
        return game
    conflict = table.conflicts.get(getattr(event, "conflict"))  # noqa: B009 -- as above
    return None if conflict is None else conflict.system


@cache
def _game_of(kind: type[Event]) -> str | None:
    """The game whose own kind it is; None for what every table has."""
    game = kind.kind.partition(".")[0]
    return game if game in SYSTEMS else None


def deals_behind_screen(table: Table, command: Command, visible_to: VisibleTo) -> bool:
    """True for a line whose luck not everybody sees: it says so, or somebody secret does it and stays so."""
    who = getattr(command, "who", None)
    is_secret = isinstance(who, int) and not command.acting and table.secret(who) is not None
    return visible_to != TABLE or is_secret


def _is_behind_screen(table: Table, live: LiveEvent) -> bool:
    who = getattr(live.event, "who", None)
    return live.visible_to != TABLE or (isinstance(who, int) and table.secret(who) is not None)


def fold(lives: Iterable[LiveEvent], table: Table | None = None) -> Table:
    """What `lives` come to, from nothing or from `table`, which is changed and returned."""
    table = Table() if table is None else table
    for live in lives:
        evolve(table, live)
    return table


def _count_dealt(
    table: Table, event: Event, luck: tuple[Provenance, ...], *, behind_screen: bool = False
) -> None:
    """Counts what was dealt here, source by source: the `n` of seeded luck (`docs/record.md`, Chance)."""
    for source, provenance in zip(sources(event), luck, strict=True):
        if provenance is Provenance.DEALT:
            source = source_of(source, behind_screen=behind_screen)  # noqa: PLW2901 -- the same, in full
            table.dealt[source] = table.dealt.get(source, 0) + 1


def source_of(source: str, *, behind_screen: bool) -> str:
    """A deck or die as a seed deals from it: what is rolled in secret takes no result from an open roll."""
    return f"{source} behind the screen" if behind_screen else source


def sources(event: Event) -> tuple[str, ...]:
    """The deck or die behind each random value of `event`, in order."""
    if isinstance(event, e.CardsDrawn):
        return (event.deck,) * len(event.cards)
    if isinstance(event, e.DiceRolled):
        return tuple(dice.die_name(size) for size in dice.parse_sizes(event.dice))
    values = getattr(event, event.luck) if event.luck else ()
    return (event.kind,) * len(values)


def decide(
    table: Table,
    command: Command,
    luck: Luck,
    moulds: StateCopies | None = None,
    visible_to: VisibleTo = TABLE,
) -> list[Event]:
    """What `command`, said for `visible_to`, would add to a line that has come to `table`; changes nothing.

    Whoever asks for many commands at one table gives the same `moulds` each time, new ones at first.
    Raises `Refused` with a sentence for the person who asked.
    """
    try:
        return _decided(table, command, luck, moulds, visible_to)
    except InvalidShape as error:
        if error.too_large:
            raise Refused(
                f"This comes to too large a number: the record keeps up to {LIMIT}. Say a smaller one."
            ) from None
        raise


def _decided(
    table: Table, command: Command, luck: Luck, moulds: StateCopies | None, visible_to: VisibleTo
) -> list[Event]:
    if isinstance(command, OfSeveral) and any(getattr(command, name) for name in command.further.values()):
        events = _decided_for_each(table, command, luck, visible_to)
    else:
        events = _decided_alone(table, command, luck, moulds, visible_to)
    luck.finish()
    return events


def _decided_for_each(table: Table, command: OfSeveral, luck: Luck, visible_to: VisibleTo) -> list[Event]:
    """The events of a line that names several, each person's decided where the ones before have led."""
    _check_named(table, command, visible_to)
    events: list[Event] = []
    here, by_totals = copied(table), luck.total_called
    took: list[str] = []
    for place, alone in enumerate(every := command.each(), start=1):
        before = len(luck.taken)
        luck.others_follow = place < len(every)
        if by_totals and luck.rest() and not luck.total_called and command.totals_alone:
            luck.one_total_for_all()
        if by_totals and luck.rest() and not luck.total_called:
            raise Refused("Say total before the total of everybody named: = total 14 total 9.")
        try:
            came = _decided_alone(here, alone, luck, None, visible_to)
        except TooFew:
            already = f" ({', '.join(took)})" if took else ""
            raise TooFew(
                f"Too few results stand after = for {_name_in(here, command, alone)}:"
                f" everybody named needs theirs{already}."
            ) from None
        for event, audience in zip(came, audiences(here, alone, came, visible_to), strict=True):
            evolve(here, LiveEvent(here.position + 1, event, visible_to=audience))
        events += came
        if own := [one.result for one in luck.taken[before:]]:
            took.append(f"{_name_in(here, command, alone)} took {' '.join(own)}")
    return events


def _name_in(table: Table, command: OfSeveral, alone: Command) -> str:
    """The name of the one person that a part of a line is about."""
    who = getattr(alone, command.several)
    return table.name(who) if isinstance(who, int) else str(who)


def _check_named(table: Table, command: OfSeveral, visible_to: VisibleTo) -> None:
    """Refuses somebody named twice, and somebody secret beside somebody whom all know."""
    seen: set[int | str] = set()
    secret: dict[bool, str] = {}
    for who in command.named():
        name = table.name(who) if isinstance(who, int) else str(who or "")
        key = who if isinstance(who, int) else names.normalise(name)
        if key in seen:
            raise Refused(f"{name} stands on this line twice: name everybody once.")
        seen.add(key)
        hidden = visible_to != TABLE if not isinstance(who, int) else table.secret(who) is not None
        secret[hidden] = name
    if len(secret) > 1:
        raise Refused(
            f"Not everybody knows of {secret[True]}, and everybody knows {secret[False]}:"
            " they stand on lines of their own."
        )


def _decided_alone(
    table: Table, command: Command, luck: Luck, moulds: StateCopies | None, visible_to: VisibleTo
) -> list[Event]:
    situation = Situation(table, luck, SYSTEMS, _conflict_meant(table, command), moulds, visible_to)
    conflict = situation.conflict
    here = None if conflict is None else SYSTEMS[conflict.system]
    if here is not None and (answer := _answer(here.decide, here.takes(type(command)))):
        command = _as_said_in(here, command)
    elif home := _anytime(table, conflict, command):
        command = _as_said_in(home, command)
        answer = _answer(home.anytime, type(command))
    else:
        answer = _answer(DECIDE, type(command))
    if answer is None:
        raise Refused(_not_here(table, conflict, command))
    events = [validated(event) for event in answer(situation, command)]
    return [*revealed_by(table, command, events, visible_to), *events, *seal_results(events, visible_to)]


def _answer(decide: Mapping[type[Command], Decision], wish: type[Command]) -> Decision | None:
    """The decision of a command, or of the shared one that some game says so."""
    return decide.get(wish) or decide.get(extended(wish) or wish)


def _as_said_in(system: System, command: Command) -> Command:
    """The command in this game's form of its verb; Refused for what only another game says with it."""
    own = system.takes(type(command))
    if own is type(command):
        return command
    try:
        return own.of(_said(command))
    except InvalidShape:
        raise Refused(f"In {system.title} this is said otherwise, such as: {own.example}") from None


def _said(command: Command) -> Mapping[str, object]:
    """The fields of a command that are not as they are where nothing is said."""
    unsaid = fields_of(type(command))
    return {name: value for name, value in values_of(command).items() if value != unsaid[name]}


def _anytime(table: Table, conflict: OpenConflict | None, command: Command) -> System | None:
    """The one system that answers this without a conflict of its own.

    Of several, that of a system somebody has played at this table, and where the verb names who, one that
    has their sheet. A verb that the table knows too goes to a system only where no conflict is open.
    """
    wish = type(command)
    shared = (extended(wish) or wish) in DECIDE
    if conflict is not None and shared:
        return None
    able = [system for system in SYSTEMS.among(table.shelves) if system.takes(wish) in system.anytime]
    who = getattr(command, "who", None)
    meant = [system for system in able if not isinstance(who, int) or system.knows(table, who)]
    if not meant and not shared:
        meant = able or [system for system in SYSTEMS.values() if system.takes(wish) in system.anytime]
    return meant[0] if meant else None


def _conflict_meant(table: Table, command: Command) -> OpenConflict | None:
    if command.conflict is None:
        return table.in_play()
    meant = table.conflicts.get(command.conflict)
    if meant is None:
        raise Refused("That conflict is over.")
    return meant


def _not_here(table: Table, conflict: OpenConflict | None, command: Command) -> str:
    homes = {
        name: system.title
        for name, system in SYSTEMS.items()
        if command.verb in system.says or _answer(system.decide, type(command))
    }
    home = " and ".join(homes.values()) or "no system yet"
    played = [SYSTEMS[name].title for name in sorted(table.games()) if name in SYSTEMS]
    if conflict is None and played and not table.games() & homes.keys():
        here = " or ".join(played)
        return f"There is no {command.verb} in {here}; it belongs to {home}. What may be said now: can."
    if conflict is None:
        return f"No conflict is open, and {command.verb} belongs to one ({home})."
    return f"{SYSTEMS[conflict.system].title} has no {command.verb}; it belongs to {home}."


class _Hearing(NamedTuple):
    """Who hears the events of a kind whatever conflict is open, and whether it may belong to one."""

    handlers: tuple[Handler, ...]
    of_a_conflict: bool


@cache
def _hearing(kind: type[Event]) -> _Hearing:
    """The table, where it has a handler, and then the system whose kind it is, or all that are in play.

    What changes nothing hears of nothing.
    """
    if kind is e.Unheard:
        return _Hearing((_unheard,), of_a_conflict=False)
    system = SYSTEMS.get(kind.kind.partition(".")[0])
    handlers = [one for one in ((EVOLVE if system is None else system.evolve)[kind],) if one is not no_change]
    if kind in UNBOUND:
        handlers.append(_tell_systems)
    return _Hearing(tuple(handlers), "conflict" in fields_of(kind))


def _unheard(table: Table, event: e.Unheard) -> None:
    table.shelves.setdefault(event.game, None)


def _tell_systems(table: Table, event: Event) -> None:
    """Lets the systems in play, and the one that the event names, hear of it."""
    for system in systems_in_play(table, getattr(event, "system", None)):
        handler = system.evolve.get(type(event))
        if handler is not None:
            handler(table, event)


def systems_in_play(table: Table, named: str | None = None) -> list[System]:
    """The systems that have a shelf or an open conflict at this table, and the one `named`, if it is ours.

    All that a table means to any other is nothing, so those are not even loaded.
    """
    return SYSTEMS.among({*table.games(), named})


@cache
def _hears_in_conflict(name: str) -> Mapping[type[Event], Handler]:
    """The shared events that a system hears of in its own conflicts only."""
    system = SYSTEMS[name]
    return {
        kind: handler
        for kind, handler in system.evolve.items()
        if kind not in system.events and kind not in UNBOUND
    }
