"""Encoding of an act (all events of a single command) for the record; choice of the dealer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from journal import RELEASE
from journal import line as line_
from journal.decks.chance import (
    Dealer,
    Luck,
    Provenance,
    SeededDealer,
    StackedDealer,
    SystemDealer,
    UsedResult,
    has_total,
    seed_commitment,
)
from journal.line import LiveEvent, source_of
from journal.names import clean
from journal.refused import Refused
from journal.store.clock import Clock
from journal.store.codec import Envelope, encode_act
from journal.store.event_store import Draft
from journal.table import Table
from journal.visibility import TABLE, VisibleTo
from journal.vocabulary.base import LIMIT, Command, Event, Frozen, Words, fields_of, values_of


class Manner(Struct, frozen=True):
    """Options for recording an act: its author, its audience, the provenance of its results, its id."""

    by: int | None = None
    visible_to: VisibleTo = TABLE
    provenance: Provenance = Provenance.CALLED
    source: tuple[str, int] | None = None
    act: str | None = None
    """The caller's id for the act: if the line has an act with this id, that one is returned instead."""


class RecordedAct(NamedTuple):
    """A recorded act: its first and last position on the line, and its events."""

    first: int
    last: int
    events: tuple[Event, ...]
    others: int = 0
    """Number of acts that other processes recorded first."""
    again: bool = False
    """True if the act was on the line already."""
    lives: tuple[LiveEvent, ...] = ()
    """The events with positions and provenances; empty if the act was on the line already."""


def with_luck(
    events: Sequence[Event], first: int, provenances: Sequence[Provenance], seen_by: Sequence[VisibleTo]
) -> Iterator[LiveEvent]:
    """Yields the events as LiveEvents from position `first` on, dealing out `provenances` in order.

    An event takes as many provenances as its luck field has results; no event gets any if `provenances` is
    empty.
    """
    left = iter(provenances)
    for position, (event, visible_to) in enumerate(zip(events, seen_by, strict=True), first):
        count = len(getattr(event, event.luck)) if event.luck and provenances else 0
        yield LiveEvent(position, event, tuple(next(left) for _ in range(count)), visible_to)


def draft_rows(
    clock: Clock,
    events: Sequence[Event],
    command: Command | None,
    provenances: Sequence[Provenance],
    manner: Manner,
    *,
    seen_by: Sequence[VisibleTo] | None = None,
) -> list[Draft]:
    """Returns the events of one act encoded with their envelopes, ready to be chained.

    `seen_by` gives the audience of each event; without it, each event has the audience of `manner`.
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


def with_taken(command: Command, taken: Sequence[UsedResult]) -> Command:
    """Returns the command with its `results` field set to the results taken while deciding.

    Unchanged if the command has no such field, or if the player typed a total and no single faces.
    """
    if not taken or "results" not in fields_of(type(command)):
        return command
    if has_total(getattr(command, "results", None)):
        return command
    return command.but({"results": tuple(used.result for used in taken)})


def decides_alike(
    before: Table, command: Command, manner: Manner, taken: Sequence[UsedResult], events: Sequence[Event]
) -> bool:
    """True if `command`, decided on `before` with the same luck, comes to the same events."""
    stacked = StackedDealer(used.result for used in taken)
    luck = Luck(stacked, getattr(command, "results", None), manner.provenance)
    try:
        return line_.decide(before, command, luck, visible_to=manner.visible_to) == list(events)
    except Refused:
        return False


MOST_TEXT = 16 * 2**20
"""Bytes of text one act may hold; more is refused before anything is written."""


def check_command(command: Command) -> None:
    """Raises Refused for a command the record cannot hold.

    That is one with NUL or a lone surrogate, a number beyond LIMIT, or more text than MOST_TEXT.
    """
    if _size(command) > MOST_TEXT:
        raise Refused(
            f"That text is longer than {MOST_TEXT // 2**20} MB, the most one act may hold: cut it up."
        )


def _size(value: object) -> int:
    """Returns the size of a command's texts in UTF-8 bytes.

    Raises Refused for NUL, lone surrogates, and numbers beyond LIMIT.
    """
    if isinstance(value, str):
        return len(clean(value).encode())
    if isinstance(value, int):
        if abs(value) > LIMIT:
            raise Refused(f"That is too large a number: the record keeps up to {LIMIT}.")
        return 0
    if isinstance(value, Words):
        return _size(value.text)
    return sum([_size(part) for part in _parts(value)])


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Frozen):
        return values_of(value).values()
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    return value if isinstance(value, tuple) else ()


def dealer_of(table: Table, seed: bytes | None) -> Dealer:
    """Returns the dealer of a table: seeded if the table is committed to a seed, else random.

    `seed` is the seed stored on this computer, if any. If the table is committed to another seed, the dealer
    returned raises SeedElsewhereError at its first pick.
    """
    if table.seed is None:
        return SystemDealer()
    if seed is None or seed_commitment(seed) != table.seed:
        return _NoSeed()
    return SeededDealer(seed, table.chance_line, table.dealt)


class SecretDealer(Struct, frozen=True):
    """A dealer for secret rolls, with random sources apart, so that open results stay unchanged."""

    dealer: Dealer

    def pick(self, source: str, possible: Sequence[str]) -> str:
        """Picks a possible result from the secret counterpart of `source`."""
        return self.dealer.pick(source_of(source, behind_screen=True), possible)


class SeedElsewhereError(Refused):
    """Refusal to deal, because the campaign's seed is on another computer."""


class _NoSeed:
    """The dealer of a campaign whose seed is missing on this computer."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 -- it never gives any
        """Raises SeedElsewhereError, with both ways to go on."""
        raise SeedElsewhereError(
            "This campaign deals from a seed that this computer does not hold:"
            " type the results after =, or give the seed once (RETOLD_SEED)."
        )
