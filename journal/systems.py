"""The games (systems) by name, built-in ones and installed guests; each is loaded at its first use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from importlib import import_module
from typing import Final, NoReturn, TypeVar

from msgspec.structs import replace

from retold.journal import games
from retold.journal.games import BUILT_IN, Guest
from retold.journal.guarding import guarded
from retold.journal.packages import problem
from retold.journal.refused import NotHere, Refused
from retold.journal.system import HEARD, System
from retold.journal.table import Table
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary.base import Command, fields_of, stored_name
from retold.journal.vocabulary.commands import LINE_VERBS, SHARED, extended
from retold.journal.vocabulary.events import ConflictEnded
from retold.journal.vocabulary.sealing import DeclareSealed

_PART_OF_PLAY: Final[tuple[type[Command], ...]] = (
    *(c.Rule, c.Declare, c.Narrate, c.Overrule, c.Compel, c.Concede, c.Accept, c.Refuse, c.Clear),
    *(c.Draw, c.Roll, c.Shuffle),
)
"""Commands a missing game must refuse in its conflict; notes and scenes belong to the table."""


def missing_game(name: str, why: str) -> System:
    """Returns a stand-in for a game that is not installed; it refuses commands with the sentence `why`."""

    def refuse(*_: object) -> NoReturn:
        raise NotHere(why)

    return System(
        name=name,
        title=name,
        about="a game that cannot be played here",
        commands=(),
        events=(),
        decide=dict.fromkeys(_PART_OF_PLAY, refuse),
        evolve={},
        shelf=object,
        read_sheet=refuse,
        open=refuse,
        close=refuse,
        join=refuse,
        leave=refuse,
        answer=refuse,
        set_number=refuse,
        turn=lambda _table, _conflict: games.absence(name),
    )


D = TypeVar("D")


class _Systems(Mapping[str, System]):
    """Mapping of game names to games; a lookup loads one game, iterating over the values loads all.

    Guests from other packages follow the built-in games. An unknown name is not a member, but looking it up
    returns a stand-in whose refusals say how to install the game: recorded events stay readable.
    """

    def __init__(self) -> None:
        self._loaded: dict[str, System] = {}

    def __getitem__(self, name: str) -> System:
        if name in self._loaded:
            return self._loaded[name]
        if not self.has(name):  # loads a guest
            return missing_game(name, games.why_missing(name))
        return self._loaded[name] if name in self._loaded else self._load(name)

    def get(self, name: str, default: D | None = None) -> System | D | None:  # type: ignore[override]
        """Returns the installed game with that name, else `default`."""
        return self[name] if name in self else default  # noqa: SIM401 -- this is what get is

    def has(self, name: str) -> bool:
        """True if the game is installed; otherwise adds the name to `games.MISSING`."""
        if name not in self:
            games.MISSING.add(name)
        return name in self

    def __contains__(self, name: object) -> bool:
        if name in BUILT_IN or name in self._loaded:
            return True
        guest = games.guest(name) if isinstance(name, str) and name not in games.TROUBLES else None
        return guest is not None and self._welcome(guest)

    def __iter__(self) -> Iterator[str]:
        yield from BUILT_IN
        yield from (name for name in sorted(games.guests()) if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def understood(self, name: str, table: Table) -> System:
        """Returns the game; one that is not understood at `table` refuses all play, as a missing one does."""
        system, fault = self[name], table.faults.get(name)
        if fault is None:
            return system
        return replace(system, decide={**missing_game(name, fault).decide, **system.decide})

    def among(self, names: Collection[str | None]) -> list[System]:
        """Returns the installed games among `names`, built-in ones first, without loading other games."""
        guests = sorted(name for name in names if name is not None and name not in BUILT_IN and name in self)
        return [self[name] for name in (*filter(names.__contains__, BUILT_IN), *guests)]

    def loaded_first(self) -> Iterator[str]:
        """Yields the names of all games: loaded built-in games, other built-in games, guests."""
        yield from sorted(BUILT_IN, key=lambda name: name not in self._loaded)
        yield from (name for name in self if name not in BUILT_IN)

    def trouble(self, name: str) -> str | None:
        """Returns a sentence why an installed guest game cannot be used; None for any other name."""
        return None if name in self else games.TROUBLES.get(name)

    def troubles(self) -> tuple[str, ...]:
        """Returns a sentence for each guest game that cannot be played."""
        of_guests = (self.trouble(name) for name in sorted(games.guests()))
        return (*games.rejected_guests(), *(why for why in of_guests if why is not None))

    def _load(self, name: str) -> System:
        system: System = import_module(f"{games.PACKAGE}.{name}.system").SYSTEM
        self._loaded[name] = system
        return system

    def _welcome(self, guest: Guest) -> bool:
        """Loads and checks a guest game, and returns True; on failure stores the reason and returns False."""
        try:
            system = import_module(guest.package).SYSTEM
            _check(guest, system)
            self._loaded[guest.name] = guarded(guest, system)
        except Refused as refusal:
            games.TROUBLES[guest.name] = refusal.sentence
        except (Exception, SystemExit) as error:  # noqa: BLE001 -- a guest's error must not stop the table
            games.TROUBLES[guest.name] = (
                f"The game {guest.name} of {guest.distribution} cannot be loaded:"
                f" {problem(error, guest.package)}. Install {guest.distribution.partition(' ')[0]} again,"
                " or a version that fits this Retold."
            )
        return guest.name in self._loaded


def _check(guest: Guest, system: object) -> None:
    """Raises Refused for a guest game with a mistake in its definition; the sentence is for its author."""
    if not isinstance(system, System) or system.name != guest.name:
        raise Refused(f"{guest.distribution} has no system called {guest.name}: its game is not played.")
    mistakes = (_mistaken_kinds, _mistaken_versions, _mistaken_handlers, _mistaken_verbs)
    for mistake in (mistake for check in mistakes for mistake in check(system)):
        raise Refused(f"{guest.distribution} {mistake}: its game {guest.name} is not played.")


def _mistaken_kinds(system: System) -> Iterator[str]:
    for event in system.events:
        if event.kind.partition(".")[0] != system.name:
            yield f"has a kind {event.kind}, which does not begin with {system.name}"
        for field in sorted(event.public.difference(fields_of(event))):
            yield f"shows a field {field} of {event.kind} (public), which is not a field of it"
    seals = any(issubclass(command, DeclareSealed) for command in system.commands)
    if seals and not any(event.public for event in system.events):
        yield "seals choices (--sealed), and none of its kinds says what may be shown of them (public)"


def _mistaken_versions(system: System) -> Iterator[str]:
    """Yields a sentence for each earlier version of a kind that no chain of upcasts leads to today's."""
    today = {stored_name(event, event.version) for event in system.events}
    for stored, change in system.upcasts.items():
        if stored in today or stored.endswith("@1") or stored.partition(".")[0] != system.name:
            yield (
                f"has an upcast from {stored} (upcasts), under which nothing older is stored: version 1 of"
                " a kind is stored under its name alone, version 2 with @2 behind it"
            )
        elif not _is_pair(change):
            yield f"has an upcast from {stored} (upcasts) that is not a pair of a stored name and a function"
    for event in system.events:
        for version in range(1, event.version):
            stored = stored_name(event, version)
            seen: set[str] = set()
            while stored in system.upcasts and stored not in seen:
                seen.add(stored)
                stored = system.upcasts[stored][0]
            if stored not in today:
                yield (
                    f"has version {event.version} of {event.kind}, and no upcast leads there from version"
                    f" {version}: the upcast from {stored} is missing (upcasts)"
                )


def _is_pair(change: object) -> bool:
    """True for an upcast, which nothing has checked yet: a stored name and a function."""
    match change:
        case (_, made):
            return isinstance(change, tuple) and callable(made)
    return False


def _mistaken_handlers(system: System) -> Iterator[str]:
    for event in system.events:
        if event not in system.evolve:
            yield f"has no handler for {event.kind} (evolve)"
    for event in system.evolve:
        if event is ConflictEnded:
            yield (
                "handles ConflictEnded (evolve), which never reaches it, since the state of an ended conflict"
                " is gone; return events from close instead"
            )
        elif event not in system.events and event not in HEARD:
            yield f"handles {event.kind} (evolve), which no game hears"


def _mistaken_verbs(system: System) -> Iterator[str]:
    known = {word for command in (*SHARED, *LINE_VERBS) for word in (command.verb, *command.short)}
    for command in system.commands:
        shared = extended(command)
        theirs = () if shared is None else (shared.verb, *shared.short)
        for word in (command.verb, *command.short):
            if word not in theirs and word in known | games.NO_VERBS:
                what = "verb already" if word in known else "word of the command line"
                yield f"says {word} anew, which is a {what}"
        if shared is None and command not in {*system.decide, *system.anytime}:
            yield f"has a verb {command.verb}, which it does not decide"
    for command in (*system.decide, *system.anytime):
        if command not in {*SHARED, *system.commands}:
            yield f"decides {command.__name__}, which is not among its commands"


SYSTEMS = _Systems()
"""Every system by its name."""
