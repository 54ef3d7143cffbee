"""What may be done now: intents, revealing, the clash, and the checks that are to be made."""

from __future__ import annotations

from collections.abc import Iterator

from journal.capabilities import Choice, Outlook
from journal.shared.rulings import answering
from journal.system import Situation
from journal.systems.whiskey import rules
from journal.systems.whiskey.commands.dealing import to_come
from journal.systems.whiskey.commands.fighters import may_check
from journal.systems.whiskey.commands.intents import seals
from journal.systems.whiskey.commands.resolving import undeclared
from journal.systems.whiskey.commands.rulings import pending
from journal.systems.whiskey.commands.standing import turn
from journal.systems.whiskey.commands.verbs import Check, Clash, Declare
from journal.systems.whiskey.options import chosen
from journal.systems.whiskey.rules import Act
from journal.systems.whiskey.state import faction, fit, is_pc, play, sheet
from journal.table import Table
from journal.vocabulary import commands as c
from journal.vocabulary.base import GM
from journal.words import YET_TO_FIND


def outlook(situation: Situation) -> Outlook | None:
    """What may be said now in a conflict; outside one nothing waits."""
    if situation.conflict is None:
        return None
    stands = turn(situation.table, situation.here)
    told = stands if stands.endswith("?") else f"{stands}."
    return Outlook(situation.here.id, (told,), tuple(_choices(situation)))


def _choices(situation: Situation) -> Iterator[Choice]:
    for asked in pending(situation.table, situation.here):
        yield from answering(asked)
    phase = play(situation.here).phase
    if phase.open:
        yield from _checks(situation)
    elif undeclared(situation.table, situation.here):
        for who in undeclared(situation.table, situation.here):
            yield from _intents(situation, who)
        yield from _together(situation)
    elif phase.sealed:
        yield Choice(GM, c.Reveal(), "all is opened at once")
    else:
        yield Choice(GM, Clash(), "who is on whom")
    if not phase.begun:
        yield Choice(GM, c.End(what="conflict"), "the fight is over")


def _checks(situation: Situation) -> Iterator[Choice]:
    for clash in play(situation.here).phase.open:
        for who in may_check(situation.table, clash):
            other = clash.against(who)
            yield Choice(who, Check(who=who, whom=other), _odds(situation.table, who, other))


def _odds(table: Table, who: int, other: int) -> str:
    """How many of the cards to come pass, and what either would deal."""
    x, y = sheet(table, who).combat or 0, sheet(table, other).combat or 0
    values = to_come(table, faction(table, who))
    good = sum(rules.passes(x, value, y) for value in values)
    what = "faces" if chosen(table, "deck") == rules.DeckMode.D26 else "cards left"
    return (
        f"{good} of {len(values)} {what} pass: deals {_damage(table, who)}, or takes {_damage(table, other)}"
    )


def _damage(table: Table, who: int) -> str:
    """The least and the most that somebody deals."""
    own = sheet(table, who)
    least, most = sorted(rules.damage(own.base or 0, own.die or 0, d) for d in (1, rules.D6))
    return str(least) if least == most else f"{least} to {most}"


def _intents(situation: Situation, who: int) -> Iterator[Choice]:
    """Every act somebody may mean; face down where this table declares so."""
    here = situation.here
    able = [one for one in fit(situation.table, here) if one != who]
    wishes: list[dict[str, object]] = [
        {"act": Act.ENGAGE, "target": one} for one in able if here.side_of(one) != here.side_of(who)
    ]
    wishes += [{"act": Act.GUARD, "target": one} for one in able if here.side_of(one) == here.side_of(who)]
    wishes += [{"act": act} for act in (Act.GUARD, Act.ADVANCE, Act.STAND)]
    wishes.append({"act": Act.OTHER, "text": YET_TO_FIND})
    for wish in wishes:
        yield _choice(situation, who, {"who": who, **wish}, "for this phase")


def _choice(situation: Situation, who: int, wish: dict[str, object], comes_to: str) -> Choice:
    """An intent that may be declared, face down where this table declares so."""
    if not seals(situation.table):
        return Choice(who, Declare.of(wish), comes_to)
    return Choice(who, Declare.of({**wish, "sealed": True}), "face down")


def _together(situation: Situation) -> Iterator[Choice]:
    """What several of one side who have no player may all do, where they are yet to say."""
    table, here = situation.table, situation.here
    waiting = [one for one in undeclared(table, here) if not is_pc(table, one)]
    for side in here.sides:
        several = tuple(one for one in waiting if one in side)
        if several[1:]:
            against = [one for one in fit(table, here) if here.side_of(one) != here.side_of(several[0])]
            wishes: list[dict[str, object]] = [{"act": Act.ENGAGE, "target": one} for one in against]
            wishes += [{"act": act} for act in (Act.GUARD, Act.ADVANCE, Act.STAND)]
            for wish in wishes:
                yield _choice(situation, GM, {"together": several, **wish}, "for all of them")
