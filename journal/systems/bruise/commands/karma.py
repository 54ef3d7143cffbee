"""Karma: spent on a hand, and filled up when an evening begins; and what a conflict is tied to."""

from __future__ import annotations

from collections.abc import Mapping

from journal.decks import french
from journal.refused import Refused
from journal.shared.conflicts import contestant
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise.commands.dealing import deal, deck_in_use
from journal.systems.bruise.commands.turns import declaration
from journal.systems.bruise.commands.verbs import SpendKarma, TieTo
from journal.systems.bruise.options import chosen
from journal.systems.bruise.rules import Potential
from journal.systems.bruise.state import Hand, Play, deck_name, play, sheet_of, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def tie_to(situation: Situation, command: TieTo) -> list[Event]:
    """The conflict is tied to somebody's Destiny or Fate from now on, to everybody's, or to neither."""
    state = play(situation.here)
    people = tuple(dict.fromkeys(contestant(situation, who, "is tied to it") for who in command.who))
    potential = None if command.potential == "neither" else command.potential
    those = people or situation.here.people
    if all(state.end_of_wheel(who) == potential for who in those):
        raise Refused(f"It is tied to {command.potential} already for {situation.names(those)}.")
    return [b.ConflictTied(conflict=situation.here.id, people=people, potential=potential, text=command.text)]


def spend_karma(situation: Situation, command: SpendKarma) -> list[Event]:
    """Cards of a hand are thrown away and drawn anew, before its Quality is declared."""
    state = play(situation.here)
    who = contestant(situation, command.who, "spends Karma")
    name = situation.name(who)
    potential = Potential(command.potential)
    _check_karma(situation, state, who, potential)
    hand = state.hands[who].cards
    thrown = [french.read(card) for card in command.cards]
    for card in thrown:
        if thrown.count(card) > hand.count(card):
            raise Refused(f"{name} does not hold {card}. In hand: {' '.join(hand) or 'nothing'}.")
    sheet = sheet_of(situation.table, who)
    owner = deck_in_use(situation, who)
    drawn = deal(situation, who, len(thrown), owner=owner, fresh=False)
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
            deck=deck_name(owner),
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
    tied = state.end_of_wheel(who)
    if tied is not potential:
        to = f"to {tied}" if tied else "to neither end of the Wheel"
        for_whom = f" for {name}" if state.tied else ""
        raise Refused(f"This conflict is tied {to}{for_whom}: Karma of {potential} does not reach it.")
    if not _draw_is_open(situation, state, who):
        raise Refused(f"{name} has spent Karma on this draw already.")
    if not _has_karma(situation, who):
        raise Refused(f"{name} has no player, and at this table only players' characters have Karma.")
    if sheet_of(situation.table, who).karma[potential] < 1:
        raise Refused(f"{name} has no Karma of {potential} left.")


def _draw_is_open(situation: Situation, state: Play, who: int) -> bool:
    """True while this draw may be altered by Karma once more."""
    return state.spent.get(who, 0) < chosen.number(situation.table, "karma_per_draw")


def _has_karma(situation: Situation, who: int) -> bool:
    return chosen.yes(situation.table, "npc_karma") or situation.table.people[who].player is not None


def reached(situation: Situation, state: Play, who: int) -> Potential | None:
    """The Karma that `who` has and that this conflict is tied to, if there is any."""
    tied = state.end_of_wheel(who)
    if tied is None or not _has_karma(situation, who):
        return None
    return tied if sheet_of(situation.table, who).karma[tied] > 0 else None


def karma_may_follow(situation: Situation, state: Play, hands: Mapping[int, Hand]) -> bool:
    """True while somebody who has not shown has Karma that reaches the hand they hold."""
    return any(who not in state.shown and reached(situation, state, who) is not None for who in hands)


def may_spend(situation: Situation, state: Play, who: int) -> bool:
    """True if `who` may spend Karma on the hand they hold now."""
    if who not in state.hands or who in state.shown or not state.hands[who].cards:
        return False
    return reached(situation, state, who) is not None and _draw_is_open(situation, state, who)


def begin_session(situation: Situation) -> list[Event]:
    """At the start of an evening Karma is filled up to the Wheel's ratings."""
    sheets = shelf(situation.table).sheets
    lacking = tuple(
        who
        for who, sheet in sheets.items()
        if any(sheet.karma[one] < sheet.wheel.rating(one) for one in Potential)
    )
    return [b.KarmaRefilled(people=lacking)] if lacking else []
