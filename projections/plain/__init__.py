"""The notation: one complete line for any event, from its stored body alone, and quick to load.

It imports neither pydantic nor a system, so that `log` starts fast; the voice `plain` prints with it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from projections import games, safe
from projections.plain import shared
from projections.plain.ink import Ink, Notation, Payload, mark

Noted = tuple[Notation, frozenset[str]]


@lru_cache(maxsize=1024)  # an unknown kind is whatever a file says
def noted(kind: str) -> Noted | None:
    """How a kind is noted, and the fields which that shows; None for one that is shown field by field."""
    known = _notation(kind)
    return None if known is None else known.NOTATIONS.get(kind)


def _notation(kind: str) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
    game = kind.partition(".")[0]
    return shared if game == "table" else games.room(game, "notation")


@lru_cache(maxsize=1024)
def sealed(kind: str) -> bool:
    """True for a kind whose words are shown to nobody: no more of it is told than its public face."""
    return kind in getattr(_notation(kind), "SEALED", ())


def line(
    kind: str,
    payload: Payload,
    texts: Callable[[int], str | None],
    names: Mapping[int, str],
    luck: Sequence[str] = (),
    *,
    place: Callable[[int], str] | None = None,
    conflict: int | None = None,
    known: bool = False,
) -> str:
    """The event as one safe line, with everything its payload says.

    `payload` is the body's `data`, brought up to today's version; `texts` gives the words it points at by
    index, None for redacted ones; `names` are people by id. `luck` is where each random value came from, as
    the envelope says. `place` says how a position is pointed at (`#412`; empty: not at all). `conflict` is
    the one the reader knows is meant: another one is named. A kind without a notation is shown as
    `kind key=value …`, marked unknown unless the caller knows it (`known`).
    """
    told = _told(kind, payload, Ink(texts, names, place), conflict, known=known)
    return safe.line(f"{told} [{mark(luck)}]" if luck else told)


def _told(kind: str, payload: Payload, ink: Ink, conflict: int | None, *, known: bool) -> str:
    known_one = noted(kind)
    if known_one is None:
        return f"{kind}{'' if known else ' (unknown)'} {ink.pairs(payload)}".rstrip()
    notation, shown = known_one
    told = notation(payload, ink)
    rest: dict[str, Any] = {key: payload[key] for key in payload.keys() - shown} if payload else {}
    here = rest.pop("conflict", None)
    if here is not None and here != conflict:
        told += f" (conflict {here})"
    return f"{told} {ink.pairs(dict(sorted(rest.items())))}" if rest else told
