"""Forms in which a game says how statistics count its cards, rounds and moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from retold.journal.decks.pile import as_written
from retold.journal.games import BUILT_IN
from retold.journal.guarding import answer_of, of_kind
from retold.journal.table import Table
from retold.journal.vocabulary.base import Event
from retold.journal.vocabulary.events import CardsDrawn, TotalReached
from retold.projections import games


@dataclass(frozen=True, slots=True)
class Cards:
    """Rules for counting a game's cards; its functions get the table state just after the draw."""

    what: str
    """Noun for the counted results, used in titles."""
    about: str
    """Sentence on the comparison made."""
    lay: Callable[[Table, CardsDrawn], Sequence[str] | None]
    """Cards among which the draw was random; empty to ignore a draw, None if they are unknown."""
    value: Callable[[Table, str], int]
    label: Callable[[str], str]
    name: Callable[[str], str] = as_written
    """Name in the deck of a drawn card."""
    share: bool = False
    """True if values are 0 or 1, so that their mean is a share."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """A game's word for a round, and event kinds that mark a round's beginning or its end."""

    name: str
    marks: frozenset[type[Event]]
    begins: bool = False
    """True if `marks` begin a round; else they end it."""
    begun_by: frozenset[type[Event]] = frozenset()
    """Kinds of which one shows that a round began after the last mark; empty: any kind. So a narration after
    the last round is not a round of its own."""


@dataclass(frozen=True, slots=True)
class Moves:
    """Rules for counting a game's moves; an event with a move's result is recorded after its dice total."""

    made: frozenset[type[Event]]
    result: Callable[[Any], tuple[str, str | None]]
    """Move and result of such an event; the result is None if none was named."""
    chances: Callable[[Table, Any, TotalReached], Mapping[str, Fraction]]
    """Probability of each result with the dice thrown; empty if unknown."""


@dataclass(frozen=True, slots=True)
class Counted:
    """Rules for counting one game's rounds, cards and moves; None where it has none."""

    rounds: Rounds | None = None
    cards: Cards | None = None
    moves: Moves | None = None


def counted_of(game: str | None) -> Counted:
    """Returns rules for counting a game; empty rules (only dice count) without any, or if `game` is None."""
    room = None if game is None else games.room(game, "statistics")
    if game is None or room is None:
        return Counted()
    return _guarded(
        game,
        answer_of(game, lambda: of_kind(room.COUNTED, Counted), Counted(), what="statistics.py: COUNTED"),
    )


def _guarded(game: str, counted: Counted) -> Counted:
    """Returns a guest's rules with the guard around their functions: what they fail on is not counted."""
    if game in BUILT_IN:
        return counted

    def guard(call: Callable[..., Any], what: str, otherwise: Any) -> Callable[..., Any]:  # noqa: ANN401 -- any result
        return lambda *arguments: answer_of(game, call, otherwise, *arguments, what=what)

    cards, moves = counted.cards, counted.moves
    if cards is not None:
        cards = replace(
            cards,
            lay=guard(cards.lay, "lay", None),
            value=guard(cards.value, "value", 0),
            label=guard(cards.label, "label", "?"),
            name=guard(cards.name, "name", "?"),
        )
    if moves is not None:
        result = guard(moves.result, "result", ("?", None))
        moves = replace(moves, result=result, chances=guard(moves.chances, "chances", {}))
    return Counted(counted.rounds, cards, moves)
