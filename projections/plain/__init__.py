"""The notation: one complete line for any event, from its stored body alone, and quick to load.

It imports neither pydantic nor a system, so that `log` starts fast; the voice `plain` prints with it too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from projections import safe
from projections.plain import shared
from projections.plain.ink import Ink, Notation, Payload, mark

GAMES = ("bruise", "spacetime", "whiskey", "edgerunner", "guenask")
"""Every game with a notation: a module of its name, loaded with the first event of the game."""

Noted = tuple[Notation, frozenset[str]]


class _Notations(Mapping[str, Noted]):
    """Looks a kind up in the notation of its own game."""

    def __getitem__(self, kind: str) -> Noted:
        return _of(_game(kind))[kind]

    def __iter__(self) -> Iterator[str]:
        for game in ("", *GAMES):
            yield from _of(game)

    def __len__(self) -> int:
        return sum(1 for _ in self)


NOTATIONS = _Notations()
"""Every kind with a notation of its own, and the fields which that shows; another is shown field by field."""


def _game(kind: str) -> str:
    """The game a kind belongs to; empty for the table's own, and for one that nobody here knows."""
    game = kind.partition(".")[0]
    return game if game in GAMES else ""


@cache
def _of(game: str) -> Mapping[str, Noted]:
    found: Mapping[str, Noted] = _module(game).NOTATIONS if game else shared.NOTATIONS
    return found


def _module(game: str) -> Any:  # noqa: ANN401 -- a module, whose names mypy cannot know
    return import_module(f"{__name__}.{game}")


@lru_cache(maxsize=1024)  # an unknown kind is whatever a file says
def _noted(kind: str) -> Noted | None:
    return NOTATIONS.get(kind)


@lru_cache(maxsize=1024)
def sealed(kind: str) -> bool:
    """True for a kind whose words are shown to nobody: no more of it is told than its public face."""
    game = _game(kind)
    return bool(game) and kind in getattr(_module(game), "SEALED", ())


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
    noted = _noted(kind)
    if noted is None:
        return f"{kind}{'' if known else ' (unknown)'} {ink.pairs(payload)}".rstrip()
    notation, shown = noted
    told = notation(payload, ink)
    rest: dict[str, Any] = {key: payload[key] for key in payload.keys() - shown} if payload else {}
    here = rest.pop("conflict", None)
    if here is not None and here != conflict:
        told += f" (conflict {here})"
    return f"{told} {ink.pairs(dict(sorted(rest.items())))}" if rest else told
