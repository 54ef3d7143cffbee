"""Decks view: cards left, in hand and discarded; pool view: dice lying before each person."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from retold.journal.capabilities import Deck, HasDecks, HasPool, Pool
from retold.journal.guarding import answer_of
from retold.journal.possessives import possessive
from retold.journal.systems import SYSTEMS
from retold.journal.table import OpenConflict, Table
from retold.projections.plain.ink import cards
from retold.projections.views.naming import Who, conflict_title, who, who_if_any
from retold.projections.views.sheet import NOBODY, Row, Seen


class Hand(NamedTuple):
    """Cards of one deck in a person's hand."""

    who: Who
    cards: tuple[str, ...]


class DeckSeen(NamedTuple):
    """A deck of cards; `whole` is False if a card is counted twice or missing."""

    system: str
    name: str
    owner: Who | None
    size: int
    left: int
    hands: tuple[Hand, ...]
    discarded: tuple[str, ...]
    whole: bool

    @property
    def called(self) -> str:
        """Name to show for the deck: its owner's possessive (`Ana's`), or its own name without an owner."""
        return self.name if self.owner is None else possessive(self.owner.name)

    def row(self) -> Row:
        """Returns this deck as a table row: cards left, in hands, discarded."""
        return Row.keyed(
            (SYSTEMS[self.system].title, self.called),
            f"{self.left}/{self.size}",
            "; ".join(f"{hand.who.name}: {cards(hand.cards)}" for hand in self.hands) or NOBODY,
            cards(self.discarded) if self.discarded else NOBODY,
        )


class Decks(Seen, frozen=True):
    """Answer of the decks view: decks of a game, once cards were drawn.

    JSON: `{"decks": [{"system", "name", "owner", "size", "left", …}]}`.
    """

    view = "decks"
    title = "Decks"
    columns = ("System", "Deck", "Left", "In hand", "Discarded")
    decks: tuple[DeckSeen, ...]

    def notes(self) -> Iterator[str]:
        """Yields a warning below the table for each deck whose cards do not add up."""
        for deck in self.decks:
            if not deck.whole:
                yield f"{deck.called} ({SYSTEMS[deck.system].title}): a card is in two places or nowhere."


def of(table: Table) -> Decks:
    """Returns the decks in a table state, game by game."""
    return Decks(tuple(_all(table)))


def _all(table: Table) -> Iterator[DeckSeen]:
    for system, shelf in table.shelves.items():
        if isinstance(shelf, HasDecks):
            decks = tuple(answer_of(system, shelf.decks, (), each=Deck))
            # `check` does not say which deck is wrong; its counts may.
            blamed = answer_of(system, _checks, True, shelf, what="check") or not all(map(_adds_up, decks))
            for deck in decks:
                yield _seen(table, system, deck, whole=_adds_up(deck) and blamed)


def _checks(shelf: HasDecks) -> bool:
    try:
        shelf.check()
    except ValueError:
        return False
    return True


def _adds_up(deck: Deck) -> bool:
    held = sum(len(held) for _, held in deck.hands)
    return deck.left + held + len(deck.discarded) == deck.size


def _seen(table: Table, system: str, deck: Deck, *, whole: bool) -> DeckSeen:
    return DeckSeen(
        system,
        deck.name,
        who_if_any(table, deck.owner),
        deck.size,
        deck.left,
        tuple(Hand(who(table, person), held) for person, held in deck.hands),
        deck.discarded,
        whole,
    )


class PoolSeen(NamedTuple):
    """Dice lying before a person, lowest first; `dice` includes `kept`.

    `out` is True once the person has left the conflict; `approach` is their chosen approach, if any.
    """

    conflict: int
    title: str
    who: Who
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    approach: str | None
    out: bool

    def row(self) -> Row:
        """Returns this pool as a table row: dice, kept dice, approach."""
        return Row.keyed(
            (f"{self.title} ({self.conflict})", self.who.name),
            " ".join(map(str, self.dice)) or NOBODY,
            " ".join(map(str, self.kept)) or NOBODY,
            "out" if self.out else self.approach or NOBODY,
        )


class Pools(Seen, frozen=True):
    """Answer of the pool view: dice lying before each person.

    JSON: `{"pools": [{"conflict", "title", "who", "dice", "kept", "approach", "out"}]}`.
    """

    view = "pool"
    title = "Pool"
    columns = ("Conflict", "Who", "Dice", "Kept", "Approach")
    pools: tuple[PoolSeen, ...]


def pools_of(table: Table) -> Pools:
    """Returns people's dice pools in open conflicts, conflict by conflict."""
    return Pools(
        tuple(pool for conflict in table.conflicts.values() for pool in _pools_of_conflict(table, conflict))
    )


def _pools_of_conflict(table: Table, conflict: OpenConflict) -> tuple[PoolSeen, ...]:
    if not isinstance(conflict.state, HasPool):
        return ()
    title = conflict_title(conflict, table)
    return tuple(
        PoolSeen(pool.conflict, title, who(table, pool.person), pool.dice, pool.kept, pool.approach, pool.out)
        for pool in answer_of(conflict.system, conflict.state.pools, (), each=Pool)
    )
