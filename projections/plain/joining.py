"""Events of one act that are read as one line: a throw, and what alone it was thrown for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from retold.projections import games
from retold.projections.plain.ink import mark

T = TypeVar("T")

_THROW: Final = ("table.dice-rolled", "table.total-reached")


def joined(
    items: Iterable[T], event_of: Callable[[T], tuple[str, Mapping[str, Any], Sequence[str]]]
) -> Iterator[tuple[T, str | None]]:
    """Yields each item with what to append to its line: ` (1d20: 14, called)` where a throw was for it alone.

    None leaves the line as it is; an empty text means that a later line tells it. `event_of` returns an
    item's event kind, payload and sources of its dice. A throw with words keeps its line. Games name the
    kinds that take a throw in, as `JOINED` beside their notations.
    """
    held: list[tuple[T, Mapping[str, Any], Sequence[str]]] = []
    for item in items:
        kind, payload, luck = event_of(item)
        follows = bool(held) and payload.get("who") == held[0][1].get("who") and payload.get("text") is None
        if follows and kind in getattr(games.room(kind.partition(".")[0], "notation"), "JOINED", ()):
            throw, source = held[0][1], mark(held[0][2])
            yield from ((part, "") for part, *_ in held)
            faces = f"{throw['dice']}: {' '.join(map(str, throw['faces']))}"
            yield item, f" ({', '.join(filter(None, (faces, source)))})"
            held = []
        elif follows and kind == _THROW[1] and len(held) == 1:
            held.append((item, payload, luck))
        else:
            yield from ((part, None) for part, *_ in held)
            held = []
            if kind == _THROW[0] and payload.get("text") is None:
                held = [(item, payload, luck)]
            else:
                yield item, None
    yield from ((part, None) for part, *_ in held)
