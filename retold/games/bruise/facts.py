"""Subjects that the verb `expect` checks in scripts of Bruise, such as `quality` and `karma`."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import WINNER, Fact, OpenConflict, Table
from retold.games.bruise.rules import Potential
from retold.games.bruise.state import BruiseConflict, Sheet, rank_name, sheet_of


def _state(conflict: OpenConflict | None) -> BruiseConflict:
    return conflict.state if conflict and isinstance(conflict.state, BruiseConflict) else BruiseConflict()


def _quality(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    shown = _state(conflict).shown.get(who or 0)
    return (rank_name(shown.quality),) if shown else ()


def _quantity(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    """Returns the Quantity that `who` won with, or `loser quantity` pairs for several losers.

    A Quantity not known yet is left out; empty if `who` has won no hand this turn.
    """
    won = [result for result in _state(conflict).results if result.winner == who]
    quantities = {result.loser: () if result.quantity is None else (str(result.quantity),) for result in won}
    if len(quantities) == 1:
        return next(iter(quantities.values()))
    return tuple(word for loser, quantity in quantities.items() for word in (table.name(loser), *quantity))


def _beaten(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return tuple(table.name(result.loser) for result in _state(conflict).results if result.winner == who)


def _colour(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    won = [result.colour for result in _state(conflict).results if result.winner == who]
    return tuple(colour for colour in won[:1] if colour)


def _length(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    length = _state(conflict).length
    return () if length is None or length.text is None else (length.text,)


def _hand(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    hand = _state(conflict).hands.get(who or 0)
    return tuple(hand.cards) if hand else ()


def _sheet(table: Table, who: int | None) -> Sheet:
    return sheet_of(table, who or 0)


def _karma(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return tuple(str(_sheet(table, who).karma[potential]) for potential in Potential)


def _wheel(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return tuple(str(_sheet(table, who).wheel.rating(potential)) for potential in Potential)


def _legacy(table: Table, conflict: OpenConflict | None, who: int | None) -> tuple[str, ...]:
    return (str(_sheet(table, who).legacy),)


FACTS: Mapping[str, Fact] = {
    "quality": Fact(True, _quality, "the Quality a person showed"),
    "quantity": Fact(
        True,
        _quantity,
        "the Quantity of the winner; after a name, the Quantity against that person",
        keys=_beaten,
    ),
    "colour": Fact(True, _colour, "the colour of the cards a person won"),
    "winner": WINNER,
    "length": Fact(False, _length, "how long this turn lasts in the story"),
    "hand": Fact(True, _hand, "the cards in a person's hand"),
    "karma": Fact(True, _karma, "points of Destiny and of Fate"),
    "wheel": Fact(True, _wheel, "ratings of Destiny and of Fate"),
    "legacy": Fact(True, _legacy, "Legacy points"),
}
"""Facts for `expect`, by subject."""
