"""Somebody comes into the fight, or gets away from it: when they act, and what they have to see through."""

from __future__ import annotations

from journal.refused import Refused
from journal.shared.joining import without_them
from journal.system import Situation
from journal.systems.whiskey.commands.falling import dropped, with_what_falls_away
from journal.systems.whiskey.commands.fighters import pairs_named
from journal.systems.whiskey.options import chosen
from journal.systems.whiskey.state import play
from journal.vocabulary import events as e
from journal.vocabulary.base import Event


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
