"""Karma: spent on a hand, and filled up when an evening begins."""

from __future__ import annotations

from collections.abc import Mapping

from journal.decks import french
from journal.refused import Refused
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise.commands.dealing import deal
from journal.systems.bruise.commands.turns import contestant, declaration
from journal.systems.bruise.commands.verbs import SpendKarma
from journal.systems.bruise.rules import Potential
from journal.systems.bruise.state import Hand, Play, deck_of, play, sheet_of, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def spend_karma(situation: Situation, command: SpendKarma) -> list[Event]:
    """Cards of a hand are thrown away and drawn anew, before anybody has shown."""
    state = play(situation.here)
    who = contestant(situation, command.who, "spends Karma")
    name = situation.name(who)
    potential = Potential(command.potential)
    _check_karma(situation, state, who, potential)
    hand = state.hands[who].cards
    thrown = [french.read(card) for card in command.cards]
    for card in thrown:
        if thrown.count(card) > hand.count(card):
            raise Refused(f"{name} does not hold {card}. In hand: {' '.join(hand)}.")
    sheet = sheet_of(situation.table, who)
    drawn = deal(situation, who, len(thrown), fresh=False)
    events: list[Event] = [
        b.KarmaSpent(
            conflict=situation.here.id,
            who=who,
            potential=command.potential,
            discarded=tuple(thrown),
            left=sheet.karma[potential] - 1,
        ),
        e.CardsDrawn(
            conflict=situation.here.id,
            who=who,
            deck=f"bruise:{deck_of(situation.table, who)}",
            cards=drawn,
            purpose="karma",
        ),
    ]
    if command.text is not None:
        events.append(declaration(situation, who, command.text))
    return events


def _check_karma(situation: Situation, state: Play, who: int, potential: Potential) -> None:
    name = situation.name(who)
    if who in state.shown:
        raise Refused(f"{name} has shown: Karma is spent before Quality is declared.")
    if who not in state.hands:
        raise Refused(f"{name} has not drawn yet.")
    if state.tied_to is not potential:
        tied = f"to {state.tied_to}" if state.tied_to else "to neither end of the Wheel"
        raise Refused(f"This conflict is tied {tied}: Karma of {potential} does not reach it.")
    if state.spent.get(who, 0) >= int(situation.option("karma_per_draw")):
        raise Refused(f"{name} has spent Karma on this draw already.")
    if not _has_karma(situation, who):
        raise Refused(f"{name} has no player, and at this table only players' characters have Karma.")
    if sheet_of(situation.table, who).karma[potential] < 1:
        raise Refused(f"{name} has no Karma of {potential} left.")


def _has_karma(situation: Situation, who: int) -> bool:
    return situation.option("npc_karma") == "yes" or situation.table.people[who].player is not None


def karma_may_follow(situation: Situation, state: Play, hands: Mapping[int, Hand]) -> bool:
    """True while somebody could still spend Karma on the hand they hold."""
    potential = state.tied_to
    if potential is None:
        return False
    sheets = shelf(situation.table).sheets
    return any(
        who in sheets and sheets[who].karma[potential] > 0 and _has_karma(situation, who) for who in hands
    )


def begin_session(situation: Situation) -> list[Event]:
    """At the start of an evening Karma is filled up to the Wheel's ratings."""
    sheets = shelf(situation.table).sheets
    lacking = tuple(
        who
        for who, sheet in sheets.items()
        if any(sheet.karma[one] < sheet.wheel.rating(one) for one in Potential)
    )
    return [b.KarmaRefilled(people=lacking)] if lacking else []
