"""Cards leave a deck: the player's own, or the Tale Weaver's."""

from __future__ import annotations

from journal.decks.pile import Pile
from journal.names import owning
from journal.refused import Refused
from journal.system import Situation
from journal.systems.bruise.state import (
    deck_name,
    deck_of,
    gather,
    new_pile,
    person_at,
    pile_of,
    play,
    shelf,
)
from journal.vocabulary.base import GM


def deck_in_use(situation: Situation, who: int) -> int:
    """Whose deck `who` draws from now: the one the hand they hold came from, if they hold one."""
    hand = play(situation.here).hands.get(who)
    return deck_of(situation.table, who) if hand is None else hand.owner


def lying(situation: Situation, owner: int, *, fresh: bool) -> Pile:
    """The deck of `owner` as it lies; `fresh` once the turn in play is over, and its cards are back."""
    table = situation.table
    pile = pile_of(table, shelf(table).piles, owner)
    if not fresh:
        return pile
    whole = pile.copy()
    gather(whole, table.conflicts.keys() - {situation.here.id})
    return whole if whole.out else new_pile(table)


def deal(situation: Situation, who: int, n: int, *, owner: int, fresh: bool) -> tuple[str, ...]:
    """The next `n` cards of the deck of `owner`, for `who`; Refused if it has not so many."""
    pile = lying(situation, owner, fresh=fresh)
    left = pile.left()
    if n > len(left):
        whose = "The Tale Weaver's" if owner == GM else owning(situation.name(owner))
        raise Refused(
            f"{whose} deck has {len(left)} cards left, so {n} cannot be drawn: draw no more than that."
        )
    try:
        return situation.luck.draw(deck_name(owner), left, n, unseen=True)
    except Refused as refusal:
        raise _told_by_name(situation, pile, refusal) from None


def _told_by_name(situation: Situation, pile: Pile, refusal: Refused) -> Refused:
    """The refusal in people's names where a card is in somebody's hand already."""
    card = getattr(refusal, "result", None)
    places = pile.out.get(card, ()) if isinstance(card, str) else ()
    if not places:
        return refusal
    holder = person_at(places[-1])
    if holder is None:
        return Refused(f"{card} is out already: it was discarded this turn.")
    return Refused(f"{card} is out already: {situation.name(holder)} holds it.")
