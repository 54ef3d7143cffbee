"""Who may speak for which party, and until when."""

from __future__ import annotations

from collections.abc import Sequence

from journal.refused import Refused
from journal.system import Situation
from journal.systems.spacetime.state import parties, play


def not_over(situation: Situation) -> None:
    """Refuses once the conflict has come out."""
    state = play(situation.here)
    if state.winner is not None:
        raise Refused(f"{situation.name(state.winner)} has won: tell the last round, then end conflict.")
    if state.over:
        raise Refused("The challenge is met: tell how, then end conflict.")


def side_of(situation: Situation, who: int) -> int:
    """The party `who` belongs to, an obstacle also."""
    party = situation.here.side_of(who)
    if party is None:
        names = situation.names(situation.here.leads)
        raise Refused(f"{situation.name(who)} is no party to this conflict ({names}).")
    return party


def speaker(situation: Situation, who: int | None, does: str, candidates: Sequence[int]) -> int:
    """The party `who` belongs to, which is no obstacle; left out, the only candidate."""
    if who is None and len(candidates) == 1:
        return candidates[0]
    if who is None:
        raise Refused(f"Say who {does}: {situation.names(candidates or parties(situation.here))}.")
    party = side_of(situation, who)
    if party == play(situation.here).obstacle:
        names = situation.names(parties(situation.here))
        raise Refused(f"{situation.name(party)} is an obstacle, and never {does}: that is for {names}.")
    return party
