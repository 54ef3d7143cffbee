"""Cards leave a deck: the player's own, or the Tale Weaver's."""

from __future__ import annotations

from collections.abc import Mapping

from journal.refused import Refused
from journal.system import Situation
from journal.systems.bruise.state import deck_of, gather, new_pile, shelf


def deal(situation: Situation, who: int, n: int, *, fresh: bool) -> tuple[str, ...]:
    """The next `n` cards of the deck `who` draws from."""
    table = situation.table
    owner = deck_of(table, who)
    pile = shelf(table).piles.get(owner) or new_pile(table)
    if fresh:
        pile = pile.copy()
        gather(pile, situation.here)
    luck = situation.luck
    try:
        return luck.draw(f"bruise:{owner}", pile.left(), n, unseen=True)
    except Refused as refusal:
        raise _told_by_name(situation, pile.out, refusal) from None


def _told_by_name(situation: Situation, out: Mapping[str, tuple[str, ...]], refusal: Refused) -> Refused:
    """The refusal in people's names where a card is in somebody's hand already."""
    card = getattr(refusal, "result", None)
    holder = out.get(card, ("",))[-1] if isinstance(card, str) else ""
    if holder.isdecimal():
        return Refused(f"{card} is out already: {situation.name(int(holder))} holds it.")
    if holder:
        return Refused(f"{card} is out already: it was discarded this turn.")
    return refusal
