"""Who may speak for which party, and until when."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from journal.refused import Refused
from journal.system import Situation
from journal.systems.spacetime.state import Mode, parties, play
from journal.vocabulary.base import GM


class Voice(NamedTuple):
    """Who speaks, and the party they speak for."""

    who: int
    party: int


def not_over(situation: Situation) -> None:
    """Refuses once the conflict has come out."""
    state = play(situation.here)
    if state.winner is not None:
        raise Refused(f"{situation.name(state.winner)} has won: tell the last round, then end conflict.")
    if state.over:
        raise Refused("The challenge is met: tell how, then end conflict.")


def nothing_drawn(situation: Situation) -> None:
    """Refuses while some have drawn for a round and others not: a party leaves between rounds."""
    here = situation.here
    if not (play(here).mode is Mode.CONFLICT and play(here).drawing):
        return
    missing = [party for party in here.leads if party not in play(here).round.hands]
    names = situation.names(missing)
    raise Refused(f"Cards are on the table: first the others draw ({names}), then a party may leave.")


def played_by(situation: Situation, who: int) -> int:
    """Who is meant here by `who`: a player's name stands for the one they play in this conflict.

    Somebody on a side is simply meant, and so is a player who plays nobody here; Refused for one who plays
    several.
    """
    people = situation.here.people
    if who in people:
        return who
    cast = situation.table.people
    meant = [person for person in (*people, GM) if person in cast and cast[person].player == who]
    if len(meant) > 1:
        raise Refused(f"{situation.name(who)} plays {situation.names(meant)} here: say which of them it is.")
    return meant[0] if meant else who


def side_of(situation: Situation, who: int) -> int:
    """The party `who` belongs to, an obstacle also; a player belongs to that of whom they play."""
    party = situation.here.side_of(played_by(situation, who))
    if party is None:
        names = situation.names(situation.here.leads)
        raise Refused(f"{situation.name(who)} is no party to this conflict ({names}).")
    return party


def speaker(situation: Situation, who: int | None, does: str, candidates: Sequence[int]) -> Voice:
    """Who speaks, for a party that is no obstacle; left out, the only candidate for itself."""
    if who is None and len(candidates) == 1:
        return Voice(candidates[0], candidates[0])
    if who is None:
        raise Refused(f"Say who {does}: {situation.names(candidates or parties(situation.here))}.")
    party = side_of(situation, who)
    if party == play(situation.here).obstacle:
        names = situation.names(parties(situation.here))
        raise Refused(f"{situation.name(party)} is an obstacle, and never {does}: that is for {names}.")
    return Voice(played_by(situation, who), party)
