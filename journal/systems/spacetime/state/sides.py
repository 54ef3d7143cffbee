"""A party comes, goes, or is known by another of its people: what is kept by its name follows."""

from __future__ import annotations

from collections.abc import Mapping

from journal.decks.pile import Pile
from journal.systems.spacetime.rules import Balance
from journal.systems.spacetime.state.deck import place
from journal.systems.spacetime.state.play import Play
from journal.table import OpenConflict
from journal.vocabulary.events import Sides


def came(conflict: OpenConflict, state: Play) -> None:
    """Notes a party that stands up beside the others."""
    state.newcomers |= set(conflict.leads) - set(state.leads)
    state.leads = conflict.leads


def went(pile: Pile, conflict: OpenConflict, state: Play, people: tuple[int, ...], party: int) -> None:
    """Takes these people of `party` out; the rest of it goes on under its first, or it is gone altogether."""
    state.round.struck.difference_update(people)
    told = state.round.told & set(people)
    state.round.told -= told
    heir = (
        party
        if party in conflict.leads
        else next((new for new in conflict.leads if new not in state.leads), None)
    )
    state.leads = conflict.leads
    if heir is None:
        gone(pile, conflict, state, party)
        return
    if told:
        state.round.told.add(heir)
    if heir != party:
        handed_on(pile, conflict, state, party, heir)


def gone(pile: Pile, conflict: OpenConflict, state: Play, party: int) -> None:
    """Takes a party out of the round in play; its cards go to the discards."""
    round_ = state.round
    round_.order = tuple(other for other in round_.order if other != party)
    round_.hands.pop(party, None)
    if round_.excused == party:
        round_.excused = None
    where = place(conflict.id, party)
    for card in pile.held(where):
        pile.discard(card, where)


def handed_on(pile: Pile, conflict: OpenConflict, state: Play, party: int, heir: int) -> None:
    """Keeps all that was kept for `party` under the name of its heir."""
    named = {party: heir}
    round_ = state.round
    round_.tactics = {named.get(one, one) for one in round_.tactics}
    round_.hands = {named.get(one, one): hand for one, hand in round_.hands.items()}
    round_.order = tuple(named.get(one, one) for one in round_.order)
    round_.excused = heir if round_.excused == party else round_.excused
    state.desired = {named.get(one, one) for one in state.desired}
    state.newcomers = {named.get(one, one) for one in state.newcomers}
    state.cards = {named.get(one, one): number for one, number in state.cards.items()}
    state.complications = {named.get(one, one): number for one, number in state.complications.items()}
    if state.standing.advantaged == party:
        state.standing = Balance(state.standing.level, heir)
    old, new = place(conflict.id, party), place(conflict.id, heir)
    pile.out = {card: tuple(new if at == old else at for at in places) for card, places in pile.out.items()}


def counted_anew(counted: Mapping[int, int], before: Sides, sides: Sides) -> dict[int, int]:
    """What was counted for each party, for the parties its people are now of."""
    now = {person: side[0] for side in sides for person in side}
    anew: dict[int, int] = {}
    for side in before:
        heir = next((now[person] for person in side if person in now), None)
        if heir is not None and side[0] in counted:
            anew[heir] = anew.get(heir, 0) + counted[side[0]]
    return anew
