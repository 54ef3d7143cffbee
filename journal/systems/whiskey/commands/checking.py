"""Checks: of a clash, or of anything else that somebody tries."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from journal.names import fold, owning
from journal.refused import Refused
from journal.system import Situation
from journal.systems.whiskey import events as w
from journal.systems.whiskey import rules
from journal.systems.whiskey.commands.dealing import deal
from journal.systems.whiskey.commands.fighters import may_check, pairs_named
from journal.systems.whiskey.commands.joining import with_what_falls_away
from journal.systems.whiskey.commands.results import phase_over
from journal.systems.whiskey.commands.spoken import said
from journal.systems.whiskey.commands.verbs import Check
from journal.systems.whiskey.options import NAME, chosen
from journal.systems.whiskey.state import NUMBERS, Clash, faction, play, sheet
from journal.vocabulary import events as e
from journal.vocabulary.base import Event, Value


def check(situation: Situation, command: Check) -> list[Event]:
    """A check of x against y, or that of a clash; with the last of a phase its results stand."""
    wanted = _wanted(situation, command.setup)
    if command.who is not None and (command.x is not None or command.stat is not None):
        return _of_anything(situation, command, command.who, wanted=wanted)
    return _of_a_clash(situation, command, wanted=wanted)


def _wanted(situation: Situation, setup: Mapping[str, Value]) -> bool:
    """Whether whoever checks hopes to pass."""
    unknown = [key for key in setup if key != "wanted"]
    if unknown:
        raise Refused(f"A check knows wanted=yes|no, and no {unknown[0]}.")
    said = fold(str(setup.get("wanted", "yes")))
    if said not in ("yes", "no"):
        raise Refused(f"A check is wanted=yes or wanted=no, not {said}.")
    if said == "no" and chosen(situation.table, "unwanted_checks") == "refuse":
        raise Refused(
            "One draws only for a check one wants to pass: put it the other way round, let the other side "
            "make it, or play with option whiskey.unwanted_checks=allow."
        )
    return said == "yes"


def _said(situation: Situation, command: Check, who: int) -> list[Event]:
    """A text on a check is what its maker declares."""
    words = said(command.text)
    if words is None:
        return []
    return [e.Declared(who=who, text=words, conflict=situation.where)]


def _made(
    situation: Situation, command: Check, who: int, x: int, y: int, **about: object
) -> tuple[w.CheckMade, list[Event]]:
    """The check that somebody makes with `x` against `y`, and all that happens with it."""
    conflict = situation.where_in(NAME)
    whose = faction(situation.table, who)
    dealt = deal(situation, conflict, who, whose)
    made = w.CheckMade.of(
        {
            "conflict": conflict,
            "who": who,
            "x": x,
            "y": y,
            "faction": whose,
            "card": dealt.card,
            "c": dealt.c,
            "d": dealt.d,
            "total": x + dealt.c,
            "passed": rules.passes(x, dealt.c, y),
            **about,
        }
    )
    return made, [*_said(situation, command, who), *dealt.before, made, *dealt.after]


# --- of a clash -------------------------------------------------------------------------------------------


def _of_a_clash(situation: Situation, command: Check, *, wanted: bool) -> list[Event]:
    if situation.conflict is None or situation.here.system != NAME:
        raise Refused("No Whiskey conflict is open; outside one, say against what: check NAME stealth vs 12.")
    if not wanted:
        raise Refused("In a clash whoever loses is hit, so everybody wants to pass.")
    clash = _clash_meant(situation, command.who, command.whom)
    who = _who_checks(situation, clash, command)
    other = clash.against(who)
    x, y = _number(situation, who, "combat"), _number(situation, other, "combat")
    made, events = _made(
        situation, command, who, x, y, other=other, stat="combat", theirs="combat", clash=True
    )
    clashes = [replace(one, made=made) if one is clash else one for one in play(situation.here).phase.clashes]
    if any(one.made is None for one in clashes):
        return events
    events += phase_over(situation.table, situation.here, clashes)
    return with_what_falls_away(situation.table, situation.here, events)


def _clash_meant(situation: Situation, who: int | None, whom: int | None) -> Clash:
    phase = play(situation.here).phase
    if phase.triangle is not None:
        situation.nothing_pending(situation.here)
    if not phase.clashes:
        raise Refused("No clash is to be checked: everybody declares, and then: clash.")
    if who is not None and whom is not None:
        found = phase.between(who, whom)
        names = f"{situation.name(who)} and {situation.name(whom)}"
        if found is None:
            raise Refused(f"{names} do not clash; these do: {pairs_named(situation, phase.clashes)}.")
        if found.made is not None:
            raise Refused(f"{names} have had their check: one check for each clash.")
        return found
    return _only_one(situation, phase.open, who)


def _only_one(situation: Situation, due: tuple[Clash, ...], who: int | None) -> Clash:
    mine = [clash for clash in due if who is None or who in clash.pair]
    checks = [clash for clash in mine if who in (None, clash.checker)]
    for found in (checks, mine):
        if len(found) == 1:
            return found[0]
    if mine:
        raise Refused(f"Say which check: {pairs_named(situation, mine)}.")
    assert who is not None  # noqa: S101 -- a phase without open clashes is over
    raise Refused(
        f"{situation.name(who)} has no check to make; these are to be made: {pairs_named(situation, due)}."
    )


def _who_checks(situation: Situation, clash: Clash, command: Check) -> int:
    """Whoever is named, if they may; with nobody named, whoever the clash says."""
    if command.who is not None and command.who in may_check(situation.table, clash):
        return command.who
    if clash.checker is None:
        raise Refused(f"Say who checks: {situation.names(clash.pair)}.")
    if command.who is None:
        return clash.checker
    checker, other = situation.quoted(clash.checker), situation.quoted(clash.against(clash.checker))
    raise Refused(
        f"In this clash {situation.name(clash.checker)} checks (option "
        f"checker={chosen(situation.table, 'checker')}): check {checker} {other}; "
        "with checker=choose it is whoever is named."
    )


# --- of anything else -------------------------------------------------------------------------------------


def _of_anything(situation: Situation, command: Check, who: int, *, wanted: bool) -> list[Event]:
    stat = None if command.stat is None else fold(command.stat)
    x = command.x if command.x is not None else _number(situation, who, stat or "")
    y, theirs = _against(situation, command, stat)
    about = {"other": command.whom, "stat": stat, "theirs": theirs, "wanted": wanted}
    return _made(situation, command, who, x, y, **about)[1]


def _against(situation: Situation, command: Check, stat: str | None) -> tuple[int, str | None]:
    """What the check is made against: a number, or somebody's stat, the same one if no other is named."""
    if command.y is not None:
        return command.y, None
    assert command.whom is not None  # noqa: S101 -- the form has either
    theirs = stat if command.theirs is None else fold(command.theirs)
    if theirs is None:
        name, said = situation.name(command.whom), situation.quoted(command.whom)
        raise Refused(f"Say which number of {owning(name)}: … vs {said} combat.")
    return _number(situation, command.whom, theirs), theirs


def _number(situation: Situation, who: int, stat: str) -> int:
    own = sheet(situation.table, who)
    number = own.stat(stat)
    if number is None:
        name = situation.name(who)
        known = (
            ", ".join([key for key in NUMBERS if own.stat(key) is not None] + list(own.stats))
            or "nothing yet"
        )
        raise Refused(
            f"{name} has no {stat} (on the sheet: {known}). "
            f"Add it: cast {situation.quoted(who)} whiskey {stat}=3."
        )
    return number
