"""What each event changes for Space·Time."""

from __future__ import annotations

from collections.abc import Mapping

from journal.decks import spacetime
from journal.systems.spacetime import events as s
from journal.systems.spacetime.options import NAME, chosen
from journal.systems.spacetime.rules import Balance, Level
from journal.systems.spacetime.state import sides
from journal.systems.spacetime.state.deck import DECK, clear, make_whole, place, refit
from journal.systems.spacetime.state.found import holder, own, own_pile, play, shelf, tokens
from journal.systems.spacetime.state.play import Challenge, Mode, Play, Round
from journal.systems.spacetime.state.shelf import Owed, Shelf
from journal.table import Handler, OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

# --- a conflict -------------------------------------------------------------------------------------------


def _opened(table: Table, event: e.ConflictOpened) -> None:
    obstacle = event.setup.get("obstacle")
    state = Play(
        obstacle=obstacle if isinstance(obstacle, int) else None,
        mode=Mode(str(event.setup.get("mode", Mode.CONFLICT))),
    )
    conflict = table.conflicts[event.conflict]
    conflict.state = state
    state.challenge = _fresh(conflict, state)
    state.leads = conflict.leads
    own(table)


def _fresh(conflict: OpenConflict, state: Play) -> Challenge | None:
    """The challenge of this conflict before anybody has done anything; one of rank 0 has nothing to lay."""
    if state.mode is not Mode.CHALLENGE:
        return None
    rank = int(conflict.setup.get("rank", 0))
    return Challenge(rank, laid=None if rank else [])


def _option_set(table: Table, event: e.OptionSet) -> None:
    pile = shelf(table).pile
    if event.system == NAME and event.key == "blank_cards" and pile is not None:
        refit(pile, event.value)


def _balance_set(table: Table, event: s.BalanceSet) -> None:
    state = play(table.conflicts[event.conflict])
    state.standing = Balance(event.level, event.advantaged)
    if event.level is not Level.VICTORY:
        state.winner = None


def _tokens_given(table: Table, event: s.TokensGiven) -> None:
    dealt = dict.fromkeys(event.people, event.each)
    own(table).tokens.update(dealt)
    own(table).given.update(dealt)


# --- a round ----------------------------------------------------------------------------------------------


def _party(conflict: OpenConflict, who: int) -> int:
    """The party somebody speaks for; themselves if they are on no side."""
    party = conflict.side_of(who)
    return who if party is None else party


def _declared(table: Table, event: e.Declared) -> None:
    conflict = table.conflicts[event.conflict or 0]
    state = play(conflict)
    state.round.tactics.add(_party(conflict, event.who))
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
    state = play(table.conflicts[event.conflict])
    state.standing = Balance(event.level, event.advantaged)
    state.round.flow = event.rule
    state.round.order = event.order
    state.round.told.clear()


def _excuse_discarded(table: Table, event: s.ExcuseDiscarded) -> None:
    state = play(table.conflicts[event.conflict])
    own_pile(table).discard(spacetime.EXCUSE, place(event.conflict, event.who))
    if state.challenge is None:
        state.round.excused = event.who


def _victory_reached(table: Table, event: s.VictoryReached) -> None:
    play(table.conflicts[event.conflict]).winner = event.who


def _round_ended(table: Table, event: s.RoundEnded) -> None:
    clear(own_pile(table), event.conflict, chosen(table, "blank_cards"))
    state = play(table.conflicts[event.conflict])
    state.round = Round(event.round + 1, struck=state.round.struck)


def _party_left(table: Table, event: s.PartyLeft) -> None:
    conflict = table.conflicts[event.conflict]
    party = _party(conflict, event.who)
    (people,) = (side for side in conflict.sides if side[0] == party)
    conflict.sides = tuple(side for side in conflict.sides if side[0] != party)
    pile = own_pile(table)
    sides.went(pile, conflict, play(conflict), people, party)
    refit(pile, chosen(table, "blank_cards"))


def _outcome_desired(table: Table, event: s.OutcomeDesired) -> None:
    conflict = table.conflicts[event.conflict]
    party = _party(conflict, event.who)
    play(conflict).desired.add(party)
    play(conflict).newcomers.discard(party)


def _reformulated(table: Table, event: s.ConflictReformulated) -> None:
    conflict = table.conflicts[event.conflict]
    old = play(conflict)
    before = conflict.sides
    clear(own_pile(table), event.conflict, chosen(table, "blank_cards"))
    conflict.sides = event.sides
    stays = old.obstacle in conflict.leads
    new = Play(
        standing=Balance(event.level, event.advantaged),
        obstacle=old.obstacle if stays else None,
        mode=old.mode if stays else Mode.CONFLICT,
        cards=sides.counted_anew(old.cards, before, event.sides),
        complications=sides.counted_anew(old.complications, before, event.sides),
        round=Round(struck=old.round.struck),
    )
    new.challenge = _fresh(conflict, new)
    new.leads = conflict.leads
    conflict.state = new


def _joined(table: Table, event: e.Joined) -> None:
    conflict = table.conflicts[event.conflict]
    sides.came(conflict, play(conflict))


def _left(table: Table, event: e.Left) -> None:
    conflict = table.conflicts[event.conflict]
    pile = own_pile(table)
    sides.went(pile, conflict, play(conflict), event.people, event.side)
    refit(pile, chosen(table, "blank_cards"))


# --- telling ----------------------------------------------------------------------------------------------


def _narrated(table: Table, event: e.Narrated) -> None:
    round_ = play(table.conflicts[event.conflict or 0]).round
    round_.told.add(event.who)
    round_.struck.discard(event.who)


def _narration_overruled(table: Table, event: e.NarrationOverruled) -> None:
    round_ = play(table.conflicts[event.conflict or 0]).round
    if event.how == "token":
        spender = holder(table, event.by)
        own(table).tokens[spender] = tokens(table, event.by) - 1
    last = table.narrations.get(event.whose)
    if last is not None and last.conflict == event.conflict:
        round_.told.discard(event.whose)
        round_.struck.add(event.whose)


def _complication_added(table: Table, event: s.ComplicationAdded) -> None:
    conflict = table.conflicts.get(event.conflict)
    party = None if conflict is None else conflict.side_of(event.who)
    if conflict is None or party is None or play(conflict).owed(party) < 1:
        _told_afterwards(own(table), event)
        return
    told = play(conflict).complications
    told[party] = told.get(party, 0) + 1


def _session_opened(table: Table, _event: e.SessionOpened) -> None:
    shelf(table).owed.clear()


def _told_afterwards(shelf_: Shelf, event: s.ComplicationAdded) -> None:
    """One less is owed by a party that is out of its conflict."""
    for owed in shelf_.owed:
        if owed.conflict == event.conflict and event.who in owed.people:
            owed.number -= 1
            break
    shelf_.owed = [owed for owed in shelf_.owed if owed.number > 0]


def _complications_left(table: Table, event: s.ComplicationsLeft) -> None:
    own(table).owed.append(Owed(event.conflict, event.people, event.number))


def _sleeve_gained(table: Table, event: s.SleeveGained) -> None:
    own(table).sleeve[event.who] = event.total


# --- a challenge, and rulings -----------------------------------------------------------------------------


def _drawing_stopped(table: Table, event: s.DrawingStopped) -> None:
    challenge = play(table.conflicts[event.conflict]).challenge
    if challenge is not None:
        challenge.stopped = event.why


def _challenge_met(table: Table, event: s.ChallengeMet) -> None:
    state = play(table.conflicts[event.conflict])
    if state.challenge is not None:
        state.challenge.met = event
        state.round.order = (event.who,)
        state.round.told.clear()


def _number_set(table: Table, event: s.NumberSet) -> None:
    held = own(table)
    purse = held.tokens if event.what == "tokens" else held.sleeve
    purse[event.who] = event.value


def _nothing(table: Table, event: Event) -> None:
    """What it says stands in its words, or in the events that follow it."""


EVOLVE: Mapping[type[Event], Handler] = {
    e.OptionSet: _option_set,
    e.SessionOpened: _session_opened,
    e.ConflictOpened: _opened,
    e.Declared: _declared,
    e.CardsDrawn: _cards_drawn,
    e.DeckShuffled: _deck_shuffled,
    e.Narrated: _narrated,
    e.NarrationOverruled: _narration_overruled,
    e.Joined: _joined,
    e.Left: _left,
    s.BalanceSet: _balance_set,
    s.OutcomeDesired: _outcome_desired,
    s.TokensGiven: _tokens_given,
    s.FlowResolved: _flow_resolved,
    s.ExcuseDiscarded: _excuse_discarded,
    s.VictoryReached: _victory_reached,
    s.RoundEnded: _round_ended,
    s.ConflictStopped: _nothing,
    s.PartyLeft: _party_left,
    s.ConflictReformulated: _reformulated,
    s.ComplicationAdded: _complication_added,
    s.ComplicationsLeft: _complications_left,
    s.CostRaised: _nothing,
    s.DrawRefused: _nothing,
    s.SleeveGained: _sleeve_gained,
    s.DrawingStopped: _drawing_stopped,
    s.ChallengeMet: _challenge_met,
    s.NumberSet: _number_set,
}
"""What each event changes here; a test proves that none is missing."""
