"""Event handlers of Space·Time: the change that each event makes to the table state."""

from __future__ import annotations

from collections.abc import Mapping

from retold.game import Event, Handler, OpenConflict, Table, no_change, triumphs
from retold.game import events as e
from retold.games.spacetime import events as s
from retold.games.spacetime.options import NAME
from retold.games.spacetime.rules import Balance, Level
from retold.games.spacetime.state.conflict import (
    Challenge,
    Mode,
    Round,
    SpacetimeConflict,
    add_party,
    conflict_state,
    conflict_state_in,
    game_state,
    mutable_game_state,
    own_pile,
    recount_parties,
    remove_people,
    speaks_for,
    token_holder,
    tokens,
)
from retold.games.spacetime.state.game_state import (
    DECK,
    Owed,
    SpacetimeState,
    discard_cards,
    make_whole,
    place_of_cards,
    refit,
)


def _option_set(table: Table, event: e.OptionSet) -> None:
    pile = game_state(table).pile
    if event.system == NAME and event.key == "blank_cards" and pile is not None:
        refit(table, pile)


def _session_opened(table: Table, _event: e.SessionOpened) -> None:
    game_state(table).owed.clear()


def _tokens_given(table: Table, event: s.TokensGiven) -> None:
    dealt = dict.fromkeys(event.people, event.each)
    mutable_game_state(table).tokens.update(dealt)
    mutable_game_state(table).given.update(dealt)


def _sleeve_gained(table: Table, event: s.SleeveGained) -> None:
    mutable_game_state(table).sleeve[event.who] = event.total


def _number_set(table: Table, event: s.NumberSet) -> None:
    game = mutable_game_state(table)
    purse = game.tokens if event.what == "tokens" else game.sleeve
    purse[event.who] = event.value


def _complication_added(table: Table, event: s.ComplicationAdded) -> None:
    conflict = table.conflicts.get(event.conflict)
    party = None if conflict is None else conflict.side_of(event.who)
    if conflict is None or party is None or conflict_state(conflict).owed(party) < 1:
        _lower_owed(mutable_game_state(table), event)
        return
    told = conflict_state(conflict).complications
    told[party] = told.get(party, 0) + 1


def _lower_owed(game: SpacetimeState, event: s.ComplicationAdded) -> None:
    """Lowers by one the Complications that the event's person owes from an ended conflict."""
    for owed in game.owed:
        if owed.conflict == event.conflict and event.who in owed.people:
            owed.number -= 1
            break
    game.owed = [owed for owed in game.owed if owed.number > 0]


def _complications_left(table: Table, event: s.ComplicationsLeft) -> None:
    mutable_game_state(table).owed.append(Owed(event.conflict, event.people, event.number))


TABLE_HANDLERS: Mapping[type[Event], Handler] = {
    e.OptionSet: _option_set,
    e.SessionOpened: _session_opened,
    s.TokensGiven: _tokens_given,
    s.ComplicationAdded: _complication_added,
    s.ComplicationsLeft: _complications_left,
    s.SleeveGained: _sleeve_gained,
    s.NumberSet: _number_set,
}


def _declared(table: Table, event: e.Declared) -> None:
    conflict = table.conflicts[event.conflict or 0]
    state = conflict_state(conflict)
    state.round.tactics.add(speaks_for(conflict, event.who))
    if state.challenge is not None and event.setup:
        state.challenge.attribute = int(next(iter(event.setup.values())))


def _cards_drawn(table: Table, event: e.CardsDrawn) -> None:
    conflict = table.conflicts[event.conflict or 0]
    state = conflict_state(conflict)
    for card in event.cards:
        own_pile(table).take(card, place_of_cards(conflict.id, event.who))
    state.cards[event.who] = state.cards.get(event.who, 0) + len(event.cards)
    if event.purpose == "narration":
        state.round.replacement = event.cards[0]
    elif state.challenge is None:
        state.round.hands.setdefault(event.who, []).extend(event.cards)
    elif event.who == state.obstacle:
        laid = [card for card in event.cards if triumphs.upright(card) != triumphs.EXCUSE]
        state.challenge.laid = [*(state.challenge.laid or ()), *laid]
    else:
        state.challenge.drawn.extend(event.cards)


def _deck_shuffled(table: Table, event: e.DeckShuffled) -> None:
    if event.deck == DECK:
        make_whole(table, own_pile(table))


def _flow_resolved(table: Table, event: s.FlowResolved) -> None:
    state = conflict_state_in(table, event.conflict)
    state.standing = Balance(event.level, event.advantaged)
    state.round.flow = event.rule
    state.round.order = event.order
    state.round.told.clear()


def _excuse_discarded(table: Table, event: s.ExcuseDiscarded) -> None:
    state = conflict_state_in(table, event.conflict)
    own_pile(table).discard(triumphs.EXCUSE, place_of_cards(event.conflict, event.who))
    if state.challenge is None:
        state.round.excused = event.who


def _victory_reached(table: Table, event: s.VictoryReached) -> None:
    conflict_state_in(table, event.conflict).winner = event.who


def _round_ended(table: Table, event: s.RoundEnded) -> None:
    discard_cards(table, own_pile(table), event.conflict)
    state = conflict_state_in(table, event.conflict)
    state.round = Round(event.round + 1, struck=state.round.struck)


def _narrated(table: Table, event: e.Narrated) -> None:
    round_ = conflict_state_in(table, event.conflict).round
    round_.told.add(event.who)
    round_.struck.discard(event.who)


def _narration_overruled(table: Table, event: e.NarrationOverruled) -> None:
    round_ = conflict_state_in(table, event.conflict).round
    if event.how == "token":
        spender = token_holder(table, event.by)
        mutable_game_state(table).tokens[spender] = tokens(table, event.by) - 1
    last = table.narrations.get(event.whose)
    if last is not None and last.conflict == event.conflict:
        round_.told.discard(event.whose)
        round_.struck.add(event.whose)


def _drawing_stopped(table: Table, event: s.DrawingStopped) -> None:
    challenge = conflict_state_in(table, event.conflict).challenge
    if challenge is not None:
        challenge.stopped = event.why


def _challenge_met(table: Table, event: s.ChallengeMet) -> None:
    state = conflict_state_in(table, event.conflict)
    if state.challenge is not None:
        state.challenge.met = event
        state.round.order = (event.who,)
        state.round.told.clear()


ROUND_HANDLERS: Mapping[type[Event], Handler] = {
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


def _opened(table: Table, event: e.ConflictOpened) -> None:
    obstacle = event.setup.get("obstacle")
    state = SpacetimeConflict(
        obstacle=obstacle if isinstance(obstacle, int) else None,
        mode=Mode(str(event.setup.get("mode", Mode.CONFLICT))),
    )
    conflict = table.conflicts[event.conflict]
    conflict.state = state
    state.challenge = _new_challenge(conflict, state)
    state.leads = conflict.leads
    mutable_game_state(table)


def _new_challenge(conflict: OpenConflict, state: SpacetimeConflict) -> Challenge | None:
    """Returns a challenge without cards drawn, of the conflict's `rank`; None if its mode is not a challenge.

    A challenge of rank 0 lays no cards of its own.
    """
    if state.mode is not Mode.CHALLENGE:
        return None
    rank = int(conflict.setup.get("rank", 0))
    return Challenge(rank, laid=None if rank else [])


def _balance_set(table: Table, event: s.BalanceSet) -> None:
    state = conflict_state_in(table, event.conflict)
    state.standing = Balance(event.level, event.advantaged)
    if event.level is not Level.VICTORY:
        state.winner = None


def _outcome_desired(table: Table, event: s.OutcomeDesired) -> None:
    conflict = table.conflicts[event.conflict]
    party = speaks_for(conflict, event.who)
    conflict_state(conflict).desired.add(party)
    conflict_state(conflict).newcomers.discard(party)


def _joined(table: Table, event: e.Joined) -> None:
    conflict = table.conflicts[event.conflict]
    add_party(conflict, conflict_state(conflict))


def _left(table: Table, event: e.Left) -> None:
    _remove(table, table.conflicts[event.conflict], event.people, event.side)


def _remove(table: Table, conflict: OpenConflict, people: tuple[int, ...], party: int) -> None:
    pile = own_pile(table)
    remove_people(pile, conflict, conflict_state(conflict), people, party)
    refit(table, pile)


def _party_left(table: Table, event: s.PartyLeft) -> None:
    conflict = table.conflicts[event.conflict]
    people = conflict.side_with(event.who)
    conflict.sides = tuple(side for side in conflict.sides if side != people)
    _remove(table, conflict, people, people[0])


def _reformulated(table: Table, event: s.ConflictReformulated) -> None:
    conflict = table.conflicts[event.conflict]
    old = conflict_state(conflict)
    before = conflict.sides
    discard_cards(table, own_pile(table), event.conflict)
    conflict.sides = event.sides
    stays = old.obstacle in conflict.leads
    new = SpacetimeConflict(
        standing=Balance(event.level, event.advantaged),
        obstacle=old.obstacle if stays else None,
        mode=old.mode if stays else Mode.CONFLICT,
        cards=recount_parties(old.cards, before, event.sides),
        complications=recount_parties(old.complications, before, event.sides),
        round=Round(struck=old.round.struck),
    )
    new.challenge = _new_challenge(conflict, new)
    new.leads = conflict.leads
    conflict.state = new


CONFLICT_HANDLERS: Mapping[type[Event], Handler] = {
    e.ConflictOpened: _opened,
    e.Joined: _joined,
    e.Left: _left,
    s.BalanceSet: _balance_set,
    s.OutcomeDesired: _outcome_desired,
    s.PartyLeft: _party_left,
    s.ConflictReformulated: _reformulated,
}


EVOLVE: Mapping[type[Event], Handler] = {
    **CONFLICT_HANDLERS,
    **ROUND_HANDLERS,
    **TABLE_HANDLERS,
    s.ConflictStopped: no_change,
    s.CostRaised: no_change,
    s.DrawRefused: no_change,
}
"""Event handlers of this system; a test proves the table complete."""
