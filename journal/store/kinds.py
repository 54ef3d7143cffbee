"""The closed registry of what may stand in a record: kinds of events and of commands, and their upcasts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from journal.systems import SYSTEMS
from journal.vocabulary import commands, events
from journal.vocabulary.base import Command, Event


def topic(kind: type[Event]) -> str:
    """The stored name of a kind: with `@2` and so on from its second version."""
    return kind.kind if kind.version == 1 else f"{kind.kind}@{kind.version}"


def _every_event() -> Iterator[type[Event]]:
    yield from events.SHARED
    for system in SYSTEMS.values():
        yield from system.events


def _every_command() -> Iterator[type[Command]]:
    yield from commands.SHARED
    yield from commands.LINE_VERBS
    for system in SYSTEMS.values():
        yield from system.commands


EVENTS: Mapping[str, type[Event]] = {topic(kind): kind for kind in _every_event()}
"""Every kind by its stored name."""

COMMANDS: Mapping[str, type[Command]] = {command.verb: command for command in _every_command()}
"""Every verb; two systems share one only where it means the same."""

UPCASTS: Mapping[str, tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {}
"""From an old stored name to the next one and the change of payload between them; none is old yet."""


def upcast(stored: str, payload: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The stored name and payload in today's shape."""
    while stored in UPCASTS:
        stored, change = UPCASTS[stored]
        payload = change(payload)
    return stored, payload
