"""What a state may be able to say of itself, whichever game it belongs to; a view asks for one of these."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol, runtime_checkable


class Purse(NamedTuple):
    """Points somebody holds: how many, and the most they may hold, if there is a most."""

    person: int
    what: str
    value: int
    most: int | None = None


class Deck(NamedTuple):
    """One deck: what lies in it, who holds what, what was discarded."""

    name: str
    owner: int | None
    size: int
    left: int
    hands: tuple[tuple[int, tuple[str, ...]], ...]
    discarded: tuple[str, ...]


class Balance(NamedTuple):
    """Where a conflict of balances stands: the level, and the side it favours."""

    conflict: int
    level: str
    advantaged: int | None


@runtime_checkable
class HasPoints(Protocol):
    """A shelf on which somebody holds points."""

    def points(self) -> Iterable[Purse]:
        """Every purse, person by person."""
        ...


@runtime_checkable
class HasDecks(Protocol):
    """A shelf with decks."""

    def decks(self) -> Iterable[Deck]:
        """Every deck that has been drawn from."""
        ...

    def check(self) -> None:
        """Raises ValueError if a card is in two places or nowhere."""
        ...


@runtime_checkable
class HasBalance(Protocol):
    """A conflict whose state is a balance."""

    def balance(self, conflict: int) -> Balance:
        """Where it stands."""
        ...
