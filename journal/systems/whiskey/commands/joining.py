"""Somebody comes into the fight, leaves it, or is out of it: checks they had yet to make are made no more."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from journal.refused import Refused
from journal.shared.ahead import after, apart, happen
from journal.shared.joining import without_them
from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey.commands.fighters import pairs_named
from journal.systems.whiskey.commands.results import phase_over
from journal.systems.whiskey.options import NAME, chosen
from journal.systems.whiskey.state import EVOLVE, Clash, play, shelf
from journal.table import OpenConflict, Table
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


def with_what_falls_away(table: Table, conflict: OpenConflict | None, events: Sequence[Event]) -> list[Event]:
    """The same events, and what comes of it where they put somebody out who has a check before them.

    What happens in other conflicts stands before the last of them, so that it is still `conflict` that is
    spoken to.
    """
    if not any(isinstance(one, w.Incapacitated) for one in events):
        return list(events)
    then = apart(table, NAME)
    happen(then, events, EVOLVE)
    here: list[Event] = []
    elsewhere: list[Event] = []
    while (found := _next(then)) is not None:
        came = list(dropped(then, found, shelf(then).down))
        happen(then, came, EVOLVE)
        (here if conflict is not None and found.id == conflict.id else elsewhere).extend(came)
    own = [*events, *here]
    return [*own[:-1], *elsewhere, own[-1]]


def _next(table: Table) -> OpenConflict | None:
    """A conflict in which somebody who is out has a check before them, if there is one."""
    fights = (one for one in table.conflicts.values() if one.system == NAME)
    down = shelf(table).down
    return next((one for one in fights if any(_without(play(one).phase.open, down))), None)


def dropped(table: Table, conflict: OpenConflict, gone: Collection[int]) -> Iterator[Event]:
    """The clashes of those who are gone fall away; with the last that was due the phase is over."""
    phase = play(conflict).phase
    falling = list(_without(phase.open, gone))
    for clash in falling:
        who = tuple(one for one in clash.pair if one in gone)
        yield w.ClashDropped(conflict=conflict.id, one=clash.one, other=clash.other, gone=who)
    left = [clash for clash in phase.clashes if clash not in falling]
    settled = bool(left or phase.fates)
    if falling and settled and all(clash.made is not None for clash in left):
        yield from phase_over(table, conflict, left)


def broken_off(table: Table, conflict: OpenConflict) -> Iterator[Event]:
    """The fight ends before all checks are made: the rest comes to nothing, and the table says what counts.

    Where no check was made there is nothing to count.
    """
    phase = play(conflict).phase
    if len(phase.open) == len(phase.clashes):
        return
    counts = chosen(table, "broken_off") == "counts"
    for clash in phase.open if counts else phase.clashes:
        yield w.ClashDropped(conflict=conflict.id, one=clash.one, other=clash.other)
    if counts:
        yield from phase_over(table, conflict, phase.clashes)


def _without(due: Sequence[Clash], gone: Collection[int]) -> Iterator[Clash]:
    """Those of the clashes that lose one of their two."""
    return (clash for clash in due if not {*clash.pair}.isdisjoint(gone))


def judged_anew(situation: Situation, option: e.OptionSet) -> list[Event]:
    """Who is out by other hit points than before falls or rises at once."""
    if option.key != "incapacitated_at":
        return []
    table = after(situation, [option], NAME).table
    own, out_at = shelf(table), int(option.value)
    events: list[Event] = []
    for who, one in own.sheets.items():
        out = one.hp is not None and one.hp <= out_at
        if out != (who in own.down):
            kind = w.Incapacitated if out else w.Recovered
            events.append(kind(conflict=_fights_in(table, who), who=who))
    here = situation.conflict if situation.conflict and situation.here.system == NAME else None
    return with_what_falls_away(table, here, events)


def _fights_in(table: Table, who: int) -> int | None:
    """The conflict of this game somebody is in, if there is one."""
    fights = (one for one in table.conflicts.values() if one.system == NAME)
    return next((one.id for one in fights if who in one.people), None)


# --- coming and going -------------------------------------------------------------------------------------


def join(_situation: Situation, joined: e.Joined) -> list[Event]:
    """They declare with the others; once intents are shown or clashes known, from the next phase on."""
    return [joined]


def leave(situation: Situation, left: e.Left) -> list[Event]:
    """They are gone at once; but whoever clashes has to fight it out first, unless the table lets them go."""
    if chosen(situation.table, "leaving") == "after_checks":
        _fought_out(situation, left)
    ending = without_them(situation, left)
    falling = [] if ending else list(dropped(situation.table, situation.here, left.people))
    return [*with_what_falls_away(situation.table, situation.here, falling), left, *ending]


def _fought_out(situation: Situation, left: e.Left) -> None:
    phase = play(situation.here).phase
    theirs = [clash for clash in phase.clashes if not {*clash.pair}.isdisjoint(left.people)]
    if theirs:
        names = situation.names(who for who in left.people if any(who in clash.pair for clash in theirs))
        raise Refused(
            f"{names} cannot get away before this phase is over, for somebody is upon them. "
            f"These still need their check: {pairs_named(situation, phase.open)} (check); or play with "
            "option whiskey.leaving=free."
        )
