"""A phase comes out: all its checks are made, and everybody acts at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.options import chosen
from journal.systems.whiskey.rules import Fought
from journal.systems.whiskey.state import Clash, play, sheet, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary.base import Event


def phase_over(table: Table, conflict: OpenConflict, fought: Iterable[Clash]) -> Iterator[Event]:
    """Who is hit, who is out of the fight, and the end of the phase."""
    blows = [_fought(table, clash, clash.made) for clash in fought if clash.made is not None]
    left = {who: sheet(table, who).hp for blow in blows for who in (blow.winner, blow.loser)}
    out_at = chosen.number(table, "incapacitated_at")
    for hit in rules.settle(blows, left, out_at):
        if hit.landed:
            had = left[hit.loser]
            left[hit.loser] = None if had is None else had - hit.amount
            yield w.DamageDealt(
                conflict=conflict.id,
                winner=hit.winner,
                loser=hit.loser,
                amount=hit.amount,
                left=left[hit.loser],
            )
        else:
            yield w.DamageSuppressed(
                conflict=conflict.id, winner=hit.winner, loser=hit.loser, amount=hit.amount
            )
    down = shelf(table).down
    for who in (*conflict.people, *(one for one in left if one not in conflict.people)):
        has = left.get(who)
        if has is not None and has <= out_at and who not in down:
            yield w.Incapacitated(conflict=conflict.id, who=who)
    yield w.PhaseEnded(conflict=conflict.id, phase=play(conflict).phase.number)


def _fought(table: Table, clash: Clash, made: w.CheckMade) -> Fought:
    winner = made.who if made.passed else clash.against(made.who)
    theirs = sheet(table, winner)
    return Fought(winner, clash.against(winner), rules.damage(theirs.base or 0, theirs.die or 0, made.d))
