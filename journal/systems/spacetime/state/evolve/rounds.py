"""A round: tactics, cards and what they come to, and who tells it; or what is drawn against a challenge."""

from __future__ import annotations

from collections.abc import Mapping

from journal.decks import spacetime
from journal.systems.spacetime import events as s
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.rules import Balance
from journal.systems.spacetime.state.deck import DECK, clear, make_whole, place
from journal.systems.spacetime.state.found import holder, own, own_pile, play, play_in, speaks_for, tokens
from journal.systems.spacetime.state.play import Round
from journal.table import Handler, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def _declared(table: Table, event: e.Declared) -> None:
    conflict = table.conflicts[event.conflict or 0]
    state = play(conflict)
    state.round.tactics.add(speaks_for(conflict, event.who))
    if state.challenge is not None and event.setup:
        state.challenge.attribute = int(next(iter(event.setup.values())))


def _cards_drawn(table: Table, event: e.CardsDrawn) -> None:
    conflict = table.conflicts[event.conflict or 0]
    state = play(conflict)
    for card in event.cards:
        own_pile(table).take(card, place(conflict.id, event.who))
    state.cards[event.who] = state.cards.get(event.who, 0) + len(event.cards)
    if event.purpose == "narration":
        state.round.replacement = event.cards[0]
    elif state.challenge is None:
        state.round.hands.setdefault(event.who, []).extend(event.cards)
    elif event.who == state.obstacle:
        laid = [card for card in event.cards if spacetime.upright(card) != spacetime.EXCUSE]
        state.challenge.laid = [*(state.challenge.laid or ()), *laid]
    else:
        state.challenge.drawn.extend(event.cards)


def _deck_shuffled(table: Table, event: e.DeckShuffled) -> None:
    if event.deck == DECK:
        make_whole(own_pile(table), chosen(table, "blank_cards"))


def _flow_resolved(table: Table, event: s.FlowResolved) -> None:
    state = play_in(table, event.conflict)
    state.standing = Balance(event.level, event.advantaged)
    state.round.flow = event.rule
    state.round.order = event.order
    state.round.told.clear()


def _excuse_discarded(table: Table, event: s.ExcuseDiscarded) -> None:
    state = play_in(table, event.conflict)
    own_pile(table).discard(spacetime.EXCUSE, place(event.conflict, event.who))
    if state.challenge is None:
        state.round.excused = event.who


def _victory_reached(table: Table, event: s.VictoryReached) -> None:
    play_in(table, event.conflict).winner = event.who


def _round_ended(table: Table, event: s.RoundEnded) -> None:
    clear(own_pile(table), event.conflict, chosen(table, "blank_cards"))
    state = play_in(table, event.conflict)
    state.round = Round(event.round + 1, struck=state.round.struck)


def _narrated(table: Table, event: e.Narrated) -> None:
    round_ = play_in(table, event.conflict).round
    round_.told.add(event.who)
    round_.struck.discard(event.who)


def _narration_overruled(table: Table, event: e.NarrationOverruled) -> None:
    round_ = play_in(table, event.conflict).round
    if event.how == "token":
        spender = holder(table, event.by)
        own(table).tokens[spender] = tokens(table, event.by) - 1
    last = table.narrations.get(event.whose)
    if last is not None and last.conflict == event.conflict:
        round_.told.discard(event.whose)
        round_.struck.add(event.whose)


def _drawing_stopped(table: Table, event: s.DrawingStopped) -> None:
    challenge = play_in(table, event.conflict).challenge
    if challenge is not None:
        challenge.stopped = event.why


def _challenge_met(table: Table, event: s.ChallengeMet) -> None:
    state = play_in(table, event.conflict)
    if state.challenge is not None:
        state.challenge.met = event
        state.round.order = (event.who,)
        state.round.told.clear()


HANDLERS: Mapping[type[Event], Handler] = {
    e.Declared: _declared,
    e.CardsDrawn: _cards_drawn,
    e.DeckShuffled: _deck_shuffled,
    e.Narrated: _narrated,
    e.NarrationOverruled: _narration_overruled,
    s.FlowResolved: _flow_resolved,
    s.ExcuseDiscarded: _excuse_discarded,
    s.VictoryReached: _victory_reached,
    s.RoundEnded: _round_ended,
    s.DrawingStopped: _drawing_stopped,
    s.ChallengeMet: _challenge_met,
}
