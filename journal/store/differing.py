"""In what an act decided again comes out otherwise than it did, told in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from journal.store import replaying
from journal.table import Table
from journal.vocabulary.base import Event, values_of

SOMEBODY = frozenset({"who", "person", "winner", "loser", "by", "whose", "player", "one", "other"})
"""Fields of events that hold a person."""

NOT_WORTH_A_WORD = frozenset({"conflict", "about", "narration", "at"})
"""Fields of events that only say where something belongs."""


def differences(first: int, was: Sequence[Event], now: Sequence[Event], table: Table) -> Iterator[str]:
    """In what an act at position `first` comes out otherwise, words aside."""
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
        if key not in NOT_WORTH_A_WORD and not replaying.alike(old, new):
            yield key, old, new


def _kinds(events: Sequence[Event]) -> str:
    return ", ".join(map(_kind, events)) or "nothing"


def _kind(event: Event) -> str:
    """`hand won`, from the kind's stored name."""
    return type(event).kind.partition(".")[2].replace("-", " ")


def _shown(key: str, value: object, table: Table) -> str:
    if value is None:
        return "nothing"
    if key in SOMEBODY and isinstance(value, int):
        return table.name(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    if isinstance(value, Mapping):
        return " ".join(f"{name}={one}" for name, one in value.items()) or "none"
    return str(value)
