"""A conflict opens and closes, and an evening begins."""

from __future__ import annotations

from typing import Final

from journal.refused import Refused
from journal.system import Situation
from journal.systems.edgerunner import events as g
from journal.systems.edgerunner.commands.ahead import closing
from journal.systems.edgerunner.commands.standing import here
from journal.systems.edgerunner.commands.turns import where_it_stands
from journal.systems.edgerunner.state import NAME, chosen, shelf
from journal.vocabulary import events as e
from journal.vocabulary.base import Event

AGREED: Final = ("ended", "agreed")
CONCEDED: Final = "conceded"


def open_conflict(situation: Situation, opened: e.ConflictOpened) -> list[Event]:
    """The conflict opens; the dead take no side in it."""
    dead = shelf(situation.table).dead
    for who in (who for side in opened.sides for who in side):
        if who in dead:
            raise Refused(f"{situation.name(who)} is dead.")
    return [opened]


def close(situation: Situation, how: str) -> list[Event]:
    """All agree that it is over, and every defence with it; an act on the table comes first."""
    conceded = how == CONCEDED and situation.here.concession is not None
    if how not in AGREED and not conceded:
        raise Refused(
            "A conflict ends when a side is taken out, by a concession (concede NAME: story), or as all"
            f" agree: end conflict agreed, and not {how}."
        )
    _all_told(situation)
    act = here(situation).act
    if act is None:
        return closing(situation)
    if conceded:
        return [*_let_go(situation), *closing(situation)]
    raise Refused(where_it_stands(situation, act))


def _all_told(situation: Situation) -> None:
    """A conflict does not end over somebody's head: what becomes of them is told first."""
    for tale in here(situation).tales:
        out, teller = situation.name(tale.on), situation.name(tale.by)
        raise Refused(f"What becomes of {out} is still to be told: narrate {teller}: … comes first.")


def _let_go(situation: Situation) -> list[Event]:
    """The story that all have taken is true: whatever somebody was about comes to nothing."""
    acts = reversed(here(situation).acts)
    return [g.ActionForfeited(conflict=situation.here.id, who=act.who, why="conceded") for act in acts]


def begin_session(situation: Situation) -> list[Event]:
    """Everybody's fate points are as they were at first; stress is gone, unless a conflict goes on."""
    fighting = any(conflict.system == NAME for conflict in situation.table.conflicts.values())
    return [g.Refreshed(points=int(chosen(situation.table, "fp_start")), stress=not fighting)]
