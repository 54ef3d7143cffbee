"""What the tests speak of where nobody fights: rolls outside conflicts, and where they stand."""

from __future__ import annotations

from retold.games.edgerunner import events as g
from retold.games.edgerunner.commands import verbs as v
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Value
from tests.retold.games.edgerunner.at_the_warehouse import (
    PEOPLE,
    REX,
    SHEETS,
    TEXT,
    results,
    rolled,
    sheet,
    shifts,
)
from tests.scenario import given

TABLE = given(*PEOPLE, *SHEETS, sheet(REX, driving=2, streetwise=1, charm=3, empathy=1))
"""Nobody fights."""


def roll(
    who: int | None,
    *traits: str,
    faces: str | None = None,
    vs: int | None = None,
    opponent: int | None = None,
    skill: str | None = None,
    upgrade: str | None = None,
    **setup: Value,
) -> v.Roll:
    return v.Roll(
        who=who,
        traits=traits,
        target=vs,
        opponent=opponent,
        skill=skill,
        upgrade=upgrade,
        setup=setup,
        results=results(faces),
        text=TEXT,
    )


def tried(who: int, skill: str, level: int, **fields: object) -> g.SkillRolled:
    return g.SkillRolled.of({"who": who, "skill": skill, "level": level, "text": TEXT, **fields})


def dice(who: int, faces: str) -> e.DiceRolled:
    return rolled(who, faces, conflict=None)


def stands(who: int, total: int, **parts: int) -> g.ShiftsSet:
    return shifts(who, total, conflict=None, **parts)
