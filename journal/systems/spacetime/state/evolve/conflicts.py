"""A conflict: its Balance, and which parties it is between."""

from __future__ import annotations

from collections.abc import Mapping

from journal.systems.spacetime import events as s
from journal.systems.spacetime.options import chosen
from journal.systems.spacetime.rules import Balance, Level
from journal.systems.spacetime.state import sides
from journal.systems.spacetime.state.deck import clear, refit
from journal.systems.spacetime.state.found import own, own_pile, play, play_in, speaks_for
from journal.systems.spacetime.state.play import Challenge, Mode, Play, Round
from journal.table import Handler, OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


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


def _balance_set(table: Table, event: s.BalanceSet) -> None:
    state = play_in(table, event.conflict)
    state.standing = Balance(event.level, event.advantaged)
    if event.level is not Level.VICTORY:
        state.winner = None


def _outcome_desired(table: Table, event: s.OutcomeDesired) -> None:
    conflict = table.conflicts[event.conflict]
    party = speaks_for(conflict, event.who)
    play(conflict).desired.add(party)
    play(conflict).newcomers.discard(party)


def _joined(table: Table, event: e.Joined) -> None:
    conflict = table.conflicts[event.conflict]
    sides.came(conflict, play(conflict))


def _left(table: Table, event: e.Left) -> None:
    conflict = table.conflicts[event.conflict]
    pile = own_pile(table)
    sides.went(pile, conflict, play(conflict), event.people, event.side)
    refit(pile, chosen(table, "blank_cards"))


def _party_left(table: Table, event: s.PartyLeft) -> None:
    conflict = table.conflicts[event.conflict]
    party = speaks_for(conflict, event.who)
    (people,) = (side for side in conflict.sides if side[0] == party)
    conflict.sides = tuple(side for side in conflict.sides if side[0] != party)
    pile = own_pile(table)
    sides.went(pile, conflict, play(conflict), people, party)
    refit(pile, chosen(table, "blank_cards"))


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


HANDLERS: Mapping[type[Event], Handler] = {
    e.ConflictOpened: _opened,
    e.Joined: _joined,
    e.Left: _left,
    s.BalanceSet: _balance_set,
    s.OutcomeDesired: _outcome_desired,
    s.PartyLeft: _party_left,
    s.ConflictReformulated: _reformulated,
}
