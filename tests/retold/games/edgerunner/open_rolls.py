"""The lines that change an open roll or pass between hands, and the rolls the tests change with them."""

from __future__ import annotations

from typing import Literal

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.games.edgerunner.rules import Severity
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Words
from tests.retold.games.edgerunner.at_the_warehouse import (
    GATTO,
    HARGAN,
    PEOPLE,
    SHEETS,
    TEXT,
    ActName,
    begun,
    claimed,
    declared,
    kept,
    results,
    rolled,
    shifts,
)
from tests.scenario import Story, given


def open_act(
    who: int = HARGAN,
    act: ActName = "attack",
    total: int = 5,
    *,
    story: Story | None = None,
    level: int = 3,
    **fields: object,
) -> Story:
    """Somebody's act is rolled and open; Hargan's shot at Gatto's cool, for 5 shifts, if nothing is said."""
    if act == "attack" and not fields:
        fields = {"target": GATTO, "track": "cool"}
    dice = total - level
    return (story or begun()).given(
        claimed(who),
        declared(who, act, "firearms", level, **fields),
        rolled(who, faces_of(dice)),
        shifts(who, total, **parts(dice, level)),
    )


def outside_roll(
    who: int,
    total: int,
    *,
    level: int,
    story: Story | None = None,
    against: int | None = None,
    opponent: int | None = None,
    takes: int | None = None,
    upgrade: str | None = None,
) -> Story:
    """A roll outside any conflict."""
    dice = total - level + (against or 0)
    skill_rolled = g.SkillRolled(
        who=who,
        skill="driving",
        level=level,
        against=against,
        opponent=opponent,
        takes=takes,
        upgrade=upgrade,
    )
    return (story or given(*PEOPLE, *SHEETS)).given(
        skill_rolled,
        rolled(who, faces_of(dice), None),
        shifts(who, total, None, **parts(dice, level), **({"opposed": -against} if against else {})),
    )


def faces_of(dice: int) -> str:
    """Four fudge dice that come to so much."""
    sign = "+" if dice > 0 else "-"
    return (sign * abs(dice)).ljust(4, "0")


def parts(dice: int, level: int) -> dict[str, int]:
    """The parts of a roll nobody has changed; what is nothing is left out."""
    return {name: value for name, value in (("dice", dice), ("level", level)) if value}


# --- commands ---------------------------------------------------------------------------------------------


def invoke(
    who: int, aspect: str, *, free: bool = False, reroll: bool = False, faces: str | None = None
) -> v.Invoke:
    return v.Invoke(who=who, aspect=aspect, free=free, reroll=reroll, results=results(faces), text=TEXT)


def boost(who: int, *stress: tuple[str, int], **slots: str) -> v.Boost:
    """`boost(GATTO, ("cool", 2), mild="Torn sleeve")`."""
    return v.Boost.of({"who": who, **taking(*stress), **slots})


def resist(
    who: int,
    *stress: tuple[str, int],
    comrade: int | None = None,
    upgrade: str | None = None,
    **slots: str,
) -> v.Resist:
    """`resist(GATTO, ("cool", 2), mild="Torn sleeve")`."""
    meant = {"who": who, "comrade": comrade, "upgrade": upgrade}
    return v.Resist.of({**meant, **taking(*stress), **slots})


def taking(*stress: tuple[str, int]) -> dict[str, object]:
    return {"tracks": tuple(track for track, _ in stress), "amounts": tuple(amount for _, amount in stress)}


def spin(who: int) -> v.SpendSpin:
    return v.SpendSpin(who=who)


def compel(who: int, aspect: str, by: int | None = None) -> c.Compel:
    return c.Compel(who=who, aspect=aspect, by=by, text=TEXT)


def accept(who: int | None = None) -> c.Accept:
    return c.Accept(who=who)


def refuse(who: int | None = None) -> c.Refuse:
    return c.Refuse(who=who)


def concede(who: int | None, text: Words | None = TEXT) -> c.Concede:
    return c.Concede(who=who, text=text)


# --- events -----------------------------------------------------------------------------------------------


def invoked(
    who: int,
    aspect: int,
    on: int | str,
    wording: str,
    mode: Literal["+2", "-2", "reroll"] = "+2",
    *,
    free: bool = False,
    by: int | None = None,
    conflict: int | None = 1,
) -> g.AspectInvoked:
    return g.AspectInvoked(
        conflict=conflict,
        who=who,
        aspect=aspect,
        on=on,
        wording=wording,
        mode=mode,
        free=free,
        by=by,
        text=TEXT,
    )


def paid(payer: int, payee: int, why: str, points: int = 1, conflict: int | None = 1) -> g.FatePointPaid:
    return g.FatePointPaid.of(
        {"conflict": conflict, "payer": payer, "payee": payee, "points": points, "why": why}
    )


def taken(
    who: int,
    severity: Severity,
    worth: int,
    *,
    aspect: int,
    wording: str,
    why: Literal["resist", "boost", "strain"],
    holder: int | None = None,
    slot_of: int | None = None,
    conflict: int | None = 1,
) -> g.ConsequenceTaken:
    return g.ConsequenceTaken(
        conflict=conflict,
        who=who,
        severity=severity,
        worth=worth,
        aspect=aspect,
        wording=wording,
        slot_of=slot_of,
        holder=holder,
        why=why,
    )


def put(
    aspect: int,
    on: int | str,
    wording: str,
    *,
    free: int = 0,
    by: int | None = None,
    how: Literal["said", "declaration", "maneuver"] = "maneuver",
    conflict: int | None = 1,
) -> g.AspectPlaced:
    """An aspect is in play."""
    return g.AspectPlaced(conflict=conflict, aspect=aspect, on=on, wording=wording, how=how, by=by, free=free)


def purse(player: int, points: int) -> g.NumberSet:
    """A player holds so many fate points."""
    return g.NumberSet(on=player, what="points", value=points)


def offered(who: int, wording: str, by: int = 0, conflict: int | None = 1) -> e.CompelOffered:
    return e.CompelOffered(conflict=conflict, who=who, aspect=wording, by=by, text=TEXT)


# --- what it has come to ----------------------------------------------------------------------------------


def points(story: Story, player: int) -> int:
    """The fate points a player holds."""
    return kept(story).held(player)


def free_of(story: Story, aspect: int) -> dict[int | None, int]:
    """Who may invoke an aspect for nothing, and how often still."""
    return {holder: free for holder, free in kept(story).aspects[aspect].free.items() if free}
