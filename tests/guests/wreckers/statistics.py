"""What is counted of Wreckers."""

from __future__ import annotations

from retold.game import Cards, Counted, Table, events
from tests.guests.wreckers.planted import door


def _lay(_table: Table, _event: events.CardsDrawn) -> tuple[str, ...]:
    door("lay")
    return ("low", "high")


COUNTED = Counted(cards=Cards("cards", "of the tide", _lay, lambda *_: 1, str))
