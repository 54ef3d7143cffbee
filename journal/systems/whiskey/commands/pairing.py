"""Two are put together for a clash: by what they want, or by the game master's hand."""

from __future__ import annotations

from collections.abc import Sequence

from journal.refused import Refused
from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.commands.fighters import fighter, pairs_named, ready
from journal.systems.whiskey.options import chosen
from journal.systems.whiskey.state import is_pc, play
from journal.vocabulary.base import Event


def pair_by_hand(situation: Situation, one: int, other: int) -> list[Event]:
    """The game master pairs two; a triangle is asked about first, and a chain of four never is."""
    phase = play(situation.here).phase
    one, other = fighter(situation, one, "clashes"), fighter(situation, other, "clashes")
    names = f"{situation.name(one)} and {situation.name(other)}"
    if one == other:
        raise Refused(f"Name two who clash: {situation.name(one)} is one and the same.")
    if phase.triangle is not None:
        situation.nothing_pending(situation.here)
    if phase.between(one, other) is not None:
        raise Refused(f"{names} clash already.")
    if len(phase.open) < len(phase.clashes):
        raise Refused(
            f"All pairs are made before the first check, and one is made: {names} can clash next phase. "
            f"Now come: {pairs_named(situation, phase.open)} (check)."
        )
    ready(situation, (one, other))
    pairs = [clash.pair for clash in phase.clashes]
    _no_chain(situation, [*pairs, (one, other)])
    third = rules.triangle(pairs, one, other)
    if third is not None:
        return [w.TriangleProposed(conflict=situation.here.id, one=one, other=other, third=third)]
    return [formed(situation, one, other, (one,), paired=True)]


def _no_chain(situation: Situation, pairs: rules.Pairs) -> None:
    chain = rules.chain_of_four(pairs)
    if chain is not None:
        a, b, c, d = map(situation.name, chain)
        raise Refused(
            f"No four may clash in a row ({a}, {b}, {c}, {d}): {a} and {d} keep {b} and {c} from each other."
        )


def formed(
    situation: Situation, one: int, other: int, attackers: Sequence[int], *, paired: bool = False
) -> w.ClashFormed:
    """A clash, and who checks in it."""
    return w.ClashFormed(
        conflict=situation.here.id,
        one=one,
        other=other,
        checker=_checker(situation, (one, other), attackers),
        paired=paired,
    )


def _checker(situation: Situation, pair: tuple[int, int], attackers: Sequence[int]) -> int | None:
    """Who checks: `docs/rules/whiskey.md` §5. None where the table says so each time."""
    players = [who for who in pair if is_pc(situation.table, who)]
    match chosen(situation.table, "checker"):
        case "choose":
            return None
        case "player" if len(players) == 1:
            return players[0]
        case _:
            theirs = [who for who in attackers if who in players]
            return (theirs if len(theirs) == 1 else attackers)[0]
