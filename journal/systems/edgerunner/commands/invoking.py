"""Invokes: an aspect tells on the open roll, for a fate point or for nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner import rules
from journal.systems.edgerunner.commands import findings
from journal.systems.edgerunner.commands.ahead import after, shifts_set
from journal.systems.edgerunner.commands.meaning import aspect_near, open_roll
from journal.systems.edgerunner.commands.outside import thrown
from journal.systems.edgerunner.commands.standing import actor, ours, pay, together
from journal.systems.edgerunner.commands.taking import conflict_id
from journal.systems.edgerunner.commands.verbs import Invoke
from journal.systems.edgerunner.state import Aspect, Finding, OpenRoll, shelf
from journal.vocabulary.base import GM, Event


def invoke(situation: Situation, command: Invoke) -> list[Event]:
    """The acting side adds 2 or throws again; whoever is the target takes 2 off, or has it thrown again."""
    finding = findings.meant(situation, command.who)
    if finding is not None:
        return _on_a_finding(replace(situation, conflict=None), finding, command)
    situation = ours(situation, *_rolling_elsewhere(situation, command.who))
    roll, who = open_roll(situation), command.who
    against = _is_against(situation, roll, who)
    aspect = aspect_near(situation, command.aspect, (roll.who, *roll.targets))
    if aspect.id in roll.used:
        raise Refused(f"“{aspect.wording}” has been invoked on this roll already: each aspect is once.")
    mode: Literal["+2", "-2", "reroll"] = "reroll" if command.reroll else "-2" if against else "+2"
    invoked = g.AspectInvoked(
        conflict=conflict_id(situation),
        who=who,
        aspect=aspect.id,
        on=aspect.on,
        wording=aspect.wording,
        mode=mode,
        free=command.free,
        by=_lender(situation, roll, who, aspect) if command.free else None,
        text=command.text,
    )
    payee = roll.who if against else opponent(situation, roll)
    paid = [] if command.free else pay(situation, who, payee, "ghost" if aspect.ghost else "invoke")
    events = [invoked, *paid, *_laid_to_rest(situation, aspect)]
    if not command.reroll:
        return [*events, shifts_set(after(situation, events))]
    dice = thrown(situation, roll.who)
    return [*events, dice, shifts_set(after(situation, events), rules.rolled(dice.faces))]


def _on_a_finding(situation: Situation, finding: Finding, command: Invoke) -> list[Event]:
    """2 more for whoever looks or declares, 2 less for whoever is looked over; and what that makes of it."""
    who = command.who
    if command.reroll:
        raise Refused("The dice of an assessment or a declaration lie no more: an invoke adds 2 to it.")
    against = who != finding.who
    aspect = aspect_near(situation, command.aspect, (who, *finding.targets))
    if aspect.id in finding.used or (aspect.id == finding.aspect and not finding.assessed):
        raise Refused(f"“{aspect.wording}” has been invoked on this roll already: each aspect is once.")
    invoked = g.AspectInvoked(
        who=who,
        aspect=aspect.id,
        on=aspect.on,
        wording=aspect.wording,
        mode="-2" if against else "+2",
        free=command.free,
        by=_lender(situation, finding, who, aspect) if command.free else None,
        finding=True,
        text=command.text,
    )
    payee = finding.who if against else next(iter(finding.targets), GM)
    paid = [] if command.free else pay(situation, who, payee, "ghost" if aspect.ghost else "invoke")
    shifts = finding.shifts - rules.INVOKE if against else finding.shifts + rules.INVOKE
    return [invoked, *paid, *_laid_to_rest(situation, aspect), findings.stands(finding, shifts)]


def _rolling_elsewhere(situation: Situation, who: int) -> tuple[int, ...]:
    """Whoever has a part in the last roll outside the exchanges, if `who` is one of them."""
    roll = shelf(situation.table).roll
    return () if roll is None or who not in (roll.who, *roll.targets) else (roll.who, *roll.targets)


def _laid_to_rest(situation: Situation, aspect: Aspect) -> list[Event]:
    """A ghost's aspect serves once."""
    if not aspect.ghost:
        return []
    return [
        g.AspectRemoved(
            conflict=conflict_id(situation),
            aspect=aspect.id,
            on=aspect.on,
            wording=aspect.wording,
            why="used",
        )
    ]


# --- whose side somebody is on ----------------------------------------------------------------------------


def opponent(situation: Situation, roll: OpenRoll) -> int:
    """Whom the fate points of the acting side go to: a target of the other side, else the referee."""
    return next((one for one in roll.targets if not together(situation, roll.who, one)), GM)


def _is_against(situation: Situation, roll: OpenRoll, who: int) -> bool:
    """True if somebody invokes as the target of a roll, False as one of its own side; Refused for others."""
    if situation.conflict is not None and who in situation.here.people:
        actor(situation, who)
    if together(situation, who, roll.who):
        return False
    if who in roll.targets or (who == GM and situation.conflict is None and not roll.targets):
        return True
    target = f", and {situation.names(roll.targets)} against it" if roll.targets else ""
    raise Refused(f"It is {situation.name(roll.who)}'s roll: that side may invoke for it{target}.")


# --- free invokes -----------------------------------------------------------------------------------------


def _lender(situation: Situation, roll: OpenRoll, who: int, aspect: Aspect) -> int | None:
    """Whose free invoke somebody uses, None if nobody lends it; Refused where there is none for them."""
    held = [holder for holder, free in aspect.free.items() if free]
    if who in held or (None in held and _is_foe(situation, who, aspect)):
        return None
    lent = next((one for one in held if one is not None and _lends(situation, roll, who, one)), None)
    if lent is None:
        raise Refused(
            f"{situation.name(who)} has no free invoke of “{aspect.wording}”: without --free it takes a"
            " fate point."
        )
    return lent


def _is_foe(situation: Situation, who: int, aspect: Aspect) -> bool:
    return not (isinstance(aspect.on, int) and together(situation, who, aspect.on))


def _lends(situation: Situation, roll: OpenRoll, who: int, holder: int) -> bool:
    """Anybody of one's side lends their free invokes; outside conflicts, whoever has no part in the roll."""
    if situation.conflict is not None:
        return together(situation, who, holder)
    return holder not in (roll.who, *roll.targets)
