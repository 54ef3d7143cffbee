"""A phase comes out: all its checks are made, and everybody acts at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.rules import Fought
from journal.systems.whiskey.state import Clash, chosen, play, sheet, shelf
from journal.vocabulary.base import Event


def phase_over(situation: Situation, fought: Iterable[Clash]) -> Iterator[Event]:
    """Who is hit, who is out of the fight, and the end of the phase."""
    here = situation.here
    blows = [_fought(situation, clash, clash.made) for clash in fought if clash.made is not None]
    left = {who: sheet(situation.table, who).hp or 0 for blow in blows for who in (blow.winner, blow.loser)}
    out_at = int(chosen(situation.table, "incapacitated_at"))
    for hit in rules.settle(blows, left, out_at):
        if hit.landed:
            left[hit.loser] -= hit.amount
            yield w.DamageDealt(
                conflict=here.id,
                winner=hit.winner,
                loser=hit.loser,
                amount=hit.amount,
                left=left[hit.loser],
            )
        else:
            yield w.DamageSuppressed(conflict=here.id, winner=hit.winner, loser=hit.loser, amount=hit.amount)
    down = shelf(situation.table).down
    for who in here.people:
        if who in left and left[who] <= out_at and who not in down:
            yield w.Incapacitated(conflict=here.id, who=who)
    yield w.PhaseEnded(conflict=here.id, phase=play(here).phase.number)


def _fought(situation: Situation, clash: Clash, made: w.CheckMade) -> Fought:
    winner = made.who if made.passed else clash.against(made.who)
    theirs = sheet(situation.table, winner)
    return Fought(winner, clash.against(winner), rules.damage(theirs.base or 0, theirs.die or 0, made.d))
