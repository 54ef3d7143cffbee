"""An act as it is recorded: in what manner, with whose luck, and what it is once that is done."""

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
    """How an act is to be recorded: by whom, for whose eyes, and where its results come from."""

    by: int | None = None
    visible_to: VisibleTo = TABLE
    provenance: Provenance = Provenance.CALLED
    source: tuple[str, int] | None = None
    act: str | None = None
    """An id of the caller's: an act already on the line under it is given back, not recorded again."""


class RecordedAct(NamedTuple):
    """An act that has been recorded."""

    first: int
    last: int
    events: tuple[Event, ...]
    others: int = 0
    """How many acts came in first, unseen."""
    again: bool = False
    """True if it stood on the line already."""
    lives: tuple[LiveEvent, ...] = ()
    """The events with their positions, and where their luck came from; none where it stood there already."""


def with_luck(
    events: Sequence[Event], first: int, provenances: Sequence[Provenance], seen_by: Sequence[VisibleTo]
) -> Iterator[LiveEvent]:
    """The events as they stand from position `first`, each with its share of the provenances, in order."""
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


def with_taken(command: Command, taken: Sequence[UsedResult]) -> Command:
    """The command with the results it took; as it was typed where a total stands for faces nobody kept."""
    if not taken or "results" not in fields_of(type(command)):
        return command
    if has_total(getattr(command, "results", None)):
        return command
    return command.but({"results": tuple(one.result for one in taken)})


def decides_alike(
    before: Table, command: Command, manner: Manner, taken: Sequence[UsedResult], events: Sequence[Event]
) -> bool:
    """True if `command`, decided on `before` with the same luck, comes to the same events."""
    stacked = StackedDealer(one.result for one in taken)
    luck = Luck(stacked, getattr(command, "results", None), manner.provenance)
    try:
        return line_.decide(before, command, luck, visible_to=manner.visible_to) == list(events)
    except Refused:
        return False


MOST_TEXT = 16 * 2**20
"""The longest text one act may bring, in bytes; longer is refused before anything is written."""


def check_command(command: Command) -> None:
    """Refuses what cannot be kept: NUL and half characters, numbers too large, texts too long for one act."""
    if _size(command) > MOST_TEXT:
        raise Refused(
            f"That text is longer than {MOST_TEXT // 2**20} MB, the most one act may hold: cut it up."
        )


def _size(value: object) -> int:
    """How many bytes the texts of a command are; refuses what cannot be kept at any size."""
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
    """Whoever deals at this table; `seed` is the one this computer holds for it, if any.

    Where the table is committed to a seed that this is not, nothing can be dealt: that is Refused when asked.
    """
    if table.seed is None:
        return SystemDealer()
    if seed is None or seed_commitment(seed) != table.seed:
        return _NoSeed()
    return SeededDealer(seed, table.chance_line, table.dealt)


class SecretDealer(Struct, frozen=True):
    """Deals what is rolled in secret: from sources of their own, so that open results stay what they are."""

    dealer: Dealer

    def pick(self, source: str, possible: Sequence[str]) -> str:
        """As the dealer behind it."""
        return self.dealer.pick(source_of(source, behind_screen=True), possible)


class SeedElsewhereError(Refused):
    """Nothing can be dealt, for the seed is on another computer."""


class _NoSeed:
    """Stands where a seed ought to be: it deals nothing."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 -- it never gives any
        """Refuses, and says what to do."""
        raise SeedElsewhereError(
            "This campaign deals from a seed that this computer does not hold:"
            " type the results after =, or give the seed once (RETOLD_SEED)."
        )
