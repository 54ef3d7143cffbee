"""A card and a d6, from the deck of the faction that checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from journal.decks import dice, french
from journal.decks.chance import Luck
from journal.decks.pile import DISCARD
from journal.refused import Refused
from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.options import NAME, chosen
from journal.systems.whiskey.rules import D6, D26, DeckMode, Half
from journal.systems.whiskey.state import Cards, deck_name, faction, shelf
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


class Dealt(NamedTuple):
    """What came up: the card, if there was one, its value, the d6, and all that happened."""

    before: list[Event]
    card: str | None
    c: int
    d: int
    after: list[Event]


def deal(situation: Situation, conflict: int | None, who: int, faction: str) -> Dealt:
    """The card and the d6 of one check."""
    mode = chosen.kind(situation.table, "deck", DeckMode)
    luck = situation.luck
    if luck.called and luck.rest() < 2:
        example = "17 2" if mode is DeckMode.D26 else "5H 2"
        named = "a d26 and a d6" if mode is DeckMode.D26 else "a card and a d6"
        raise Refused(f"A check is {named} together: = {example}.")
    if mode is DeckMode.D26:
        face, d = _in_order(luck)
        rolled = e.DiceRolled(conflict=conflict, who=who, dice=dice.text((D26, D6)), faces=(face, d))
        return Dealt([rolled], None, face - rules.KING, d, [])
    found = shelf(situation.table).cards.get(faction, Cards())
    cards = replace(found, pile=found.pile.copy())
    halves = mode is DeckMode.HALVES
    before: list[Event] = list(_made_whole(cards, conflict, faction, halves=halves))
    card = _card(luck, cards, faction, cards.half if halves else None)
    (d,) = luck.faces((D6,))
    before += [
        e.CardsDrawn(conflict=conflict, who=who, deck=deck_name(faction), cards=(card,), purpose="check"),
        e.DiceRolled(conflict=conflict, who=who, dice=dice.text((D6,)), faces=(d,)),
    ]
    cards.pile.take(card, DISCARD)
    after: list[Event] = list(_made_whole(cards, conflict, faction, halves=halves))
    return Dealt(before, card, rules.value(card), d, after)


def to_come(table: Table, faction: str) -> tuple[int, ...]:
    """The values that may come up in the next check of a faction, each as likely."""
    mode = chosen.kind(table, "deck", DeckMode)
    if mode is DeckMode.D26:
        return tuple(face - rules.KING for face in range(1, D26 + 1))
    found = shelf(table).cards.get(faction, Cards())
    cards = replace(found, pile=found.pile.copy())
    list(_made_whole(cards, None, faction, halves=mode is DeckMode.HALVES))
    return tuple(map(rules.value, cards.left(cards.half if mode is DeckMode.HALVES else None)))


def _in_order(luck: Luck) -> tuple[int, int]:
    """The d26 and the d6, each face for the die it stands for: a 3 could be of either."""
    try:
        (face,), (d,) = luck.faces((D26,)), luck.faces((D6,))
    except Refused as refusal:
        raise Refused(f"{refusal.sentence} First stands the d26, then the d6: = 17 2.") from None
    return face, d


def _made_whole(cards: Cards, conflict: int | None, faction: str, *, halves: bool) -> Iterator[Event]:
    """What is spent goes back at once: the half, and the other comes in play; or the whole deck."""
    while not cards.left(cards.half if halves else None):
        spent = cards.half if halves else None
        cards.gather(spent)
        if halves:
            cards.half = cards.half.other
        yield w.DeckReshuffled(conflict=conflict, faction=faction, spent=spent, half=cards.half, why="spent")


def _card(luck: Luck, cards: Cards, faction: str, half: Half | None) -> str:
    """The next card; one called by its value is the card of that value."""
    left = cards.left(half)
    if not luck.called:
        return luck.draw(deck_name(faction), left, 1)[0]
    values: dict[str, list[str]] = {}
    for card in left:
        values.setdefault(str(rules.value(card)), []).append(card)
    try:
        (drawn,) = luck.draw(deck_name(faction), (*left, *values), 1)
    except Refused as refusal:
        raise _why_not(refusal, cards, half) from None
    return drawn if drawn in french.DECK else _of_value(drawn, values)


def _of_value(drawn: str, values: Mapping[str, Sequence[str]]) -> str:
    of_that_value = values[drawn]
    if len(of_that_value) > 1:
        raise Refused(f"{drawn} may be {' or '.join(of_that_value)}: write the card.")
    return of_that_value[0]


def _why_not(refusal: Refused, cards: Cards, half: Half | None) -> Refused:
    """Why a card that was called cannot come up."""
    result = getattr(refusal, "result", None)
    if not isinstance(result, str):
        return refusal
    if result in french.DECK:
        return _not_this(result, result, cards, half)
    of_that_value = [card for card in french.DECK if str(rules.value(card)) == result]
    meant = [card for card in of_that_value if half in (None, rules.half_of(card))]
    if not meant:
        return Refused(f"{result} is no card here: write 5H, or a value from -12 to 13.")
    return _not_this(result, " and ".join(meant), cards, half)


def _not_this(called: str, card: str, cards: Cards, half: Half | None) -> Refused:
    shown = card if called == card else f"{called} ({card})"
    if half is not None and called == card and rules.half_of(card) is not half:
        return Refused(
            f"{shown} lies in the half at rest: {half} are in play until their {_left(cards)} spent."
        )
    back = "its half is spent" if half is not None else "the deck is spent"
    return Refused(f"{shown} is discarded already, and comes back when {back}.")


def _left(cards: Cards) -> str:
    left = len(cards.left(cards.half))
    return "last card is" if left == 1 else f"last {left} cards are"


# --- shuffled ---------------------------------------------------------------------------------------------


def shuffle(situation: Situation, command: c.Shuffle) -> list[Event]:
    """All that is out goes back; the half in play stays in play."""
    if chosen(situation.table, "deck") == DeckMode.D26:
        raise Refused("This table rolls a d26 (option whiskey.deck=d26): there is no deck to shuffle.")
    whose = _whose(situation, command.who)
    cards = shelf(situation.table).cards.get(whose)
    if cards is None or not cards.discarded():
        raise Refused(f"The {whose} deck is whole: nothing of it is out.")
    conflict = situation.where_in(NAME)
    return [w.DeckReshuffled(conflict=conflict, faction=whose, half=cards.half, why="asked")]


def _whose(situation: Situation, who: int | None) -> str:
    """The faction of whoever is named; with nobody named, the only one that has cards out."""
    if who is not None:
        return faction(situation.table, who)
    begun = [name for name, cards in shelf(situation.table).cards.items() if cards.discarded()]
    if not begun:
        raise Refused("Every Whiskey deck is whole: nothing is out.")
    if len(begun) > 1:
        raise Refused(f"Say whose deck, by anybody who draws from it: shuffle NAME ({', '.join(begun)}).")
    return begun[0]
