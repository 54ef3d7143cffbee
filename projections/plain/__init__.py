"""The notation: one complete line for any event, from its stored body alone, and quick to load.

It imports neither pydantic nor a system, so that `log` starts fast; the voice `plain` prints with it too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from projections import safe
from projections.plain import bruise, edgerunner, guenask, shared, spacetime, whiskey
from projections.plain.ink import Ink, Notation, Payload, mark

NOTATIONS: Mapping[str, tuple[Notation, frozenset[str]]] = {
    **shared.NOTATIONS,
    **bruise.NOTATIONS,
    **spacetime.NOTATIONS,
    **whiskey.NOTATIONS,
    **edgerunner.NOTATIONS,
    **guenask.NOTATIONS,
}
"""Every kind with a notation of its own, and the fields which that shows; another is shown field by field."""

SEALED: frozenset[str] = whiskey.SEALED
"""The kinds whose words are shown to nobody; of these the notation tells no more than their public face."""


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
    the envelope says. `place` says how a position is pointed at (`#412`). `conflict` is the one the reader
    knows is meant: another one is named. A kind without a notation is shown as `kind key=value …`, marked
    unknown unless the caller knows it (`known`).
    """
    told = _told(kind, payload, Ink(texts, names, place), conflict, known=known)
    return safe.line(f"{told} [{mark(luck)}]" if luck else told)


def _told(kind: str, payload: Payload, ink: Ink, conflict: int | None, *, known: bool) -> str:
    noted = NOTATIONS.get(kind)
    if noted is None:
        return f"{kind}{'' if known else ' (unknown)'} {ink.pairs(payload)}".rstrip()
    notation, shown = noted
    told = notation(payload, ink)
    rest: dict[str, Any] = {key: payload[key] for key in payload.keys() - shown} if payload else {}
    here = rest.pop("conflict", None)
    if here is not None and here != conflict:
        told += f" (conflict {here})"
    return f"{told} {ink.pairs(dict(sorted(rest.items())))}" if rest else told
