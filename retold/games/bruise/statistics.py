"""Statistics of Bruise: ranks of the cards drawn, and turns."""

from __future__ import annotations

from collections.abc import Sequence

from retold.game import Cards, Counted, Rounds, Table, events, french
from retold.games.bruise import events as b
from retold.games.bruise.options import chosen
from retold.games.bruise.rules import Ace
from retold.games.bruise.state import game_state, owner_of


def _lay(table: Table, event: events.CardsDrawn) -> Sequence[str] | None:
    """Returns the cards of the deck just before the draw; None if a drawn card is unknown."""
    if french.UNSEEN in event.cards:
        return None
    return (*game_state(table).piles[owner_of(event.deck)].left(), *event.cards)


def _rank(table: Table, card: str) -> int:
    if card == french.JOKER:
        return chosen.number(table, "joker")
    return french.rank(card, ace_high=chosen(table, "ace") == Ace.HIGH)


def _label(card: str) -> str:
    return card if card == french.JOKER else card[:-1]


COUNTED = Counted(
    Rounds("turn", frozenset({b.TurnEnded})),
    Cards(
        "rank",
        "Each card by its rank (jack 11, queen 12, king 13, ace 14 joker 0, or as the table has them),"
        " against as many from the deck as it lay when it was last shuffled.",
        _lay,
        _rank,
        _label,
    ),
)
