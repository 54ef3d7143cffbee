"""Registry of the event kinds and commands of a record, and the upcasts of old kinds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar, get_args

from journal.system import System, Upcast
from journal.systems import SYSTEMS
from journal.vocabulary import commands, events
from journal.vocabulary.base import NEEDED, Command, Event, Frozen, Part, fields_of, types_of

T = TypeVar("T")


class Registry(Mapping[str, T], Generic[T]):
    """A mapping of names to shared entries and those of the systems; loads a system when it is needed."""

    def __init__(
        self,
        shared: Iterable[tuple[str, T]],
        brought: Callable[[System], Iterable[tuple[str, T]]],
        homes: Callable[[str], Iterable[str]],
    ) -> None:
        """`brought` lists a system's entries by name; `homes` the systems that may have a given name."""
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
    """Returns the stored name of an event class: its kind, with `@2` and so on from version 2."""
    return kind.kind if kind.version == 1 else f"{kind.kind}@{kind.version}"


def _home(stored: str) -> tuple[str, ...]:
    """Returns the system that a stored name begins with, if it is installed."""
    name = stored.partition(".")[0]
    return (name,) if name in SYSTEMS else ()


EVENTS: Mapping[str, type[Event]] = Registry(
    ((topic(kind), kind) for kind in events.SHARED),
    lambda system: ((topic(kind), kind) for kind in system.events),
    _home,
)
"""Event classes by stored name."""

COMMANDS: Mapping[str, type[Command]] = Registry(
    ((command.verb, command) for command in (*commands.SHARED, *commands.LINE_VERBS)),
    lambda system: ((command.verb, command) for command in system.commands),
    lambda _verb: SYSTEMS.loaded_first(),
)
"""Command classes by verb; if several share a verb, the table's own comes first."""


def commands_stored_as(verb: str, games: Collection[str] = ()) -> Iterator[type[Command]]:
    """Yields the commands stored under `verb`: shared commands, those of `games`, then other games'.

    Other games' commands are left out if any of `games` is not installed: the same verb may mean something
    else there.
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
    """Returns the game of a stored name if it is not installed; None if it is, or for the table's kinds."""
    game = stored.partition(".")[0]
    return None if game == "table" or SYSTEMS.has(game) else game


def games_missing(games: Iterable[str]) -> list[str]:
    """Returns the games that are not installed, sorted."""
    return sorted(game for game in games if game != "table" and not SYSTEMS.has(game))


def upcast(stored: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the stored name and payload of an event in today's shape."""
    while (change := upcast_of(stored)) is not None:
        stored, payload = change[0], change[1](payload)
    return stored, payload


def current(stored: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the kind of a stored event without its version, and its payload in today's shape.

    An unknown kind keeps its stored name.
    """
    stored, payload = upcast(stored, payload)
    kind = EVENTS.get(stored)
    return stored if kind is None else kind.kind, payload


@lru_cache(maxsize=1024)  # bounded, since a file may hold any stored name
def kind_of(stored: str) -> str:
    """Returns the kind of a stored name of any version; an unknown stored name is returned unchanged."""
    while stored not in EVENTS and (change := upcast_of(stored)) is not None:
        stored = change[0]
    return EVENTS[stored].kind if stored in EVENTS else stored


@lru_cache(maxsize=1024)  # as above
def event_called(kind: str) -> type[Event] | None:
    """Returns the event class of a kind without version; None if the kind is unknown."""
    system = SYSTEMS.get(kind.partition(".")[0])
    known = events.SHARED if system is None else system.events
    return next((event for event in known if event.kind == kind), None)


def event_of(stored: str) -> type[Event] | None:
    """Returns the event class of a stored name of any version; None if unknown."""
    return event_called(kind_of(stored))


def stored_names(kind: type[Event]) -> tuple[str, ...]:
    """Returns the stored names of all versions of an event class, today's first."""
    system = SYSTEMS.get(kind.kind.partition(".")[0])
    older = (*UPCASTS, *(() if system is None else system.upcasts))
    return (topic(kind), *(name for name in older if kind_of(name) == kind.kind and name not in EVENTS))


@lru_cache(maxsize=1024)  # bounded, since a file may hold any stored name
def upcast_of(stored: str) -> Upcast | None:
    """Returns the upcast of a stored name to its next version; None for a current name."""
    system = SYSTEMS.get(stored.partition(".")[0])
    return UPCASTS.get(stored) or (None if system is None else system.upcasts.get(stored))


def defaults_of(event: type[Event]) -> dict[str, Any]:
    """Default of each field that a body may leave out; a part's field is named `cost.dangerous`.

    A `text` counts as one, since a voice tells an event's numbers without it.
    """
    text = {"text": None} if "text" in fields_of(event) else {}
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
