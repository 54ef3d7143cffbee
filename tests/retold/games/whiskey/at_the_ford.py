"""The people, lines and events that the tests of Whiskey speak of."""

from __future__ import annotations

from typing import Literal

from retold.games.whiskey import events as w
from retold.games.whiskey.commands import Check, Clash
from retold.games.whiskey.commands.verbs import Declare
from retold.games.whiskey.facts import FACTS
from retold.games.whiskey.rules import Act, Half, Why
from retold.games.whiskey.state import conflict_state
from retold.journal.vocabulary import commands as c
from retold.journal.vocabulary import events as e
from retold.journal.vocabulary.base import Event, Value, Words
from tests.scenario import Story, cast, given

GM, RUNA, TOBIN, PIKE, HOOK, SLING, ANA, BEN = range(8)
"""Runa and Tobin have players; Pike, Hook and Sling have none."""

PEOPLE: tuple[Event, ...] = (
    *cast("Runa", "Tobin", "Pike", "Hook", "Sling", "Ana", "Ben"),
    e.PlayerSeated(person=RUNA, player=ANA),
    e.PlayerSeated(person=TOBIN, player=BEN),
)
WORDS = Words("Now.")
SIDES = ((RUNA, TOBIN), (PIKE, HOOK, SLING))

ActName = Literal["engage", "guard", "advance", "stand", "other"]


def sheet(who: int, **values: Value) -> e.SheetChanged:
    numbers = {"combat": 10, "base": 4, "die": 1, "hp": 12, **values}
    return e.SheetChanged(person=who, system="whiskey", values=dict(sorted(numbers.items())))


def option(key: str, value: str) -> e.OptionSet:
    return e.OptionSet(system="whiskey", key=key, value=value)


def opening(*sides: tuple[int, ...]) -> c.OpenConflict:
    return c.OpenConflict(system="whiskey", sides=sides or SIDES)


def begun(
    *sides: tuple[int, ...], options: dict[str, str] | None = None, sheets: tuple[Event, ...] = ()
) -> Story:
    """A conflict is open; the two against the three, if nobody else is named; all alike but for `sheets`."""
    chosen = [option(key, value) for key, value in (options or {}).items()]
    everybody = [sheet(who) for who in (RUNA, TOBIN, PIKE, HOOK, SLING)]
    return given(*PEOPLE, *everybody, *sheets, *chosen, opening(*sides))


def declare(
    who: int | None, act: ActName | None = None, target: int | None = None, *, said: bool = False
) -> Declare:
    return Declare(who=who, act=act, target=target, text=WORDS if said or act in (None, "other") else None)


def sealed(
    who: int | None, act: ActName | None = None, target: int | None = None, text: Words | None = None
) -> Declare:
    """A declaration as the binder makes it of a line with --sealed."""
    fields = {"who": who, "act": act, "target": target, "text": text, "sealed": True}
    return Declare.of({key: value for key, value in fields.items() if value is not None})


def face_down(who: int, intent: str) -> w.IntentSealed:
    return w.IntentSealed(conflict=1, who=who, intent=Words(intent))


def engage(*pairs: tuple[int, int]) -> list[Declare]:
    return [declare(who, "engage", target) for who, target in pairs]


def stand(*people: int) -> list[Declare]:
    return [declare(who, "stand") for who in people]


def clash(one: int | None = None, other: int | None = None, results: str | None = None) -> Clash:
    return Clash(one=one, other=other, results=None if results is None else tuple(results.split()))


def check(
    who: int | None = None, whom: int | None = None, results: str | None = None, **setup: Value
) -> Check:
    return Check(who=who, whom=whom, setup=setup, results=None if results is None else tuple(results.split()))


def attempt(
    who: int, x: int | str, y: int | str, results: str | None = None, whom: int | None = None
) -> Check:
    """A check that is not a clash's: x against y, each a number or a stat."""
    return Check(
        who=who,
        x=x if isinstance(x, int) else None,
        stat=x if isinstance(x, str) else None,
        y=y if isinstance(y, int) else None,
        theirs=y if isinstance(y, str) and y else None,
        whom=whom,
        results=None if results is None else tuple(results.split()),
    )


def drawn(who: int, card: str, faction: str = "players", conflict: int | None = 1) -> e.CardsDrawn:
    return e.CardsDrawn(conflict=conflict, who=who, deck=f"whiskey:{faction}", cards=(card,), purpose="check")


def rolled(who: int | None, face: int, dice: str = "1d6", conflict: int | None = 1) -> e.DiceRolled:
    return e.DiceRolled(conflict=conflict, who=who, dice=dice, faces=(face,))


def made(
    who: int,
    other: int,
    card: str,
    c_: int,
    d: int,
    *,
    x: int = 10,
    y: int = 10,
    passed: bool,
    faction: str = "players",
) -> w.CheckMade:
    return w.CheckMade(
        conflict=1,
        who=who,
        other=other,
        stat="combat",
        theirs="combat",
        x=x,
        y=y,
        faction=faction,
        card=card,
        c=c_,
        d=d,
        total=x + c_,
        passed=passed,
        clash=True,
    )


def formed(one: int, other: int, checker: int | None, *, paired: bool = False) -> w.ClashFormed:
    return w.ClashFormed(conflict=1, one=one, other=other, checker=checker, paired=paired)


def came(who: int, act: ActName, target: int | None, why: str, *by: int) -> w.IntentSucceeded:
    return w.IntentSucceeded(conflict=1, who=who, act=Act(act), target=target, why=Why(why), by=by)


def stopped(who: int, act: ActName, target: int | None, *by: int) -> w.IntentStopped:
    return w.IntentStopped(conflict=1, who=who, act=Act(act), target=target, by=by)


def hits(winner: int, loser: int, amount: int, left: int) -> w.DamageDealt:
    return w.DamageDealt(conflict=1, winner=winner, loser=loser, amount=amount, left=left)


def phase_ended(number: int = 1) -> w.PhaseEnded:
    return w.PhaseEnded(conflict=1, phase=number)


def reshuffled(
    faction: str, spent: Half | None, half: Half, why: Literal["spent", "battle", "session"] = "spent"
) -> w.DeckReshuffled:
    return w.DeckReshuffled(conflict=1, faction=faction, spent=spent, half=half, why=why)


def told(story: Story, subject: str, who: int | None = None) -> tuple[str, ...]:
    table = story.table
    return FACTS[subject].read(table, table.in_play(), who)


def duels(*people: tuple[int, int]) -> set[frozenset[int]]:
    return set(map(frozenset, people))


def pairs(story: Story) -> set[frozenset[int]]:
    """Who clashes with whom on a story's table."""
    shown = conflict_state(story.table.conflicts[1]).shown
    return {frozenset(one.pair) for one in shown.clashes}
