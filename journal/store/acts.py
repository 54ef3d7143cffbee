"""An act as it is recorded: in what manner, with whose luck, and what it is once that is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from journal import line as line_
from journal.decks.chance import Luck, Provenance, StackedDealer, Taken, brings_total
from journal.line import Live
from journal.refused import Refused
from journal.release import RELEASE
from journal.store.clock import Clock
from journal.store.codec import Envelope, encode_act
from journal.store.rows import Draft
from journal.table import Table
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary.base import Command, Event, fields_of


class Manner(Struct, frozen=True):
    """How an act is to be recorded: by whom, for whose eyes, and where its results come from."""

    by: int | None = None
    visible_to: VisibleTo = TABLE
    provenance: Provenance = Provenance.CALLED
    source: tuple[str, int] | None = None
    act: str | None = None
    """An id of the caller's: an act already on the line under it is given back, not recorded again."""


class Done(NamedTuple):
    """An act that has been recorded."""

    first: int
    last: int
    events: tuple[Event, ...]
    others: int = 0
    """How many acts came in first, unseen."""
    again: bool = False
    """True if it stood on the line already."""
    lives: tuple[Live, ...] = ()
    """The events with their positions, and where their luck came from; none where it stood there already."""


def with_luck(
    events: Sequence[Event], first: int, provenances: Sequence[Provenance], seen_by: Sequence[VisibleTo]
) -> Iterator[Live]:
    """The events as they stand from position `first`, each with its share of the provenances, in order."""
    left = iter(provenances)
    for position, (event, visible_to) in enumerate(zip(events, seen_by, strict=True), first):
        count = len(getattr(event, event.luck)) if event.luck and provenances else 0
        yield Live(position, event, tuple(next(left) for _ in range(count)), visible_to)


def drafted(
    clock: Clock,
    events: Sequence[Event],
    command: Command | None,
    provenances: Sequence[Provenance],
    manner: Manner,
    *,
    seen_by: Sequence[VisibleTo] | None = None,
) -> list[Draft]:
    """The events of one act with their envelopes, ready to be chained.

    `seen_by` has who may see each event; without it, whom the act was said for may see them all.
    """
    seen_by = [manner.visible_to] * len(events) if seen_by is None else seen_by
    at, offset = clock.now()
    act = manner.act or clock.act()
    envelopes = [
        Envelope(
            at=at,
            offset=offset,
            act=act,
            i=i,
            n=len(events),
            by=manner.by,
            visible_to=visible_to,
            luck=live.luck,
            source=manner.source,
            release=RELEASE if i == 1 else None,
        )
        for i, (live, visible_to) in enumerate(
            zip(with_luck(events, 1, provenances, seen_by), seen_by, strict=True), 1
        )
    ]
    return encode_act(events, command, envelopes, clock.salt, manner.visible_to)


def with_taken(command: Command, taken: Sequence[Taken]) -> Command:
    """The command with the results it took; as it was typed where a total stands for faces nobody kept."""
    if not taken or "results" not in fields_of(type(command)):
        return command
    if brings_total(getattr(command, "results", None)):
        return command
    return command.but({"results": tuple(one.result for one in taken)})


def line_decides_alike(
    before: Table, command: Command, manner: Manner, taken: Sequence[Taken], events: Sequence[Event]
) -> bool:
    """True if `command`, decided on `before` with the same luck, comes to the same events."""
    stacked = StackedDealer(one.result for one in taken)
    luck = Luck(stacked, getattr(command, "results", None), manner.provenance)
    try:
        return line_.decide(before, command, luck, visible_to=manner.visible_to) == list(events)
    except Refused:
        return False
