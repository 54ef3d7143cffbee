"""People come into an open conflict, or leave it: a party grows, another stands up, or one is gone."""

from __future__ import annotations

from journal.refused import Refused
from journal.shared.joining import without_them
from journal.system import Situation
from journal.systems.spacetime.commands.balance import balance_set
from journal.systems.spacetime.commands.obstacles import complications_left
from journal.systems.spacetime.commands.speaking import not_over, nothing_drawn
from journal.systems.spacetime.commands.tokens import tokens_for
from journal.systems.spacetime.rules import Balance
from journal.systems.spacetime.state import Mode, play
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def join(situation: Situation, joined: e.Joined) -> list[Event]:
    """Into a party at any time; as a party of their own, whose outcome and tactic are then due."""
    not_over(situation)
    state = play(situation.here)
    if joined.side is not None and joined.side == state.obstacle:
        name = situation.name(joined.side)
        raise Refused(
            f"{name} is an obstacle and sides with nobody: join a party, or come as one of your own."
        )
    if joined.side is None and state.mode is Mode.CHALLENGE:
        (acting,) = (side for side in situation.here.leads if side != state.obstacle)
        came = "+".join(map(situation.quoted, joined.people))
        raise Refused(f"One party meets a challenge: join it (join {came} {situation.quoted(acting)}).")
    return [joined, *tokens_for(situation, joined.people)]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """Out of a party that goes on; with the last of it the party is gone, and the others settle it."""
    not_over(situation)
    here, state = situation.here, play(situation.here)
    if left.side == state.obstacle:
        name = situation.name(left.side)
        raise Refused(f"{name} is an obstacle and does not leave: reformulate without it, or end conflict.")
    party = next(side for side in here.sides if side[0] == left.side)
    if set(party) - set(left.people):
        return [left]
    nothing_drawn(situation)
    over = without_them(situation, left)
    if over:
        return [left, *over]
    eased = [balance_set(here.id, Balance())] if state.standing.advantaged == left.side else []
    return [*complications_left(situation, [left.side]), left, *eased]
