"""What may be done now: declaring, drawing, showing, a tie to settle, and who tells what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from journal.capabilities import Choice, Outlook
from journal.shared.rulings import answering
from journal.system import Situation
from journal.systems.bruise.commands.karma import may_spend, reached
from journal.systems.bruise.commands.rulings import pending
from journal.systems.bruise.commands.showdown import quantity_range, unread, waiting, without_hand
from journal.systems.bruise.commands.standing import called_on, outcomes, turn
from journal.systems.bruise.commands.turns import Turn
from journal.systems.bruise.commands.verbs import ChooseColour, Quality, SpendKarma
from journal.systems.bruise.options import chosen
from journal.systems.bruise.state import ATTRIBUTES, Result, Sheet, play, rank_name, sheet_of
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM
from journal.words import YET_TO_FIND

RANKS: Final = ("9", "10", "J", "Q", "K", "A")
"""The ranks that are offered for a hand nobody writes down."""

MOST_COUNTED: Final = 12
"""How many Quantities are offered at most; a line may say any that the cards allow."""

HANDS: Final = range(1, 9)
"""How many cards are offered for somebody without a sheet; a line may name any number."""


def outlook(situation: Situation) -> Outlook | None:
    """What may be said now in a conflict; outside one nothing waits."""
    if situation.conflict is None:
        return None
    asked = pending(situation.table, situation.here)
    table, here = situation.table, situation.here
    told = (
        f"{turn(table, here)}.",
        *outcomes(table, here),
        *called_on(table, play(here)),
        *(one.asked for one in asked),
    )
    return Outlook(situation.here.id, told, tuple(_choices(situation)))


def _choices(situation: Situation) -> Iterator[Choice]:
    for asked in pending(situation.table, situation.here):
        yield from answering(asked)
    yield from _telling(situation)
    if all(result.told for result in play(situation.here).results):
        yield from _drawing(situation)
    yield from _showing(situation)
    if not Turn.of(situation).state.hands:
        yield Choice(GM, c.End(what="conflict"), "the conflict is over")


def _telling(situation: Situation) -> Iterator[Choice]:
    """Each winner says what the cards left open, colours it where several suits are on top, and tells."""
    untold = [one for one in play(situation.here).results if not one.told]
    for result in untold:
        if result.quantity is None:
            yield from _counting(situation, result)
        if result.colour is None and len(result.colours) > 1:
            for suit in result.colours:
                colours = ChooseColour(who=result.winner, suit=suit)
                yield Choice(result.winner, colours, "the colour of the hand won")
    for who in dict.fromkeys(one.winner for one in untold):
        yield Choice(who, c.Narrate(who=who, text=YET_TO_FIND), "what came of it")


def _counting(situation: Situation, result: Result) -> Iterator[Choice]:
    """Every Quantity that the cards allow."""
    hand = play(situation.here).hands.get(result.winner)
    least, most = quantity_range(situation, hand, result.quality, result.against)
    for quantity in range(least, min(most, least + MOST_COUNTED) + 1):
        said = Quality(
            who=result.winner, rank=rank_name(result.quality), quantity=quantity, loser=result.loser
        )
        yield Choice(result.winner, said, "how many cards counted")


def _drawing(situation: Situation) -> Iterator[Choice]:
    """Whoever has no hand yet, in the turn in play or in the next: what they mean to do, and their cards."""
    state, here = Turn.of(situation).state, situation.here
    static = chosen(situation.table, "difficulty") == "static"
    for who in without_hand(here, state, state.hands):
        if who not in state.declared:
            yield Choice(who, c.Declare(who=who, text=YET_TO_FIND), "what they mean to do")
        if static and who not in here.sides[0]:
            yield from _ranks(who, "the rank to beat")
        else:
            yield from _hands(situation, who)


def _ranks(who: int, comes_to: str) -> Iterator[Choice]:
    for rank in RANKS:
        yield Choice(who, Quality(who=who, rank=rank), comes_to)


def _hands(situation: Situation, who: int) -> Iterator[Choice]:
    """A hand for every pair of traits on the sheet; for somebody without a sheet, so many cards."""
    due = play(situation.here).due
    if due.get(who) is not None:
        yield Choice(who, c.Draw(who=who), f"{due[who]} cards once more")
        return
    pairs = _pairs(sheet_of(situation.table, who))
    for pair in pairs:
        yield Choice(who, c.Draw(who=who, traits=pair), "a hand for what is tried")
    if not pairs:
        for count in HANDS:
            yield Choice(who, c.Draw(who=who, count=count), "so many cards")
    if not pairs or who in due:
        yield from _ranks(who, "the rank of cards that nobody writes down")


def _pairs(sheet: Sheet) -> list[tuple[str, str]]:
    """What may be drawn for: an attribute and a skill, or one meme in place of either."""
    attributes = [trait for trait in sheet.traits if trait in ATTRIBUTES]
    memes = [trait for trait in sheet.traits if trait in sheet.memes]
    skills = [trait for trait in sheet.traits if trait not in (*ATTRIBUTES, *memes)]
    return [*product(attributes, skills), *product(attributes, memes), *product(memes, skills)]


def _showing(situation: Situation) -> Iterator[Choice]:
    """Karma where the conflict is tied to it, a Quality to call out; once everybody has a hand, showing."""
    state = play(situation.here)
    if not state.hands or state.over or state.ties:
        return
    for who, hand in state.hands.items():
        potential = reached(situation, state, who)
        if potential is not None and may_spend(situation, state, who):
            for card in dict.fromkeys(hand.cards):
                karma = SpendKarma(who=who, potential=potential.value, cards=(card,))
                yield Choice(who, karma, "a point of Karma, and another card for it")
            yield Choice(who, Quality(who=who), "their hand as it is")
    for who in unread(situation.here, state, state.hands):
        yield from _ranks(who, "the Quality of cards nobody named")
    if not waiting(situation.here, state, state.hands):
        yield Choice(GM, Quality(), "the hands are compared")
