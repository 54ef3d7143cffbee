"""Event and command classes by the names under which they are stored, and conversion of old stored events."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar, get_args

from retold.journal.games import BUILT_IN
from retold.journal.guarding import GuestError, unread
from retold.journal.packages import note
from retold.journal.system import System, Upcast
from retold.journal.systems import SYSTEMS
from retold.journal.vocabulary import commands, drafts, events
from retold.journal.vocabulary.base import (
    NEEDED,
    Command,
    Event,
    Frozen,
    Part,
    fields_of,
    stored_name,
    types_of,
)

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """Mapping of names to event or command classes, shared ones and each game's.

    A game is loaded when a name may be one of its names.
    """

    def __init__(
        self,
        shared: Iterable[tuple[str, T]],
        brought: Callable[[System], Iterable[tuple[str, T]]],
        homes: Callable[[str], Iterable[str]],
    ) -> None:
        """Builds the mapping from `shared`, (name, class) pairs, and the games.

        `brought` returns a game's (name, class) pairs; `homes` the games that may have a given name.
        """
        self._shared = dict(shared)
        self._known = dict(self._shared)
        self._brought = brought
        self._homes = homes

    def __getitem__(self, name: str) -> T:
        if name in self._known:
            return self._known[name]
        for home in self._homes(name):
            self._known.update(self._brought(SYSTEMS[home]))
            if name in self._known:
                return self._known[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        brought = (name for system in SYSTEMS.values() for name, _ in self._brought(system))
        yield from dict.fromkeys((*self._shared, *brought))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def topic(kind: type[Event]) -> str:
    """Returns the stored name of an event class: `table.said`, and from version 2 on `table.said@2`."""
    return stored_name(kind, kind.version)


def _home(stored: str) -> tuple[str, ...]:
    """Returns the game that a stored name begins with, in a tuple; an empty tuple if it is not installed."""
    name = stored.partition(".")[0]
    return (name,) if name in SYSTEMS else ()


EVENTS: Mapping[str, type[Event]] = Registry(
    ((topic(kind), kind) for kind in events.SHARED),
    lambda system: ((topic(kind), kind) for kind in system.events),
    _home,
)
"""Event classes by stored name."""

DRAFT_EVENTS: Mapping[str, type[Event]] = {topic(kind): kind for kind in drafts.DRAFT_EVENTS}
"""Event classes of drafts by stored name; they are in the streams of drafts, and on no line."""


def stored_class(stored: str) -> type[Event] | None:
    """Returns the event class with exactly that stored name, of lines or drafts; None if there is none."""
    return DRAFT_EVENTS.get(stored) or EVENTS.get(stored)


COMMANDS: Mapping[str, type[Command]] = Registry(
    ((command.verb, command) for command in (*commands.SHARED, *commands.LINE_VERBS)),
    lambda system: ((command.verb, command) for command in system.commands),
    lambda _verb: SYSTEMS.loaded_first(),
)
"""Command classes by verb; if several share a verb, the table's own comes first."""


def commands_stored_as(verb: str, games: Collection[str] = ()) -> Iterator[type[Command]]:
    """Yields the command classes stored under `verb`: shared ones, those of `games`, other games'.

    Other games' commands are left out if any of `games` is not installed: in that game, the same verb may
    mean something else.
    """
    shared = [command for command in (*commands.SHARED, *commands.LINE_VERBS) if command.verb == verb]
    first = SYSTEMS.among(games)
    others = () if games_missing(games) else (SYSTEMS[name] for name in SYSTEMS.loaded_first())
    yield from shared
    yield from (system.says[verb] for system in first if verb in system.says)
    yield from (system.says[verb] for system in others if verb in system.says and system not in first)


UPCASTS: Mapping[str, Upcast] = {}
"""Old stored names with the next name and the payload's change; none of Retold's own are old yet."""


def game_missing(stored: str) -> str | None:
    """Returns the game in a stored name (`bruise` in `bruise.hand-won`) if that game is not installed.

    Returns None for an installed game, and for kinds shared by every game.
    """
    game = stored.partition(".")[0]
    return None if game == "table" or SYSTEMS.has(game) else game


def games_missing(games: Iterable[str]) -> list[str]:
    """Returns the sorted names in `games` of games that are not installed."""
    return sorted(game for game in games if game != "table" and not SYSTEMS.has(game))


def upcast(stored: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns a stored event's name and payload, both converted from an old version to the current one.

    If a guest's upcast fails, its error is noted, and the event stays as it is stored: its kind is unknown.
    """
    name, today = stored, payload
    try:
        while (change := upcast_of(name)) is not None:
            name, today = change[0], change[1](today)
    except GuestError as error:
        misread(stored, error)
        return stored, payload
    return name, today


_MISREAD: Final[dict[str, GuestError]] = {}
"""Stored names that a guest could not convert in this process, each with the last error."""


def misread(stored: str, error: GuestError) -> None:
    """Notes that a guest cannot convert an event with this stored name."""
    _MISREAD[stored] = error
    note(error)


def why_unread(stored: str, position: int | None) -> str | None:
    """Returns a sentence why an installed guest cannot read its recorded event; None for any other event.

    `position` is the event's; None for any event of the kind.
    """
    game = stored.partition(".")[0]
    if game in ("table", *BUILT_IN) or game not in SYSTEMS:
        return None
    if stored in _MISREAD:
        return _MISREAD[stored].sentence
    where = "" if position is None else f" (position {position})"
    return unread(game, f"does not know {stored}{where}: another release of it wrote that").sentence


def current(stored: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns a stored event's kind without version, and its payload converted to the current version.

    For example `table.said@2` becomes `table.said`. An unknown kind keeps its stored name.
    """
    stored, payload = upcast(stored, payload)
    kind = EVENTS.get(stored)
    return stored if kind is None else kind.kind, payload


@lru_cache(maxsize=1024)  # bounded, since a file may hold any stored name
def kind_of(stored: str) -> str:
    """Returns the kind behind a stored name of any version; an unknown stored name is returned unchanged."""
    while stored not in EVENTS and (change := upcast_of(stored)) is not None:
        stored = change[0]
    return EVENTS[stored].kind if stored in EVENTS else stored


@lru_cache(maxsize=1024)  # as above
def event_called(kind: str) -> type[Event] | None:
    """Returns the event class with that kind (a name without version); None if there is none."""
    system = SYSTEMS.get(kind.partition(".")[0])
    known = events.SHARED if system is None else system.events
    return next((event for event in known if event.kind == kind), None)


def event_of(stored: str) -> type[Event] | None:
    """Returns the event class for a stored name of any version; None if there is none."""
    return event_called(kind_of(stored))


def stored_names(kind: type[Event]) -> tuple[str, ...]:
    """Returns the names under which an event class is or was stored, the current version's first."""
    system = SYSTEMS.get(kind.kind.partition(".")[0])
    older = (*UPCASTS, *(() if system is None else system.upcasts))
    return (topic(kind), *(name for name in older if kind_of(name) == kind.kind and name not in EVENTS))


@lru_cache(maxsize=1024)  # bounded, since a file may hold any stored name
def upcast_of(stored: str) -> Upcast | None:
    """Returns the conversion of an old stored name: (next version's name, change of the payload).

    Returns None for a current or unknown name.
    """
    system = SYSTEMS.get(stored.partition(".")[0])
    return UPCASTS.get(stored) or (None if system is None else system.upcasts.get(stored))


def defaults_of(event: type[Event]) -> dict[str, Any]:
    """Returns the default of each field that an event's body may leave out, by name, sorted.

    A field of a part is named with the part: `cost.dangerous`. A field `text` counts too (None), since an
    event's numbers can be told without it.
    """
    text = {"text": None} if "text" in event.__struct_fields__ else {}
    return dict(sorted({**dict(_defaults(event, "")), **text}.items()))


def _defaults(model: type[Frozen], path: str) -> Iterator[tuple[str, Any]]:
    for name, annotation in types_of(model).items():
        default = fields_of(model)[name]
        if default is not NEEDED or type(None) in get_args(annotation):
            yield path + name, None if default is NEEDED else default
        for part in _parts_in(annotation):
            yield from _defaults(part, f"{path}{name}.")


def _parts_in(annotation: Any) -> Iterator[type[Part]]:  # noqa: ANN401 -- any annotation
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
    for argument in get_args(annotation):
        yield from _parts_in(argument)
