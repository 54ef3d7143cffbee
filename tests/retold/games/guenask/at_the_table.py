"""The people, lines and events that the tests of Guenašk speak of."""

from __future__ import annotations

from typing import Any, Literal

from retold.games.guenask import events as g
from retold.games.guenask.commands import (
    Bring,
    Enter,
    Escalate,
    Give,
    NameCondition,
    Raise,
    See,
    TakeFallout,
)
from retold.games.guenask.commands.verbs import Resist
from retold.games.guenask.rules import Answer, Stat
from retold.games.guenask.state import GuenaskConflict, conflict_state, game_state
from retold.journal.capabilities import Outlook
from retold.journal.decks.chance import FirstDealer, Luck
from retold.journal.language.proposed import available_actions
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Command, Event, Value, Words
from tests.scenario import Story, cast, given

YOU, THOSS, BEA, CY = range(1, 5)
CAST = cast("You", "Captain Thoss", "Bea", "Cy")
STAKES = Words("the egg")
TEXT = Words("So it goes.")

TALK: tuple[Literal["opposed"], Literal["neutral"]] = ("opposed", "neutral")
RUN: tuple[Literal["unopposed"], Literal["physical"]] = ("unopposed", "physical")
FIGHT: tuple[Literal["opposed"], Literal["physical"]] = ("opposed", "physical")
ASK: tuple[Literal["unopposed"], Literal["neutral"]] = ("unopposed", "neutral")
Way = tuple[Literal["opposed", "unopposed"], Literal["neutral", "physical"]]


def sheet(who: int, **values: Value) -> e.SheetChanged:
    return e.SheetChanged(person=who, system="guenask", values=dict(values))


def option(key: str, value: str) -> e.OptionSet:
    return e.OptionSet(system="guenask", key=key, value=value)


SHEETS = (
    sheet(
        YOU,
        mind=3,
        hard=3,
        body=3,
        soft=4,
        unassigned="2d6+1d8",
        legs="1d8",
        disarming="2d8",
        **{"rel.brother": "1d8", "obj.lantern": "1d6+1d8", "danger.knife": "1d4"},
    ),
    sheet(THOSS, mind=4, hard=3, body=3, soft=3, stages=5, sharpshooter="2d6"),
    *(sheet(who, mind=2, hard=2, body=2, soft=2) for who in (BEA, CY)),
)


def opening(*sides: tuple[int, ...], first: int | None = None) -> c.OpenConflict:
    people: dict[str, Any] = {} if first is None else {"first": first}
    return c.OpenConflict(system="guenask", sides=sides or ((YOU,), (THOSS,)), people=people, text=STAKES)


def begun(*sides: tuple[int, ...], first: int | None = YOU, boxes: str | None = "3", **options: str) -> Story:
    """A conflict is open, You against Thoss if nobody else is named; You begin it unless it is said."""
    chosen = [option(key, value) for key, value in options.items()]
    if boxes is not None:
        chosen.append(option("boxes_per_row", boxes))
    return given(*CAST, *SHEETS, *chosen, opening(*sides, first=first))


def results(faces: str | None) -> tuple[str, ...] | None:
    return None if faces is None else tuple(faces.split())


def approach(who: int | None, way: Way, faces: str | None, *things: str, **setup: Value) -> Enter:
    return Enter(who=who, stance=way[0], means=way[1], things=things, setup=setup, results=results(faces))


def escalate(who: int | None, way: Way, faces: str | None, *things: str, **setup: Value) -> Escalate:
    return Escalate(who=who, stance=way[0], means=way[1], things=things, setup=setup, results=results(faces))


def bring(who: int, faces: str | None, *things: str, dangerous: bool = False, **setup: Value) -> Bring:
    return Bring(who=who, things=things, setup=setup, dangerous=dangerous, results=results(faces))


def raise_(forward: str | None, *affected: int, who: int | None = None) -> Raise:
    if forward is None:
        return Raise(who=who, nothing="none")
    return Raise(who=who, forward=forward, affected=affected)


def see(forward: str | None, track: str | None = None, who: int | None = None) -> See:
    if forward is None:
        return See(who=who, nothing="none")
    return See(who=who, forward=forward, track=track)


def fallout(who: int, track: str | None = None) -> TakeFallout:
    return TakeFallout(who=who, track=track)


def resist(die: int, who: int | None = None) -> Resist:
    return Resist(who=who, die=die)


def give(who: int | None = None) -> Give:
    return Give(who=who)


def condition(who: int, track: str | None = None) -> NameCondition:
    return NameCondition(who=who, track=track, text=TEXT)


def ruling(question: str, answer: int | str) -> c.Rule:
    return c.Rule(question=question, answer=answer, text=TEXT)


def sets(person: int, what: str, value: int | str) -> c.Rule:
    """A ruling that sets one number of somebody's."""
    return c.Rule(sets=(e.Setting(person=person, what=what, op="=", value=value),), text=TEXT)


# --- events -----------------------------------------------------------------------------------------------


def rolled(who: int, dice: str, faces: str) -> e.DiceRolled:
    return e.DiceRolled(conflict=1, who=who, dice=dice, faces=tuple(map(int, faces.split())))


def stats(*given_: tuple[Stat, int]) -> tuple[g.StatBrought, ...]:
    return tuple(g.StatBrought(stat=stat, dice=dice) for stat, dice in given_)


def brought(who: int, what: str, source: g.Source, dice: str, *, dangerous: bool = False) -> g.BroughtIn:
    return g.BroughtIn(conflict=1, who=who, what=what, source=source, dice=dice, dangerous=dangerous)


def raised(who: int, *dice: int, to: tuple[int, ...]) -> g.Raised:
    return g.Raised(conflict=1, who=who, dice=dice, total=sum(dice), to=to)


def seen(who: int, whose: int, against: int, how: Answer, *dice: int, cost: g.Cost | None = None) -> g.Seen:
    return g.Seen(
        conflict=1, who=who, whose=whose, how=how, dice=dice, total=sum(dice), against=against, cost=cost
    )


def cost(amount: int, *, body: bool = False, hard: bool = False, dangerous: int | None = None) -> g.Cost:
    return g.Cost(amount=amount, body=body, hard=hard, dangerous=dangerous)


def filled(who: int, track: g.TrackName, row: int, stat: Stat | None = None) -> g.RowFilled:
    return g.RowFilled(conflict=1, who=who, track=track, row=row, stat=stat)


def won(who: int) -> tuple[Event, ...]:
    """The stakes are somebody's, and with that the conflict is over."""
    return (
        g.StakesWon(conflict=1, winner=who),
        e.ConflictEnded(conflict=1, how="won", winner=who),
    )


def gave(who: int, *, forced: bool = False, die: int | None = None) -> g.Gave:
    return g.Gave(conflict=1, who=who, forced=forced, die=die)


# --- what it has come to ----------------------------------------------------------------------------------


def state(story: Story) -> GuenaskConflict:
    return conflict_state(story.table.conflicts[1])


def outlook(story: Story) -> Outlook:
    """What `can` shows of the conflict in play."""
    return next(available_actions(story.table, Luck(FirstDealer())))


def pool(story: Story, who: int) -> list[int]:
    return state(story).people[who].pool


def kept(story: Story, who: int) -> list[int]:
    return state(story).people[who].kept


def marks(story: Story, who: int, track: str) -> int:
    return game_state(story.table).marks(who, track)


# --- the continuous example -------------------------------------------------------------------------------

TALKING: tuple[Event | Command, ...] = (
    approach(YOU, TALK, "1 2 2 3 4 4 7", "brother"),
    approach(THOSS, TALK, "1 1 1 3 4 5 6 6", **{"rel.sister": "family"}),
)
TO_THE_REVERSAL: tuple[Event | Command, ...] = (
    *TALKING,
    raise_("4+3"),
    see("4+3"),
    raise_("5+6"),
    see("7+4"),
    raise_("2+2"),
    see("6"),
    raise_("6+1"),
)
THE_CHASE: tuple[Event | Command, ...] = (
    escalate(YOU, RUN, "1 3 4 5 5 5 6 4", "legs"),
    see("4+3"),
    raise_("5+5"),
    escalate(THOSS, RUN, "1 1 2 2 2 5"),
    see("5+2+2+1"),
)
THE_FIGHT: tuple[Event | Command, ...] = (
    escalate(THOSS, FIGHT, "3 4 3 7", "sharpshooter", **{"danger.pistol": "1d4+1d8"}),
    raise_("3+4"),
    bring(YOU, "3 8", "disarming"),
    see("6+1"),
    raise_("8+4"),
    see("7+3+2"),
)
