"""Somebody shows their Quality, says the rank of a hand nobody wrote down, or how many cards counted."""

from __future__ import annotations

from journal.names import owning
from journal.refused import Refused
from journal.shared.conflicts import contestant
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.commands.karma import may_spend
from journal.systems.bruise.commands.showdown import (
    ace_of,
    check_quantity,
    playing,
    quality_of,
    quantity_range,
    show_all,
    unread,
    waiting,
    without_hand,
)
from journal.systems.bruise.commands.turns import Turn
from journal.systems.bruise.commands.verbs import Quality
from journal.systems.bruise.options import chosen
from journal.systems.bruise.rules import Ace
from journal.systems.bruise.state import Hand, Play, Result, new_pile, play, rank_name
from journal.vocabulary.base import Event

RANKS = {"J": 11, "Q": 12, "K": 13, "T": 10}
LOWEST_NUMBER, HIGHEST_NUMBER = 2, 10


def quality(situation: Situation, command: Quality) -> list[Event]:
    """Somebody shows, or everybody; with the last, the hands are compared."""
    situation.nothing_pending(situation.here)
    state = play(situation.here)
    said = _of_a_hand_won(situation, state, command)
    if said:
        return said
    if state.over:
        if command.who is None or command.rank is None:
            raise Refused("Everybody has shown: the next turn begins with a declaration or a draw.")
        turn = Turn.of(situation)
        return [*turn.before, *_shown(situation, turn.state, command)]
    if command.who is None:
        _check_all_ready(situation, state)
        return show_all(situation, state, state.hands, {})
    return _shown(situation, state, command)


def _check_all_ready(situation: Situation, state: Play) -> None:
    """Refuses while somebody's Quality cannot be known."""
    missing = without_hand(situation.here, state, state.hands)
    if missing:
        names = ", ".join(map(situation.name, missing))
        raise Refused(f"Not everybody has a hand: {names} (draw, or quality NAME RANK).")
    unnamed = unread(situation.here, state, state.hands)
    if unnamed:
        quoted = situation.quoted(unnamed[0])
        raise Refused(f"Nobody has named a card of {owning(situation.name(unnamed[0]))}: quality {quoted} 9.")


# --- a hand that was won ----------------------------------------------------------------------------------


def _of_a_hand_won(situation: Situation, state: Play, command: Quality) -> list[Event]:
    """The Quantity of hands just won, where the cards left it open and their winner says it."""
    if command.quantity is None or command.rank is None:
        if command.loser is not None:
            raise Refused("Say the rank and the Quantity: quality Zel K 2 vs Guards.")
        return []
    rank = _rank(situation, command.rank)
    won = [
        one
        for one in state.results
        if (one.winner, one.quality, one.quantity, one.told) == (command.who, rank, None, False)
        if command.loser in (None, one.loser)
    ]
    if command.loser is not None and not won:
        raise Refused(f"No such hand was won against {situation.name(command.loser)} this turn.")
    if not won:
        return []
    return _quantities(situation, state, won, command.quantity)


def _quantities(situation: Situation, state: Play, won: list[Result], said: int) -> list[Event]:
    winner = won[0].winner
    if len({one.against for one in won}) > 1:
        losers = " or ".join(situation.quoted(one.loser) for one in won)
        raise Refused(f"Say against whom that counts, after vs: {losers}.")
    least, most = quantity_range(situation, state.hands.get(winner), won[0].quality, won[0].against)
    check_quantity(situation, winner, said, range(least, most + 1))
    return [
        b.QuantitySaid(conflict=situation.here.id, winner=winner, loser=one.loser, quantity=said)
        for one in won
    ]


# --- a hand that is shown ---------------------------------------------------------------------------------


def _shown(situation: Situation, state: Play, command: Quality) -> list[Event]:
    """One hand is locked; the others show with it unless somebody may still spend Karma, or has to speak."""
    who = contestant(situation, command.who, "shows")
    if who in state.shown:
        raise Refused(f"{situation.name(who)} has shown already.")
    if who in state.late:
        raise Refused(
            f"{situation.name(who)} came in after a Quality was shown, and plays from the next turn on."
        )
    declared = _declared_quality(situation, state, who, command)
    others = [one for one in playing(situation.here, state) if one != who]
    still = [one for one in waiting(situation.here, state, state.hands) if one != who]
    if still or any(may_spend(situation, state, one) for one in others):
        return [declared]
    return show_all(situation, state, state.hands, {who: declared})


def _declared_quality(situation: Situation, state: Play, who: int, command: Quality) -> b.QualityDeclared:
    """The Quality a hand has, or the one called out for a hand that was not written down."""
    hand = state.hands.get(who)
    called = None if command.rank is None else _rank(situation, command.rank)
    if hand is not None and rules.readable(hand.cards):
        return _read_off(situation, state, who, called, command.quantity)
    if called is None:
        missing = (
            "no hand: draw, or say the rank"
            if hand is None
            else "a hand of which no card is named: say its rank"
        )
        raise Refused(f"{situation.name(who)} has {missing} (quality {situation.quoted(who)} 9).")
    if called == 0 and hand is not None and not chosen.number(situation.table, "jokers"):
        raise Refused(f"{situation.name(who)} holds cards, so their Quality is above 0.")
    if command.quantity is not None:
        most = len(new_pile(situation.table).cards) if hand is None else len(hand.cards)
        check_quantity(situation, who, command.quantity, range(min(called, 1), most + 1))
    return b.QualityDeclared(conflict=situation.here.id, who=who, quality=called, quantity=command.quantity)


def _read_off(
    situation: Situation, state: Play, who: int, called: int | None, said: int | None
) -> b.QualityDeclared:
    """The Quality that the cards recorded show, which has to be what was called."""
    hand = state.hands[who]
    holds = quality_of(situation, hand)
    if called is not None and called != holds:
        name = situation.name(who)
        raise Refused(f"{name} called {rank_name(called)}, but the cards recorded show {rank_name(holds)}.")
    if said is not None:
        known = _known_quantities(situation, state, who)
        check_quantity(situation, who, said, known or _possible_quantities(situation, hand))
        # What the cards will say once the others have shown, nobody has to say.
        said = said if known or not rules.named_in_full(hand.cards) else None
    return b.QualityDeclared(conflict=situation.here.id, who=who, quality=holds, quantity=said)


def _known_quantities(situation: Situation, state: Play, who: int) -> set[int]:
    """What the Quantity can be, hand by hand, once everybody else has shown; nothing before."""
    hand = state.hands[who]
    others = [one for one in playing(situation.here, state) if one != who]
    if any(one not in state.shown for one in others):
        return set()
    holds = quality_of(situation, hand)
    ranges = [quantity_range(situation, hand, holds, state.shown[one].quality) for one in others]
    return {possible for least, most in ranges for possible in range(least, most + 1)}


def _possible_quantities(situation: Situation, hand: Hand) -> set[int]:
    """What the Quantity can come to against any Quality that this hand beats."""
    holds = quality_of(situation, hand)
    ranges = [quantity_range(situation, hand, holds, against) for against in range(holds + 1)]
    return {possible for least, most in ranges for possible in range(least, most + 1)}


def _rank(situation: Situation, typed: str) -> int:
    word = typed.casefold()
    if word == "joker":
        return chosen.number(situation.table, "joker")
    names = {"ace": "A", "king": "K", "queen": "Q", "jack": "J"}
    rank = names.get(word, typed.upper())
    ace = 14 if ace_of(situation) is Ace.HIGH else 1
    if rank == "A":
        return ace
    if rank in RANKS:
        return RANKS[rank]
    if rank.isdecimal() and (int(rank) in (0, ace) or LOWEST_NUMBER <= int(rank) <= HIGHEST_NUMBER):
        return int(rank)
    raise Refused(f"{typed} is no rank: A, K, Q, J or a number from 2 to 10, or 0 for no card that counts.")
