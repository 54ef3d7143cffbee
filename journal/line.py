"""Folding the events of a branch into a table state, and deciding which events a command causes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from retold.journal import names
from retold.journal.copying import copied
from retold.journal.decks import dice
from retold.journal.decks.chance import Luck, Provenance, TooFew, source_of
from retold.journal.guarding import GuestError, fault_of, stop_understanding
from retold.journal.hiding import audiences, revealed_by, seal_results
from retold.journal.refused import Refused
from retold.journal.shared import DECIDE
from retold.journal.shared.conflicts import likely_sides
from retold.journal.shared.dice import understood
from retold.journal.system import UNBOUND, Decision, Situation, System
from retold.journal.systems import SYSTEMS
from retold.journal.table import EVOLVE, Handler, OpenConflict, Table, no_change
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import (
    LIMIT,
    Command,
    Event,
    InvalidShape,
    OfSeveral,
    fields_of,
    validated,
    values_of,
)
from retold.journal.vocabulary.commands import Accept, Refuse, extended
from retold.journal.winners import winners_so_far

if TYPE_CHECKING:
    from retold.journal.state_copies import StateCopies


class LiveEvent(NamedTuple):
    """Recorded event, not undone, with its event position on the branch (from 1) and its audience.

    `luck` gives the provenance of each random result.
    """

    position: int
    event: Event
    luck: tuple[Provenance, ...] = ()
    visible_to: VisibleTo = TABLE
    """Audience at the time of recording."""


def evolve(table: Table, live: LiveEvent) -> None:
    """Applies one event to `table`: by the shared handler, then by the handlers of the games concerned.

    The secrecy of a hidden event is stored in the table as well.
    """
    event = live.event
    table.position = live.position
    kind = type(event)
    if live.visible_to != TABLE:
        table.hide(live.position, event, live.visible_to)
        if kind is e.TotalReached:  # a total behind the screen does not answer an open throw
            _count_dealt(table, event, live.luck, behind_screen=True)
            table.open_goal = None
            return
    handlers, of_a_conflict = _handlers_of(kind)
    for handler in handlers:
        handler(table, event)
    # `getattr` with a default is slow on events without the field: slower than the rest of this function.
    conflict: int | None = getattr(event, "conflict") if of_a_conflict else None  # noqa: B009
    if conflict is not None and conflict in table.conflicts:
        table.addressed = conflict
        handler_of_system = _hears_in_conflict(table.conflicts[conflict].system).get(kind)
        if handler_of_system is not None:
            handler_of_system(table, event)
    if live.luck:
        _count_dealt(table, event, live.luck, behind_screen=_is_behind_screen(table, live))


def evolve_recorded(table: Table, live: LiveEvent) -> None:
    """Applies a recorded event as `evolve` does; a guest that fails on it is not understood from here on."""
    try:
        evolve(table, live)
    except GuestError as error:
        stop_understanding(table, error.game, error.sentence)


def game_changed(table: Table, event: Event) -> str | None:
    """Returns the game whose state alone `event` can have changed; None if several games, or none, could.

    `table` is the state after the event.
    """
    kind = type(event)
    game = _game_of(kind)
    if game is not None or kind in UNBOUND or not _handlers_of(kind).of_a_conflict:
        return game
    conflict = table.conflicts.get(getattr(event, "conflict"))  # noqa: B009 -- only some classes
    return None if conflict is None else conflict.system


@cache
def _game_of(kind: type[Event]) -> str | None:
    """Returns the name of the game that defines this kind of event; None for kinds shared by all games."""
    game = kind.kind.partition(".")[0]
    return game if game in SYSTEMS else None


def deals_behind_screen(table: Table, command: Command, visible_to: VisibleTo) -> bool:
    """True if a command's dice or cards are hidden: by `--gm` or `--to`, or by a still secret person."""
    who = getattr(command, "who", None)
    is_secret = isinstance(who, int) and not command.acting and table.secret(who) is not None
    return visible_to != TABLE or is_secret


def _is_behind_screen(table: Table, live: LiveEvent) -> bool:
    who = getattr(live.event, "who", None)
    return live.visible_to != TABLE or (isinstance(who, int) and table.secret(who) is not None)


def fold(lives: Iterable[LiveEvent], table: Table | None = None) -> Table:
    """Applies all events to `table` in place, or to a new table state, and returns it."""
    table = Table() if table is None else table
    for live in lives:
        evolve(table, live)
    return table


def _count_dealt(
    table: Table, event: Event, luck: tuple[Provenance, ...], *, behind_screen: bool = False
) -> None:
    """Adds the dealt results of `event` to `table.dealt`, a count per die or deck for seeded dealing.

    Rule: `docs/record.md`, Chance, where the count is called n.
    """
    for source, provenance in zip(sources(event), luck, strict=True):
        if provenance is Provenance.DEALT:
            source = source_of(source, behind_screen=behind_screen)  # noqa: PLW2901 -- the same source by its full name
            table.dealt[source] = table.dealt.get(source, 0) + 1


def sources(event: Event) -> tuple[str, ...]:
    """Returns the die or deck behind each random result of `event`, in order: `d6`, `d6`, `d8`.

    Empty for an event without random results.
    """
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
    copies: StateCopies | None = None,
    visible_to: VisibleTo = TABLE,
) -> list[Event]:
    """Returns the events that `command` causes in the state `table`, which is left unchanged.

    `visible_to` is the audience the user asked for. Pass the same `copies` (new at first) to speed up many
    decisions on one state. Raises `Refused` with a sentence for the user.
    """
    try:
        return _decide(table, command, luck, copies, visible_to)
    except InvalidShape as error:
        if error.too_large:
            raise Refused(
                f"This comes to too large a number: the record keeps up to {LIMIT}. Say a smaller one."
            ) from None
        raise
    except Refused:
        raise
    except Exception as error:
        if (fault := fault_of(error)) is not None:
            raise fault from error
        raise


def _decide(
    table: Table, command: Command, luck: Luck, copies: StateCopies | None, visible_to: VisibleTo
) -> list[Event]:
    if isinstance(command, OfSeveral) and any(getattr(command, name) for name in command.further.values()):
        events = _decide_for_each(table, command, luck, visible_to)
    else:
        events = _decide_one(table, command, luck, copies, visible_to)
    try:
        luck.finish()
    except Refused as refused:
        raise Refused(" ".join(filter(None, (refused.sentence, understood(command))))) from None
    return events


def _decide_for_each(table: Table, command: OfSeveral, luck: Luck, visible_to: VisibleTo) -> list[Event]:
    """Returns the events of a command for several people, decided person by person.

    Each decision sees the table state after the events of the people before. The events of a secret person
    are as hidden as that person, with any others named.
    """
    _check_named(table, command)
    events: list[Event] = []
    here, by_totals = copied(table), luck.total_called
    took: list[str] = []
    every = _text_for_known(table, _speakers(table, command))
    for place, alone in enumerate(every, start=1):
        before = len(luck.taken)
        luck.behind_screen = deals_behind_screen(here, alone, visible_to)
        luck.others_follow = place < len(every)
        if by_totals and luck.rest() and not luck.total_called and command.totals_alone:
            luck.one_total_for_all()
        if by_totals and luck.rest() and not luck.total_called:
            raise Refused("Type total before each person's total: = total 14 total 9.")
        try:
            came = _decide_one(here, alone, luck, None, visible_to)
        except TooFew:
            already = f" ({', '.join(took)})" if took else ""
            raise TooFew(
                f"Too few results stand after = for {_name_in(here, command, alone)}:"
                f" each person named needs theirs{already}."
            ) from None
        for event, audience in zip(came, audiences(here, alone, came, visible_to), strict=True):
            evolve(here, LiveEvent(here.position + 1, event, visible_to=audience))
        events += came
        if own := [used.result for used in luck.taken[before:]]:
            took.append(f"{_name_in(here, command, alone)} took {' '.join(own)}")
    return events


def _speakers(table: Table, command: OfSeveral) -> Sequence[OfSeveral]:
    """Returns one command per person named; of an answer to a concession one per side that is to answer."""
    every = command.each()
    conflict = _conflict_meant(table, command)
    offer = None if conflict is None or not isinstance(command, Accept | Refuse) else conflict.concession
    if conflict is None or offer is None:
        return every
    sides: dict[int, OfSeveral] = {}
    for alone in every:
        who = getattr(alone, alone.several)
        side = conflict.side_of(who) if isinstance(who, int) else None
        if side is not None and side != conflict.side_of(offer.whose):
            sides.setdefault(side, alone)
    return [*sides.values()] or every


def _name_in(table: Table, command: OfSeveral, alone: Command) -> str:
    """Name of the one person that `alone`, a single-person part of `command`, is about."""
    who = getattr(alone, command.several)
    return table.name(who) if isinstance(who, int) else str(who)


def _check_named(table: Table, command: OfSeveral) -> None:
    """Raises Refused if a command names a person twice."""
    seen: set[int | str] = set()
    for who in command.named():
        name = table.name(who) if isinstance(who, int) else str(who or "")
        key = who if isinstance(who, int) else names.normalise(name)
        if key in seen:
            raise Refused(f"{name} is on this line twice: name each person once.")
        seen.add(key)


def _text_for_known(table: Table, every: Sequence[OfSeveral]) -> list[OfSeveral]:
    """Returns the commands, with the text of the first person moved to the first public one.

    So a text about several people is told to the table, and says nothing of those it does not know.
    """
    first, *others = every
    known = next((place for place, alone in enumerate(every) if not _is_secret(table, alone)), 0)
    text = getattr(first, "text", None)
    if known == 0 or text is None or any(getattr(alone, "text", None) is not None for alone in others):
        return [*every]
    moved = {0: None, known: text}
    return [
        alone.but({"text": moved[place]}) if place in moved else alone for place, alone in enumerate(every)
    ]


def _is_secret(table: Table, alone: OfSeveral) -> bool:
    who = getattr(alone, alone.several)
    return isinstance(who, int) and table.secret(who) is not None


def _decide_one(
    table: Table, command: Command, luck: Luck, copies: StateCopies | None, visible_to: VisibleTo
) -> list[Event]:
    situation = Situation(table, luck, SYSTEMS, _conflict_meant(table, command), copies, visible_to)
    conflict = situation.conflict
    here = None if conflict is None else SYSTEMS.understood(conflict.system, table)
    if here is not None and (answer := _decision_for(here.decide, here.takes(type(command)))):
        command = _in_own_form(here, command)
    elif home := _system_outside_conflicts(table, conflict, command):
        command = _in_own_form(home, command)
        answer = _decision_for(home.anytime, type(command))
    else:
        answer = _decision_for(DECIDE, type(command))
    if answer is None:
        raise Refused(_wrong_place(table, conflict, command))
    events = [validated(event) for event in answer(situation, command)]
    return [*revealed_by(table, command, events, visible_to), *events, *seal_results(events, visible_to)]


def _decision_for(decide: Mapping[type[Command], Decision], wish: type[Command]) -> Decision | None:
    """Returns the decision function for a command class or for the shared class it extends, or None."""
    return decide.get(wish) or decide.get(extended(wish) or wish)


def _in_own_form(system: System, command: Command) -> Command:
    """Returns the command converted to the game's own class for the same verb, if it has one.

    Raises Refused if the fields do not fit that class.
    """
    own = system.takes(type(command))
    if own is type(command):
        return command
    unsaid = fields_of(type(command))
    said = {name: value for name, value in values_of(command).items() if value != unsaid[name]}
    try:
        return own.of(said)
    except InvalidShape:
        raise Refused(f"In {system.title} this is said otherwise, such as: {own.example}") from None


def _system_outside_conflicts(table: Table, conflict: OpenConflict | None, command: Command) -> System | None:
    """Returns the game that decides this command outside its own conflicts; None if there is none.

    Games played at this table come first; if the command has a `who`, of these only games with a sheet of
    that person. A shared verb goes to a game only while no conflict is open.
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


def _wrong_place(table: Table, conflict: OpenConflict | None, command: Command) -> str:
    homes = {
        name: system.title
        for name, system in SYSTEMS.items()
        if command.verb in system.says or _decision_for(system.decide, type(command))
    }
    home = " and ".join(homes.values()) or "no system yet"
    played = [SYSTEMS[name].called(table) for name in sorted(table.games()) if name in SYSTEMS]
    if conflict is None and played and not table.games() & homes.keys():
        here = " or ".join(played)
        return f"There is no {command.verb} in {here}; it belongs to {home}. What may be said now: can."
    if conflict is None:
        sides = likely_sides(table)
        first = "" if sides is None else f" To open one: conflict {sides}."
        return f"No conflict is open, and {command.verb} belongs to one ({home}).{first}"
    return f"{SYSTEMS[conflict.system].called(table)} has no {command.verb}; it belongs to {home}."


class _Handlers(NamedTuple):
    """Handlers called for every event of a kind; `of_a_conflict`: the kind has a field `conflict`."""

    handlers: tuple[Handler, ...]
    of_a_conflict: bool


@cache
def _handlers_of(kind: type[Event]) -> _Handlers:
    """Returns the handlers to call for any event of this kind, except those that change nothing.

    A shared kind has the table's handler, a game's kind that game's own. Shared kinds without a conflict
    also go to every game in play.
    """
    if kind is e.Unheard:
        return _Handlers((_mark_game_unheard,), of_a_conflict=False)
    system = SYSTEMS.get(kind.kind.partition(".")[0])
    own = (EVOLVE if system is None else system.evolve)[kind]
    handlers = [] if own is no_change else [own]
    if kind is e.ConflictEnded:
        handlers.insert(0, _note_winners)
    if kind in UNBOUND:
        handlers.append(_apply_in_systems)
    return _Handlers(tuple(handlers), "conflict" in kind.__struct_fields__)


def _mark_game_unheard(table: Table, event: e.Unheard) -> None:
    if event.why is not None:
        stop_understanding(table, event.game, event.why)
    table.shelves.setdefault(event.game, None)


def _note_winners(table: Table, event: e.ConflictEnded) -> None:
    """Stores in a conflict about to end who has won by the rules of its game, while its state is there."""
    conflict = table.conflicts.get(event.conflict)
    if conflict is not None and event.winner is None and event.how != "stalemate":
        conflict.winners = winners_so_far(conflict)


def _apply_in_systems(table: Table, event: Event) -> None:
    """Passes a shared event to the games in play, and to the game in its field `system`."""
    for system in systems_in_play(table, getattr(event, "system", None)):
        handler = system.evolve.get(type(event))
        if handler is not None:
            handler(table, event)


def systems_in_play(table: Table, named: str | None = None) -> list[System]:
    """Returns the games with a state or an open conflict in `table`, and the game `named` if it is installed.

    No other game is loaded, as `table` holds nothing of it.
    """
    return SYSTEMS.among({*table.games(), named})


@cache
def _hears_in_conflict(name: str) -> Mapping[type[Event], Handler]:
    """Returns the handlers that game `name` has for shared events within its own conflicts. Cached."""
    system = SYSTEMS[name]
    return {
        kind: handler
        for kind, handler in system.evolve.items()
        if kind not in system.events and kind not in UNBOUND
    }
