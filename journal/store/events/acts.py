"""Encodes acts (an act: the events of one command) into rows, and chooses the dealer of dice and cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import MappingProxyType
from typing import NamedTuple

from msgspec import Struct

from retold.journal import RELEASE
from retold.journal import line as line_
from retold.journal.decks.chance import (
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
from retold.journal.line import LiveEvent
from retold.journal.names import clean
from retold.journal.played_time import read_played_time
from retold.journal.refused import Refused, none_if_refused
from retold.journal.store.contract.event_store import Draft
from retold.journal.store.events.clock import Clock
from retold.journal.store.events.codec import Envelope, KnownSalts, encode_act
from retold.journal.table import Table
from retold.journal.visibility import TABLE, VisibleTo
from retold.journal.vocabulary.base import LIMIT, Command, Event, Frozen, Words, values_of


class Manner(Struct, frozen=True):
    """Options for recording an act: its author, its audience, its id, the origin of its dice and cards.

    The origin, `provenance`, is dealt by the program, called out at the table, reconstructed, or imported.
    """

    by: int | None = None
    visible_to: VisibleTo = TABLE
    provenance: Provenance = Provenance.CALLED
    source: tuple[str, int] | None = None
    """For an import: the SHA-256 of the source in hexadecimal, and the place in it, a line or an ordinal."""
    unit: Words | None = None
    """For an import: the source's own id of what was read; a redaction of the act's words erases it."""
    when: str | None = None
    """The time of play, as `read_played_time` takes it."""
    act: str | None = None
    """The caller's id for the act: if the line has an act with this id, that one is returned instead."""
    is_new: bool = False
    """True if no act can have the id yet: then none is looked for, except among what others just recorded."""


class RecordedAct(NamedTuple):
    """Result of recording a command: first and last event position, and the events.

    It also says whether the act was on the branch already, and how many acts of other processes came first.
    """

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
    """Yields a LiveEvent for each event: adds position, audience, and the origin of each die and card.

    Positions count from `first`. `provenances` holds one origin (dealt, called …) for each die or card of the
    act. Each event takes as many as its luck field has results, in order; no event gets any if `provenances`
    is empty.
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
    salts: KnownSalts = MappingProxyType({}),
) -> list[Draft]:
    """Returns a Draft for each event of one act: its JSON body and texts, still without position and hash.

    All drafts get the current time and one act id. `seen_by` holds the audience of each event; if None, each
    event has the audience `manner.visible_to`. Texts in `salts` keep the salts that they have there. Raises
    Refused for a time of play that does not exist.
    """
    seen_by = [manner.visible_to] * len(events) if seen_by is None else seen_by
    at, offset = clock.now()
    when = None if manner.when is None else read_played_time(manner.when)
    if manner.unit is not None:
        clean(str(manner.unit))
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
            when=when,
            unit=manner.unit if i == 1 else None,
            release=RELEASE if i == 1 else None,
        )
        for i, (live, visible_to) in enumerate(
            zip(with_luck(events, 1, provenances, seen_by), seen_by, strict=True), 1
        )
    ]
    return encode_act(events, command, envelopes, clock.salt, manner.visible_to, salts=salts)


def with_taken(command: Command, taken: Sequence[UsedResult]) -> Command:
    """Returns `command` with its `results` field set to `taken`, the dice and cards used to decide it.

    Returns it unchanged if nothing was taken, if it has no such field, or if the player typed a total instead
    of single faces.
    """
    if not taken or "results" not in command.__struct_fields__:
        return command
    if has_total(getattr(command, "results", None)):
        return command
    return command.but({"results": tuple(used.result for used in taken)})


def decides_alike(
    before: Table, command: Command, manner: Manner, taken: Sequence[UsedResult], events: Sequence[Event]
) -> bool:
    """True if the rules give exactly `events` for `command` on the table state `before`.

    `taken` holds the dice and cards to decide it with. False if the rules refuse the command on this state.
    """
    stacked = StackedDealer(used.result for used in taken)
    luck = Luck(stacked, getattr(command, "results", None), manner.provenance)
    decided = none_if_refused(lambda: line_.decide(before, command, luck, visible_to=manner.visible_to))
    return decided == list(events)


MOST_TEXT = 16 * 2**20
"""Bytes of text one act may hold; more is refused before anything is written."""


def check_command(command: Command) -> None:
    """Raises Refused for a command that cannot be stored.

    That is one with NUL or a lone surrogate, with a number beyond ±LIMIT, or with more than MOST_TEXT bytes
    of text.
    """
    check_texts(command)


def check_texts(*parts: Frozen) -> None:
    """Raises Refused for commands or events of one act that cannot be stored, as `check_command` does."""
    if sum(map(_size, parts)) > MOST_TEXT:
        raise Refused(
            f"That text is longer than {MOST_TEXT // 2**20} MB, the most one act may hold: cut it up."
        )


def _size(value: object) -> int:
    """Returns the number of UTF-8 bytes of all texts in `value`, a command or a part of a command.

    Numbers count 0. Raises Refused for NUL, lone surrogates, and numbers beyond ±LIMIT.
    """
    if isinstance(value, str):
        return len(clean(value).encode())
    if isinstance(value, int):
        if abs(value) > LIMIT:
            raise Refused(f"That is too large a number: the record keeps up to {LIMIT}.")
        return 0
    return _size(value.text) if isinstance(value, Words) else sum([_size(part) for part in _parts(value)])


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Frozen):
        return values_of(value).values()
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    return value if isinstance(value, tuple) else ()


def dealer_of(table: Table, seed: bytes | None) -> Dealer:
    """Returns the source of dice and cards: seeded if `table` is committed to a seed, else random.

    `seed` is the seed stored on this computer, or None. If it is not the seed the table is committed to, the
    dealer returned raises SeedElsewhereError at its first pick.
    """
    if table.seed is None:
        return SystemDealer()
    if seed is None or seed_commitment(seed) != table.seed:
        return _NoSeed()
    return SeededDealer(seed, table.chance_line, table.dealt)


class SeedElsewhereError(Refused):
    """Raised at a deal if the campaign has a seed, but this computer does not hold it."""


class _NoSeed:
    """Dealer that refuses each pick, for a campaign whose seed is missing on this computer."""

    def pick(self, source: str, possible: Sequence[str]) -> str:  # noqa: ARG002 -- it never gives any
        """Always raises SeedElsewhereError.

        The message names two remedies: type the results, or give the seed.
        """
        raise SeedElsewhereError(
            "This campaign deals from a seed that this computer does not hold:"
            " type the results after =, or give the seed once (RETOLD_SEED)."
        )
