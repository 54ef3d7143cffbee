"""Statistics of Space·Time: rounds, and the share of Triumphs among the cards drawn."""

from __future__ import annotations

from collections.abc import Sequence

from retold.game import Cards, Counted, Rounds, Table, events, triumphs
from retold.games.spacetime import events as s
from retold.games.spacetime.state import game_state

_INSTEAD_OF_THE_EXCUSE = "narration"


def _lay(table: Table, event: events.CardsDrawn) -> Sequence[str]:
    """Returns the cards of the deck just before the draw.

    Empty for a card drawn in place of the Excuse, which statistics ignore.
    """
    pile = game_state(table).pile
    if pile is None or event.purpose == _INSTEAD_OF_THE_EXCUSE:
        return ()
    return (*pile.left(), *map(triumphs.upright, event.cards))


def _is_triumph(_table: Table, card: str) -> int:
    return int(triumphs.Card.of(card).triumph is not None)


def _label(card: str) -> str:
    found = triumphs.Card.of(card)
    if found.suit is not None:
        return found.suit.value
    return "Excuse" if found.is_excuse else "Triumph"


COUNTED = Counted(
    Rounds("round", frozenset({s.RoundEnded})),
    Cards(
        "Triumphs",
        "How many of the cards are Triumphs, which beat every suit, against as many from the deck as it lay"
        " when it was last made whole. Which suits and which Triumphs they were is not in it.",
        _lay,
        _is_triumph,
        _label,
        triumphs.upright,
        share=True,
    ),
)
