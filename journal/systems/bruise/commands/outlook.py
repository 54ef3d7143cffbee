"""What may be done now: declaring, drawing, showing, a tie to settle, and who tells what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from journal.capabilities import Choice, Outlook
from journal.shared.rulings import answering
from journal.system import Situation
from journal.systems.bruise.commands.karma import karma_may_follow
from journal.systems.bruise.commands.rulings import pending
from journal.systems.bruise.commands.showdown import without_hand
from journal.systems.bruise.commands.standing import turn
from journal.systems.bruise.commands.turns import Turn
from journal.systems.bruise.commands.verbs import ChooseColour, Quality, SpendKarma
from journal.systems.bruise.state import ATTRIBUTES, play, sheet_of
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM
from journal.words import YET_TO_FIND

HANDS: Final = range(1, 9)
"""How many cards are offered for somebody without a sheet; a line may name any number."""


def outlook(situation: Situation) -> Outlook | None:
    """What may be said now in a conflict; outside one nothing waits."""
    if situation.conflict is None:
        return None
    asked = pending(situation.table, situation.here)
    told = (f"{turn(situation.table, situation.here)}.", *(one.asked for one in asked))
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
    """Each winner tells, and colours it where several suits are on top."""
    untold = [one for one in play(situation.here).results if not one.told]
    for result in untold:
        if result.colour is None and len(result.colours) > 1:
            for suit in result.colours:
                colours = ChooseColour(who=result.winner, suit=suit)
                yield Choice(result.winner, colours, "the colour of the hand won")
    for who in dict.fromkeys(one.winner for one in untold):
        yield Choice(who, c.Narrate(who=who, text=YET_TO_FIND), "what came of it")


def _drawing(situation: Situation) -> Iterator[Choice]:
    """Whoever has no hand yet, in the turn in play or in the next: what they mean to do, and their cards."""
    state, here = Turn.of(situation).state, situation.here
    missing = without_hand(here, state, state.hands)
    static = situation.option("difficulty") == "static"
    for who in missing:
        if who not in state.declared:
            yield Choice(who, c.Declare(who=who, text=YET_TO_FIND), "what they mean to do")
        if static and who not in here.sides[0]:
            for rank in ("9", "10", "J", "Q", "K", "A"):
                yield Choice(who, Quality(who=who, rank=rank), "the rank to beat")
        else:
            yield from _hands(situation, who)


def _hands(situation: Situation, who: int) -> Iterator[Choice]:
    """A hand for every pair of traits on the sheet; for somebody without a sheet, so many cards."""
    due = play(situation.here).due.get(who)
    if due is not None:
        yield Choice(who, c.Draw(who=who), f"{due} cards once more")
        return
    traits = sheet_of(situation.table, who).traits
    attributes = [trait for trait in traits if trait in ATTRIBUTES]
    others = [trait for trait in traits if trait not in ATTRIBUTES]
    for pair in product(attributes, others):
        yield Choice(who, c.Draw(who=who, traits=pair), "a hand for what is tried")
    if not attributes or not others:
        for count in HANDS:
            yield Choice(who, c.Draw(who=who, count=count), "so many cards")


def _showing(situation: Situation) -> Iterator[Choice]:
    """Once everybody has a hand: Karma where the conflict is tied to it, and showing."""
    state = play(situation.here)
    if not state.hands or state.over or without_hand(situation.here, state, state.hands):
        return
    if state.tied_to is not None and karma_may_follow(situation, state, state.hands):
        for who, hand in state.hands.items():
            for card in dict.fromkeys(hand.cards):
                karma = SpendKarma(who=who, potential=state.tied_to.value, cards=(card,))
                yield Choice(who, karma, "a point of Karma, and another card for it")
    yield Choice(GM, Quality(), "the hands are compared")
