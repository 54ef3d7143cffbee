"""Statistics of Whiskey: values of the cards drawn, and phases."""

from __future__ import annotations

from collections.abc import Sequence

from retold.game import Cards, Counted, Rounds, Table, events
from retold.games.whiskey import events as w
from retold.games.whiskey import rules
from retold.games.whiskey.options import chosen
from retold.games.whiskey.rules import DeckMode
from retold.games.whiskey.state import cards_of


def _lay(table: Table, event: events.CardsDrawn) -> Sequence[str]:
    """Returns the cards the draw could give: of the half deck in play, or of the whole deck.

    The drawn card is among them.
    """
    deck = cards_of(table, event.deck.partition(":")[2])
    return deck.left(None if chosen(table, "deck") == DeckMode.WHOLE else deck.half)


def _value(_table: Table, card: str) -> int:
    return rules.value(card)


COUNTED = Counted(
    Rounds("phase", frozenset({w.PhaseEnded}), begun_by=frozenset({w.IntentDeclared, w.IntentSealed})),
    Cards(
        "value",
        "Each card by its value, -12 to 13, against as many from the half (or the deck) as it lay when it was"
        " last made whole; who draws all of it comes out even.",
        _lay,
        _value,
        lambda card: str(rules.value(card)),
    ),
)
