"""What came of an act, said to the person who asked: in notation, or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TextIO

from pydantic import BaseModel

from journal.line import Live
from journal.table import Table
from journal.vocabulary.base import Event
from journal.vocabulary.events import CastIntroduced, Redone, Undone
from journal.words import Words
from projections import safe

if TYPE_CHECKING:
    from cli.scribe import Outcome, Scribe


def tell(scribe: Scribe, outcome: Outcome, *, out: TextIO) -> None:
    """Prints what was said, and each event in notation; what `undo` has said is not said twice."""
    out.writelines(f"{safe.text(sentence)}\n" for sentence in outcome.said)
    lives = outcome.done.lives if outcome.done else tuple(Live(0, event) for event in outcome.would)
    lives = tuple(live for live in lives if not (outcome.said and isinstance(live.event, Undone | Redone)))
    out.writelines(f"{line}\n" for line in notation(scribe.table, lives))
    if outcome.would:
        out.write("(Checked; nothing was recorded.)\n")


def notation(
    table: Table, lives: Iterable[Live], *, named: bool = True, place: Callable[[int], str] | None = None
) -> Iterator[str]:
    """The events in the notation of the log, safe for a terminal; `place` says how they point at a position.

    The conflict an event belongs to is named where it is not the one spoken of; never, with `named` false.
    """
    from projections.plain import line

    names = {who.id: who.called for who in table.everybody()}
    for live in lives:
        for newcomer in (live.event,) if isinstance(live.event, CastIntroduced) else ():
            names[newcomer.person] = str(newcomer.name)
        yield line(
            live.event.kind,
            plain(live.event),
            _no_reference,
            names,
            live.luck,
            place=place,
            conflict=table.addressed if named else getattr(live.event, "conflict", None),
            known=True,
        )


def _no_reference(index: int) -> str | None:
    raise IndexError(index)


def plain(value: object) -> Any:  # noqa: ANN401 -- JSON's own shapes
    """A value of the record as JSON takes it: words as their text, a sealed event by its public face."""
    if isinstance(value, Words):
        return value.text
    if isinstance(value, Event):
        shown = type(value).face()
        return {key: plain(one) for key, one in value.__dict__.items() if key in shown and one is not None}
    if isinstance(value, BaseModel):
        return {key: plain(one) for key, one in value.__dict__.items() if one is not None}
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, tuple | list):
        return [plain(one) for one in value]
    return value


def events_as_json(events: Sequence[Event]) -> list[dict[str, Any]]:
    """Each event with its kind and fields."""
    return [{"kind": type(event).kind, **plain(event)} for event in events]


def say_json(value: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(safe.in_json(json.dumps(value, ensure_ascii=False, indent=2)) + "\n")
