"""Somebody shows their Quality, or says the rank of a hand nobody wrote down."""

from __future__ import annotations

from journal.refused import Refused
from journal.system import Situation
from journal.systems.bruise import events as b
from journal.systems.bruise import rules
from journal.systems.bruise.commands.showdown import ace_of, show_all, without_hand
from journal.systems.bruise.commands.turns import Turn, contestant
from journal.systems.bruise.commands.verbs import Quality
from journal.systems.bruise.rules import Ace
from journal.systems.bruise.state import Play, play, rank_name
from journal.vocabulary.base import Event

RANKS = {"J": 11, "Q": 12, "K": 13, "T": 10}


def quality(situation: Situation, command: Quality) -> list[Event]:
    """Somebody shows, or everybody; with the last, the hands are compared."""
    situation.nothing_pending(situation.here)
    state = play(situation.here)
    if state.over:
        if command.who is None or command.rank is None:
            raise Refused("Everybody has shown: the next turn begins with a declaration or a draw.")
        turn = Turn.of(situation)
        return [*turn.before, *_shown(situation, turn.state, command)]
    if command.who is None:
        missing = without_hand(situation.here, state, state.hands)
        if missing:
            names = ", ".join(map(situation.name, missing))
            raise Refused(f"Not everybody has a hand: {names} (draw, or quality NAME RANK).")
        return show_all(situation, state, state.hands, {})
    return _shown(situation, state, command)


def _shown(situation: Situation, state: Play, command: Quality) -> list[Event]:
    who = contestant(situation, command.who, "shows")
    if who in state.shown:
        raise Refused(f"{situation.name(who)} has shown already.")
    declared = _declared_quality(situation, state, who, command)
    others_missing = [one for one in without_hand(situation.here, state, state.hands) if one != who]
    if others_missing:
        return [declared]
    return show_all(situation, state, state.hands, {who: declared})


def _declared_quality(situation: Situation, state: Play, who: int, command: Quality) -> b.QualityDeclared:
    """The Quality a hand has, or the one called out for a hand that was not written down."""
    hand = state.hands.get(who)
    called = None if command.rank is None else _rank(situation, command.rank)
    if hand is None:
        if called is None:
            raise Refused(f"{situation.name(who)} has no hand: draw, or say the rank.")
        return b.QualityDeclared(
            conflict=situation.here.id, who=who, quality=called, quantity=command.quantity
        )
    holds = rules.quality(hand.cards, ace=ace_of(situation))
    if called is not None and called != holds:
        name = situation.name(who)
        raise Refused(f"{name} called {rank_name(called)}, but the cards recorded show {rank_name(holds)}.")
    return b.QualityDeclared(conflict=situation.here.id, who=who, quality=holds, quantity=command.quantity)


def _rank(situation: Situation, typed: str) -> int:
    word = typed.casefold()
    names = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "joker": "0"}
    rank = names.get(word, typed.upper())
    if rank == "A":
        return 14 if ace_of(situation) is Ace.HIGH else 1
    if rank in RANKS:
        return RANKS[rank]
    if rank.isdecimal() and int(rank) <= 10:
        return int(rank)
    raise Refused(f"{typed} is no rank: A, K, Q, J or a number up to 10.")
